/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/formula.h"

#include <errno.h>
#include <inttypes.h>

/* Return the number of values that an action takes from the stack. */
static unsigned operands(enum formula_action action)
{
	static const unsigned char counts[] = {
#define X(name, count, text) count,
		FORMULA_LIST(X)
#undef X
	};

	return counts[action];
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Return the number of values of random(low, high, step). */
static uint64_t choices(uint64_t low, uint64_t high, uint64_t step)
{
	return subtract(high, low) / step;
}

uint64_t formula_compute(const struct formula *formula,
			 struct formula_inputs *inputs)
{
	uint64_t stack[FORMULA_DEPTH_MAX], *top = stack;
	uint32_t i;

	for (i = 0; i < formula->count; i++) {
		const struct formula_step *step = &formula->steps[i];

		/* top[0] and the values after it are the operands. */
		top -= operands((enum formula_action)step->action);
		switch ((enum formula_action)step->action) {
		case FORMULA_NUMBER:
			top[0] = step->value;
			break;
		case FORMULA_VARIABLE:
			top[0] = inputs->variables[step->value];
			break;
		case FORMULA_BITS:
			top[0] = random_next(&inputs->random);
			break;
		case FORMULA_PREVIOUS:
			top[0] = inputs->previous;
			break;
		case FORMULA_ADD:
			top[0] += top[1];
			break;
		case FORMULA_SUBTRACT:
			top[0] = subtract(top[0], top[1]);
			break;
		case FORMULA_MULTIPLY:
			top[0] *= top[1];
			break;
		case FORMULA_DIVIDE:
			top[0] /= top[1];
			break;
		case FORMULA_REMAINDER:
			top[0] %= top[1];
			break;
		case FORMULA_ALIGN:
			top[0] -= top[0] % top[1];
			break;
		case FORMULA_RANDOM:
			top[0] += top[2] *
				  draw_below(&inputs->random,
					     choices(top[0], top[1], top[2]));
			break;
		case FORMULA_ZIPF:
			top[0] = zipf_draw(&inputs->zipfs[step->value],
					   &inputs->random);
			break;
		case FORMULA_SHUFFLE:
			top[0] = shuffle_draw(&inputs->shuffles[step->value],
					      &inputs->random);
			break;
		case FORMULA_ACTIONS:
			break;
		}
		top++;
	}
	return stack[0];
}

static int refuse(struct error *error, const char *text)
{
	error_set(error, "%s", text);
	return -EINVAL;
}

/* Set *range to that of random(low, high, step). */
static int range_of_random(const struct formula_range *low,
			   const struct formula_range *high,
			   const struct formula_range *step,
			   struct formula_range *range, struct error *error)
{
	if (step->min == 0)
		return refuse(error, "the step of random() may be 0");
	if (choices(low->max, high->min, step->max) == 0)
		return refuse(error, "random() may have no number to choose: "
			      "not one step fits between its bounds");
	*range = (struct formula_range){low->min, high->max - step->min};
	return 0;
}

/* Apply an action to the ranges of its operands; range[0] gets the result. */
static int apply(enum formula_action action, struct formula_range *range,
		 struct error *error)
{
	const struct formula_range a = range[0], b = range[1];

	switch (action) {
	case FORMULA_ADD:
		if (__builtin_add_overflow(a.max, b.max, &range->max))
			return refuse(error, "the sum may exceed 64 bits");
		range->min = a.min + b.min;
		return 0;
	case FORMULA_SUBTRACT:
		range->min = subtract(a.min, b.max);
		range->max = subtract(a.max, b.min);
		return 0;
	case FORMULA_MULTIPLY:
		if (__builtin_mul_overflow(a.max, b.max, &range->max))
			return refuse(error, "the product may exceed 64 bits");
		range->min = a.min * b.min;
		return 0;
	case FORMULA_DIVIDE:
		if (b.min == 0)
			return refuse(error, "the divisor may be 0");
		range->min = a.min / b.max;
		range->max = a.max / b.min;
		return 0;
	case FORMULA_REMAINDER:
	case FORMULA_ALIGN:
		if (b.min == 0)
			return refuse(error, "the divisor may be 0");
		/* Exact for constants, which are folded by their range. */
		if (a.min == a.max && b.min == b.max)
			range->min = range->max = a.min % b.min;
		else
			*range = (struct formula_range){
				0, a.max < b.max ? a.max : b.max - 1};
		if (action == FORMULA_ALIGN)
			*range = (struct formula_range){
				subtract(a.min, range->max),
				a.max - range->min};
		return 0;
	case FORMULA_RANDOM:
		return range_of_random(&a, &b, &range[2], range, error);
	default:
		return 0;
	}
}

int formula_range(const struct formula *formula,
		  const struct formula_bounds *bounds,
		  struct formula_range *range, struct error *error)
{
	struct formula_range stack[FORMULA_DEPTH_MAX], *top = stack;
	uint32_t i;

	for (i = 0; i < formula->count; i++) {
		const struct formula_step *step = &formula->steps[i];
		enum formula_action action =
			(enum formula_action)step->action;

		top -= operands(action);
		switch (action) {
		case FORMULA_NUMBER:
			*top = (struct formula_range){step->value,
						      step->value};
			break;
		case FORMULA_VARIABLE:
			*top = bounds->variables[step->value];
			break;
		case FORMULA_BITS:
		case FORMULA_PREVIOUS:
			*top = (struct formula_range){0, UINT64_MAX};
			break;
		case FORMULA_ZIPF:
			*top = (struct formula_range){
				0, bounds->zipfs[step->value].count - 1};
			break;
		case FORMULA_SHUFFLE:
			*top = (struct formula_range){
				0, bounds->shuffles[step->value].count - 1};
			break;
		default:
			if (apply(action, top, error) < 0)
				return -EINVAL;
		}
		top++;
	}
	*range = stack[0];
	return 0;
}
