/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/formula.h"

#include <errno.h>
#include <math.h>

static const struct {
	unsigned operands;
	const char *text;
} actions[] = {
#define X(action, operands, text) {operands, text},
	FORMULA_LIST(X)
#undef X
};

unsigned formula_operands(enum formula_action action)
{
	return actions[action].operands;
}

const char *formula_text(enum formula_action action)
{
	return actions[action].text;
}

int formula_append(struct formula *formula, enum formula_action action, uint64_t value)
{
	if (formula->count == FORMULA_STEPS_MAX)
		return -E2BIG;
	formula->steps[formula->count++] = (struct formula_step){
		.action = action,
		.value = value,
	};
	return 0;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Return the number of values of random(low, high, step). */
static uint64_t choices(uint64_t low, uint64_t high, uint64_t step)
{
	return subtract(high, low) / step;
}

uint64_t formula_compute(const struct formula *formula, struct formula_inputs *inputs)
{
	uint64_t stack[FORMULA_DEPTH_MAX], *top = stack;
	uint64_t i;

	for (i = 0; i < formula->count; i++) {
		const struct formula_step *step = &formula->steps[i];

		/* top[0] and the values after it are the operands. */
		top -= formula_operands((enum formula_action)step->action);
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
		case FORMULA_MIN:
			top[0] = least(top[0], top[1]);
			break;
		case FORMULA_MAX:
			top[0] = most(top[0], top[1]);
			break;
		case FORMULA_RANDOM:
			top[0] += top[2] *
				  draw_below(&inputs->random, choices(top[0], top[1], top[2]));
			break;
		case FORMULA_EXPONENTIAL:
			top[0] = draw_exponential(&inputs->random, top[0]);
			break;
		case FORMULA_ZIPF:
			top[0] = zipf_draw(&inputs->zipfs[step->value], &inputs->random);
			break;
		case FORMULA_SHUFFLE:
			top[0] = shuffle_draw(&inputs->shuffles[step->value], &inputs->random);
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
static int range_of_random(const struct formula_range *low, const struct formula_range *high,
			   const struct formula_range *step, struct formula_range *range,
			   struct error *error)
{
	const double span = high->mean - low->mean - step->mean;

	if (step->min == 0)
		return refuse(error, "the step of random() may be 0; max(step,1) prevents this");
	if (choices(low->max, high->min, step->max) == 0)
		return refuse(error,
			      "random(low,high,step) may have no number to choose from, because "
			      "high may be less than low + step (step is 1 if not given)");
	*range = (struct formula_range){low->min, high->max - step->min,
					/* Half of the whole steps that fit */
					low->mean + floor(span / step->mean) * step->mean / 2};
	return 0;
}

/* Set *range to that of a remainder. */
static void range_of_remainder(const struct formula_range *a, const struct formula_range *b,
			       struct formula_range *range)
{
	/* Exact for constants, which are folded by their range. */
	if (a->min == a->max && b->min == b->max)
		*range = formula_fixed(a->min % b->min);
	else if (a->max < b->min)
		*range = (struct formula_range){0, a->max, a->mean};
	else
		*range = (struct formula_range){0, a->max < b->max ? a->max : b->max - 1,
						(b->mean - 1) / 2};
}

/* Apply an action to the ranges of its operands; range[0] gets the result. */
static int apply(enum formula_action action, struct formula_range *range, struct error *error)
{
	/* An action of one operand has no second one. */
	const struct formula_range a = range[0], *b = &range[1];

	switch (action) {
	case FORMULA_ADD:
		if (__builtin_add_overflow(a.max, b->max, &range->max))
			return refuse(error,
				      "the sum may exceed 64 bits; limit its terms with min()");
		range->min = a.min + b->min;
		range->mean = a.mean + b->mean;
		return 0;
	case FORMULA_SUBTRACT:
		range->min = subtract(a.min, b->max);
		range->max = subtract(a.max, b->min);
		range->mean = a.mean - b->mean;
		return 0;
	case FORMULA_MULTIPLY:
		if (__builtin_mul_overflow(a.max, b->max, &range->max))
			return refuse(
				error,
				"the product may exceed 64 bits; limit its factors with min()");
		range->min = a.min * b->min;
		range->mean = a.mean * b->mean;
		return 0;
	case FORMULA_DIVIDE:
		if (b->min == 0)
			return refuse(error, "the divisor may be 0; max(divisor,1) prevents this");
		range->min = a.min / b->max;
		range->max = a.max / b->min;
		range->mean = a.mean / b->mean;
		return 0;
	case FORMULA_REMAINDER:
	case FORMULA_ALIGN:
		if (b->min == 0)
			return refuse(error, "the divisor may be 0; max(divisor,1) prevents this");
		range_of_remainder(&a, b, range);
		if (action == FORMULA_ALIGN)
			*range = (struct formula_range){subtract(a.min, range->max),
							a.max - range->min, a.mean - range->mean};
		return 0;
	case FORMULA_MIN:
		*range = (struct formula_range){least(a.min, b->min), least(a.max, b->max),
						fmin(a.mean, b->mean)};
		return 0;
	case FORMULA_MAX:
		*range = (struct formula_range){most(a.min, b->min), most(a.max, b->max),
						fmax(a.mean, b->mean)};
		return 0;
	case FORMULA_RANDOM:
		return range_of_random(&a, b, &range[2], range, error);
	case FORMULA_EXPONENTIAL:
		if (__builtin_mul_overflow(a.max, DRAW_EXPONENTIAL_MAX, &range->max))
			return refuse(error,
				      "a number that exp() draws may exceed 64 bits; limit the "
				      "argument of exp() with min()");
		range->min = 0;
		return 0;
	default:
		return 0;
	}
}

/* Keep the mean, which is an estimate, within the range. */
static void limit_mean(struct formula_range *range)
{
	range->mean = fmax(range->mean, (double)range->min);
	range->mean = fmin(range->mean, (double)range->max);
}

/* Set *range to that of a value that is not computed from others. */
static void set_range(const struct formula_step *step, const struct formula_bounds *bounds,
		      struct formula_range *range)
{
	const struct zipf *zipf;

	range->min = 0;
	switch ((enum formula_action)step->action) {
	case FORMULA_NUMBER:
		*range = formula_fixed(step->value);
		return;
	case FORMULA_VARIABLE:
		*range = bounds->variables[step->value];
		return;
	case FORMULA_ZIPF:
		zipf = &bounds->zipfs[step->value];
		range->max = zipf->count - 1;
		range->mean = zipf->mean;
		return;
	case FORMULA_SHUFFLE:
		range->max = bounds->shuffles[step->value].count - 1;
		break;
	default:
		range->max = UINT64_MAX;
		break;
	}
	range->mean = (double)range->max / 2;
}

int formula_find_range(struct formula *formula, const struct formula_bounds *bounds,
		       struct error *error)
{
	struct formula_range stack[FORMULA_DEPTH_MAX] = {{0, 0, 0}};
	unsigned depth = 0;
	uint64_t i;

	for (i = 0; i < formula->count; i++) {
		const struct formula_step *step = &formula->steps[i];
		enum formula_action action = (enum formula_action)step->action;
		unsigned operands = formula_operands(action);

		depth -= operands;
		if (depth == FORMULA_DEPTH_MAX) {
			error_set(error,
				  "the expression has more than %d intermediate values; use fewer "
				  "parentheses",
				  FORMULA_DEPTH_MAX);
			return -E2BIG;
		}
		if (operands == 0)
			set_range(step, bounds, &stack[depth]);
		else if (apply(action, &stack[depth], error) < 0)
			return -EINVAL;
		limit_mean(&stack[depth]);
		depth++;
	}
	formula->range = stack[0];
	return 0;
}
