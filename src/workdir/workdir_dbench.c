/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/workdir_dbench.h"

#include "play/bind.h"
#include "words/layout.h"
#include "workdir/marker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Make a directory unless it exists; don't accept a link to one. */
static int make_or_find(struct tree *tree, const char *text)
{
	const struct backend *backend = tree->backend;
	struct backend_path path = {.text = text};
	struct backend_attributes attributes;
	int rc = backend->mkdir(tree->session, &path);

	if (rc != -EEXIST)
		return rc;
	rc = backend->stat(tree->session, &path, &attributes);
	if (rc < 0)
		return rc;
	return attributes.directory ? 0 : -ENOTDIR;
}

/*
 * Refuse a directory with a marker, whether its run is alive or dead: if dead,
 * the next run with a marker would remove its files, and ours with them.
 */
static int check_owner(struct tree *tree, const struct identity *run, struct error *error)
{
	struct marker marker;
	int rc = marker_read(tree, MARKER_PATH, &marker);

	if (rc == 0 && marker_state(tree, MARKER_PATH, &marker, run) == IDENTITY_DEAD)
		error_set(error,
			  "\"%s\" is left over from a run of throng; remove it, or choose another "
			  "target",
			  CLIENTS_NAME);
	else if (rc == 0)
		error_set(
			error,
			"\"%s\" belongs to a run of throng that may be alive (process %d on %s); "
			"choose another target, or remove the directory if that process has ended",
			CLIENTS_NAME, (int)marker.run.process, marker.run.host);
	else if (rc != -ENOENT)
		error_set(error, "cannot read \"%s\": %s", MARKER_PATH,
			  rc == -EINVAL ? "not a marker of this version of throng" : strerror(-rc));
	free(marker.text);
	return rc == -ENOENT ? 0 : rc == 0 ? -EBUSY : rc;
}

int workdir_dbench_claim(struct tree *tree, const struct outside *names, const struct identity *run,
			 bool *absent, struct error *error)
{
	struct backend_attributes attributes;
	size_t i;
	int rc = check_owner(tree, run, error);

	if (rc < 0)
		return rc;
	for (i = 0; i < names->shared_count; i++) {
		struct backend_path path = {.text = names->shared[i].name};

		/* After any other error the name may exist, so don't remove it
		 * in the end. */
		absent[i] = tree->backend->stat(tree->session, &path, &attributes) == -ENOENT;
	}
	rc = make_or_find(tree, CLIENTS_NAME);
	if (rc < 0)
		error_set(error, "cannot create the directory \"%s\": %s", CLIENTS_NAME,
			  strerror(-rc));
	return rc;
}

int workdir_dbench_make_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];

	layout_client_path(user_name, text);
	return make_or_find(tree, text);
}

/* Remove a user's directory. If its name is not a directory, leave it alone. */
static int remove_home(struct tree *tree, unsigned user)
{
	char name[USER_NAME_MAX], text[PATH_MAX];
	struct backend_path path = {.text = text};
	int rc;

	names_of_user(user, name);
	layout_client_path(name, text);
	rc = tree_empty(tree, text);
	if (rc == -ENOENT || rc == -ENOTDIR || rc == -ELOOP)
		return 0;
	return rc < 0 ? rc : tree->backend->rmdir(tree->session, &path);
}

static int fail(const struct tree *tree, int rc, struct error *error)
{
	error_set(error, "cannot remove \"%s\": %s", tree->path, tree_strerror(rc));
	return rc;
}

static int remove_shared(struct tree *tree, const struct outside *names, const bool *absent,
			 struct error *error)
{
	size_t i;
	int rc;

	for (i = 0; i < names->shared_count; i++) {
		if (!absent[i] || !names->shared[i].changed)
			continue;
		rc = tree_remove(tree, names->shared[i].name);
		if (rc < 0 && rc != -ENOENT)
			return fail(tree, rc, error);
	}
	return 0;
}

int workdir_dbench_release(struct tree *tree, const struct outside *names, const bool *absent,
			   unsigned users, struct error *error)
{
	struct backend_path clients = {.text = CLIENTS_NAME};
	unsigned user;
	int rc;

	for (user = 0; user < users; user++) {
		rc = remove_home(tree, user);
		if (rc < 0)
			return fail(tree, rc, error);
	}
	/* Ignore a failure: other runs may have their directories there. */
	tree->backend->rmdir(tree->session, &clients);
	return remove_shared(tree, names, absent, error);
}
