/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of encrypted SMB sessions, from the log of an smbd with "debug encryption
 * = yes", or from lines "SESSION-ID KEY" in hexadecimal.
 */
#ifndef CAPTURE_DECODE_KEYS_H
#define CAPTURE_DECODE_KEYS_H

#include "base/error.h"

#include <stddef.h>

struct session_key {
	/* In hexadecimal: the ID's bytes as in packets; 16 or 32 bytes. */
	char session[2 * 8 + 1], key[2 * 32 + 1];
	unsigned line; /* of the file */
};

struct session_keys {
	struct session_key *list; /* allocated */
	size_t count, room;
};

/* Read a file. Return 0, or -errno with `error` set if it cannot be read, has no
 * key, or one of a wrong size. Messages never contain keys. */
int session_keys_read(struct session_keys *keys, const char *path, struct error *error);

#endif
