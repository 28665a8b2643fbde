/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The native dialect: the printed form of a program, one operation per line.
 *   [LABEL:]VERB ARGUMENTS [MODES] [FIELDS] [lookup] [flush] [sync-parent]
 *   [OUTCOME]
 * program/op.h lists the verbs and their arguments; outcomes are errno names.
 * Unlike in other dialects, nothing is implied: a line names all flags of its
 * operation, and all outcomes that it accepts, unless this is OK alone.
 */
#include "load/dialect.h"

#include "load/arguments.h"
#include "load/number.h"
#include "program/modes.h"
#include "program/recorded.h"

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
		if (op_class(i) != OP_CLASS_CONTROL && strcmp(op_verb(i), verb) == 0) {
			*kind = i;
			return 0;
		}
	}
	return -EINVAL;
}

static void suggest(struct suggestion *suggestion)
{
	unsigned i;

	suggestion->word = verb_of(suggestion->word);
	for (i = 0; i < OP_KINDS; i++)
		if (op_class(i) != OP_CLASS_CONTROL)
			suggest_offer(suggestion, op_verb(i));
}

static unsigned match(const char *word)
{
	enum op_kind kind;

	return find_kind(word, &kind) == 0 ? 2 : 0;
}

static int read_label(struct builder *builder, const char *word, struct op *op, struct error *error)
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

/*
 * Read the flags, the recorded fields and the outcome, from word `word` on. If
 * the outcome is left out, it is OK.
 */
static int read_flags(const struct line *line, unsigned word, struct op *op,
		      struct smb_request *request, struct error *error)
{
	char modes[MODES_TEXT], fields[RECORDED_TEXT], words[MODES_TEXT + RECORDED_TEXT + 32];

	op->accepts = OUTCOME_BIT(OK);
	for (; word < line->word_count; word++) {
		const struct op_flag_word *known = program_flag_words;
		const char *text = line->words[word].text;
		struct error reason = {0};

		if (modes_parse_optional(text, op) ||
		    recorded_parse(op->kind, text, request, &reason))
			continue;
		if (reason.text[0] != '\0') {
			line_error(line, word, error, "%s", reason.text);
			return -EINVAL;
		}
		while (known->word != NULL && strcmp(known->word, text) != 0)
			known++;
		op->flags |= (uint16_t)known->flag;
		if (known->word != NULL)
			continue;
		if (word + 1 < line->word_count) {
			snprintf(words, sizeof(words), "%s%slookup, flush, sync-parent",
				 modes_optional_words(op->kind, modes),
				 recorded_words(op->kind, fields));
			line_error(line, word, error,
				   "\"%s\" is one argument too many; expected one of %s, or the "
				   "outcome",
				   text, words);
			return -EINVAL;
		}
		if (outcome_parse_set(text, &op->accepts) < 0) {
			line_error(line, word, error,
				   "\"%s\" is not an outcome; expected OK, ERROR, * or names of "
				   "errnos, such as OK|EEXIST",
				   text);
			return -EINVAL;
		}
	}
	return 0;
}

/* Keep the recorded fields of an operation. */
static int keep_request(struct builder *builder, const struct line *line, unsigned first,
			struct op *op, const struct smb_request *request, struct error *error)
{
	struct error reason = {0};

	if (op->kind == OP_OPEN && recorded_check_open(request, op->open_flags, &reason) < 0) {
		line_error(line, first, error, "%s", reason.text);
		return -EINVAL;
	}
	return builder_request(builder, request, &op->request, error);
}

static int compile_op(struct builder *builder, const struct line *line, unsigned first,
		      uint64_t due_ns, struct error *error)
{
	const char *word = line->words[first].text;
	struct arguments arguments = {.native = true};
	struct smb_request request = {0};
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
	rc = arguments_read(builder, line, first + 1, op_shape(kind), &op, &arguments, error);
	if (rc == 0)
		rc = read_flags(line, arguments.end, &op, &request, error);
	if (rc == 0 && request.recorded != 0)
		rc = keep_request(builder, line, first, &op, &request, error);
	if (rc < 0)
		return rc;
	rc = read_label(builder, word, &op, &reason);
	if (rc < 0) {
		line_error(line, first, error, "%s", reason.text);
		return rc;
	}
	return dialect_add(builder, line, first, &op, due_ns, error);
}

/* Open the handle of an open that is refused, if its line has one. Otherwise
 * each use of the handle would be an error. */
static void open_refused(struct builder *builder, const struct line *line, unsigned first)
{
	struct error ignored = {0};
	struct operand operand = {builder, line, first + 1, true, &ignored};
	uint64_t number;

	for (; operand.word < line->word_count; operand.word++) {
		if (number_constant(operand, 0, OP_NONE - 1, &number) < 0)
			continue;
		builder_open_refused(builder, (uint32_t)number);
		return;
	}
}

static int compile(struct builder *builder, const struct line *line, unsigned first,
		   uint64_t due_ns, struct error *error)
{
	int rc = compile_op(builder, line, first, due_ns, error);

	if (rc == -EINVAL && strcmp(verb_of(line->words[first].text), op_verb(OP_OPEN)) == 0)
		open_refused(builder, line, first);
	return rc;
}

const struct dialect dialect_native = {
	.name = "native",
#define X(kind, verb, ...) verb ", "
	.words = OP_FILE_LIST(X) "and the nfs- and nlm- operations of throng-loadfile(5)",
#undef X
	.suggest = suggest,
	.match = match,
	.compile = compile,
};
