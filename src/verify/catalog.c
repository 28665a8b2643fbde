/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/catalog.h"

#include "base/letter_case.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BUCKETS_MIN = 64 };

/* Return the hash of a name (FNV-1a), the same for both cases of letters. */
static uint32_t hash_of(const char *path)
{
	uint32_t hash = 2166136261u;

	for (; *path != '\0'; path++)
		hash = (hash ^ letter_case_fold(*path)) * 16777619u;
	return hash;
}

static arena_ref *bucket_of(const struct map *map, uint32_t hash)
{
	arena_ref *buckets = arena_at(&map->arena, map->buckets);

	return &buckets[hash & (map->bucket_count - 1)];
}

static size_t name_bytes(size_t length)
{
	return sizeof(struct catalog_name) + length + 1;
}

bool catalog_is_same(const struct map *map, const char *one, const char *other)
{
	return map->letter_case == LETTER_CASE_IGNORED ? letter_case_is_same(one, other)
						       : strcmp(one, other) == 0;
}

arena_ref catalog_find(const struct map *map, const char *path)
{
	uint32_t hash = hash_of(path);
	arena_ref name = map->bucket_count > 0 ? *bucket_of(map, hash) : 0;

	while (name != 0) {
		const struct catalog_name *entry = catalog_name(map, name);

		if (entry->hash == hash && catalog_is_same(map, entry->text, path))
			break;
		name = entry->next;
	}
	return name;
}

static void link_name(struct map *map, arena_ref name)
{
	struct catalog_name *entry = catalog_name(map, name);
	arena_ref *bucket = bucket_of(map, entry->hash);

	entry->next = *bucket;
	*bucket = name;
}

static void unlink_name(struct map *map, arena_ref name)
{
	arena_ref *at = bucket_of(map, catalog_name(map, name)->hash);

	while (*at != name)
		at = &catalog_name(map, *at)->next;
	*at = catalog_name(map, name)->next;
}

/* Double the number of buckets. Return false if memory is short and there is
 * none at all. */
static bool grow(struct map *map)
{
	uint32_t count = map->bucket_count > 0 ? map->bucket_count * 2 : BUCKETS_MIN;
	uint32_t old_count = map->bucket_count, i;
	arena_ref *old = arena_at(&map->arena, map->buckets);
	arena_ref old_buckets = map->buckets, buckets;

	if (map->name_count < map->bucket_count)
		return true;
	buckets = arena_take(&map->arena, count * sizeof(*old));
	if (buckets == 0)
		return map->bucket_count > 0;
	map->buckets = buckets;
	map->bucket_count = count;
	for (i = 0; i < old_count; i++) {
		arena_ref name = old[i];

		while (name != 0) {
			arena_ref next = catalog_name(map, name)->next;

			link_name(map, name);
			name = next;
		}
	}
	arena_give(&map->arena, old_buckets, old_count * sizeof(*old));
	return true;
}

/* Return whether `path` is below the directory. */
static bool is_below(const struct map *map, const char *path, const char *directory)
{
	const bool folds = map->letter_case == LETTER_CASE_IGNORED;

	for (; *directory != '\0'; path++, directory++)
		if (*path != *directory &&
		    (!folds || letter_case_fold(*path) != letter_case_fold(*directory)))
			return false;
	return *path == '/';
}

/* Return the next name of any kind. */
static arena_ref next_name(const struct map *map, arena_ref name)
{
	arena_ref *buckets = arena_at(&map->arena, map->buckets);
	uint32_t bucket = 0;

	if (map->bucket_count == 0)
		return 0;
	if (name != 0) {
		const struct catalog_name *entry = catalog_name(map, name);

		if (entry->next != 0)
			return entry->next;
		bucket = (entry->hash & (map->bucket_count - 1)) + 1;
	}
	while (bucket < map->bucket_count && buckets[bucket] == 0)
		bucket++;
	return bucket < map->bucket_count ? buckets[bucket] : 0;
}

bool catalog_doubt(struct map *map, const char *path, bool below)
{
	const bool ascii = map->other_names == 0 && letter_case_is_ascii(path);
	arena_ref name = 0;
	bool found = false;

	if (map->letter_case == LETTER_CASE_KEPT ||
	    (map->letter_case == LETTER_CASE_IGNORED && ascii))
		return false;
	while ((name = next_name(map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(map, name);
		const char *rest = letter_case_rest(entry->text, path);

		if (entry->kind == CATALOG_TREE && !catalog_is_same(map, entry->text, path) &&
		    !is_below(map, path, entry->text) &&
		    letter_case_rest(path, entry->text) != NULL)
			found = true;
		if (entry->file == 0 || rest == NULL || (*rest != '\0' && !below) ||
		    catalog_is_same(map, entry->text, path) || is_below(map, entry->text, path))
			continue;
		map_forget(map, map_file(map, entry->file));
		found = true;
	}
	return found;
}

static void note_freed(struct map *map, uint32_t hash)
{
	uint32_t bit = hash % MAP_FREED_BITS;

	map->freed[bit / 8] |= (unsigned char)(1 << bit % 8);
}

static bool was_freed(const struct map *map, uint32_t hash)
{
	uint32_t bit = hash % MAP_FREED_BITS;

	return (map->freed[bit / 8] >> bit % 8 & 1) != 0;
}

bool catalog_add_kind(struct map *map, const char *path, enum catalog_kind kind, arena_ref file)
{
	const bool doubted = catalog_doubt(map, path, false);
	const bool ascii = letter_case_is_ascii(path);
	size_t length = strlen(path);
	struct catalog_name *entry;
	arena_ref name = grow(map) ? arena_take(&map->arena, name_bytes(length)) : 0;

	if (name == 0) {
		map->full = true;
		if (file != 0)
			map_forget(map, map_file(map, file));
		return false;
	}
	entry = catalog_name(map, name);
	entry->file = file;
	entry->kind = kind;
	entry->hash = hash_of(path);
	entry->change = map_next_change(map);
	entry->length = (uint32_t)length;
	/* Nobody knows the files that a tree has had, and of other letters the
	 * hash does not ignore the case. */
	entry->reused = map->tree_count > 0 || was_freed(map, entry->hash) ||
			(!ascii && map->letter_case != LETTER_CASE_KEPT);
	memcpy(entry->text, path, length + 1);
	map->name_count++;
	map->other_names += !ascii;
	map->tree_count += kind == CATALOG_TREE;
	if (file != 0)
		map_file(map, file)->names++;
	if (file != 0 && doubted)
		map_forget(map, map_file(map, file));
	link_name(map, name);
	return true;
}

bool catalog_add(struct map *map, const char *path, arena_ref file)
{
	return catalog_add_kind(map, path, CATALOG_FILE, file);
}

void catalog_set_tree(struct map *map, arena_ref name)
{
	struct catalog_name *entry = catalog_name(map, name);

	map->tree_count += entry->kind != CATALOG_TREE;
	entry->kind = CATALOG_TREE;
}

static void remove_name(struct map *map, arena_ref name)
{
	struct catalog_name *entry = catalog_name(map, name);
	arena_ref file = entry->file;

	unlink_name(map, name);
	note_freed(map, entry->hash);
	map->other_names -= !letter_case_is_ascii(entry->text);
	map->name_count--;
	map->tree_count -= entry->kind == CATALOG_TREE;
	arena_give(&map->arena, name, name_bytes(entry->length));
	if (file == 0)
		return;
	map_file(map, file)->names--;
	map_drop_file(map, file);
}

void catalog_remove(struct map *map, const char *path)
{
	arena_ref name = catalog_find(map, path);

	if (name != 0)
		remove_name(map, name);
}

arena_ref catalog_next(const struct map *map, arena_ref name)
{
	do {
		name = next_name(map, name);
	} while (name != 0 && catalog_name(map, name)->kind != CATALOG_FILE);
	return name;
}

/* Return the next name below the directory, from bucket *bucket on, or 0; with
 * `others`, the next one that is not of kind CATALOG_FILE. Names that are moved
 * away meanwhile are found once only, even if the number of buckets grows: then
 * they go to later buckets, or to ones without any. */
static arena_ref find_below(const struct map *map, const char *directory, bool others,
			    uint32_t *bucket)
{
	arena_ref name;

	for (; *bucket < map->bucket_count; ++*bucket) {
		const arena_ref *buckets = arena_at(&map->arena, map->buckets);

		for (name = buckets[*bucket]; name != 0; name = catalog_name(map, name)->next) {
			const struct catalog_name *entry = catalog_name(map, name);

			if (is_below(map, entry->text, directory) &&
			    !(others && entry->kind == CATALOG_FILE))
				return name;
		}
	}
	return 0;
}

void catalog_remove_below(struct map *map, const char *directory)
{
	uint32_t bucket = 0;
	arena_ref name;

	while ((name = find_below(map, directory, false, &bucket)) != 0)
		remove_name(map, name);
}

void catalog_remove_others_below(struct map *map, const char *directory)
{
	uint32_t bucket = 0;
	arena_ref name;

	while ((name = find_below(map, directory, true, &bucket)) != 0)
		remove_name(map, name);
}

/* Give a file's name another text. */
static void move_name(struct map *map, arena_ref name, const char *to)
{
	const struct catalog_name *entry = catalog_name(map, name);

	/* Add before removing, or the file might go with its last name. */
	catalog_add_kind(map, to, entry->kind, entry->file);
	remove_name(map, name);
}

void catalog_move(struct map *map, const char *from, const char *to)
{
	arena_ref name = catalog_find(map, from);

	if (name != 0)
		move_name(map, name, to);
}

unsigned catalog_move_below(struct map *map, const char *from, const char *to)
{
	char moved[PATH_MAX];
	unsigned count = 0;
	uint32_t bucket = 0;
	arena_ref name;

	while ((name = find_below(map, from, false, &bucket)) != 0) {
		snprintf(moved, sizeof(moved), "%s%s", to,
			 catalog_name(map, name)->text + strlen(from));
		move_name(map, name, moved);
		count++;
	}
	return count;
}

/* A name that no path of a load has. */
static const char aside[] = "\n";

/* Rename a file, or the files below a directory. */
static void move(struct map *map, const char *from, const char *to)
{
	catalog_move(map, from, to);
	catalog_move_below(map, from, to);
}

void catalog_swap(struct map *map, const char *one, const char *other)
{
	move(map, one, aside);
	move(map, other, one);
	move(map, aside, other);
}

const char *catalog_name_of(const struct map *map, arena_ref file)
{
	arena_ref name = 0;

	while ((name = catalog_next(map, name)) != 0)
		if (catalog_name(map, name)->file == file)
			return catalog_name(map, name)->text;
	return NULL;
}
