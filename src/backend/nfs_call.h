/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connections to the RPC programs of an NFS server. Each has one call in flight
 * at a time: begin it, queue it with libnfs, finish it.
 */
#ifndef BACKEND_NFS_CALL_H
#define BACKEND_NFS_CALL_H

#include "backend/nfs_api.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* A call in flight. It is part of the connection, because the answer may arrive
 * after the caller has given up. */
struct nfs_call {
	bool answered;
	int rc;       /* 0, bytes moved or -errno */
	void *buffer; /* of a read: its destination */
	size_t size;  /* max bytes to move */
	void *answer; /* filled by take(), or NULL */
	/* Copy the needed parts of a result before libnfs frees it; may change
	 * rc. NULL: nothing is needed. */
	void (*take)(struct nfs_call *call, const void *result);
};

struct nfs_connection {
	struct nfs_context *context; /* NULL: raw calls only */
	struct rpc_context *rpc;     /* the context's own, if there is one */
	int timeout_ms;              /* of each wait for the server */
	int broken;                  /* 0, or -errno: the connection is dead */
	struct nfs_call call;
};

/* Prepare connection->call. Returns 0, or -errno if the connection is dead. */
static inline int nfs_call_begin(struct nfs_connection *connection,
				 void (*take)(struct nfs_call *, const void *),
				 void *answer)
{
	connection->call = (struct nfs_call){.take = take, .answer = answer};
	return connection->broken;
}

/*
 * Wait for the answer to the queued call. Returns call->rc, or -errno if the
 * connection is lost or the server stays silent for timeout_ms; the connection
 * is dead then.
 */
int nfs_call_wait(struct nfs_connection *connection);

/*
 * Wait for the call if it was queued. Returns as nfs_call_wait does, or -EIO
 * if libnfs refused the path or ran out of memory.
 */
static inline int nfs_call_finish(struct nfs_connection *connection,
				  bool queued)
{
	return queued ? nfs_call_wait(connection) : -EIO;
}

/* The callback for libnfs' own functions, and take() for their results. */
void nfs_answered(int status, struct nfs_context *nfs, void *result,
		  void *private_data);
void nfs_take_stat(struct nfs_call *call, const void *result);
void nfs_take_file(struct nfs_call *call, const void *result);

#endif
