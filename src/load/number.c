/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/number.h"

#include "compile/expression.h"
#include "compile/tables.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Max number of terms in an offset of dbench's smb dialect. */
enum { TERMS_MAX = 8 };

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

int number_plain(struct operand operand, uint64_t min, uint64_t max, uint64_t *number)
{
	const char *whole = operand_text(operand), *text = whole;
	int rc = scan_number(&text, number);

	if (rc == 0 && *text == '\0' && *number >= min && *number <= max)
		return 0;
	if (rc == -EINVAL || (rc == 0 && *text != '\0'))
		return operand_error(operand, "\"%s\" is not a number", whole);
	return operand_error(operand, "%s is out of range (%" PRIu64 " to %" PRIu64 ")", whole, min,
			     max);
}

static bool is_decimal(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static int read_formula(struct operand operand, struct formula *formula)
{
	struct error reason = {0};
	int rc = expression_parse(operand.builder, operand_text(operand), formula, &reason);

	return operand_report(operand, rc, &reason);
}

/* Refuse a formula whose values are not all in a range. */
static int check_range(struct operand operand, const struct formula *formula, uint64_t min,
		       uint64_t max)
{
	const struct formula_range *range = &formula->range;
	bool above = range->max > max;
	const char *text = operand_text(operand);
	struct error reason = {0};
	uint64_t number;
	size_t used;

	if (range->min >= min && !above)
		return 0;
	if (expression_constant(formula, &number)) {
		error_set(&reason,
			  "%s is %" PRIu64 ", which is out of range (%" PRIu64 " to %" PRIu64 ")",
			  text, number, min, max);
		return operand_report(operand, -EINVAL, &reason);
	}
	error_set(&reason,
		  "%s may be %" PRIu64 ", which is out of range (%" PRIu64 " to %" PRIu64 ")", text,
		  above ? range->max : range->min, min, max);
	variables_explain(&builder_tables(operand.builder)->variables, formula, &reason);
	used = strlen(reason.text);
	snprintf(reason.text + used, sizeof(reason.text) - used,
		 "; limit the value with %s(%s,%" PRIu64 ")", above ? "min" : "max", text,
		 above ? max : min);
	return operand_report(operand, -EINVAL, &reason);
}

int number_constant(struct operand operand, uint64_t min, uint64_t max, uint64_t *number)
{
	struct formula formula;
	int rc;

	if (!operand.native || is_decimal(operand_text(operand)))
		return number_plain(operand, min, max, number);
	rc = read_formula(operand, &formula);
	if (rc < 0)
		return rc;
	if (!expression_constant(&formula, number))
		return operand_error(operand,
				     "\"%s\" must be a constant here; expected numbers, PARAMs and "
				     "counters of REPEATs",
				     operand_text(operand));
	return check_range(operand, &formula, min, max);
}

int number_varying(struct operand operand, uint64_t min, uint64_t max, enum op_flag flag,
		   struct op *op, uint64_t *value)
{
	struct formula formula;
	uint32_t number = 0;
	int rc;

	if (!operand.native || is_decimal(operand_text(operand)))
		return number_plain(operand, min, max, value);
	rc = read_formula(operand, &formula);
	if (rc == 0)
		rc = check_range(operand, &formula, min, max);
	if (rc < 0 || expression_constant(&formula, value))
		return rc;
	rc = builder_formula(operand.builder, &formula, &number, operand.error);
	*value = number;
	op->flags |= flag;
	return rc;
}

static int read_terms(const char *text, struct formula *formula)
{
	unsigned terms;

	*formula = (struct formula){.range = {0, UINT64_MAX, 0x1p63}};
	formula_append(formula, *text == '*' ? FORMULA_BITS : FORMULA_PREVIOUS, 0);
	text += *text == '*';
	for (terms = 0; *text != '\0'; terms++) {
		char action = *text++;
		uint64_t value;

		if (terms == TERMS_MAX || strchr("%/+", action) == NULL)
			return -EINVAL;
		if (action == '+' && strncmp(text, "child", 5) == 0) {
			formula_append(formula, FORMULA_VARIABLE, VARIABLE_USER);
			text += 5;
		} else if (action == '+' && strncmp(text, "num_children", 12) == 0) {
			formula_append(formula, FORMULA_VARIABLE, VARIABLE_USERS);
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
					       : FORMULA_ADD,
			       0);
	}
	return 0;
}

int number_terms(struct operand operand, struct op *op)
{
	const char *text = operand_text(operand);
	struct formula formula;
	uint32_t number;
	int rc = read_terms(text, &formula);

	if (rc == -EDOM)
		return operand_error(operand, "an offset cannot be divided or aligned by 0");
	if (rc < 0)
		return operand_error(
			operand,
			"\"%s\" is not an offset; expected a number, or a form such as *, "
			"*%%65536, */4096, +4096 or +child (see throng-loadfile(5))",
			text);
	rc = builder_formula(operand.builder, &formula, &number, operand.error);
	op->flags |= OP_COMPUTED;
	op->offset = number;
	return rc;
}
