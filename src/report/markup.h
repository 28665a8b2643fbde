/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as a page shows them.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include <stdint.h>

/* Room for what the printers write. */
enum { MARKUP_TEXT = 40 };

/* "1,852.4": so many decimals, grouped by thousands. Returns `text`. */
char *markup_number(double value, int decimals, char text[MARKUP_TEXT]);

/* Decimals with which values up to `max` show some four digits. */
int markup_decimals(double max);

/* "+12.3 %", of a share. Returns `text`. */
char *markup_change(double share, char text[MARKUP_TEXT]);

/* "2.35 ms": three digits and the unit that suits. Returns `text`. */
char *markup_duration(double ns, char text[MARKUP_TEXT]);

/* The same of a percentile, which is a dash where it is not known. */
char *markup_latency(uint64_t ns, char text[MARKUP_TEXT]);

#endif
