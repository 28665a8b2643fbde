/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UTF-8 (RFC 3629) for text from outside, which may be any bytes.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode the first character of a text. Returns its length in bytes, or 0 with
 * the first byte in *character if it is not valid UTF-8.
 */
size_t utf8_decode(const char *text, uint32_t *character);

/*
 * Is a character safe to print? Not if it controls a terminal, ends a line,
 * changes the text direction, is invisible, or is not a character.
 */
bool utf8_is_plain(uint32_t character);

/*
 * Return a copy of a text as valid UTF-8, or NULL if there is no memory. If any
 * byte is invalid, all bytes from 0x80 on become question marks. The caller
 * frees it.
 */
char *utf8_copy(const char *text);

#endif
