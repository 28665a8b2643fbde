/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that a target may take for one, because they differ only in the case of
 * letters. Targets agree on ASCII letters, but not on others and on accents, and
 * fold some of them to ASCII, as the Kelvin sign to k. So names with other
 * letters may be one unless the rest of them tells them apart.
 */
#ifndef BASE_LETTER_CASE_H
#define BASE_LETTER_CASE_H

#include <stdbool.h>

/* How a target treats names that differ only in the case of ASCII letters. */
enum letter_case {
	LETTER_CASE_UNKNOWN, /* they may be one or two */
	LETTER_CASE_IGNORED, /* they are one */
	LETTER_CASE_KEPT,    /* they are two, also with other letters */
};

/* Return the byte, or the lower-case letter of an ASCII letter. */
static inline unsigned char letter_case_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : (unsigned char)c;
}

/* Return whether all bytes of a path are ASCII. */
bool letter_case_is_ascii(const char *path);

/* Compare two paths, ignoring the case of ASCII letters only. */
bool letter_case_is_same(const char *one, const char *other);

/* If a path may be `top` or below it, return the rest of it, which is "" or
 * begins with '/'. Otherwise return NULL. */
const char *letter_case_rest(const char *path, const char *top);

#endif
