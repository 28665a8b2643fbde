/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/request.h"

#include "base/bytes.h"
#include "smb2client/client.h"
#include "smb2client/exchange.h"

enum {
	INFO_FILE = 1, /* 2.2.37: types of information */
	INFO_FILE_SYSTEM = 2,
	/* Max size of a reply, with the longest path: Samba does not cut it off,
	 * but fails. */
	QUERY_BYTES = 16384,
};

const uint8_t smb2_created_id[SMB2_FILE_ID_BYTES] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

/* Append a request; see smb2_request(). */
static uint8_t *request(struct smb2_session *session, enum smb2_command command, unsigned charge,
			size_t body_bytes)
{
	return smb2_request(session->exchange, command, charge, body_bytes);
}

static void add(struct smb2_session *session, const void *data, size_t bytes)
{
	smb2_message_add(&session->exchange->message, data, bytes);
}

/* Append the create context that asks for a lease with all rights (2.2.13.2.8,
 * 2.2.13.2.10). Return its size. */
static uint32_t add_lease(struct smb2_session *session, const struct smb2_create *create)
{
	enum { NAME = 16, DATA = 24, SIZE = 32, SIZE_V2 = 52, ALL = 7 };
	uint8_t context[DATA + SIZE_V2] = {0};
	uint32_t size = session->connection->stream.dialect >= SMB3_00 ? SIZE_V2 : SIZE;

	put_le16(context + 4, NAME);
	put_le16(context + 6, 4);
	put_le16(context + 10, DATA);
	put_le32(context + 12, size);
	memcpy(context + NAME, "RqLs", 4);
	memcpy(context + DATA, create->lease_key, SMB2_LEASE_KEY_BYTES);
	put_le32(context + DATA + SMB2_LEASE_KEY_BYTES, ALL);
	add(session, context, DATA + size);
	return DATA + size;
}

void smb2_put_create(struct smb2_session *session, const struct smb2_create *create)
{
	static const uint8_t nothing[8];
	enum { IMPERSONATION = 2 };
	uint8_t *body = request(session, SMB2_CREATE, 1, 56);
	size_t start;

	if (body == NULL)
		return;
	start = session->exchange->message.start[session->exchange->message.parts - 1];
	put_le16(body, 57);
	put_le32(body + 4, IMPERSONATION);
	put_le32(body + 24, create->access);
	put_le32(body + 28, create->attributes);
	put_le32(body + 32, create->share);
	put_le32(body + 36, create->disposition);
	put_le32(body + 40, create->options);
	put_le16(body + 44, SMB2_HEADER_BYTES + 56);
	put_le16(body + 46, (uint16_t)create->name.size);
	/* The variable part must not be empty. */
	if (create->name.size > 0)
		add(session, create->name.bytes, create->name.size);
	else
		add(session, nothing, sizeof(nothing));
	body[3] = (uint8_t)create->oplock;
	if (create->oplock != SMB2_OPLOCK_LEASE)
		return;
	smb2_message_align(&session->exchange->message);
	put_le32(body + 48, (uint32_t)(session->exchange->message.end - start));
	put_le32(body + 52, add_lease(session, create));
}

void smb2_put_close(struct smb2_session *session, const uint8_t *id)
{
	uint8_t *body = request(session, SMB2_CLOSE, 1, 24);

	if (body == NULL)
		return;
	put_le16(body, 24);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_flush(struct smb2_session *session, const uint8_t *id)
{
	uint8_t *body = request(session, SMB2_FLUSH, 1, 24);

	if (body == NULL)
		return;
	put_le16(body, 24);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_read(struct smb2_session *session, const uint8_t *id, uint64_t offset, uint32_t bytes)
{
	/* The last byte stands for the variable part. */
	uint8_t *body = request(session, SMB2_READ,
				smb2_charge(&session->connection->stream, bytes), 49);

	if (body == NULL)
		return;
	put_le16(body, 49);
	body[2] = SMB2_HEADER_BYTES + 16; /* where to put data in the reply */
	put_le32(body + 4, bytes);
	put_le64(body + 8, offset);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_write(struct smb2_session *session, const uint8_t *id, uint64_t offset,
		    uint32_t bytes, bool through)
{
	uint8_t *body = request(session, SMB2_WRITE,
				smb2_charge(&session->connection->stream, bytes), 48);

	if (body == NULL)
		return;
	put_le16(body, 49);
	put_le16(body + 2, SMB2_HEADER_BYTES + 48);
	put_le32(body + 4, bytes);
	put_le64(body + 8, offset);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
	/* 2.2.21: this flag is reserved in 2.0.2. */
	if (through && session->connection->stream.dialect > SMB2_02)
		put_le32(body + 44, 1);
}

void smb2_put_lock(struct smb2_session *session, const uint8_t *id, const struct smb2_range *ranges,
		   unsigned count, uint32_t flags)
{
	uint8_t *body = request(session, SMB2_LOCK, 1, 24 + 24 * (size_t)count);
	unsigned i;

	if (body == NULL)
		return;
	put_le16(body, 48);
	put_le16(body + 2, (uint16_t)count);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
	for (i = 0, body += 24; i < count; i++, body += 24) {
		put_le64(body, ranges[i].offset);
		put_le64(body + 8, ranges[i].length);
		put_le32(body + 16, flags);
	}
}

static void put_query(struct smb2_session *session, const uint8_t *id, uint8_t type, uint8_t class)
{
	uint8_t *body = request(session, SMB2_QUERY_INFO, 1, 40);

	if (body == NULL)
		return;
	put_le16(body, 41);
	body[2] = type;
	body[3] = class;
	put_le32(body + 4, QUERY_BYTES);
	put_le16(body + 8, SMB2_HEADER_BYTES + 40);
	memcpy(body + 24, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_query_file(struct smb2_session *session, const uint8_t *id, uint8_t class)
{
	put_query(session, id, INFO_FILE, class);
}

void smb2_put_query_space(struct smb2_session *session, const uint8_t *id, uint8_t class)
{
	put_query(session, id, INFO_FILE_SYSTEM, class);
}

/* Append a SET_INFO request for `bytes` bytes, which the caller adds. */
static void put_set_head(struct smb2_session *session, const uint8_t *id,
			 enum smb2_file_class class, size_t bytes)
{
	uint8_t *body = request(session, SMB2_SET_INFO, 1, 32);

	if (body == NULL)
		return;
	put_le16(body, 33);
	body[2] = INFO_FILE;
	body[3] = (uint8_t)class;
	put_le32(body + 4, (uint32_t)bytes);
	put_le16(body + 8, SMB2_HEADER_BYTES + 32);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_set(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		  const void *data, size_t bytes)
{
	put_set_head(session, id, class, bytes);
	add(session, data, bytes);
}

void smb2_put_set_size(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		       uint64_t bytes)
{
	uint8_t size[8];

	put_le64(size, bytes);
	smb2_put_set(session, id, class, size, sizeof(size));
}

void smb2_put_set_basic(struct smb2_session *session, const uint8_t *id, uint64_t access_time,
			uint64_t write_time, uint32_t attributes)
{
	uint8_t data[40] = {0};

	put_le64(data + 8, access_time);
	put_le64(data + 16, write_time);
	put_le32(data + 32, attributes);
	smb2_put_set(session, id, SMB2_BASIC_INFORMATION, data, sizeof(data));
}

void smb2_put_rename(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		     struct smb2_name name, bool replace)
{
	enum { FIXED = 20, MIN = 24 };
	static const uint8_t padding[MIN - FIXED];
	uint8_t data[FIXED] = {replace};
	size_t more = name.size < sizeof(padding) ? sizeof(padding) - name.size : 0;

	put_le32(data + 16, (uint32_t)name.size);
	put_set_head(session, id, class, FIXED + name.size + more);
	add(session, data, sizeof(data));
	add(session, name.bytes, name.size);
	add(session, padding, more);
}

void smb2_put_control(struct smb2_session *session, const uint8_t *id, enum smb2_control control,
		      const void *input, size_t bytes, uint32_t max_output)
{
	enum { IS_FILE_SYSTEM_CONTROL = 1 };
	uint8_t *body = request(session, SMB2_IOCTL, 1, 56);

	if (body == NULL)
		return;
	put_le16(body, 57);
	put_le32(body + 4, control);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
	put_le32(body + 24, SMB2_HEADER_BYTES + 56);
	put_le32(body + 28, (uint32_t)bytes);
	put_le32(body + 44, max_output);
	put_le32(body + 48, IS_FILE_SYSTEM_CONTROL);
	add(session, input, bytes);
}

void smb2_put_find(struct smb2_session *session, const uint8_t *id, uint8_t class,
		   struct smb2_name pattern, uint32_t bytes)
{
	uint8_t *body = request(session, SMB2_QUERY_DIRECTORY,
				smb2_charge(&session->connection->stream, bytes), 32);

	if (body == NULL)
		return;
	put_le16(body, 33);
	body[2] = class;
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
	put_le16(body + 24, SMB2_HEADER_BYTES + 32);
	put_le16(body + 26, (uint16_t)pattern.size);
	put_le32(body + 28, bytes);
	add(session, pattern.bytes, pattern.size);
}
