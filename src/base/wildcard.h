/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOS and shell patterns against file names, as a file server matches them in
 * a directory listing ([MS-FSA] 2.1.4.4), without regard to ASCII case:
 *   *  any characters        ?  any one character
 *   <  any characters up to the last period (DOS_STAR)
 *   >  any one character, or none at a period or at the end (DOS_QM)
 *   "  a period, or nothing at the end (DOS_DOT)
 */
#ifndef BASE_WILDCARD_H
#define BASE_WILDCARD_H

#include <stdbool.h>

/* The longest pattern that can match; no file name is longer. */
enum { WILDCARD_PATTERN_MAX = 255 };

/* Does `text` hold any of the five? */
bool wildcard_is_pattern(const char *text);

/*
 * Does `name` match `pattern`? Takes time in proportion to the product of
 * their lengths, whatever they are. A pattern longer than
 * WILDCARD_PATTERN_MAX matches nothing.
 */
bool wildcard_match(const char *pattern, const char *name);

#endif
