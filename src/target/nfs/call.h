/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connections to the RPC programs of an NFS server (NFS, mountd, NLM). To make a
 * call, call nfs_call_begin(), queue the call with a function of libnfs, and call
 * nfs_call_finish(). A caller has one call in flight at a time. Several callers of a
 * connection are fibers.
 */
#ifndef TARGET_NFS_CALL_H
#define TARGET_NFS_CALL_H

#include "base/fibers.h"
#include "target/nfs/api.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

struct nfs_connection {
	/* NULL for connections to mountd and NLM, which need only `rpc`. */
	struct nfs_context *context;
	/* Belongs to `context`, unless that is NULL. */
	struct rpc_context *rpc;
	int timeout_ms;         /* max time without any data from the server */
	int broken;             /* the -errno that ended the connection, or 0 */
	struct fibers *fibers;  /* that the callers are; NULL: there is only one */
	struct nfs_call *calls; /* those in flight */
	/* When the server was last heard, or, if that is later, when a call was made
	 * while no other was in flight. */
	uint64_t heard_ns;
};

/* A call in flight. It must last until the connection is closed, because the answer
 * may arrive after the caller has given up. */
struct nfs_call {
	struct nfs_connection *connection;
	struct nfs_call *next; /* in connection->calls */
	bool answered;
	int rc;       /* the result: 0, the number of bytes moved, or -errno */
	void *buffer; /* where a read puts its data */
	size_t size;  /* number of bytes that the server may move at most */
	void *answer; /* the caller's variable that take() fills, or NULL */
	/* Copy the parts of a result that the caller needs, before libnfs
	 * frees the result. May change `rc`. NULL: the caller needs only
	 * `rc`. */
	void (*take)(struct nfs_call *call, const void *result);
};

/* Prepare a call. Return 0, or -errno if the connection is dead. */
static inline int nfs_call_begin(struct nfs_call *call, struct nfs_connection *connection,
				 void (*take)(struct nfs_call *, const void *), void *answer)
{
	*call = (struct nfs_call){.connection = connection, .take = take, .answer = answer};
	return connection->broken;
}

/* Let the fibers wait together for the answers to their calls. NULL: there is only one
 * caller again. */
void nfs_connection_share(struct nfs_connection *connection, struct fibers *fibers);

/* Give the connection up with this -errno, and with it all calls in flight. */
void nfs_connection_break(struct nfs_connection *connection, int rc);

/* Note that the call was answered. For callbacks of libnfs. */
void nfs_call_answer(struct nfs_call *call, int rc);

/*
 * Wait for the answer to the queued call. Return call->rc, or -errno if the
 * connection is lost or the server stays silent for timeout_ms. In the latter
 * cases, `broken` is set and the connection cannot be used again.
 */
int nfs_call_wait(struct nfs_call *call);

/*
 * Wait for the answer to the call if it was `queued`. Return the result of
 * nfs_call_wait, or -EIO if the call was not queued because libnfs refused the
 * path or ran out of memory.
 */
static inline int nfs_call_finish(struct nfs_call *call, bool queued)
{
	return queued ? nfs_call_wait(call) : -EIO;
}

/* The callback for libnfs' high-level functions (those that take an
 * nfs_context), and functions take() for their results. */
void nfs_answered(int status, struct nfs_context *nfs, void *result, void *private_data);
void nfs_take_stat(struct nfs_call *call, const void *result);
void nfs_take_file(struct nfs_call *call, const void *result);

#endif
