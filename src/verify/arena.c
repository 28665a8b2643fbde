/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/arena.h"

#include <string.h>

/* Return the size class of a piece: it has 1 << class units. */
static unsigned class_of(size_t bytes)
{
	size_t units = (bytes + ARENA_UNIT - 1) / ARENA_UNIT;

	if (units <= 1)
		return 0;
	return 64 - (unsigned)__builtin_clzll(units - 1);
}

void arena_open(struct arena *arena, size_t head_bytes, size_t bytes)
{
	size_t units = bytes / ARENA_UNIT;

	arena->used = (uint32_t)((head_bytes + ARENA_UNIT - 1) / ARENA_UNIT);
	arena->limit = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
}

arena_ref arena_take(struct arena *arena, size_t bytes)
{
	unsigned class = class_of(bytes);
	arena_ref ref;

	if (class >= ARENA_SIZES)
		return 0;
	ref = arena->spare[class];
	if (ref != 0) {
		void *piece = arena_at(arena, ref);

		memcpy(&arena->spare[class], piece, sizeof(ref));
		memset(piece, 0, (size_t)ARENA_UNIT << class);
		return ref;
	}
	if (UINT32_C(1) << class > arena->limit - arena->used)
		return 0;
	ref = arena->used;
	arena->used += UINT32_C(1) << class;
	return ref;
}

void arena_give(struct arena *arena, arena_ref ref, size_t bytes)
{
	unsigned class = class_of(bytes);

	if (ref == 0)
		return;
	memcpy(arena_at(arena, ref), &arena->spare[class], sizeof(ref));
	arena->spare[class] = ref;
}
