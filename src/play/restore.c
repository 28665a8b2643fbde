/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/restore.h"

#include "play/changes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Size of the writes that restore a file. */
	WRITE_BYTES = 1 << 20,
	/* Room for names that a loop has added to a directory. */
	EXTRA_BYTES = 64 << 10,
};

struct restore {
	struct changes changes;
	struct snapshot snapshot;
	size_t setup_end;
	bool attributes; /* the load sets extended attributes */
	bool links;      /* the load makes hard links after its set-up */
	char failed[PATH_MAX];
	size_t extra_used;
	bool extra_full;
	const char *extra_directory;
	char extra[EXTRA_BYTES]; /* names, each with a NUL */
	char data[WRITE_BYTES];
};

int restore_open(struct replay *r)
{
	struct restore *restore = calloc(1, sizeof(*restore));

	r->restore = restore;
	if (restore == NULL)
		return -ENOMEM;
	return changes_open(&restore->changes, r->program);
}

void restore_share(struct replay *r)
{
	r->restore->changes.shared = true;
}

void restore_close(struct replay *r)
{
	struct restore *restore = r->restore;

	if (restore == NULL)
		return;
	changes_close(&restore->changes);
	snapshot_free(&restore->snapshot);
	free(restore);
	r->restore = NULL;
}

/* Take data to write from the load's own, in pieces that it can contain. */
static void fill_data(struct replay *r)
{
	size_t piece = r->program->io_bytes_max, done;

	if (piece > WRITE_BYTES)
		piece = WRITE_BYTES;
	for (done = 0; piece > 0 && done + piece <= WRITE_BYTES; done += piece)
		memcpy(r->restore->data + done, bind_data_at(&r->binding, piece, done), piece);
}

/* Is an operation of one of these kinds among the ops from `begin` to `end`? */
static bool has_kind(const struct replay *r, size_t begin, size_t end, enum op_kind kind,
		     enum op_kind other)
{
	size_t i;

	for (i = begin; i < end; i++)
		if (r->program->ops[i].kind == kind || r->program->ops[i].kind == other)
			return true;
	return false;
}

int restore_begin(struct replay *r, size_t setup_end)
{
	struct restore *restore = r->restore;
	char home[PATH_MAX];
	int rc;

	layout_home(r->binding.user, home);
	fill_data(r);
	restore->setup_end = setup_end;
	restore->attributes = has_kind(r, 0, r->program->op_count, OP_XATTR_SET, OP_XATTR_REMOVE);
	restore->links = has_kind(r, setup_end, r->program->op_count, OP_LINK, OP_NFS_LINK);
	rc = snapshot_take(&restore->snapshot, r->backend, r->session, home,
			   has_kind(r, 0, setup_end, OP_SYMLINK, OP_NFS_SYMLINK), &r->own->steps);
	if (rc == 0)
		changes_begin(&restore->changes, &restore->snapshot);
	return rc;
}

/* Return the part of a time span that is in the measured window. */
static uint64_t measured_ns(const struct stats_run *run, uint64_t begin_ns, uint64_t end_ns)
{
	if (begin_ns < run->measure_ns)
		begin_ns = run->measure_ns;
	if (end_ns > run->stop_ns)
		end_ns = run->stop_ns;
	return begin_ns < end_ns ? end_ns - begin_ns : 0;
}

void restore_note(struct replay *r, const struct op *op, int64_t returned)
{
	uint64_t now_ns;

	if (changes_note(&r->restore->changes, &r->binding.names, op, returned)) {
		/* This is part of the restore, not of the next operation. */
		now_ns = clock_now_ns();
		r->own->restore_ns += measured_ns(r->stats->run, r->begin_ns, now_ns);
		r->own->busy_since_ns = r->begin_ns = now_ns;
	}
}

/* Count a call to the backend as progress, which watchdogs look for. */
static const struct backend *call(struct replay *r)
{
	r->own->steps++;
	r->own->busy_since_ns = clock_now_ns();
	return r->backend;
}

static bool is_absent(int rc)
{
	return rc == -ENOENT || rc == -ENOTDIR;
}

static int remove_all(struct replay *r, const char *path)
{
	int rc;

	call(r);
	rc = tree_remove(r->tree, path);
	return is_absent(rc) ? 0 : rc;
}

/* Write the part of a file from `offset` on. */
static int write_rest(struct replay *r, int64_t handle, uint64_t offset, uint64_t size)
{
	while (offset < size && !replay_is_leaving(r)) {
		uint64_t left = size - offset;
		int64_t put = call(r)->write(r->session, handle, r->restore->data,
					     left < WRITE_BYTES ? (size_t)left : WRITE_BYTES,
					     offset);

		if (put <= 0)
			return put < 0 ? (int)put : -EIO;
		offset += (uint64_t)put;
	}
	return 0;
}

/* Give a file the size that it had. `found` is its size now, 0 if it does not
 * exist. */
static int restore_file(struct replay *r, const struct snapshot_entry *was, uint64_t found)
{
	const struct backend_path path = {.text = was->path};
	uint64_t flags = OPEN_WRITE | OPEN_CREATE | OPEN_FILE;
	int64_t handle;
	int rc, closed;

	if (found > was->size_bytes) {
		flags |= OPEN_TRUNCATE;
		found = 0;
	}
	handle = call(r)->open(r->session, &path, flags);
	if (handle < 0)
		return (int)handle;
	rc = write_rest(r, handle, found, was->size_bytes);
	closed = call(r)->close(r->session, handle);
	return rc < 0 ? rc : closed;
}

/* Create a symbolic link again. Its content is that of the operation in the
 * set-up that made it. */
static int restore_link(struct replay *r, const struct snapshot_entry *was)
{
	const struct backend_path path = {.text = was->path};
	const struct program *program = r->program;
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if ((op->kind == OP_SYMLINK || op->kind == OP_NFS_SYMLINK) &&
		    strcmp(replay_path(r, op->path)->text, was->path) == 0)
			return call(r)->symlink(r->session, &path, replay_path(r, op->path2)->text);
	}
	return -EOPNOTSUPP;
}

/* Must the file be made again, instead of changing its size? It may have become
 * the same file as another one that the set-up made. A file that the load has
 * open from its set-up on cannot be made again. */
static bool is_made_again(const struct replay *r, const struct snapshot_entry *was)
{
	return was->type == SNAPSHOT_LINK ||
	       (was->type == SNAPSHOT_FILE && r->restore->links && !was->opened);
}

/* Make a name what it was, in a directory that exists. */
static int restore_here(struct replay *r, const struct snapshot_entry *was)
{
	const struct backend_path path = {.text = was->path};
	struct backend_attributes found = {0};
	int rc = call(r)->stat(r->session, &path, &found);
	bool there = rc == 0;

	if (rc < 0 && !is_absent(rc))
		return rc;
	if (there &&
	    (found.directory != (was->type == SNAPSHOT_DIRECTORY) || is_made_again(r, was))) {
		rc = remove_all(r, was->path);
		if (rc < 0)
			return rc;
		there = false;
	}
	switch (was->type) {
	case SNAPSHOT_DIRECTORY:
		return there ? 0 : call(r)->mkdir(r->session, &path);
	case SNAPSHOT_LINK:
		return restore_link(r, was);
	default:
		if (there && found.size_bytes == was->size_bytes)
			return 0;
		rc = restore_file(r, was, there ? found.size_bytes : 0);
		if (rc != -ELOOP)
			return rc;
		/* The loop has made a symbolic link of this name. */
		rc = remove_all(r, was->path);
		return rc < 0 ? rc : restore_file(r, was, 0);
	}
}

static int failed(struct replay *r, const char *path, int rc)
{
	if (rc < 0)
		snprintf(r->restore->failed, sizeof(r->restore->failed), "%s", path);
	return rc;
}

/* Make a name what it was, and the directories above it if necessary. */
static int restore_name(struct replay *r, const struct snapshot_entry *was)
{
	const struct snapshot *snapshot = &r->restore->snapshot;
	const struct snapshot_entry *above = snapshot_above(snapshot, was->path);
	int rc = restore_here(r, was);

	if (is_absent(rc) && above != snapshot->entries) {
		rc = restore_name(r, above);
		if (rc < 0)
			return rc;
		rc = restore_here(r, was);
	}
	return failed(r, was->path, rc);
}

/*
 * Check that a file which was truncated is complete again, by reading its last
 * byte: a server may still report the size from before the truncation (as
 * NFS-Ganesha does after a CREATE that truncates).
 */
static int restore_cut(struct replay *r, const struct snapshot_entry *was)
{
	const struct backend_path path = {.text = was->path};
	int64_t handle, got;
	char last;

	if (was->type != SNAPSHOT_FILE || was->size_bytes == 0)
		return 0;
	handle = call(r)->open(r->session, &path, OPEN_READ | OPEN_FILE);
	if (handle < 0)
		return failed(r, was->path, (int)handle);
	got = call(r)->read(r->session, handle, &last, 1, was->size_bytes - 1);
	call(r)->close(r->session, handle);
	if (got == 0)
		got = restore_file(r, was, 0);
	return failed(r, was->path, got < 0 ? (int)got : 0);
}

/* Collect a name that the directory did not have. */
static bool collect_extra(void *context, const char *name, enum backend_entry entry)
{
	struct restore *restore = context;
	size_t size = strlen(name) + 1;
	char path[PATH_MAX];

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	snprintf(path, sizeof(path), "%s/%s", restore->extra_directory, name);
	if (snapshot_find(&restore->snapshot, path) != NULL)
		return true;
	restore->extra_full = size > EXTRA_BYTES - restore->extra_used;
	if (restore->extra_full)
		return false;
	memcpy(restore->extra + restore->extra_used, name, size);
	restore->extra_used += size;
	return true;
}

/* Remove the names that a directory did not have. */
static int remove_extra(struct replay *r, const char *directory)
{
	struct restore *restore = r->restore;
	const struct backend_path path = {.text = directory};
	char text[PATH_MAX];
	size_t at;
	int rc;

	restore->extra_directory = directory;
	do {
		restore->extra_used = 0;
		restore->extra_full = false;
		rc = call(r)->list(r->session, &path, collect_extra, restore);
		for (at = 0; rc == 0 && at < restore->extra_used;
		     at += strlen(restore->extra + at) + 1) {
			snprintf(text, sizeof(text), "%s/%s", directory, restore->extra + at);
			rc = failed(r, text, remove_all(r, text));
		}
	} while (rc == 0 && restore->extra_full && !replay_is_leaving(r));
	return rc;
}

/* Put back what has changed at a name. Mark all that is below a changed tree. */
static int restore_entry(struct replay *r, struct snapshot_entry *was)
{
	struct snapshot_entry *below = NULL;
	unsigned changed = was->changed;
	int rc = restore_name(r, was);

	was->changed = 0;
	if (rc == 0 && (changed & CHANGE_CUT) != 0)
		rc = restore_cut(r, was);
	if (rc < 0 || was->type != SNAPSHOT_DIRECTORY)
		return rc;
	if ((changed & CHANGE_TREE) != 0)
		while ((below = snapshot_next(&r->restore->snapshot, was->path, below)) != NULL)
			below->changed |= CHANGE_NAME | CHANGE_EXTRA;
	return (changed & (CHANGE_TREE | CHANGE_EXTRA)) != 0 ? remove_extra(r, was->path) : 0;
}

/*
 * Rename a file or directory back, which is cheaper than to make it again.
 * Leave it if its old name exists. Leave it also if it was made by the loop,
 * and has replaced something that the set-up made and that can stay replaced.
 */
static int undo_rename(struct replay *r, const char *from, const char *to)
{
	const struct snapshot *snapshot = &r->restore->snapshot;
	const struct backend_path old = {.text = from}, new = {.text = to};
	struct backend_attributes found;
	int rc;

	if (snapshot_find(snapshot, from) == NULL && snapshot_find(snapshot, to) != NULL)
		return 0;
	rc = call(r)->stat(r->session, &old, &found);
	if (!is_absent(rc))
		return rc;
	rc = call(r)->rename(r->session, &new, &old, false);
	return is_absent(rc) || rc == -EEXIST ? 0 : rc;
}

/* Undo the renames, the last one first. A directory may have been changed under
 * either of its names. */
static int undo_renames(struct replay *r)
{
	struct changes *changes = &r->restore->changes;
	size_t i;
	int rc = 0;

	for (i = changes_renames(changes); rc == 0 && i > 0; i--) {
		const struct change_rename *rename = &changes->renames[i - 1];
		const char *from = replay_path(r, rename->from)->text;
		const char *to = replay_path(r, rename->to)->text;

		rc = failed(r, to, undo_rename(r, from, to));
		changes->bits[rename->from] |= CHANGE_TREE;
		changes->bits[rename->to] |= CHANGE_TREE;
	}
	return rc;
}

/* Remove the paths that did not exist, and mark the others in the snapshot. */
static int remove_new(struct replay *r)
{
	const struct changes *changes = &r->restore->changes;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < changes->path_count && !replay_is_leaving(r); i++) {
		const struct backend_path path = {
			.text = replay_path(r, changes->paths[i])->text,
		};
		struct snapshot_entry *was = snapshot_find(&r->restore->snapshot, path.text);
		struct backend_attributes found;

		if (was != NULL) {
			was->changed |= changes->bits[changes->paths[i]];
			continue;
		}
		rc = call(r)->stat(r->session, &path, &found);
		if (rc == 0)
			rc = remove_all(r, path.text);
		rc = failed(r, path.text, is_absent(rc) ? 0 : rc);
	}
	return rc;
}

/*
 * Remove the extended attributes that the loop names, and set those of the
 * set-up again. An attribute survives if its file has been renamed to a name
 * under which the loop never uses it.
 */
static int restore_attributes(struct replay *r)
{
	const struct program *program = r->program;
	size_t start = r->restore->setup_end, i;

	for (i = start; i < start + program->op_count; i++) {
		const struct op *op = &program->ops[i % program->op_count];
		const struct backend_path *path;
		const char *name;
		int64_t rc;

		if (replay_is_leaving(r))
			return 0;
		if (op->kind != OP_XATTR_SET &&
		    (i >= program->op_count ||
		     (op->kind != OP_XATTR_GET && op->kind != OP_XATTR_REMOVE)))
			continue;
		path = replay_path(r, op->path);
		name = program->texts[op->text];
		if (i < program->op_count) {
			call(r)->xattr_remove(r->session, path, name);
			continue;
		}
		rc = call(r)->xattr_set(r->session, path, name, bind_data(&r->binding, op->size),
					op->size);
		if (rc < 0)
			return failed(r, program->paths[op->path].text, (int)rc);
	}
	return 0;
}

static int restore_all(struct replay *r)
{
	const struct snapshot *snapshot = &r->restore->snapshot;
	int rc = undo_renames(r);
	size_t i;

	if (rc == 0)
		rc = remove_new(r);
	/* A directory comes before the entries that it may mark. */
	for (i = 0; rc == 0 && i < snapshot->count && !replay_is_leaving(r); i++)
		if (snapshot->entries[i].changed != 0)
			rc = restore_entry(r, &snapshot->entries[i]);
	return rc == 0 && r->restore->attributes ? restore_attributes(r) : rc;
}

int restore_loop(struct replay *r)
{
	struct changes *changes = &r->restore->changes;
	uint64_t begin_ns, end_ns;
	int rc;

	if (!changes->any && !r->restore->attributes)
		return 0;
	begin_ns = clock_now_ns();
	rc = restore_all(r);
	changes_clear(changes);
	end_ns = clock_now_ns();
	/* Postpone the rate limit and the schedule, or the user would catch
	 * up. */
	r->paced_from_ns += end_ns - r->begin_ns;
	pace_postpone(&r->pace, end_ns - begin_ns);
	r->own->busy_since_ns = r->begin_ns = end_ns;
	recorder_advance(&r->recorder, end_ns);
	r->own->restore_ns += measured_ns(r->stats->run, begin_ns, end_ns);
	return rc;
}

const char *restore_path(const struct replay *r)
{
	return r->restore->failed;
}
