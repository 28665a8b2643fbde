/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/receive.h"

#include "base/bytes.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
	/* A reply that came in time is received even if this process did not
	 * run until the deadline. This limits the number of calls that receive
	 * it, for servers that never stop sending. */
	OVERDUE_MAX = 64,
	/* Min size of a read that receives its data directly: to copy fewer
	 * bytes takes hardly any time. */
	DIRECT_MIN = 1024,
};

int smb2_lose_in_call(struct smb2_connection *connection)
{
	return smb2_lose(connection, -errno, NULL);
}

uint64_t smb2_now_ns(struct smb2_connection *connection)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t passed_ns = now_ns - connection->looked_ns;

	connection->looked_ns = now_ns;
	if (passed_ns > 2 * connection->step_ns)
		connection->paused_ns += passed_ns;
	return now_ns - connection->paused_ns;
}

/* Return the time until a deadline. */
static uint64_t time_left(struct smb2_connection *connection, uint64_t deadline_ns)
{
	uint64_t now_ns = smb2_now_ns(connection);

	return deadline_ns > now_ns ? deadline_ns - now_ns : 0;
}

/* May a call that received something after the deadline be followed by another? */
static bool goes_on(struct smb2_connection *connection, uint64_t deadline_ns)
{
	if (connection->overdue_ns != deadline_ns)
		connection->overdue = 0;
	connection->overdue_ns = deadline_ns;
	return connection->overdue++ < OVERDUE_MAX;
}

int smb2_wait(struct smb2_connection *connection, short events, uint64_t deadline_ns)
{
	struct pollfd poll_fd = {.fd = connection->fd, .events = events};

	for (;;) {
		uint64_t left_ns = time_left(connection, deadline_ns);
		uint64_t wait_ns = left_ns < connection->step_ns ? left_ns : connection->step_ns;
		int rc = poll(&poll_fd, 1, (int)(wait_ns / NS_PER_MS) + 1);

		if (rc > 0 && (left_ns > 0 || goes_on(connection, deadline_ns)))
			return poll_fd.revents;
		if (rc < 0 && errno != EINTR)
			return smb2_lose_in_call(connection);
		if (left_ns == 0)
			return smb2_lose(connection, -ETIMEDOUT, "the server does not answer");
	}
}

/*
 * A read receives messages in three parts: the bytes before the data go into
 * `in`, then the data into the caller's buffer, and any others into `in` again.
 * `in` has a gap for the data, so that all bytes have the same offset as if no
 * buffer was given. If a message is another one than expected, its bytes are
 * copied into the gap.
 */
void smb2_expect_data(struct smb2_connection *connection, void *buffer, size_t size)
{
	connection->data = buffer;
	connection->data_max = size >= DIRECT_MIN && size <= SMB2_PAYLOAD_MAX ? size : 0;
	connection->data_at = SMB2_FRAME_BYTES + SMB2_DATA_AT +
			      (connection->seal ? SMB2_TRANSFORM_BYTES : 0);
}

/* Return the place of an offset, and set *bytes to the number of bytes from
 * there to the end of the part that it is in. */
static uint8_t *place_of(const struct smb2_connection *connection, size_t at, size_t *bytes)
{
	size_t gap = connection->data_at;
	size_t gap_end = gap + connection->data_max;

	*bytes = SMB2_IN_BYTES - at;
	if (!connection->has_gap || at >= gap_end)
		return connection->in + at;
	if (at < gap) {
		*bytes = gap - at;
		return connection->in + at;
	}
	*bytes = gap_end - at;
	return connection->data + (at - gap);
}

/* Set the parts that the next bytes go to. Return their number. */
static int find_parts(const struct smb2_connection *connection, struct iovec parts[3])
{
	size_t at = connection->have, bytes;
	int count = 0;

	while (at < SMB2_IN_BYTES) {
		uint8_t *place = place_of(connection, at, &bytes);

		parts[count++] = (struct iovec){place, bytes};
		at += bytes;
	}
	return count;
}

/*
 * Receive more bytes, if there are any before the socket's own limit, step_ns.
 * Near the deadline, poll for the time that is left. So each exchange ends soon
 * after its deadline, even if the server sends a byte now and then.
 */
static int receive(struct smb2_connection *connection, uint64_t deadline_ns)
{
	struct iovec parts[3];
	ssize_t got;
	int rc;

	if (connection->have == SMB2_IN_BYTES)
		return smb2_broken(connection, "the replies are too long");
	if (time_left(connection, deadline_ns) < connection->step_ns) {
		rc = smb2_wait(connection, POLLIN, deadline_ns);
		if (rc < 0)
			return rc;
	}
	got = readv(connection->fd, parts, find_parts(connection, parts));
	if (got > 0) {
		connection->have += (size_t)got;
		return 0;
	}
	if (got == 0)
		return smb2_lose(connection, -ECONNRESET, "the server closed the connection");
	return errno == EINTR || errno == EAGAIN ? 0 : smb2_lose_in_call(connection);
}

/* Move the bytes that have not been read to offset 0. */
static void drop_used(struct smb2_connection *connection)
{
	size_t to = 0, from = connection->used;

	if (from == 0)
		return;
	while (from < connection->have) {
		size_t bytes, room;
		const uint8_t *source = place_of(connection, from, &bytes);
		uint8_t *place = place_of(connection, to, &room);

		if (bytes > room)
			bytes = room;
		if (bytes > connection->have - from)
			bytes = connection->have - from;
		memmove(place, source, bytes);
		from += bytes;
		to += bytes;
	}
	connection->have = to;
	connection->used = 0;
}

/* Fill the gap in `in` from one offset to another. */
static void fill_gap(struct smb2_connection *connection, size_t from, size_t to)
{
	size_t gap = connection->data_at;

	if (from < gap)
		from = gap;
	if (to > gap + connection->data_max)
		to = gap + connection->data_max;
	if (from < to)
		memcpy(connection->in + from, connection->data + (from - gap), to - from);
}

void smb2_put_together(struct smb2_connection *connection)
{
	fill_gap(connection, 0, connection->used);
	connection->apart = 0;
}

void smb2_expect_no_data(struct smb2_connection *connection)
{
	if (connection->has_gap)
		fill_gap(connection, connection->used, connection->have);
	connection->has_gap = false;
	connection->data_max = 0;
}

bool smb2_is_data(const uint8_t *message, size_t bytes)
{
	static const uint8_t protocol_id[4] = {0xfe, 'S', 'M', 'B'};
	const uint8_t *body = message + SMB2_HEADER_BYTES;

	return bytes >= SMB2_DATA_AT && memcmp(message, protocol_id, sizeof(protocol_id)) == 0 &&
	       get_le32(message + 8) == 0 && /* the status */
	       get_le16(message + 12) == SMB2_READ &&
	       get_le32(message + 20) == 0 && /* no compound */
	       body[2] == SMB2_DATA_AT && get_le32(body + 4) == bytes - SMB2_DATA_AT;
}

/* Decide after a message if its data may stay in the caller's buffer. */
static void close_gap(struct smb2_connection *connection, size_t bytes)
{
	const uint8_t *message = connection->in + SMB2_FRAME_BYTES;
	size_t end = SMB2_FRAME_BYTES + bytes, at = connection->data_at;
	bool fits = end > at && end - at <= connection->data_max;

	/* The content of a sealed message is not known yet. */
	if (fits && (connection->seal ? smb2_is_sealed(message) : smb2_is_data(message, bytes)))
		connection->apart = end - at;
	else
		fill_gap(connection, 0, end);
}

/* Set *length to that of the next message, or 0 if it is not known yet. */
static int find_length(struct smb2_connection *connection, uint32_t *length)
{
	*length = 0;
	if (connection->have - connection->used < SMB2_FRAME_BYTES)
		return 0;
	memcpy(length, connection->in + connection->used, sizeof(*length));
	*length = be32toh(*length);
	if (*length > SMB2_IN_BYTES - SMB2_FRAME_BYTES || *length < SMB2_HEADER_BYTES)
		return smb2_broken(connection, "a reply has an invalid length");
	return 0;
}

int64_t smb2_receive(struct smb2_connection *connection, uint64_t deadline_ns, uint8_t **message)
{
	uint32_t length;
	int rc;

	/* A message with a gap begins at offset 0. Move others only if they are
	 * incomplete: a server may send thousands that answer no request. */
	if (!connection->holds && (connection->has_gap || connection->used == connection->have))
		drop_used(connection);
	if (connection->have == 0)
		connection->has_gap = connection->data_max > 0;
	connection->apart = 0;
	while ((rc = find_length(connection, &length)) == 0) {
		if (length != 0 &&
		    connection->have - connection->used >= SMB2_FRAME_BYTES + length) {
			if (connection->has_gap)
				close_gap(connection, length);
			*message = connection->in + connection->used + SMB2_FRAME_BYTES;
			connection->used += SMB2_FRAME_BYTES + length;
			return length;
		}
		if (!connection->holds)
			drop_used(connection);
		rc = receive(connection, deadline_ns);
		if (rc < 0)
			break;
	}
	return rc;
}
