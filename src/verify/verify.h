/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verification of a point: the memory that its users share with the parent,
 * which opens it before it forks the users, and reads it when they have ended.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "verify/difference.h"

enum { VERIFY_DIFFERENCES = 8 }; /* max number of differences described */

/* The differences that all users have found. */
struct verify_found {
	uint32_t count; /* of all; the first ones are in `list` */
	struct {
		uint32_t complete; /* `difference` is filled in */
		struct difference difference;
	} list[VERIFY_DIFFERENCES];
};

struct verify {
	struct content *content;
	struct map **maps;  /* one per user of this process */
	char *memory;       /* of all maps */
	uint64_t map_bytes; /* size of a map */
	unsigned users;
	unsigned first_user; /* number of the first one in the whole run */
	struct verify_found *found;
	/* Paths below users' directories that other users' programs name, ended
	 * by NULL. They, and all files below them, are left out. Owned by the
	 * caller. */
	const char *const *left_out;
};

/* The size of a verification. */
struct verify_size {
	unsigned users, first_user;
	uint64_t footprint_bytes; /* of a user: the max of all loads */
	uint32_t io_bytes_max;    /* max size of a read or write */
	const uint64_t *fixed;    /* as for content_new */
};

/* Set aside the memory of a point and draw its nonce. Return 0, or -ENOMEM or
 * another -errno. Call verify_close in either case. */
int verify_open(struct verify *verify, const struct verify_size *size);
void verify_close(struct verify *verify);

/* Find out where the bytes of the differences are from, when all users have
 * ended. */
void verify_search(const struct verify *verify);

/* Add a difference to the list of all users. Return the number of differences
 * so far. */
uint32_t verify_add(const struct verify *verify, const struct difference *difference);

#endif
