/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the files in a user's map. Paths are relative to the target.
 * Directories are not listed: a name is one of a file.
 */
#ifndef VERIFY_CATALOG_H
#define VERIFY_CATALOG_H

#include "verify/map.h"

/* A name. */
struct catalog_name {
	arena_ref next; /* the next name in the same bucket */
	arena_ref file;
	uint32_t hash;
	/* Number of the change that made the name (map.h). 0: the directory
	 * was flushed since, so the name is durable. */
	uint32_t change;
	uint32_t length; /* of `text` */
	char text[];     /* with a NUL */
};

static inline struct catalog_name *catalog_name(const struct map *map,
						arena_ref name)
{
	return arena_at(&map->arena, name);
}

/* Return the name, or 0. */
arena_ref catalog_find(const struct map *map, const char *path);

/* Return a name that differs from `path` only in the case of ASCII letters, or
 * 0: servers may take both for one. */
arena_ref catalog_find_variant(const struct map *map, const char *path);

/* Give a file one more name, which the catalog must not have yet. Return false
 * if memory is short: the file is then unknown. */
bool catalog_add(struct map *map, const char *path, arena_ref file);

/* Remove a name, and its file if this was the last one and no handle is open.
 * Do nothing if the catalog does not have the name. */
void catalog_remove(struct map *map, const char *path);

/* Remove the names of all files below a directory. */
void catalog_remove_below(struct map *map, const char *directory);

/* Rename a name, which the catalog must have. */
void catalog_move(struct map *map, const char *from, const char *to);

/* Rename the names of all files below a directory. Return their number. */
unsigned catalog_move_below(struct map *map, const char *from, const char *to);

/* Exchange two names: files, or directories with all below them. */
void catalog_swap(struct map *map, const char *one, const char *other);

/* Return the name after `name` in no particular order, the first one for 0, or
 * 0 after the last one. The catalog must not change in between. */
arena_ref catalog_next(const struct map *map, arena_ref name);

/* Return a name of the file, or NULL. */
const char *catalog_name_of(const struct map *map, arena_ref file);

#endif
