/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/number.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS_PER_BYTE 8

/* Print smaller ratios with three decimals, larger ones with two. */
#define GREAT_RATIO 9.9995

/* Set once, from the command line, before anything is printed. */
static bool shows_bits;

void number_show_bits(void)
{
	shows_bits = true;
}

const char *number_rate_unit(void)
{
	return shows_bits ? "Mbit/s" : "MB/s";
}

double number_rate_shown(double mb_per_s)
{
	return shows_bits ? BITS_PER_BYTE * mb_per_s : mb_per_s;
}

char *number_heading(const char *heading, char text[NUMBER_TEXT])
{
	static const char unit[] = "MB/s";
	const char *at = strstr(heading, unit);

	if (at == NULL)
		snprintf(text, NUMBER_TEXT, "%s", heading);
	else
		snprintf(text, NUMBER_TEXT, "%.*s%s%s", (int)(at - heading), heading,
			 number_rate_unit(), at + strlen(unit));
	return text;
}

enum number_form number_form_of(enum figure figure)
{
	static const enum number_form forms[] = {
		[FORM_BYTES] = NUMBER_BYTES, [FORM_MB_PER_S] = NUMBER_MB_PER_S,
		[FORM_PER_S] = NUMBER_PER_S, [FORM_S] = NUMBER_TIME,
		[FORM_MS] = NUMBER_TIME,     [FORM_US] = NUMBER_TIME,
		[FORM_SHARE] = NUMBER_SHARE, [FORM_MEAN] = NUMBER_RATIO,
	};

	return forms[figures[figure].form];
}

double number_value_of(enum figure figure, double value)
{
	double per_second = figure_per_second(figure);

	return per_second > 0 ? value / per_second : value;
}

int number_decimals(enum number_form form, double max)
{
	if (form == NUMBER_RATIO)
		return max < GREAT_RATIO ? 3 : 2;
	max = fabs(form == NUMBER_MB_PER_S ? number_rate_shown(max) : max);
	if (!(max > 0) || max >= 9999.5)
		return 0;
	if (form == NUMBER_PER_S)
		return max >= 99.95 ? 0 : max >= 9.995 ? 1 : 2;
	if (max >= 999.95)
		return 1;
	return max >= 1 || form == NUMBER_MB_PER_S ? 2 : 4;
}

/* Put commas between thousands, and replace the sign by a true minus. */
static void typeset(const char *digits, char text[NUMBER_TEXT])
{
	size_t whole, used = 0;

	if (*digits == '-') {
		used = strlen(strcpy(text, "\u2212"));
		digits++;
	}
	for (whole = strspn(digits, "0123456789"); whole > 0 && used + 2 < NUMBER_TEXT; whole--) {
		text[used++] = *digits++;
		if (whole > 1 && whole % 3 == 1)
			text[used++] = ',';
	}
	snprintf(text + used, NUMBER_TEXT - used, "%s", digits);
}

/* Print a number with this many decimals. */
static char *print(double value, int decimals, enum number_style style, char text[NUMBER_TEXT])
{
	/* Commas and the minus need room. No figure needs the exponent. */
	char digits[NUMBER_TEXT / 2];

	if (snprintf(digits, sizeof(digits), "%.*f", decimals, value) >= (int)sizeof(digits))
		snprintf(digits, sizeof(digits), "%.3e", value);
	if (style == NUMBER_TYPESET)
		typeset(digits, text);
	else
		strcpy(text, digits);
	return text;
}

/* Print a rate. One that the decimals of its column would show as 0 gets more of
 * them, as an operation that happens once in three seconds does happen; 0 has none. */
static char *print_rate(double value, int decimals, enum number_style style, char text[NUMBER_TEXT])
{
	while (value != 0 && decimals < 2 && fabs(value) * pow(10, decimals) < 0.5)
		decimals++;
	return print(value, value == 0 ? 0 : decimals, style, text);
}

static char *print_time(double seconds, enum number_style style, char text[NUMBER_TEXT])
{
	/* Undo the error of the division in number_value_of, or a tie would be rounded
	 * down. */
	double ns = round(1e12 * seconds) / 1e3;
	struct units_time time = units_split_time(ns);
	char number[NUMBER_TEXT];

	if (style == NUMBER_ASCII)
		return units_print_time(ns, text);
	snprintf(text, NUMBER_TEXT, "%.36s %s", print(time.value, time.decimals, style, number),
		 time.unit[0] == 'u' ? "\u00b5s" : time.unit);
	return text;
}

/* Print a share in per cent, with its sign if `is_change`. */
static char *print_share(double share, int decimals, bool is_change, enum number_style style,
			 char text[NUMBER_TEXT])
{
	const char *blank = style == NUMBER_TYPESET ? " " : "";
	double percent = 100 * share;
	char number[NUMBER_TEXT];

	/* A change that is printed as zero has no sign. */
	if (is_change && fabs(percent) < 0.05)
		percent = 0;
	print(percent, decimals, style, number);
	snprintf(text, NUMBER_TEXT, "%s%.40s%s%%", is_change && percent > 0 ? "+" : "", number,
		 blank);
	return text;
}

static char *print_ratio(double ratio, int decimals, enum number_style style,
			 char text[NUMBER_TEXT])
{
	if (!isfinite(ratio) || !(ratio > 0))
		return strcpy(text, style == NUMBER_TYPESET ? "\u2013" : "-");
	return print(ratio, decimals, style, text);
}

/* Print a value with five significant digits, in at most eight columns. */
static char *print_plain(double value, int decimals, enum number_style style,
			 char text[NUMBER_TEXT])
{
	double size = value != 0 && isfinite(value) ? floor(log10(fabs(value))) : 4;
	int digits = 4 - (int)size;

	if (decimals >= 0)
		return print(value, decimals, style, text);
	if (digits <= 6 && digits >= -3)
		return print(value, digits > 0 ? digits : 0, style, text);
	snprintf(text, NUMBER_TEXT, "%.2e", value);
	return text;
}

char *number_print(enum number_form form, double value, int decimals, enum number_style style,
		   char text[NUMBER_TEXT])
{
	if (isnan(value))
		return strcpy(text, style == NUMBER_TYPESET ? "\u2013" : "-");
	if (decimals < 0 && form != NUMBER_PLAIN)
		decimals = number_decimals(form, value);
	switch (form) {
	case NUMBER_BYTES:
		return units_print_bytes((uint64_t)fmin(fmax(0, value), 0x1p63), text);
	case NUMBER_MB_PER_S:
		return print_rate(number_rate_shown(value), decimals, style, text);
	case NUMBER_PER_S:
		return print_rate(value, decimals, style, text);
	case NUMBER_TIME:
		return print_time(value, style, text);
	case NUMBER_SHARE:
		return print_share(value, 0, false, style, text);
	case NUMBER_SPREAD:
		return print_share(value, 1, false, style, text);
	case NUMBER_CHANGE:
		return print_share(value, fabs(value) < 0.9995 ? 1 : 0, true, style, text);
	case NUMBER_RATIO:
		return print_ratio(value, decimals, style, text);
	case NUMBER_PLAIN:
		return print_plain(value, decimals, style, text);
	default:
		return print(value, 0, style, text);
	}
}
