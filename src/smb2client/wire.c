/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/wire.h"

#include "base/bytes.h"
#include "smb2client/client.h"
#include "words/nt_status.h"

#include <errno.h>

enum {
	/* Ask for this many credits more than we use until we have twice as
	 * many: enough for one request of 8 MiB. */
	MORE_CREDITS = 64,
	ENOUGH_CREDITS = 128,
	ALIGNMENT = 8,       /* of the requests in a compound, and of contexts */
	PROCESS_ID = 0xfeff, /* the reserved field of the header; a custom */
};

#define STATUS_PENDING 0x103u

static const uint8_t protocol_id[4] = {0xfe, 'S', 'M', 'B'};

void smb2_message_start(struct smb2_message *message)
{
	message->end = SMB2_FRONT;
	message->full = message->capacity < SMB2_FRONT;
	message->parts = 0;
}

static bool has_room(struct smb2_message *message, size_t bytes)
{
	if (!message->full && message->capacity - message->end >= bytes)
		return true;
	message->full = true;
	return false;
}

void smb2_message_add(struct smb2_message *message, const void *data, size_t bytes)
{
	if (bytes == 0 || !has_room(message, bytes))
		return;
	memcpy(message->bytes + message->end, data, bytes);
	message->end += bytes;
}

void smb2_message_align(struct smb2_message *message)
{
	static const uint8_t zeros[ALIGNMENT];
	size_t over = (message->end - SMB2_FRONT) % ALIGNMENT;

	if (over > 0)
		smb2_message_add(message, zeros, ALIGNMENT - over);
}

size_t smb2_message_part_bytes(const struct smb2_message *message, unsigned part)
{
	size_t end = part + 1 < message->parts ? message->start[part + 1] : message->end;

	return end - message->start[part];
}

unsigned smb2_charge(const struct smb2_stream *stream, uint64_t payload_bytes)
{
	if (payload_bytes == 0 || stream->dialect <= SMB2_02)
		return 1;
	return (unsigned)((payload_bytes - 1) / SMB2_PAYLOAD_PER_CREDIT) + 1;
}

uint32_t smb2_payload(const struct smb2_stream *stream, uint32_t limit)
{
	uint64_t payload = (uint64_t)stream->credits * SMB2_PAYLOAD_PER_CREDIT;

	if (stream->dialect <= SMB2_02)
		return stream->credits > 0 ? limit : 0;
	return payload < limit ? (uint32_t)payload : limit;
}

/* Set the offset of the next request in the header of the last one. */
static void chain(struct smb2_message *message)
{
	size_t last;

	smb2_message_align(message);
	if (message->full)
		return;
	last = message->start[message->parts - 1];
	put_le32(message->bytes + last + 20, (uint32_t)(message->end - last));
}

uint8_t *smb2_message_part(struct smb2_message *message, struct smb2_stream *stream,
			   enum smb2_command command, unsigned charge, size_t body_bytes)
{
	bool more = stream->credits < ENOUGH_CREDITS;
	uint8_t *header;

	if (message->parts > 0)
		chain(message);
	if (message->parts == SMB2_MAX_PARTS || stream->credits < charge)
		message->full = true;
	if (!has_room(message, SMB2_HEADER_BYTES + body_bytes))
		return NULL;
	header = message->bytes + message->end;
	memset(header, 0, SMB2_HEADER_BYTES + body_bytes);
	memcpy(header, protocol_id, sizeof(protocol_id));
	put_le16(header + 4, SMB2_HEADER_BYTES);
	/* 2.2.1.2: 0 in 2.0.2, and in the request that negotiates it. */
	put_le16(header + 6, stream->dialect > SMB2_02 ? (uint16_t)charge : 0);
	put_le16(header + 12, (uint16_t)command);
	put_le16(header + 14, (uint16_t)(charge + (more ? MORE_CREDITS : 0)));
	put_le32(header + 16, message->parts > 0 ? SMB2_RELATED : 0);
	put_le64(header + 24, stream->next_id);
	put_le32(header + 32, PROCESS_ID);
	put_le32(header + 36, stream->tree_id);
	put_le64(header + 40, stream->session_id);
	message->start[message->parts] = message->end;
	message->ids[message->parts] = stream->next_id;
	message->commands[message->parts++] = (uint16_t)command;
	message->end += SMB2_HEADER_BYTES + body_bytes;
	stream->next_id += charge;
	stream->credits -= charge;
	return header + SMB2_HEADER_BYTES;
}

bool smb2_reply_is_interim(const struct smb2_reply *reply)
{
	return reply->status == STATUS_PENDING && (reply->flags & SMB2_ASYNC) != 0;
}

int smb2_reply_next(const uint8_t *message, size_t bytes, size_t *at, struct smb2_reply *reply)
{
	const uint8_t *header = message + *at;
	size_t left = bytes - *at;
	uint32_t next;

	if (left == 0)
		return *at > 0 ? 0 : -EPROTO;
	if (left < SMB2_HEADER_BYTES || memcmp(header, protocol_id, sizeof(protocol_id)) != 0 ||
	    get_le16(header + 4) != SMB2_HEADER_BYTES)
		return -EPROTO;
	next = get_le32(header + 20);
	if (next != 0 &&
	    (next % ALIGNMENT != 0 || next < SMB2_HEADER_BYTES || next > left - SMB2_HEADER_BYTES))
		return -EPROTO;
	*reply = (struct smb2_reply){
		.command = get_le16(header + 12),
		.status = get_le32(header + 8),
		.flags = get_le32(header + 16),
		.credits = get_le16(header + 14),
		.message_id = get_le64(header + 24),
		.session_id = get_le64(header + 40),
		.bytes = header,
		.size = next != 0 ? next : left,
	};
	if ((reply->flags & SMB2_FROM_SERVER) == 0)
		return -EPROTO;
	if ((reply->flags & SMB2_ASYNC) == 0)
		reply->tree_id = get_le32(header + 36);
	else
		reply->async_id = get_le64(header + 32);
	*at += reply->size;
	return 1;
}

const uint8_t *smb2_reply_body(const struct smb2_reply *reply, unsigned size, size_t bytes)
{
	const uint8_t *body = reply->bytes + SMB2_HEADER_BYTES;

	if (reply->size - SMB2_HEADER_BYTES < bytes || get_le16(body) != size)
		return NULL;
	return body;
}

int smb2_reply_data(const struct smb2_reply *reply, size_t fixed, uint32_t offset, uint32_t size,
		    struct smb2_data *data)
{
	*data = (struct smb2_data){.bytes = reply->bytes, .size = size};
	if (size == 0)
		return 0;
	if (offset < SMB2_HEADER_BYTES + fixed || offset > reply->size ||
	    size > reply->size - offset)
		return -EPROTO;
	data->bytes = reply->bytes + offset;
	return 0;
}

int smb2_reply_check(const struct smb2_reply *reply)
{
	/* The structure sizes of replies. An odd one counts a byte of the
	 * variable part, which may be empty. */
	static const uint8_t sizes[SMB2_COMMANDS] = {
		[SMB2_NEGOTIATE] = 65,
		[SMB2_SESSION_SETUP] = 9,
		[SMB2_LOGOFF] = 4,
		[SMB2_TREE_CONNECT] = 16,
		[SMB2_TREE_DISCONNECT] = 4,
		[SMB2_CREATE] = 89,
		[SMB2_CLOSE] = 60,
		[SMB2_FLUSH] = 4,
		[SMB2_READ] = 17,
		[SMB2_WRITE] = 17,
		[SMB2_LOCK] = 4,
		[SMB2_IOCTL] = 49,
		[SMB2_ECHO] = 4,
		[SMB2_QUERY_DIRECTORY] = 9,
		[SMB2_QUERY_INFO] = 9,
		[SMB2_SET_INFO] = 2,
	};
	bool cut_off = reply->status == NT_STATUS_BUFFER_OVERFLOW &&
		       reply->command == SMB2_QUERY_INFO;
	unsigned size;

	if (nt_status_is_failure(reply->status))
		return 0;
	if (reply->status != NT_STATUS_OK && !cut_off)
		return -EPROTO;
	size = reply->command < SMB2_COMMANDS ? sizes[reply->command] : 0;
	return size > 0 && smb2_reply_body(reply, size, size & ~1u) != NULL ? 0 : -EPROTO;
}

/* Read a negotiate context (2.2.4.1), whose content has `size` bytes. */
static int read_context(unsigned type, const uint8_t *content, size_t size,
			struct smb2_negotiated *negotiated)
{
	enum { PREAUTH = 1, ENCRYPTION = 2, SIGNING = 8 };

	switch (type) {
	case PREAUTH: /* counts of algorithms and of bytes of salt */
		if (size < 6 || get_le16(content) != 1)
			return -EPROTO;
		negotiated->hash = get_le16(content + 4);
		return 0;
	case ENCRYPTION:
		if (size < 4 || get_le16(content) != 1)
			return -EPROTO;
		negotiated->cipher = get_le16(content + 2);
		return 0;
	case SIGNING:
		if (size < 4 || get_le16(content) != 1)
			return -EPROTO;
		negotiated->signing = get_le16(content + 2);
		negotiated->has_signing = true;
		return 0;
	default:
		return 0;
	}
}

static int read_contexts(const struct smb2_reply *reply, size_t at, unsigned count,
			 struct smb2_negotiated *negotiated)
{
	enum { CONTEXT_HEADER = 8 };
	int rc = 0;

	if (at < SMB2_HEADER_BYTES + 64)
		return -EPROTO;
	while (rc == 0 && count-- > 0) {
		const uint8_t *context = reply->bytes + at;
		size_t size;

		if (at > reply->size || reply->size - at < CONTEXT_HEADER)
			return -EPROTO;
		size = get_le16(context + 2);
		if (size > reply->size - at - CONTEXT_HEADER)
			return -EPROTO;
		rc = read_context(get_le16(context), context + CONTEXT_HEADER, size, negotiated);
		at += CONTEXT_HEADER + size;
		at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	return rc;
}

int smb2_parse_negotiate(const struct smb2_reply *reply, struct smb2_negotiated *negotiated)
{
	const uint8_t *body = smb2_reply_body(reply, 65, 64);
	struct smb2_data token;

	if (body == NULL)
		return -EPROTO;
	*negotiated = (struct smb2_negotiated){
		.security_mode = get_le16(body + 2),
		.dialect = get_le16(body + 4),
		.capabilities = get_le32(body + 24),
		.max_transact = get_le32(body + 28),
		.max_read = get_le32(body + 32),
		.max_write = get_le32(body + 36),
	};
	memcpy(negotiated->server_guid, body + 8, 16);
	if (smb2_reply_data(reply, 64, get_le16(body + 56), get_le16(body + 58), &token) < 0)
		return -EPROTO;
	if (negotiated->dialect != SMB3_11)
		return 0;
	return read_contexts(reply, get_le32(body + 60), get_le16(body + 6), negotiated);
}

int smb2_parse_session_setup(const struct smb2_reply *reply, uint16_t *session_flags,
			     struct smb2_data *token)
{
	const uint8_t *body = smb2_reply_body(reply, 9, 8);

	if (body == NULL)
		return -EPROTO;
	*session_flags = get_le16(body + 2);
	return smb2_reply_data(reply, 8, get_le16(body + 4), get_le16(body + 6), token);
}

int smb2_parse_tree_connect(const struct smb2_reply *reply, struct smb2_tree *tree)
{
	const uint8_t *body = smb2_reply_body(reply, 16, 16);

	if (body == NULL)
		return -EPROTO;
	*tree = (struct smb2_tree){
		.type = body[2],
		.flags = get_le32(body + 4),
	};
	return 0;
}

int smb2_parse_break(const struct smb2_reply *reply, struct smb2_break *broken)
{
	enum { OPLOCK = 24, LEASE = 44, ACK_REQUIRED = 1 << 0 };
	const uint8_t *body = smb2_reply_body(reply, OPLOCK, OPLOCK);

	if (reply->command != SMB2_OPLOCK_BREAK)
		return -EPROTO;
	*broken = (struct smb2_break){.is_lease = body == NULL};
	if (broken->is_lease) {
		body = smb2_reply_body(reply, LEASE, LEASE);
		if (body == NULL)
			return -EPROTO;
		broken->wants_answer = (get_le32(body + 4) & ACK_REQUIRED) != 0;
		broken->state = get_le32(body + 28);
	} else {
		broken->level = body[2];
	}
	memcpy(broken->id, body + 8, sizeof(broken->id));
	return 0;
}

void smb2_put_break(struct smb2_message *message, struct smb2_stream *stream,
		    const struct smb2_break *broken)
{
	enum { OPLOCK = 24, LEASE = 36 };
	size_t size = broken->is_lease ? LEASE : OPLOCK;
	uint8_t *body = smb2_message_part(message, stream, SMB2_OPLOCK_BREAK, 1, size);

	if (body == NULL)
		return;
	put_le16(body, (uint16_t)size);
	memcpy(body + 8, broken->id, sizeof(broken->id));
	if (broken->is_lease)
		put_le32(body + 24, broken->state);
	else
		body[2] = broken->level;
}

void smb2_put_cancel(struct smb2_message *message, struct smb2_stream *stream, uint64_t id,
		     uint64_t async_id)
{
	enum { SIZE = 4 };
	uint8_t *body = smb2_message_part(message, stream, SMB2_CANCEL, 0, SIZE);
	uint8_t *header;

	if (body == NULL)
		return;
	header = body - SMB2_HEADER_BYTES;
	put_le16(header + 14, 0); /* ask for no credits */
	put_le32(header + 16, SMB2_ASYNC);
	put_le64(header + 24, id);
	put_le64(header + 32, async_id);
	put_le16(body, SIZE);
}
