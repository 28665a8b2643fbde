/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the files in a user's map, and what is known of other names. Paths
 * are relative to the target. A name that the catalog does not have, and that is
 * not below a tree, is one of a directory or does not exist.
 */
#ifndef VERIFY_CATALOG_H
#define VERIFY_CATALOG_H

#include "verify/map.h"

enum catalog_kind {
	CATALOG_FILE,
	/* A file or a directory. Nothing is known of it and of the names below
	 * it. */
	CATALOG_TREE,
	/* A directory. All names of files below it are in the catalog. */
	CATALOG_DIRECTORY,
};

/* A name. */
struct catalog_name {
	arena_ref next; /* the next name in the same bucket */
	arena_ref file; /* 0: a directory */
	uint32_t hash;
	uint32_t kind; /* enum catalog_kind */
	/* Number of the change that made the name (map.h). 0: the directory
	 * was flushed since, so the name is durable. */
	uint32_t change;
	uint32_t length; /* of `text` */
	bool reused;     /* another file may have had this name before */
	char text[];     /* with a NUL */
};

static inline struct catalog_name *catalog_name(const struct map *map, arena_ref name)
{
	return arena_at(&map->arena, name);
}

/* Return the name, or 0. */
arena_ref catalog_find(const struct map *map, const char *path);

/* Return whether the target takes both paths for one. */
bool catalog_is_same(const struct map *map, const char *one, const char *other);

/* Forget all files with other names that the target may take for `path`
 * (base/letter_case.h) or, with `below`, for one below it. Return whether there
 * are any. */
bool catalog_doubt(struct map *map, const char *path, bool below);

/* Give a file one more name, which the catalog must not have yet. If the target
 * may take it for another name, forget the files of both. Return false if memory
 * is short: the file is then unknown. */
bool catalog_add(struct map *map, const char *path, arena_ref file);

/* The same for a name of any kind. A tree has a file, which is unknown. */
bool catalog_add_kind(struct map *map, const char *path, enum catalog_kind kind, arena_ref file);

/* Turn a name of an unknown file into a tree. */
void catalog_set_tree(struct map *map, arena_ref name);

/* Remove a name, and its file if this was the last one and no handle is open.
 * Do nothing if the catalog does not have the name. */
void catalog_remove(struct map *map, const char *path);

/* Remove all names below a directory, or those that are not of kind
 * CATALOG_FILE. */
void catalog_remove_below(struct map *map, const char *directory);
void catalog_remove_others_below(struct map *map, const char *directory);

/* Rename a name. Do nothing if the catalog does not have it. */
void catalog_move(struct map *map, const char *from, const char *to);

/* Rename all names below a directory. Return their number. */
unsigned catalog_move_below(struct map *map, const char *from, const char *to);

/* Exchange two names: files, or directories with all below them. */
void catalog_swap(struct map *map, const char *one, const char *other);

/* Return the name of kind CATALOG_FILE after `name` in no particular order, the
 * first one for 0, or 0 after the last one. The catalog must not change in
 * between. */
arena_ref catalog_next(const struct map *map, arena_ref name);

/* Return a name of the file, or NULL. */
const char *catalog_name_of(const struct map *map, arena_ref file);

#endif
