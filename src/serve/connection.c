/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/connection.h"

#include "base/clock.h"
#include "base/network.h"
#include "base/random.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

void connection_prepare(struct connection *connection, unsigned timeout_s)
{
	struct random random;

	connection->timeout_s = timeout_s;
	random_start(&random, 0, UINT64_MAX);
	random_fill(&random, connection->reply, sizeof(connection->reply));
}

/* The request that is being received. Zeroed between requests. */
struct request {
	struct packet_reader reader;
	uint64_t deadline_ns; /* 0: not set yet */
	/* The socket's time-out was reduced, to meet the deadline. */
	bool timeout_reduced;
};

static uint64_t deadline_ns(const struct connection *connection)
{
	return clock_now_ns() + connection->timeout_s * NS_PER_S;
}

static int send_reply(struct connection *connection, int fd, uint32_t bytes, const char **why)
{
	uint64_t end_ns = CLOCK_NEVER;
	uint32_t sent = 0;

	packet_put_reply(connection->reply, bytes);
	while (sent < bytes) {
		ssize_t part = send(fd, connection->reply + sent, bytes - sent, MSG_NOSIGNAL);

		/* Retry if the call was interrupted because the process was
		 * stopped (SIGSTOP) and continued. */
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0) {
			*why = errno == EAGAIN ? "client does not read replies" : strerror(errno);
			return -errno;
		}
		sent += (uint32_t)part;
		/* Don't read the clock for most replies, which are sent by a
		 * single call. */
		if (sent == bytes)
			break;
		if (end_ns == CLOCK_NEVER)
			end_ns = deadline_ns(connection);
		if (clock_now_ns() >= end_ns) {
			*why = "client takes too long to read a reply";
			return -ETIMEDOUT;
		}
	}
	return 0;
}

/* End a request, and restore the full time-out for the next one. */
static void end_request(const struct connection *connection, int fd, struct request *request)
{
	if (request->timeout_reduced)
		network_set_timeout(fd, connection->timeout_s * NS_PER_S);
	*request = (struct request){0};
}

/* Answer each request that is complete with the received bytes. */
static int answer_requests(struct connection *connection, int fd, struct request *request,
			   size_t size, const char **why)
{
	size_t at = 0, taken;

	while (at < size) {
		uint32_t reply_bytes;
		int rc = packet_read(&request->reader, connection->received + at, size - at,
				     &taken);

		at += taken;
		if (rc < 0)
			*why = "client does not speak tbench's protocol";
		if (rc > 0) {
			reply_bytes = request->reader.reply_bytes;
			end_request(connection, fd, request);
			rc = send_reply(connection, fd, reply_bytes, why);
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Enforce the deadline of a request of which a part has arrived. Most requests
 * arrive in one or two pieces, so they cost at most one clock reading. */
static int enforce_deadline(const struct connection *connection, int fd, struct request *request,
			    const char **why)
{
	uint64_t now_ns, left_s;

	if (request->deadline_ns == 0) {
		request->deadline_ns = deadline_ns(connection);
		return 0;
	}
	now_ns = clock_now_ns();
	if (now_ns >= request->deadline_ns) {
		*why = "client takes too long to send a request";
		return -ETIMEDOUT;
	}
	left_s = (request->deadline_ns - now_ns + NS_PER_S - 1) / NS_PER_S;
	request->timeout_reduced = left_s < connection->timeout_s;
	if (request->timeout_reduced)
		network_set_timeout(fd, left_s * NS_PER_S);
	return 0;
}

/* Receive data. Once the head of a request has been received, discard the rest
 * of the request without copying it. */
static ssize_t receive(struct connection *connection, int fd, const struct packet_reader *reader)
{
	if (reader->left_bytes == 0)
		return recv(fd, connection->received, sizeof(connection->received), 0);
	/* cppcheck-suppress nullPointer ; MSG_TRUNC writes nothing there */
	return recv(fd, NULL, reader->left_bytes, MSG_WAITALL | MSG_TRUNC);
}

int connection_answer(struct connection *connection, int fd, const char **why)
{
	struct request request = {0};

	for (;;) {
		ssize_t part = receive(connection, fd, &request.reader);
		bool between = request.reader.head_bytes == 0;
		int rc;

		if (part > 0) {
			rc = answer_requests(connection, fd, &request, (size_t)part, why);
			if (rc == 0 && request.reader.head_bytes > 0)
				rc = enforce_deadline(connection, fd, &request, why);
			if (rc < 0)
				return rc;
		} else if (between && (part == 0 || errno == ECONNRESET)) {
			return 0;
		} else if (part == 0) {
			*why = "client hung up in the middle of a request";
			return -ECONNRESET;
		} else if (errno != EINTR && (!between || errno != EAGAIN)) {
			*why = errno == EAGAIN ? "client sent half a request" : strerror(errno);
			return -errno;
		}
	}
}
