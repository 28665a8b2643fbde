/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/survey.h"

#include "workdir/remove.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const survey_states[SURVEY_STATES] = {
	[SURVEY_RUNNING] = "running", [SURVEY_DEAD] = "dead",       [SURVEY_UNKNOWN] = "unknown",
	[SURVEY_COPY] = "copy",       [SURVEY_DAMAGED] = "damaged",
};

/* The names that a listing has returned. */
struct names {
	char list[SURVEY_RUNS_MAX][RUN_NAME_SIZE];
	unsigned count, listed, listed_max;
	bool cut;
};

static bool collect(void *context, const char *entry, enum backend_entry kind)
{
	struct names *names = context;
	char name[RUN_NAME_SIZE];

	if (names->listed++ >= names->listed_max) {
		names->cut = true;
		return false;
	}
	if (!run_file_is_name(entry, name))
		return true;
	if (names->count == SURVEY_RUNS_MAX) {
		names->cut = true;
		return false;
	}
	memcpy(names->list[names->count++], name, sizeof(name));
	return true;
}

/* Check if a run began after this machine was booted. */
static bool began_since_boot(const struct run_file *file)
{
	struct timespec up;
	char boot[RUN_BEGUN_SIZE];

	if (clock_gettime(CLOCK_BOOTTIME, &up) < 0)
		return false;
	run_file_print_time(time(NULL) - up.tv_sec, boot);
	return strcmp(file->begun, boot) > 0;
}

/* Judge whether the run that wrote a run file is alive. */
static enum survey_state judge_run(struct tree *tree, const struct identity *self,
				   struct survey_entry *entry)
{
	char text[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];
	const struct run_file *file = &entry->file;
	const struct backend_path path = {.text = text};
	int held = -EOPNOTSUPP;

	run_file_path(file->name, text);
	/* A file that was cut before its lines does not say if it is locked. */
	if ((file->locked || file->run.process <= 0) && tree->backend->is_held != NULL)
		held = tree->backend->is_held(tree->session, &path);
	if (held >= 0)
		return held > 0 ? SURVEY_RUNNING : SURVEY_DEAD;
	/* kill(2) takes a PID of 0 for a process group. */
	if (file->run.process <= 0)
		return SURVEY_UNKNOWN;
	switch (identity_state(&file->run, self)) {
	case IDENTITY_ALIVE:
		return SURVEY_RUNNING;
	case IDENTITY_DEAD:
		/* Machines that were cloned look like one that was rebooted. */
		return strcmp(file->run.boot, self->boot) != 0 && began_since_boot(file)
			       ? SURVEY_UNKNOWN
			       : SURVEY_DEAD;
	default:
		return SURVEY_UNKNOWN;
	}
}

/* Read one run file, and judge it: SURVEY_DAMAGED if it cannot be read. Return
 * 0, or the -errno of run_file_read. */
static int survey_one(struct tree *tree, const char *name, const struct identity *self,
		      struct survey_entry *entry)
{
	int rc = run_file_read(tree, name, &entry->file), changed = 0;
	uint64_t device = 0;

	entry->state = rc == 0 ? judge_run(tree, self, entry) : SURVEY_DAMAGED;
	/* A copy has no lock, and would be taken for a dead run's. */
	if (rc == 0)
		changed = rundir_check(tree, &entry->file, &device);
	/* While its process lives, the file system may have got another number. */
	if (changed == -ESTALE || (changed == -EXDEV && entry->state != SURVEY_RUNNING))
		entry->state = SURVEY_COPY;
	/* Some servers have no numbers to tell a copy by. */
	else if (entry->state == SURVEY_DEAD && entry->file.complete && entry->file.inode == 0)
		entry->state = SURVEY_UNKNOWN;
	entry->device = changed == -EXDEV ? device : 0;
	return rc;
}

static int compare(const void *one, const void *other)
{
	return strcmp(one, other);
}

int survey_take(struct tree *tree, const struct identity *self, unsigned names_max,
		struct survey *survey)
{
	struct names names = {.listed_max = names_max};
	unsigned i;
	int rc = tree->backend->list(tree->session, &(struct backend_path){.text = ""}, collect,
				     &names);

	qsort(names.list, names.count, sizeof(names.list[0]), compare);
	survey->cut = names.cut;
	survey->count = 0;
	for (i = 0; rc == 0 && i < names.count; i++) {
		++*tree->steps;
		/* Names may differ in their case only. */
		if (i > 0 && strcmp(names.list[i], names.list[i - 1]) == 0)
			continue;
		/* A run may have ended meanwhile. */
		if (survey_one(tree, names.list[i], self, &survey->entries[survey->count]) !=
		    -ENOENT)
			survey->count++;
	}
	return rc;
}

const struct run_file *survey_find_users(const struct survey *survey, const struct run_file *file)
{
	unsigned i;

	for (i = 0; i < survey->count; i++) {
		const struct run_file *other = &survey->entries[i].file;

		if (other->users > 0 && strcmp(other->workdir, file->workdir) == 0 &&
		    strcmp(other->run.id, file->run.id) != 0 &&
		    other->first_user < file->first_user + file->users &&
		    file->first_user < other->first_user + other->users)
			return other;
	}
	return NULL;
}

/* Check that a run may be removed. Return 0, or -errno with `error` set. */
static int check(const struct survey_entry *entry, bool force, struct error *error)
{
	const struct run_file *file = &entry->file;
	char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];

	run_file_path(file->name, path);
	switch (entry->state) {
	case SURVEY_DEAD:
		return 0;
	case SURVEY_RUNNING:
		error_set(error, "\"%s\" belongs to a run that is alive (process %d on %s)",
			  file->name, (int)file->run.process, file->run.host);
		return -EBUSY;
	case SURVEY_UNKNOWN:
		if (!force)
			error_set(error,
				  "\"%s\" belongs to a run that may be alive: from this "
				  "machine, throng cannot see process %d on %s; if the run has "
				  "ended, use --force",
				  file->name, (int)file->run.process, file->run.host);
		return force ? 0 : -EBUSY;
	case SURVEY_COPY:
		if (force && entry->device != 0)
			return 0;
		error_set(error,
			  "\"%s\" is not the directory that the run made, but a copy or a "
			  "replacement; remove the directory \"%s\" and the file \"%s\" by hand",
			  run_file_directory(file), run_file_directory(file), path);
		return -ESTALE;
	default:
		error_set(error,
			  "this version of throng cannot read the run's file \"%s\"; remove the "
			  "run with the version of throng that started the run, or by hand",
			  path);
		return -EINVAL;
	}
}

/* Lock the run file, so that no other cleaner removes the run. Return the lock,
 * -1 if the target has none, or another -errno with `error` set. */
static int lock(struct tree *tree, const char *name, struct error *error)
{
	char text[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];
	int fd;

	if (tree->backend->hold == NULL)
		return -1;
	run_file_path(name, text);
	fd = tree->backend->hold(tree->session, &(struct backend_path){.text = text});
	if (fd >= 0 || fd == -EOPNOTSUPP)
		return fd >= 0 ? fd : -1;
	error_set(error, "cannot lock \"%s\": %s", text,
		  fd == -EPERM    ? "the file belongs to another account"
		  : fd == -EAGAIN ? "another process has locked the file"
				  : strerror(-fd));
	return fd;
}

/* Check the account that has written a run file. Return 0, or -EPERM with
 * `error` set. */
static int check_owner(const struct run_file *file, bool force, struct error *error)
{
	char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];

	/* Only a directory of --workdir can be one that others have made. */
	if (file->owner == OWNER_SELF || force ||
	    (file->owner == OWNER_UNKNOWN && file->workdir[0] == '\0'))
		return 0;
	run_file_path(file->name, path);
	error_set(error,
		  file->owner == OWNER_OTHER
			  ? "\"%s\" belongs to another account"
			  : "\"%s\" may belong to another account, because this target does not "
			    "show owners; if the file is yours, use --force",
		  path);
	return -EPERM;
}

int survey_remove(struct tree *tree, const struct target *target, const char *name,
		  const struct identity *self, bool force, struct error *error)
{
	struct survey_entry entry;
	int lock_fd, rc;

	rc = survey_one(tree, name, self, &entry);
	if (rc == -ENOENT)
		error_set(error,
			  "the target has no run \"%s\"; throng clean without a NAME lists the "
			  "runs of the target",
			  name);
	else
		rc = check(&entry, force, error);
	if (rc < 0)
		return rc;
	lock_fd = lock(tree, name, error);
	if (error->set)
		return lock_fd;
	rc = check_owner(&entry.file, force && lock_fd < 0, error);
	if (entry.device != 0)
		entry.file.device = entry.device;
	if (rc == 0)
		rc = rundir_remove(tree, target, &entry.file, error);
	if (lock_fd >= 0)
		close(lock_fd);
	return rc == -ENOENT && !error->set ? 0 : rc < 0 ? rc : 0;
}
