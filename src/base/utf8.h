/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decode, encode and check UTF-8 (RFC 3629), and make text from files and
 * servers, which may be invalid, safe to print.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode the first character of a text into *character. Return its length in
 * bytes, or 0 if the text does not start with valid UTF-8; then *character is
 * the text's first byte.
 */
size_t utf8_decode(const char *text, uint32_t *character);

/* Encode a character, without a final NUL. Return its length in bytes. */
size_t utf8_encode(char out[4], uint32_t character);

/*
 * Is a character safe to print? False if it controls a terminal, ends a line,
 * changes the text direction, is invisible, or is not a Unicode character.
 */
bool utf8_is_plain(uint32_t character);

/*
 * Replace each character that is not safe to print, and each byte that is not
 * part of a valid character, by a question mark, in place. This is for text from
 * outside, such as names in files, in traces and on servers, before people see
 * it. doc/escape.h has it for streams.
 */
void utf8_mask(char *text);

bool utf8_is_valid(const char *text);

/*
 * Return a copy of a text as valid UTF-8, or NULL if there is no memory. If the
 * text is invalid anywhere, every byte above 0x7f becomes a question mark. The
 * caller frees the copy.
 */
char *utf8_copy(const char *text);

#endif
