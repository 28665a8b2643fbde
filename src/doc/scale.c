/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/scale.h"

#include <math.h>

/* A range is wide if max / min is at least this. */
#define WIDE 20.0

/*
 * Min distances of labels, in drawing units: side by side, one above the other,
 * and between the ticks of a linear scale. They suit a phone, too, where
 * letters are larger in these units (see page.css).
 */
#define ROOM_ACROSS 42.0
#define ROOM_ABOVE 20.0
#define ROOM_LINEAR 55.0

#define SMALLEST 1e-9

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

void scale_wide(struct scale *scale, double min, double max)
{
	static const double digits[] = {1, 2, 5};
	double decade;
	int power, i;

	if (max / min < WIDE) {
		scale_linear(scale, max);
		return;
	}
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
			    (i == 0 || decade * log10(2) >= ROOM_ABOVE))
				add_tick(scale, value);
		}
	}
}

void scale_numbers(struct scale *scale, const unsigned *numbers, size_t count)
{
	double min = numbers[0], max = numbers[count - 1];
	double last = -INFINITY;
	size_t i;

	scale->logarithmic = count >= 3 && max >= 4 * min && max >= 1.5 * numbers[count - 2];
	scale->from = min;
	scale->to = max;
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
