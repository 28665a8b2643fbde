/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/axis.h"

#include "base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return a value as the axis shows it. */
static double shown(const struct axis *axis, double value)
{
	return axis->of->form == NUMBER_MB_PER_S ? number_rate_shown(value) : value;
}

void axis_add(struct axis *axis, double value)
{
	double as_shown = shown(axis, value);

	if (!(value > 0) || isinf(value))
		return;
	axis->min = axis->max > 0 ? fmin(axis->min, as_shown) : as_shown;
	axis->max = fmax(axis->max, as_shown);
	if (axis->of->scale == DOC_STEPS)
		axis->failed |= array_append(&axis->values, &axis->count, &value, sizeof(value)) <
				0;
}

void axis_free(struct axis *axis)
{
	free(axis->values);
}

static int ascending(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

void axis_complete(struct axis *axis)
{
	size_t kept = 0, i;

	if (axis->of->scale == DOC_NAMES)
		axis->count = axis->of->name_count;
	if (axis->values == NULL)
		return;
	qsort(axis->values, axis->count, sizeof(*axis->values), ascending);
	for (i = 0; i < axis->count; i++)
		if (kept == 0 || axis->values[i] > axis->values[kept - 1])
			axis->values[kept++] = axis->values[i];
	axis->count = kept;
}

void axis_choose(struct axis *axis, double start, double end, double room, double margin)
{
	double max = (1 + room) * axis->max;

	axis->scale.start = start;
	axis->scale.end = end;
	if (axis->is_ordinal) {
		axis->scale.from = 0.5;
		axis->scale.to = fmax((double)axis->count, 1) + 0.5;
	} else if (axis->of->scale == DOC_STEPS && axis->count > 0) {
		axis->scale.start += margin;
		axis->scale.end -= margin;
		scale_numbers(&axis->scale, axis->values, axis->count);
	} else if (!(max > 0)) {
		scale_linear(&axis->scale, 1);
	} else if (axis->of->scale == DOC_UP_TO) {
		scale_up_to(&axis->scale, max);
	} else if (axis->of->scale == DOC_SPAN) {
		scale_wide(&axis->scale, axis->min, max);
	} else if (axis->of->scale == DOC_RATIOS) {
		scale_ratios(&axis->scale, axis->min, axis->max);
	} else {
		scale_linear(&axis->scale, max);
	}
}

double axis_place(const struct axis *axis, double value)
{
	size_t i;

	if (isnan(value))
		return NAN;
	if (axis->is_ordinal && axis->values != NULL) {
		for (i = 0; i < axis->count && axis->values[i] < value; i++)
			;
		value = (double)i + 1;
	}
	return scale_place(&axis->scale, shown(axis, value));
}

/* Print a number with as many decimals as the step between ticks needs; with 0 as step, as
 * its size needs. */
static char *print_number(double value, double step, char text[NUMBER_TEXT])
{
	double smallest = step > 0 ? step : fabs(value);
	int decimals = 0;

	while (smallest > 0 && decimals < 6 && smallest * pow(10, decimals) < 0.999)
		decimals++;
	return number_print(NUMBER_PLAIN, value, decimals, NUMBER_TYPESET, text);
}

/* Print a time without trailing zeros: "5 ms" rather than "5.00 ms". */
static char *print_time(double seconds, char text[NUMBER_TEXT])
{
	static const char *const units[] = {"s", "ms", "\u00b5s", "ns"};
	size_t unit = 0;

	if (seconds <= 0)
		return strcpy(text, "0");
	for (; unit < 3 && seconds < 1 - 1e-9; unit++)
		seconds *= 1e3;
	if (seconds >= 1000)
		number_print(NUMBER_PLAIN, seconds, 0, NUMBER_TYPESET, text);
	else
		snprintf(text, NUMBER_TEXT, "%.4g", seconds);
	strcat(strcat(text, " "), units[unit]);
	return text;
}

char *axis_print(const struct axis *axis, double tick, char text[NUMBER_TEXT])
{
	double step = axis->scale.step;
	char number[NUMBER_TEXT];

	switch (axis->of->form) {
	case NUMBER_TIME:
		return print_time(tick, text);
	case NUMBER_BYTES:
		return number_print(NUMBER_BYTES, tick, -1, NUMBER_TYPESET, text);
	case NUMBER_SHARE:
	case NUMBER_SPREAD:
	case NUMBER_CHANGE:
		snprintf(text, NUMBER_TEXT, "%.40s %%",
			 print_number(100 * tick, 100 * step, number));
		return text;
	case NUMBER_RATIO:
		if (tick >= 1e4)
			return print_number(tick, 1, text);
		snprintf(text, NUMBER_TEXT, "%.4g", tick);
		return text;
	default:
		/* There is no room for millions. */
		if (axis->scale.to < 1e6 || tick == 0)
			return print_number(tick, step, text);
		snprintf(text, NUMBER_TEXT, "%.40s M",
			 print_number(tick / 1e6, step / 1e6, number));
		return text;
	}
}

const char *axis_name(const struct axis *axis, char text[NUMBER_TEXT])
{
	const char *name = axis->of->name;

	if (name == NULL)
		return "";
	return axis->of->form == NUMBER_MB_PER_S ? number_heading(name, text) : name;
}

const char *axis_name_at(const struct axis *axis, size_t index, char text[NUMBER_TEXT])
{
	if (axis->values != NULL)
		return print_number(axis->values[index], 1, text);
	return axis->of->names[index] != NULL ? axis->of->names[index] : "";
}
