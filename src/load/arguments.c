/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/arguments.h"

#include "program/modes.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return the name of an argument, for messages. */
static const char *argument_name(char letter)
{
	switch (letter) {
	case 'p':
	case 'q':
		return "a path";
	case 'w':
		return "a path or pattern";
	case 'F':
		return "open flags";
	case 'H':
	case 'h':
	case 'k':
		return "a handle";
	case 'o':
	case 'O':
	case 'P':
		return "an offset";
	case 's':
	case 'z':
		return "a size";
	case 'e':
		return "the recorded size or -";
	case 'l':
		return "a length";
	case 'm':
		return "the max number of entries";
	case 'n':
		return "the recorded number of entries or -";
	case 'N':
		return "the name of an attribute";
	case 'y':
		return "a stable_how (0, 1 or 2)";
	case 'R':
		return "the size of the reply";
	case 'c':
		return "keep, close or reset";
	default:
		return strchr(MODES_LETTERS, letter) != NULL
			       ? modes_expected(letter) : "a number";
	}
}

/*
 * Parse the digits at *text and advance it. Return 0, -EINVAL if there are
 * none, -ERANGE if the number has more than 64 bits.
 */
static int scan_number(const char **text, uint64_t *number)
{
	const char *start = *text, *next = start;
	bool prefixed = start[0] == '0' && isalnum((unsigned char)start[1]);
	char *end;

	for (*number = 0; isdigit((unsigned char)*next); next++)
		*number = *number * 10 + (uint64_t)(*next - '0');
	if (next == start)
		return -EINVAL;
	/* Use strtoumax() for hex, octal, and decimals that might overflow. */
	if (prefixed || next - start > 18) {
		errno = 0;
		*number = strtoumax(start, &end, 0);
		if (errno != 0)
			return -ERANGE;
		next = end;
	}
	*text = next;
	return 0;
}

int arguments_number(const struct line *line, unsigned word, uint64_t min,
		     uint64_t max, uint64_t *number, struct error *error)
{
	const char *text = line->words[word].text;
	int rc = scan_number(&text, number);

	if (rc == -EINVAL || (rc == 0 && *text != '\0')) {
		line_error(line, word, error, "\"%s\" is not a number",
			   line->words[word].text);
		return -EINVAL;
	}
	if (rc == 0 && *number >= min && *number <= max)
		return 0;
	line_error(line, word, error,
		   "%s is out of range (%" PRIu64 " to %" PRIu64 ")",
		   line->words[word].text, min, max);
	return -EINVAL;
}

/* Parse "*%m/a+b", "+n", "+child" or "+num_children". */
static int read_expression(const char *text, struct expression *expression)
{
	expression->from_previous = *text != '*';
	expression->terms = 0;
	if (*text == '*')
		text++;
	else if (*text != '+')
		return -EINVAL;
	while (*text != '\0') {
		struct term *term = &expression->term[expression->terms];

		if (expression->terms == PROGRAM_TERMS_MAX ||
		    strchr("%/+", *text) == NULL)
			return -EINVAL;
		term->action = *text++;
		term->value = 0;
		if (term->action == '+' && strncmp(text, "child", 5) == 0) {
			term->action = 'u';
			text += 5;
		} else if (term->action == '+' &&
			   strncmp(text, "num_children", 12) == 0) {
			term->action = 'n';
			text += 12;
		} else if (scan_number(&text, &term->value) < 0) {
			return -EINVAL;
		}
		expression->terms++;
	}
	return 0;
}

static int read_offset(struct builder *builder, const struct line *line,
		       unsigned word, struct op *op, struct error *error)
{
	const char *text = line->words[word].text;
	struct expression expression;
	struct error reason = {0};
	uint32_t number;
	int rc;

	if (*text != '*' && *text != '+')
		return arguments_number(line, word, 0, UINT64_MAX,
					&op->offset, error);
	if (read_expression(text, &expression) < 0) {
		line_error(line, word, error, "\"%s\" is not an offset; "
			   "expected a number, *[%%m][/a][+b], +n, +child or "
			   "+num_children", text);
		return -EINVAL;
	}
	rc = builder_expression(builder, &expression, &number, &reason);
	if (rc < 0) {
		line_error(line, word, error, "%s", reason.text);
		return rc;
	}
	op->flags |= OP_COMPUTED;
	op->offset = number;
	return 0;
}

static int read_path(struct builder *builder, const struct line *line,
		     unsigned word, bool pattern, uint32_t *path,
		     struct error *error)
{
	const char *text = line->words[word].text;
	struct error reason = {0};
	int rc;

	if (!line->words[word].quoted && *text != '\\' && *text != '/' &&
	    *text != '$') {
		line_error(line, word, error, "\"%s\" is not a path; expected "
			   "quotes or a leading slash", text);
		return -EINVAL;
	}
	rc = builder_path(builder, text, pattern, line->number, path,
			  &reason);
	if (rc < 0)
		line_error(line, word, error, "%s", reason.text);
	return rc;
}

/* Read a recorded number of bytes or entries; "-" means none. */
static int read_expected(const struct line *line, unsigned word,
			 struct op *op, struct error *error)
{
	uint64_t number;
	int rc;

	if (strcmp(line->words[word].text, "-") == 0)
		return 0;
	rc = arguments_number(line, word, 0, UINT32_MAX, &number, error);
	op->expect = (uint32_t)number;
	op->flags |= OP_COUNTED;
	return rc;
}

static int read_handle(const struct line *line, unsigned word, bool opening,
		       struct op *op, struct error *error)
{
	uint64_t number;
	int rc;

	if (opening && strcmp(line->words[word].text, "-") == 0)
		return 0;
	rc = arguments_number(line, word, 0, OP_NONE - 1, &number, error);
	op->handle = (uint32_t)number;
	return rc;
}

static int read_open_flags(const struct line *line, unsigned word,
			   struct op *op, struct error *error)
{
	const char *text = line->words[word].text;

	if (program_parse_open_flags(text, &op->open_flags) == 0)
		return 0;
	line_error(line, word, error, "\"%s\" is not a list of open flags; "
		   "expected words such as read,write,create", text);
	return -EINVAL;
}

static int read_mode(const struct line *line, unsigned word, char letter,
		     struct op *op, struct error *error)
{
	const char *text = line->words[word].text;

	if (modes_parse(letter, text, op) == 0)
		return 0;
	line_error(line, word, error, "\"%s\" is unknown here; expected %s",
		   text, modes_expected(letter));
	return -EINVAL;
}

/* Read the number of an open handle, or a size, of 32 bits. */
static int read_short(const struct line *line, unsigned word, uint64_t max,
		      uint32_t *to, struct error *error)
{
	uint64_t number;
	int rc = arguments_number(line, word, 0, max, &number, error);

	*to = (uint32_t)number;
	return rc;
}

/* Read the name of an extended attribute. */
static int read_attribute(struct builder *builder, const struct line *line,
			  unsigned word, struct op *op, struct error *error)
{
	const char *text = line->words[word].text;
	struct error reason = {0};
	int rc;

	if (*text == '\0' || strlen(text) > PROGRAM_ATTRIBUTE_NAME_MAX) {
		line_error(line, word, error, "\"%.40s\" is not the name of an "
			   "attribute; expected 1 to %d bytes such as "
			   "user.name", text, PROGRAM_ATTRIBUTE_NAME_MAX);
		return -EINVAL;
	}
	rc = builder_text(builder, text, &op->text, &reason);
	if (rc < 0)
		line_error(line, word, error, "%s", reason.text);
	return rc;
}

/* Read a stable_how (RFC 1813). */
static int read_stable(const struct line *line, unsigned word, struct op *op,
		       struct error *error)
{
	uint64_t number;
	int rc = arguments_number(line, word, 0, 2, &number, error);

	op->stable = (uint32_t)number;
	return rc;
}

static int read_reply(const struct line *line, unsigned word, struct op *op,
		      struct error *error)
{
	uint64_t number;
	int rc = arguments_number(line, word, 0, PROGRAM_IO_BYTES_MAX,
				  &number, error);

	op->expect = (uint32_t)number;
	return rc;
}

/* Read the connection of a transaction. */
static int read_connection(const struct line *line, unsigned word,
			   struct op *op, struct error *error)
{
	for (op->connection = 0; op->connection < OP_CONNECTIONS;
	     op->connection++)
		if (strcmp(program_connections[op->connection],
			   line->words[word].text) == 0)
			return 0;
	line_error(line, word, error, "\"%s\" is unknown here; expected keep, "
		   "close or reset", line->words[word].text);
	return -EINVAL;
}

static int read_argument(struct builder *builder, const struct line *line,
			 unsigned word, char letter, struct op *op,
			 struct arguments *arguments, struct error *error)
{
	uint64_t unused;

	switch (letter) {
	case 'p':
		return read_path(builder, line, word, false, &op->path, error);
	case 'q':
		return read_path(builder, line, word, false, &op->path2,
				 error);
	case 'w':
		return read_path(builder, line, word, true, &op->path, error);
	case 'H':
	case 'h':
		return read_handle(line, word, letter == 'H', op, error);
	case 'o':
		return read_offset(builder, line, word, op, error);
	case 's':
	case 'l':
	case 'm':
		return arguments_number(line, word, 0, UINT64_MAX, &op->size,
					error);
	case 'e':
	case 'n':
		return read_expected(line, word, op, error);
	case 'F':
		return read_open_flags(line, word, op, error);
	case 'O':
		return arguments_number(line, word, 0, UINT64_MAX, &op->offset,
					error);
	case 'P':
		return arguments_number(line, word, 0, UINT64_MAX,
					&op->offset2, error);
	case 'k':
		return read_short(line, word, OP_NONE - 1, &op->handle2,
				  error);
	case 'z':
		return read_short(line, word, UINT32_MAX, &op->bytes, error);
	case 'N':
		return read_attribute(builder, line, word, op, error);
	case 'y':
		return read_stable(line, word, op, error);
	case 'R':
		return read_reply(line, word, op, error);
	case 'c':
		return read_connection(line, word, op, error);
	case 'a':
		return arguments_number(line, word, 0, UINT64_MAX,
					&arguments->a, error);
	case 'b':
		return arguments_number(line, word, 0, UINT64_MAX,
					&arguments->b, error);
	default:
		if (strchr(MODES_LETTERS, letter) != NULL)
			return read_mode(line, word, letter, op, error);
		return arguments_number(line, word, 0, UINT64_MAX, &unused,
					error);
	}
}

int arguments_read(struct builder *builder, const struct line *line,
		   unsigned first, const char *shape, struct op *op,
		   struct arguments *arguments, struct error *error)
{
	unsigned word = first;
	int rc;

	for (; *shape != '\0'; shape++, word++) {
		/* The last word is the outcome. */
		if (word + 1 >= line->word_count) {
			line_error(line, word, error, "expected %s before the "
				   "outcome", argument_name(*shape));
			return -EINVAL;
		}
		rc = read_argument(builder, line, word, *shape, op, arguments,
				   error);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int arguments_end(const struct line *line, unsigned first, size_t count,
		  const char *name, struct error *error)
{
	unsigned word;

	/* The line ends with the operation, its arguments and the outcome. */
	if (first + count + 2 >= line->word_count)
		return 0;
	word = first + (unsigned)count + 1;
	line_error(line, word, error, "\"%s\" is one argument too many; %s "
		   "takes %zu argument%s and an outcome",
		   line->words[word].text, name, count, count == 1 ? "" : "s");
	return -EINVAL;
}
