/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as text for people: with the unit, the digits and the typography that
 * a reader expects. All tables and sentences of reports print their numbers here.
 */
#ifndef DOC_NUMBER_H
#define DOC_NUMBER_H

#include "result/figures.h"

enum number_form {
	NUMBER_COUNT,
	NUMBER_BYTES,
	NUMBER_MB_PER_S, /* in MB/s, shown in the unit of number_rate_unit() */
	NUMBER_PER_S,
	NUMBER_TIME,   /* in seconds; each value is shown with its own unit */
	NUMBER_SHARE,  /* 0.12 is shown as "12%" */
	NUMBER_SPREAD, /* 0.123: "12.3%" */
	NUMBER_CHANGE, /* 0.123: "+12.3%" */
	NUMBER_RATIO,  /* "1.210" */
	NUMBER_PLAIN,  /* five significant digits */
};

/* Terminals, CI logs and Markdown get plain numbers: "1852.40", "12.6 us", "-1.0%". They
 * are ASCII, except that us is \u00b5s in a UTF-8 locale. Pages get typeset numbers:
 * "1,852.40", "12.6 \u00b5s", "\u22121.0 %". */
enum number_style { NUMBER_ASCII, NUMBER_TYPESET };

/* Buffer size for a number. */
enum { NUMBER_TEXT = 48 };

/*
 * Print a value without the unit of a rate. Return `text`. `decimals` is that of
 * number_decimals, or -1 to choose it for this value alone. It is used for rates,
 * ratios and NUMBER_PLAIN; other forms have their own. An unknown value (NAN) is a
 * dash.
 */
char *number_print(enum number_form form, double value, int decimals, enum number_style style,
		   char text[NUMBER_TEXT]);

/* Return the number of decimals with which all values of a column are printed if
 * `max` is the largest one: five digits, but at most two decimals of values from 1
 * on; three decimals of ratios, and two if one is 10 or more. */
int number_decimals(enum number_form form, double max);

/* Return the form of a figure, and convert its value (in the unit of files) to what
 * that form takes: times become seconds. */
enum number_form number_form_of(enum figure figure);
double number_value_of(enum figure figure, double value);

/* Show throughput in Mbit/s (10^6 bits per second) instead of MB/s from now on
 * (--bits). Files for programs, such as JSON and CSV, never have Mbit/s. */
void number_show_bits(void);

/* Return the unit of NUMBER_MB_PER_S as shown: "MB/s" or "Mbit/s". */
const char *number_rate_unit(void);

/* Convert MB/s to that unit. */
double number_rate_shown(double mb_per_s);

/* Replace "MB/s" in a heading by number_rate_unit(). Return `text`. */
char *number_heading(const char *heading, char text[NUMBER_TEXT]);

#endif
