/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts that come from outside, which may be any bytes, as UTF-8 (RFC 3629).
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode the character at the begin of a text. Return its length in bytes; 0
 * if these bytes are not UTF-8, where `*character` is the first of them.
 */
size_t utf8_decode(const char *text, uint32_t *character);

/*
 * Can a character be shown as it is? Not if it steers a terminal, ends a line,
 * turns the direction of the text around it, is invisible, or is none.
 */
bool utf8_is_plain(uint32_t character);

/*
 * Return a copy of a text for a format that must be UTF-8: if any byte is not,
 * all bytes from 0x80 on become question marks. The caller frees it. NULL: no
 * memory.
 */
char *utf8_copy(const char *text);

#endif
