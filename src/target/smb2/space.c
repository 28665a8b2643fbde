/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include "base/bytes.h"
#include "words/nt_status.h"

#include <errno.h>

/* Get the attributes of an open file. */
static int get_information(struct backend_session *session, int64_t handle,
			   struct smb2_all_information *information)
{
	int rc;

	smb2_put_query_file(smb2_begin(&session->smb), session->user->handles[handle].id,
			    SMB2_ALL_INFORMATION);
	rc = smb2_call(&session->smb);
	return rc < 0 ? rc : smb2_take_stat(session, 0, information);
}

int smb2_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	struct smb2_all_information information;
	int rc = get_information(session, handle, &information);

	if (rc == 0)
		*file = (struct backend_file){
			.id = information.file_id,
			.size_bytes = information.size_bytes,
		};
	return rc;
}

/* Append a request that makes a range read as zeros. In a sparse file, this
 * frees its space. */
static void put_zeros(struct smb2_session *smb, const uint8_t *id, uint64_t offset, uint64_t end)
{
	uint8_t input[16];

	put_le64(input, offset);
	put_le64(input + 8, end);
	smb2_put_control(smb, id, SMB2_SET_ZERO_DATA, input, sizeof(input), 0);
}

static int punch_hole(struct backend_session *session, const uint8_t *id, uint64_t offset,
		      uint64_t end)
{
	static const uint8_t yes = 1;
	struct smb2_session *smb = smb2_begin(&session->smb);

	smb2_put_control(smb, id, SMB2_SET_SPARSE, &yes, sizeof(yes), 0);
	put_zeros(smb, id, offset, end);
	return smb2_call(&session->smb);
}

int smb2_allocate(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
		  unsigned mode)
{
	struct smb2_handle *open = &session->user->handles[handle];
	struct smb2_all_information information;
	struct smb2_session *smb;
	uint64_t end;
	bool zero = (mode & ALLOCATE_ZERO) != 0, extends = false;
	int rc;

	session->changed_bytes = 0;
	if (!open->writes || open->directory)
		return -EBADF;
	if (length == 0 || __builtin_add_overflow(offset, length, &end) || end > INT64_MAX)
		return -EINVAL;
	if ((mode & ALLOCATE_PUNCH_HOLE) != 0)
		return punch_hole(session, open->id, offset, end);
	rc = get_information(session, handle, &information);
	if (rc < 0 || (!zero && end <= information.size_bytes))
		return rc;
	smb = smb2_begin(&session->smb);
	if (zero)
		put_zeros(smb, open->id, offset, end);
	/* A smaller allocated size would cut off the file. */
	if (end > information.size_bytes) {
		smb2_put_set_size(smb, open->id, SMB2_ALLOCATION_INFORMATION, end);
		extends = (mode & ALLOCATE_KEEP_SIZE) == 0;
	}
	if (extends)
		smb2_put_set_size(smb, open->id, SMB2_END_OF_FILE_INFORMATION, end);
	rc = smb2_call(&session->smb);
	if (rc == 0 && extends)
		open->end = end;
	/* The server may have refused only what follows the zeros. */
	if (zero && smb2_status(&session->smb, 0) == NT_STATUS_OK)
		session->changed_bytes = length;
	return rc;
}

bool smb2_can_allocate(struct backend_session *session, int64_t handle)
{
	enum { BYTES = 65536 };
	struct smb2_all_information information;

	return smb2_allocate(session, handle, 0, BYTES, 0) == 0 &&
	       get_information(session, handle, &information) == 0 &&
	       information.allocated_bytes >= BYTES && information.size_bytes == BYTES &&
	       smb2_allocate(session, handle, 0, BYTES, ALLOCATE_ZERO) == 0 &&
	       smb2_allocate(session, handle, 0, BYTES, ALLOCATE_PUNCH_HOLE) == 0;
}

/* Get the key that stands for the file as a source of copies. */
static int get_key(struct backend_session *session, struct smb2_handle *open)
{
	enum { MAX_OUTPUT = 32 };
	struct smb2_session *smb = smb2_begin(&session->smb);
	int rc;

	if (open->has_resume_key)
		return 0;
	smb2_put_control(smb, open->id, SMB2_REQUEST_RESUME_KEY, NULL, 0, MAX_OUTPUT);
	rc = smb2_call(&session->smb);
	if (rc < 0)
		return rc;
	if (smb2_parse_resume_key(smb2_reply(smb, 0), open->resume_key) < 0)
		return smb2_invalid_reply(smb, 0);
	open->has_resume_key = true;
	return 0;
}

/* The copy of a range. */
struct copy {
	const struct smb2_handle *from, *to;
	uint64_t from_offset, to_offset, bytes;
};

/* Append a request that copies the range's first bytes, as many as the server
 * accepts. */
static void put_copy(struct backend_session *session, const struct copy *copy)
{
	enum { CHUNKS = 256, HEAD = SMB2_RESUME_KEY_BYTES + 8, CHUNK = 24 };
	const struct smb2_copied *max = &session->user->copy_max;
	uint8_t input[HEAD + CHUNKS * CHUNK] = {0}, *chunk = input + HEAD;
	uint64_t left = copy->bytes < max->total_bytes ? copy->bytes : max->total_bytes;
	uint64_t done = 0;
	uint32_t count = 0;

	memcpy(input, copy->from->resume_key, SMB2_RESUME_KEY_BYTES);
	while (left > 0 && count < CHUNKS && count < max->chunks) {
		uint32_t bytes = left < max->chunk_bytes ? (uint32_t)left : max->chunk_bytes;

		put_le64(chunk, copy->from_offset + done);
		put_le64(chunk + 8, copy->to_offset + done);
		put_le32(chunk + 16, bytes);
		left -= bytes;
		done += bytes;
		count++;
		chunk += CHUNK;
	}
	put_le32(input + SMB2_RESUME_KEY_BYTES, count);
	smb2_put_control(smb2_begin(&session->smb), copy->to->id, SMB2_COPYCHUNK_WRITE, input,
			 (size_t)(chunk - input), sizeof(struct smb2_copied));
}

/* Take over the server's limits, if they are lower than those that it has
 * refused. */
static bool lower_limits(struct backend_session *session, const struct smb2_copied *limits)
{
	struct smb2_copied *max = &session->user->copy_max;

	if (limits->chunks == 0 || limits->chunk_bytes == 0 || limits->total_bytes == 0 ||
	    (limits->chunks >= max->chunks && limits->chunk_bytes >= max->chunk_bytes &&
	     limits->total_bytes >= max->total_bytes))
		return false;
	if (limits->chunks < max->chunks)
		max->chunks = limits->chunks;
	if (limits->chunk_bytes < max->chunk_bytes)
		max->chunk_bytes = limits->chunk_bytes;
	if (limits->total_bytes < max->total_bytes)
		max->total_bytes = limits->total_bytes;
	return true;
}

/* Copy the range's first bytes. Return their number, 0 if the source ends before
 * the range does, or -errno. */
static int64_t copy_some(struct backend_session *session, const struct copy *copy)
{
	enum { TRIES_MAX = 3 };
	struct smb2_session *smb = &session->smb;
	struct smb2_copied copied;
	unsigned tries = 0;
	uint32_t status;
	int rc;

	do {
		put_copy(session, copy);
		rc = smb2_exchange(smb);
		if (rc < 0)
			return rc;
		status = smb2_status(smb, 0);
	} while (status == NT_STATUS_INVALID_PARAMETER && tries++ < TRIES_MAX &&
		 smb2_parse_copied(smb2_reply(smb, 0), &copied) == 0 &&
		 lower_limits(session, &copied));
	if (status == NT_STATUS_INVALID_VIEW_SIZE || status == NT_STATUS_END_OF_FILE)
		return 0;
	rc = nt_status_errno(status);
	if (rc < 0)
		return rc;
	if (smb2_parse_copied(smb2_reply(smb, 0), &copied) < 0 || copied.total_bytes > copy->bytes)
		return smb2_invalid_reply(smb, 0);
	/* Samba succeeds with 0 bytes if the source was cut off just then. */
	return copied.total_bytes;
}

/* Return how many bytes of a range the next request may change even if the server
 * refuses it, which it may do after it has copied some of the chunks. */
static uint64_t uncertain_bytes(const struct backend_session *session, uint64_t bytes)
{
	const struct smb2_copied *max = &session->user->copy_max;

	if (bytes <= max->chunk_bytes)
		return 0;
	return bytes < max->total_bytes ? bytes : max->total_bytes;
}

int64_t smb2_copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		  uint64_t to_offset, uint64_t bytes)
{
	struct smb2_handle *source = &session->user->handles[from];
	struct smb2_handle *sink = &session->user->handles[to];
	struct smb2_all_information information;
	struct copy left = {source, sink, from_offset, to_offset, bytes};
	bool ends = false; /* the range ends where the source does */
	int64_t done;
	int rc;

	session->changed_bytes = 0;
	if (!source->reads || !sink->writes || source->directory || sink->directory)
		return -EBADF;
	rc = bytes > 0 ? get_key(session, source) : 0;
	while (rc == 0 && left.bytes > 0) {
		session->changed_bytes = left.to_offset - to_offset +
					 uncertain_bytes(session, left.bytes);
		done = copy_some(session, &left);
		if (done < 0)
			return done;
		left.from_offset += (uint64_t)done;
		left.to_offset += (uint64_t)done;
		left.bytes -= (uint64_t)done;
		if (done > 0)
			continue;
		if (ends)
			return -EIO;
		ends = true;
		rc = get_information(session, from, &information);
		if (rc < 0 || information.size_bytes <= left.from_offset)
			break;
		if (left.bytes > information.size_bytes - left.from_offset)
			left.bytes = information.size_bytes - left.from_offset;
	}
	if (rc < 0)
		return rc;
	if (left.to_offset > to_offset && left.to_offset > sink->end)
		sink->end = left.to_offset;
	return (int64_t)(left.from_offset - from_offset);
}
