/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/program.h"

#include "base/clock.h"
#include "program/modes.h"
#include "program/recorded.h"

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

const char *const program_setups[OP_SETUPS] = {
	[OP_SETUP_EACH] = "",
	[OP_SETUP_SHARED] = "shared",
	[OP_SETUP_RESTORE] = "restore",
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
	{"direct", OPEN_DIRECT},
	{"noatime", OPEN_NOATIME},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

char *program_print_open_flags(uint64_t flags, char text[OPEN_FLAGS_TEXT])
{
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < LENGTH(open_flag_words); i++)
		if ((flags & open_flag_words[i].flag) != 0)
			length += (size_t)snprintf(text + length, OPEN_FLAGS_TEXT - length, "%s%s",
						   length > 0 ? "," : "", open_flag_words[i].word);
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

/* Return the index of the first step that computes the value of step `last`. */
static uint64_t first_step(const struct formula *formula, uint64_t last)
{
	uint64_t step = last;
	unsigned wanted = 1;

	for (;; step--) {
		wanted += formula_operands((enum formula_action)formula->steps[step].action);
		if (--wanted == 0)
			return step;
	}
}

static void print_call(const struct program *program, const struct formula_step *step, FILE *stream)
{
	fputs(formula_text((enum formula_action)step->action), stream);
	if (step->action == FORMULA_ZIPF)
		fprintf(stream, "(%" PRIu64 ",%g)", program->zipfs[step->value].count,
			program->zipfs[step->value].exponent);
	else
		fprintf(stream, "(%" PRIu64 ")", program->shuffles[step->value].count);
}

/* Print the value of step `last`; `outer`: no operator is around it. */
static void print_value(const struct program *program, const struct formula *formula, uint64_t last,
			bool outer, FILE *stream)
{
	const struct formula_step *step = &formula->steps[last];
	enum formula_action action = (enum formula_action)step->action;
	unsigned operands = formula_operands(action), i;
	bool call = operands > 0 && isalpha((unsigned char)formula_text(action)[0]);
	uint64_t ends[3];

	switch (action) {
	case FORMULA_NUMBER:
		fprintf(stream, "%" PRIu64, step->value);
		return;
	case FORMULA_VARIABLE:
		fprintf(stream, "$%s", program->variables[step->value].name);
		return;
	case FORMULA_ZIPF:
	case FORMULA_SHUFFLE:
		print_call(program, step, stream);
		return;
	default:
		break;
	}
	for (i = operands; i-- > 0;) {
		ends[i] = i + 1 == operands ? last - 1 : first_step(formula, ends[i + 1]) - 1;
	}
	if (call)
		fprintf(stream, "%s(", formula_text(action));
	else if (!outer)
		fputc('(', stream);
	/* Leave out the default step of random(). */
	if (action == FORMULA_RANDOM && formula->steps[last - 1].action == FORMULA_NUMBER &&
	    formula->steps[last - 1].value == 1)
		operands--;
	for (i = 0; i < operands; i++) {
		if (i > 0)
			fputs(call ? "," : formula_text(action), stream);
		print_value(program, formula, ends[i], call, stream);
	}
	if (call || !outer)
		fputc(')', stream);
}

/* Print the steps of an offset such as "*%8192/4096+512", which dbench's smb
 * dialect has. */
static void print_terms(const struct formula *formula, FILE *stream)
{
	uint64_t i;

	if (formula->steps[0].action == FORMULA_BITS)
		fputc('*', stream);
	for (i = 1; i + 1 < formula->count; i += 2) {
		const struct formula_step *operand = &formula->steps[i];
		uint64_t action = formula->steps[i + 1].action;

		if (operand->action == FORMULA_VARIABLE)
			fputs(operand->value == VARIABLE_USER ? "+child" : "+num_children", stream);
		else
			fprintf(stream, "%c%" PRIu64,
				action == FORMULA_REMAINDER ? '%'
				: action == FORMULA_ALIGN   ? '/'
							    : '+',
				operand->value);
	}
}

/* Print a formula as an expression of the native dialect. */
static void print_formula(const struct program *program, const struct formula *formula,
			  FILE *stream)
{
	uint64_t first = formula->steps[0].action;

	if (first == FORMULA_BITS || first == FORMULA_PREVIOUS)
		print_terms(formula, stream);
	else
		print_value(program, formula, formula->count - 1, true, stream);
}

static void print_offset(const struct program *program, const struct op *op, FILE *stream)
{
	fputc(' ', stream);
	if ((op->flags & OP_NEXT) != 0)
		fputs("next", stream);
	else if ((op->flags & OP_COMPUTED) != 0)
		print_formula(program, &program->formulas[op->offset], stream);
	else
		fprintf(stream, "%" PRIu64, op->offset);
}

/* Print a number that is a formula with OP_SIZED. */
static void print_size(const struct program *program, const struct op *op, FILE *stream)
{
	fputc(' ', stream);
	if ((op->flags & OP_SIZED) != 0)
		print_formula(program, &program->formulas[op->size], stream);
	else
		fprintf(stream, "%" PRIu64, op->size);
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

/* Print `$name` for a variable, or `${name}` if the character after it would
 * continue the name. Return the position in `to`. */
static char *print_reference(char *to, const char *start, const char *end)
{
	size_t length = (size_t)(end - start) - strlen("${}");

	if (isalnum((unsigned char)*end) || *end == '_') {
		memcpy(to, start, (size_t)(end - start));
		return to + (end - start);
	}
	*to++ = '$';
	memcpy(to, start + strlen("${"), length);
	return to + length;
}

/* Print a path. Double each dollar, unless it begins a variable or one of the
 * random strings `strings`. */
static void print_path(const struct program *program, uint32_t number, unsigned strings,
		       FILE *stream)
{
	const struct program_path *p = &program->paths[number];
	const char *path = p->text, *start = NULL, *end = path;
	char text[2 * PROGRAM_PATH_MAX], *to = text;

	if (p->references)
		program_find_reference(program, path, &start, &end);
	while (*path != '\0') {
		if (path == start) {
			to = print_reference(to, start, end);
			path = end;
			program_find_reference(program, path, &start, &end);
			continue;
		}
		if (*path == '$' &&
		    (!isdigit((unsigned char)path[1]) || (strings >> (path[1] - '0') & 1) == 0))
			*to++ = '$';
		*to++ = *path++;
	}
	*to = '\0';
	print_word("/", text, stream);
}

/* Print one argument; `letter` is its letter in the shape (op.h). */
static void print_argument(const struct program *program, const struct op *op, char letter,
			   unsigned strings, FILE *stream)
{
	char text[OPEN_FLAGS_TEXT];

	switch (letter) {
	case 'p':
	case 'w':
		print_path(program, op->path, strings, stream);
		break;
	case 'q':
		print_path(program, op->path2, strings, stream);
		break;
	case 'F':
		fprintf(stream, " %s", program_print_open_flags(op->open_flags, text));
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
		print_size(program, op, stream);
		break;
	case 'e':
	case 'n':
		if ((op->flags & OP_COUNTED) == 0)
			fputs(" -", stream);
		else if ((op->flags & OP_SIZED) == 0)
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
	case 'O':
		fprintf(stream, " %" PRIu64, op->offset);
		break;
	case 'k':
		fprintf(stream, " %" PRIu32, op->handle2);
		break;
	case 'P':
		fprintf(stream, " %" PRIu64, op->offset2);
		break;
	case 'z':
		fprintf(stream, " %" PRIu32, op->bytes);
		break;
	case 'N':
		print_word("", program->texts[op->text], stream);
		break;
	default:
		modes_print(letter, op, stream);
		break;
	}
}

static void print_control(const struct program *program, const struct op *op, FILE *stream)
{
	const char *items;

	fputs(op_verb(op->kind), stream);
	switch (op->kind) {
	case OP_LOOP:
	case OP_PARALLEL:
	case OP_MIX:
		print_size(program, op, stream);
		if (op->variable != OP_NONE)
			fprintf(stream, " %s", program->variables[op->variable].name);
		break;
	case OP_EVERY:
		fprintf(stream, " %" PRIu64, op->count);
		break;
	case OP_LET:
		fprintf(stream, " %s", program->variables[op->variable].name);
		print_offset(program, op, stream);
		break;
	case OP_SETSP:
	case OP_STREAM:
	case OP_AFTER:
		fprintf(stream, " %" PRIu64, op->number);
		break;
	case OP_SLEEP:
		if ((op->flags & OP_COMPUTED) != 0)
			print_offset(program, op, stream);
		else
			fprintf(stream, " %" PRIu64, op->sleep_ns / NS_PER_US);
		break;
	case OP_WAITSP:
		fprintf(stream, " %" PRIu32 " %" PRIu64, op->user, op->number);
		break;
	case OP_WRITEPATTERN:
		fprintf(stream, " %s", program->texts[op->text]);
		break;
	case OP_PHASE:
		items = program->texts[op->expect];
		fprintf(stream, " %s%s%s", program->texts[op->text], items[0] != '\0' ? " " : "",
			items);
		break;
	case OP_RANDOMSTRING:
		fprintf(stream, " %" PRIu64, op->number);
		print_word("", program->texts[op->text], stream);
		break;
	case OP_SETUP:
		if (op->number != OP_SETUP_EACH)
			fprintf(stream, " %s", program_setups[op->number]);
		break;
	}
	fputc('\n', stream);
}

static void print_played(const struct program *program, const struct op *op, unsigned strings,
			 FILE *stream)
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
	modes_print_optional(op, stream);
	recorded_print(program, op, stream);
	for (i = 0; program_flag_words[i].word != NULL; i++)
		if ((op->flags & program_flag_words[i].flag) != 0)
			fprintf(stream, " %s", program_flag_words[i].word);
	fprintf(stream, " %s\n", outcome_print_set(op->accepts, outcomes));
}

static bool has_stamp(const struct program *program, size_t at)
{
	return program->due_ns != NULL && program->due_ns[at] != CLOCK_NEVER;
}

/* Print operation `at` with its time stamp, if it has one. */
static void print_op(const struct program *program, size_t at, unsigned strings, FILE *stream)
{
	const struct op *op = &program->ops[at];

	if (op_is_control(op->kind)) {
		print_control(program, op, stream);
		return;
	}
	/* The time stamp in seconds, with all nine decimals. */
	if (has_stamp(program, at))
		fprintf(stream, "%" PRIu64 ".%09" PRIu64 " ", program->due_ns[at] / NS_PER_S,
			program->due_ns[at] % NS_PER_S);
	print_played(program, op, strings, stream);
}

void program_print(const struct program *program, FILE *stream)
{
	const struct op *ops = program->ops;
	/* The op that ends the branch to be closed by END, in each MIX. */
	size_t ends[PROGRAM_LOOP_DEPTH + 1] = {0};
	unsigned strings = 0, depth = 0;
	size_t i;

	fputs("# throng loadfile, native dialect\n", stream);
	if (program->comment != NULL)
		fputs(program->comment, stream);
	if (program->prologue)
		fputs("PROLOGUE\n", stream);
	for (i = 0; i < program->op_count; i++) {
		/* A branch on one line has no time stamp. */
		bool single = ops[i].kind == OP_BRANCH && ops[i].jump == i + 2 &&
			      !op_is_control(ops[i + 1].kind) && !has_stamp(program, i + 1);

		if (depth > 0 && ends[depth] == i)
			fputs("END\n", stream);
		if (ops[i].kind == OP_BRANCH) {
			fprintf(stream, "%" PRIu64 " %s", ops[i].weight, single ? "" : "BEGIN\n");
			ends[depth] = single ? 0 : ops[i].jump;
			continue;
		}
		depth += ops[i].kind == OP_MIX;
		depth -= ops[i].kind == OP_ENDMIX;
		print_op(program, i, strings, stream);
		if (ops[i].kind == OP_RANDOMSTRING)
			strings |= 1u << ops[i].number;
	}
}
