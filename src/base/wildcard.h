/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Match file names against DOS and shell patterns, ignoring ASCII case, as a
 * file server does in a directory listing ([MS-FSA] 2.1.4.4):
 *   *  any characters        ?  any one character
 *   <  any characters up to the last period (DOS_STAR)
 *   >  any one character, or none at a period or at the end (DOS_QM)
 *   "  a period, or nothing at the end (DOS_DOT)
 */
#ifndef BASE_WILDCARD_H
#define BASE_WILDCARD_H

#include <stdbool.h>

/* Max length of a pattern that can match, as no file name is longer. */
enum { WILDCARD_PATTERN_MAX = 255 };

/* Does `text` contain at least one of the five wildcards? */
bool wildcard_is_pattern(const char *text);

/*
 * Does `name` match `pattern`? A pattern longer than WILDCARD_PATTERN_MAX
 * matches no name. In the worst case the time is proportional to the product of
 * the two lengths.
 */
bool wildcard_match(const char *pattern, const char *name);

#endif
