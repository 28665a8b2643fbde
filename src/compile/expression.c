/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/expression.h"

#include "compile/tables.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Max depth of parentheses, to bound the recursion of the parser. */
enum { NESTING_MAX = 16 };

/* Limits of base/random.h, and the precision in which exponents are printed. */
#define NUMBERS_MAX (UINT64_C(1) << 48)
enum { EXPONENT_MAX = 20, EXPONENT_DECIMALS = 4 };

struct parser {
	struct tables *tables;
	const char *text;
	const char *next; /* the part of `text` that is not parsed yet */
	struct formula *formula;
	unsigned nesting;
	struct error *error;
};

/* clang-format off */
static const struct {
	const char *name;
	uint64_t factor;
} units[] = {
	{"Ki", UINT64_C(1) << 10},
	{"Mi", UINT64_C(1) << 20},
	{"Gi", UINT64_C(1) << 30},
	{"Ti", UINT64_C(1) << 40},
	{"k", UINT64_C(1000)},
	{"M", UINT64_C(1000000)},
	{"G", UINT64_C(1000000000)},
	{"T", UINT64_C(1000000000000)},
	{"us", 1},
	{"ms", UINT64_C(1000)},
	{"s", UINT64_C(1000000)},
};
/* clang-format on */

/*
 * Parse a number with a unit at *text and advance it: decimal with k, M, G, Ki,
 * Mi, Gi (sizes) or us, ms, s (delays, in microseconds), hex with 0x, or octal
 * with 0. Return 0, or -EINVAL if there is no number or an unknown unit, or
 * -ERANGE if it has more than 64 bits.
 */
static int scan_number(const char **text, uint64_t *number)
{
	const char *name;
	size_t length = 0, i;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	*number = strtoumax(*text, &end, 0);
	name = end;
	while (isalnum((unsigned char)name[length]))
		length++;
	*text = name + length;
	if (errno != 0)
		return -ERANGE;
	if (length == 0)
		return 0;
	/* A size may end with a B, as in KiB. */
	if (length > 1 && name[length - 1] == 'B')
		length--;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
			return __builtin_mul_overflow(*number, units[i].factor, number) ? -ERANGE
											: 0;
	return -EINVAL;
}

static int refuse(struct parser *parser, const char *text)
{
	error_set(parser->error, "%s", text);
	return -EINVAL;
}

static int append(struct parser *parser, enum formula_action action, uint64_t value)
{
	if (formula_append(parser->formula, action, value) == 0)
		return 0;
	return refuse(parser,
		      "the expression is too long; expected at most 24 numbers and operators");
}

/* Skip a character if it is next. */
static bool skip(struct parser *parser, char c)
{
	bool found = *parser->next == c;

	parser->next += found;
	return found;
}

/* Refuse the text that is next. */
static int refuse_next(struct parser *parser, const char *expected)
{
	if (*parser->next == '\0')
		error_set(parser->error, "the expression ends too early; expected %s", expected);
	else if (*parser->next == '-' && isdigit((unsigned char)parser->next[1]))
		error_set(parser->error, "a number must be 0 or more");
	else if (parser->next == parser->text)
		error_set(parser->error, "expected %s", expected);
	else
		error_set(parser->error, "expected %s at \"%s\"", expected, parser->next);
	return -EINVAL;
}

static int expect(struct parser *parser, char c)
{
	char expected[] = {'"', c, '"', '\0'};

	return skip(parser, c) ? 0 : refuse_next(parser, expected);
}

static int parse_sum(struct parser *parser);

static int parse_number(struct parser *parser)
{
	const char *start = parser->next;
	uint64_t number;
	int rc = scan_number(&parser->next, &number);

	if (*parser->next == '.' && isdigit((unsigned char)parser->next[1]))
		return refuse(parser, "fractions are not allowed; use a smaller unit, such as "
				      "500us instead of 0.5ms");
	if (rc == 0)
		return append(parser, FORMULA_NUMBER, number);
	error_set(parser->error,
		  rc == -ERANGE ? "\"%.*s\" does not fit in 64 bits"
				: "\"%.*s\" is not a number; expected a unit such as Ki, Mi, Gi, "
				  "k, M, G, us, ms or s",
		  (int)(parser->next - start), start);
	return -EINVAL;
}

static int parse_variable(struct parser *parser)
{
	const char *name = parser->next + 1;
	bool braces = *name == '{';
	size_t length = variables_name_length(name + braces);
	int number;

	name += braces;
	number = variables_find(&parser->tables->variables, name, length);
	if (length == 0 || (braces && name[length] != '}')) {
		error_set(parser->error, "expected a name after \"$\"");
		return -EINVAL;
	}
	if (number < 0) {
		error_set(
			parser->error,
			"\"$%.*s\" is not defined here; expected a PARAM, the counter of a LOOP or "
			"REPEAT around this line, an earlier LET, or $user, $users or $loop",
			(int)length, name);
		return -EINVAL;
	}
	parser->next = name + length + braces;
	return append(parser, FORMULA_VARIABLE, (uint64_t)number);
}

/* Parse an argument that must be a number, as it is needed when the load is
 * compiled, from 1 to NUMBERS_MAX. */
static int parse_count(struct parser *parser, uint64_t *count)
{
	struct formula *outer = parser->formula;
	struct formula inner = {0};
	int rc;

	parser->formula = &inner;
	rc = parse_sum(parser);
	parser->formula = outer;
	if (rc == 0)
		rc = variables_find_range(&parser->tables->variables, &inner, parser->error);
	if (rc < 0)
		return rc;
	*count = inner.range.min;
	if (inner.range.max == *count && *count >= 1 && *count <= NUMBERS_MAX)
		return 0;
	error_set(parser->error,
		  "the first argument of zipf() or shuffle() must be a constant from 1 to %" PRIu64,
		  NUMBERS_MAX);
	return -EINVAL;
}

static int parse_random(struct parser *parser)
{
	int rc = parse_sum(parser);

	if (rc == 0)
		rc = expect(parser, ',');
	if (rc == 0)
		rc = parse_sum(parser);
	if (rc == 0)
		rc = skip(parser, ',') ? parse_sum(parser) : append(parser, FORMULA_NUMBER, 1);
	return rc < 0 ? rc : append(parser, FORMULA_RANDOM, 0);
}

/* Parse the two operands of min() or max(). */
static int parse_pair(struct parser *parser, enum formula_action action)
{
	int rc = parse_sum(parser);

	if (rc == 0)
		rc = expect(parser, ',');
	if (rc == 0)
		rc = parse_sum(parser);
	return rc < 0 ? rc : append(parser, action, 0);
}

static int parse_min(struct parser *parser)
{
	return parse_pair(parser, FORMULA_MIN);
}

static int parse_max(struct parser *parser)
{
	return parse_pair(parser, FORMULA_MAX);
}

static int parse_exponential(struct parser *parser)
{
	int rc = parse_sum(parser);

	return rc < 0 ? rc : append(parser, FORMULA_EXPONENTIAL, 0);
}

/* Append a draw. `number` is what tables_zipf() or tables_shuffle() has
 * returned. */
static int append_draw(struct parser *parser, enum formula_action action, int64_t number)
{
	if (number >= 0)
		return append(parser, action, (uint64_t)number);
	if (number == -ENOMEM)
		return error_no_memory(parser->error);
	error_set(parser->error, "a load may not have more than %d calls of %s()",
		  PROGRAM_DRAWS_MAX, formula_text(action));
	return -EINVAL;
}

static int parse_zipf(struct parser *parser)
{
	uint64_t count;
	size_t whole, decimals = 0;
	double exponent;
	int rc = parse_count(parser, &count);

	if (rc == 0)
		rc = expect(parser, ',');
	if (rc < 0)
		return rc;
	whole = strspn(parser->next, "0123456789");
	if (parser->next[whole] == '.')
		decimals = strspn(parser->next + whole + 1, "0123456789");
	exponent = strtod(parser->next, NULL);
	if (whole == 0 || whole > 2 || decimals > EXPONENT_DECIMALS || exponent > EXPONENT_MAX)
		return refuse(parser, "the exponent of zipf() must be a decimal number from 0 to "
				      "20 with at most 4 decimals");
	parser->next += whole + (parser->next[whole] == '.') + decimals;
	return append_draw(parser, FORMULA_ZIPF, tables_zipf(parser->tables, count, exponent));
}

static int parse_shuffle(struct parser *parser)
{
	uint64_t count;
	int rc = parse_count(parser, &count);

	if (rc < 0)
		return rc;
	return append_draw(parser, FORMULA_SHUFFLE, tables_shuffle(parser->tables, count));
}

static int parse_call(struct parser *parser)
{
	static const struct {
		const char *name;
		int (*parse)(struct parser *parser);
	} calls[] = {
		{"random(", parse_random},   {"min(", parse_min},   {"max(", parse_max},
		{"exp(", parse_exponential}, {"zipf(", parse_zipf}, {"shuffle(", parse_shuffle},
	};
	size_t i;
	int rc;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		size_t length = strlen(calls[i].name);

		if (strncmp(parser->next, calls[i].name, length) != 0)
			continue;
		parser->next += length;
		rc = calls[i].parse(parser);
		return rc < 0 ? rc : expect(parser, ')');
	}
	return refuse_next(parser, "a number, a variable or a function");
}

static int parse_factor(struct parser *parser)
{
	int rc;

	if (isdigit((unsigned char)*parser->next))
		return parse_number(parser);
	if (*parser->next == '$')
		return parse_variable(parser);
	if (parser->nesting == NESTING_MAX)
		return refuse(parser, "parentheses and functions are nested too deep; expected at "
				      "most 16 levels");
	parser->nesting++;
	if (!skip(parser, '(')) {
		rc = parse_call(parser);
	} else {
		rc = parse_sum(parser);
		if (rc == 0)
			rc = expect(parser, ')');
	}
	parser->nesting--;
	return rc;
}

static int parse_product(struct parser *parser)
{
	int rc = parse_factor(parser);

	while (rc == 0) {
		enum formula_action action = *parser->next == '*'   ? FORMULA_MULTIPLY
					     : *parser->next == '/' ? FORMULA_DIVIDE
					     : *parser->next == '%' ? FORMULA_REMAINDER
								    : FORMULA_ACTIONS;

		if (action == FORMULA_ACTIONS)
			return 0;
		parser->next++;
		rc = parse_factor(parser);
		if (rc == 0)
			rc = append(parser, action, 0);
	}
	return rc;
}

static int parse_sum(struct parser *parser)
{
	int rc = parse_product(parser);

	while (rc == 0 && (*parser->next == '+' || *parser->next == '-')) {
		enum formula_action action = *parser->next == '+' ? FORMULA_ADD : FORMULA_SUBTRACT;

		parser->next++;
		rc = parse_product(parser);
		if (rc == 0)
			rc = append(parser, action, 0);
	}
	return rc;
}

/* Does the formula depend on nothing but its numbers? */
static bool is_fixed(const struct formula *formula)
{
	uint64_t i;

	for (i = 0; i < formula->count; i++) {
		uint64_t action = formula->steps[i].action;

		if ((formula_operands((enum formula_action)action) == 0 &&
		     action != FORMULA_NUMBER) ||
		    action == FORMULA_RANDOM || action == FORMULA_EXPONENTIAL)
			return false;
	}
	return true;
}

/* Report the reason for which an expression is refused, after its text unless
 * the reason begins with that. */
static void refuse_text(const char *text, const char *reason, struct error *error)
{
	size_t length = strlen(text);

	if (reason[0] == '"' && strncmp(reason + 1, text, length) == 0 && reason[1 + length] == '"')
		error_set(error, "%s", reason);
	else
		error_set(error, "\"%s\": %s", text, reason);
}

/* Find the range of the whole formula. If it is refused, say why. */
static int find_range(struct parser *parser)
{
	const struct variables *variables = &parser->tables->variables;
	int rc = variables_find_range(variables, parser->formula, parser->error);

	if (rc == -EINVAL)
		variables_explain(variables, parser->formula, parser->error);
	return rc;
}

int expression_parse(struct builder *builder, const char *text, struct formula *formula,
		     struct error *error)
{
	struct error reason = {0};
	struct parser parser = {
		.tables = builder_tables(builder),
		.text = text,
		.next = text,
		.formula = formula,
		.error = &reason,
	};
	int rc;

	*formula = (struct formula){0};
	rc = parse_sum(&parser);
	if (rc == 0 && *parser.next != '\0')
		rc = refuse_next(&parser, "an operator or the end");
	if (rc == 0)
		rc = find_range(&parser);
	if (rc < 0) {
		refuse_text(text, reason.text, error);
		return rc == -ENOMEM ? rc : -EINVAL;
	}
	if (is_fixed(formula)) {
		struct formula_inputs none = {0};
		uint64_t number = formula_compute(formula, &none);

		*formula = (struct formula){.range = formula_fixed(number)};
		formula_append(formula, FORMULA_NUMBER, number);
	}
	return 0;
}

bool expression_constant(const struct formula *formula, uint64_t *number)
{
	*number = formula->steps[0].value;
	return formula->count == 1 && formula->steps[0].action == FORMULA_NUMBER;
}
