/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/markup.h"

#include "base/units.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

char *markup_number(double value, int decimals, char text[MARKUP_TEXT])
{
	char digits[MARKUP_TEXT / 2];
	const char *next = digits;
	char *end = text;
	size_t whole;

	/* Use an exponent if the buffer is too small; no figure needs it. */
	if (snprintf(digits, sizeof(digits), "%.*f", decimals, value) >= (int)sizeof(digits))
		snprintf(digits, sizeof(digits), "%.3e", value);
	if (*next == '-') {
		strcpy(end, "\u2212");
		end += strlen(end);
		next++;
	}
	for (whole = strspn(next, "0123456789"); whole > 0; whole--) {
		*end++ = *next++;
		if (whole > 1 && whole % 3 == 1)
			*end++ = ',';
	}
	strcpy(end, next);
	return text;
}

int markup_decimals(double max)
{
	return max >= 1000 ? 0 : max >= 100 ? 1 : max >= 1 ? 2 : 4;
}

char *markup_change(double share, char text[MARKUP_TEXT])
{
	char number[MARKUP_TEXT];
	double percent = 100 * fabs(share);
	int decimals = percent < 99.95 ? 1 : 0;

	/* Print no sign before 0.0. */
	snprintf(text, MARKUP_TEXT, "%s%.24s %%",
		 percent < 0.05 ? ""
		 : share < 0    ? "\u2212"
				: "+",
		 markup_number(percent, decimals, number));
	return text;
}

char *markup_time(enum figure figure, double value, char text[MARKUP_TEXT])
{
	struct units_time time = units_split_time(1e9 * value / figure_per_second(figure));
	char number[MARKUP_TEXT];

	if (isnan(value))
		return strcpy(text, "\u2013");
	snprintf(text, MARKUP_TEXT, "%.24s %s", markup_number(time.value, time.decimals, number),
		 time.unit[0] == 'u' ? "\u00b5s" : time.unit);
	return text;
}
