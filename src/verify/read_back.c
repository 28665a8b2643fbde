/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/read_back.h"

#include "verify/catalog.h"
#include "verify/track.h"
#include "words/operation.h"

#include <stdio.h>
#include <stdlib.h>

enum { READ_BACK_BYTES = 1 << 20 }; /* max size of a read */

/* Return the end of the written bytes from `at` on, at most READ_BACK_BYTES; or
 * `at`, and the end of the bytes that were not written in *skipped. */
static uint64_t end_of_written(const struct map *map, const struct map_file *file, uint64_t at,
			       uint64_t *skipped)
{
	uint64_t limit = at + READ_BACK_BYTES, end = at;
	struct map_run run;

	if (limit > file->size)
		limit = file->size;
	*skipped = limit;
	while (end < limit) {
		run = map_run(map, file, end, limit);
		*skipped = run.to;
		if (run.state.now.kind != MAP_DATA)
			break;
		end = run.to;
	}
	return end;
}

/* Read back the parts of an open file that were written. */
static int read_file(const struct backend *backend, struct backend_session *session, int64_t handle,
		     const struct map *map, const struct map_file *file, char *buffer,
		     uint64_t *steps)
{
	uint64_t at, end, next;
	int64_t got;

	for (at = 0; at < file->size; at = next) {
		end = end_of_written(map, file, at, &next);
		if (end == at)
			continue;
		got = backend->read(session, handle, buffer, end - at, at);
		if (got < 0)
			return (int)got;
		++*steps;
		next = end;
	}
	/* Nothing may follow the end of the file. */
	got = backend->read(session, handle, buffer, 1, file->size);
	return got < 0 ? (int)got : 0;
}

/* Open a file by this name, and read it back. */
static int read_name(const struct backend *backend, struct backend_session *session,
		     const struct map *map, const struct catalog_name *name, char *buffer,
		     uint64_t *steps)
{
	const struct backend_path path = {.text = name->text};
	int64_t handle = backend->open(session, &path, OPEN_READ | OPEN_FILE);
	int rc;

	if (handle < 0)
		return (int)handle;
	rc = read_file(backend, session, handle, map, map_file(map, name->file), buffer, steps);
	backend->close(session, handle);
	return rc;
}

/* Return the number of bytes in a file that were written. */
static uint64_t written_bytes(const struct map *map, const struct map_file *file)
{
	uint64_t bytes = 0, at, next;

	for (at = 0; at < file->size; at = next) {
		uint64_t end = end_of_written(map, file, at, &next);

		bytes += end - at;
		if (end > at)
			next = end;
	}
	return bytes;
}

/* Count the files that no name made readable. Return 0, or -EACCES with the
 * path of one in `path` if the load has not taken away the right to read it. */
static int count_unreadable(struct map *map, char path[DIFFERENCE_PATH])
{
	arena_ref name = 0;
	int rc = 0;

	while ((name = catalog_next(map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(map, name);
		struct map_file *file = map_file(map, entry->file);

		if (file->unknown || file->read_back)
			continue;
		file->read_back = true;
		map->unreadable_files++;
		map->unreadable_bytes += written_bytes(map, file);
		if (file->barred || rc < 0)
			continue;
		rc = -EACCES;
		snprintf(path, DIFFERENCE_PATH, "%s", entry->text);
	}
	return rc;
}

int read_back_files(const struct backend *backend, struct backend_session *session, struct map *map,
		    uint64_t *steps, char path[DIFFERENCE_PATH])
{
	char *buffer = malloc(READ_BACK_BYTES);
	arena_ref name = 0;
	int rc = buffer == NULL ? -ENOMEM : 0;

	path[0] = '\0';
	while (rc == 0 && (name = catalog_next(map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(map, name);
		struct map_file *file = map_file(map, entry->file);

		if (file->unknown || file->read_back)
			continue;
		rc = read_name(backend, session, map, entry, buffer, steps);
		file->read_back = !track_is_denied(rc);
		if (!file->read_back)
			rc = 0;
		else if (rc < 0)
			snprintf(path, DIFFERENCE_PATH, "%s", entry->text);
	}
	free(buffer);
	return rc < 0 ? rc : count_unreadable(map, path);
}
