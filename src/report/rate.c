/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rate.h"

#include <string.h>

#define BITS_PER_BYTE 8

/* Set once, from the command line, before anything is printed. */
static bool shows_bits;

void rate_show_bits(void)
{
	shows_bits = true;
}

const char *rate_unit(void)
{
	return shows_bits ? "Mbit/s" : "MB/s";
}

double rate_shown(double mb_per_s)
{
	return shows_bits ? BITS_PER_BYTE * mb_per_s : mb_per_s;
}

bool rate_is(const char *unit)
{
	return strcmp(unit, "MB/s") == 0;
}

const char *rate_unit_of(const char *unit)
{
	return rate_is(unit) ? rate_unit() : unit;
}

double rate_value_of(const char *unit, double value)
{
	return rate_is(unit) ? rate_shown(value) : value;
}
