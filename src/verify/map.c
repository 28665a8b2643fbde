/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/map.h"

#include <string.h>
#include <sys/mman.h>

enum {
	BLOCK_BYTES = 4096,
	CHUNK_BLOCKS = 16,
	CHUNK_BYTES = CHUNK_BLOCKS * BLOCK_BYTES,
	PARTS_MAX = 8,
	/* Memory set aside beside what the footprint needs. Pages that are not
	 * used cost nothing. */
	ROOM_BYTES = 64 << 20,
	/* Bytes of a file per byte of the map: a random write of one block
	 * takes 8 bytes of a table, and one of less than a block a list. */
	BYTES_PER_BYTE = 32,
	PAGE_BYTES = 4096,
};

/* A block. If the kind of state.now is MAP_PARTS, its change is the number of
 * the block's list of parts. */
struct block {
	struct map_state state;
};

/* A chunk of one state; or, if `blocks` is not 0, of CHUNK_BLOCKS blocks. */
struct chunk {
	struct map_state state;
	arena_ref blocks;
};

/* A block's parts, in ascending order. The last one ends with the block. */
struct parts {
	uint32_t count;
	struct part {
		uint32_t to;
		struct map_state state;
	} list[PARTS_MAX];
};

uint64_t map_bytes(uint64_t footprint_bytes)
{
	/* A block names its list of parts in 29 bits (map.h). */
	const uint64_t max = (uint64_t)MAP_CHANGES_MAX * ARENA_UNIT;
	uint64_t bytes = footprint_bytes / BYTES_PER_BYTE + ROOM_BYTES;

	return (bytes < max ? bytes : max) / PAGE_BYTES * PAGE_BYTES;
}

void *map_memory(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	return memory;
}

struct map *map_open(void *memory, uint64_t bytes)
{
	struct map *map = memory;

	map->bytes = bytes;
	arena_open(&map->arena, sizeof(*map), bytes);
	return map;
}

struct map *map_new(uint64_t footprint_bytes)
{
	uint64_t bytes = map_bytes(footprint_bytes);
	void *memory = map_memory(bytes);

	return memory == NULL ? NULL : map_open(memory, bytes);
}

void map_free(struct map *map)
{
	if (map != NULL)
		munmap(map, map->bytes);
}

static struct chunk *chunks_of(const struct map *map, const struct map_file *file)
{
	return arena_at(&map->arena, file->chunks);
}

static struct block *blocks_of(const struct map *map, const struct chunk *chunk)
{
	return arena_at(&map->arena, chunk->blocks);
}

static struct parts *parts_of(const struct map *map, const struct block *block)
{
	return arena_at(&map->arena, block->state.now.change);
}

static bool has_parts(const struct block *block)
{
	return block->state.now.kind == MAP_PARTS;
}

static bool same_value(struct map_value one, struct map_value other)
{
	return one.kind == other.kind && one.change == other.change && one.durable == other.durable;
}

static bool same_state(const struct map_state *one, const struct map_state *other)
{
	return same_value(one->now, other->now) && same_value(one->before, other->before);
}

arena_ref map_add_file(struct map *map)
{
	arena_ref ref = arena_take(&map->arena, sizeof(struct map_file));

	if (ref == 0)
		map->full = true;
	return ref;
}

static void free_block(struct map *map, struct block *block)
{
	if (has_parts(block))
		arena_give(&map->arena, block->state.now.change, sizeof(struct parts));
}

static void free_blocks(struct map *map, struct chunk *chunk)
{
	unsigned i;

	if (chunk->blocks == 0)
		return;
	for (i = 0; i < CHUNK_BLOCKS; i++)
		free_block(map, &blocks_of(map, chunk)[i]);
	arena_give(&map->arena, chunk->blocks, CHUNK_BLOCKS * sizeof(struct block));
	chunk->blocks = 0;
}

/* Free the chunks from number `first` on: they are a hole again. */
static void free_chunks(struct map *map, struct map_file *file, uint64_t first)
{
	struct chunk *chunks = chunks_of(map, file);
	uint64_t i;

	for (i = first; i < file->chunk_count; i++) {
		free_blocks(map, &chunks[i]);
		chunks[i] = (struct chunk){0};
	}
}

static void free_table(struct map *map, struct map_file *file)
{
	free_chunks(map, file, 0);
	arena_give(&map->arena, file->chunks, file->chunk_count * sizeof(struct chunk));
	file->chunks = 0;
	file->chunk_count = 0;
}

void map_drop_file(struct map *map, arena_ref ref)
{
	struct map_file *file = map_file(map, ref);

	if (file->names > 0 || file->handles > 0)
		return;
	free_table(map, file);
	arena_give(&map->arena, ref, sizeof(*file));
}

void map_forget(struct map *map, struct map_file *file)
{
	free_table(map, file);
	file->unknown = true;
	file->stream = 0;
}

uint32_t map_next_change(struct map *map)
{
	/* After half a billion changes, the rest shares the last number, and
	 * stays unknown (map_set). */
	if (map->change < MAP_CHANGES_MAX)
		map->change++;
	return map->change;
}

uint32_t map_next_write(struct map *map, struct map_file *file, uint64_t from, uint64_t to)
{
	if (file->stream == 0 || file->stream_end != from)
		file->stream = map_next_change(map);
	file->stream_end = to;
	return file->stream;
}

uint32_t map_begin_flush(const struct map *map, struct map_file *file)
{
	/* The next write is not covered, so it needs a number of its own. */
	file->stream = 0;
	return map->change;
}

void map_flushed(struct map_file *file, uint32_t last, bool names)
{
	if (last > file->flushed)
		file->flushed = last;
	if (names && last > file->synced)
		file->synced = last;
}

/* Return the durable content that a range of this state may still have after
 * it is overwritten. */
static struct map_value before_of(const struct map_file *file, const struct map_state *state)
{
	return map_is_durable(file, state->now) ? state->now : state->before;
}

/* Overwrite a range of one state. */
static void set_state(const struct map_file *file, struct map_state *state, struct map_value value)
{
	state->before = before_of(file, state);
	state->now = value;
}

static const struct map_value unknown = {.kind = MAP_UNKNOWN};

/* Make room for chunk number `index` in the file's table. */
static bool grow_table(struct map *map, struct map_file *file, uint64_t index)
{
	uint64_t count = file->chunk_count > 0 ? file->chunk_count : 1;
	arena_ref chunks;

	if (index < file->chunk_count)
		return true;
	while (count <= index && count < UINT32_MAX / 2)
		count *= 2;
	chunks = count > index ? arena_take(&map->arena, count * sizeof(struct chunk)) : 0;
	if (chunks == 0)
		return false;
	if (file->chunk_count > 0)
		memcpy(arena_at(&map->arena, chunks), chunks_of(map, file),
		       file->chunk_count * sizeof(struct chunk));
	arena_give(&map->arena, file->chunks, file->chunk_count * sizeof(struct chunk));
	file->chunks = chunks;
	file->chunk_count = (uint32_t)count;
	return true;
}

/* Append a part to a list under construction; join it with an equal one. */
static unsigned append(struct part *list, unsigned count, uint32_t from, uint32_t to,
		       const struct map_state *state)
{
	if (from >= to)
		return count;
	if (count > 0 && same_state(&list[count - 1].state, state)) {
		list[count - 1].to = to;
		return count;
	}
	list[count] = (struct part){.to = to, .state = *state};
	return count + 1;
}

/*
 * Overwrite a range of a list of parts. `out` has room for two parts more than
 * the list. Return the number of parts.
 */
static unsigned overwrite(const struct map_file *file, const struct parts *parts, struct part *out,
			  uint32_t from, uint32_t to, struct map_value value)
{
	unsigned count = 0, i;
	uint32_t begin = 0;

	for (i = 0; i < parts->count; i++) {
		const struct part *part = &parts->list[i];
		struct map_state state = part->state;
		uint32_t low = from > begin ? from : begin;
		uint32_t high = to < part->to ? to : part->to;

		set_state(file, &state, value);
		if (low >= high) {
			count = append(out, count, begin, part->to, &part->state);
		} else {
			count = append(out, count, begin, low, &part->state);
			count = append(out, count, low, high, &state);
			count = append(out, count, high, part->to, &part->state);
		}
		begin = part->to;
	}
	return count;
}

/* Overwrite a part of a block. */
static void split_block(struct map *map, const struct map_file *file, struct block *block,
			uint32_t from, uint32_t to, struct map_value value)
{
	struct parts one = {.count = 1, .list = {{.to = BLOCK_BYTES, .state = block->state}}};
	struct part list[PARTS_MAX + 2];
	unsigned count = overwrite(file, has_parts(block) ? parts_of(map, block) : &one, list, from,
				   to, value);
	struct parts *parts;
	arena_ref ref;

	if (count == 1 || count > PARTS_MAX) {
		free_block(map, block);
		block->state = count == 1 ? list[0].state : (struct map_state){unknown, unknown};
		return;
	}
	ref = has_parts(block) ? block->state.now.change : arena_take(&map->arena, sizeof(*parts));
	if (ref == 0) {
		map->full = true;
		block->state = (struct map_state){unknown, unknown};
		return;
	}
	parts = arena_at(&map->arena, ref);
	parts->count = count;
	memcpy(parts->list, list, count * sizeof(*list));
	block->state.now.kind = MAP_PARTS;
	block->state.now.change = ref;
}

/* Overwrite a whole block. */
static void set_block(struct map *map, const struct map_file *file, struct block *block,
		      struct map_value value)
{
	if (!has_parts(block)) {
		set_state(file, &block->state, value);
		return;
	}
	free_block(map, block);
	block->state = (struct map_state){value, unknown};
}

/* Give a chunk of one state a table of blocks. */
static bool divide(struct map *map, struct chunk *chunk)
{
	unsigned i;

	if (chunk->blocks != 0)
		return true;
	chunk->blocks = arena_take(&map->arena, CHUNK_BLOCKS * sizeof(struct block));
	if (chunk->blocks == 0)
		return false;
	for (i = 0; i < CHUNK_BLOCKS; i++)
		blocks_of(map, chunk)[i].state = chunk->state;
	return true;
}

/* Overwrite a part of a chunk. */
static void set_blocks(struct map *map, const struct map_file *file, struct chunk *chunk,
		       uint32_t from, uint32_t to, struct map_value value)
{
	uint32_t at, end;

	if (!divide(map, chunk)) {
		map->full = true;
		chunk->state = (struct map_state){unknown, unknown};
		return;
	}
	for (at = from; at < to; at = end) {
		struct block *block = blocks_of(map, chunk) + at / BLOCK_BYTES;
		uint32_t low = at % BLOCK_BYTES;
		uint32_t high = BLOCK_BYTES;

		end = at - low + BLOCK_BYTES;
		if (end > to) {
			high -= end - to;
			end = to;
		}
		if (low == 0 && high == BLOCK_BYTES)
			set_block(map, file, block, value);
		else
			split_block(map, file, block, low, high, value);
	}
}

/* Overwrite a whole chunk. */
static void set_chunk(struct map *map, const struct map_file *file, struct chunk *chunk,
		      struct map_value value)
{
	if (chunk->blocks == 0) {
		set_state(file, &chunk->state, value);
		return;
	}
	free_blocks(map, chunk);
	chunk->state = (struct map_state){value, unknown};
}

/* Set a range of a file whose size contains it. */
static void set_range(struct map *map, struct map_file *file, uint64_t from, uint64_t to,
		      struct map_value value)
{
	uint64_t at, end;

	/* Bytes after the end of the file are no one's, so the last chunk and
	 * the last block count as whole. */
	if (to == file->size)
		to = (to + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
	if (from >= to)
		return;
	if (!grow_table(map, file, (to - 1) / CHUNK_BYTES)) {
		map->full = true;
		map_forget(map, file);
		return;
	}
	for (at = from; at < to; at = end) {
		struct chunk *chunk = chunks_of(map, file) + at / CHUNK_BYTES;
		uint32_t low = (uint32_t)(at % CHUNK_BYTES);
		uint32_t high = CHUNK_BYTES;

		end = at - low + CHUNK_BYTES;
		if (end > to && to >= file->size) {
			end = to;
		} else if (end > to) {
			high -= (uint32_t)(end - to);
			end = to;
		}
		if (low == 0 && high == CHUNK_BYTES)
			set_chunk(map, file, chunk, value);
		else
			set_blocks(map, file, chunk, low, high, value);
	}
}

void map_prefetch(const struct map *map, const struct map_file *file, uint64_t offset)
{
	uint64_t index = offset / CHUNK_BYTES;
	const struct chunk *chunk;

	if (index >= file->chunk_count)
		return;
	chunk = chunks_of(map, file) + index;
	if (chunk->blocks != 0)
		__builtin_prefetch(blocks_of(map, chunk) + offset % CHUNK_BYTES / BLOCK_BYTES);
}

/* Extend the file to `size` by zeros. */
static void extend(struct map *map, struct map_file *file, uint64_t size)
{
	uint64_t from = file->size;

	file->size = size;
	set_range(map, file, from, size,
		  (struct map_value){.kind = MAP_ZERO, .change = map_next_change(map)});
}

void map_set(struct map *map, struct map_file *file, uint64_t from, uint64_t to,
	     struct map_value value)
{
	if (file->unknown || from >= to)
		return;
	if (from > file->size)
		extend(map, file, from);
	if (to >= file->size && value.kind != MAP_UNKNOWN)
		file->loose_end = false;
	if (to > file->size) {
		file->size = to;
		file->resized = value.change;
	}
	if (map->change == MAP_CHANGES_MAX)
		value.kind = MAP_UNKNOWN;
	set_range(map, file, from, to, value);
}

void map_resize(struct map *map, struct map_file *file, uint64_t size)
{
	if (file->unknown || (size == file->size && !file->loose_end))
		return;
	file->stream = 0;
	file->loose_end = false;
	if (size > file->size) {
		extend(map, file, size);
		file->resized = map->change;
		return;
	}
	file->resized = file->cut = map_next_change(map);
	file->size = size;
	free_chunks(map, file, (size + CHUNK_BYTES - 1) / CHUNK_BYTES);
}

/* Find the state at an offset of a chunk, and the end of its part. */
static const struct map_state *state_at(const struct map *map, const struct chunk *chunk,
					uint32_t offset, uint32_t *to)
{
	const struct block *block;
	const struct part *part;

	*to = CHUNK_BYTES;
	if (chunk->blocks == 0)
		return &chunk->state;
	block = blocks_of(map, chunk) + offset / BLOCK_BYTES;
	*to = offset / BLOCK_BYTES * BLOCK_BYTES + BLOCK_BYTES;
	if (!has_parts(block))
		return &block->state;
	part = parts_of(map, block)->list;
	while (part->to <= offset % BLOCK_BYTES)
		part++;
	*to += part->to - BLOCK_BYTES;
	return &part->state;
}

struct map_run map_run(const struct map *map, const struct map_file *file, uint64_t from,
		       uint64_t to)
{
	static const struct chunk hole;
	struct map_run run = {.from = from, .to = from};

	while (run.to < to) {
		uint64_t index = run.to / CHUNK_BYTES;
		const struct chunk *chunk = index < file->chunk_count ? chunks_of(map, file) + index
								      : &hole;
		const struct map_state *state;
		uint32_t end;

		state = state_at(map, chunk, (uint32_t)(run.to % CHUNK_BYTES), &end);
		if (run.to == from)
			run.state = *state;
		else if (!same_state(&run.state, state))
			break;
		run.to = index * CHUNK_BYTES + end;
	}
	if (run.to > to)
		run.to = to;
	return run;
}

void map_flush_failed(struct map *map, struct map_file *file)
{
	struct map_run run;
	uint64_t at;

	file->stream = 0;
	for (at = 0; at < file->size; at = run.to) {
		run = map_run(map, file, at, file->size);
		if (!map_is_durable(file, run.state.now))
			map_set(map, file, run.from, run.to,
				(struct map_value){.kind = MAP_UNKNOWN,
						   .change = map_next_change(map)});
	}
	file->stream = 0;
}
