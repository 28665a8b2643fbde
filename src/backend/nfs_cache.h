/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handles by path, for NFS procedures that a load calls one by one: what an
 * answer has brought need not be looked up again. Nothing is allocated before
 * the first one; at most NFS_CACHE_MOST are kept, of some 1 MB.
 *
 * Paths are such as "/a/b" and need not end where their length does.
 */
#ifndef BACKEND_NFS_CACHE_H
#define BACKEND_NFS_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum { NFS_HANDLE_BYTES = 64 };

/* What NFSv3 names a file by. */
struct nfs_handle {
	uint32_t length;
	char bytes[NFS_HANDLE_BYTES];
};

enum {
	NFS_CACHE_MOST = 4096,
	NFS_CACHE_PATH = 160, /* longer ones are looked up each time */
};

struct nfs_cache_entry {
	char path[NFS_CACHE_PATH];
	size_t length; /* 0: free */
	struct nfs_handle handle;
	int next; /* in its bucket, or of the free ones */
};

struct nfs_cache {
	struct nfs_cache_entry *entries;
	int *buckets; /* as many as entries */
	int size, used, first_free, next_to_go;
};

void nfs_cache_close(struct nfs_cache *cache);

/* Returns NULL for a path that is not there. */
const struct nfs_handle *nfs_cache_get(const struct nfs_cache *cache,
				       const char *path, size_t length);
void nfs_cache_put(struct nfs_cache *cache, const char *path, size_t length,
		   const struct nfs_handle *handle);
void nfs_cache_drop(struct nfs_cache *cache, const char *path, size_t length);
/* Drops a path and all below it. */
void nfs_cache_drop_tree(struct nfs_cache *cache, const char *path);

#endif
