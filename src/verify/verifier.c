/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verifier.h"

#include "verify/catalog.h"
#include "verify/compare.h"
#include "verify/read_back.h"
#include "verify/track.h"
#include "words/layout.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HANDLES_MAX = 1 << 16 }; /* handles from this number on are unknown */

/* Greater than the size of any file. */
#define END_UNKNOWN UINT64_MAX

/* An open file. */
struct open_file {
	arena_ref file; /* 0: it is not verified */
	uint32_t flags; /* of the open (words/operation.h) */
	/* Where a backend that appends blindly appends, or END_UNKNOWN. */
	uint64_t end;
};

static struct {
	const struct verify *verify;
	unsigned index; /* of the user in this process */
	struct map *map;
	struct track track;
	const struct backend *real;
	struct backend wrapped;
	verifier_report *report;
	void *context;
	bool reading_back;
	char *aligned; /* buffer for direct I/O */
	struct open_file handles[HANDLES_MAX];
} self;

static struct map_file *file_at(arena_ref file)
{
	return map_file(self.map, file);
}

static arena_ref find(const char *path)
{
	return track_find(&self.track, path);
}

/* Return the result of an operation with a range, for track.h. */
static struct track_result result_of(const struct backend_session *session, int64_t rc)
{
	return (struct track_result){
		.rc = rc,
		.changed = rc < 0 && self.real->changed_bytes != NULL
				   ? self.real->changed_bytes(session)
				   : 0,
	};
}

/* Return the result of an open or a rename, for track.h: one that was refused
 * after a part of it was done is like one whose outcome is unknown. */
static int64_t outcome_of(const struct backend_session *session, int64_t rc)
{
	return result_of(session, rc).changed > 0 ? -EIO : rc;
}

static void note_open(const char *path, uint64_t flags, int64_t handle)
{
	arena_ref file;

	if (handle < 0) {
		if ((flags & OPEN_TRUNCATE) != 0)
			track_failure(&self.track, find(path), handle);
		return;
	}
	file = track_open(&self.track, path, flags);
	if (file != 0 && (flags & OPEN_DELETE_ON_CLOSE) != 0)
		file_at(file)->deleting++;
	if (handle >= HANDLES_MAX) {
		if (file != 0)
			map_forget(self.map, file_at(file));
		return;
	}
	self.handles[handle] = (struct open_file){.file = file, .flags = (uint32_t)flags};
	if (file != 0) {
		if (file_at(file)->unknown || file_at(file)->loose_end)
			self.handles[handle].end = END_UNKNOWN;
		else
			self.handles[handle].end = file_at(file)->size;
		file_at(file)->handles++;
	}
}

static int64_t verifier_open(struct backend_session *session, const struct backend_path *path,
			     uint64_t flags)
{
	int64_t handle;

	if ((flags & OPEN_TRUNCATE) != 0)
		map_begin(self.map, find(path->text), 0, false);
	handle = self.real->open(session, path, flags);
	map_note(self.map);
	note_open(path->text, flags, outcome_of(session, handle));
	map_end(self.map);
	return handle;
}

/* Return the open file of a handle, or NULL if it is not verified. */
static struct open_file *open_file_of(int64_t handle)
{
	if (handle < 0 || handle >= HANDLES_MAX || self.handles[handle].file == 0)
		return NULL;
	return &self.handles[handle];
}

static int verifier_close(struct backend_session *session, int64_t handle)
{
	struct open_file *open = open_file_of(handle);
	arena_ref file;
	int rc = self.real->close(session, handle);

	if (open == NULL)
		return rc;
	map_note(self.map);
	file = open->file;
	if ((open->flags & OPEN_DELETE_ON_CLOSE) != 0)
		track_deleting_close(&self.track, file, rc);
	*open = (struct open_file){0};
	/* Some clients flush a file when they close it. */
	if (rc < 0 && !track_is_refusal(rc))
		map_flush_failed(self.map, file_at(file));
	file_at(file)->handles--;
	map_drop_file(self.map, file);
	map_end(self.map);
	return rc;
}

/* Compare what a read has returned, and report a difference. Return 0, or the
 * -errno of the read of the rest. */
static int check_read(const struct compare_reader *reader, struct compare_read read)
{
	struct difference difference = {.user = self.verify->first_user + self.index};
	uint64_t *compared = self.reading_back ? &self.map->read_back_bytes
					       : &self.map->compared_bytes;
	uint64_t returned = read.returned;
	const char *name;
	int rc;

	read.verify = self.verify;
	read.user = self.index;
	read.bytes = reader->buffer;
	rc = compare_read_rest(reader, &read);
	if (!self.reading_back)
		self.map->read_bytes += read.returned - returned;
	if (compare_bytes(&read, compared, &difference))
		return rc;
	name = catalog_name_of(self.map, read.file);
	difference.read_back = self.reading_back;
	strncpy(difference.path, name != NULL ? name : "(removed)", sizeof(difference.path) - 1);
	self.report(self.context, verify_add(self.verify, &difference));
	return rc;
}

static int64_t verifier_read(struct backend_session *session, int64_t handle, void *buffer,
			     size_t size, uint64_t offset)
{
	const struct open_file *open = open_file_of(handle);
	int64_t got = self.real->read(session, handle, buffer, size, offset);
	struct compare_reader reader = {
		.backend = self.real,
		.session = session,
		.handle = handle,
		.buffer = buffer,
	};
	int rc;

	if (got < 0)
		return got;
	if (!self.reading_back)
		self.map->read_bytes += (uint64_t)got;
	if (open == NULL)
		return got;
	reader.direct = (open->flags & OPEN_DIRECT) != 0;
	rc = check_read(&reader, (struct compare_read){
					 .file = open->file,
					 .offset = offset,
					 .returned = (uint64_t)got,
					 .wanted = size,
				 });
	/* The read-back must not take what cannot be read for the end. */
	return self.reading_back && rc < 0 ? rc : got;
}

/* Begin a write: return the data to write. */
static const void *begin_write(struct track_write *write)
{
	struct map_file *file = file_at(write->file);

	write->change = map_next_write(self.map, file, write->offset);
	map_prefetch(self.map, file, write->offset);
	self.map->pending = (struct map_pending){
		.file = write->file,
		.from = write->offset,
		.to = write->offset + write->size,
	};
	return content_bytes(self.verify->content, self.verify->first_user + self.index,
			     write->change, write->offset);
}

/* Note what a write has changed. */
static void end_write(struct backend_session *session, struct track_write *write, int64_t rc)
{
	map_note(self.map);
	/* A server may store data better than it was asked to. */
	if (rc > 0 && self.real->wrote_stable != NULL)
		write->stable = self.real->wrote_stable(session);
	track_write(self.map, write, result_of(session, rc));
	map_end(self.map);
}

/* Return whether the backend may append elsewhere than at the end of the file
 * that the map has. */
static bool appends_elsewhere(const struct open_file *open)
{
	const struct map_file *file = file_at(open->file);

	return (open->flags & OPEN_APPEND) != 0 &&
	       (file->loose_end || (self.real->appends_blindly && open->end != file->size));
}

static int64_t verifier_write(struct backend_session *session, int64_t handle, const void *data,
			      size_t size, uint64_t offset)
{
	struct open_file *open = open_file_of(handle);
	struct track_write write = {.offset = offset, .size = size};
	int64_t put;

	if (open != NULL && appends_elsewhere(open))
		map_forget(self.map, file_at(open->file));
	if (open != NULL && file_at(open->file)->unknown)
		open->end = END_UNKNOWN;
	if (open == NULL || file_at(open->file)->unknown)
		return self.real->write(session, handle, data, size, offset);
	/* Restoring a set-up writes larger pieces than the load, and the rest
	 * of a piece later. */
	if (size > self.verify->content->run_max)
		size = write.size = self.verify->content->run_max;
	write.file = open->file;
	if ((open->flags & OPEN_APPEND) != 0)
		write.offset = file_at(open->file)->size;
	write.stable = (open->flags & OPEN_SYNC) != 0;
	data = begin_write(&write);
	if ((open->flags & OPEN_DIRECT) != 0)
		data = memcpy(self.aligned, data, size);
	put = self.real->write(session, handle, data, size, offset);
	end_write(session, &write, put);
	open->end = file_at(open->file)->size;
	return put;
}

static void note_flush(arena_ref file, bool names, int64_t rc)
{
	map_note(self.map);
	track_flush(self.map, file, names, rc);
	map_end(self.map);
}

static int verifier_fsync(struct backend_session *session, int64_t handle)
{
	const struct open_file *open = open_file_of(handle);
	int rc = self.real->fsync(session, handle);

	if (open != NULL)
		note_flush(open->file, true, rc);
	return rc;
}

static int verifier_fdatasync(struct backend_session *session, int64_t handle)
{
	const struct open_file *open = open_file_of(handle);
	int rc = self.real->fdatasync(session, handle);

	if (open != NULL)
		note_flush(open->file, false, rc);
	return rc;
}

static int verifier_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	struct open_file *open = open_file_of(handle);
	int rc;

	if (open == NULL)
		return self.real->truncate(session, handle, bytes);
	map_begin(self.map, open->file, 0, false);
	rc = self.real->truncate(session, handle, bytes);
	map_note(self.map);
	track_truncate(self.map, open->file, bytes, rc);
	open->end = rc == 0 ? bytes : END_UNKNOWN;
	map_end(self.map);
	return rc;
}

static int verifier_allocate(struct backend_session *session, int64_t handle, uint64_t offset,
			     uint64_t length, unsigned mode)
{
	struct open_file *open = open_file_of(handle);
	int rc;

	if (open == NULL)
		return self.real->allocate(session, handle, offset, length, mode);
	map_begin(self.map, open->file, 0, false);
	rc = self.real->allocate(session, handle, offset, length, mode);
	map_note(self.map);
	track_allocate(self.map, open->file, offset, length, mode, result_of(session, rc));
	open->end = END_UNKNOWN;
	map_end(self.map);
	return rc;
}

static int64_t verifier_copy(struct backend_session *session, int64_t from, uint64_t from_offset,
			     int64_t to, uint64_t to_offset, uint64_t bytes)
{
	struct open_file *open = open_file_of(to);
	int64_t done;

	map_begin(self.map, open != NULL ? open->file : 0, 0, false);
	done = self.real->copy(session, from, from_offset, to, to_offset, bytes);
	map_note(self.map);
	if (open != NULL) {
		track_copy(self.map, open->file, to_offset, result_of(session, done));
		open->end = END_UNKNOWN;
	}
	map_end(self.map);
	return done;
}

static int verifier_clone(struct backend_session *session, int64_t from, uint64_t from_offset,
			  int64_t to, uint64_t to_offset, uint64_t bytes)
{
	struct open_file *open = open_file_of(to);
	int rc;

	map_begin(self.map, open != NULL ? open->file : 0, 0, false);
	rc = self.real->clone(session, from, from_offset, to, to_offset, bytes);
	map_note(self.map);
	if (open != NULL) {
		track_clone(self.map, open->file, to_offset, bytes, rc);
		open->end = END_UNKNOWN;
	}
	map_end(self.map);
	return rc;
}

static int verifier_unlink(struct backend_session *session, const struct backend_path *path)
{
	int rc;

	map_begin(self.map, find(path->text), 0, false);
	rc = self.real->unlink(session, path);
	map_note(self.map);
	track_remove(&self.track, path->text, rc);
	map_end(self.map);
	return rc;
}

static int verifier_mkdir(struct backend_session *session, const struct backend_path *path)
{
	int rc = self.real->mkdir(session, path);

	map_note(self.map);
	track_make(&self.track, path->text, rc);
	map_end(self.map);
	return rc;
}

static int verifier_rmdir(struct backend_session *session, const struct backend_path *path)
{
	int rc;

	map_begin(self.map, find(path->text), 0, false);
	rc = self.real->rmdir(session, path);
	map_note(self.map);
	track_remove(&self.track, path->text, rc);
	map_end(self.map);
	return rc;
}

/* Begin a rename. Without a file of the old name, it may be a directory. */
static void begin_rename(const char *from, const char *to)
{
	arena_ref old = find(from);

	map_begin(self.map, old, find(to), old == 0);
}

static int verifier_rename(struct backend_session *session, const struct backend_path *from,
			   const struct backend_path *to, bool replace)
{
	int rc;

	begin_rename(from->text, to->text);
	rc = self.real->rename(session, from, to, replace);
	map_note(self.map);
	track_rename(&self.track, from->text, to->text, outcome_of(session, rc));
	map_end(self.map);
	return rc;
}

static int verifier_swap(struct backend_session *session, const struct backend_path *one,
			 const struct backend_path *other)
{
	int rc;

	map_begin(self.map, 0, 0, true);
	rc = self.real->swap(session, one, other);
	map_note(self.map);
	track_swap(&self.track, one->text, other->text, rc);
	map_end(self.map);
	return rc;
}

static int verifier_chmod(struct backend_session *session, const struct backend_path *path,
			  unsigned permissions)
{
	int rc;

	map_begin(self.map, find(path->text), 0, find(path->text) == 0);
	rc = self.real->chmod(session, path, permissions);
	map_note(self.map);
	track_permissions(&self.track, path->text, (permissions & S_IRUSR) != 0,
			  (permissions & S_IXUSR) != 0, rc);
	map_end(self.map);
	return rc;
}

static int verifier_chown(struct backend_session *session, const struct backend_path *path,
			  uint32_t user_id, uint32_t group_id)
{
	const bool keeps = user_id == UINT32_MAX;
	int rc;

	map_begin(self.map, find(path->text), 0, find(path->text) == 0);
	rc = self.real->chown(session, path, user_id, group_id);
	map_note(self.map);
	track_permissions(&self.track, path->text, keeps, keeps, rc);
	map_end(self.map);
	return rc;
}

static int verifier_sync_parent(struct backend_session *session, const struct backend_path *path)
{
	int rc = self.real->sync_parent(session, path);

	map_note(self.map);
	track_sync_parent(&self.track, path->text, rc);
	map_end(self.map);
	return rc;
}

static int verifier_link(struct backend_session *session, const struct backend_path *path,
			 const struct backend_path *existing)
{
	int rc = self.real->link(session, path, existing);

	map_note(self.map);
	track_link(&self.track, path->text, existing->text, rc);
	map_end(self.map);
	return rc;
}

/* Call the NFS procedure WRITE. */
static int64_t call_write(struct backend_session *session, const struct backend_call *call)
{
	struct backend_call own = *call;
	struct track_write write = {
		.file = find(call->path->text),
		.offset = call->offset,
		.size = call->size,
		.stable = call->stable != 0,
	};
	int64_t put;

	if (write.file == 0 || file_at(write.file)->unknown)
		return self.real->procedure(session, call);
	own.data = begin_write(&write);
	put = self.real->procedure(session, &own);
	end_write(session, &write, put);
	return put;
}

/* Begin an NFS procedure other than WRITE. */
static void begin_procedure(const struct backend_call *call)
{
	switch (call->procedure) {
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		map_begin(self.map, find(call->path->text), 0, false);
		break;
	case PROCEDURE_NFS_RENAME:
		begin_rename(call->path->text, call->path2->text);
		break;
	default:
		break;
	}
}

/* Call the NFS procedure READ. */
static int64_t call_read(struct backend_session *session, const struct backend_call *call)
{
	const struct compare_reader reader = {
		.backend = self.real,
		.session = session,
		.call = call,
		.buffer = call->buffer,
	};
	struct compare_read read = {
		.file = find(call->path->text),
		.offset = call->offset,
		.wanted = call->size,
	};
	int64_t got = self.real->procedure(session, call);

	if (got < 0)
		return got;
	self.map->read_bytes += (uint64_t)got;
	read.returned = (uint64_t)got;
	if (read.file != 0)
		check_read(&reader, read);
	return got;
}

/* Note what an NFS procedure has changed. */
static void note_procedure(const struct backend_call *call, int64_t rc)
{
	arena_ref file = call->path != NULL ? find(call->path->text) : 0;

	switch (call->procedure) {
	case PROCEDURE_NFS_CREATE:
		if (rc >= 0)
			track_open(&self.track, call->path->text, OPEN_CREATE);
		break;
	case PROCEDURE_NFS_MKDIR:
		track_make(&self.track, call->path->text, rc);
		break;
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		track_remove(&self.track, call->path->text, rc);
		break;
	case PROCEDURE_NFS_RENAME:
		track_rename(&self.track, call->path->text, call->path2->text, rc);
		break;
	case PROCEDURE_NFS_LINK:
		track_link(&self.track, call->path->text, call->path2->text, rc);
		break;
	case PROCEDURE_NFS_COMMIT:
		if (file != 0)
			note_flush(file, true, rc);
		break;
	default:
		break;
	}
}

static int64_t verifier_procedure(struct backend_session *session, const struct backend_call *call)
{
	int64_t rc;

	if (call->procedure == PROCEDURE_NFS_READ)
		return call_read(session, call);
	if (call->procedure == PROCEDURE_NFS_WRITE)
		return call_write(session, call);
	begin_procedure(call);
	rc = self.real->procedure(session, call);
	map_note(self.map);
	note_procedure(call, rc);
	map_end(self.map);
	return rc;
}

/* Replace a slot that the backend has. */
#define WRAP(slot) (self.wrapped.slot = backend->slot != NULL ? verifier_##slot : NULL)

const struct backend *verifier_start(const struct verify *verify, unsigned index,
				     const struct backend *backend, verifier_report *report,
				     void *context)
{
	size_t room = (verify->content->run_max / COMPARE_ALIGNMENT + 1) * COMPARE_ALIGNMENT;

	self.verify = verify;
	self.index = index;
	self.map = self.track.map = verify->maps[index];
	self.track.left_out = verify->left_out;
	self.real = backend;
	self.report = report;
	self.context = context;
	free(self.aligned); /* of an earlier call */
	self.aligned = aligned_alloc(COMPARE_ALIGNMENT, room);
	if (self.aligned == NULL)
		return NULL;
	snprintf(self.track.home, sizeof(self.track.home), "%s/%s%u/", CLIENTS_NAME, USER_STEM,
		 verify->first_user + index);
	self.wrapped = *backend;
	WRAP(open);
	WRAP(close);
	WRAP(read);
	WRAP(write);
	WRAP(fsync);
	WRAP(fdatasync);
	WRAP(truncate);
	WRAP(allocate);
	WRAP(copy);
	WRAP(clone);
	WRAP(unlink);
	WRAP(mkdir);
	WRAP(rmdir);
	WRAP(rename);
	WRAP(swap);
	WRAP(link);
	WRAP(chmod);
	WRAP(chown);
	WRAP(sync_parent);
	WRAP(procedure);
	return &self.wrapped;
}

void verifier_stop(void)
{
	self.wrapped = *self.real;
}

int verifier_read_back(struct backend_session *session, uint64_t *steps, char path[DIFFERENCE_PATH])
{
	int rc;

	self.reading_back = true;
	rc = read_back_files(&self.wrapped, session, self.map, steps, path);
	self.reading_back = false;
	return rc;
}
