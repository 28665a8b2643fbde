/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/cache.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64 }; /* all sizes of the cache are powers of two */

/* Return the FNV-1a hash of a path. */
static unsigned hash(const char *path, size_t length)
{
	unsigned value = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		value = (value ^ (unsigned char)path[i]) * 16777619u;
	return value;
}

static int *bucket_of(const struct nfs_cache *cache, const char *path, size_t length)
{
	return &cache->buckets[hash(path, length) & (unsigned)(cache->size - 1)];
}

/* Return a pointer to the link (in a bucket or another entry) that holds the
 * index of a path's entry, or -1 if the path has none. */
static int *find(const struct nfs_cache *cache, const char *path, size_t length)
{
	int *link = bucket_of(cache, path, length);

	while (*link >= 0) {
		struct nfs_cache_entry *entry = &cache->entries[*link];

		if (entry->length == length && memcmp(entry->path, path, length) == 0)
			break;
		link = &entry->next;
	}
	return link;
}

/* Double the size of the cache. Return false if it has its max size or there
 * is no memory. */
static bool grow(struct nfs_cache *cache)
{
	int size = cache->size > 0 ? cache->size * 2 : FIRST_SIZE, i;
	struct nfs_cache_entry *entries;
	int *buckets;

	if (size > NFS_CACHE_MAX)
		return false;
	entries = realloc(cache->entries, (size_t)size * sizeof(*entries));
	if (entries == NULL)
		return false;
	cache->entries = entries;
	buckets = realloc(cache->buckets, (size_t)size * sizeof(*buckets));
	if (buckets == NULL)
		return false;
	cache->buckets = buckets;
	for (i = cache->size; i < size; i++) {
		entries[i].length = 0;
		entries[i].next = i + 1 < size ? i + 1 : -1;
	}
	cache->first_free = cache->size;
	for (i = 0; i < size; i++)
		buckets[i] = -1;
	i = cache->size;
	cache->size = size;
	while (i-- > 0) {
		int *bucket = bucket_of(cache, entries[i].path, entries[i].length);

		entries[i].next = *bucket;
		*bucket = i;
	}
	return true;
}

static void release(struct nfs_cache *cache, int *link)
{
	int freed = *link;
	struct nfs_cache_entry *entry = &cache->entries[freed];

	*link = entry->next;
	entry->length = 0;
	entry->next = cache->first_free;
	cache->first_free = freed;
	cache->used--;
}

/* Make room for one more entry: let the cache grow, or if it cannot, evict an
 * entry (round-robin). */
static bool make_room(struct nfs_cache *cache)
{
	struct nfs_cache_entry *entry;

	if (cache->used < cache->size || grow(cache))
		return true;
	if (cache->size == 0)
		return false;
	entry = &cache->entries[cache->next_to_evict];
	cache->next_to_evict = (cache->next_to_evict + 1) % cache->size;
	release(cache, find(cache, entry->path, entry->length));
	return true;
}

const struct nfs_handle *nfs_cache_get(const struct nfs_cache *cache, const char *path,
				       size_t length)
{
	int found;

	if (cache->used == 0)
		return NULL;
	found = *find(cache, path, length);
	return found >= 0 ? &cache->entries[found].handle : NULL;
}

void nfs_cache_put(struct nfs_cache *cache, const char *path, size_t length,
		   const struct nfs_handle *handle)
{
	struct nfs_cache_entry *entry;
	int *bucket, taken;

	if (handle->length == 0 || length > NFS_CACHE_PATH)
		return;
	taken = cache->used > 0 ? *find(cache, path, length) : -1;
	if (taken >= 0) {
		cache->entries[taken].handle = *handle;
		return;
	}
	if (!make_room(cache))
		return;
	taken = cache->first_free;
	entry = &cache->entries[taken];
	cache->first_free = entry->next;
	memcpy(entry->path, path, length);
	entry->length = length;
	entry->handle = *handle;
	bucket = bucket_of(cache, path, length);
	entry->next = *bucket;
	*bucket = taken;
	cache->used++;
}

void nfs_cache_drop(struct nfs_cache *cache, const char *path, size_t length)
{
	int *link;

	if (cache->used == 0)
		return;
	link = find(cache, path, length);
	if (*link >= 0)
		release(cache, link);
}

void nfs_cache_drop_tree(struct nfs_cache *cache, const char *path)
{
	size_t length = strlen(path);
	int i;

	if (cache->used == 0)
		return;
	for (i = 0; i < cache->size; i++) {
		const struct nfs_cache_entry *entry = &cache->entries[i];

		if (entry->length >= length && memcmp(entry->path, path, length) == 0 &&
		    (entry->length == length || entry->path[length] == '/'))
			nfs_cache_drop(cache, entry->path, entry->length);
	}
}

void nfs_cache_close(struct nfs_cache *cache)
{
	free(cache->entries);
	free(cache->buckets);
}
