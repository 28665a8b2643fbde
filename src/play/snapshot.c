/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/snapshot.h"

#include "base/array.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A directory that is being listed. */
struct listing {
	struct snapshot *snapshot;
	const char *directory;
	int rc;
};

static int add_entry(struct snapshot *snapshot, const char *directory, const char *name)
{
	char path[PATH_MAX], *copy;
	int length = snprintf(path, sizeof(path), "%s%s%s", directory,
			      directory[0] != '\0' ? "/" : "", name);

	if (length >= (int)sizeof(path))
		return -ENAMETOOLONG;
	copy = strdup(path);
	if (copy == NULL || array_grow(&snapshot->entries, &snapshot->room, snapshot->count + 1,
				       sizeof(*snapshot->entries)) < 0) {
		free(copy);
		return -ENOMEM;
	}
	snapshot->entries[snapshot->count++] = (struct snapshot_entry){.path = copy};
	return 0;
}

static bool collect(void *context, const char *name, enum backend_entry entry)
{
	struct listing *listing = context;

	if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
		listing->rc = add_entry(listing->snapshot, listing->directory, name);
	return listing->rc == 0;
}

static int by_path(const void *a, const void *b)
{
	const struct snapshot_entry *one = a, *other = b;

	return strcmp(one->path, other->path);
}

/* Find the type and size of an entry and, if it is a directory, add its
 * entries. */
static int look_at(struct snapshot *snapshot, size_t index, const struct backend *backend,
		   struct backend_session *session, bool links)
{
	struct snapshot_entry *entry = &snapshot->entries[index];
	const struct backend_path path = {.text = entry->path};
	struct listing listing = {snapshot, entry->path, 0};
	struct backend_attributes attributes;
	int rc = backend->stat(session, &path, &attributes);

	if (rc < 0)
		return rc;
	if (attributes.directory) {
		entry->type = SNAPSHOT_DIRECTORY;
		rc = backend->list(session, &path, collect, &listing);
		return rc < 0 ? rc : listing.rc;
	}
	entry->size_bytes = attributes.size_bytes;
	if (links && backend->readlink != NULL && backend->readlink(session, &path) >= 0)
		entry->type = SNAPSHOT_LINK;
	return 0;
}

int snapshot_take(struct snapshot *snapshot, const struct backend *backend,
		  struct backend_session *session, const char *top, bool links, uint64_t *steps)
{
	size_t i;
	int rc;

	*snapshot = (struct snapshot){0};
	rc = add_entry(snapshot, "", top);
	for (i = 0; rc == 0 && i < snapshot->count; i++) {
		rc = look_at(snapshot, i, backend, session, links);
		++*steps;
	}
	if (rc == 0)
		qsort(snapshot->entries, snapshot->count, sizeof(*snapshot->entries), by_path);
	return rc;
}

/* Return the index of the first entry whose path is not before `path`. */
static size_t search(const struct snapshot *snapshot, const char *path)
{
	size_t low = 0, high = snapshot->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(snapshot->entries[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, const char *path)
{
	size_t index = search(snapshot, path);

	if (index == snapshot->count || strcmp(snapshot->entries[index].path, path) != 0)
		return NULL;
	return &snapshot->entries[index];
}

struct snapshot_entry *snapshot_above(const struct snapshot *snapshot, const char *path)
{
	struct snapshot_entry *entry = NULL;
	char above[PATH_MAX], *slash;

	snprintf(above, sizeof(above), "%s", path);
	while (entry == NULL && (slash = strrchr(above, '/')) != NULL) {
		*slash = '\0';
		entry = snapshot_find(snapshot, above);
	}
	return entry != NULL ? entry : snapshot->entries;
}

struct snapshot_entry *snapshot_next(const struct snapshot *snapshot, const char *directory,
				     struct snapshot_entry *after)
{
	size_t length = strlen(directory);
	char below[PATH_MAX];

	if (length + 2 > sizeof(below))
		return NULL;
	if (after != NULL) {
		after++;
	} else {
		snprintf(below, sizeof(below), "%s/", directory);
		after = snapshot->entries + search(snapshot, below);
	}
	if (after == snapshot->entries + snapshot->count ||
	    strncmp(after->path, directory, length) != 0 || after->path[length] != '/')
		return NULL;
	return after;
}

void snapshot_free(struct snapshot *snapshot)
{
	size_t i;

	for (i = 0; i < snapshot->count; i++)
		free(snapshot->entries[i].path);
	free(snapshot->entries);
	*snapshot = (struct snapshot){0};
}
