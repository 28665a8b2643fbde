/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convert names between UTF-8 and UTF-16, little-endian, as SMB2 and NTLM use it.
 */
#ifndef SMB2CLIENT_TEXT_H
#define SMB2CLIENT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Write a UTF-8 text as UTF-16, without a NUL. Return its length in bytes,
 * -EILSEQ if the text is not valid UTF-8, or -ENAMETOOLONG if it does not fit
 * into `max` bytes.
 */
int smb2_put_text(uint8_t *out, size_t max, const char *text);

/* The same for a text in upper case. */
int smb2_put_upper(uint8_t *out, size_t max, const char *text);

/* The same for a path, whose slashes become backslashes. */
int smb2_put_path(uint8_t *out, size_t max, const char *path);

/*
 * Convert a UTF-16 text from the server to UTF-8 with a NUL. Return its length
 * in bytes, -EILSEQ for half a surrogate pair or a NUL character, or
 * -ENAMETOOLONG if it does not fit into `max` bytes.
 */
int smb2_get_text(char *out, size_t max, const uint8_t *utf16, size_t bytes);

#endif
