/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/reply.h"

#include "base/bytes.h"
#include "smb2client/wire.h"

#include <errno.h>

int smb2_parse_create(const struct smb2_reply *reply, struct smb2_created *created)
{
	const uint8_t *body = smb2_reply_body(reply, 89, 88);

	if (body == NULL)
		return -EPROTO;
	*created = (struct smb2_created){
		.oplock = body[2],
		.access_time = get_le64(body + 16),
		.write_time = get_le64(body + 24),
		.size_bytes = get_le64(body + 48),
		.attributes = get_le32(body + 56),
	};
	memcpy(created->file_id, body + 64, SMB2_FILE_ID_BYTES);
	return 0;
}

int smb2_parse_read(const struct smb2_reply *reply, struct smb2_data *data)
{
	const uint8_t *body = smb2_reply_body(reply, 17, 16);

	if (body == NULL)
		return -EPROTO;
	return smb2_reply_data(reply, 16, body[2], get_le32(body + 4), data);
}

int smb2_parse_write(const struct smb2_reply *reply, uint32_t *bytes)
{
	const uint8_t *body = smb2_reply_body(reply, 17, 16);

	if (body == NULL)
		return -EPROTO;
	*bytes = get_le32(body + 4);
	return 0;
}

int smb2_parse_query(const struct smb2_reply *reply, struct smb2_data *data)
{
	const uint8_t *body = smb2_reply_body(reply, 9, 8);

	if (body == NULL)
		return -EPROTO;
	return smb2_reply_data(reply, 8, get_le16(body + 2), get_le32(body + 4), data);
}

int smb2_parse_ioctl(const struct smb2_reply *reply, struct smb2_data *data)
{
	const uint8_t *body = smb2_reply_body(reply, 49, 48);

	if (body == NULL)
		return -EPROTO;
	return smb2_reply_data(reply, 48, get_le32(body + 32), get_le32(body + 36), data);
}

int smb2_parse_resume_key(const struct smb2_reply *reply, uint8_t key[SMB2_RESUME_KEY_BYTES])
{
	struct smb2_data output;

	if (smb2_parse_ioctl(reply, &output) < 0 || output.size < SMB2_RESUME_KEY_BYTES)
		return -EPROTO;
	memcpy(key, output.bytes, SMB2_RESUME_KEY_BYTES);
	return 0;
}

int smb2_parse_copied(const struct smb2_reply *reply, struct smb2_copied *copied)
{
	struct smb2_data output;

	if (smb2_parse_ioctl(reply, &output) < 0 || output.size < 12)
		return -EPROTO;
	*copied = (struct smb2_copied){
		.chunks = get_le32(output.bytes),
		.chunk_bytes = get_le32(output.bytes + 4),
		.total_bytes = get_le32(output.bytes + 8),
	};
	return 0;
}

int smb2_parse_all_information(const struct smb2_data *data,
			       struct smb2_all_information *information)
{
	if (data->size < 72)
		return -EPROTO;
	*information = (struct smb2_all_information){
		.access_time = get_le64(data->bytes + 8),
		.write_time = get_le64(data->bytes + 16),
		.attributes = get_le32(data->bytes + 32),
		.allocated_bytes = get_le64(data->bytes + 40),
		.size_bytes = get_le64(data->bytes + 48),
		.file_id = get_le64(data->bytes + 64),
	};
	/* 2.1.9: files that have no number of their own have this one. */
	if (information->file_id == UINT64_MAX)
		information->file_id = 0;
	return 0;
}

int smb2_parse_free_bytes(const struct smb2_data *data, uint64_t *free_bytes)
{
	uint64_t unit, units;

	if (data->size < 32)
		return -EPROTO;
	units = get_le64(data->bytes + 8);
	unit = (uint64_t)get_le32(data->bytes + 24) * get_le32(data->bytes + 28);
	if (__builtin_mul_overflow(units, unit, free_bytes))
		*free_bytes = UINT64_MAX;
	return 0;
}

/* Where an entry has the size of its name, and the name. */
struct entry_form {
	uint8_t class; /* MS-FSCC 2.4 */
	uint8_t size, name;
};

/* Return the form of the entries of a class, or NULL. */
static const struct entry_form *find_form(uint8_t class)
{
	static const struct entry_form forms[] = {
		{1, 60, 64},   /* FileDirectoryInformation */
		{2, 60, 68},   /* FileFullDirectoryInformation */
		{3, 60, 94},   /* FileBothDirectoryInformation */
		{12, 8, 12},   /* FileNamesInformation */
		{37, 60, 104}, /* FileIdBothDirectoryInformation */
		{38, 60, 80},  /* FileIdFullDirectoryInformation */
	};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].class == class)
			return &forms[i];
	return NULL;
}

int smb2_entry_next(const struct smb2_data *listing, uint8_t class, size_t *at,
		    struct smb2_entry *entry)
{
	const struct entry_form *form = find_form(class);
	const uint8_t *bytes = listing->bytes + *at;
	size_t left = listing->size - *at;
	uint32_t next, name;

	if (left == 0)
		return 0;
	if (form == NULL || left < form->name)
		return -EPROTO;
	next = get_le32(bytes);
	name = get_le32(bytes + form->size);
	if (name > left - form->name || name % 2 != 0)
		return -EPROTO;
	if (next != 0 && (next < form->name + name || next >= left))
		return -EPROTO;
	*entry = (struct smb2_entry){
		/* The attributes are directly before the size. */
		.attributes = form->size >= 60 ? get_le32(bytes + 56) : 0,
		.name = {.bytes = bytes + form->name, .size = name},
	};
	*at += next != 0 ? next : left;
	return 1;
}
