/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/unmarked.h"

#include "base/layout.h"
#include "engine/bind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Makes a directory, or finds it; a link to one is none. */
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

int unmarked_claim(struct tree *tree, struct error *error)
{
	int rc = make_or_find(tree, CLIENTS_NAME);

	if (rc < 0)
		error_set(error, "mkdir \"%s\": %s", CLIENTS_NAME,
			  strerror(-rc));
	return rc;
}

static void home_path(const char *user_name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", CLIENTS_NAME, user_name);
}

int unmarked_make_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];

	home_path(user_name, text);
	return make_or_find(tree, text);
}

/* What is no directory was not made here, and stays. */
static int remove_home(struct tree *tree, unsigned user)
{
	char name[USER_NAME_MAX], text[PATH_MAX];
	struct backend_path path = {.text = text};
	int rc;

	bind_user_name(user, name);
	home_path(name, text);
	rc = tree_empty(tree, text);
	if (rc == -ENOENT || rc == -ENOTDIR || rc == -ELOOP)
		return 0;
	return rc < 0 ? rc : tree->backend->rmdir(tree->session, &path);
}

int unmarked_release(struct tree *tree, unsigned users, struct error *error)
{
	struct backend_path clients = {.text = CLIENTS_NAME};
	unsigned user;
	int rc;

	for (user = 0; user < users; user++) {
		rc = remove_home(tree, user);
		if (rc < 0) {
			error_set(error, "remove \"%s\": %s", tree->path,
				  strerror(-rc));
			return rc;
		}
	}
	/* Others may have their directories there. */
	tree->backend->rmdir(tree->session, &clients);
	return 0;
}
