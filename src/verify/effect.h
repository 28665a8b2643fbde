/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Note in the user's map what operations on open files do to their content.
 */
#ifndef VERIFY_EFFECT_H
#define VERIFY_EFFECT_H

#include "verify/map.h"

/* A write, by handle or by name. */
struct effect_write {
	arena_ref file;
	uint64_t offset;
	uint64_t size;
	uint32_t change; /* its number */
	bool stable;     /* the data is durable */
};

/* The result of an operation: >= 0 or -errno. An operation that was refused may
 * nevertheless have changed the first `changed` bytes of its range. */
struct effect_result {
	int64_t rc;
	uint64_t changed;
};

/* A write has returned the number of bytes written, or -errno. */
void effect_write(struct map *map, const struct effect_write *write, struct effect_result result);

/* The following have returned `rc`: 0 or -errno. With `names`, a flush also makes
 * names durable. */
void effect_flush(struct map *map, arena_ref file, bool names, int64_t rc);
void effect_truncate(struct map *map, arena_ref file, uint64_t size, int64_t rc);
/* `mode`: as in backend.h. */
void effect_allocate(struct map *map, arena_ref file, uint64_t offset, uint64_t length,
		     unsigned mode, struct effect_result result);
/* Bytes were copied into the file, or an attempt has failed. */
void effect_copy(struct map *map, arena_ref file, uint64_t offset, struct effect_result result);
/* `bytes` 0: up to the end of the other file. */
void effect_clone(struct map *map, arena_ref file, uint64_t offset, uint64_t bytes, int64_t rc);

#endif
