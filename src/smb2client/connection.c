/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/connection.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "smb2client/exchange.h"
#include "smb2client/receive.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	SIGNATURE_AT = 48,
};

int smb2_lose(struct smb2_connection *connection, int rc, const char *cause)
{
	connection->lost = rc;
	connection->cause = cause;
	return rc;
}

int smb2_broken(struct smb2_connection *connection, const char *cause)
{
	return smb2_lose(connection, -ECONNABORTED, cause);
}

int smb2_invalid(struct smb2_connection *connection, enum smb2_command command)
{
	/* clang-format off */
#define CAUSE(command) \
	[SMB2_##command] = "the reply to " #command " is invalid"
	static const char *const causes[SMB2_COMMANDS] = {
		CAUSE(NEGOTIATE), CAUSE(SESSION_SETUP), CAUSE(LOGOFF),
		CAUSE(TREE_CONNECT), CAUSE(CREATE), CAUSE(CLOSE), CAUSE(FLUSH),
		CAUSE(READ), CAUSE(WRITE), CAUSE(LOCK), CAUSE(IOCTL),
		CAUSE(ECHO), CAUSE(QUERY_DIRECTORY), CAUSE(QUERY_INFO),
		CAUSE(SET_INFO),
	};
/* clang-format on */
#undef CAUSE
	return smb2_broken(connection, causes[command]);
}

static int connect_to(struct smb2_connection *connection, const struct addrinfo *address,
		      uint64_t deadline_ns)
{
	socklen_t size = sizeof(int);
	int error = 0, rc;

	connection->lost = 0;
	connection->cause = NULL;
	connection->fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (connection->fd < 0)
		return smb2_lose_in_call(connection);
	rc = connect(connection->fd, address->ai_addr, address->ai_addrlen);
	if (rc < 0 && errno != EINPROGRESS)
		return smb2_lose_in_call(connection);
	rc = smb2_wait(connection, POLLOUT, deadline_ns);
	if (rc < 0)
		return rc;
	if (getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		return smb2_lose_in_call(connection);
	if (error != 0)
		return smb2_lose(connection, -error, NULL);
	return 0;
}

/* Connect to the first address that works. Each has an equal share of the time
 * that is left. */
static int connect_to_any(struct smb2_connection *connection, const struct addrinfo *list,
			  uint64_t deadline_ns)
{
	const struct addrinfo *next;
	unsigned left = 0;
	int rc = -EHOSTUNREACH;

	for (next = list; next != NULL; next = next->ai_next)
		left++;
	for (; list != NULL; list = list->ai_next, left--) {
		uint64_t now_ns = smb2_now_ns(connection);
		uint64_t share_ns = deadline_ns > now_ns ? (deadline_ns - now_ns) / left : 0;

		rc = connect_to(connection, list, now_ns + share_ns);
		if (rc == 0)
			return 0;
		if (connection->fd >= 0)
			close(connection->fd);
		connection->fd = -1;
	}
	return rc;
}

/* Let no blocking call on the socket last longer than step_ns. */
static int set_options(struct smb2_connection *connection)
{
	const struct timeval limit = {
		.tv_sec = (time_t)(connection->step_ns / NS_PER_S),
		.tv_usec = (suseconds_t)(connection->step_ns % NS_PER_S / NS_PER_US),
	};
	const int yes = 1;

	if (fcntl(connection->fd, F_SETFL, 0) < 0 ||
	    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) < 0 ||
	    setsockopt(connection->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0 ||
	    setsockopt(connection->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
		return smb2_lose_in_call(connection);
	return 0;
}

int smb2_connect(struct smb2_connection *connection, const char *host, const char *port,
		 uint64_t timeout_ns)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
	uint64_t deadline_ns;
	int rc;

	*connection = (struct smb2_connection){
		.fd = -1,
		.timeout_ns = timeout_ns,
		.step_ns = timeout_ns / 8 < NS_PER_S ? timeout_ns / 8 : NS_PER_S,
		.stream = {.credits = 1},
	};
	deadline_ns = smb2_now_ns(connection) + timeout_ns;
	connection->in = malloc(SMB2_IN_BYTES);
	if (connection->in == NULL)
		return smb2_lose(connection, -ENOMEM, "there is no memory");
	if (getaddrinfo(host, port[0] != '\0' ? port : "445", &hints, &list) != 0)
		return smb2_lose(connection, -EHOSTUNREACH, "the host is unknown");
	/* The time of the look-up counts, however long it was. */
	connection->looked_ns = clock_now_ns();
	rc = connect_to_any(connection, list, deadline_ns);
	freeaddrinfo(list);
	if (rc < 0)
		return rc;
	return set_options(connection);
}

void smb2_disconnect(struct smb2_connection *connection)
{
	if (connection->fd >= 0)
		close(connection->fd);
	smb2_crypt_end(&connection->crypt);
	free(connection->in);
	*connection = (struct smb2_connection){.fd = -1, .lost = -ENOTCONN};
}

/* Sign each request of the message. `data` belongs to the last one. */
static int sign_all(struct smb2_connection *connection, struct smb2_message *message,
		    const void *data, size_t bytes)
{
	unsigned part;

	for (part = 0; part < message->parts; part++) {
		uint8_t *header = message->bytes + message->start[part];
		bool last = part + 1 == message->parts;
		int rc;

		put_le32(header + 16, get_le32(header + 16) | SMB2_SIGNED);
		rc = smb2_sign(&connection->crypt, header, smb2_message_part_bytes(message, part),
			       data, last ? bytes : 0, header + SIGNATURE_AT);
		if (rc < 0)
			return smb2_lose(connection, rc, "cannot sign a request");
	}
	return 0;
}

/* Write the length of a message before it, as a big-endian number. */
static void put_frame(uint8_t *frame, size_t bytes)
{
	uint32_t length = htobe32((uint32_t)bytes);

	memcpy(frame, &length, sizeof(length));
}

/* Wait until the socket takes more bytes. Receive replies meanwhile, if there may be
 * any: the server might not read before it has sent them. */
static int wait_to_send(struct smb2_connection *connection, uint64_t deadline_ns)
{
	short events = connection->fibers != NULL ? POLLIN | POLLOUT : POLLOUT;
	int rc = smb2_wait(connection, events, deadline_ns);

	if (rc == -ETIMEDOUT)
		connection->cause = "the server does not read the request";
	if (rc < 0 || (rc & POLLOUT) != 0)
		return rc < 0 ? rc : 0;
	connection->sending = true;
	rc = smb2_take_input(connection, CLOCK_NEVER);
	connection->sending = false;
	return rc;
}

static int send_all(struct smb2_connection *connection, struct iovec *parts, size_t count,
		    uint64_t deadline_ns)
{
	struct msghdr header = {.msg_iov = parts, .msg_iovlen = count};
	int flags = MSG_NOSIGNAL | (connection->fibers != NULL ? MSG_DONTWAIT : 0);

	while (header.msg_iovlen > 0) {
		ssize_t sent = sendmsg(connection->fd, &header, flags);
		int rc;

		if (sent < 0 && errno != EINTR && errno != EAGAIN)
			return smb2_lose_in_call(connection);
		while (header.msg_iovlen > 0 && sent >= 0 &&
		       (size_t)sent >= header.msg_iov->iov_len) {
			sent -= (ssize_t)header.msg_iov->iov_len;
			header.msg_iov++;
			header.msg_iovlen--;
		}
		if (header.msg_iovlen == 0)
			break;
		if (sent > 0) {
			header.msg_iov->iov_base = (uint8_t *)header.msg_iov->iov_base + sent;
			header.msg_iov->iov_len -= (size_t)sent;
		}
		rc = wait_to_send(connection, deadline_ns);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Encrypt the message and send it. */
static int send_sealed(struct smb2_connection *connection, struct smb2_message *message,
		       const void *data, size_t bytes, uint64_t deadline_ns)
{
	size_t all = message->end - SMB2_FRONT + bytes;
	struct iovec part = {message->bytes, SMB2_FRONT + all};
	int rc;

	if (message->capacity - message->end < bytes + SMB2_TAG_BYTES)
		return smb2_broken(connection, "a request is too long");
	rc = smb2_seal(&connection->crypt, message->bytes + SMB2_FRAME_BYTES,
		       message->end - SMB2_FRONT, data, bytes, connection->stream.session_id);
	if (rc < 0)
		return smb2_lose(connection, rc, "cannot encrypt a request");
	put_frame(message->bytes, SMB2_TRANSFORM_BYTES + all);
	return send_all(connection, &part, 1, deadline_ns);
}

int smb2_send(struct smb2_connection *connection, struct smb2_message *message, const void *data,
	      size_t bytes, uint64_t deadline_ns)
{
	struct iovec parts[2];
	int rc;

	if (connection->seal)
		return send_sealed(connection, message, data, bytes, deadline_ns);
	rc = connection->sign ? sign_all(connection, message, data, bytes) : 0;
	if (rc < 0)
		return rc;
	put_frame(message->bytes + SMB2_TRANSFORM_BYTES, message->end - SMB2_FRONT + bytes);
	parts[0] = (struct iovec){
		message->bytes + SMB2_TRANSFORM_BYTES,
		message->end - SMB2_TRANSFORM_BYTES,
	};
	parts[1] = (struct iovec){(void *)(uintptr_t)data, bytes};
	return send_all(connection, parts, bytes > 0 ? 2 : 1, deadline_ns);
}
