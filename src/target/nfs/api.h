/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The libnfs headers, and wrappers that hide the differences between versions
 * 4.0.0, 5 and 6. In version 6 (LIBNFS_API_V2) buffers come before counts and
 * offsets in arguments, a read fills the caller's buffer, and the functions for
 * raw calls (calls of single RPC procedures) end in _task instead of _async and
 * return a pointer to the queued call.
 */
#ifndef TARGET_NFS_API_H
#define TARGET_NFS_API_H

/* The libnfs headers need these headers but do not include them. */
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <nfsc/libnfs.h>
#include <nfsc/libnfs-raw.h>
/* In versions 5 and 6, this header defines a type called "name". */
#define name libnfs_name
#include <nfsc/libnfs-raw-mount.h>
#undef name
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs-raw-nlm.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* This function exists since version 5: if its address is NULL, the loaded
 * library is older. */
extern int nfs_get_version(struct nfs_context *nfs) __attribute__((weak));

/*
 * Return the handle of an open file. nfs_get_fh() returns a pointer to a
 * structure that libnfs does not declare. In all versions, the structure has
 * the layout of an nfs_fh3.
 */
static inline const nfs_fh3 *nfs_handle_inside(struct nfsfh *file)
{
	return (const void *)nfs_get_fh(file);
}

#ifdef LIBNFS_API_V2

/* Queue a raw call. Its value is false if there is no memory for the call. */
#define NFS_QUEUE(call, ...) (rpc_##call##_task(__VA_ARGS__) != NULL)

static inline bool nfs_queue_read3(struct rpc_context *rpc, rpc_cb answered, READ3args *args,
				   void *buffer, void *data)
{
	return rpc_nfs3_read_task(rpc, answered, buffer, args->count, args, data) != NULL;
}

/* Return the number of data bytes that a READ's answer contains. The `count`
 * that the answer states may be another number. */
static inline size_t nfs_bytes_of_read3(const READ3resok *answer)
{
	return answer->count; /* libnfs has refused more than requested */
}

/* Copy the bytes of a READ's answer to `buffer`, unless libnfs has already put
 * them there. */
static inline void nfs_take_read3(const READ3resok *answer, void *buffer)
{
}

static inline int nfs_queue_pread(struct nfs_context *nfs, struct nfsfh *file, void *buffer,
				  size_t size, uint64_t offset, nfs_cb answered, void *data)
{
	return nfs_pread_async(nfs, file, buffer, size, offset, answered, data);
}

static inline void nfs_take_pread(const void *answer, void *buffer, int size)
{
}

static inline int nfs_queue_pwrite(struct nfs_context *nfs, struct nfsfh *file, const void *bytes,
				   size_t size, uint64_t offset, nfs_cb answered, void *data)
{
	return nfs_pwrite_async(nfs, file, bytes, size, offset, answered, data);
}

#else

#define NFS_QUEUE(call, ...) (rpc_##call##_async(__VA_ARGS__) == 0)

static inline bool nfs_queue_read3(struct rpc_context *rpc, rpc_cb answered, READ3args *args,
				   void *buffer, void *data)
{
	return rpc_nfs3_read_async(rpc, answered, args, data) == 0;
}

static inline size_t nfs_bytes_of_read3(const READ3resok *answer)
{
	return answer->data.data_len;
}

static inline void nfs_take_read3(const READ3resok *answer, void *buffer)
{
	memcpy(buffer, answer->data.data_val, answer->data.data_len);
}

static inline int nfs_queue_pread(struct nfs_context *nfs, struct nfsfh *file, void *buffer,
				  size_t size, uint64_t offset, nfs_cb answered, void *data)
{
	return nfs_pread_async(nfs, file, offset, size, answered, data);
}

static inline void nfs_take_pread(const void *answer, void *buffer, int size)
{
	memcpy(buffer, answer, (size_t)size);
}

static inline int nfs_queue_pwrite(struct nfs_context *nfs, struct nfsfh *file, const void *bytes,
				   size_t size, uint64_t offset, nfs_cb answered, void *data)
{
	return nfs_pwrite_async(nfs, file, offset, size, bytes, answered, data);
}

#endif

#endif
