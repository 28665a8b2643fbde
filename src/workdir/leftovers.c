/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/leftovers.h"

#include "play/bind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max number of attempts to remove a directory. An attempt fails if another run
 * puts a marker into the directory meanwhile or, over SMB, has it open. */
enum { REMOVE_TRIES = 20 };

static const struct backend_path clients = {.text = CLIENTS_NAME};

static int fail(struct error *error, const char *doing, const char *path, int rc)
{
	error_set(error, "cannot %s \"%s\": %s", doing, path, tree_strerror(rc));
	return rc;
}

/* Check if `name` is a single path component. */
static bool is_name(const char *name)
{
	return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

/* Check if our own account wrote the marker: then trust its lists. */
static bool is_trusted(const struct marker *marker)
{
	return marker->owner == OWNER_SELF;
}

/* Remove the shared names of a marker. */
static int remove_shared(struct tree *tree, const struct marker *marker, struct error *error)
{
	const char *name = NULL;
	int rc;

	while ((name = marker_next(marker, MARKER_SHARED, name)) != NULL) {
		rc = is_name(name) ? tree_remove(tree, name) : 0;
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "remove", tree->path, rc);
	}
	return 0;
}

/* The names in `clients` that belong to a run and must be removed. */
struct doomed {
	const struct marker *marker;
	char *text; /* the names, each ended by a NUL */
	size_t bytes, room;
	bool foreign; /* `clients` has other names, too */
	bool full;    /* out of memory */
};

/* Check if `name` is the directory of one of the run's users. */
static bool is_user_name(const struct marker *marker, const char *name)
{
	char wanted[USER_NAME_MAX];
	unsigned long user;

	if (strncmp(name, USER_STEM, strlen(USER_STEM)) != 0)
		return false;
	user = strtoul(name + strlen(USER_STEM), NULL, 10);
	if (user < marker->first_user || user - marker->first_user >= marker->users)
		return false;
	names_of_user((unsigned)user, wanted);
	return strcmp(name, wanted) == 0;
}

static bool is_doomed(const struct doomed *doomed, const char *name)
{
	const char *named = NULL;

	if (is_user_name(doomed->marker, name))
		return true;
	while (is_trusted(doomed->marker) &&
	       (named = marker_next(doomed->marker, MARKER_NAMED, named)) != NULL)
		if (strcmp(named, name) == 0)
			return true;
	return false;
}

static bool collect_doomed(void *context, const char *name, enum backend_entry entry)
{
	struct doomed *doomed = context;
	size_t bytes = strlen(name) + 1;
	char *larger;

	if (!is_name(name) || (marker_is_own(name) && entry != ENTRY_DIRECTORY))
		return true;
	if (!is_doomed(doomed, name)) {
		doomed->foreign = true;
		return true;
	}
	if (doomed->bytes + bytes > doomed->room) {
		doomed->room = 2 * (doomed->room + bytes);
		larger = realloc(doomed->text, doomed->room);
		if (larger == NULL) {
			doomed->full = true;
			return false;
		}
		doomed->text = larger;
	}
	memcpy(doomed->text + doomed->bytes, name, bytes);
	doomed->bytes += bytes;
	return true;
}

/* Find the run's names in `clients`. */
static int find_named(struct tree *tree, struct doomed *doomed, struct error *error)
{
	int rc = tree->backend->list(tree->session, &clients, collect_doomed, doomed);

	if (rc == 0 && doomed->full)
		rc = -ENOMEM;
	return rc < 0 ? fail(error, "list", CLIENTS_NAME, rc) : 0;
}

static int remove_named(struct tree *tree, const struct doomed *doomed, struct error *error)
{
	char path[PATH_MAX];
	size_t at;
	int rc;

	for (at = 0; at < doomed->bytes; at += strlen(doomed->text + at) + 1) {
		layout_client_path(doomed->text + at, path);
		rc = tree_remove(tree, path);
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "remove", tree->path, rc);
	}
	return 0;
}

int leftovers_remove(struct tree *tree, const struct marker *marker, bool despite_foreign,
		     bool *foreign, struct error *error)
{
	struct doomed doomed = {.marker = marker};
	int rc = find_named(tree, &doomed, error);
	bool may = despite_foreign || !doomed.foreign;

	if (rc == 0 && may)
		rc = remove_named(tree, &doomed, error);
	if (rc == 0 && may && is_trusted(marker))
		rc = remove_shared(tree, marker, error);
	free(doomed.text);
	*foreign = doomed.foreign;
	return rc;
}

static bool is_of_take_over(const char *name, const char *unused)
{
	return marker_is_own(name) && strcmp(name, MARKER_NAME) != 0;
}

int leftovers_remove_take_overs(struct tree *tree, const char *directory)
{
	int rc = tree_unlink_wanted(tree, directory, is_of_take_over, NULL);

	return rc == -ENOENT ? 0 : rc;
}

/*
 * Remove the markers of unfinished take-overs (marker.h) from the directory,
 * and then its main marker. In this order an interrupted removal can be
 * finished: as long as the main marker exists, it shows which run the directory
 * belongs to.
 */
static int remove_markers(struct tree *tree, const char *directory)
{
	char text[MARKER_PATH_SIZE];
	struct backend_path path = {.text = text};
	int rc = leftovers_remove_take_overs(tree, directory);

	if (rc < 0)
		return rc;
	snprintf(text, sizeof(text), "%s/%s", directory, MARKER_NAME);
	rc = tree->backend->unlink(tree->session, &path);
	return rc == -ENOENT ? 0 : rc;
}

/*
 * Remove a directory that contains only markers. remove_own_files removes these
 * markers first. Retry, because a run that is about to take over from a dead
 * run may still create a marker in the directory and then remove it. Another run
 * that looks for a marker has the directory open, and an SMB server refuses to
 * remove it then.
 */
static int remove_with(struct tree *tree, const struct backend_path *directory,
		       int (*remove_own_files)(struct tree *tree, const char *directory))
{
	unsigned left = REMOVE_TRIES;
	int rc;

	do {
		rc = remove_own_files(tree, directory->text);
		if (rc == 0)
			rc = tree->backend->rmdir(tree->session, directory);
	} while ((rc == -ENOTEMPTY || rc == -EEXIST || rc == -EBUSY) && --left > 0);
	return rc;
}

/*
 * Remove `clients` without moving it. As soon as our marker is gone, another
 * run may adopt the directory and put its own marker there. So remove the main
 * marker only once, and no more than the markers of take-overs when trying
 * again.
 */
static int remove_in_place(struct tree *tree, const struct identity *run)
{
	int rc = marker_check(tree, MARKER_PATH, run);

	if (rc == 0)
		rc = remove_markers(tree, CLIENTS_NAME);
	return rc < 0 ? rc : remove_with(tree, &clients, leftovers_remove_take_overs);
}

int leftovers_remove_aside(struct tree *tree, const struct identity *run)
{
	char text[MARKER_PATH_SIZE];
	const struct backend_path aside = {.text = text};

	leftovers_aside(run, text);
	return remove_with(tree, &aside, remove_markers);
}

void leftovers_aside(const struct identity *run, char path[MARKER_PATH_SIZE])
{
	snprintf(path, MARKER_PATH_SIZE, MARKER_PREFIX "%s", run->id);
}

/*
 * Remove `clients`, which contains only markers. Move it aside first: another
 * run would adopt an empty directory that has lost its marker, and would not
 * remove it in the end.
 */
static int remove_clients(struct tree *tree, const struct identity *run, struct error *error)
{
	char text[MARKER_PATH_SIZE];
	const struct backend_path aside = {.text = text};
	int rc;

	leftovers_aside(run, text);
	/* A server may refuse to rename a directory while a file in it is open.
	 * Then remove the directory where it is. */
	if (tree->backend->rename(tree->session, &clients, &aside, false) < 0) {
		rc = remove_in_place(tree, run);
	} else {
		rc = remove_with(tree, &aside, remove_markers);
		/* Move the directory back if it could not be removed, for
		 * example because something was created in it meanwhile. */
		if (rc < 0)
			tree->backend->rename(tree->session, &aside, &clients, false);
	}
	return rc < 0 ? fail(error, "rmdir", CLIENTS_NAME, rc) : 0;
}

int leftovers_release(struct tree *tree, const struct identity *run, bool made, struct error *error)
{
	int rc;

	if (made)
		return remove_clients(tree, run, error);
	rc = remove_markers(tree, CLIENTS_NAME);
	return rc < 0 ? fail(error, "unlink", MARKER_PATH, rc) : 0;
}
