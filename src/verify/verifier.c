/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verifier.h"

#include "base/layout.h"
#include "verify/catalog.h"
#include "verify/compare.h"
#include "verify/track.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	HANDLES_MAX = 1 << 16,    /* handles from this number on are unknown */
	READ_BACK_BYTES = 1 << 20, /* max size of a read of the read-back */
	ALIGNMENT = 4096,         /* of the data of direct I/O */
};

/* An open file. */
struct open_file {
	arena_ref file; /* 0: it is not verified */
	uint32_t flags; /* of the open (base/open_flags.h) */
	uint64_t end;   /* where a backend that appends blindly appends */
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

static int64_t verifier_open(struct backend_session *session,
			     const struct backend_path *path, uint64_t flags)
{
	int64_t handle = self.real->open(session, path, flags);
	arena_ref file;

	if (handle < 0) {
		if ((flags & OPEN_TRUNCATE) != 0)
			track_failure(&self.track, find(path->text), handle);
		return handle;
	}
	file = track_open(&self.track, path->text, flags);
	if (handle >= HANDLES_MAX) {
		if (file != 0)
			map_forget(self.map, file_at(file));
		return handle;
	}
	self.handles[handle] = (struct open_file){
		.file = file, .flags = (uint32_t)flags};
	if (file != 0) {
		self.handles[handle].end = file_at(file)->size;
		file_at(file)->handles++;
	}
	return handle;
}

/* Return the open file of a handle, or NULL if it is not verified. */
static struct open_file *open_file_of(int64_t handle)
{
	if (handle < 0 || handle >= HANDLES_MAX ||
	    self.handles[handle].file == 0)
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
	file = open->file;
	*open = (struct open_file){0};
	file_at(file)->handles--;
	map_drop_file(self.map, file);
	return rc;
}

/* Compare what a read has returned, and report a difference. */
static void check_read(arena_ref file, const char *bytes, int64_t returned,
		       size_t wanted, uint64_t offset)
{
	const struct compare_read read = {
		.verify = self.verify,
		.user = self.index,
		.file = file,
		.offset = offset,
		.bytes = bytes,
		.returned = (uint64_t)returned,
		.wanted = wanted,
	};
	struct difference difference = {.user = self.verify->first_user +
						self.index};
	uint64_t *compared = self.reading_back ? &self.map->read_back_bytes
					       : &self.map->compared_bytes;
	const char *name;

	if (compare_bytes(&read, compared, &difference))
		return;
	name = catalog_name_of(self.map, file);
	difference.read_back = self.reading_back;
	strncpy(difference.path, name != NULL ? name : "(removed)",
		sizeof(difference.path) - 1);
	verify_add(self.verify, &difference);
	self.report(self.context, &difference);
}

static int64_t verifier_read(struct backend_session *session, int64_t handle,
			     void *buffer, size_t size, uint64_t offset)
{
	const struct open_file *open = open_file_of(handle);
	int64_t got = self.real->read(session, handle, buffer, size, offset);

	if (got < 0)
		return got;
	if (!self.reading_back)
		self.map->read_bytes += (uint64_t)got;
	if (open != NULL)
		check_read(open->file, buffer, got, size, offset);
	return got;
}

/* A write, by handle or by name. */
struct write {
	arena_ref file;
	uint64_t offset;
	size_t size;
	uint32_t change; /* its number */
	bool durable;    /* durable when it returns */
};

/* Begin a write: return the data to write. */
static const void *begin_write(struct write *write)
{
	struct map_file *file = file_at(write->file);

	write->change = map_next_write(self.map, file, write->offset);
	map_prefetch(self.map, file, write->offset);
	self.map->pending = (struct map_pending){
		.file = write->file,
		.from = write->offset,
		.to = write->offset + write->size,
	};
	return content_bytes(self.verify->content,
			     self.verify->first_user + self.index,
			     write->change, write->offset);
}

/* Note what a write has changed. */
static void end_write(const struct write *write, int64_t put)
{
	struct map_file *file = file_at(write->file);
	uint64_t done = put > 0 ? (uint64_t)put : 0;
	uint64_t end = write->offset + write->size;
	struct map_value value = {
		.kind = MAP_DATA,
		.durable = write->durable,
		.change = write->change,
	};

	self.map->pending.file = 0;
	self.map->written_bytes += done;
	if (done > 0)
		map_set(self.map, file, write->offset, write->offset + done,
			value);
	if (done == write->size || track_is_refusal(put))
		return;
	/* Some of the rest may have been written, too. */
	file->stream = 0;
	value.kind = MAP_UNKNOWN;
	if (end > file->size)
		map_forget(self.map, file);
	else
		map_set(self.map, file, write->offset + done, end, value);
}

/* Return whether the backend appends elsewhere than at the end of the file. */
static bool appends_elsewhere(const struct open_file *open)
{
	return (open->flags & OPEN_APPEND) != 0 && self.real->appends_blindly &&
	       open->end != file_at(open->file)->size;
}

static int64_t verifier_write(struct backend_session *session, int64_t handle,
			      const void *data, size_t size, uint64_t offset)
{
	struct open_file *open = open_file_of(handle);
	struct write write = {.offset = offset, .size = size};
	int64_t put;

	if (open != NULL && appends_elsewhere(open))
		map_forget(self.map, file_at(open->file));
	if (open == NULL || file_at(open->file)->unknown)
		return self.real->write(session, handle, data, size, offset);
	write.file = open->file;
	if ((open->flags & OPEN_APPEND) != 0)
		write.offset = file_at(open->file)->size;
	write.durable = (open->flags & OPEN_SYNC) != 0;
	data = begin_write(&write);
	if ((open->flags & OPEN_DIRECT) != 0)
		data = memcpy(self.aligned, data, size);
	put = self.real->write(session, handle, data, size, offset);
	end_write(&write, put);
	open->end = file_at(open->file)->size;
	return put;
}

static int note_flush(int64_t handle, int rc)
{
	const struct open_file *open = open_file_of(handle);

	if (open != NULL && rc == 0)
		map_flushed(self.map, file_at(open->file));
	return rc;
}

static int verifier_fsync(struct backend_session *session, int64_t handle)
{
	return note_flush(handle, self.real->fsync(session, handle));
}

static int verifier_fdatasync(struct backend_session *session, int64_t handle)
{
	return note_flush(handle, self.real->fdatasync(session, handle));
}

static int verifier_truncate(struct backend_session *session, int64_t handle,
			     uint64_t bytes)
{
	const struct open_file *open = open_file_of(handle);
	int rc = self.real->truncate(session, handle, bytes);

	if (open == NULL)
		return rc;
	if (rc == 0)
		map_resize(self.map, file_at(open->file), bytes);
	else
		track_failure(&self.track, open->file, rc);
	return rc;
}

/* Set a range to zeros, or to unknown content. */
static void set_range(struct map_file *file, uint64_t from, uint64_t to,
		      enum map_kind kind)
{
	file->stream = 0;
	map_set(self.map, file, from, to,
		(struct map_value){.kind = kind,
				   .change = map_next_change(self.track.map)});
	file->stream = 0;
}

static int verifier_allocate(struct backend_session *session, int64_t handle,
			     uint64_t offset, uint64_t length, unsigned mode)
{
	const unsigned keeping = ALLOCATE_KEEP_SIZE | ALLOCATE_PUNCH_HOLE;
	const struct open_file *open = open_file_of(handle);
	int rc = self.real->allocate(session, handle, offset, length, mode);
	uint64_t end = offset + length;
	struct map_file *file;

	if (open == NULL)
		return rc;
	file = file_at(open->file);
	if (rc < 0) {
		track_failure(&self.track, open->file, rc);
		return rc;
	}
	if ((mode & keeping) != 0 && end > file->size)
		end = file->size;
	if ((mode & (ALLOCATE_PUNCH_HOLE | ALLOCATE_ZERO)) != 0)
		set_range(file, offset, end, MAP_ZERO);
	else if (end > file->size)
		map_resize(self.map, file, end);
	return rc;
}

static int64_t verifier_copy(struct backend_session *session, int64_t from,
			     uint64_t from_offset, int64_t to,
			     uint64_t to_offset, uint64_t bytes)
{
	const struct open_file *open = open_file_of(to);
	int64_t done = self.real->copy(session, from, from_offset, to,
				       to_offset, bytes);

	if (open != NULL && done > 0)
		set_range(file_at(open->file), to_offset,
			  to_offset + (uint64_t)done, MAP_UNKNOWN);
	if (open != NULL && done < 0)
		track_failure(&self.track, open->file, done);
	return done;
}

static int verifier_clone(struct backend_session *session, int64_t from,
			  uint64_t from_offset, int64_t to, uint64_t to_offset,
			  uint64_t bytes)
{
	const struct open_file *open = open_file_of(to);
	int rc = self.real->clone(session, from, from_offset, to, to_offset,
				  bytes);

	/* With `bytes` 0, the size depends on the other file. */
	if (open != NULL && rc == 0 && bytes > 0)
		set_range(file_at(open->file), to_offset, to_offset + bytes,
			  MAP_UNKNOWN);
	else if (open != NULL && (rc == 0 || !track_is_refusal(rc)))
		map_forget(self.map, file_at(open->file));
	return rc;
}

static int verifier_unlink(struct backend_session *session,
			   const struct backend_path *path)
{
	int rc = self.real->unlink(session, path);

	track_remove(&self.track, path->text, rc);
	return rc;
}

static int verifier_rmdir(struct backend_session *session,
			  const struct backend_path *path)
{
	int rc = self.real->rmdir(session, path);

	track_remove(&self.track, path->text, rc);
	return rc;
}

static int verifier_rename(struct backend_session *session,
			   const struct backend_path *from,
			   const struct backend_path *to, bool replace)
{
	int rc = self.real->rename(session, from, to, replace);

	track_rename(&self.track, from->text, to->text, rc);
	return rc;
}

static int verifier_swap(struct backend_session *session,
			 const struct backend_path *one,
			 const struct backend_path *other)
{
	int rc = self.real->swap(session, one, other);

	track_swap(&self.track, one->text, other->text, rc);
	return rc;
}

static int verifier_link(struct backend_session *session,
			 const struct backend_path *path,
			 const struct backend_path *existing)
{
	int rc = self.real->link(session, path, existing);

	track_link(&self.track, path->text, existing->text, rc);
	return rc;
}

/* Call the NFS procedure WRITE. */
static int64_t call_write(struct backend_session *session,
			  const struct backend_call *call)
{
	struct backend_call own = *call;
	struct write write = {
		.file = find(call->path->text),
		.offset = call->offset,
		.size = call->size,
		.durable = call->stable != 0,
	};
	int64_t put;

	if (write.file == 0 || file_at(write.file)->unknown)
		return self.real->procedure(session, call);
	own.data = begin_write(&write);
	put = self.real->procedure(session, &own);
	end_write(&write, put);
	return put;
}

/* Note what an NFS procedure has changed. */
static void note_procedure(const struct backend_call *call, int64_t rc)
{
	arena_ref file = call->path != NULL ? find(call->path->text) : 0;

	switch (call->procedure) {
	case PROCEDURE_NFS_READ:
		if (rc >= 0 && !self.reading_back)
			self.map->read_bytes += (uint64_t)rc;
		if (rc >= 0 && file != 0)
			check_read(file, call->buffer, rc, call->size,
				   call->offset);
		break;
	case PROCEDURE_NFS_CREATE:
		if (rc >= 0)
			track_open(&self.track, call->path->text, OPEN_CREATE);
		break;
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		track_remove(&self.track, call->path->text, rc);
		break;
	case PROCEDURE_NFS_RENAME:
		track_rename(&self.track, call->path->text, call->path2->text,
			     rc);
		break;
	case PROCEDURE_NFS_LINK:
		track_link(&self.track, call->path->text, call->path2->text,
			   rc);
		break;
	case PROCEDURE_NFS_COMMIT:
		if (rc >= 0 && file != 0)
			map_flushed(self.map, file_at(file));
		break;
	default:
		break;
	}
}

static int64_t verifier_procedure(struct backend_session *session,
				  const struct backend_call *call)
{
	int64_t rc;

	if (call->procedure == PROCEDURE_NFS_WRITE)
		return call_write(session, call);
	rc = self.real->procedure(session, call);
	note_procedure(call, rc);
	return rc;
}

/* Replace a slot that the backend has. */
#define WRAP(slot) \
	(self.wrapped.slot = backend->slot != NULL ? verifier_##slot : NULL)

const struct backend *verifier_start(const struct verify *verify,
				     unsigned index,
				     const struct backend *backend,
				     verifier_report *report, void *context)
{
	size_t room = (verify->content->run_max / ALIGNMENT + 1) * ALIGNMENT;

	self.verify = verify;
	self.index = index;
	self.map = self.track.map = verify->maps[index];
	self.track.left_out = verify->left_out;
	self.real = backend;
	self.report = report;
	self.context = context;
	self.aligned = aligned_alloc(ALIGNMENT, room);
	if (self.aligned == NULL)
		return NULL;
	snprintf(self.track.home, sizeof(self.track.home), "%s/%s%u/",
		 CLIENTS_NAME, USER_STEM, verify->first_user + index);
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
	WRAP(rmdir);
	WRAP(rename);
	WRAP(swap);
	WRAP(link);
	WRAP(procedure);
	return &self.wrapped;
}

/* Return the end of the written bytes from `at` on, at most READ_BACK_BYTES; or
 * `at`, and the end of the bytes that were not written in *skipped. */
static uint64_t end_of_written(const struct map_file *file, uint64_t at,
			       uint64_t *skipped)
{
	uint64_t limit = at + READ_BACK_BYTES, end = at;
	struct map_run run;

	if (limit > file->size)
		limit = file->size;
	*skipped = limit;
	while (end < limit) {
		run = map_run(self.map, file, end, limit);
		*skipped = run.to;
		if (run.state.now.kind != MAP_DATA)
			break;
		end = run.to;
	}
	return end;
}

/* Read back the parts of a file that were written. */
static int read_back_file(struct backend_session *session, int64_t handle,
			  const struct map_file *file, char *buffer,
			  uint64_t *steps)
{
	uint64_t at, end, next;
	int64_t got;

	for (at = 0; at < file->size; at = next) {
		end = end_of_written(file, at, &next);
		if (end == at)
			continue;
		got = verifier_read(session, handle, buffer, end - at, at);
		if (got < 0)
			return (int)got;
		++*steps;
		next = end;
	}
	return 0;
}

int verifier_read_back(struct backend_session *session, uint64_t *steps,
		       char path[DIFFERENCE_PATH])
{
	struct backend_path named = {0};
	char *buffer = malloc(READ_BACK_BYTES);
	arena_ref name = 0;
	int64_t handle;
	int rc = buffer == NULL ? -ENOMEM : 0;

	path[0] = '\0';
	self.reading_back = true;
	while (rc == 0 && (name = catalog_next(self.map, name)) != 0) {
		const struct catalog_name *entry =
			catalog_name(self.map, name);
		struct map_file *file = file_at(entry->file);

		if (file->unknown || file->size == 0 || file->read_back)
			continue;
		file->read_back = true;
		named.text = entry->text;
		handle = verifier_open(session, &named, OPEN_READ | OPEN_FILE);
		rc = handle < 0 ? (int)handle
				: read_back_file(session, handle, file, buffer,
						 steps);
		if (handle >= 0)
			verifier_close(session, handle);
		if (rc < 0)
			snprintf(path, DIFFERENCE_PATH, "%s", entry->text);
	}
	free(buffer);
	return rc;
}
