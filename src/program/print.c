/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/program.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

const struct op_flag_word program_flag_words[] = {
	{"lookup", OP_LOOKUP},
	{"flush", OP_FLUSH},
	{"sync-parent", OP_SYNC_PARENT},
	{NULL, 0},
};

const char *const program_connections[OP_CONNECTIONS] = {
	[OP_KEEP] = "keep",
	[OP_CLOSING] = "close",
	[OP_RESETTING] = "reset",
};

static const struct {
	const char *word;
	enum open_flag flag;
} open_flag_words[] = {
	{"read", OPEN_READ},
	{"write", OPEN_WRITE},
	{"create", OPEN_CREATE},
	{"exclusive", OPEN_EXCLUSIVE},
	{"truncate", OPEN_TRUNCATE},
	{"append", OPEN_APPEND},
	{"directory", OPEN_DIRECTORY},
	{"file", OPEN_FILE},
	{"sync", OPEN_SYNC},
	{"write-through", OPEN_WRITE_THROUGH},
	{"delete-on-close", OPEN_DELETE_ON_CLOSE},
	{"attributes", OPEN_ATTRIBUTES},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

char *program_print_open_flags(uint64_t flags, char text[OPEN_FLAGS_TEXT])
{
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < LENGTH(open_flag_words); i++)
		if ((flags & open_flag_words[i].flag) != 0)
			length += (size_t)snprintf(
				text + length, OPEN_FLAGS_TEXT - length,
				"%s%s", length > 0 ? "," : "",
				open_flag_words[i].word);
	return text;
}

int program_parse_open_flags(const char *text, uint64_t *flags)
{
	*flags = 0;
	for (;;) {
		size_t length = strcspn(text, ","), i;

		for (i = 0; i < LENGTH(open_flag_words); i++)
			if (strlen(open_flag_words[i].word) == length &&
			    memcmp(open_flag_words[i].word, text, length) == 0)
				break;
		if (i == LENGTH(open_flag_words))
			return -EINVAL;
		*flags |= open_flag_words[i].flag;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

static void print_offset(const struct program *program, const struct op *op,
			 FILE *stream)
{
	const struct expression *e;
	unsigned i;

	if ((op->flags & OP_COMPUTED) == 0) {
		fprintf(stream, " %" PRIu64, op->offset);
		return;
	}
	e = &program->expressions[op->offset];
	fputs(e->from_previous ? " " : " *", stream);
	for (i = 0; i < e->terms; i++) {
		const struct term *term = &e->term[i];

		if (term->action == 'u')
			fputs("+child", stream);
		else if (term->action == 'n')
			fputs("+num_children", stream);
		else
			fprintf(stream, "%c%" PRIu64, term->action,
				term->value);
	}
}

/*
 * Print a word. Put quotes around it, as it may contain blanks. Print a word
 * that contains a quote without quotes around it: such a word has no blanks,
 * since otherwise it could not have been read from a loadfile.
 */
static void print_word(const char *before, const char *text, FILE *stream)
{
	const char *quote = strchr(text, '"') == NULL ? "\"" : "";

	fprintf(stream, " %s%s%s%s", quote, before, text, quote);
}

/* Print a path. Double each dollar, unless it begins one of the random strings
 * `strings`. */
static void print_path(const char *path, unsigned strings, FILE *stream)
{
	char text[2 * PROGRAM_PATH_MAX], *to = text;

	for (; *path != '\0'; *to++ = *path++)
		if (*path == '$' &&
		    (!isdigit((unsigned char)path[1]) ||
		     (strings >> (path[1] - '0') & 1) == 0))
			*to++ = '$';
	*to = '\0';
	print_word("/", text, stream);
}

/* Print one argument; `letter` is its letter in the shape (op.h). */
static void print_argument(const struct program *program, const struct op *op,
			   char letter, unsigned strings, FILE *stream)
{
	char text[OPEN_FLAGS_TEXT];

	switch (letter) {
	case 'p':
	case 'w':
		print_path(program->paths[op->path].text, strings, stream);
		break;
	case 'q':
		print_path(program->paths[op->path2].text, strings, stream);
		break;
	case 'F':
		fprintf(stream, " %s",
			program_print_open_flags(op->open_flags, text));
		break;
	case 'H':
	case 'h':
		if (op->handle == OP_NONE)
			fputs(" -", stream);
		else
			fprintf(stream, " %" PRIu32, op->handle);
		break;
	case 'o':
		print_offset(program, op, stream);
		break;
	case 's':
	case 'l':
	case 'm':
		fprintf(stream, " %" PRIu64, op->size);
		break;
	case 'e':
	case 'n':
		if ((op->flags & OP_COUNTED) == 0)
			fputs(" -", stream);
		else
			fprintf(stream, " %" PRIu32, op->expect);
		break;
	case 'y':
		fprintf(stream, " %" PRIu32, op->stable);
		break;
	case 'R':
		fprintf(stream, " %" PRIu32, op->expect);
		break;
	case 'c':
		fprintf(stream, " %s", program_connections[op->connection]);
		break;
	case 'r':
		fputs((op->flags & OP_NO_REPLACE) != 0 ? " no-replace"
						       : " replace", stream);
		break;
	}
}

static void print_control(const struct program *program, const struct op *op,
			  FILE *stream)
{
	fputs(op_verb(op->kind), stream);
	switch (op->kind) {
	case OP_LOOP:
	case OP_SETSP:
		fprintf(stream, " %" PRIu64, op->number);
		break;
	case OP_SLEEP:
		fprintf(stream, " %" PRIu64, op->sleep_ns / NS_PER_US);
		break;
	case OP_WAITSP:
		fprintf(stream, " %" PRIu32 " %" PRIu64, op->user, op->number);
		break;
	case OP_WRITEPATTERN:
	case OP_PHASE:
		fprintf(stream, " %s", program->texts[op->text]);
		break;
	case OP_RANDOMSTRING:
		fprintf(stream, " %" PRIu64, op->number);
		print_word("", program->texts[op->text], stream);
		break;
	}
	fputc('\n', stream);
}

static void print_played(const struct program *program, const struct op *op,
			 unsigned strings, FILE *stream)
{
	const char *label = program->labels[op->label];
	const char *verb = op_verb(op->kind);
	const char *letter;
	char outcomes[OUTCOME_TEXT];
	size_t i;

	if (strcmp(label, verb) != 0)
		fprintf(stream, "%s:", label);
	fputs(verb, stream);
	for (letter = op_shape(op->kind); *letter != '\0'; letter++)
		print_argument(program, op, *letter, strings, stream);
	for (i = 0; program_flag_words[i].word != NULL; i++)
		if ((op->flags & program_flag_words[i].flag) != 0)
			fprintf(stream, " %s", program_flag_words[i].word);
	fprintf(stream, " %s\n", outcome_print_set(op->accepts, outcomes));
}

void program_print(const struct program *program, FILE *stream)
{
	unsigned strings = 0;
	size_t i;

	fputs("# throng loadfile, native dialect\n", stream);
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op_class(op->kind) == OP_CLASS_CONTROL) {
			print_control(program, op, stream);
			if (op->kind == OP_RANDOMSTRING)
				strings |= 1u << op->number;
			continue;
		}
		/* The time stamp in seconds, with all nine decimals. */
		if (program->due_ns != NULL &&
		    program->due_ns[i] != CLOCK_NEVER)
			fprintf(stream, "%" PRIu64 ".%09" PRIu64 " ",
				program->due_ns[i] / NS_PER_S,
				program->due_ns[i] % NS_PER_S);
		print_played(program, op, strings, stream);
	}
}
