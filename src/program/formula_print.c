/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print formulas as expressions of the native dialect.
 */
#include "program/program.h"

#include <inttypes.h>

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
	bool call = action == FORMULA_RANDOM || action == FORMULA_EXPONENTIAL;
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
	if (action == FORMULA_RANDOM && formula->steps[ends[2]].action == FORMULA_NUMBER &&
	    formula->steps[ends[2]].value == 1)
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

void formula_print(const struct program *program, const struct formula *formula, FILE *stream)
{
	uint64_t first = formula->steps[0].action;

	if (first == FORMULA_BITS || first == FORMULA_PREVIOUS)
		print_terms(formula, stream);
	else
		print_value(program, formula, formula->count - 1, true, stream);
}
