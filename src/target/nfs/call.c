/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/call.h"

#include "base/clock.h"

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

static void wake(const struct nfs_call *call)
{
	if (call->connection->fibers != NULL)
		fibers_wake(call->connection->fibers, call);
}

void nfs_connection_break(struct nfs_connection *connection, int rc)
{
	connection->broken = rc;
	for (; connection->calls != NULL; connection->calls = connection->calls->next)
		wake(connection->calls);
}

void nfs_call_answer(struct nfs_call *call, int rc)
{
	struct nfs_call **link = &call->connection->calls;

	call->answered = true;
	call->rc = rc;
	while (*link != NULL && *link != call)
		link = &(*link)->next;
	if (*link == NULL)
		return; /* the caller does not wait yet, or has given up */
	*link = call->next;
	wake(call);
}

/* Let libnfs send and receive what it can. `lost` is the reason if this fails. libnfs
 * still has the queued calls then, which point to the callers' buffers, and those
 * may no longer exist. So don't use the connection again. */
static void service(struct nfs_connection *connection, int events, int lost)
{
	if (rpc_service(connection->rpc, events) < 0)
		nfs_connection_break(connection, lost);
}

/* Wait until the server can be heard, has been silent for too long, or `until_ns` has
 * come. */
static void listen_until(void *context, uint64_t until_ns)
{
	struct nfs_connection *connection = context;
	uint64_t give_up_ns = connection->heard_ns + (uint64_t)connection->timeout_ms * NS_PER_MS;
	uint64_t now_ns = clock_now_ns(), end_ns, left_ns;
	struct timespec left;
	struct pollfd fd;
	int ready;

	if (connection->calls == NULL) {
		clock_sleep_until_ns(until_ns);
		return;
	}
	end_ns = until_ns < give_up_ns ? until_ns : give_up_ns;
	left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
	left = (struct timespec){
		.tv_sec = (time_t)(left_ns / NS_PER_S),
		.tv_nsec = (long)(left_ns % NS_PER_S),
	};
	fd = (struct pollfd){
		.fd = rpc_get_fd(connection->rpc),
		.events = (short)rpc_which_events(connection->rpc),
	};
	ready = ppoll(&fd, 1, &left, NULL);
	if (ready < 0 && errno != EINTR)
		nfs_connection_break(connection, -errno);
	if (ready == 0 && end_ns == give_up_ns)
		nfs_connection_break(connection, -ETIMEDOUT);
	if (ready <= 0)
		return;
	connection->heard_ns = clock_now_ns();
	service(connection, fd.revents, (fd.revents & POLLIN) == 0 ? socket_error(&fd) : -ENOTCONN);
}

void nfs_connection_share(struct nfs_connection *connection, struct fibers *fibers)
{
	connection->fibers = fibers;
	if (fibers != NULL)
		fibers_on_idle(fibers, listen_until, connection);
}

int nfs_call_wait(struct nfs_call *call)
{
	struct nfs_connection *connection = call->connection;

	if (!call->answered) {
		if (connection->calls == NULL)
			connection->heard_ns = clock_now_ns();
		call->next = connection->calls;
		connection->calls = call;
	}
	/* Send the call now: libnfs wants to be called for that. It also waits for
	 * POLLOUT alone, to connect. */
	if (rpc_which_events(connection->rpc) == (POLLIN | POLLOUT))
		service(connection, POLLOUT, -ENOTCONN);
	while (!call->answered && connection->broken == 0) {
		if (connection->fibers != NULL)
			fibers_sleep(connection->fibers, call, CLOCK_NEVER);
		else
			listen_until(connection, CLOCK_NEVER);
	}
	return connection->broken < 0 ? connection->broken : call->rc;
}

void nfs_answered(int status, struct nfs_context *nfs, void *result, void *private_data)
{
	struct nfs_call *call = private_data;

	/* libnfs reports a timeout as EINTR. */
	nfs_call_answer(call, status == -EINTR ? -ETIMEDOUT : status);
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
