/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/scale.h"

#include <math.h>

/* A range is wide when one end is so many times the other. */
#define WIDE 20.0

/* So far apart are labels of users, in the drawing's units, and twice that
 * where the drawing is small. */
#define LABEL_ROOM 30.0

/* More numbers of users than that give way to round ones. */
#define MOST_NAMED 20

double scale_place(const struct scale *scale, double value)
{
	double share;

	value = fmin(fmax(value, scale->from), scale->to);
	if (scale->logarithmic)
		share = log(value / scale->from) /
			log(scale->to / scale->from);
	else
		share = (value - scale->from) / (scale->to - scale->from);
	return scale->start + share * (scale->end - scale->start);
}

static void add_tick(struct scale *scale, double value, enum scale_label label)
{
	if (scale->tick_count == SCALE_TICKS)
		return;
	scale->labels[scale->tick_count] = label;
	scale->ticks[scale->tick_count++] = value;
}

/* Ticks of a linear scale are so far apart, or further, unless it is short. */
#define TICK_ROOM 55.0

/* 1, 2 or 5 times a power of ten: the least that is at least `value`. */
static double round_up(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	/* A quotient may be a hair above what it stands for. */
	digit *= 1 - 1e-9;
	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void tick_linearly(struct scale *scale, double parts)
{
	size_t i;

	scale->tick_count = 0;
	scale->step = round_up(scale->to / parts);
	for (i = 0; (double)i * scale->step <= scale->to * (1 + 1e-9); i++)
		add_tick(scale, (double)i * scale->step,
			 i % 2 == 0 ? SCALE_ALWAYS : SCALE_ROOMY);
}

void scale_linear(struct scale *scale, double max)
{
	double parts = floor(fabs(scale->end - scale->start) / TICK_ROOM);

	scale->logarithmic = false;
	scale->from = 0;
	scale->to = max > 0 ? max : 1;
	scale->step = round_up(scale->to / fmin(fmax(parts, 2), 5));
	scale->to = scale->step * ceil(scale->to / scale->step * (1 - 1e-9));
	tick_linearly(scale, scale->to / scale->step);
}

void scale_up_to(struct scale *scale, double max)
{
	scale->logarithmic = false;
	scale->from = 0;
	scale->to = max > 0 ? max : 1;
	tick_linearly(scale, 8);
}

void scale_wide(struct scale *scale, double min, double max)
{
	static const double digits[] = {1, 2, 5};
	bool decades = max / min > 2000;
	int power, i;

	if (max / min < WIDE) {
		scale_linear(scale, max);
		return;
	}
	scale->logarithmic = true;
	scale->step = 0;
	scale->to = round_up(max);
	scale->from = round_up(min);
	/* Its own round number is the end; one beyond is not. */
	if (scale->from > min * (1 + 1e-9))
		scale->from = round_up(scale->from / 2.6);
	scale->tick_count = 0;
	for (power = (int)floor(log10(scale->from)) - 1; power < 20; power++) {
		for (i = 0; i < 3; i++) {
			double value = digits[i] * pow(10, power);

			if (value >= scale->from * (1 - 1e-9) &&
			    value <= scale->to * (1 + 1e-9) &&
			    (!decades || i == 0))
				add_tick(scale, value, i == 0 ? SCALE_ALWAYS
							      : SCALE_ROOMY);
		}
	}
}

/* Names those for which there is room, the first and the last before all. */
static void name_users(struct scale *scale, const unsigned *users, size_t count)
{
	double at[2] = {-INFINITY, -INFINITY};
	double last = scale->end;
	size_t i;

	scale->tick_count = 0;
	for (i = 0; i < count; i++) {
		double place = scale_place(scale, users[i]);
		bool is_last = i + 1 == count;
		enum scale_label label = SCALE_NEVER;

		if (is_last || (place - at[0] >= LABEL_ROOM &&
				last - place >= LABEL_ROOM))
			label = SCALE_ROOMY;
		if (is_last || (place - at[1] >= 2 * LABEL_ROOM &&
				last - place >= 2 * LABEL_ROOM)) {
			label = SCALE_ALWAYS;
			at[1] = place;
		}
		if (label != SCALE_NEVER)
			at[0] = place;
		add_tick(scale, users[i], label);
	}
}

void scale_users(struct scale *scale, const unsigned *users, size_t count)
{
	double min = users[0], max = users[count - 1];

	scale->logarithmic =
		count >= 3 && max >= 4 * min && max >= 1.5 * users[count - 2];
	scale->from = scale->logarithmic ? min : 0;
	scale->to = max;
	if (count <= MOST_NAMED)
		name_users(scale, users, count);
	else if (scale->logarithmic)
		scale_wide(scale, min, max);
	else
		scale_up_to(scale, max);
	scale->step = fmax(scale->step, 1);
}
