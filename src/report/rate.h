/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unit in which people see throughput: MB/s, or Mbit/s with --bits. Files
 * for programs, such as JSON and CSV, never have Mbit/s.
 */
#ifndef REPORT_RATE_H
#define REPORT_RATE_H

#include <stdbool.h>

/* Show throughput in Mbit/s (10^6 bits per second) from now on. */
void rate_show_bits(void);

/* Return the unit: "MB/s" or "Mbit/s". */
const char *rate_unit(void);

/* Convert a rate in MB/s to that unit. */
double rate_shown(double mb_per_s);

/* Return true if the unit is that of a rate in MB/s. */
bool rate_is(const char *unit);

/* Return the unit in which a metric with this unit is shown, and convert a
 * value to it. Units other than MB/s stay as they are. */
const char *rate_unit_of(const char *unit);
double rate_value_of(const char *unit, double value);

#endif
