/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/session.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Set *path to the path `text` below the directory `above` ("" or "/name");
 * allocate or enlarge *path if needed. */
static int fill(struct nfs_path **path, const char *above, const char *text)
{
	size_t length = strlen(text), i;
	size_t needed = 2 * length + strlen(above) + 4;
	struct nfs_path *filled = *path;
	char *whole, *end;

	if (filled == NULL || filled->room < needed) {
		filled = realloc(filled, sizeof(*filled) + needed);
		if (filled == NULL)
			return -ENOMEM;
		*path = filled;
		filled->room = needed;
	}
	filled->components = length > 0;
	for (i = 0; i <= length; i++) {
		bool ends = text[i] == '/';

		filled->text[i] = text[i];
		if (ends)
			filled->text[i] = '\0';
		filled->components += ends;
	}
	whole = filled->text + length + 1;
	end = stpcpy(whole, above);
	if (length > 0 || end == whole)
		*end++ = '/';
	memcpy(end, text, length + 1);
	filled->whole = whole;
	return 0;
}

int nfs_path_make(struct backend_session *session, struct backend_path *path)
{
	struct nfs_path *made = NULL;

	if (fill(&made, session->shared->entered, path->text) < 0)
		return -ENOMEM;
	made->next = session->made;
	session->made = made;
	path->made = made;
	return 0;
}

const struct nfs_path *nfs_path_of(struct backend_session *session, const struct backend_path *path)
{
	unsigned i;

	if (path->made != NULL)
		return path->made;
	i = session->next_plain;
	session->next_plain = 1 - i;
	if (fill(&session->plain[i], session->shared->entered, path->text) < 0)
		return NULL;
	return session->plain[i];
}

int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path)
{
	return fill(kept, "", path->whole + 1);
}

/* Add a file to the table. Return false if there is no memory. */
static bool add_file(struct nfs_shared *shared)
{
	struct nfs_file *file;

	if (shared->file_count == shared->file_room) {
		int room = shared->file_room * 2 + 16;
		struct nfs_file **files = realloc(shared->files,
						  (size_t)room * sizeof(struct nfs_file *));

		if (files == NULL)
			return false;
		shared->files = files;
		shared->file_room = room;
	}
	file = calloc(1, sizeof(*file));
	if (file == NULL)
		return false;
	file->next_free = -1;
	shared->first_free = shared->file_count;
	shared->files[shared->file_count++] = file;
	return true;
}

int64_t nfs_file_take(struct backend_session *session, uint64_t flags)
{
	struct nfs_shared *shared = session->shared;
	struct nfs_file *file;
	int taken;

	if (shared->first_free < 0 && !add_file(shared))
		return -ENOMEM;
	taken = shared->first_free;
	file = shared->files[taken];
	shared->first_free = file->next_free;
	file->flags = flags;
	file->directory = false;
	file->dirty = false;
	return taken;
}

void nfs_file_give_back(struct backend_session *session, int64_t handle)
{
	struct nfs_file *file = nfs_file_of(session, handle);

	file->file = NULL;
	file->next_free = session->shared->first_free;
	session->shared->first_free = (int)handle;
}

uint64_t nfs_changed_bytes(const struct backend_session *session)
{
	return session->changed_bytes;
}

int64_t nfs_file_move(struct backend_session *session, const struct nfs_file *file, nfs_part *part,
		      size_t part_max, void *bytes, size_t size, uint64_t offset)
{
	bool at_end = false;
	size_t done = 0;

	while (done < size && !at_end) {
		size_t left = size - done;
		int moved = part(session, file, (char *)bytes + done,
				 left < part_max ? left : part_max, offset + done, &at_end);

		if (moved < 0) {
			session->changed_bytes = done;
			return moved;
		}
		if (moved == 0)
			break;
		done += (size_t)moved;
	}
	return (int64_t)done;
}

static void begin_append(struct backend_session *session, struct nfs_file *file)
{
	while (file->appended)
		fibers_sleep(session->shared->nfs.fibers, file, CLOCK_NEVER);
	file->appended = true;
}

static void end_append(struct backend_session *session, struct nfs_file *file)
{
	file->appended = false;
	if (session->shared->nfs.fibers != NULL)
		fibers_wake(session->shared->nfs.fibers, file);
}

int64_t nfs_file_write(struct backend_session *session, int64_t handle,
		       const struct nfs_writer *writer, const void *data, size_t size,
		       uint64_t offset)
{
	struct nfs_file *file = nfs_file_of(session, handle);
	bool appends = (file->flags & OPEN_APPEND) != 0;
	int64_t rc = 0;

	session->changed_bytes = 0;
	if ((file->flags & OPEN_WRITE) == 0 || file->directory)
		return -EBADF;
	if (appends) {
		begin_append(session, file);
		rc = writer->size_of(session, file, &offset);
	}
	session->wrote_unstable = false;
	if (rc == 0)
		rc = nfs_file_move(session, file, writer->part, session->shared->write_max,
				   (void *)data /* not modified */, size, offset);
	if (session->wrote_unstable)
		file->dirty = true;
	if (appends)
		end_append(session, file);
	return rc;
}
