/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, uint32_t *character)
{
	static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length, i;
	uint32_t number;

	*character = bytes[0];
	if (bytes[0] < 0x80)
		return 1;
	length = bytes[0] >= 0xf8   ? 0
		 : bytes[0] >= 0xf0 ? 4
		 : bytes[0] >= 0xe0 ? 3
		 : bytes[0] >= 0xc0 ? 2
				    : 0;
	if (length == 0)
		return 0;
	number = bytes[0] & 0xffu >> (length + 1);
	for (i = 1; i < length; i++) {
		/* This condition is also true for the final NUL. */
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		number = number << 6 | (bytes[i] & 0x3f);
	}
	if (number < min[length] || number > 0x10ffff || (number >= 0xd800 && number < 0xe000))
		return 0;
	*character = number;
	return length;
}

size_t utf8_encode(char out[4], uint32_t character)
{
	static const uint8_t first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
	size_t i;

	for (i = length; i-- > 1; character >>= 6)
		out[i] = (char)(0x80 | (character & 0x3f));
	out[0] = (char)(first[length] | character);
	return length;
}

bool utf8_is_plain(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} others[] = {
		{0, 0x1f},          /* control characters */
		{0x7f, 0x9f},       /* more control characters */
		{0x61c, 0x61c},     /* direction mark */
		{0x200b, 0x200f},   /* zero width, or direction marks */
		{0x2028, 0x202e},   /* line ends, direction changes */
		{0x2060, 0x206f},   /* invisible, or direction changes */
		{0xfdd0, 0xfdef},   /* not characters */
		{0xfeff, 0xfeff},   /* zero width */
		{0xfff0, 0xffff},   /* specials, or not characters */
		{0xe0000, 0xe0fff}, /* invisible tags */
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (character >= others[i].first && character <= others[i].last)
			return false;
	return (character & 0xfffe) != 0xfffe;
}

void utf8_mask(char *text)
{
	char *to = text;

	while (*text != '\0') {
		uint32_t character;
		size_t length = utf8_decode(text, &character);

		if (length > 0 && utf8_is_plain(character)) {
			memmove(to, text, length);
			to += length;
		} else {
			*to++ = '?';
		}
		text += length > 0 ? length : 1;
	}
	*to = '\0';
}

bool utf8_is_valid(const char *text)
{
	uint32_t character;
	size_t length;

	for (; *text != '\0'; text += length) {
		length = utf8_decode(text, &character);
		if (length == 0)
			return false;
	}
	return true;
}

char *utf8_copy(const char *text)
{
	char *copy = strdup(text), *next;

	if (utf8_is_valid(text))
		return copy;
	for (next = copy; next != NULL && *next != '\0'; next++)
		if ((unsigned char)*next >= 0x80)
			*next = '?';
	return copy;
}
