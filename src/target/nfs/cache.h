/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache of NFSv3 handles by path, for loads that call single NFS procedures:
 * once a server's answer has contained a file's handle, the file is not looked
 * up again. The cache allocates nothing before the first entry, and holds at
 * most NFS_CACHE_MAX entries (about 1 MB).
 *
 * Paths have the form "/a/b" and need not end with a NUL.
 */
#ifndef TARGET_NFS_CACHE_H
#define TARGET_NFS_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum { NFS_HANDLE_BYTES = 64 };

/* The NFSv3 handle of a file. */
struct nfs_handle {
	uint32_t length;
	char bytes[NFS_HANDLE_BYTES];
};

enum {
	NFS_CACHE_MAX = 4096,
	NFS_CACHE_PATH = 160, /* longer paths are not cached */
};

struct nfs_cache_entry {
	char path[NFS_CACHE_PATH];
	size_t length; /* 0: this entry is free */
	struct nfs_handle handle;
	int next; /* next entry in the bucket or free list; -1: the last */
};

struct nfs_cache {
	struct nfs_cache_entry *entries;
	int *buckets; /* index of each bucket's first entry, or -1 */
	int size;     /* number of buckets, and also of entries */
	int used, first_free, next_to_evict;
};

void nfs_cache_close(struct nfs_cache *cache);

/* Return the handle of a path, or NULL if it is not in the cache. */
const struct nfs_handle *nfs_cache_get(const struct nfs_cache *cache, const char *path,
				       size_t length);
void nfs_cache_put(struct nfs_cache *cache, const char *path, size_t length,
		   const struct nfs_handle *handle);
void nfs_cache_drop(struct nfs_cache *cache, const char *path, size_t length);
/* Drop a path and all paths below it. */
void nfs_cache_drop_tree(struct nfs_cache *cache, const char *path);

#endif
