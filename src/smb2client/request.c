/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/request.h"

#include "base/bytes.h"

enum {
	INFO_FILE = 1, /* 2.2.37: types of information */
	INFO_FILE_SYSTEM = 2,
	QUERY_BYTES = 1024, /* max size of a reply; a long name is cut off */
};

const uint8_t smb2_created_id[SMB2_FILE_ID_BYTES] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

static void add(struct smb2_connection *connection, const void *data, size_t bytes)
{
	smb2_message_add(&connection->message, data, bytes);
}

/* Append a negotiate context with a list of numbers, after a salt for the
 * hash. */
static void add_context(struct smb2_message *message, uint16_t type, const uint16_t *numbers,
			unsigned count, const uint8_t *salt)
{
	enum { HEADER = 8, NUMBERS_MAX = 4 };
	uint8_t bytes[HEADER + 4 + 2 * NUMBERS_MAX] = {0}, *at = bytes + HEADER;
	size_t salt_bytes = salt != NULL ? SMB2_SALT_BYTES : 0;
	unsigned i;

	put_le16(at, (uint16_t)count);
	at += 2;
	if (salt != NULL) {
		put_le16(at, SMB2_SALT_BYTES);
		at += 2;
	}
	for (i = 0; i < count; i++, at += 2)
		put_le16(at, numbers[i]);
	put_le16(bytes, type);
	put_le16(bytes + 2, (uint16_t)((size_t)(at - bytes) - HEADER + salt_bytes));
	smb2_message_align(message);
	smb2_message_add(message, bytes, (size_t)(at - bytes));
	smb2_message_add(message, salt, salt_bytes);
}

void smb2_add_contexts(struct smb2_connection *connection, uint8_t *body, int cipher, int signing,
		       const uint8_t salt[SMB2_SALT_BYTES])
{
	enum { PREAUTH = 1, ENCRYPTION = 2, SIGNING = 8 };
	static const uint16_t hashes[] = {SMB2_PREAUTH_SHA512};
	static const uint16_t ciphers[] = {SMB2_AES128_GCM, SMB2_AES128_CCM, SMB2_AES256_GCM,
					   SMB2_AES256_CCM};
	static const uint16_t signings[] = {SMB2_AES_GMAC, SMB2_AES_CMAC, SMB2_HMAC_SHA256};
	struct smb2_message *message = &connection->message;
	uint16_t one_cipher = (uint16_t)cipher;
	uint16_t one_signing = (uint16_t)signing;

	smb2_message_align(message);
	put_le32(body + 28, (uint32_t)(message->end - SMB2_FRONT));
	put_le16(body + 32, 3);
	add_context(message, PREAUTH, hashes, 1, salt);
	add_context(message, ENCRYPTION, cipher < 0 ? ciphers : &one_cipher, cipher < 0 ? 4 : 1,
		    NULL);
	add_context(message, SIGNING, signing < 0 ? signings : &one_signing, signing < 0 ? 3 : 1,
		    NULL);
}

/* Append the create context that asks for a lease with all rights (2.2.13.2.8,
 * 2.2.13.2.10). Return its size. */
static uint32_t add_lease(struct smb2_connection *connection, const struct smb2_create *create)
{
	enum { NAME = 16, DATA = 24, SIZE = 32, SIZE_V2 = 52, ALL = 7 };
	uint8_t context[DATA + SIZE_V2] = {0};
	uint32_t size = connection->stream.dialect >= SMB3_00 ? SIZE_V2 : SIZE;

	put_le16(context + 4, NAME);
	put_le16(context + 6, 4);
	put_le16(context + 10, DATA);
	put_le32(context + 12, size);
	memcpy(context + NAME, "RqLs", 4);
	memcpy(context + DATA, create->lease_key, SMB2_LEASE_KEY_BYTES);
	put_le32(context + DATA + SMB2_LEASE_KEY_BYTES, ALL);
	add(connection, context, DATA + size);
	return DATA + size;
}

void smb2_put_create(struct smb2_connection *connection, const struct smb2_create *create)
{
	static const uint8_t nothing[8];
	enum { IMPERSONATION = 2 };
	uint8_t *body = smb2_request(connection, SMB2_CREATE, 1, 56);
	size_t start;

	if (body == NULL)
		return;
	start = connection->message.start[connection->message.parts - 1];
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
		add(connection, create->name.bytes, create->name.size);
	else
		add(connection, nothing, sizeof(nothing));
	body[3] = (uint8_t)create->oplock;
	if (create->oplock != SMB2_OPLOCK_LEASE)
		return;
	smb2_message_align(&connection->message);
	put_le32(body + 48, (uint32_t)(connection->message.end - start));
	put_le32(body + 52, add_lease(connection, create));
}

void smb2_put_close(struct smb2_connection *connection, const uint8_t *id)
{
	uint8_t *body = smb2_request(connection, SMB2_CLOSE, 1, 24);

	if (body == NULL)
		return;
	put_le16(body, 24);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_flush(struct smb2_connection *connection, const uint8_t *id)
{
	uint8_t *body = smb2_request(connection, SMB2_FLUSH, 1, 24);

	if (body == NULL)
		return;
	put_le16(body, 24);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_read(struct smb2_connection *connection, const uint8_t *id, uint64_t offset,
		   uint32_t bytes)
{
	/* The last byte stands for the variable part. */
	uint8_t *body = smb2_request(connection, SMB2_READ, smb2_charge(&connection->stream, bytes),
				     49);

	if (body == NULL)
		return;
	put_le16(body, 49);
	body[2] = SMB2_HEADER_BYTES + 16; /* where to put data in the reply */
	put_le32(body + 4, bytes);
	put_le64(body + 8, offset);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_write(struct smb2_connection *connection, const uint8_t *id, uint64_t offset,
		    uint32_t bytes, bool through)
{
	uint8_t *body = smb2_request(connection, SMB2_WRITE,
				     smb2_charge(&connection->stream, bytes), 48);

	if (body == NULL)
		return;
	put_le16(body, 49);
	put_le16(body + 2, SMB2_HEADER_BYTES + 48);
	put_le32(body + 4, bytes);
	put_le64(body + 8, offset);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
	/* 2.2.21: this flag is reserved in 2.0.2. */
	if (through && connection->stream.dialect > SMB2_02)
		put_le32(body + 44, 1);
}

void smb2_put_lock(struct smb2_connection *connection, const uint8_t *id,
		   const struct smb2_range *ranges, unsigned count, uint32_t flags)
{
	uint8_t *body = smb2_request(connection, SMB2_LOCK, 1, 24 + 24 * (size_t)count);
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

static void put_query(struct smb2_connection *connection, const uint8_t *id, uint8_t type,
		      uint8_t class)
{
	uint8_t *body = smb2_request(connection, SMB2_QUERY_INFO, 1, 40);

	if (body == NULL)
		return;
	put_le16(body, 41);
	body[2] = type;
	body[3] = class;
	put_le32(body + 4, QUERY_BYTES);
	put_le16(body + 8, SMB2_HEADER_BYTES + 40);
	memcpy(body + 24, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_query_file(struct smb2_connection *connection, const uint8_t *id, uint8_t class)
{
	put_query(connection, id, INFO_FILE, class);
}

void smb2_put_query_space(struct smb2_connection *connection, const uint8_t *id, uint8_t class)
{
	put_query(connection, id, INFO_FILE_SYSTEM, class);
}

/* Append a SET_INFO request for `bytes` bytes, which the caller adds. */
static void put_set_head(struct smb2_connection *connection, const uint8_t *id,
			 enum smb2_file_class class, size_t bytes)
{
	uint8_t *body = smb2_request(connection, SMB2_SET_INFO, 1, 32);

	if (body == NULL)
		return;
	put_le16(body, 33);
	body[2] = INFO_FILE;
	body[3] = (uint8_t)class;
	put_le32(body + 4, (uint32_t)bytes);
	put_le16(body + 8, SMB2_HEADER_BYTES + 32);
	memcpy(body + 16, id, SMB2_FILE_ID_BYTES);
}

void smb2_put_set(struct smb2_connection *connection, const uint8_t *id, enum smb2_file_class class,
		  const void *data, size_t bytes)
{
	put_set_head(connection, id, class, bytes);
	add(connection, data, bytes);
}

void smb2_put_set_basic(struct smb2_connection *connection, const uint8_t *id, uint64_t access_time,
			uint64_t write_time, uint32_t attributes)
{
	uint8_t data[40] = {0};

	put_le64(data + 8, access_time);
	put_le64(data + 16, write_time);
	put_le32(data + 32, attributes);
	smb2_put_set(connection, id, SMB2_BASIC_INFORMATION, data, sizeof(data));
}

void smb2_put_rename(struct smb2_connection *connection, const uint8_t *id,
		     enum smb2_file_class class, struct smb2_name name, bool replace)
{
	enum { FIXED = 20, MIN = 24 };
	static const uint8_t padding[MIN - FIXED];
	uint8_t data[FIXED] = {replace};
	size_t more = name.size < sizeof(padding) ? sizeof(padding) - name.size : 0;

	put_le32(data + 16, (uint32_t)name.size);
	put_set_head(connection, id, class, FIXED + name.size + more);
	add(connection, data, sizeof(data));
	add(connection, name.bytes, name.size);
	add(connection, padding, more);
}

void smb2_put_control(struct smb2_connection *connection, const uint8_t *id,
		      enum smb2_control control, const void *input, size_t bytes,
		      uint32_t max_output)
{
	enum { IS_FILE_SYSTEM_CONTROL = 1 };
	uint8_t *body = smb2_request(connection, SMB2_IOCTL, 1, 56);

	if (body == NULL)
		return;
	put_le16(body, 57);
	put_le32(body + 4, control);
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
	put_le32(body + 24, SMB2_HEADER_BYTES + 56);
	put_le32(body + 28, (uint32_t)bytes);
	put_le32(body + 44, max_output);
	put_le32(body + 48, IS_FILE_SYSTEM_CONTROL);
	add(connection, input, bytes);
}

void smb2_put_find(struct smb2_connection *connection, const uint8_t *id, uint8_t class,
		   struct smb2_name pattern, uint32_t bytes)
{
	uint8_t *body = smb2_request(connection, SMB2_QUERY_DIRECTORY,
				     smb2_charge(&connection->stream, bytes), 32);

	if (body == NULL)
		return;
	put_le16(body, 33);
	body[2] = class;
	memcpy(body + 8, id, SMB2_FILE_ID_BYTES);
	put_le16(body + 24, SMB2_HEADER_BYTES + 32);
	put_le16(body + 26, (uint16_t)pattern.size);
	put_le32(body + 28, bytes);
	add(connection, pattern.bytes, pattern.size);
}
