/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse and print numbers with units. Numbers are decimal: 010 is ten, and 0x10
 * is refused.
 * Sizes: k, M, G, T are powers of ten; Ki, Mi, Gi, Ti powers of two; a B may
 * follow. Durations: ns, us, ms, s, m, h; a number without a unit is seconds.
 *
 * The parsers return 0, or -EINVAL with `error` set. `what` names the value in
 * the error message.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/error.h"

#include <stdint.h>

/* Parse a whole number from `min` to `max`. */
int units_parse_count(const char *text, const char *what, uint64_t min, uint64_t max,
		      uint64_t *value, struct error *error);

/* Parse a number of bytes such as 4096, 64k or 1Mi, from `min` to `max`. */
int units_parse_size(const char *text, const char *what, uint64_t min, uint64_t max,
		     uint64_t *bytes, struct error *error);

/* Parse a number such as 100, 2.5 or 10k, at least 0. */
int units_parse_number(const char *text, const char *what, double *number, struct error *error);

/* Parse a duration such as 10, 0.5 or 250ms, from `min_ns` to `max_ns`. */
int units_parse_duration(const char *text, const char *what, uint64_t min_ns, uint64_t max_ns,
			 uint64_t *duration_ns, struct error *error);

/*
 * Parse a point in time into nanoseconds since the epoch. The text is either
 * seconds since the epoch, such as 1790000000.5, or a time in UTC in ISO 8601,
 * such as 2026-01-31T23:59:59Z.
 */
int units_parse_time(const char *text, const char *what, uint64_t *wall_ns, struct error *error);

/* Buffer size for the printers. */
enum { UNITS_TEXT = 32 };

/* Print a size such as "1.47 GB", in powers of ten. Return `text`. */
char *units_print_bytes(uint64_t bytes, char text[UNITS_TEXT]);

/* Print a duration such as "1.25 ms". Return `text`. */
char *units_print_duration(uint64_t duration_ns, char text[UNITS_TEXT]);

/* Print a measured time with three significant digits, in the largest of ns,
 * us, ms and s in which it is at least 1: "1.25 ms". In a UTF-8 locale, us is
 * printed as µs. Return `text`. */
char *units_print_time(double ns, char text[UNITS_TEXT]);

/* The number of a measured time, in the unit and with the decimals that
 * units_print_time prints. */
struct units_time {
	double value;
	int decimals;
	const char *unit; /* "ns", "us", "ms" or "s" */
};
struct units_time units_split_time(double ns);

/* Print a number grouped by thousands, such as "458,344". Return `text`. */
char *units_print_count(uint64_t count, char text[UNITS_TEXT]);

/* Print operations per second with four significant digits, or all digits of a
 * higher rate: "0.125", "128000". Return `text`. */
char *units_print_rate(double per_s, char text[UNITS_TEXT]);

/* Return the singular or the plural of a noun: "1 user", "2 users". */
static inline const char *units_plural(uint64_t count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif
