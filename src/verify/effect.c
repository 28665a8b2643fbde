/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/effect.h"

#include "verify/track.h"
#include "words/operation.h"

/* Set a range to zeros, or to unknown content. */
static void set_range(struct map *map, struct map_file *file, uint64_t from, uint64_t to,
		      enum map_kind kind)
{
	file->stream = 0;
	map_set(map, file, from, to,
		(struct map_value){.kind = kind, .change = map_next_change(map)});
	file->stream = 0;
}

/* Some of a range may have been written. */
static void doubt_range(struct map *map, struct map_file *file, uint64_t from, uint64_t to)
{
	bool loose_end = file->loose_end || to > file->size;

	if (from >= to)
		return;
	set_range(map, file, from, to, MAP_UNKNOWN);
	file->loose_end = loose_end;
}

/* An operation that should have changed a file from `offset` on has failed. */
static void note_failure(struct map *map, struct map_file *file, uint64_t offset,
			 struct effect_result result)
{
	if (!track_is_refusal(result.rc))
		map_forget(map, file);
	else
		doubt_range(map, file, offset, offset + result.changed);
}

void effect_write(struct map *map, const struct effect_write *write, struct effect_result result)
{
	struct map_file *file = map_file(map, write->file);
	uint64_t done = result.rc > 0 ? (uint64_t)result.rc : 0;
	uint64_t changed = track_is_refusal(result.rc) ? result.changed : write->size;
	const struct map_value value = {
		.kind = MAP_DATA,
		.durable = write->stable,
		.change = write->change,
	};

	map->written_bytes += done;
	if (done > 0)
		map_set(map, file, write->offset, write->offset + done, value);
	doubt_range(map, file, write->offset + done, write->offset + changed);
}

void effect_flush(struct map *map, arena_ref ref, bool names, int64_t rc)
{
	struct map_file *file = map_file(map, ref);

	if (rc >= 0)
		map_flushed(map, file, names);
	else if (!track_is_refusal(rc))
		map_flush_failed(map, file);
}

void effect_truncate(struct map *map, arena_ref ref, uint64_t size, int64_t rc)
{
	struct map_file *file = map_file(map, ref);

	if (rc >= 0)
		map_resize(map, file, size);
	else if (!track_is_refusal(rc))
		map_forget(map, file);
}

void effect_allocate(struct map *map, arena_ref ref, uint64_t offset, uint64_t length,
		     unsigned mode, struct effect_result result)
{
	const unsigned keeping = ALLOCATE_KEEP_SIZE | ALLOCATE_PUNCH_HOLE;
	struct map_file *file = map_file(map, ref);
	const bool loose_end = file->loose_end;
	uint64_t end = offset + length;

	if (result.rc < 0) {
		note_failure(map, file, offset, result);
		return;
	}
	if ((mode & keeping) != 0 && end > file->size)
		end = file->size;
	if ((mode & (ALLOCATE_PUNCH_HOLE | ALLOCATE_ZERO)) != 0)
		set_range(map, file, offset, end, MAP_ZERO);
	else if (end > file->size)
		map_resize(map, file, end);
	/* Zeros up to the size that the map has do not prove this size. */
	if ((mode & keeping) != 0)
		file->loose_end = loose_end;
}

void effect_copy(struct map *map, arena_ref ref, uint64_t offset, struct effect_result result)
{
	struct map_file *file = map_file(map, ref);

	if (result.rc > 0)
		set_range(map, file, offset, offset + (uint64_t)result.rc, MAP_UNKNOWN);
	if (result.rc < 0)
		note_failure(map, file, offset, result);
}

void effect_clone(struct map *map, arena_ref ref, uint64_t offset, uint64_t bytes, int64_t rc)
{
	struct map_file *file = map_file(map, ref);

	if (rc >= 0 && bytes > 0)
		set_range(map, file, offset, offset + bytes, MAP_UNKNOWN);
	/* After bytes 0, its size is that of the other file. */
	else if (rc >= 0 || !track_is_refusal(rc))
		map_forget(map, file);
}
