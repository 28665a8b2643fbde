/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/tree.h"

#include "base/wildcard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Maximum length of a subdirectory's path below the top; a directory with a
 * longer path is moved up. The paths of recorded loads are shorter. With this
 * maximum, a path has at most 40 components below the top, which is within the
 * limit of libsmbclient, about 50.
 */
enum { LONG_PATH_BYTES = 80 };

/* Pause before another try to remove a name that is in use. */
#define RETRY_NS (100 * NS_PER_MS)

struct tree *tree_new(const struct backend *backend, struct backend_session *session,
		      uint64_t *steps)
{
	struct tree *tree = malloc(sizeof(*tree));

	if (tree != NULL) {
		tree->backend = backend;
		tree->session = session;
		tree->steps = steps;
		tree->wanted = NULL;
		tree->ends = NULL;
		tree->moved = 0;
		tree->patience_ns = 0;
	}
	return tree;
}

int tree_reopen(struct tree *tree, const struct target *target, struct error *error)
{
	const struct backend *backend = target->backend;
	const char *reason;
	int rc;

	if (tree->session != NULL)
		backend->session_close(tree->session);
	tree->session = NULL;
	rc = backend->session_open(target, 0, &tree->session);
	if (rc == 0)
		return 0;
	tree->session = NULL;
	reason = backend->loss_reason != NULL ? backend->loss_reason(NULL) : NULL;
	error_set(error, "cannot open \"%s\": %s%s%s%s", target->url, strerror(-rc),
		  reason != NULL ? " (" : "", reason != NULL ? reason : "",
		  reason != NULL ? ")" : "");
	return rc;
}

int tree_open(struct tree **tree, const struct target *target, uint64_t *steps, struct error *error)
{
	int rc;

	*tree = tree_new(target->backend, NULL, steps);
	if (*tree == NULL)
		return error_no_memory(error);
	(*tree)->patience_ns = TREE_PATIENCE_NS;
	rc = tree_reopen(*tree, target, error);
	if (rc < 0) {
		free(*tree);
		*tree = NULL;
	}
	return rc;
}

void tree_close(struct tree *tree)
{
	if (tree == NULL)
		return;
	if (tree->session != NULL)
		tree->backend->session_close(tree->session);
	free(tree);
}

int tree_mkdir(struct tree *tree, const char *directory)
{
	const struct backend_path path = {.text = directory};
	struct backend_attributes attributes;
	int rc = tree->backend->mkdir(tree->session, &path);

	if (rc != -EEXIST)
		return rc < 0 ? rc : 1;
	rc = tree->backend->stat(tree->session, &path, &attributes);
	if (rc < 0)
		return rc;
	return attributes.directory ? 0 : -ENOTDIR;
}

enum backend_owner tree_owner(struct tree *tree, int64_t handle)
{
	int owner = tree->backend->owner_of != NULL ? tree->backend->owner_of(tree->session, handle)
						    : OWNER_UNKNOWN;

	return owner < 0 ? OWNER_UNKNOWN : (enum backend_owner)owner;
}

/*
 * Collect an entry: a byte for its kind, its name, a NUL. Stop the listing when
 * there is no more room; the next listing returns the rest.
 */
static bool collect(void *context, const char *name, enum backend_entry entry)
{
	struct tree *tree = context;
	size_t length = strlen(name);

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	if (tree->wanted != NULL && !tree->wanted(name, tree->pattern))
		return true;
	if (tree->ends != NULL && strlen(tree->path) == tree->top_length && tree->ends(name)) {
		tree->ended = true;
		return false;
	}
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

/* Append a component to tree->path. Return 0 or -ENAMETOOLONG. */
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

static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* Begin to note what is removed. */
static void forget_removals(struct tree *tree)
{
	tree->removals = tree->noted = tree->again = 0;
}

/*
 * Note that tree->path was reported as removed. Some targets do so and list the
 * name for ever. A removal that does not end finds the same names again and
 * again. So remember one name, from time to time a later one (Brent's algorithm
 * to find a cycle), and end if it is removed again. Others may make a name again
 * while we remove it, so allow that a few times. Return 0 or -ENOTEMPTY.
 */
static int note_removal(struct tree *tree)
{
	enum { AGAIN_MAX = 3 };
	uint64_t hash = hash_of(tree->path);

	if (tree->removals > 0 && hash == tree->noted && ++tree->again == AGAIN_MAX) {
		ascend(tree);
		return -ENOTEMPTY;
	}
	/* At each power of two. */
	if ((tree->removals & (tree->removals + 1)) == 0) {
		tree->noted = hash;
		tree->again = 0;
	}
	tree->removals++;
	return 0;
}

/* Remove a path by unlink or rmdir; see tree_unlink_file. */
static int remove_path(struct tree *tree, const char *text,
		       int (*remove)(struct backend_session *session,
				     const struct backend_path *path))
{
	struct backend_path path = {.text = text};
	uint64_t end_ns = clock_now_ns() + tree->patience_ns;
	int rc;

	while ((rc = remove(tree->session, &path)) == -EBUSY && tree->backend->pins_open_names &&
	       clock_now_ns() < end_ns)
		clock_sleep_until_ns(clock_now_ns() + RETRY_NS);
	++*tree->steps;
	return rc;
}

int tree_unlink_file(struct tree *tree, const char *path)
{
	return remove_path(tree, path, tree->backend->unlink);
}

int tree_remove_directory(struct tree *tree, const char *path)
{
	return remove_path(tree, path, tree->backend->rmdir);
}

/* Find the mount that contains tree->path. Return 0 or -errno. */
static int find_mount(struct tree *tree, uint64_t *mount)
{
	struct backend_path path = {.text = tree->path};

	*mount = 0;
	if (tree->backend->mount_of == NULL)
		return 0;
	return tree->backend->mount_of(tree->session, &path, mount);
}

/* Return -EXDEV if something is mounted at tree->path. */
static int check_mount(struct tree *tree)
{
	uint64_t mount;
	int rc = find_mount(tree, &mount);

	return rc == 0 && mount != tree->mount ? -EXDEV : rc;
}

/*
 * Move the directory tree->path, whose path is too long, directly below the
 * top, under the first free name.
 */
static int move_up(struct tree *tree)
{
	char moved[PATH_MAX];
	struct backend_path from = {.text = tree->path}, to = {.text = moved};
	int rc;

	do {
		snprintf(moved, sizeof(moved), "%.*s%s.throng-%u", (int)tree->top_length,
			 tree->path, tree->top_length > 0 ? "/" : "", tree->moved++);
		rc = tree->backend->rename(tree->session, &from, &to, false);
	} while (rc == -EEXIST || rc == -ENOTEMPTY);
	if (rc == 0)
		rc = note_removal(tree);
	if (rc == 0)
		ascend(tree);
	return rc;
}

/*
 * Enter the directory tree->path. Return 1; 0 if it was moved up instead, so
 * that a later listing of the top finds it; or -errno.
 */
static int enter(struct tree *tree)
{
	int rc = check_mount(tree);

	if (rc < 0)
		return rc;
	if (strlen(tree->path) <= tree->top_length + LONG_PATH_BYTES)
		return 1;
	return move_up(tree);
}

/*
 * Remove the collected entries up to the first directory. Return 1 when
 * tree->path is now that directory, 0 at the end of the entries, or -errno. Add
 * the number of removed entries to *removed.
 */
static int remove_collected(struct tree *tree, size_t *removed)
{
	const char *next = tree->names;
	int rc;

	while (next < tree->names + tree->names_used) {
		enum backend_entry entry = (enum backend_entry)next[0];
		const char *name = next + 1;

		next = name + strlen(name) + 1;
		rc = descend(tree, name);
		if (rc < 0)
			return rc;
		rc = entry == ENTRY_DIRECTORY ? -EISDIR : tree_unlink_file(tree, tree->path);
		if (rc == -EISDIR || (rc == -EPERM && entry == ENTRY_UNKNOWN)) {
			if (tree->wanted == NULL) {
				rc = enter(tree);
				if (rc != 0)
					return rc;
				++*removed;
				continue;
			}
			rc = -ENOENT; /* keep it: `wanted` selects files only */
		}
		if (rc == 0)
			rc = note_removal(tree);
		if (rc < 0 && rc != -ENOENT)
			return rc;
		*removed += rc == 0;
		ascend(tree);
	}
	return 0;
}

/* Check that tree->path is a directory, not a link to one: `list` may follow
 * links. */
static int find_directory(struct tree *tree)
{
	struct backend_path path = {.text = tree->path};
	struct backend_attributes attributes;
	int rc = tree->backend->stat(tree->session, &path, &attributes);

	if (rc < 0)
		return rc;
	return attributes.directory ? 0 : -ENOTDIR;
}

int tree_empty(struct tree *tree, const char *top)
{
	int rc;

	forget_removals(tree);
	tree->top_length = strlen(top);
	if (tree->top_length + LONG_PATH_BYTES + 2 * (NAME_MAX + 1) >= sizeof(tree->path))
		return -ENAMETOOLONG;
	/* Compare with the parent's mount: the top must not be a mount
	 * point. */
	strcpy(tree->path, top);
	ascend(tree);
	rc = find_mount(tree, &tree->mount);
	if (rc < 0)
		return rc;
	strcpy(tree->path, top);
	rc = find_directory(tree);
	if (rc == 0)
		rc = check_mount(tree);
	if (rc < 0)
		return rc;
	for (;;) {
		bool at_top = strlen(tree->path) == tree->top_length;
		size_t removed = 0;

		rc = list(tree);
		/* A directory that may not be listed can be removed all the same
		 * if it is empty. */
		if (rc == -EACCES && !at_top && tree_remove_directory(tree, tree->path) == 0) {
			ascend(tree);
			continue;
		}
		if (rc < 0)
			return rc;
		if (tree->ends != NULL && tree->ended)
			return 1;
		rc = remove_collected(tree, &removed);
		if (rc < 0)
			return rc;
		if (rc > 0 || removed > 0)
			continue;
		/*
		 * Nothing was removed, so the names listed here do not exist.
		 * Fail rather than list them again for ever. At the top, accept
		 * such names if the list is complete, as the top itself is not
		 * removed here.
		 */
		if (tree->full || (tree->names_used > 0 && !at_top))
			return -EIO;
		if (at_top)
			return 0;
		rc = tree_remove_directory(tree, tree->path);
		if (rc == 0)
			rc = note_removal(tree);
		if (rc < 0)
			return rc;
		ascend(tree);
	}
}

int tree_empty_unless(struct tree *tree, const char *top, bool (*ends)(const char *name))
{
	int rc;

	tree->ends = ends;
	tree->ended = false;
	rc = tree_empty(tree, top);
	tree->ends = NULL;
	return rc;
}

int tree_remove(struct tree *tree, const char *top)
{
	int rc = tree_empty(tree, top);

	if (rc == -ENOTDIR || rc == -ELOOP)
		return tree_unlink_file(tree, tree->path);
	return rc < 0 ? rc : tree_remove_directory(tree, tree->path);
}

const char *tree_strerror(int rc)
{
	return rc == -EXDEV ? "a file system is mounted there; unmount this file system first"
			    : strerror(-rc);
}

int tree_unlink_wanted(struct tree *tree, const char *directory,
		       bool (*wanted)(const char *name, const char *pattern), const char *pattern)
{
	size_t all = 0, removed;
	int rc;

	if (strlen(directory) >= sizeof(tree->path))
		return -ENAMETOOLONG;
	forget_removals(tree);
	strcpy(tree->path, directory);
	tree->wanted = wanted;
	tree->pattern = pattern;
	do {
		removed = 0;
		rc = list(tree);
		if (rc == 0)
			rc = remove_collected(tree, &removed);
		all += removed;
	} while (rc == 0 && removed > 0 && tree->full);
	tree->wanted = NULL;
	return rc < 0 ? rc : all > 0 ? 0 : -ENOENT;
}

static bool matches(const char *name, const char *pattern)
{
	return wildcard_match(pattern, name);
}

int tree_unlink_matching(struct tree *tree, const char *directory, const char *pattern)
{
	return tree_unlink_wanted(tree, directory, matches, pattern);
}
