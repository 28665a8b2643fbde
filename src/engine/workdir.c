/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/workdir.h"

#include "engine/marker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER_PATH CLIENTS_NAME "/" MARKER_NAME

static const struct backend_path clients = {.text = CLIENTS_NAME};

static int fail(struct error *error, const char *doing, const char *path,
		int rc)
{
	error_set(error, "%s \"%s\": %s", doing, path, strerror(-rc));
	return rc;
}

/* Is it one plain component? */
static bool is_name(const char *name)
{
	return name[0] != '\0' && strchr(name, '/') == NULL &&
	       strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Removes the shared names of a marker. */
static int remove_shared(struct tree *tree, const struct marker *marker,
			 struct error *error)
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

/* The names in `clients` that are the run's to remove. */
struct doomed {
	const struct marker *marker; /* NULL: it is not believed */
	char *text; /* one after the other, each ended by a NUL */
	size_t bytes, room;
	bool foreign; /* there is something else, too */
	bool full;    /* no memory */
};

static bool is_user_name(const char *name)
{
	size_t digits = strspn(name + strlen(USER_STEM), "0123456789");

	return digits > 0 && name[strlen(USER_STEM) + digits] == '\0';
}

static bool is_doomed(const struct doomed *doomed, const char *name)
{
	const char *named = NULL;

	if (strncmp(name, USER_STEM, strlen(USER_STEM)) == 0 &&
	    is_user_name(name))
		return true;
	while (doomed->marker != NULL &&
	       (named = marker_next(doomed->marker, MARKER_NAMED, named)) !=
		       NULL)
		if (strcmp(named, name) == 0)
			return true;
	return false;
}

static bool sort_out(void *context, const char *name,
		     enum backend_entry entry)
{
	struct doomed *doomed = context;
	size_t bytes = strlen(name) + 1;
	char *larger;

	(void)entry;
	if (!is_name(name) || strcmp(name, MARKER_NAME) == 0)
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

/* Removes what the run made in `clients`, and nothing else that is there. */
static int remove_named(struct tree *tree, struct doomed *doomed,
			struct error *error)
{
	char path[PATH_MAX];
	size_t at;
	int rc = tree->backend->list(tree->session, &clients, sort_out,
				     doomed);

	if (rc < 0 || doomed->full)
		return fail(error, "list", CLIENTS_NAME,
			    doomed->full ? -ENOMEM : rc);
	for (at = 0; at < doomed->bytes;
	     at += strlen(doomed->text + at) + 1) {
		snprintf(path, sizeof(path), "%s/%s", CLIENTS_NAME,
			 doomed->text + at);
		rc = tree_remove(tree, path);
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "remove", tree->path, rc);
	}
	return 0;
}

/*
 * Removes what a marker's run made. Of one that is not `believed`, as nobody
 * knows who wrote it, only what every run makes. *foreign: there is something
 * else in `clients`, which therefore stays.
 */
static int remove_marked(struct tree *tree, const struct marker *marker,
			 bool believed, bool *foreign, struct error *error)
{
	struct doomed doomed = {.marker = believed ? marker : NULL};
	int rc = remove_named(tree, &doomed, error);

	free(doomed.text);
	*foreign = doomed.foreign;
	if (rc == 0 && believed)
		rc = remove_shared(tree, marker, error);
	if (rc < 0)
		return rc;
	/* Last, so that a removal cut short can be gone on with. */
	rc = tree->backend->unlink(tree->session, &marker_path);
	if (rc < 0)
		return fail(error, "unlink", MARKER_PATH, rc);
	if (!marker->made || doomed.foreign)
		return 0;
	rc = tree->backend->rmdir(tree->session, &clients);
	return rc < 0 ? fail(error, "rmdir", CLIENTS_NAME, rc) : 0;
}

int workdir_remove(struct tree *tree, pid_t owner, struct error *error)
{
	struct marker marker;
	bool foreign = false;
	int rc = marker_read(tree, &marker);

	if (rc == 0 && !marker_is_of(&marker, owner))
		rc = fail(error, "remove", MARKER_PATH, -EBUSY);
	else if (rc == 0)
		rc = remove_marked(tree, &marker, true, &foreign, error);
	else
		fail(error, "read", MARKER_PATH, rc);
	if (rc == 0 && foreign && marker.made) {
		error_set(error, "\"%s\" is left: it holds something that "
			  "throng did not make", CLIENTS_NAME);
		rc = -EEXIST;
	}
	free(marker.text);
	return rc;
}

static bool count_entry(void *context, const char *name,
			enum backend_entry entry)
{
	(void)entry;
	*(bool *)context = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
	return !*(bool *)context;
}

/*
 * A marker is believed only when it is the work of who runs this. Where nobody
 * can tell, it does no more harm than any run's.
 */
static int judge_marker(struct tree *tree, bool *believed, struct error *error)
{
	struct backend_attributes attributes;
	int rc = tree->backend->stat(tree->session, &marker_path,
				     &attributes);

	*believed = rc == 0 && attributes.owner == OWNER_SELF;
	if (rc < 0 || attributes.owner != OWNER_OTHER)
		return 0;
	error_set(error, "\"%s\" belongs to another user; choose another "
		  "target, or remove the directory", MARKER_PATH);
	return -EPERM;
}

/*
 * Deals with a `clients` that is there. Returns 0: it is now free to use, or
 * 1: this run has claimed it already.
 */
static int take_over(struct tree *tree, pid_t owner, bool *made,
		     struct error *error)
{
	struct marker marker;
	bool any = false, believed;
	int rc = judge_marker(tree, &believed, error);

	if (rc < 0)
		return rc;
	rc = marker_read(tree, &marker);
	if (rc == 0 && marker_is_of(&marker, owner)) {
		rc = 1;
	} else if (rc == 0 && marker_is_alive(&marker)) {
		error_set(error, "\"%s\" belongs to a run that may be alive "
			  "(process %d on %s); if it is not, remove the "
			  "directory", CLIENTS_NAME, (int)marker.owner,
			  marker.host != NULL ? marker.host : "?");
		rc = -EBUSY;
	} else if (rc == 0) {
		*made = marker.made;
		rc = remove_marked(tree, &marker, believed, &any, error);
	} else if (rc == -ENOENT) {
		*made = false;
		rc = tree->backend->list(tree->session, &clients, count_entry,
					 &any);
		if (rc < 0)
			fail(error, "list", CLIENTS_NAME, rc);
	} else {
		fail(error, "read", MARKER_PATH, rc);
	}
	if (rc == 0 && any) {
		error_set(error, "\"%s\" holds something that throng did not "
			  "make; choose another target, or remove it",
			  CLIENTS_NAME);
		rc = -EEXIST;
	}
	free(marker.text);
	return rc;
}

/* Which of the shared names are absent? Refuses a load that would harm. */
static int look_at_shared(struct tree *tree, const struct program *program,
			  bool use_existing, bool *absent,
			  struct error *error)
{
	size_t i;

	for (i = 0; i < program->shared_count; i++) {
		const struct shared_name *shared = &program->shared[i];
		struct backend_path path = {.text = shared->name};
		struct backend_attributes attributes;
		int rc = tree->backend->stat(tree->session, &path,
					     &attributes);

		absent[i] = rc == -ENOENT;
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "stat", shared->name, rc);
		if (rc == 0 && shared->changed && !use_existing) {
			error_set(error, "the load would change \"%s\", which "
				  "exists already; say --use-existing if it "
				  "may", shared->name);
			return -EEXIST;
		}
	}
	return 0;
}

static int claim(struct tree *tree, const struct program *program, pid_t owner,
		 bool use_existing, bool *absent, bool *claimed,
		 struct error *error)
{
	struct backend_attributes attributes;
	bool made = true;
	int rc = tree->backend->stat(tree->session, &clients, &attributes);

	if (rc == 0 && !attributes.directory) {
		error_set(error, "\"%s\" is not a directory", CLIENTS_NAME);
		return -ENOTDIR;
	}
	if (rc == 0)
		rc = take_over(tree, owner, &made, error);
	else if (rc == -ENOENT)
		rc = 0;
	else
		fail(error, "stat", CLIENTS_NAME, rc);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	/* Looked at only now: a dead run's have just been removed. */
	rc = look_at_shared(tree, program, use_existing, absent, error);
	if (rc < 0)
		return rc;
	if (made) {
		rc = tree->backend->mkdir(tree->session, &clients);
		if (rc < 0)
			return fail(error, "mkdir", CLIENTS_NAME, rc);
	}
	rc = marker_write(tree, owner, made, program, absent);
	if (rc == 0) {
		*claimed = true;
		return 0;
	}
	/* Goes only when it is empty: another run may have been quicker. */
	if (made)
		tree->backend->rmdir(tree->session, &clients);
	return fail(error, "write", MARKER_PATH, rc);
}

int workdir_claim(struct tree *tree, const struct program *program,
		  pid_t owner, bool use_existing, bool *claimed,
		  struct error *error)
{
	bool *absent = calloc(program->shared_count + 1, sizeof(*absent));
	int rc;

	if (absent == NULL)
		return fail(error, "claim", CLIENTS_NAME, -ENOMEM);
	*claimed = false;
	rc = claim(tree, program, owner, use_existing, absent, claimed, error);
	free(absent);
	return rc;
}

static void home_path(const char *user_name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", CLIENTS_NAME, user_name);
}

int workdir_make_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	struct backend_path path = {.text = text};
	int rc;

	home_path(user_name, text);
	rc = tree_empty(tree, text);
	return rc == -ENOENT ? tree->backend->mkdir(tree->session, &path) : rc;
}

int workdir_remove_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	int rc;

	home_path(user_name, text);
	rc = tree_remove(tree, text);
	return rc == -ENOENT ? 0 : rc;
}
