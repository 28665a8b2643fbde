/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is set aside before the users are forked, and handed out while
 * they play: an allocation is a few instructions and never calls the system.
 * Pieces are named by numbers instead of pointers, so the parent can read the
 * memory of a user that has died.
 *
 * A piece is a power of two of units. Each size has its own list of free
 * pieces.
 */
#ifndef VERIFY_ARENA_H
#define VERIFY_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { ARENA_UNIT = 16, ARENA_SIZES = 28 };

/* The number of a piece, in units from the beginning of the arena; 0: none. */
typedef uint32_t arena_ref;

/* The head of an arena, at the beginning of its memory. */
struct arena {
	uint32_t used, limit;         /* in units */
	arena_ref spare[ARENA_SIZES]; /* by size: the first free piece */
};

/* Prepare an arena of `bytes` bytes of zeroed memory, whose first `head_bytes`
 * the caller keeps: they begin with the struct arena. */
void arena_open(struct arena *arena, size_t head_bytes, size_t bytes);

/* Take a piece of at least `bytes` bytes, all 0. Return 0 if none is left. */
arena_ref arena_take(struct arena *arena, size_t bytes);

/* Give back a piece of the size with which it was taken. Piece 0 is ignored. */
void arena_give(struct arena *arena, arena_ref ref, size_t bytes);

static inline void *arena_at(const struct arena *arena, arena_ref ref)
{
	return (char *)arena + (size_t)ref * ARENA_UNIT;
}

#endif
