/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/arguments.h"

#include "load/dollars.h"
#include "load/expression.h"
#include "program/modes.h"
#include "program/tables.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Max number of terms in an offset of dbench's smb dialect. */
enum { TERMS_MAX = 8 };

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

/* Refuse a number or formula that is not in a range. */
static int check_range(const struct line *line, unsigned word,
		       struct formula_range range, uint64_t min, uint64_t max,
		       struct error *error)
{
	if (range.min >= min && range.max <= max)
		return 0;
	line_error(line, word, error, "%s is out of range (%" PRIu64 " to %"
		   PRIu64 "), as it may be %" PRIu64, line->words[word].text,
		   min, max, range.max > max ? range.max : range.min);
	return -EINVAL;
}

static bool is_decimal(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Parse an expression into a formula, and report an error in it. */
static int read_formula(struct builder *builder, const struct line *line,
			unsigned word, struct formula *formula,
			struct error *error)
{
	struct error reason = {0};
	int rc = expression_parse(builder, line->words[word].text, formula,
				  &reason);

	if (rc < 0)
		line_error(line, word, error, "%s", reason.text);
	return rc;
}

int arguments_constant(struct builder *builder, const struct line *line,
		       unsigned word, uint64_t min, uint64_t max,
		       uint64_t *number, struct error *error)
{
	struct formula formula;
	int rc;

	if (is_decimal(line->words[word].text))
		return arguments_number(line, word, min, max, number, error);
	rc = read_formula(builder, line, word, &formula, error);
	if (rc < 0)
		return rc;
	if (!expression_constant(&formula, number)) {
		line_error(line, word, error, "\"%s\" must be a constant here",
			   line->words[word].text);
		return -EINVAL;
	}
	return check_range(line, word, formula.range, min, max, error);
}

int arguments_expression(struct builder *builder, const struct line *line,
			 unsigned word, uint64_t max, uint64_t *value,
			 bool *varies, struct error *error)
{
	struct formula formula;
	uint32_t number = 0;
	int rc;

	*varies = false;
	if (is_decimal(line->words[word].text))
		return arguments_number(line, word, 0, max, value, error);
	rc = read_formula(builder, line, word, &formula, error);
	if (rc == 0)
		rc = check_range(line, word, formula.range, 0, max, error);
	if (rc < 0 || expression_constant(&formula, value))
		return rc;
	*varies = true;
	rc = builder_formula(builder, &formula, &number, error);
	*value = number;
	return rc;
}

/*
 * Parse an offset such as "*%m/a+b", "+n", "+child" or "+num_children", which
 * dbench's smb dialect has: a random number or the offset of the operation
 * before, and terms that are applied from left to right.
 */
static int read_terms(const char *text, struct formula *formula)
{
	unsigned terms;

	*formula = (struct formula){.range = {0, UINT64_MAX, 0x1p63}};
	formula_append(formula,
		       *text == '*' ? FORMULA_BITS : FORMULA_PREVIOUS, 0);
	text += *text == '*';
	for (terms = 0; *text != '\0'; terms++) {
		char action = *text++;
		uint64_t value;

		if (terms == TERMS_MAX || strchr("%/+", action) == NULL)
			return -EINVAL;
		if (action == '+' && strncmp(text, "child", 5) == 0) {
			formula_append(formula, FORMULA_VARIABLE,
				       VARIABLE_USER);
			text += 5;
		} else if (action == '+' &&
			   strncmp(text, "num_children", 12) == 0) {
			formula_append(formula, FORMULA_VARIABLE,
				       VARIABLE_USERS);
			text += 12;
		} else if (scan_number(&text, &value) < 0) {
			return -EINVAL;
		} else if (action != '+' && value == 0) {
			return -EDOM;
		} else {
			formula_append(formula, FORMULA_NUMBER, value);
		}
		formula_append(formula,
			       action == '%'   ? FORMULA_REMAINDER
			       : action == '/' ? FORMULA_ALIGN
					       : FORMULA_ADD, 0);
	}
	return 0;
}

static int read_terms_offset(struct builder *builder, const struct line *line,
			     unsigned word, struct op *op, struct error *error)
{
	const char *text = line->words[word].text;
	struct formula formula;
	uint32_t number;
	int rc = read_terms(text, &formula);

	if (rc == -EDOM)
		line_error(line, word, error, "an offset cannot be divided or "
			   "aligned by 0");
	else if (rc < 0)
		line_error(line, word, error, "\"%s\" is not an offset; "
			   "expected a number, *[%%m][/a][+b], +n, +child or "
			   "+num_children", text);
	if (rc < 0)
		return -EINVAL;
	rc = builder_formula(builder, &formula, &number, error);
	op->flags |= OP_COMPUTED;
	op->offset = number;
	return rc;
}

/* Can the operation move data at the position of its handle, and data of a size
 * that varies? */
static bool is_flexible(const struct op *op)
{
	return op->kind == OP_READ || op->kind == OP_WRITE;
}

static int read_offset(struct builder *builder, const struct line *line,
		       unsigned word, bool native, struct op *op,
		       struct error *error)
{
	const char *text = line->words[word].text;
	bool varies;
	int rc;

	if (*text == '*' || *text == '+')
		return read_terms_offset(builder, line, word, op, error);
	if (!native)
		return arguments_number(line, word, 0, UINT64_MAX,
					&op->offset, error);
	if (strcmp(text, "next") == 0) {
		if (is_flexible(op)) {
			op->flags |= OP_NEXT;
			return 0;
		}
		line_error(line, word, error, "%s has no next offset; only "
			   "read and write do", op_verb(op->kind));
		return -EINVAL;
	}
	rc = arguments_expression(builder, line, word, UINT64_MAX,
				  &op->offset, &varies, error);
	op->flags |= varies ? OP_COMPUTED : 0;
	return rc;
}

/* Read a size, a length or a max number. */
static int read_size(struct builder *builder, const struct line *line,
		     unsigned word, bool native, struct op *op,
		     struct error *error)
{
	bool varies;
	int rc;

	if (!native)
		return arguments_number(line, word, 0, UINT64_MAX, &op->size,
					error);
	if (!is_flexible(op))
		return arguments_constant(builder, line, word, 0, UINT64_MAX,
					  &op->size, error);
	rc = arguments_expression(builder, line, word, UINT64_MAX, &op->size,
				  &varies, error);
	op->flags |= varies ? OP_SIZED : 0;
	return rc;
}

static int read_path(struct builder *builder, const struct line *line,
		     unsigned word, bool pattern, bool native, uint32_t *path,
		     struct error *error)
{
	const char *text = line->words[word].text;
	char expanded[DOLLARS_PATH_MAX];
	unsigned kind = pattern ? TABLES_PATTERN : 0;
	struct error reason = {0};
	bool references = false;
	int rc;

	if (!line->words[word].quoted && *text != '\\' && *text != '/' &&
	    *text != '$') {
		line_error(line, word, error, "\"%s\" is not a path; expected "
			   "quotes or a leading slash", text);
		return -EINVAL;
	}
	if (native) {
		rc = dollars_read(builder, line, word, expanded, &references,
				  error);
		if (rc < 0)
			return rc;
		text = expanded;
		kind |= references ? TABLES_REFERENCES : 0;
	}
	rc = builder_path(builder, text, kind, line->number, path, &reason);
	if (rc < 0)
		line_error(line, word, error, "%s", reason.text);
	return rc;
}

/* Read a number, which in the native dialect may be an expression. */
static int read_number(struct builder *builder, const struct line *line,
		       unsigned word, bool native, uint64_t max,
		       uint64_t *number, struct error *error)
{
	return native ? arguments_constant(builder, line, word, 0, max, number,
					   error)
		      : arguments_number(line, word, 0, max, number, error);
}

/* Read a recorded number of bytes or entries; "-" means none. */
static int read_expected(struct builder *builder, const struct line *line,
			 unsigned word, bool native, struct op *op,
			 struct error *error)
{
	uint64_t number;
	int rc;

	if (strcmp(line->words[word].text, "-") == 0)
		return 0;
	if ((op->flags & OP_SIZED) != 0) {
		line_error(line, word, error, "the count must be - or be left "
			   "out, as the size varies");
		return -EINVAL;
	}
	rc = read_number(builder, line, word, native, UINT32_MAX, &number,
			 error);
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

static int read_second_handle(const struct line *line, unsigned word,
			      struct op *op, struct error *error)
{
	uint64_t number;
	int rc = arguments_number(line, word, 0, OP_NONE - 1, &number, error);

	op->handle2 = (uint32_t)number;
	return rc;
}

/* Read the size of a copy or clone. */
static int read_bytes(struct builder *builder, const struct line *line,
		      unsigned word, struct op *op, struct error *error)
{
	uint64_t number;
	int rc = arguments_constant(builder, line, word, 0, UINT32_MAX,
				    &number, error);

	op->bytes = (uint32_t)number;
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

static int read_reply(struct builder *builder, const struct line *line,
		      unsigned word, bool native, struct op *op,
		      struct error *error)
{
	uint64_t number;
	int rc = read_number(builder, line, word, native, PROGRAM_IO_BYTES_MAX,
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
	bool native = arguments->native;
	uint64_t unused;

	switch (letter) {
	case 'p':
	case 'w':
		return read_path(builder, line, word, letter == 'w', native,
				 &op->path, error);
	case 'q':
		return read_path(builder, line, word, false, native,
				 &op->path2, error);
	case 'H':
	case 'h':
		return read_handle(line, word, letter == 'H', op, error);
	case 'o':
		return read_offset(builder, line, word, native, op, error);
	case 's':
	case 'l':
	case 'm':
		return read_size(builder, line, word, native, op, error);
	case 'e':
	case 'n':
		return read_expected(builder, line, word, native, op, error);
	case 'F':
		return read_open_flags(line, word, op, error);
	case 'O':
		return arguments_constant(builder, line, word, 0, UINT64_MAX,
					  &op->offset, error);
	case 'P':
		return arguments_constant(builder, line, word, 0, UINT64_MAX,
					  &op->offset2, error);
	case 'k':
		return read_second_handle(line, word, op, error);
	case 'z':
		return read_bytes(builder, line, word, op, error);
	case 'N':
		return read_attribute(builder, line, word, op, error);
	case 'y':
		return read_stable(line, word, op, error);
	case 'R':
		return read_reply(builder, line, word, native, op, error);
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

/* Has a native line left out the recorded count that would be this word? */
static bool is_left_out(const struct line *line, unsigned word, char letter)
{
	const char *text;

	if (letter != 'e' && letter != 'n')
		return false;
	if (word >= line->word_count)
		return true;
	text = line->words[word].text;
	return strcmp(text, "-") != 0 && !isdigit((unsigned char)text[0]) &&
	       text[0] != '(';
}

/* Without a recorded count, a read or write must move all its data. If the size
 * varies, `expect` is the mean, which a target without files assumes. */
static void leave_out(struct builder *builder, struct op *op, char letter)
{
	const struct program *program = builder_tables(builder)->program;

	if (letter != 'e')
		return;
	op->flags |= OP_COUNTED;
	op->expect = (uint32_t)op->size;
	if (op->kind == OP_COPY)
		op->expect = op->bytes;
	/* The builder refuses a size that does not fit. */
	if ((op->flags & OP_SIZED) != 0)
		op->expect = (uint32_t)(uint64_t)
			program->formulas[op->size].range.mean;
}

int arguments_read(struct builder *builder, const struct line *line,
		   unsigned first, const char *shape, struct op *op,
		   struct arguments *arguments, struct error *error)
{
	/* In other dialects, the last word is the outcome. */
	unsigned end = line->word_count - !arguments->native;
	unsigned word = first;
	int rc;

	for (; *shape != '\0'; shape++) {
		if (arguments->native && is_left_out(line, word, *shape)) {
			leave_out(builder, op, *shape);
			continue;
		}
		if (word >= end) {
			line_error(line, word, error, "expected %s%s",
				   argument_name(*shape),
				   arguments->native ? ""
						     : " before the outcome");
			return -EINVAL;
		}
		rc = read_argument(builder, line, word, *shape, op, arguments,
				   error);
		if (rc < 0)
			return rc;
		word++;
	}
	arguments->end = word;
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
