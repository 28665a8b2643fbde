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

/* A write has returned `rc`: the number of bytes written, or -errno. */
void effect_write(struct map *map, const struct effect_write *write,
		  int64_t rc);

/* The following have returned `rc`: 0 or -errno. `mode`: as in backend.h. With
 * `names`, a flush also makes names durable. */
void effect_flush(struct map *map, arena_ref file, bool names, int64_t rc);
void effect_truncate(struct map *map, arena_ref file, uint64_t size,
		     int64_t rc);
void effect_allocate(struct map *map, arena_ref file, uint64_t offset,
		     uint64_t length, unsigned mode, int64_t rc);
/* Bytes were copied into the file, or an attempt has failed. */
void effect_copy(struct map *map, arena_ref file, uint64_t offset, int64_t rc);
/* `bytes` 0: up to the end of the other file. */
void effect_clone(struct map *map, arena_ref file, uint64_t offset,
		  uint64_t bytes, int64_t rc);

#endif
