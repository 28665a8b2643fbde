/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/locks.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int errno_of(nlmstat4 status)
{
	int error_number = procedure_nlm_errno((uint32_t)status);

	return error_number < 0 ? -EREMOTEIO : -error_number;
}

static void connected(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	nfs_call_answer(private_data, status == RPC_STATUS_SUCCESS ? 0 : -ENOTSUP);
}

int nfs_locks_connect(struct backend_session *session)
{
	struct nfs_connection *nlm = &session->shared->nlm;
	int rc = -ENOTSUP;

	if (session->shared->nfs.broken < 0)
		return session->shared->nfs.broken;
	if (nlm->rpc != NULL)
		return 0;
	*nlm = (struct nfs_connection){
		.rpc = rpc_init_context(),
		.timeout_ms = session->shared->nfs.timeout_ms,
	};
	if (nlm->rpc == NULL)
		return -ENOMEM;
	nfs_call_begin(&session->call, nlm, NULL, NULL);
	rpc_set_uid(nlm->rpc, (int)session->shared->uid);
	rpc_set_gid(nlm->rpc, (int)session->shared->gid);
	if (rpc_connect_program_async(nlm->rpc, session->shared->server, NLM_PROGRAM, NLM_V4,
				      connected, &session->call) == 0)
		rc = nfs_call_wait(&session->call);
	if (rc < 0)
		nfs_locks_close(session->shared);
	return rc;
}

void nfs_locks_close(struct nfs_shared *shared)
{
	if (shared->nlm.rpc != NULL)
		rpc_destroy_context(shared->nlm.rpc);
	shared->nlm.rpc = NULL;
}

/* Check if the call was answered with a result. If not, set call->rc to the
 * failure. */
static bool answered(struct nfs_call *call, int status)
{
	nfs_call_answer(call, status == RPC_STATUS_TIMEOUT ? -ETIMEDOUT : -EIO);
	return status == RPC_STATUS_SUCCESS;
}

static void locked(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	struct nfs_call *call = private_data;

	if (answered(call, status))
		call->rc = errno_of(((const NLM4_LOCKres *)result)->status);
}

static void unlocked(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	struct nfs_call *call = private_data;

	if (answered(call, status))
		call->rc = errno_of(((const NLM4_UNLOCKres *)result)->status);
}

static void tested(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	struct nfs_call *call = private_data;
	const NLM4_TESTres *res = result;

	if (answered(call, status))
		call->rc = errno_of(res->reply.status);
}

static bool queue(struct nfs_call *call, enum procedure procedure, nlm4_lock lock)
{
	struct rpc_context *nlm = call->connection->rpc;
	/* Each call can have the same cookie: the lock manager uses it to match
	 * answers with calls, and only one call is in flight. */
	char number[] = "throng";
	nlm_cookie cookie = {
		.data = {.data_len = sizeof(number), .data_val = number},
	};
	NLM4_LOCKargs lock_args = {
		.cookie = cookie,
		.exclusive = 1,
		.lock = lock,
	};
	NLM4_UNLOCKargs unlock_args = {.cookie = cookie, .lock = lock};
	NLM4_TESTargs test_args = {
		.cookie = cookie,
		.exclusive = 1,
		.lock = lock,
	};

	switch (procedure) {
	case PROCEDURE_NLM_LOCK:
		return NFS_QUEUE(nlm4_lock, nlm, locked, &lock_args, call);
	case PROCEDURE_NLM_UNLOCK:
		return NFS_QUEUE(nlm4_unlock, nlm, unlocked, &unlock_args, call);
	default:
		return NFS_QUEUE(nlm4_test, nlm, tested, &test_args, call);
	}
}

int nfs_locks_call(struct backend_session *session, enum procedure procedure,
		   const struct nfs_handle *file, uint64_t offset, uint64_t length)
{
	char name[] = "throng", owner[48];
	nlm4_lock lock = {
		.caller_name = name,
		.fh.data.data_len = file->length,
		.fh.data.data_val = (char *)file->bytes, /* libnfs does not modify it */
		.oh = owner,
		.svid = session->shared->user,
		.l_offset = offset,
		.l_len = length,
	};
	struct nfs_connection *nlm = &session->shared->nlm;
	struct nfs_call *call = &session->call;
	int rc = nfs_locks_connect(session);

	if (rc < 0)
		return rc;
	snprintf(owner, sizeof(owner), "throng-%ld", (long)getpid());
	if (nfs_call_begin(call, nlm, NULL, NULL) < 0)
		return nlm->broken;
	rc = nfs_call_finish(call, queue(call, procedure, lock));
	/* If the connection to the lock manager is lost, treat the whole server
	 * as lost. */
	if (nlm->broken < 0)
		nfs_connection_break(&session->shared->nfs, nlm->broken);
	return rc;
}
