/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print numbers for the page: with commas between thousands, a true minus sign,
 * and the unit that suits a duration.
 */
#ifndef PAGE_MARKUP_H
#define PAGE_MARKUP_H

#include "result/figures.h"

/* Buffer size for these functions. */
enum { MARKUP_TEXT = 40 };

/* Print a number with commas between thousands: "1,852.4". Return `text`. */
char *markup_number(double value, int decimals, char text[MARKUP_TEXT]);

/* Return the number of decimals to print, so that `max` has about 4 digits. */
int markup_decimals(double max);

/* Print a change such as 0.123 as "+12.3 %". Return `text`. */
char *markup_change(double share, char text[MARKUP_TEXT]);

/* Print the value of a figure that is a time, with three digits and a fitting
 * unit: "2.35 ms"; or a dash if it is NAN. Return `text`. */
char *markup_time(enum figure figure, double value, char text[MARKUP_TEXT]);

#endif
