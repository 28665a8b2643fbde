/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/arguments.h"

#include "compile/tables.h"
#include "load/dollars.h"
#include "load/number.h"
#include "program/modes.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* An argument that is being read. */
struct argument {
	struct operand operand;
	char letter;
	struct op *op;
	struct arguments *arguments;
};

/* Can the operation move data at the position of its handle, and data of a size
 * that varies? */
static bool is_flexible(const struct op *op)
{
	return op->kind == OP_READ || op->kind == OP_WRITE;
}

static int read_offset(const struct argument *argument)
{
	struct operand operand = argument->operand;
	const char *text = operand_text(operand);
	struct op *op = argument->op;

	if (*text == '*' || *text == '+')
		return number_terms(operand, op);
	if (!operand.native || strcmp(text, "next") != 0)
		return number_varying(operand, 0, UINT64_MAX, OP_COMPUTED, op, &op->offset);
	if (!is_flexible(op))
		return operand_error(
			operand,
			"the offset of %s cannot be \"next\"; only read and write can have this "
			"offset",
			op_verb(op->kind));
	op->flags |= OP_NEXT;
	return 0;
}

/* Read a size, a length or a max number. */
static int read_size(const struct argument *argument)
{
	struct op *op = argument->op;

	return is_flexible(op)
		       ? number_varying(argument->operand, 0, UINT64_MAX, OP_SIZED, op, &op->size)
		       : number_constant(argument->operand, 0, UINT64_MAX, &op->size);
}

static int read_path(const struct argument *argument)
{
	struct operand operand = argument->operand;
	const struct line *line = operand.line;
	const char *text = operand_text(operand);
	char expanded[DOLLARS_PATH_MAX];
	struct error reason = {0};
	bool references = false;
	int rc;

	if (!line->words[operand.word].quoted && *text != '\\' && *text != '/' && *text != '$')
		return operand_error(
			operand,
			"\"%s\" is not a path; expected a path in quotes, or with a leading slash",
			text);
	if (operand.native) {
		rc = dollars_read(operand.builder, line, operand.word, expanded, &references,
				  operand.error);
		if (rc < 0)
			return rc;
		text = expanded;
	}
	rc = builder_path(operand.builder, text, references, line->number,
			  argument->letter == 'q' ? &argument->op->path2 : &argument->op->path,
			  &reason);
	return operand_report(operand, rc, &reason);
}

/* Read a recorded number of bytes or entries; "-" means none. */
static int read_expected(const struct argument *argument)
{
	struct operand operand = argument->operand;
	struct op *op = argument->op;
	uint64_t number;
	int rc;

	if (strcmp(operand_text(operand), "-") == 0)
		return 0;
	if ((op->flags & OP_SIZED) != 0)
		return operand_error(operand,
				     "expected \"-\" or nothing for the recorded number of bytes, "
				     "because the size of this operation varies");
	rc = number_constant(operand, 0, UINT32_MAX, &number);
	op->expect = (uint32_t)number;
	op->flags |= OP_COUNTED;
	return rc;
}

static int read_open_flags(const struct argument *argument)
{
	const char *text = operand_text(argument->operand);
	char word[OPEN_FLAGS_TEXT];
	uint64_t ignored;

	if (program_parse_open_flags(text, &argument->op->open_flags) == 0)
		return 0;
	/* Find the word that is wrong. */
	for (;;) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, ","), text);
		if (program_parse_open_flags(word, &ignored) < 0)
			break;
		text += strlen(word) + 1;
	}
	return operand_error(argument->operand,
			     "\"%s\" is not an open flag; expected words such as read,write,create",
			     word);
}

static int read_mode(const struct argument *argument)
{
	const char *text = operand_text(argument->operand);

	if (modes_parse(argument->letter, text, argument->op) == 0)
		return 0;
	return operand_error(argument->operand, "\"%s\" is not a valid argument of %s; expected %s",
			     text, op_verb(argument->op->kind), modes_expected(argument->letter));
}

/* Read the name of an extended attribute. */
static int read_attribute(const struct argument *argument)
{
	struct operand operand = argument->operand;
	const char *text = operand_text(operand);
	struct error reason = {0};

	if (*text == '\0' || strlen(text) > PROGRAM_ATTRIBUTE_NAME_MAX)
		return operand_error(operand,
				     "\"%.40s\" is not the name of an attribute; expected 1 to %d "
				     "bytes such as user.name",
				     text, PROGRAM_ATTRIBUTE_NAME_MAX);
	return operand_report(operand,
			      builder_text(operand.builder, text, &argument->op->text, &reason),
			      &reason);
}

/* Read the connection of a transaction. */
static int read_connection(const struct argument *argument)
{
	const char *text = operand_text(argument->operand);
	uint32_t *connection = &argument->op->connection;

	for (*connection = 0; *connection < OP_CONNECTIONS; (*connection)++)
		if (strcmp(program_connections[*connection], text) == 0)
			return 0;
	return operand_error(
		argument->operand,
		"\"%s\" is not a mode of the connection; expected keep, close or reset", text);
}

/* Read a number that the dialect interprets. */
static int read_uninterpreted(const struct argument *argument)
{
	struct arguments *arguments = argument->arguments;

	return number_plain(argument->operand, 0, UINT64_MAX,
			    argument->letter == 'a'   ? &arguments->a
			    : argument->letter == 'b' ? &arguments->b
						      : &arguments->x);
}

#define FIELD(member) \
	.at = offsetof(struct op, member), .bytes = sizeof(((struct op *)NULL)->member)

/* The arguments, by letter. */
static const struct row {
	const char *expected; /* for messages; NULL: modes_expected() */
	int (*read)(const struct argument *argument);
	/* If `read` is NULL: a number from 0 to `max`, and its field of struct
	 * op, which has this size. */
	uint64_t max;
	size_t at, bytes;
	bool optional; /* "-" means none */
} rows[UCHAR_MAX + 1] = {
	['p'] = {"a path", .read = read_path},
	['q'] = {"a path", .read = read_path},
	['w'] = {"a path or pattern", .read = read_path},
	['F'] = {"open flags", .read = read_open_flags},
	['H'] = {"a handle", .max = OP_NONE - 1, FIELD(handle), .optional = true},
	['h'] = {"a handle", .max = OP_NONE - 1, FIELD(handle)},
	['k'] = {"a handle", .max = OP_NONE - 1, FIELD(handle2)},
	['o'] = {"an offset", .read = read_offset},
	['O'] = {"an offset", .max = UINT64_MAX, FIELD(offset)},
	['P'] = {"an offset", .max = UINT64_MAX, FIELD(offset2)},
	['s'] = {"a size", .read = read_size},
	['z'] = {"a size", .max = UINT32_MAX, FIELD(bytes)},
	['e'] = {"the recorded size or -", .read = read_expected},
	['l'] = {"a length", .read = read_size},
	['m'] = {"the max number of entries", .read = read_size},
	['n'] = {"the recorded number of entries or -", .read = read_expected},
	['N'] = {"the name of an attribute", .read = read_attribute},
	['y'] = {"a stable_how (0, 1 or 2)", .max = 2, FIELD(stable)},
	['R'] = {"the size of the reply", .max = PROGRAM_IO_BYTES_MAX, FIELD(expect)},
	['c'] = {"keep, close or reset", .read = read_connection},
	['a'] = {"a number", .read = read_uninterpreted},
	['b'] = {"a number", .read = read_uninterpreted},
	['x'] = {"a number", .read = read_uninterpreted},
	['r'] = {.read = read_mode},
	['A'] = {.read = read_mode},
	['M'] = {.read = read_mode},
	['u'] = {.read = read_mode},
	['g'] = {.read = read_mode},
};

static int read_argument(const struct row *row, const struct argument *argument)
{
	struct operand operand = argument->operand;
	char *field = (char *)argument->op + row->at;
	uint64_t number;
	int rc;

	if (row->read != NULL)
		return row->read(argument);
	if (row->optional && strcmp(operand_text(operand), "-") == 0)
		return 0;
	rc = number_constant(operand, 0, row->max, &number);
	if (rc < 0)
		return rc;
	if (row->bytes == sizeof(uint32_t))
		*(uint32_t *)field = (uint32_t)number;
	else
		*(uint64_t *)field = number;
	return 0;
}

/* Has a native line left out the recorded count that would be this word? */
static bool is_left_out(const struct line *line, unsigned word, char letter)
{
	const char *text;

	if (letter != 'e' && letter != 'n')
		return false;
	if (word >= line->word_count)
		return true;
	text = line->words[word].text;
	return strcmp(text, "-") != 0 && !isdigit((unsigned char)text[0]) && text[0] != '(';
}

/* Without a recorded count, a read or write must move all its data. */
static void leave_out(struct op *op, char letter)
{
	if (letter != 'e')
		return;
	op->flags |= OP_COUNTED;
	/* The builder refuses a size that does not fit. */
	if ((op->flags & OP_SIZED) == 0)
		op->expect = op->kind == OP_COPY ? op->bytes : (uint32_t)op->size;
}

int arguments_read(struct builder *builder, const struct line *line, unsigned first,
		   const char *shape, struct op *op, struct arguments *arguments,
		   struct error *error)
{
	struct argument argument = {
		.operand = {builder, line, first, arguments->native, error},
		.op = op,
		.arguments = arguments,
	};
	/* In other dialects, the last word is the outcome. */
	unsigned end = line->word_count - !arguments->native;
	unsigned *word = &argument.operand.word;
	int rc;

	for (; *shape != '\0'; shape++) {
		const struct row *row = &rows[(unsigned char)*shape];

		argument.letter = *shape;
		if (arguments->native && is_left_out(line, *word, *shape)) {
			leave_out(op, *shape);
			continue;
		}
		if (*word >= end)
			return operand_error(argument.operand, "expected %s%s",
					     row->expected != NULL ? row->expected
								   : modes_expected(*shape),
					     arguments->native ? "" : " before the outcome");
		rc = read_argument(row, &argument);
		if (rc < 0)
			return rc;
		(*word)++;
	}
	arguments->end = *word;
	return 0;
}

int arguments_end(const struct line *line, unsigned first, size_t count, const char *name,
		  struct error *error)
{
	unsigned word;

	/* The line ends with the operation, its arguments and the outcome. */
	if (first + count + 2 >= line->word_count)
		return 0;
	word = first + (unsigned)count + 1;
	return line_error(line, word, error,
			  "\"%s\" is one argument too many; %s takes %zu argument%s and an outcome",
			  line->words[word].text, name, count, count == 1 ? "" : "s");
}
