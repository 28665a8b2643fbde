/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SHA-256 of a file. Results identify a loadfile by it.
 */
#ifndef LOAD_DIGEST_H
#define LOAD_DIGEST_H

#include "base/error.h"

enum { DIGEST_TEXT = 65 };

/* Write the SHA-256 of a file to `text` in hex, like sha256sum(1). Return 0,
 * or -errno with `error` set. */
int digest_file(const char *path, char text[DIGEST_TEXT], struct error *error);

#endif
