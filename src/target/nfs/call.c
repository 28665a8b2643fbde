/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/call.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

/* Get the -errno of a dead socket from the kernel, since libnfs does not keep
 * it. */
static int socket_error(const struct pollfd *fd)
{
	int error_number = 0;
	socklen_t size = sizeof(error_number);

	if ((fd->revents & (POLLERR | POLLHUP)) == 0 ||
	    getsockopt(fd->fd, SOL_SOCKET, SO_ERROR, &error_number, &size) < 0)
		return -ENOTCONN;
	return error_number > 0 ? -error_number : -ENOTCONN;
}

int nfs_call_wait(struct nfs_call *call)
{
	struct nfs_connection *connection = call->connection;
	struct rpc_context *rpc = connection->rpc;

	while (!call->answered) {
		struct pollfd fd = {
			.fd = rpc_get_fd(rpc),
			.events = (short)rpc_which_events(rpc),
		};
		int ready = poll(&fd, 1, connection->timeout_ms);
		int lost;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			connection->broken = ready < 0 ? -errno : -ETIMEDOUT;
			return connection->broken;
		}
		lost = (fd.revents & POLLIN) == 0 ? socket_error(&fd) : -ENOTCONN;
		/* If this fails, don't use the connection again: libnfs still
		 * has the queued call, which points to the caller's buffer, and
		 * that may no longer exist. */
		if (rpc_service(rpc, fd.revents) < 0) {
			connection->broken = lost;
			return connection->broken;
		}
	}
	return call->rc;
}

void nfs_answered(int status, struct nfs_context *nfs, void *result, void *private_data)
{
	struct nfs_call *call = private_data;

	call->answered = true;
	/* libnfs reports a timeout as EINTR. */
	call->rc = status == -EINTR ? -ETIMEDOUT : status;
	if (status >= 0 && call->take != NULL)
		call->take(call, result);
}

void nfs_take_stat(struct nfs_call *call, const void *result)
{
	memcpy(call->answer, result, sizeof(struct nfs_stat_64));
}

void nfs_take_file(struct nfs_call *call, const void *result)
{
	*(const struct nfsfh **)call->answer = result;
}
