/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's map: which of its writes is valid where in its files. A map is
 * keyed by file, not by name, since a file may have several names or none
 * (verify/catalog.h has the names).
 *
 * Each change of a file's content has a number, from 1, in the order of the
 * user's changes. Consecutive writes to consecutive bytes share one number: as
 * each of them begins where the last one ended, an offset and a number still
 * name one write only.
 *
 * A file is a table of chunks, each either of one state or a table of blocks,
 * each either of one state or a short list of parts. A block of more parts than
 * fit becomes unknown. All memory is set aside before the fork, and is shared
 * with the parent, which reads the map after the user has died.
 */
#ifndef VERIFY_MAP_H
#define VERIFY_MAP_H

#include "verify/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum map_kind {
	MAP_ZERO,    /* zeros: a hole, or a part that a truncate added */
	MAP_DATA,    /* what the change with this number wrote */
	MAP_UNKNOWN, /* a write failed, or the map has no memory left */
	MAP_PARTS,   /* in tables only: see struct block */
};

enum {
	MAP_CHANGES_MAX = (1 << 29) - 1,
	MAP_FREED_BITS = 1 << 15,
	MAP_LANES = 64, /* max number of lanes of a user (verify/flight.h) */
};

/* The content of a range. */
struct map_value {
	uint32_t kind : 2;    /* enum map_kind */
	uint32_t durable : 1; /* durable when the write returned */
	uint32_t change : 29; /* the number of the change; 0: the file is new */
};

/* The content of a range now, and the last durable content before it. */
struct map_state {
	struct map_value now, before;
};

/* A file. */
struct map_file {
	uint64_t size;
	uint64_t stream_end; /* where the last write that has begun ends */
	arena_ref chunks;    /* the table of chunks */
	uint32_t chunk_count;
	uint32_t names, handles; /* number of names and of open handles */
	/* Number of open handles that remove the file when they are closed. The
	 * target closes them if the user dies. */
	uint32_t deleting;
	uint32_t stream;  /* number of the last write; 0: none */
	uint32_t flushed; /* number of the last change that a flush covers */
	uint32_t synced;  /* ... a flush that also makes names durable */
	uint32_t resized; /* number of the last change of the size */
	uint32_t cut;     /* number of the last cut; 0: never cut */
	bool unknown;     /* nothing is known of its content and its size */
	bool loose_end;   /* a write at its end failed: it may be shorter */
	bool read_back;   /* the final read-back has read it */
	bool barred;      /* the load may have taken away the right to read it */
};

/* The operation that a lane of a user is in (verify/flight.h). Nobody knows the
 * outcome of a change if the user dies. */
struct map_pending {
	arena_ref file;    /* 0: none */
	uint64_t from, to; /* the bytes that it uses; UINT64_MAX: up to any end */
	uint32_t change;   /* the number of a write */
	bool reads;        /* it changes nothing */
	/* If the user dies, nothing is known of `file` and `other`, or of any
	 * file. False: only the bytes are unknown. */
	bool whole, all;
	arena_ref other;
};

struct map {
	struct arena arena; /* must be first */
	size_t bytes;       /* size of the mapping */
	uint32_t change;    /* number of the last change */
	bool full;          /* files or ranges are unknown for lack of memory */
	struct map_pending pending[MAP_LANES];
	/* Not 0 while the user changes the map. If it dies then, the parent
	 * cannot use the map. */
	uint32_t changing;
	/* The names (verify/catalog.h). */
	arena_ref buckets;
	uint32_t bucket_count, name_count;
	uint32_t tree_count;  /* names of kind CATALOG_TREE */
	uint32_t other_names; /* names with bytes that are not ASCII */
	uint32_t letter_case; /* enum letter_case (base/letter_case.h) */
	/* Hashes of names that were removed, modulo the number of bits. */
	unsigned char freed[MAP_FREED_BITS / 8];
	/* Bytes read, bytes of these that were compared, and bytes written. */
	uint64_t read_bytes, compared_bytes, written_bytes;
	uint64_t read_back_bytes; /* compared by the final read-back */
	/* Files that could not be read back for lack of permission. */
	uint64_t unreadable_files, unreadable_bytes;
};

/* Return the size of a map for files of up to `footprint_bytes`, in whole
 * pages. */
uint64_t map_bytes(uint64_t footprint_bytes);

/* Map zeroed memory that a process shares with the children that it forks. The
 * kernel assigns pages as they are used. Return NULL if memory is short. */
void *map_memory(uint64_t bytes);

/* Make a map in `bytes` bytes of such memory. */
struct map *map_open(void *memory, uint64_t bytes);

/* Make a map in memory of its own. Return NULL if memory is short. */
struct map *map_new(uint64_t footprint_bytes);
void map_free(struct map *map);

/* Return the memory that the map has used, in bytes. */
static inline uint64_t map_bytes_used(const struct map *map)
{
	return (uint64_t)map->arena.used * ARENA_UNIT;
}

static inline struct map_file *map_file(const struct map *map, arena_ref file)
{
	return arena_at(&map->arena, file);
}

/* Begin to change the map. */
static inline void map_note(struct map *map)
{
	map->changing = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* End a change of the map. */
static inline void map_noted(struct map *map)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	map->changing = 0;
}

/* Make an empty file. Return 0 if memory is short. */
arena_ref map_add_file(struct map *map);

/* Remove the file if it has neither a name nor an open handle. */
void map_drop_file(struct map *map, arena_ref file);

/* Return the number for a write that begins: that of the file's last write if
 * that one ends where it begins, or else a new one. */
uint32_t map_next_write(struct map *map, struct map_file *file, uint64_t from, uint64_t to);

/* Return a number for a change that is no write. */
uint32_t map_next_change(struct map *map);

/* Load the map's entry for an offset into the cache. Called before a write, so
 * that the memory answers while the target does. */
void map_prefetch(const struct map *map, const struct map_file *file, uint64_t offset);

/* Set the content of a range, and extend the file to its end. Bytes between the
 * old end and `from` become zeros. */
void map_set(struct map *map, struct map_file *file, uint64_t from, uint64_t to,
	     struct map_value value);

/* Cut the file, or extend it by zeros. */
void map_resize(struct map *map, struct map_file *file, uint64_t size);

/* Nothing is known of the file any more. */
void map_forget(struct map *map, struct map_file *file);

/* A flush of the file begins. Return the number of the last change that has been
 * made. */
uint32_t map_begin_flush(const struct map *map, struct map_file *file);

/* A flush of the file has succeeded, so that its changes up to number `last` are
 * durable, and with `names` also its names. */
void map_flushed(struct map_file *file, uint32_t last, bool names);

/* A flush of the file has failed: what was not durable is unknown, and a later
 * flush does not cover it. */
void map_flush_failed(struct map *map, struct map_file *file);

/* Is a value of this file durable? */
static inline bool map_is_durable(const struct map_file *file, struct map_value value)
{
	return value.durable != 0 || value.change <= file->flushed;
}

/* A range of one state. */
struct map_run {
	uint64_t from, to;
	struct map_state state;
};

/* Return the run that begins at `from`, at most up to `to`. */
struct map_run map_run(const struct map *map, const struct map_file *file, uint64_t from,
		       uint64_t to);

#endif
