/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/markup.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * The character at the begin of a text and its length in bytes, 0 where that
 * is no UTF-8.
 */
static size_t decode(const unsigned char *text, uint32_t *character)
{
	static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length, i;

	*character = text[0];
	if (text[0] < 0x80)
		return 1;
	length = text[0] >= 0xf8   ? 0
		 : text[0] >= 0xf0 ? 4
		 : text[0] >= 0xe0 ? 3
		 : text[0] >= 0xc0 ? 2
				   : 0;
	if (length == 0)
		return 0;
	*character &= 0xffu >> (length + 1);
	for (i = 1; i < length; i++) {
		/* The end of the text is no such byte, either. */
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (text[i] & 0x3f);
	}
	if (*character < min[length] || *character > 0x10ffff ||
	    (*character >= 0xd800 && *character < 0xe000))
		return 0;
	return length;
}

/* May it stand in a page as it is? */
static bool is_plain(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} others[] = {
		{0, 0x1f},        /* control characters ... */
		{0x7f, 0x9f},     /* ... of both kinds */
		{0x200b, 0x200f}, /* without width, or marks of direction */
		{0x2028, 0x202e}, /* ends of lines, turns of direction */
		{0x2060, 0x206f}, /* likewise */
		{0xfdd0, 0xfdef}, /* no characters */
		{0xfeff, 0xfeff}, /* without width */
		{0xfff0, 0xffff}, /* special, and none */
		{0xe0000, 0xe0fff}, /* tags, which nobody sees */
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (character >= others[i].first && character <= others[i].last)
			return false;
	return (character & 0xfffe) != 0xfffe;
}

const char *markup_entity(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void write_plain(const char *text, size_t length, FILE *stream)
{
	const char *entity = markup_entity(text[0]);

	if (entity != NULL)
		fputs(entity, stream);
	else
		fwrite(text, 1, length, stream);
}

void markup_text(const char *text, FILE *stream)
{
	while (*text != '\0') {
		uint32_t character;
		size_t length = decode((const unsigned char *)text, &character);

		if (length > 0 && is_plain(character))
			write_plain(text, length, stream);
		else if (length <= 1)
			fprintf(stream, "\\x%02X", (unsigned char)text[0]);
		else
			fprintf(stream, "\\u%04X", (unsigned)character);
		text += length > 0 ? length : 1;
	}
}

char *markup_number(double value, int decimals, char text[MARKUP_TEXT])
{
	char digits[MARKUP_TEXT / 2];
	const char *next = digits;
	char *end = text;
	size_t whole;

	/* What is that large is no figure that was measured. */
	if (snprintf(digits, sizeof(digits), "%.*f", decimals, value) >=
	    (int)sizeof(digits))
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

	/* What is shown as no change has no sign. */
	snprintf(text, MARKUP_TEXT, "%s%.24s %%",
		 percent < 0.05 ? "" : share < 0 ? "\u2212" : "+",
		 markup_number(percent, decimals, number));
	return text;
}

char *markup_duration(double ns, char text[MARKUP_TEXT])
{
	static const char *const units[] = {"ns", "\u00b5s", "ms", "s"};
	char number[MARKUP_TEXT];
	double value = ns;
	size_t unit = 0;

	while (unit < 3 && value >= 999.5) {
		value /= 1000;
		unit++;
	}
	snprintf(text, MARKUP_TEXT, "%.24s %s",
		 markup_number(value, unit == 0 || value >= 99.95 ? 0
				      : value >= 9.995		  ? 1 : 2,
			       number),
		 units[unit]);
	return text;
}

char *markup_latency(uint64_t ns, char text[MARKUP_TEXT])
{
	if (ns > 0)
		return markup_duration((double)ns, text);
	return strcpy(text, "\u2013");
}
