/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/scale.h"

#include <math.h>

/* A range is wide if max / min is at least this. */
#define WIDE 20.0

/*
 * Min distances of labels, in drawing units: side by side (whole numbers, and those
 * with decimals), one above the other, and between the ticks of a linear scale. They
 * suit a phone, too, where letters are larger in these units (see page.css).
 */
#define ROOM_ACROSS 42.0
#define ROOM_DIGITS 50.0
#define ROOM_ABOVE 20.0
#define ROOM_LINEAR 55.0

#define SMALLEST 1e-9

/* A scale of ratios reaches at least this far from 1, so that noise looks small. */
#define SMALL_CHANGE 0.02

double scale_place(const struct scale *scale, double value)
{
	double share;

	value = fmin(fmax(value, scale->from), scale->to);
	if (scale->logarithmic)
		share = log(value / scale->from) / log(scale->to / scale->from);
	else
		share = (value - scale->from) / (scale->to - scale->from);
	return scale->start + share * (scale->end - scale->start);
}

static void add_tick(struct scale *scale, double value)
{
	if (scale->tick_count < SCALE_TICKS)
		scale->ticks[scale->tick_count++] = value;
}

/* Return the first of 1, 2 and 5 times a power of ten that is >= `value`. */
static double round_up(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	/* Don't go to the next digit because of a rounding error. */
	digit *= 1 - 1e-9;
	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

void scale_up_to(struct scale *scale, double max)
{
	double parts = floor(fabs(scale->end - scale->start) / ROOM_LINEAR);
	size_t i;

	scale->logarithmic = false;
	scale->from = 0;
	/* A smaller `max` stands for 0: no measured value is that small. With
	 * such an end, the step between ticks could become 0. */
	scale->to = max >= SMALLEST ? max : 1;
	scale->step = round_up(scale->to / fmin(fmax(parts, 2), 8));
	scale->tick_count = 0;
	for (i = 0; i < SCALE_TICKS && (double)i * scale->step <= scale->to * (1 + 1e-9); i++)
		add_tick(scale, (double)i * scale->step);
}

void scale_linear(struct scale *scale, double max)
{
	scale_up_to(scale, max);
	scale->to = scale->step * ceil(scale->to / scale->step * (1 - 1e-9));
	if (scale->ticks[scale->tick_count - 1] < scale->to * (1 - 1e-9))
		add_tick(scale, scale->to);
}

/* Return the min distance of labels such as 0.05: on a horizontal axis, they are side by
 * side. */
static double label_room(const struct scale *scale)
{
	return scale->start < scale->end ? ROOM_DIGITS : ROOM_ABOVE;
}

/* Make a logarithmic scale with 1, 2 and 5 times powers of ten as ends and ticks. */
static void make_decades(struct scale *scale, double min, double max)
{
	static const double digits[] = {1, 2, 5};
	double decade;
	int power, i;

	scale->logarithmic = true;
	scale->step = 0;
	scale->to = round_up(max);
	scale->from = round_up(min);
	/* If `min` is not a round number, begin at the next smaller one. */
	if (scale->from > min * (1 + 1e-9))
		scale->from = round_up(scale->from / 2.6);
	decade = fabs(scale->end - scale->start) / log10(scale->to / scale->from);
	scale->tick_count = 0;
	for (power = (int)floor(log10(scale->from)) - 1; power < 20; power++) {
		for (i = 0; i < 3; i++) {
			double value = digits[i] * pow(10, power);

			if (value >= scale->from * (1 - 1e-9) && value <= scale->to * (1 + 1e-9) &&
			    (i == 0 || decade * log10(2) >= label_room(scale)))
				add_tick(scale, value);
		}
	}
}

void scale_wide(struct scale *scale, double min, double max)
{
	if (max / min < WIDE)
		scale_linear(scale, max);
	else
		make_decades(scale, min, max);
}

/*
 * Make a logarithmic scale whose ends and ticks are multiples of `step`. Return
 * whether there is enough room for the labels.
 */
static bool make_multiples(struct scale *scale, double min, double max, double step)
{
	double first = floor(min / step * (1 + 1e-9)), last = ceil(max / step * (1 - 1e-9));
	double i;

	scale->logarithmic = true;
	scale->step = step;
	scale->from = first * step;
	scale->to = last * step;
	scale->tick_count = 0;
	for (i = first; i <= last && i - first < SCALE_TICKS; i++)
		add_tick(scale, i * step);
	/* The labels at the upper end are closest to each other. */
	return first > 0 &&
	       fabs(scale->end - scale_place(scale, scale->to - step)) >= 1.25 * label_room(scale);
}

void scale_ratios(struct scale *scale, double min, double max)
{
	static const double steps[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
	size_t i;

	min = fmin(min, 1 - SMALL_CHANGE);
	max = fmax(max, 1 + SMALL_CHANGE);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (make_multiples(scale, min, max, steps[i]))
			return;
	make_decades(scale, min, max);
}

void scale_numbers(struct scale *scale, const double *numbers, size_t count)
{
	double min = numbers[0], max = numbers[count - 1];
	double last = -INFINITY;
	size_t i;

	scale->logarithmic = count >= 3 && min > 0 && max >= 4 * min &&
			     max >= 1.5 * numbers[count - 2];
	scale->from = min;
	/* A single number is at the start. */
	scale->to = fmax(max, min + 1);
	scale->step = 1;
	scale->tick_count = 0;
	for (i = 0; i < count; i++) {
		double place = scale_place(scale, numbers[i]);

		if (i + 1 < count &&
		    (place - last < ROOM_ACROSS || scale->end - place < ROOM_ACROSS))
			continue;
		add_tick(scale, numbers[i]);
		last = place;
	}
}
