/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/connection.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "smb2client/receive.h"
#include "words/nt_status.h"

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
	/* A request with the longest name, and with the data if it is
	 * sealed. */
	OUT_BYTES = SMB2_MESSAGE_MAX,
	CREDITS_MAX = 1 << 16, /* more are never needed */
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
	connection->message.bytes = malloc(OUT_BYTES);
	connection->message.capacity = OUT_BYTES;
	if (connection->in == NULL || connection->message.bytes == NULL)
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
	free(connection->message.bytes);
	*connection = (struct smb2_connection){.fd = -1, .lost = -ENOTCONN};
}

void smb2_connection_begin(struct smb2_connection *connection)
{
	connection->apart = 0;
	smb2_message_start(&connection->message);
}

uint8_t *smb2_request(struct smb2_connection *connection, enum smb2_command command,
		      unsigned charge, size_t body_bytes)
{
	return smb2_message_part(&connection->message, &connection->stream, command, charge,
				 body_bytes);
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

static int send_all(struct smb2_connection *connection, struct iovec *parts, size_t count,
		    uint64_t deadline_ns)
{
	struct msghdr header = {.msg_iov = parts, .msg_iovlen = count};

	while (header.msg_iovlen > 0) {
		ssize_t sent = sendmsg(connection->fd, &header, MSG_NOSIGNAL);
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
		rc = smb2_wait(connection, POLLOUT, deadline_ns);
		if (rc == -ETIMEDOUT)
			connection->cause = "the server does not read the request";
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

/* Protect the message and send it. */
static int send_message(struct smb2_connection *connection, struct smb2_message *message,
			const void *data, size_t bytes, uint64_t deadline_ns)
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

/* Return the number of the request that a reply answers, or -1. */
static int find_request(const struct smb2_connection *connection, const struct smb2_reply *reply)
{
	const struct smb2_message *message = &connection->message;
	unsigned part;

	for (part = 0; part < message->parts; part++)
		if (message->ids[part] == reply->message_id &&
		    message->commands[part] == reply->command &&
		    (connection->answered & 1u << part) == 0)
			return (int)part;
	return -1;
}

/* Check the signature of a reply that was not sealed. Interim replies and
 * breaks of oplocks have none (3.2.5.1.3). */
static int check_protection(struct smb2_connection *connection, uint8_t *header,
			    const struct smb2_reply *reply)
{
	bool exempt = smb2_reply_is_interim(reply) || reply->message_id == SMB2_UNSOLICITED;

	if (connection->seal && !exempt)
		return smb2_broken(connection, "a reply is not encrypted");
	if (!connection->crypt.has_keys || exempt)
		return 0;
	if ((reply->flags & SMB2_SIGNED) == 0)
		return connection->sign ? smb2_broken(connection, "a reply is not signed") : 0;
	if (smb2_check_signature(&connection->crypt, header, reply->size - connection->apart,
				 connection->data, connection->apart) < 0)
		return smb2_broken(connection, "a reply has a wrong signature");
	return 0;
}

/* Take a message that answers no request. Acknowledge it if it is the break of
 * an oplock (3.2.5.19). */
static int take_break(struct smb2_connection *connection, const struct smb2_reply *reply,
		      uint64_t deadline_ns)
{
	uint8_t bytes[SMB2_FRONT + SMB2_HEADER_BYTES + 64];
	struct smb2_message answer = {
		.bytes = bytes,
		.capacity = sizeof(bytes),
	};
	struct smb2_break broken;

	if (connection->on_break == NULL || smb2_parse_break(reply, &broken) < 0 ||
	    !connection->on_break(connection->context, &broken))
		return 0;
	if (connection->answer_count == SMB2_ANSWERS_MAX)
		return smb2_broken(connection,
				   "the server does not answer acknowledgements of broken oplocks");
	smb2_message_start(&answer);
	smb2_put_break(&answer, &connection->stream, &broken);
	if (answer.full)
		return smb2_broken(connection, "the server grants too few credits");
	connection->answers[connection->answer_count++] = answer.ids[0];
	return send_message(connection, &answer, NULL, 0, deadline_ns);
}

/* Is this a reply to an acknowledgement? Whether the server accepts it does not
 * matter: the file may have been closed in the meantime. */
static bool take_answer(struct smb2_connection *connection, const struct smb2_reply *reply)
{
	unsigned i;

	for (i = 0; i < connection->answer_count; i++) {
		if (connection->answers[i] != reply->message_id ||
		    reply->command != SMB2_OPLOCK_BREAK)
			continue;
		if (!smb2_reply_is_interim(reply))
			connection->answers[i] = connection->answers[--connection->answer_count];
		return true;
	}
	return false;
}

/* Note a reply. */
static int take_reply(struct smb2_connection *connection, const struct smb2_reply *reply,
		      uint64_t deadline_ns)
{
	int part = -1;

	if (reply->message_id == SMB2_UNSOLICITED)
		return take_break(connection, reply, deadline_ns);
	if (!take_answer(connection, reply)) {
		part = find_request(connection, reply);
		if (part < 0)
			return smb2_broken(connection, "a reply answers no request");
	}
	connection->stream.credits += reply->credits;
	if (connection->stream.credits > CREDITS_MAX)
		connection->stream.credits = CREDITS_MAX;
	if (part < 0)
		return 0;
	if (smb2_reply_is_interim(reply)) {
		connection->pending = true;
		connection->async_id = reply->async_id;
	} else {
		connection->replies[part] = *reply;
		connection->answered |= 1u << part;
	}
	return 0;
}

/* Read all replies of a received message. */
static int take_message(struct smb2_connection *connection, uint8_t *message, size_t bytes,
			uint64_t deadline_ns)
{
	struct smb2_reply reply;
	bool sealed = smb2_is_sealed(message);
	size_t at = 0;
	int rc = 0;

	if (sealed) {
		rc = smb2_unseal(&connection->crypt, message, bytes - connection->apart,
				 connection->data, connection->apart,
				 connection->stream.session_id);
		if (rc < 0)
			return smb2_broken(connection, "a reply cannot be decrypted");
		message += SMB2_TRANSFORM_BYTES;
		bytes -= SMB2_TRANSFORM_BYTES;
		if (connection->apart > 0 && !smb2_is_data(message, bytes))
			smb2_put_together(connection);
	}
	while (rc == 0) {
		size_t start = at;
		int found = smb2_reply_next(message, bytes, &at, &reply);

		if (found < 0)
			return smb2_broken(connection, "a reply has an invalid header");
		if (found == 0)
			return 0;
		if (!sealed)
			rc = check_protection(connection, message + start, &reply);
		if (rc == 0)
			rc = take_reply(connection, &reply, deadline_ns);
	}
	return rc;
}

/* Return a description of a status after which a session or its share cannot be
 * used any more, or NULL for all others (3.3.5.2.9, 3.3.5.2.11). */
static const char *loss_of(uint32_t status)
{
	switch (status) {
	case 0xc00000c9:
		return "the server has closed the share: NT_STATUS_NETWORK_NAME_DELETED";
	case 0xc0000203:
		return "the server has ended the session: NT_STATUS_USER_SESSION_DELETED";
	case 0xc000035c:
		return "the session has expired: NT_STATUS_NETWORK_SESSION_EXPIRED";
	default:
		return NULL;
	}
}

/* Check all replies. Note if a status says that the server has ended the session
 * or closed the share. */
static int check_replies(struct smb2_connection *connection)
{
	unsigned part;

	for (part = 0; part < connection->message.parts; part++) {
		const struct smb2_reply *reply = &connection->replies[part];

		if (smb2_reply_check(reply) < 0)
			return smb2_invalid(connection, reply->command);
		if (loss_of(reply->status) != NULL)
			smb2_lose(connection, nt_status_errno(reply->status),
				  loss_of(reply->status));
	}
	return 0;
}

/* Cancel the request that waits. */
static int cancel(struct smb2_connection *connection, uint64_t deadline_ns)
{
	uint8_t bytes[SMB2_FRONT + SMB2_HEADER_BYTES + 64];
	struct smb2_message message = {
		.bytes = bytes,
		.capacity = sizeof(bytes),
	};

	connection->may_wait = false;
	smb2_message_start(&message);
	smb2_put_cancel(&message, &connection->stream, connection->message.ids[0],
			connection->async_id);
	return send_message(connection, &message, NULL, 0, deadline_ns);
}

/*
 * Wait until the server sends something, then give it the time-out to send all
 * of it. If the caller must leave, cancel the request; then the server has the
 * time-out to answer.
 */
static int wait_for_others(struct smb2_connection *connection, uint64_t *deadline_ns)
{
	enum { SLICE_MS = 100 };
	struct pollfd poll_fd = {.fd = connection->fd, .events = POLLIN};
	bool wait;
	int rc;

	do {
		wait = connection->on_wait(connection->waiter);
		rc = wait && connection->have == connection->used ? poll(&poll_fd, 1, SLICE_MS) : 1;
	} while (rc == 0 || (rc < 0 && errno == EINTR));
	if (rc < 0)
		return smb2_lose_in_call(connection);
	*deadline_ns = smb2_now_ns(connection) + connection->timeout_ns;
	return wait ? 0 : cancel(connection, *deadline_ns);
}

int smb2_connection_exchange(struct smb2_connection *connection, const void *data, size_t bytes)
{
	uint64_t deadline_ns = connection->deadline_ns;
	unsigned all = (1u << connection->message.parts) - 1;
	uint8_t *message = NULL;
	int64_t size;
	int rc;

	if (connection->lost != 0)
		return connection->lost;
	if (connection->message.full)
		return smb2_broken(connection, "the server grants too few credits");
	if (deadline_ns == 0)
		deadline_ns = smb2_now_ns(connection) + connection->timeout_ns;
	connection->answered = 0;
	connection->overdue = 0;
	connection->pending = false;
	rc = send_message(connection, &connection->message, data, bytes, deadline_ns);
	while (rc == 0 && connection->answered != all) {
		if (connection->pending && connection->may_wait && connection->on_wait != NULL)
			rc = wait_for_others(connection, &deadline_ns);
		if (rc < 0)
			break;
		size = smb2_receive(connection, deadline_ns, &message);
		if (size < 0)
			return (int)size;
		rc = take_message(connection, message, (size_t)size, deadline_ns);
	}
	smb2_expect_no_data(connection);
	return rc == 0 ? check_replies(connection) : rc;
}
