/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tree.h"

#include "base/wildcard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tree *tree_new(const struct backend *backend,
		      struct backend_session *session, uint64_t *steps)
{
	struct tree *tree = malloc(sizeof(*tree));

	if (tree != NULL) {
		tree->backend = backend;
		tree->session = session;
		tree->steps = steps;
		tree->pattern = NULL;
	}
	return tree;
}

/*
 * Collects an entry: a byte for its kind, its name, a NUL. Ends the listing
 * when there is no room; the rest comes with the next one.
 */
static bool collect(void *context, const char *name, enum backend_entry entry)
{
	struct tree *tree = context;
	size_t length = strlen(name);

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	if (tree->pattern != NULL && !wildcard_match(tree->pattern, name))
		return true;
	if (tree->names_used + length + 2 > sizeof(tree->names)) {
		tree->full = true;
		return false;
	}
	tree->names[tree->names_used] = (char)entry;
	memcpy(tree->names + tree->names_used + 1, name, length + 1);
	tree->names_used += length + 2;
	return true;
}

static int list(struct tree *tree)
{
	struct backend_path path = {.text = tree->path};

	tree->names_used = 0;
	tree->full = false;
	return tree->backend->list(tree->session, &path, collect, tree);
}

/* Appends a component to tree->path. Returns 0 or -ENAMETOOLONG. */
static int descend(struct tree *tree, const char *name)
{
	size_t length = strlen(tree->path);

	if (length + strlen(name) + 2 > sizeof(tree->path))
		return -ENAMETOOLONG;
	if (length > 0)
		tree->path[length++] = '/';
	strcpy(tree->path + length, name);
	return 0;
}

static void ascend(struct tree *tree)
{
	char *slash = strrchr(tree->path, '/');

	*(slash != NULL ? slash : tree->path) = '\0';
}

static int unlink_here(struct tree *tree)
{
	struct backend_path path = {.text = tree->path};

	++*tree->steps;
	return tree->backend->unlink(tree->session, &path);
}

static int rmdir_here(struct tree *tree)
{
	struct backend_path path = {.text = tree->path};

	++*tree->steps;
	return tree->backend->rmdir(tree->session, &path);
}

/*
 * Removes the collected entries up to the first directory. Returns 1 when
 * tree->path now is that directory, 0 when all have been dealt with, or
 * -errno. *removed counts.
 */
static int remove_collected(struct tree *tree, const char *spare,
			    size_t *removed)
{
	const char *next = tree->names;
	int rc;

	while (next < tree->names + tree->names_used) {
		enum backend_entry entry = (enum backend_entry)next[0];
		const char *name = next + 1;

		next = name + strlen(name) + 1;
		if (spare != NULL && strcmp(name, spare) == 0)
			continue;
		rc = descend(tree, name);
		if (rc < 0)
			return rc;
		rc = entry == ENTRY_DIRECTORY ? -EISDIR : unlink_here(tree);
		if (rc == -EISDIR || (rc == -EPERM && entry == ENTRY_UNKNOWN)) {
			if (tree->pattern == NULL)
				return 1;
			rc = -ENOENT; /* only files are meant */
		}
		if (rc < 0 && rc != -ENOENT)
			return rc;
		*removed += rc == 0;
		ascend(tree);
	}
	return 0;
}

/* A listing may follow a link; what is emptied must not be behind one. */
static int find_directory(struct tree *tree)
{
	struct backend_path path = {.text = tree->path};
	struct backend_attributes attributes;
	int rc = tree->backend->stat(tree->session, &path, &attributes);

	if (rc < 0)
		return rc;
	return attributes.directory ? 0 : -ENOTDIR;
}

int tree_empty(struct tree *tree, const char *top, const char *spare)
{
	size_t top_length = strlen(top);
	int rc;

	if (top_length >= sizeof(tree->path))
		return -ENAMETOOLONG;
	strcpy(tree->path, top);
	rc = find_directory(tree);
	if (rc < 0)
		return rc;
	for (;;) {
		bool at_top = strlen(tree->path) == top_length;
		size_t removed = 0;

		rc = list(tree);
		if (rc < 0)
			return rc;
		rc = remove_collected(tree, at_top ? spare : NULL, &removed);
		if (rc < 0)
			return rc;
		if (rc > 0 || removed > 0)
			continue;
		/* What is listed and cannot be found would go on for ever. */
		if (tree->full || (tree->names_used > 0 && !at_top))
			return -EIO;
		if (at_top)
			return 0;
		rc = rmdir_here(tree);
		if (rc < 0)
			return rc;
		ascend(tree);
	}
}

int tree_remove(struct tree *tree, const char *top)
{
	int rc = tree_empty(tree, top, NULL);

	if (rc == -ENOTDIR || rc == -ELOOP)
		return unlink_here(tree);
	return rc < 0 ? rc : rmdir_here(tree);
}

int tree_unlink_matching(struct tree *tree, const char *directory,
			 const char *pattern)
{
	size_t all = 0, removed;
	int rc;

	if (strlen(directory) >= sizeof(tree->path))
		return -ENAMETOOLONG;
	strcpy(tree->path, directory);
	tree->pattern = pattern;
	do {
		removed = 0;
		rc = list(tree);
		if (rc == 0)
			rc = remove_collected(tree, NULL, &removed);
		all += removed;
	} while (rc == 0 && removed > 0 && tree->full);
	tree->pattern = NULL;
	return rc < 0 ? rc : all > 0 ? 0 : -ENOENT;
}
