/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include "words/nt_status.h"
#include "words/smb_request.h"

#include <errno.h>
#include <string.h>

/* Return the rights to ask for. If none were recorded, ask for the right to read
 * and write data and attributes, as smbtorture does. */
static uint32_t access_of(const struct smb_request *request, uint64_t flags)
{
	const uint32_t writes = SMB2_WRITE_DATA | SMB2_WRITE_ATTRIBUTES;
	bool write = (flags & OPEN_WRITE) != 0;
	bool read = (flags & OPEN_READ) != 0 || !write;

	if (smb_request_has(request, SMB_ACCESS))
		return request->values[SMB_ACCESS];
	return SMB2_READ_ATTRIBUTES | (read ? SMB2_READ_DATA : 0) | (write ? writes : 0) |
	       ((flags & OPEN_DELETE_ON_CLOSE) != 0 ? SMB2_DELETE : 0);
}

static uint32_t disposition_of(const struct smb_request *request, uint64_t flags)
{
	bool creates = (flags & OPEN_CREATE) != 0;
	/* A directory cannot be overwritten. */
	bool truncates = (flags & OPEN_TRUNCATE) != 0 && (flags & OPEN_DIRECTORY) == 0;

	if (smb_request_has(request, SMB_DISPOSITION))
		return request->values[SMB_DISPOSITION];
	if (creates && (flags & OPEN_EXCLUSIVE) != 0)
		return SMB_CREATE;
	if (truncates)
		return creates ? SMB_OVERWRITE_IF : SMB_OVERWRITE;
	return creates ? SMB_OPEN_IF : SMB_OPEN;
}

/* Return the create options: those that were recorded, but without an option
 * that the flags do not have or that changes the meaning of the name. */
static uint32_t options_of(const struct smb_request *request, uint64_t flags)
{
	const uint32_t by_flags = SMB_WRITE_THROUGH | SMB_DELETE_ON_CLOSE;
	uint32_t options = 0;

	if (smb_request_has(request, SMB_OPTIONS))
		options = request->values[SMB_OPTIONS] & ~(by_flags | SMB_OPEN_BY_FILE_ID);
	if ((flags & OPEN_DIRECTORY) != 0)
		options |= SMB_DIRECTORY_FILE;
	if ((flags & OPEN_FILE) != 0)
		options |= SMB_NON_DIRECTORY_FILE;
	if ((flags & OPEN_SYNC) != 0)
		options |= SMB_WRITE_THROUGH;
	if ((flags & OPEN_DELETE_ON_CLOSE) != 0)
		options |= SMB_DELETE_ON_CLOSE;
	return options;
}

/*
 * Derive a lease's key from the file's name (FNV-1a), so that its handles share
 * a lease. A renamed file keeps its key while it is open, and servers refuse the
 * key for another file (3.3.5.9.8), so each rename changes the keys to come. A
 * file that was open before then gives back its first lease. Other clients may
 * use the same keys.
 */
static void make_lease_key(const struct backend_session *session, struct smb2_name name,
			   uint8_t key[SMB2_LEASE_KEY_BYTES])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < name.size; i++)
		hash = (hash ^ name.bytes[i]) * UINT64_C(0x100000001b3);
	memcpy(key, &hash, sizeof(hash));
	memcpy(key + sizeof(hash), &session->user->renames, sizeof(uint64_t));
}

static int create(struct backend_session *session, struct smb2_name name,
		  const struct smb_request *request, uint64_t flags, struct smb2_created *created)
{
	struct smb2_create fields = {
		.access = access_of(request, flags),
		.attributes = SMB2_NORMAL,
		.share = smb_request_has(request, SMB_SHARE) ? request->values[SMB_SHARE]
							     : SMB2_SHARE_READ | SMB2_SHARE_WRITE,
		.disposition = disposition_of(request, flags),
		.options = options_of(request, flags),
		.name = name,
		.oplock = (flags & OPEN_DIRECTORY) == 0 ? session->user->oplock : SMB2_OPLOCK_NONE,
	};
	int rc;

	if (fields.oplock == SMB2_OPLOCK_LEASE)
		make_lease_key(session, name, fields.lease_key);
	smb2_put_create(smb2_begin(&session->smb), &fields);
	rc = smb2_call(&session->smb);
	if (rc < 0)
		return rc;
	if (smb2_parse_create(smb2_reply(&session->smb, 0), created) < 0)
		return smb2_invalid_reply(&session->smb, 0);
	return 0;
}

/*
 * Open a file or directory. If an open was recorded as the creation of a file,
 * but may be repeated, open an existing file. Without OPEN_FILE, a directory is
 * opened even if the flags say to truncate it, which servers refuse with various
 * statuses.
 */
static int create_any(struct backend_session *session, struct smb2_name name,
		      const struct smb_request *request, uint64_t flags,
		      struct smb2_created *created)
{
	const uint64_t of_files = OPEN_TRUNCATE | OPEN_WRITE | OPEN_CREATE;
	bool exclusive = (flags & OPEN_CREATE) != 0 && (flags & OPEN_EXCLUSIVE) != 0;
	struct smb_request existing = *request;
	int rc = create(session, name, request, flags, created);

	if (rc == -EISDIR && exclusive)
		return -EEXIST;
	existing.recorded &= ~(1u << SMB_DISPOSITION);
	if (rc == -EEXIST && !exclusive)
		rc = create(session, name, &existing, flags, created);
	if ((rc == -EISDIR || rc == -EINVAL) && (flags & OPEN_TRUNCATE) != 0 &&
	    (flags & (OPEN_FILE | OPEN_DIRECTORY)) == 0)
		return create(session, name, &smb2_unrecorded, (flags & ~of_files) | OPEN_DIRECTORY,
			      created) == 0
			       ? 0
			       : rc;
	return rc;
}

int64_t smb2_open(struct backend_session *session, const struct backend_path *path, uint64_t flags)
{
	const struct smb_request *request = smb2_take_recorded(session);
	struct smb_slots *slots = &session->user->slots;
	struct smb2_created created;
	struct smb2_handle *handle;
	struct smb2_name name;
	int64_t index;
	bool writes = (flags & OPEN_WRITE) != 0;
	int rc = smb2_name_of(session, path, 0, &name);

	session->changed_bytes = 0;
	if (rc < 0)
		return rc;
	index = smb_slot_find(slots);
	if (index < 0)
		return index;
	/* Another stream may open a file while the server opens this one. */
	smb_slot_take(slots);
	handle = &session->user->handles[index];
	handle->oplock = SMB2_OPLOCK_NONE;
	if (!writes)
		rc = smb_slot_keep(slots, index, path->text);
	session->user->opening++;
	if (rc == 0)
		rc = create_any(session, name, request, flags, &created);
	session->user->opening--;
	if (rc < 0) {
		smb_slot_release(slots, index);
		return rc;
	}
	*handle = (struct smb2_handle){
		.directory = (created.attributes & SMB2_DIRECTORY) != 0,
		.through = (flags & OPEN_SYNC) != 0,
		.reads = !writes || (flags & OPEN_READ) != 0,
		.writes = writes,
		.asks = smb_request_has(request, SMB_ACCESS),
		.appends = (flags & OPEN_APPEND) != 0,
		.oplock = created.oplock,
		.end = created.size_bytes,
		.access_time = created.access_time,
		.write_time = created.write_time,
	};
	memcpy(handle->id, created.file_id, SMB2_FILE_ID_BYTES);
	return index;
}

int smb2_close(struct backend_session *session, int64_t handle)
{
	struct smb2_handle *open = &session->user->handles[handle];

	/* It waits for credits, and another stream may then open a file. */
	smb2_begin(&session->smb);
	smb2_put_close(&session->smb, open->id);
	smb2_forget_locks(session->user, handle);
	open->oplock = SMB2_OPLOCK_NONE;
	smb_slot_release(&session->user->slots, handle);
	return smb2_call(&session->smb);
}

int64_t smb2_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		  uint64_t offset)
{
	const struct smb2_handle *open = &session->user->handles[handle];

	if (!open->reads && !open->asks)
		return -EBADF;
	if (open->directory)
		return -EISDIR;
	return smb2_read_range(&session->smb, open->id, buffer, size, offset);
}

int64_t smb2_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		   uint64_t offset)
{
	struct smb2_handle *open = &session->user->handles[handle];
	uint64_t start = open->appends ? open->end : offset;
	size_t done;
	int rc;

	session->changed_bytes = 0;
	if (!open->writes && !open->asks)
		return -EBADF;
	if (open->directory)
		return -EISDIR;
	rc = smb2_write_range(&session->smb, open->id, data, size, start, open->through, &done);
	open->end = start + done;
	session->changed_bytes = done;
	return rc < 0 ? rc : (int64_t)done;
}

uint64_t smb2_changed_bytes(const struct backend_session *session)
{
	return session->changed_bytes;
}

int smb2_fsync(struct backend_session *session, int64_t handle)
{
	smb2_put_flush(smb2_begin(&session->smb), session->user->handles[handle].id);
	return smb2_call(&session->smb);
}

int smb2_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	struct smb2_handle *open = &session->user->handles[handle];
	int rc;

	if (open->directory || bytes > INT64_MAX || (!open->writes && !open->asks))
		return -EINVAL;
	smb2_put_set_size(smb2_begin(&session->smb), open->id, SMB2_END_OF_FILE_INFORMATION, bytes);
	rc = smb2_call(&session->smb);
	if (rc == 0)
		open->end = bytes;
	return rc;
}

int smb2_fstat(struct backend_session *session, int64_t handle)
{
	uint8_t class = smb2_file_class_of(smb2_take_recorded(session));
	struct smb2_data data;
	int rc;

	smb2_put_query_file(smb2_begin(&session->smb), session->user->handles[handle].id,
			    class != 0 ? class : SMB2_ALL_INFORMATION);
	rc = smb2_call(&session->smb);
	return rc < 0 ? rc : smb2_take_query(session, 0, &data);
}

/* Set the times to some seconds before those that the file had when it was
 * opened. A handle that may not do this is helped by another one. */
int smb2_set_times(struct backend_session *session, int64_t handle)
{
	const struct smb2_handle *open = &session->user->handles[handle];
	uint64_t access_time = smb2_earlier_access(open->access_time);
	uint64_t write_time = smb2_earlier_write(open->write_time);
	struct backend_path path = {
		.text = session->user->slots.slots[handle].text,
	};
	struct smb2_name name;
	int rc;

	smb2_take_recorded(session);
	rc = smb2_lost(&session->smb);
	if (rc < 0)
		return rc;
	if (!open->writes) {
		rc = smb2_name_of(session, &path, 0, &name);
		return rc < 0 ? rc : smb2_set_basic(session, name, access_time, write_time, 0);
	}
	smb2_put_set_basic(smb2_begin(&session->smb), open->id, access_time, write_time, 0);
	return smb2_call(&session->smb);
}
