/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/client.h"

#include "smb2client/exchange.h"
#include "smb2client/receive.h"
#include "words/nt_status.h"

#include <errno.h>
#include <string.h>

int smb2_lost(const struct smb2_session *session)
{
	return session->connection != NULL ? session->connection->lost : -ENOTCONN;
}

const char *smb2_cause(const struct smb2_session *session)
{
	return session->connection != NULL ? session->connection->cause : NULL;
}

int smb2_give_up(struct smb2_session *session, int rc, const char *cause)
{
	return smb2_lose(session->connection, rc, cause);
}

/* Wait until there are credits for any compound, and these at least. One is left for
 * the acknowledgement of a break. */
static void await_credits(struct smb2_session *session, unsigned credits)
{
	if (credits < SMB2_MAX_PARTS)
		credits = SMB2_MAX_PARTS;
	smb2_await_credits(session->exchange, credits + 1);
}

struct smb2_session *smb2_begin(struct smb2_session *session)
{
	await_credits(session, 0);
	smb2_connection_begin(session->exchange);
	return session;
}

int smb2_exchange(struct smb2_session *session)
{
	return smb2_connection_exchange(session->exchange, NULL, 0);
}

/* Send the message, with `bytes` bytes after its last request; see
 * smb2_call(). */
static int call_with(struct smb2_session *session, const void *data, size_t bytes)
{
	struct smb2_exchange *exchange = session->exchange;
	int rc = smb2_connection_exchange(exchange, data, bytes);
	unsigned part;

	for (part = 0; rc == 0 && part < exchange->message.parts; part++)
		rc = nt_status_errno(exchange->replies[part].status);
	return rc;
}

int smb2_call(struct smb2_session *session)
{
	return call_with(session, NULL, 0);
}

int smb2_call_waiting(struct smb2_session *session, bool (*wait)(void *context), void *context)
{
	struct smb2_exchange *exchange = session->exchange;
	int rc;

	exchange->on_wait = wait;
	exchange->waiter = context;
	exchange->may_wait = true;
	rc = smb2_call(session);
	if (!exchange->may_wait && session->connection->lost == 0 &&
	    exchange->replies[0].status == NT_STATUS_CANCELLED)
		rc = -ECANCELED;
	exchange->may_wait = false;
	return rc;
}

const struct smb2_reply *smb2_reply(const struct smb2_session *session, unsigned number)
{
	return &session->exchange->replies[number];
}

uint32_t smb2_status(const struct smb2_session *session, unsigned number)
{
	return smb2_reply(session, number)->status;
}

int smb2_invalid_reply(struct smb2_session *session, unsigned number)
{
	return smb2_invalid(session->connection, session->exchange->message.commands[number]);
}

void smb2_deadline_begin(struct smb2_session *session)
{
	struct smb2_connection *connection = session->connection;

	session->exchange->limit_ns = smb2_now_ns(connection) + connection->timeout_ns;
}

void smb2_deadline_end(struct smb2_session *session)
{
	session->exchange->limit_ns = 0;
}

bool smb2_is_overdue(struct smb2_session *session)
{
	return smb2_now_ns(session->connection) >= session->exchange->limit_ns;
}

/* Begin a message that moves up to `left` bytes. Return how many it may move. */
static uint32_t begin_portion(struct smb2_session *session, uint32_t max, uint64_t left)
{
	const struct smb2_stream *stream = &session->connection->stream;
	uint32_t wanted = left < max ? (uint32_t)left : max;

	await_credits(session, smb2_charge(stream, wanted));
	smb2_connection_begin(session->exchange);
	return smb2_payload(stream, wanted);
}

/* Read up to connection->max_read bytes, with the message that has begun. */
static int64_t read_some(struct smb2_session *session, const uint8_t *id, void *buffer,
			 uint32_t size, uint64_t offset)
{
	struct smb2_exchange *exchange = session->exchange;
	const struct smb2_reply *reply = &exchange->replies[0];
	struct smb2_data data;
	int rc;

	smb2_put_read(session, id, offset, size);
	exchange->data = buffer;
	exchange->data_max = size;
	rc = smb2_exchange(session);
	if (rc < 0)
		return rc;
	if (reply->status == NT_STATUS_END_OF_FILE)
		return 0;
	rc = nt_status_errno(reply->status);
	if (rc < 0)
		return rc;
	if (smb2_parse_read(reply, &data) < 0 || data.size > size)
		return smb2_invalid(session->connection, SMB2_READ);
	if (exchange->apart == 0)
		memcpy(buffer, data.bytes, data.size);
	return data.size;
}

int64_t smb2_read_range(struct smb2_session *session, const uint8_t *id, void *buffer, size_t size,
			uint64_t offset)
{
	size_t done = 0;

	do {
		uint32_t wanted = begin_portion(session, session->connection->max_read,
						size - done);
		int64_t got = read_some(session, id, (uint8_t *)buffer + done, wanted,
					offset + done);

		if (got < 0)
			return got;
		done += (size_t)got;
		if (got < wanted)
			break;
	} while (done < size);
	return (int64_t)done;
}

/* Write up to connection->max_write bytes, with the message that has begun. */
static int64_t write_some(struct smb2_session *session, const uint8_t *id, const void *data,
			  uint32_t size, uint64_t offset, bool through)
{
	uint32_t written;
	int rc;

	smb2_put_write(session, id, offset, size, through);
	rc = call_with(session, data, size);
	if (rc < 0)
		return rc;
	if (smb2_parse_write(smb2_reply(session, 0), &written) < 0 || written > size)
		return smb2_invalid(session->connection, SMB2_WRITE);
	return written;
}

int smb2_write_range(struct smb2_session *session, const uint8_t *id, const void *data, size_t size,
		     uint64_t offset, bool through, size_t *written)
{
	uint32_t wanted;
	int64_t put;

	*written = 0;
	do {
		wanted = begin_portion(session, session->connection->max_write, size - *written);
		put = write_some(session, id, (const uint8_t *)data + *written, wanted,
				 offset + *written, through);
		if (put < 0)
			return (int)put;
		*written += (size_t)put;
	} while (put == wanted && *written < size);
	return 0;
}

uint32_t smb2_begin_listing(struct smb2_session *session, unsigned others)
{
	uint32_t max = session->connection->max_transact;
	struct smb2_stream stream;

	await_credits(session, smb2_charge(&session->connection->stream, max) + others);
	smb2_connection_begin(session->exchange);
	stream = session->connection->stream;
	if (stream.credits <= others)
		return SMB2_PAYLOAD_PER_CREDIT;
	stream.credits -= others;
	return smb2_payload(&stream, max);
}
