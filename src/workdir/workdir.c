/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/workdir.h"

#include "base/clock.h"
#include "workdir/leftovers.h"
#include "workdir/marker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Max number of attempts to claim a target: another attempt is made when
 * another run has changed the directory meanwhile. */
enum { CLAIM_TRIES = 200 };
#define CLAIM_PAUSE_NS (10 * NS_PER_MS)

/* Maximum number of runs in a row that died while taking over (workdir.h). */
enum { TAKE_OVERS_MAX = 100 };

static const struct backend_path clients = {.text = CLIENTS_NAME};
static const struct backend_path marker_path = {.text = MARKER_PATH};

static int fail(struct error *error, const char *doing, const char *path, int rc)
{
	error_set(error, "cannot %s \"%s\": %s", doing, path, strerror(-rc));
	return rc;
}

/* Check if another run has removed the file or its directory. */
static bool is_gone(int rc)
{
	return rc == -ENOENT || rc == -ESTALE;
}

/* A claim in progress. */
struct claiming {
	struct tree *tree;
	const struct workdir_request *request;
	struct workdir_claim *claim;
	struct error *error;
	/* Path of an incomplete marker that our account wrote, if the last try
	 * found one; "" if not. */
	char *incomplete; /* a buffer of MARKER_PATH_SIZE bytes */
};

/*
 * Read a marker like marker_read, but refuse another account's marker, remember
 * an incomplete one of our own account, and return -ENOENT for any marker that
 * is gone.
 */
static int read_marker(const struct claiming *c, const char *path, struct marker *marker)
{
	int rc = marker_read(c->tree, path, marker);

	if (marker->owner == OWNER_OTHER) {
		error_set(c->error,
			  "\"%s\" belongs to another account; choose another target or, if no run "
			  "is using it, remove the directory \"%s\"",
			  path, CLIENTS_NAME);
		return -EPERM;
	}
	if (rc == -EAGAIN && marker->owner == OWNER_SELF)
		snprintf(c->incomplete, MARKER_PATH_SIZE, "%s", path);
	return is_gone(rc) ? -ENOENT : rc;
}

static int write_marker(const struct claiming *c, const char *path, bool made)
{
	const struct marker_content content = {
		.run = c->request->run,
		.first_user = c->request->first_user,
		.users = c->request->users,
		.made = made,
		.names = c->request->names,
		.absent = c->request->absent,
	};

	c->claim->made = made;
	return marker_write(c->tree, path, &content, &c->claim->lock_fd);
}

static void drop_lock(const struct claiming *c)
{
	if (c->claim->lock_fd >= 0)
		close(c->claim->lock_fd);
	c->claim->lock_fd = -1;
}

static int refuse_foreign(const struct claiming *c)
{
	error_set(c->error,
		  "\"%s\" contains files that throng did not make; choose another target, or "
		  "remove them",
		  CLIENTS_NAME);
	return -EEXIST;
}

static int refuse_running(const struct claiming *c, const struct marker *marker,
			  enum identity_state state)
{
	if (state == IDENTITY_ALIVE)
		error_set(c->error,
			  "\"%s\" belongs to a run that is alive (process %d on %s); choose "
			  "another target, or wait until it ends",
			  CLIENTS_NAME, (int)marker->run.process, marker->run.host);
	else
		error_set(c->error,
			  "\"%s\" belongs to a run that may be alive (process %d on %s, which "
			  "cannot be seen from here); if it has ended, use --take-over",
			  CLIENTS_NAME, (int)marker->run.process, marker->run.host);
	return -EBUSY;
}

/*
 * Remove the incomplete marker of a take-over. Keep it if it is locked; without
 * a lock, its writer has probably been killed. Return true if a marker was
 * removed.
 */
static bool discard_incomplete(const struct claiming *c)
{
	const struct backend *backend = c->tree->backend;
	const struct backend_path path = {.text = c->incomplete};
	bool discarded;
	int lock_fd;

	if (path.text[0] == '\0' || strcmp(path.text, MARKER_PATH) == 0 || backend->hold == NULL)
		return false;
	/* From now on we hold the lock. If the writer is alive after all, it
	 * fails to lock the marker and gives up. */
	lock_fd = backend->hold(c->tree->session, &path);
	if (lock_fd < 0)
		return false;
	discarded = backend->unlink(c->tree->session, &path) == 0;
	close(lock_fd);
	return discarded;
}

/* Check that the marker's run is dead. Return 0, or -errno with error set. */
static int judge_run(const struct claiming *c, const char *path, const struct marker *marker)
{
	enum identity_state state = marker_state(c->tree, path, marker, c->request->run);

	if (state == IDENTITY_DEAD || (state == IDENTITY_UNKNOWN && c->request->take_over))
		return 0;
	return refuse_running(c, marker, state);
}

/* Check if the marker of the dead run, if any, lists the shared name
 * `wanted` for removal. */
static bool is_listed(const struct marker *dead, const char *wanted)
{
	const char *name = NULL;

	while (dead != NULL && (name = marker_next(dead, MARKER_SHARED, name)) != NULL)
		if (strcmp(name, wanted) == 0)
			return true;
	return false;
}

/*
 * Find out which of the shared names will be absent after removing the
 * leftovers of the `dead` run (NULL: there is no dead run). Refuse a load that
 * would change existing files.
 */
static int check_shared(const struct claiming *c, const struct marker *dead)
{
	const struct outside *names = c->request->names;
	bool *absent = c->request->absent;
	size_t i;

	for (i = 0; i < names->shared_count; i++) {
		const struct shared_name *shared = &names->shared[i];
		struct backend_path path = {.text = shared->name};
		struct backend_attributes attributes;
		int rc = c->tree->backend->stat(c->tree->session, &path, &attributes);

		if (rc < 0 && rc != -ENOENT)
			return fail(c->error, "stat", shared->name, rc);
		absent[i] = rc == -ENOENT || is_listed(dead, shared->name);
		if (absent[i] || !shared->changed || c->request->use_existing)
			continue;
		error_set(c->error,
			  "the load would change \"%s\", which exists already; use --use-existing "
			  "to allow it",
			  shared->name);
		return -EEXIST;
	}
	return 0;
}

/* Make `clients`, with the marker in it. */
static int make_clients(const struct claiming *c)
{
	const struct backend *backend = c->tree->backend;
	struct backend_session *session = c->tree->session;
	char text[MARKER_PATH_SIZE];
	char marker[MARKER_PATH_SIZE + sizeof(MARKER_NAME)];
	struct backend_path aside = {.text = text};
	struct backend_attributes attributes;
	int rc = check_shared(c, NULL);

	/* If `clients` exists now, another run has just claimed the target, and
	 * the existing shared names may be its files: try again. */
	if (rc < 0 && backend->stat(session, &clients, &attributes) == 0) {
		*c->error = (struct error){0};
		return -EAGAIN;
	}
	if (rc < 0)
		return rc;
	leftovers_aside(c->request->run, text);
	rc = backend->mkdir(session, &aside);
	if (rc < 0)
		return fail(c->error, "mkdir", CLIENTS_NAME, rc);
	snprintf(marker, sizeof(marker), "%s/%s", text, MARKER_NAME);
	rc = write_marker(c, marker, true);
	if (rc < 0)
		fail(c->error, "write", MARKER_PATH, rc);
	else
		rc = backend->rename(session, &aside, &clients, false);
	if (rc == 0)
		return 0;
	drop_lock(c);
	leftovers_remove_aside(c->tree, c->request->run);
	if (!c->error->set && backend->stat(session, &clients, &attributes) == 0)
		return -EAGAIN;
	return fail(c->error, "mkdir", CLIENTS_NAME, rc);
}

/* The kinds of names found in `clients` when it seemed to have no marker: names
 * of markers (`own`), and all others (`foreign`). */
struct contents {
	bool own, foreign;
};

static bool note_entry(void *context, const char *name, enum backend_entry entry)
{
	struct contents *contents = context;

	if (marker_is_own(name) && entry != ENTRY_DIRECTORY)
		contents->own = true;
	else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
		contents->foreign = true;
	return true;
}

/* Adopt an empty `clients` that throng did not make. */
static int adopt_clients(const struct claiming *c)
{
	struct contents contents = {0};
	int rc = c->tree->backend->list(c->tree->session, &clients, note_entry, &contents);

	if (is_gone(rc) || (rc == 0 && contents.own))
		return -EAGAIN;
	if (rc < 0)
		return fail(c->error, "list", CLIENTS_NAME, rc);
	if (contents.foreign)
		return refuse_foreign(c);
	rc = check_shared(c, NULL);
	if (rc < 0)
		return rc;
	rc = write_marker(c, MARKER_PATH, false);
	if (rc == -EEXIST || rc == -EAGAIN || is_gone(rc))
		return -EAGAIN;
	return rc < 0 ? fail(c->error, "write", MARKER_PATH, rc) : 0;
}

/*
 * Create this run's marker for taking over from the dead run `id`, and set
 * `path` to its path. Return 0; 1 if another run has created its own marker at
 * that path first and is dead as well (then set `id` to the id of that run); or
 * -errno, with the error set unless it is -EAGAIN.
 */
static int create_next(const struct claiming *c, char id[IDENTITY_ID_SIZE], bool made,
		       char path[MARKER_PATH_SIZE])
{
	struct marker marker;
	int rc;

	snprintf(path, MARKER_PATH_SIZE, CLIENTS_NAME "/" MARKER_PREFIX "%s", id);
	rc = write_marker(c, path, made);
	if (rc == 0)
		return 0;
	if (rc == -EAGAIN || is_gone(rc))
		return -EAGAIN;
	if (rc == -ENOSPC || rc == -EDQUOT) {
		error_set(c->error,
			  "cannot write \"%s\": %s (remove \"%s\", which is left over from a dead "
			  "run)",
			  path, strerror(-rc), CLIENTS_NAME);
		return rc;
	}
	if (rc != -EEXIST)
		return fail(c->error, "write", path, rc);
	rc = read_marker(c, path, &marker);
	if (rc == -ENOENT)
		rc = -EAGAIN;
	else if (rc < 0 && rc != -EAGAIN)
		fail(c->error, "read", path, rc);
	if (rc == 0)
		rc = judge_run(c, path, &marker);
	if (rc == 0)
		memcpy(id, marker.run.id, IDENTITY_ID_SIZE);
	free(marker.text);
	return rc < 0 ? rc : 1;
}

/* Remove the dead run's leftovers, and rename our marker over its marker. */
static int replace_dead(const struct claiming *c, const struct marker *dead, const char *path)
{
	const struct backend_path own = {.text = path};
	struct tree *tree = c->tree;
	bool foreign;
	int rc = leftovers_remove(tree, dead, false, &foreign, c->error);

	if (rc < 0)
		return rc;
	if (foreign)
		return refuse_foreign(c);
	rc = tree->backend->rename(tree->session, &own, &marker_path, true);
	if (rc == 0 || is_gone(rc))
		rc = marker_check(tree, MARKER_PATH, c->request->run);
	if (rc == -EAGAIN)
		return rc;
	if (rc < 0)
		return fail(c->error, "write", MARKER_PATH, rc);
	rc = leftovers_remove_take_overs(tree, CLIENTS_NAME);
	return rc < 0 ? fail(c->error, "unlink", tree->path, rc) : 0;
}

/* Take over from a dead run. */
static int take_over(const struct claiming *c, const struct marker *dead)
{
	char id[IDENTITY_ID_SIZE], path[MARKER_PATH_SIZE];
	const struct backend_path own = {.text = path};
	unsigned links = TAKE_OVERS_MAX;
	int rc = check_shared(c, dead->owner == OWNER_SELF ? dead : NULL);

	if (rc < 0)
		return rc;
	memcpy(id, dead->run.id, sizeof(id));
	do
		rc = create_next(c, id, dead->made, path);
	while (rc > 0 && --links > 0);
	if (rc > 0) {
		error_set(c->error,
			  "cannot take over \"%s\" from a dead run: %u other runs died while they "
			  "tried; remove the directory",
			  CLIENTS_NAME, TAKE_OVERS_MAX);
		return -ELOOP;
	}
	if (rc < 0)
		return rc;
	/* Check that the directory still belongs to the dead run: another run
	 * may have taken over and finished by now. */
	rc = marker_check(c->tree, MARKER_PATH, &dead->run);
	rc = rc == 0 ? replace_dead(c, dead, path) : -EAGAIN;
	if (rc < 0) {
		drop_lock(c);
		c->tree->backend->unlink(c->tree->session, &own);
	}
	return rc;
}

/* Claim an existing `clients`. Return as claim_once does. */
static int claim_existing(const struct claiming *c)
{
	struct marker marker;
	int rc = read_marker(c, MARKER_PATH, &marker);

	if (rc == -ENOENT)
		rc = adopt_clients(c);
	else if (rc == -EINVAL)
		error_set(c->error,
			  "\"%s\" is not a marker of this version of throng; if no run is using "
			  "the directory, remove it",
			  MARKER_PATH);
	else if (rc < 0 && rc != -EAGAIN)
		fail(c->error, "read", MARKER_PATH, rc);
	else if (rc == 0 && strcmp(marker.run.id, c->request->run->id) == 0)
		rc = 1;
	else if (rc == 0 && (rc = judge_run(c, MARKER_PATH, &marker)) == 0)
		rc = take_over(c, &marker);
	free(marker.text);
	return rc;
}

/*
 * Try to claim the target. Return 0, 1 if this run has claimed it already,
 * -EAGAIN if another run has changed the directory meanwhile, or -errno with
 * the error set.
 */
static int claim_once(const struct claiming *c)
{
	struct backend_attributes attributes;
	int rc = c->tree->backend->stat(c->tree->session, &clients, &attributes);

	if (rc == -ENOENT)
		return make_clients(c);
	if (rc < 0)
		return fail(c->error, "stat", CLIENTS_NAME, rc);
	if (attributes.directory)
		return claim_existing(c);
	error_set(c->error,
		  "\"%s\" is a file or a symbolic link, not a directory; rename or remove it, or "
		  "choose another target",
		  CLIENTS_NAME);
	return -ENOTDIR;
}

static int claim_with_retries(const struct claiming *c)
{
	unsigned left = CLAIM_TRIES;
	int rc;

	do {
		c->incomplete[0] = '\0';
		rc = claim_once(c);
	} while (rc == -EAGAIN && --left > 0 &&
		 clock_sleep_until_ns(clock_now_ns() + CLAIM_PAUSE_NS) > 0);
	return rc;
}

/* Check if a later run can verify that our account wrote the marker. */
static bool is_trusted(struct tree *tree)
{
	struct marker marker;
	bool trusted = marker_read(tree, MARKER_PATH, &marker) == 0 && marker.owner == OWNER_SELF;

	free(marker.text);
	return trusted;
}

int workdir_claim(struct tree *tree, const struct workdir_request *request,
		  struct workdir_claim *claim, struct error *error)
{
	char incomplete[MARKER_PATH_SIZE];
	struct claiming c = {
		.tree = tree,
		.request = request,
		.claim = claim,
		.error = error,
		.incomplete = incomplete,
	};
	int rc;

	*claim = (struct workdir_claim){.lock_fd = -1};
	rc = claim_with_retries(&c);
	if (rc == -EAGAIN && discard_incomplete(&c))
		rc = claim_with_retries(&c);
	if (rc == -EAGAIN) {
		error_set(error,
			  "\"%s\" is being claimed by another run, or by one that was killed; if "
			  "no run is using the directory, remove it",
			  CLIENTS_NAME);
		return -EBUSY;
	}
	claim->claimed = rc == 0;
	claim->trusted = rc == 0 && is_trusted(tree);
	return rc < 0 ? rc : 0;
}

/* Remove the files that the run may have made, from its own `clients`. */
static int remove_own(struct tree *tree, const struct workdir_request *request, bool made,
		      struct error *error)
{
	const struct marker_content content = {
		.run = request->run,
		.first_user = request->first_user,
		.users = request->users,
		.made = made,
		.names = request->names,
		.absent = request->absent,
	};
	struct marker marker;
	bool foreign = false;
	int rc = marker_make(&content, &marker);

	if (rc < 0)
		fail(error, "remove", CLIENTS_NAME, rc);
	else
		rc = leftovers_remove(tree, &marker, true, &foreign, error);
	free(marker.text);
	/* Remove the marker last, so that the next run can finish an
	 * interrupted removal. */
	if (rc == 0)
		rc = leftovers_release(tree, request->run, made && !foreign, error);
	if (rc == 0 && foreign && made) {
		error_set(error,
			  "\"%s\" was not removed: it contains files that throng did not make; "
			  "move them elsewhere, then remove it",
			  CLIENTS_NAME);
		rc = -EEXIST;
	}
	return rc;
}

int workdir_remove(struct tree *tree, const struct workdir_request *request, bool made,
		   struct error *error)
{
	struct marker marker;
	int rc = marker_read(tree, MARKER_PATH, &marker);
	bool own = rc == 0 && strcmp(marker.run.id, request->run->id) == 0;

	free(marker.text);
	/* If the claim was cut short, `clients` still has its temporary
	 * name. */
	if (is_gone(rc) && leftovers_remove_aside(tree, request->run) == 0)
		return 0;
	if (rc < 0)
		return fail(error, "read", MARKER_PATH, rc);
	if (!own)
		return fail(error, "remove", MARKER_PATH, -EBUSY);
	return remove_own(tree, request, made, error);
}

int workdir_make_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	struct backend_path path = {.text = text};
	int rc;

	layout_client_path(user_name, text);
	rc = tree_empty(tree, text);
	return rc == -ENOENT ? tree->backend->mkdir(tree->session, &path) : rc;
}

int workdir_remove_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	int rc;

	layout_client_path(user_name, text);
	rc = tree_remove(tree, text);
	return rc == -ENOENT ? 0 : rc;
}
