/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The native dialect: the printed form of a program, one operation per line.
 *   [LABEL:]VERB ARGUMENTS [MODES] [lookup] [flush] [sync-parent] OUTCOME
 * program/op.h lists the verbs and their arguments; outcomes are errno names.
 * Unlike in other dialects, nothing is implied: a line names all flags and all
 * accepted outcomes of its operation.
 */
#include "load/dialect.h"

#include "load/arguments.h"
#include "program/modes.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Return the verb of "LABEL:VERB" or "VERB". */
static const char *verb_of(const char *word)
{
	const char *colon = strrchr(word, ':');

	return colon == NULL ? word : colon + 1;
}

/* Find the operation of a word. Return 0, or -EINVAL for an unknown verb. */
static int find_kind(const char *word, enum op_kind *kind)
{
	const char *verb = verb_of(word);
	unsigned i;

	for (i = 0; i < OP_KINDS; i++) {
		if (op_class(i) != OP_CLASS_CONTROL &&
		    strcmp(op_verb(i), verb) == 0) {
			*kind = i;
			return 0;
		}
	}
	return -EINVAL;
}

static unsigned match(const char *word)
{
	enum op_kind kind;

	return find_kind(word, &kind) == 0 ? 2 : 0;
}

static int read_label(struct builder *builder, const char *word,
		      struct op *op, struct error *error)
{
	char label[PROGRAM_LABEL_MAX + 2];
	size_t length = (size_t)(verb_of(word) - word);

	if (strpbrk(word, " \t") != NULL) {
		error_set(error, "a label may not contain blanks");
		return -EINVAL;
	}
	/* When the program is printed, the line would become a comment. */
	if (word[0] == '#') {
		error_set(error, "a label may not begin with #");
		return -EINVAL;
	}
	if (length == 0)
		return builder_label(builder, word, &op->label, error);
	/* Truncate a label that is too long, but keep enough of it for
	 * builder_label() to refuse it. */
	if (length > sizeof(label))
		length = sizeof(label);
	memcpy(label, word, length - 1);
	label[length - 1] = '\0';
	return builder_label(builder, label, &op->label, error);
}

static int read_flags(const struct line *line, unsigned word, struct op *op,
		      struct error *error)
{
	char modes[MODES_TEXT];

	for (; word + 1 < line->word_count; word++) {
		const struct op_flag_word *known = program_flag_words;
		const char *text = line->words[word].text;

		if (modes_parse_optional(text, op))
			continue;
		while (known->word != NULL && strcmp(known->word, text) != 0)
			known++;
		if (known->word == NULL) {
			line_error(line, word, error, "\"%s\" is one argument "
				   "too many; expected %slookup, flush, "
				   "sync-parent or the outcome", text,
				   modes_optional_words(op->kind, modes));
			return -EINVAL;
		}
		op->flags |= (uint16_t)known->flag;
	}
	return 0;
}

static bool is_string(char digit, unsigned strings)
{
	return isdigit((unsigned char)digit) &&
	       (strings >> (digit - '0') & 1) != 0;
}

/*
 * Replace each `$$` in a path by a dollar, in place. Any other dollar must
 * begin a random string that is defined; otherwise it is probably a mistake.
 */
static int read_dollars(const struct line *line, unsigned word,
			unsigned strings, struct error *error)
{
	const char *from = line->words[word].text;
	char *to = line->words[word].text;

	for (; *from != '\0'; *to++ = *from++) {
		if (*from != '$' || is_string(from[1], strings))
			continue;
		if (from[1] != '$') {
			line_error(line, word, error, "\"$%.*s\" is not "
				   "defined by an earlier RANDOMSTRING; write "
				   "$$ for a dollar",
				   isalnum((unsigned char)from[1]) ? 1 : 0,
				   from + 1);
			return -EINVAL;
		}
		from++;
		if (!is_string(from[1], strings))
			continue;
		line_error(line, word, error, "\"$$%c\" cannot stand for a "
			   "literal $%c while RANDOMSTRING %c is defined; give "
			   "that random string another number", from[1],
			   from[1], from[1]);
		return -EINVAL;
	}
	*to = '\0';
	return 0;
}

/* Call read_dollars() for the paths among the arguments. `first` is the first
 * argument's word. */
static int read_path_dollars(struct builder *builder, const struct line *line,
			     unsigned first, const char *shape,
			     struct error *error)
{
	unsigned strings = builder_strings(builder), i;
	int rc = 0;

	for (i = 0; rc == 0 && shape[i] != '\0' &&
		    first + i < line->word_count; i++)
		if (strchr("pqw", shape[i]) != NULL)
			rc = read_dollars(line, first + i, strings, error);
	return rc;
}

static int compile(struct builder *builder, const struct line *line,
		   unsigned first, uint64_t due_ns, struct error *error)
{
	const char *word = line->words[first].text;
	unsigned last = line->word_count - 1;
	struct arguments unused;
	struct error reason = {0};
	struct op op = {
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.line = line->number,
	};
	enum op_kind kind;
	int rc;

	find_kind(word, &kind);
	op.kind = (uint8_t)kind;
	if (outcome_parse_set(line->words[last].text, &op.accepts) < 0) {
		line_error(line, last, error, "\"%s\" is not an outcome; "
			   "expected known errnos such as OK|EEXIST, ERROR or "
			   "*",
			   line->words[last].text);
		return -EINVAL;
	}
	rc = read_path_dollars(builder, line, first + 1, op_shape(kind),
			       error);
	if (rc == 0)
		rc = arguments_read(builder, line, first + 1, op_shape(kind),
				    &op, &unused, error);
	if (rc == 0)
		rc = read_flags(line, first + 1 +
				(unsigned)strlen(op_shape(kind)), &op, error);
	if (rc < 0)
		return rc;
	rc = read_label(builder, word, &op, &reason);
	if (rc < 0) {
		line_error(line, first, error, "%s", reason.text);
		return rc;
	}
	return dialect_add(builder, line, first, &op, due_ns, error);
}

const struct dialect dialect_native = {
	.name = "native",
#define X(kind, verb, class, shape) verb ", "
	.words = OP_FILE_LIST(X) "and the nfs- and nlm- operations of "
		 "throng-loadfile(5)",
#undef X
	.outcome = "OK",
	.match = match,
	.compile = compile,
};
