/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts for files that have to be UTF-8: paths and names are any bytes.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/*
 * A copy of the text, to be freed. Where it is no UTF-8, what is not ASCII in
 * it gives way to question marks. Returns NULL: no memory.
 */
char *utf8_copy(const char *text);

#endif
