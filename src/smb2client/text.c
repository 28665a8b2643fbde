/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/text.h"

#include "base/bytes.h"
#include "base/utf8.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <wctype.h>

/* Write a character. Return the number of bytes, or 0 if they don't fit. */
static size_t put_character(uint8_t *out, size_t max, uint32_t character)
{
	if (character < 0x10000) {
		if (max < 2)
			return 0;
		put_le16(out, (uint16_t)character);
		return 2;
	}
	if (max < 4)
		return 0;
	character -= 0x10000;
	put_le16(out, (uint16_t)(0xd800 | character >> 10));
	put_le16(out + 2, (uint16_t)(0xdc00 | (character & 0x3ff)));
	return 4;
}

/* Convert a character to upper case. ASCII needs no locale. */
static uint32_t upper(uint32_t character, locale_t locale)
{
	if (character >= 0x80)
		return (uint32_t)towupper_l((wint_t)character, locale);
	return character >= 'a' && character <= 'z' ? character - 'a' + 'A' : character;
}

/* Convert a text. Each `from` becomes a `to`. If `locale` is not NULL, convert
 * all characters to upper case, too. */
static int convert(uint8_t *out, size_t max, const char *text, uint32_t from, uint32_t to,
		   const locale_t *locale)
{
	size_t length = 0, bytes;
	uint32_t character;

	while (*text != '\0') {
		bytes = utf8_decode(text, &character);
		if (bytes == 0)
			return -EILSEQ;
		text += bytes;
		if (character == from)
			character = to;
		if (locale != NULL)
			character = upper(character, *locale);
		bytes = put_character(out + length, max - length, character);
		if (bytes == 0)
			return -ENAMETOOLONG;
		length += bytes;
	}
	return (int)length;
}

int smb2_put_text(uint8_t *out, size_t max, const char *text)
{
	return convert(out, max, text, 0, 0, NULL);
}

int smb2_put_path(uint8_t *out, size_t max, const char *path)
{
	const unsigned char *text = (const unsigned char *)path;
	size_t length;

	/* Convert ASCII, which most paths are, the fast way. */
	for (length = 0; max - length >= 2; length += 2, text++) {
		if (*text == '\0')
			return (int)length;
		if (*text >= 0x80)
			break;
		put_le16(out + length, *text == '/' ? '\\' : *text);
	}
	return convert(out, max, path, '/', '\\', NULL);
}

static bool is_ascii(const char *text)
{
	while (*text != '\0' && (unsigned char)*text < 0x80)
		text++;
	return *text == '\0';
}

int smb2_put_upper(uint8_t *out, size_t max, const char *text)
{
	locale_t locale = (locale_t)0;
	int rc;

	/* Making a locale takes more than 20 KiB of each user's memory, and
	 * most names don't need one. */
	if (is_ascii(text))
		return convert(out, max, text, 0, 0, &locale);
	/* The user's own locale might know ASCII only. */
	locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (locale == (locale_t)0)
		locale = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	if (locale == (locale_t)0)
		return -ENOMEM;
	rc = convert(out, max, text, 0, 0, &locale);
	freelocale(locale);
	return rc;
}

/* Read a character. Return the number of bytes, or 0 if it is invalid. */
static size_t get_character(const uint8_t *utf16, size_t bytes, uint32_t *character)
{
	uint32_t low;

	if (bytes < 2)
		return 0;
	*character = get_le16(utf16);
	if (*character == 0 || (*character & 0xfc00) == 0xdc00)
		return 0;
	if ((*character & 0xfc00) != 0xd800)
		return 2;
	if (bytes < 4)
		return 0;
	low = get_le16(utf16 + 2);
	if ((low & 0xfc00) != 0xdc00)
		return 0;
	*character = 0x10000 + ((*character & 0x3ff) << 10 | (low & 0x3ff));
	return 4;
}

int smb2_get_text(char *out, size_t max, const uint8_t *utf16, size_t bytes)
{
	size_t length = 0;

	while (bytes > 0) {
		uint32_t character;
		char encoded[4];
		size_t taken = get_character(utf16, bytes, &character);
		size_t size;

		if (taken == 0)
			return -EILSEQ;
		size = utf8_encode(encoded, character);
		if (size + length >= max)
			return -ENAMETOOLONG;
		memcpy(out + length, encoded, size);
		length += size;
		utf16 += taken;
		bytes -= taken;
	}
	if (max == 0)
		return -ENAMETOOLONG;
	out[length] = '\0';
	return (int)length;
}
