/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rate.h"

#include "doc/number.h"

#include <string.h>

void rate_show_bits(void)
{
	number_show_bits();
}

const char *rate_unit(void)
{
	return number_rate_unit();
}

double rate_shown(double mb_per_s)
{
	return number_rate_shown(mb_per_s);
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
