/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/remove.h"

#include "words/layout.h"
#include "workdir/rundir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int fail(struct error *error, const char *doing, const char *path, int rc)
{
	error_set(error, "cannot %s \"%s\": %s", doing, path, tree_strerror(rc));
	return rc;
}

/* Check if a name in `clients` is that of a user's directory. Some servers list
 * names in capitals. */
static bool is_home(const char *name)
{
	size_t length = strlen(USER_STEM);

	return strncasecmp(name, USER_STEM, length) == 0 && name[length] != '\0' &&
	       strspn(name + length, "0123456789") == strlen(name + length);
}

/* Check if a name in the directory of --workdir tells that another run uses it,
 * as a target or as we do. */
static bool is_anothers(const char *name)
{
	char run[RUN_NAME_SIZE];

	return strcasecmp(name, CLIENTS_NAME) == 0 || run_file_is_name(name, run);
}

int rundir_remove_home(struct tree *tree, unsigned user)
{
	char path[PATH_MAX];
	int rc;

	layout_home(user, path);
	rc = tree_empty(tree, path);
	/* One that may not be listed may be empty. */
	if (rc == 0 || rc == -EACCES)
		rc = tree_remove_directory(tree, path);
	return rc == -ENOENT || rc == -ENOTDIR || rc == -ELOOP ? 0 : rc;
}

/* Remove the users' directories of the run. Return 0, or -errno with `error`
 * set. */
static int remove_homes(struct tree *tree, const struct run_file *file, struct error *error)
{
	char path[PATH_MAX];
	unsigned i;
	int rc = 0;

	for (i = 0; i < file->users; i++) {
		layout_home(file->first_user + i, path);
		/* Before the file is complete, ours are empty. */
		if (file->complete)
			rc = rundir_remove_home(tree, file->first_user + i);
		else
			tree_remove_directory(tree, path);
		++*tree->steps;
		if (rc < 0)
			return fail(error, "remove", tree->path, rc);
	}
	return 0;
}

/*
 * Remove everything in the directory of --workdir, which the run has made,
 * unless another run uses it. That may begin meanwhile, and makes `clients`
 * again then. Return 1 if one does, 0, or -errno.
 */
static int remove_shared(struct tree *tree)
{
	int rc = tree_empty_unless(tree, CLIENTS_NAME, is_home);

	if (rc == 0)
		rc = tree_remove_directory(tree, CLIENTS_NAME);
	if (rc == -ENOTEMPTY || rc == -EEXIST)
		return 1;
	return rc == 0 || rc == -ENOENT ? tree_empty_unless(tree, "", is_anothers) : rc;
}

/* Remove everything that the run has made in its directory, which the session
 * has entered. Return 1 if the directory must stay, 0, or -errno. */
static int remove_contents(struct tree *tree, const struct run_file *file, struct error *error)
{
	bool named = file->workdir[0] != '\0';
	int rc = remove_homes(tree, file, error);

	if (rc < 0)
		return rc;
	if (!file->complete || !file->made) {
		tree_remove_directory(tree, CLIENTS_NAME);
		return !file->made;
	}
	rc = named ? remove_shared(tree) : tree_empty(tree, "");
	return rc < 0 ? fail(error, "remove", tree->path, rc) : rc;
}

/* Remove the directory, which is empty, and the run file. */
static int remove_names(struct tree *tree, const struct run_file *file, bool directory,
			struct error *error)
{
	const char *name = run_file_directory(file);
	char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];
	int rc = directory && name[0] != '\0' ? tree_remove_directory(tree, name) : 0;

	/* Another run may have begun to use the directory of --workdir. */
	if ((rc == -ENOTEMPTY || rc == -EEXIST) && file->workdir[0] != '\0')
		rc = 0;
	if (rc < 0 && rc != -ENOENT)
		return fail(error, "remove", name, rc);
	if (file->name[0] == '\0')
		return 0;
	run_file_path(file->name, path);
	rc = tree_unlink_file(tree, path);
	return rc < 0 && rc != -ENOENT ? fail(error, "remove", path, rc) : 0;
}

/*
 * Check that the run file is that of the run, or was cut. Somebody may have
 * removed it, but then nobody else uses a directory that is the run's own.
 * Return 0, -ESTALE if it is another run's, or -errno.
 */
static int check_owner(struct tree *tree, const struct run_file *file)
{
	struct run_file found;
	int rc = run_file_read(tree, file->name, &found);

	if (rc == -ENOENT && file->workdir[0] == '\0')
		return 0;
	if (rc == 0 && found.run.id[0] != '\0' && strcmp(found.run.id, file->run.id) != 0)
		rc = -ESTALE;
	return rc;
}

static int fail_replaced(struct error *error, const char *name)
{
	error_set(error,
		  "\"%s\" is not the directory that the run made, but a copy or a replacement, so "
		  "nothing in this directory was removed",
		  name);
	return -ESTALE;
}

/*
 * Enter the directory that is to be removed. Return 1; 0 if there is nothing of
 * the run in it: it is `gone`, or the run itself could not enter it; or -errno
 * with `error` set.
 */
static int enter_doomed(struct tree *tree, const struct run_file *file, bool *gone,
			struct error *error)
{
	const char *name = run_file_directory(file);
	int rc = rundir_enter(tree, file);

	*gone = rc == -ENOENT;
	if (rc == 0)
		return 1;
	if (*gone || !file->complete)
		return 0;
	return rc == -ESTALE || rc == -EXDEV ? fail_replaced(error, name)
					     : fail(error, "open the directory", name, rc);
}

/* Check that the directory is still the run's, now from outside. Return 0, or
 * -errno with `error` set. */
static int check_doomed(struct tree *tree, const struct run_file *file, struct error *error)
{
	uint64_t device;
	int rc = rundir_check(tree, file, &device);

	return rc == -ESTALE || rc == -EXDEV ? fail_replaced(error, run_file_directory(file)) : 0;
}

int rundir_remove(struct tree *tree, const struct target *target, const struct run_file *file,
		  struct error *error)
{
	bool gone, stays;
	int rc = file->name[0] != '\0' ? check_owner(tree, file) : 0;

	if (rc < 0) {
		error_set(error,
			  "cannot read the run file \"%s" RUN_FILE_ENDING
			  "\": %s; the directory of the run "
			  "was not removed",
			  file->name,
			  rc == -ESTALE ? "the file belongs to another run" : strerror(-rc));
		return rc;
	}
	if (file->workdir[0] == '\0' && !file->made)
		return remove_names(tree, file, false, error);
	rc = enter_doomed(tree, file, &gone, error);
	if (rc >= 0)
		rc = rc == 1 ? remove_contents(tree, file, error) : !file->made;
	stays = rc == 1;
	if (rc >= 0)
		rc = tree_reopen(tree, target, error);
	if (rc == 0 && !stays)
		rc = check_doomed(tree, file, error);
	if (rc == 0)
		rc = remove_names(tree, file, !stays, error);
	if (rc < 0 || !file->made)
		return rc;
	/* Another run that uses it keeps a directory that is not gone. */
	return stays ? 1 : gone && file->complete ? -ENOENT : 0;
}
