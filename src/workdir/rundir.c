/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/rundir.h"

#include "base/clock.h"
#include "words/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The name of the marker of throng 0.0, in CLIENTS_NAME. */
#define OLD_MARKER CLIENTS_NAME "/.throng"

/* How long to wait for another host to write its run file, and how often to look. */
#define COMPLETE_NS (60 * NS_PER_S)
#define LOOK_NS (10 * NS_PER_MS)

static int fail(struct error *error, const char *doing, const char *path, int rc)
{
	error_set(error, "cannot %s \"%s\": %s", doing, path, tree_strerror(rc));
	return rc;
}

/* Look at the directory `path`: fill in its numbers and its owner. Return 0 or
 * -errno. */
static int look(struct tree *tree, const char *path, struct backend_file *found,
		enum backend_owner *owner)
{
	const struct backend *backend = tree->backend;
	int64_t handle = backend->open(tree->session, &(struct backend_path){.text = path},
				       OPEN_READ | OPEN_DIRECTORY);
	int rc;

	*found = (struct backend_file){.id = 0};
	*owner = OWNER_UNKNOWN;
	if (handle < 0)
		return (int)handle;
	rc = backend->identify != NULL ? backend->identify(tree->session, handle, found) : 0;
	*owner = tree_owner(tree, handle);
	backend->close(tree->session, handle);
	return rc;
}

/* Check if a directory belongs to another account. */
static bool is_foreign(struct tree *tree, const char *path)
{
	struct backend_file found;
	enum backend_owner owner;

	look(tree, path, &found, &owner);
	return owner == OWNER_OTHER;
}

/* Record the numbers of the directory `path` as those of the run's. Return 0 or
 * -errno. */
static int set_numbers(struct tree *tree, const char *path, struct run_file *file)
{
	struct backend_file found;
	enum backend_owner owner;
	int rc = look(tree, path, &found, &owner);

	file->device = found.device;
	file->inode = found.id;
	file->generation = found.generation;
	return rc;
}

/* Enter a directory of the target; "" is the target itself. */
static int enter(struct tree *tree, const char *name)
{
	return name[0] != '\0' ? tree->backend->enter(tree->session, name) : 0;
}

/* Close the entered directory to other accounts, where the target has
 * permissions. Return 0 or -errno. */
static int make_secret(struct tree *tree)
{
	const struct backend *backend = tree->backend;
	int rc = 0;

	if (backend->chmod != NULL && !backend->needs_account)
		rc = backend->chmod(tree->session, &(struct backend_path){.text = ""}, 0700);
	return rc == -EOPNOTSUPP || rc == -ENOSYS ? 0 : rc;
}

/*
 * Create the run file and lock it. Return its handle, or -errno: -EEXIST if
 * there is a file of that name, -EAGAIN if a cleaner has taken ours for that of
 * a killed run.
 */
static int64_t create_file(struct tree *tree, const char *path, struct rundir_claim *claim)
{
	const struct backend *backend = tree->backend;
	const struct backend_path file = {.text = path};
	int64_t handle = backend->open(tree->session, &file,
				       OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE |
					       OPEN_FILE);

	if (handle < 0)
		return handle;
	claim->begun = true;
	if (backend->hold != NULL)
		claim->lock_fd = backend->hold(tree->session, &file);
	/* A lock that is not a cleaner's is one of somebody who only reads. */
	if (claim->lock_fd == -ENOENT ||
	    (claim->lock_fd == -EAGAIN && backend->is_held(tree->session, &file) != 0)) {
		backend->unlink(tree->session, &file);
		claim->begun = false;
		backend->close(tree->session, handle);
		return -EAGAIN;
	}
	/* After any other failure, do without a lock. */
	if (claim->lock_fd < 0)
		claim->lock_fd = -1;
	claim->file.locked = claim->lock_fd >= 0;
	return handle;
}

/*
 * Read the run file of `name`. If it has no end, another host of our run may be about to
 * write it: wait for that, but not forever. Return the same as run_file_read().
 */
static int read_whole_file(struct tree *tree, const char *name, const struct identity *run,
			   struct run_file *file)
{
	uint64_t end_ns = clock_now_ns() + COMPLETE_NS;
	int rc;

	while ((rc = run_file_read(tree, name, file)) == 0 && !file->complete &&
	       (file->run.id[0] == '\0' || strcmp(file->run.id, run->id) == 0) &&
	       clock_now_ns() < end_ns) {
		clock_sleep_until_ns(clock_now_ns() + LOOK_NS);
		++*tree->steps;
	}
	return rc;
}

/* Check if the run file of `name` is one of this run. */
static bool is_ours(struct tree *tree, const char *name, const struct identity *run)
{
	struct run_file file;

	return run_file_read(tree, name, &file) == 0 && strcmp(file.run.id, run->id) == 0;
}

/* Return the key (struct rundir_claim) of a directory: an FNV-1a hash of the process that has
 * made it and of its numbers there. */
static uint64_t key_of(const struct run_file *file)
{
	const struct identity *run = &file->run;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char text[2 * IDENTITY_WORD_SIZE + 128];
	const char *at = text;

	snprintf(text, sizeof(text),
		 "%s %s %" PRIu64 " %" PRIdMAX " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		 run->host, run->boot, run->pid_namespace, (intmax_t)run->process, run->started,
		 file->device, file->inode, file->generation);
	while (*at != '\0')
		hash = (hash ^ (unsigned char)*at++) * UINT64_C(0x100000001b3);
	return hash;
}

/*
 * Check if the target is one that the run has claimed, under another URL or on
 * another host: the run file and the directory are ours. Then fill in the
 * claim, with the numbers that the directory has here: another protocol may
 * have others.
 */
static bool is_second(struct tree *tree, struct rundir_claim *claim)
{
	struct run_file *file = &claim->file;
	struct run_file found;
	const char *directory;

	if (read_whole_file(tree, file->name, &file->run, &found) < 0 || !found.complete ||
	    found.owner == OWNER_OTHER || strcmp(found.run.id, file->run.id) != 0)
		return false;
	claim->key = key_of(&found);
	directory = run_file_directory(&found);
	if (is_foreign(tree, directory) || set_numbers(tree, directory, &found) < 0)
		return false;
	*file = found;
	return true;
}

/*
 * Write the run file under the first free name: the names are parts of the
 * run's id, so that the run finds its own file again at a second URL of the
 * target. Return a handle, or -errno with `error` set: -EALREADY if there is a
 * file of this run.
 */
static int64_t write_file(struct tree *tree, struct rundir_claim *claim, uint64_t *offset,
			  struct error *error)
{
	struct run_file *file = &claim->file;
	char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];
	struct backend_attributes attributes;
	struct run_file found;
	int64_t handle = -EEXIST;
	unsigned part;
	int rc;

	for (part = 0; part < 4 && (handle == -EEXIST || handle == -EAGAIN); part++) {
		run_name_of(&file->run, part, file->name);
		run_file_path(file->name, path);
		/* A directory without a run file is somebody's. */
		if (tree->backend->stat(tree->session, &(struct backend_path){.text = file->name},
					&attributes) == 0 &&
		    (read_whole_file(tree, file->name, &file->run, &found) < 0 ||
		     strcmp(found.run.id, file->run.id) != 0))
			continue;
		handle = create_file(tree, path, claim);
		if (handle == -EEXIST && is_second(tree, claim))
			return -EALREADY;
	}
	if (handle < 0)
		return fail(error, "write", path, (int)handle);
	rc = run_file_write(tree, handle, file, RUN_FILE_FIRST, offset);
	/* Others may rename what is in a directory that they can write. */
	if (rc == 0 && !is_ours(tree, file->name, &file->run))
		rc = -ESTALE;
	if (rc == 0)
		return handle;
	tree->backend->close(tree->session, handle);
	return fail(error, "write", path, rc);
}

/* Note that a directory is not empty. */
static bool note_name(void *context, const char *name, enum backend_entry entry)
{
	bool *found = context;

	*found = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
	return !*found;
}

/* Flush the target with the name of the run's directory, if the request wants
 * that. Return 0, or -errno with `error` set. */
static int flush_name(struct tree *tree, const struct rundir_request *request, const char *name,
		      struct error *error)
{
	int rc = request->flush && tree->backend->sync_parent != NULL
			 ? tree->backend->sync_parent(tree->session,
						      &(struct backend_path){.text = name})
			 : 0;

	/* Some file systems cannot flush a directory (fsync(2)). */
	return rc < 0 && rc != -EINVAL ? fail(error, "flush the directory of", name, rc) : 0;
}

/*
 * Check that the directory that was entered is the new one that was made:
 * others may rename what is in a directory that they can write. Return 0,
 * -ESTALE if it is another one, or -errno.
 */
static int check_new(struct tree *tree)
{
	bool foreign = is_foreign(tree, "");
	int rc = foreign ? 0
			 : tree->backend->list(tree->session, &(struct backend_path){.text = ""},
					       note_name, &foreign);

	return foreign ? -ESTALE : rc;
}

/* Make the directory of a run in the target, and enter it. Return 0, or -errno
 * with `error` set. */
static int make_private(struct tree *tree, const struct rundir_request *request,
			struct run_file *file, struct error *error)
{
	int rc = tree->backend->mkdir(tree->session, &(struct backend_path){.text = file->name});

	file->made = rc != -EEXIST;
	if (rc < 0)
		return fail(error, "make the directory", file->name, rc);
	rc = flush_name(tree, request, file->name, error);
	if (rc < 0)
		return rc;
	rc = enter(tree, file->name);
	if (rc < 0)
		return fail(error, "open the directory", file->name, rc);
	rc = check_new(tree);
	file->made = rc != -ESTALE;
	if (rc == -ESTALE)
		error_set(
			error,
			"another program replaced the directory \"%s\" just after throng had made "
			"it; choose a target in which only trusted users may rename directories",
			file->name);
	if (rc < 0)
		return fail(error, "list the directory", file->name, rc);
	rc = make_secret(tree);
	return rc < 0 ? fail(error, "set the permissions of", file->name, rc) : 0;
}

/* Find the directory of --workdir, or make it; then enter it. */
static int make_named(struct tree *tree, const struct rundir_request *request,
		      struct run_file *file, struct error *error)
{
	struct backend_attributes attributes;
	int rc = strcmp(file->workdir, ".") == 0 ? 0 : tree_mkdir(tree, file->workdir);
	bool made = rc == 1;

	if (rc < 0)
		return fail(error, "make the directory", file->workdir, rc);
	file->made = made;
	if (made)
		rc = flush_name(tree, request, file->workdir, error);
	if (rc < 0)
		return rc;
	rc = enter(tree, run_file_directory(file));
	if (rc < 0)
		return fail(error, "open the directory", file->workdir, rc);
	file->made = made && check_new(tree) != -ESTALE;
	if (tree->backend->stat(tree->session, &(struct backend_path){.text = OLD_MARKER},
				&attributes) == 0) {
		error_set(error,
			  "an older version of throng left \"%s\" in the target; remove the "
			  "directory \"%s\", or choose another target",
			  OLD_MARKER, CLIENTS_NAME);
		return -EEXIST;
	}
	return 0;
}

/* Make the directory of the next user, and count it. Return 0 or -errno. */
static int make_home(struct tree *tree, struct run_file *file, const char *text)
{
	const struct backend_path path = {.text = text};
	struct backend_attributes attributes;
	int rc = tree->backend->stat(tree->session, &path, &attributes);

	if (rc != -ENOENT)
		return rc < 0 ? rc : -EEXIST;
	/* Count it before it is made: this process may be killed then. */
	file->users++;
	rc = tree->backend->mkdir(tree->session, &path);
	if (rc < 0)
		file->users--;
	++*tree->steps;
	return rc;
}

/* Make the directories of the users, none of which may exist. */
static int make_homes(struct tree *tree, struct run_file *file, unsigned users, struct error *error)
{
	char path[PATH_MAX];
	int rc;

	for (file->users = 0; file->users < users;) {
		layout_home(file->first_user + file->users, path);
		rc = make_home(tree, file, path);
		if (rc == -EEXIST)
			error_set(error,
				  "\"%s\" exists already: another run uses this directory, or has "
				  "not removed it; remove the directory with throng clean, or "
				  "choose another --workdir",
				  path);
		if (rc < 0)
			return fail(error, "make the directory", path, rc);
	}
	return 0;
}

/* Make or find the directory of the run, and `clients` in it, and enter it. */
static int make_directory(struct tree *tree, const struct rundir_request *request,
			  struct run_file *file, struct error *error)
{
	int rc = file->workdir[0] != '\0' ? make_named(tree, request, file, error)
					  : make_private(tree, request, file, error);

	if (rc < 0)
		return rc;
	rc = tree_mkdir(tree, CLIENTS_NAME);
	if (rc < 0)
		return fail(error, "make the directory", CLIENTS_NAME, rc);
	/* Its owner could put any directory in the place of a user's. */
	if (request->like_dbench || !is_foreign(tree, CLIENTS_NAME))
		return 0;
	error_set(error,
		  "the directory \"%s\" belongs to another account, which could replace the users' "
		  "directories in it; choose another --workdir",
		  CLIENTS_NAME);
	return -EPERM;
}

/* Write a part of the run file, whose handle is still that of the file in the
 * target. */
static int write_part(struct tree *tree, int64_t handle, const struct run_file *file,
		      enum run_file_part part, uint64_t *offset, struct error *error)
{
	int rc = run_file_write(tree, handle, file, part, offset);

	return rc < 0 ? fail(error, "write the run file of", file->name, rc) : 0;
}

/* Make what a run needs at the target, and write the rest of the run file. */
static int make_all(struct tree *tree, const struct rundir_request *request, struct run_file *file,
		    int64_t handle, uint64_t offset, struct error *error)
{
	const bool named = file->workdir[0] != '\0';
	struct run_file planned;
	int rc = make_directory(tree, request, file, error);

	planned = *file;
	planned.users = named ? request->users : 0;
	if (rc == 0)
		rc = write_part(tree, handle, &planned, RUN_FILE_MADE, &offset, error);
	if (rc == 0 && named)
		rc = make_homes(tree, file, request->users, error);
	if (rc < 0)
		return rc;
	rc = set_numbers(tree, "", file);
	if (rc < 0)
		return fail(error, "open the directory", run_file_directory(file), rc);
	rc = write_part(tree, handle, file, RUN_FILE_LAST, &offset, error);
	file->complete = rc == 0;
	/* A crash of the target should leave a file that says what there is. */
	if (rc == 0 && tree->backend->fdatasync != NULL)
		tree->backend->fdatasync(tree->session, handle);
	return rc;
}

int rundir_claim(struct tree *tree, const struct rundir_request *request,
		 struct rundir_claim *claim, struct error *error)
{
	struct run_file *file = &claim->file;
	uint64_t offset = 0;
	int64_t handle;
	int rc;

	*claim = (struct rundir_claim){
		.file = {.run = *request->run,
			 .kept = request->kept,
			 .made = request->workdir == NULL,
			 .first_user = request->first_user},
		.lock_fd = -1,
	};
	run_file_print_time(time(NULL), file->begun);
	if (request->workdir != NULL)
		snprintf(file->workdir, sizeof(file->workdir), "%s", request->workdir);
	if (request->like_dbench) {
		rc = make_directory(tree, request, file, error);
		file->users = request->users;
		claim->begun = file->complete = rc == 0;
		return rc;
	}
	handle = write_file(tree, claim, &offset, error);
	claim->second = handle == -EALREADY;
	if (handle < 0)
		return claim->second ? 0 : (int)handle;
	rc = make_all(tree, request, file, handle, offset, error);
	claim->key = key_of(file);
	tree->backend->close(tree->session, handle);
	return rc;
}

/*
 * Compare the numbers of the directory `path` with those in the run file.
 * Return 0 if they are equal, or not known; -EXDEV if only the number of the
 * file system differs, as in a snapshot, or after it was mounted again; -ESTALE
 * if it is another directory, or no directory; or -errno.
 */
static int compare_numbers(struct tree *tree, const char *path, const struct run_file *file,
			   uint64_t *device)
{
	struct backend_file found;
	enum backend_owner owner;
	int rc = look(tree, path, &found, &owner);

	*device = found.device;
	if (rc == -ENOTDIR || rc == -ELOOP)
		return -ESTALE;
	/* dbench has no run file, and takes the target as it is. */
	if (rc < 0 || !file->complete || file->name[0] == '\0')
		return rc;
	if (found.id != file->inode ||
	    (found.generation != 0 && found.generation != file->generation))
		return -ESTALE;
	return found.device == 0 || file->device == 0 || found.device == file->device ? 0 : -EXDEV;
}

int rundir_enter(struct tree *tree, const struct run_file *file)
{
	uint64_t device;
	int rc = enter(tree, run_file_directory(file));

	if (rc == -ENOTDIR || rc == -ELOOP)
		return -ESTALE;
	return rc < 0 ? rc : compare_numbers(tree, "", file, &device);
}

int rundir_check(struct tree *tree, const struct run_file *file, uint64_t *device)
{
	return compare_numbers(tree, run_file_directory(file), file, device);
}
