/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/units.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The latest time that is accepted, in seconds since the epoch: the year 2255.
 * Up to this time, a double can represent microseconds; a later time is
 * probably a typing error. */
#define TIME_MAX_S 9e9

struct unit {
	const char *name;
	uint64_t factor;
};

/* Sorted from large to small: the printers take the first unit that fits. */
static const struct unit size_units[] = {
	{"T", UINT64_C(1000000000000)},
	{"G", UINT64_C(1000000000)},
	{"M", UINT64_C(1000000)},
	{"k", UINT64_C(1000)},
	{"", 1},
	/* The following units are parsed, but never printed. */
	{"K", UINT64_C(1000)},
	{"Ti", UINT64_C(1) << 40},
	{"Gi", UINT64_C(1) << 30},
	{"Mi", UINT64_C(1) << 20},
	{"Ki", UINT64_C(1) << 10},
	{NULL, 0},
};

/* clang-format off */
static const struct unit duration_units[] = {
	{"h", 3600 * NS_PER_S},
	{"m", 60 * NS_PER_S},
	{"s", NS_PER_S},
	{"ms", NS_PER_MS},
	{"us", NS_PER_US},
	{"ns", 1},
	{"", NS_PER_S},
	{NULL, 0},
};
/* clang-format on */

static const struct unit *find_unit(const struct unit *units, const char *name, size_t length)
{
	for (; units->name != NULL; units++)
		if (strlen(units->name) == length && memcmp(units->name, name, length) == 0)
			return units;
	return NULL;
}

static int refuse(struct error *error, const char *what, const char *text, const char *expected)
{
	error_set(error, "%s: \"%s\" is not valid; expected %s", what, text, expected);
	return -EINVAL;
}

static int refuse_range(struct error *error, const char *what, const char *text, const char *min,
			const char *max)
{
	error_set(error, "%s: %s is out of range (%s to %s)", what, text, min, max);
	return -EINVAL;
}

/* Does the text start with an unsigned decimal number? Check this first, since
 * strtod() also accepts signs, hex and "inf". */
static bool is_decimal(const char *text)
{
	return (isdigit((unsigned char)text[0]) || text[0] == '.') &&
	       (text[0] != '0' || (text[1] | 32) != 'x');
}

int units_parse_count(const char *text, const char *what, uint64_t min, uint64_t max,
		      uint64_t *value, struct error *error)
{
	char min_text[UNITS_TEXT], max_text[UNITS_TEXT];
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return refuse(error, what, text, "a whole number");
	errno = 0;
	/* Always use base 10: a user who types 010 means ten, not eight. */
	*value = strtoumax(text, &end, 10);
	if (*end != '\0')
		return refuse(error, what, text, "a whole number");
	if (errno == 0 && *value >= min && *value <= max)
		return 0;
	snprintf(min_text, sizeof(min_text), "%" PRIu64, min);
	snprintf(max_text, sizeof(max_text), "%" PRIu64, max);
	return refuse_range(error, what, text, min_text, max_text);
}

int units_parse_size(const char *text, const char *what, uint64_t min, uint64_t max,
		     uint64_t *bytes, struct error *error)
{
	char min_text[UNITS_TEXT], max_text[UNITS_TEXT];
	const struct unit *unit;
	size_t unit_length;
	char *end;
	uint64_t number;

	if (!isdigit((unsigned char)text[0]))
		return refuse(error, what, text, "a size such as 4096 or 64k");
	errno = 0;
	number = strtoumax(text, &end, 10);
	unit_length = strlen(end);
	if (unit_length > 0 && end[unit_length - 1] == 'B')
		unit_length--;
	unit = find_unit(size_units, end, unit_length);
	if (unit == NULL)
		return refuse(error, what, text, "a size such as 4096 or 64k");
	if (errno == 0 && !__builtin_mul_overflow(number, unit->factor, bytes) && *bytes >= min &&
	    *bytes <= max)
		return 0;
	return refuse_range(error, what, text, units_print_bytes(min, min_text),
			    units_print_bytes(max, max_text));
}

int units_parse_number(const char *text, const char *what, double *number, struct error *error)
{
	const struct unit *unit;
	char *end;

	if (!is_decimal(text))
		return refuse(error, what, text, "a number such as 100, 2.5 or 10k");
	*number = strtod(text, &end);
	unit = find_unit(size_units, end, strlen(end));
	if (unit == NULL || !isfinite(*number))
		return refuse(error, what, text, "a number such as 100, 2.5 or 10k");
	*number *= (double)unit->factor;
	return 0;
}

int units_parse_duration(const char *text, const char *what, uint64_t min_ns, uint64_t max_ns,
			 uint64_t *duration_ns, struct error *error)
{
	char min_text[UNITS_TEXT], max_text[UNITS_TEXT];
	const struct unit *unit;
	char *end;
	double number, ns;

	if (!is_decimal(text))
		return refuse(error, what, text, "a duration such as 10, 0.5 or 250ms");
	number = strtod(text, &end);
	unit = find_unit(duration_units, end, strlen(end));
	if (unit == NULL || !isfinite(number))
		return refuse(error, what, text, "a duration such as 10, 0.5 or 250ms");
	ns = number * (double)unit->factor;
	if (ns >= (double)min_ns && ns <= (double)max_ns) {
		*duration_ns = (uint64_t)(ns + 0.5);
		return 0;
	}
	return refuse_range(error, what, text, units_print_duration(min_ns, min_text),
			    units_print_duration(max_ns, max_text));
}

int units_parse_time(const char *text, const char *what, uint64_t *wall_ns, struct error *error)
{
	struct tm parts = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
	time_t seconds;
	double number;
	char *rest;

	if (end != NULL && *end == '\0') {
		seconds = timegm(&parts);
		if (seconds >= 0 && (double)seconds <= TIME_MAX_S) {
			*wall_ns = (uint64_t)seconds * NS_PER_S;
			return 0;
		}
	} else if (is_decimal(text)) {
		number = strtod(text, &rest);
		if (*rest == '\0' && number <= TIME_MAX_S) {
			*wall_ns = (uint64_t)(number * 1e6) * 1000;
			return 0;
		}
	}
	return refuse(error, what, text,
		      "seconds since the epoch, or a time in UTC such as 2026-01-31T23:59:59Z");
}

/* Print `value` in the largest unit in which it is at least 1. */
static char *print_in_units(const struct unit *units, const char *suffix, uint64_t value,
			    char *text)
{
	while (units->factor > 1 && value < units->factor)
		units++;
	if (value % units->factor == 0 || units->factor == 1)
		snprintf(text, UNITS_TEXT, "%" PRIu64 " %s%s", value / units->factor, units->name,
			 suffix);
	else
		snprintf(text, UNITS_TEXT, "%.4g %s%s", (double)value / (double)units->factor,
			 units->name, suffix);
	return text;
}

char *units_print_bytes(uint64_t bytes, char text[UNITS_TEXT])
{
	return print_in_units(size_units, "B", bytes, text);
}

char *units_print_duration(uint64_t duration_ns, char text[UNITS_TEXT])
{
	return print_in_units(duration_units, "", duration_ns, text);
}

struct units_time units_split_time(double ns)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	struct units_time time = {.value = ns};
	size_t unit = 0;

	/* 999.5 would be printed as 1000. */
	while (unit < 3 && time.value >= 999.5) {
		time.value /= 1000;
		unit++;
	}
	if (unit > 0)
		time.decimals = time.value >= 99.95 ? 0 : time.value >= 9.995 ? 1 : 2;
	time.unit = names[unit];
	return time;
}

char *units_print_time(double ns, char text[UNITS_TEXT])
{
	struct units_time time = units_split_time(ns);
	const char *unit = time.unit;

	if (unit[0] == 'u' && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		unit = "\u00b5s";
	snprintf(text, UNITS_TEXT, "%.*f %s", time.decimals, time.value, unit);
	return text;
}

char *units_print_count(uint64_t count, char text[UNITS_TEXT])
{
	char digits[UNITS_TEXT];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *next = text;
	int i;

	for (i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*next++ = ',';
		*next++ = digits[i];
	}
	*next = '\0';
	return text;
}

char *units_print_rate(double per_s, char text[UNITS_TEXT])
{
	snprintf(text, UNITS_TEXT, per_s < 1000 ? "%.4g" : "%.0f", per_s);
	return text;
}
