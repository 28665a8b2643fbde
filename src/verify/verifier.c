/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verifier_state.h"

#include "verify/catalog.h"
#include "verify/read_back.h"
#include "words/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Greater than the size of any file. */
#define END_UNKNOWN UINT64_MAX

struct verifier verifier;

static struct map_file *file_at(arena_ref file)
{
	return map_file(verifier.map, file);
}

bool verifier_land(struct flight *flight)
{
	unsigned i;

	flights_lock(&verifier.flights);
	map_note(verifier.map);
	if (!flight->in_doubt)
		return true;
	for (i = 0; i < 2 && flight->paths[i] != NULL; i++)
		track_doubt(&verifier.track, flight->paths[i]);
	return false;
}

struct track_result verifier_result(const struct backend_session *session, int64_t rc)
{
	return (struct track_result){
		.rc = rc,
		.changed = rc < 0 && verifier.real->changed_bytes != NULL
				   ? verifier.real->changed_bytes(session)
				   : 0,
	};
}

int64_t verifier_outcome(const struct backend_session *session, int64_t rc)
{
	return verifier_result(session, rc).changed > 0 ? -EIO : rc;
}

static void note_open(const char *path, uint64_t flags, int64_t handle)
{
	arena_ref file;

	if (handle < 0) {
		if ((flags & OPEN_TRUNCATE) != 0)
			track_failure(&verifier.track, verifier_find(path), handle);
		return;
	}
	file = track_open(&verifier.track, path, flags);
	if (file != 0 && (flags & OPEN_DELETE_ON_CLOSE) != 0)
		file_at(file)->deleting++;
	if (handle >= VERIFIER_HANDLES) {
		if (file != 0)
			map_forget(verifier.map, file_at(file));
		return;
	}
	verifier.handles[handle] = (struct verifier_file){.file = file, .flags = (uint32_t)flags};
	if (file != 0) {
		if (file_at(file)->unknown || file_at(file)->loose_end)
			verifier.handles[handle].end = END_UNKNOWN;
		else
			verifier.handles[handle].end = file_at(file)->size;
		file_at(file)->handles++;
	}
}

/* Check if an open may make its name, or lead to its removal. */
static bool changes_name(arena_ref file, uint64_t flags)
{
	return (flags & (OPEN_EXCLUSIVE | OPEN_DELETE_ON_CLOSE)) != 0 ||
	       ((flags & OPEN_CREATE) != 0 && file == 0);
}

/* Say what an open uses. */
static void begin_open(struct flight *flight, const char *path, uint64_t flags)
{
	struct map_pending cut = {.to = UINT64_MAX, .whole = true};

	if ((flags & OPEN_TRUNCATE) == 0 && verifier.flights.count == 1)
		return;
	cut.file = verifier_find(path);
	flight_use_names(&verifier.flights, flight, path, NULL, changes_name(cut.file, flags));
	if ((flags & OPEN_TRUNCATE) != 0)
		flight_begin(&verifier.flights, flight, &cut);
}

static int64_t verifier_open(struct backend_session *session, const struct backend_path *path,
			     uint64_t flags)
{
	struct flight *flight = verifier_begin(session);
	int64_t handle;

	begin_open(flight, path->text, flags);
	verifier_launch();
	handle = verifier.real->open(session, path, flags);
	if (verifier_land(flight))
		note_open(path->text, flags, verifier_outcome(session, handle));
	verifier_finish(flight);
	return handle;
}

/* Return the open file of a handle, or NULL if it is not verified. */
static struct verifier_file *open_file_of(int64_t handle)
{
	if (handle < 0 || handle >= VERIFIER_HANDLES || verifier.handles[handle].file == 0)
		return NULL;
	return &verifier.handles[handle];
}

/* A flush of the file has failed: writes that are in flight may not last either. */
static void fail_flush(arena_ref file)
{
	map_flush_failed(verifier.map, file_at(file));
	flights_doubt(&verifier.flights, file);
}

static int verifier_close(struct backend_session *session, int64_t handle)
{
	struct flight *flight = verifier_begin(session);
	struct verifier_file *open = open_file_of(handle), closed = {0};
	int rc;

	/* Another lane may get a handle with this number before we land. */
	if (open != NULL) {
		closed = *open;
		*open = (struct verifier_file){0};
	}
	verifier_launch();
	rc = verifier.real->close(session, handle);
	if (closed.file == 0)
		return rc;
	verifier_land(flight);
	if ((closed.flags & OPEN_DELETE_ON_CLOSE) != 0)
		track_deleting_close(&verifier.track, closed.file, rc);
	/* Some clients flush a file when they close it. */
	if (rc < 0 && !track_is_refusal(rc))
		fail_flush(closed.file);
	file_at(closed.file)->handles--;
	map_drop_file(verifier.map, closed.file);
	verifier_finish(flight);
	return rc;
}

/* Report a difference that a read has found. */
static void report_difference(const struct flight *flight, struct difference *difference,
			      arena_ref file)
{
	const char *name;

	flights_lock(&verifier.flights);
	name = catalog_name_of(verifier.map, file);
	difference->user = verifier.verify->first_user + verifier.index;
	difference->read_back = verifier.reading_back;
	strncpy(difference->path, name != NULL ? name : "(removed)", sizeof(difference->path) - 1);
	flights_unlock(&verifier.flights);
	verifier.report(flight->context, verifier.verify, difference);
}

/* Compare what a read has returned, and add to *compared. Return 0, or the -errno of
 * the read of the rest. */
static int check_read(const struct compare_reader *reader, struct compare_read *read,
		      uint64_t *compared)
{
	struct difference difference;
	int rc;

	read->verify = verifier.verify;
	read->user = verifier.index;
	read->flights = &verifier.flights;
	read->bytes = reader->buffer;
	rc = compare_read_rest(reader, read);
	if (!compare_bytes(read, compared, &difference))
		report_difference(read->flight, &difference, read->file);
	return rc;
}

void verifier_begin_read(struct flight *flight, const struct compare_read *read)
{
	const struct map_pending pending = {
		.file = read->file,
		.from = read->offset,
		.to = read->offset + read->wanted,
		.reads = true,
	};

	/* Without other lanes, no operation needs to know of it. */
	if (verifier.flights.count > 1)
		flight_begin(&verifier.flights, flight, &pending);
}

int verifier_end_read(struct flight *flight, const struct compare_reader *reader,
		      struct compare_read *read, int64_t got)
{
	uint64_t compared = 0;
	int rc = 0;

	read->returned = got > 0 ? (uint64_t)got : 0;
	read->flight = flight;
	if (got >= 0 && read->file != 0)
		rc = check_read(reader, read, &compared);
	verifier_land(flight);
	if (verifier.reading_back) {
		verifier.map->read_back_bytes += compared;
	} else {
		verifier.map->read_bytes += read->returned;
		verifier.map->compared_bytes += compared;
	}
	verifier_finish(flight);
	return rc;
}

static int64_t verifier_read(struct backend_session *session, int64_t handle, void *buffer,
			     size_t size, uint64_t offset)
{
	struct flight *flight = verifier_begin(session);
	const struct verifier_file *open = open_file_of(handle);
	const struct compare_reader reader = {
		.backend = verifier.real,
		.session = session,
		.handle = handle,
		.buffer = buffer,
		.direct = open != NULL && (open->flags & OPEN_DIRECT) != 0,
	};
	struct compare_read read = {
		.file = open != NULL ? open->file : 0,
		.offset = offset,
		.wanted = size,
	};
	int64_t got;
	int rc;

	verifier_begin_read(flight, &read);
	verifier_launch();
	got = verifier.real->read(session, handle, buffer, size, offset);
	rc = verifier_end_read(flight, &reader, &read, got);
	/* The read-back must not take what cannot be read for the end. */
	return verifier.reading_back && rc < 0 ? rc : got;
}

const void *verifier_begin_write(struct flight *flight, struct track_write *write, uint64_t to)
{
	struct map_file *file = file_at(write->file);
	struct map_pending pending = {.file = write->file, .from = write->offset, .to = to};

	pending.change = map_next_write(verifier.map, file, write->offset,
					write->offset + write->size);
	write->change = pending.change;
	map_prefetch(verifier.map, file, write->offset);
	flight_begin(&verifier.flights, flight, &pending);
	return content_bytes(verifier.verify->content, verifier.verify->first_user + verifier.index,
			     write->change, write->offset);
}

void verifier_land_write(struct backend_session *session, struct flight *flight,
			 struct track_write *write, int64_t rc)
{
	if (!verifier_land(flight))
		return;
	/* A server may store data better than it was asked to. */
	if (rc > 0 && verifier.real->wrote_stable != NULL)
		write->stable = verifier.real->wrote_stable(session);
	track_write(verifier.map, write, verifier_result(session, rc));
}

/* Return whether the backend may append elsewhere than at the end of the file
 * that the map has. */
static bool appends_elsewhere(const struct verifier_file *open)
{
	const struct map_file *file = file_at(open->file);

	return (open->flags & OPEN_APPEND) != 0 &&
	       (file->loose_end || (verifier.real->appends_blindly && open->end != file->size));
}

/* Begin a write to a handle. Return false if it need not be verified. */
static bool begin_write_to(struct verifier_file *open)
{
	if (open == NULL)
		return false;
	if (appends_elsewhere(open)) {
		map_note(verifier.map);
		map_forget(verifier.map, file_at(open->file));
		map_noted(verifier.map);
	}
	if (!file_at(open->file)->unknown)
		return true;
	open->end = END_UNKNOWN;
	return false;
}

/* Note where a handle of the file appends from now on, unless it was closed. */
static void set_end(int64_t handle, arena_ref file, uint64_t end)
{
	struct verifier_file *open = open_file_of(handle);

	if (open != NULL && open->file == file)
		open->end = end;
}

static int64_t verifier_write(struct backend_session *session, int64_t handle, const void *data,
			      size_t size, uint64_t offset)
{
	struct flight *flight = verifier_begin(session);
	struct verifier_file *open = open_file_of(handle);
	struct track_write write = {.offset = offset};
	bool appends;
	int64_t put;

	if (!begin_write_to(open)) {
		verifier_launch();
		return verifier.real->write(session, handle, data, size, offset);
	}
	/* Restoring a set-up writes larger pieces than the load, and the rest
	 * of a piece later. */
	if (size > verifier.verify->content->run_max)
		size = verifier.verify->content->run_max;
	appends = (open->flags & OPEN_APPEND) != 0;
	write.direct = (open->flags & OPEN_DIRECT) != 0;
	write.file = open->file;
	write.size = size;
	write.stable = (open->flags & OPEN_SYNC) != 0;
	if (appends)
		write.offset = file_at(open->file)->size;
	data = verifier_begin_write(flight, &write, appends ? UINT64_MAX : write.offset + size);
	verifier_launch();
	if (write.direct)
		data = memcpy(flight->aligned, data, size);
	put = verifier.real->write(session, handle, data, size, offset);
	verifier_land_write(session, flight, &write, put);
	set_end(handle, write.file, file_at(write.file)->size);
	verifier_finish(flight);
	return put;
}

void verifier_begin_flush(struct flight *flight, struct verifier_flush *flush)
{
	if (flush->file == 0)
		return;
	flush->last = flight_begin_flush(&verifier.flights, flight, flush->file);
	flush->flushed = file_at(flush->file)->flushed;
	flush->synced = file_at(flush->file)->synced;
}

void verifier_end_flush(struct flight *flight, const struct verifier_flush *flush, int64_t rc)
{
	bool known = verifier_land(flight) && flush->file != 0;

	if (known && rc >= 0) {
		map_flushed(file_at(flush->file), flush->last, flush->names);
	} else if (flush->file != 0 && rc < 0 && !track_is_refusal(rc)) {
		/* A target need not report the error to another flush at the same
		 * time. */
		file_at(flush->file)->flushed = flush->flushed;
		file_at(flush->file)->synced = flush->synced;
		fail_flush(flush->file);
	}
	verifier_finish(flight);
}

/* Call a slot that flushes an open file. */
static int flush(struct backend_session *session, int64_t handle,
		 int (*slot)(struct backend_session *session, int64_t handle), bool names)
{
	struct flight *flight = verifier_begin(session);
	const struct verifier_file *open = open_file_of(handle);
	struct verifier_flush flush = {.file = open != NULL ? open->file : 0, .names = names};
	int rc;

	verifier_begin_flush(flight, &flush);
	verifier_launch();
	rc = slot(session, handle);
	verifier_end_flush(flight, &flush, rc);
	return rc;
}

static int verifier_fsync(struct backend_session *session, int64_t handle)
{
	return flush(session, handle, verifier.real->fsync, true);
}

static int verifier_fdatasync(struct backend_session *session, int64_t handle)
{
	return flush(session, handle, verifier.real->fdatasync, false);
}

/* Begin a change of a handle's file, other than a write: of its bytes from `from` to
 * before `to`. Return the file, or 0 if it is not verified. */
static arena_ref begin_change(struct flight *flight, int64_t handle, uint64_t from, uint64_t to)
{
	const struct verifier_file *open = open_file_of(handle);
	const struct map_pending pending = {
		.file = open != NULL ? open->file : 0,
		.from = from,
		.to = to,
		.whole = true,
	};

	if (open != NULL)
		flight_begin(&verifier.flights, flight, &pending);
	verifier_launch();
	return pending.file;
}

static int verifier_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	struct flight *flight = verifier_begin(session);
	arena_ref file = begin_change(flight, handle, 0, UINT64_MAX);
	int rc = verifier.real->truncate(session, handle, bytes);

	if (file == 0)
		return rc;
	verifier_land(flight);
	track_truncate(verifier.map, file, bytes, rc);
	set_end(handle, file, rc == 0 ? bytes : END_UNKNOWN);
	verifier_finish(flight);
	return rc;
}

static int verifier_allocate(struct backend_session *session, int64_t handle, uint64_t offset,
			     uint64_t length, unsigned mode)
{
	struct flight *flight = verifier_begin(session);
	arena_ref file = begin_change(flight, handle, offset, offset + length);
	int rc = verifier.real->allocate(session, handle, offset, length, mode);

	if (file == 0)
		return rc;
	verifier_land(flight);
	track_allocate(verifier.map, file, offset, length, mode, verifier_result(session, rc));
	set_end(handle, file, END_UNKNOWN);
	verifier_finish(flight);
	return rc;
}

static int64_t verifier_copy(struct backend_session *session, int64_t from, uint64_t from_offset,
			     int64_t to, uint64_t to_offset, uint64_t bytes)
{
	struct flight *flight = verifier_begin(session);
	arena_ref file = begin_change(flight, to, to_offset, to_offset + bytes);
	int64_t done = verifier.real->copy(session, from, from_offset, to, to_offset, bytes);

	if (file == 0)
		return done;
	verifier_land(flight);
	track_copy(verifier.map, file, to_offset, verifier_result(session, done));
	set_end(to, file, END_UNKNOWN);
	verifier_finish(flight);
	return done;
}

static int verifier_clone(struct backend_session *session, int64_t from, uint64_t from_offset,
			  int64_t to, uint64_t to_offset, uint64_t bytes)
{
	struct flight *flight = verifier_begin(session);
	arena_ref file = begin_change(flight, to, to_offset,
				      bytes > 0 ? to_offset + bytes : UINT64_MAX);
	int rc = verifier.real->clone(session, from, from_offset, to, to_offset, bytes);

	if (file == 0)
		return rc;
	verifier_land(flight);
	track_clone(verifier.map, file, to_offset, bytes, rc);
	set_end(to, file, END_UNKNOWN);
	verifier_finish(flight);
	return rc;
}

/* Give a lane what it needs. */
static bool equip(struct flight *flight, void *context)
{
	size_t room = (verifier.verify->content->run_max / COMPARE_ALIGNMENT + 1) *
		      COMPARE_ALIGNMENT;

	flight->context = context;
	flight->aligned = aligned_alloc(COMPARE_ALIGNMENT, room);
	return flight->aligned != NULL;
}

const struct backend *verifier_start(const struct verify *verify, unsigned index,
				     const struct backend *backend, verifier_report *report,
				     void *context)
{
	unsigned i;

	/* Free the buffers of an earlier call. */
	for (i = 0; i < verifier.flights.count; i++)
		free(verifier.flights.list[i].aligned);
	verifier.verify = verify;
	verifier.index = index;
	verifier.map = verifier.track.map = verify->maps[index];
	verifier.track.left_out = verify->left_out;
	verifier.real = backend;
	verifier.report = report;
	flights_open(&verifier.flights, verifier.map);
	if (!equip(&verifier.flights.list[0], context))
		return NULL;
	snprintf(verifier.track.home, sizeof(verifier.track.home), "%s/%s%u/", CLIENTS_NAME,
		 USER_STEM, verify->first_user + index);
	verifier.wrapped = *backend;
	VERIFIER_WRAP(open);
	VERIFIER_WRAP(close);
	VERIFIER_WRAP(read);
	VERIFIER_WRAP(write);
	VERIFIER_WRAP(fsync);
	VERIFIER_WRAP(fdatasync);
	VERIFIER_WRAP(truncate);
	VERIFIER_WRAP(allocate);
	VERIFIER_WRAP(copy);
	VERIFIER_WRAP(clone);
	verifier_wrap_names();
	VERIFIER_WRAP(procedure);
	return &verifier.wrapped;
}

int verifier_share(const struct backend_session *session, void *context)
{
	struct flight *flight = flights_add(&verifier.flights, session);

	verifier.flights.threads = !verifier.real->takes_turns;
	return flight != NULL && equip(flight, context) ? 0 : -ENOMEM;
}

void verifier_stop(void)
{
	verifier.wrapped = *verifier.real;
}

int verifier_read_back(struct backend_session *session, uint64_t *steps, char path[DIFFERENCE_PATH])
{
	int rc;

	verifier.reading_back = true;
	rc = read_back_files(&verifier.wrapped, session, verifier.map, steps, path);
	verifier.reading_back = false;
	return rc;
}
