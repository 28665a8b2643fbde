/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/targets.h"

#include "base/process.h"
#include "play/cold.h"
#include "play/verification.h"
#include "program/outcome.h"
#include "workdir/remove.h"
#include "workdir/survey.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The time that a helper process may take in all: some targets never run out of
 * names to remove. */
#define HELPER_TOTAL_NS (6 * 3600 * NS_PER_S)
/* Finding out what a target is takes a few calls only. */
#define PROBE_DEADLINE_NS (60 * NS_PER_S)

/* The argument and the result of a helper process, in shared memory. */
struct helper {
	const struct workers_plan *plan;
	const struct target *target;
	int sockets[2]; /* the helper sends the lock through them */
	uint64_t steps; /* grows with each removal */
	bool opened;    /* the session with the target was opened */
	struct survey survey;
	/* The parts of struct workers_target that the helper fills in. The
	 * claim's lock_fd is a descriptor of the helper. */
	struct workers_target on;
	struct error error;
};

static int probe(void *shared)
{
	struct helper *helper = shared;
	struct target target = *helper->target;

	target.read_only = helper->plan->read_only;
	return target.backend->probe(&target, &helper->on.facts, &helper->error);
}

/* Check if a name is one that our run has chosen. Its run file may not be written yet:
 * this may be a second URL of a target of ours, or the target of another host. */
static bool is_ours(const struct identity *run, const struct survey_entry *entry)
{
	char name[RUN_NAME_SIZE];
	unsigned part;

	for (part = 0; part < 4 && entry->file.run.id[0] == '\0'; part++) {
		run_name_of(run, part, name);
		if (strcmp(entry->file.name, name) == 0)
			return true;
	}
	return strcmp(entry->file.run.id, run->id) == 0;
}

/* Find out which directories other runs have at the target. */
static void look_around(struct helper *helper, struct tree *tree)
{
	struct workers_target *on = &helper->on;
	unsigned i;

	/* Some directories cannot be listed. */
	if (survey_take(tree, &helper->plan->run, SURVEY_NAMES_MAX, &helper->survey) < 0)
		return;
	on->more_others = helper->survey.cut;
	for (i = 0; i < helper->survey.count; i++) {
		const struct survey_entry *entry = &helper->survey.entries[i];

		if (is_ours(&helper->plan->run, entry))
			continue;
		on->others++;
		on->in_use |= entry->state == SURVEY_RUNNING;
	}
}

/* Check if a shared name contains variables or random strings. */
static bool is_computed(const struct shared *names, size_t index)
{
	return names->computed && strchr(names->names.keys[index].bytes, '$') != NULL;
}

/*
 * Refuse a load that would change files that exist in the directory of
 * --workdir, which the session has entered. The target itself is checked
 * before, by sweep_check.
 */
static int check_existing(const struct helper *helper, struct tree *tree, struct error *error)
{
	const struct shared *names = &helper->plan->loads->shared;
	struct backend_attributes attributes;
	size_t i;

	if (helper->plan->use_existing || helper->on.claim.file.made)
		return 0;
	for (i = 0; i < names->names.count; i++) {
		const struct backend_path path = {.text = names->names.keys[i].bytes};

		/* A computed name may be any. */
		if (!names->changed[i] ||
		    (!is_computed(names, i) &&
		     tree->backend->stat(tree->session, &path, &attributes) == -ENOENT))
			continue;
		error_set(error,
			  is_computed(names, i)
				  ? "the load would change \"%s/%s\", which may exist already; use "
				    "--use-existing to allow this change"
				  : "the load would change \"%s/%s\", which exists already; use "
				    "--use-existing to allow this change",
			  helper->plan->workdir, path.text);
		return -EEXIST;
	}
	return 0;
}

/* Check that no other run lists the users' directories in the directory of
 * --workdir as its own, or cleaning up that run would remove ours. */
static int check_users(struct helper *helper)
{
	const struct workers_plan *plan = helper->plan;
	struct run_file file = {
		.run = plan->run,
		.first_user = plan->first_user,
		.users = plan->users_max,
	};
	const struct run_file *other;

	if (plan->workdir == NULL)
		return 0;
	snprintf(file.workdir, sizeof(file.workdir), "%s", plan->workdir);
	other = survey_find_users(&helper->survey, &file);
	if (other == NULL)
		return 0;
	error_set(&helper->error,
		  "this run needs directories of users in \"%s\" that the run %s uses or has not "
		  "removed; remove the run %s with throng clean, or choose another --workdir",
		  plan->workdir, other->name, other->name);
	return -EEXIST;
}

static int claim(void *shared)
{
	struct helper *helper = shared;
	const struct workers_plan *plan = helper->plan;
	struct rundir_claim *made = &helper->on.claim;
	const struct rundir_request request = {
		.run = &plan->run,
		.workdir = plan->workdir,
		.kept = plan->keep,
		.flush = plan->keep && plan->verify && !helper->on.facts.flushes_names,
		.like_dbench = plan->like_dbench,
		.first_user = plan->first_user,
		.users = plan->users_max,
	};
	struct tree *tree;
	int rc;

	/* Others may see whose directory it is, but not write there. dbench
	 * goes by the user's own umask. */
	if (!plan->like_dbench)
		umask(S_IWGRP | S_IWOTH);
	rc = tree_open(&tree, helper->target, &helper->steps, &helper->error);
	helper->opened = rc == 0;
	if (rc < 0)
		return rc;
	look_around(helper, tree);
	rc = check_users(helper);
	if (rc == 0)
		rc = rundir_claim(tree, &request, made, &helper->error);
	if (rc == 0 && plan->workdir != NULL && !made->second && !plan->like_dbench)
		rc = check_existing(helper, tree, &helper->error);
	if (rc == 0 && made->lock_fd >= 0)
		rc = process_send_descriptor(helper->sockets[1], made->lock_fd);
	tree_close(tree);
	return rc;
}

/* List the names that the load has left in the directory of --workdir. */
static void find_left(struct helper *helper, struct tree *tree)
{
	const struct shared *names = &helper->plan->loads->shared;
	char *left = helper->on.left;
	struct backend_attributes attributes;
	size_t i;

	for (i = 0; i < names->names.count; i++) {
		const struct backend_path path = {.text = names->names.keys[i].bytes};
		size_t used = strlen(left), room = sizeof(helper->on.left) - used;

		if (names->changed[i] &&
		    (is_computed(names, i) ||
		     tree->backend->stat(tree->session, &path, &attributes) == 0) &&
		    strlen(path.text) + strlen(", \"\"") < room)
			snprintf(left + used, room, "%s\"%s\"", used > 0 ? ", " : "", path.text);
	}
}

static int clean(void *shared)
{
	struct helper *helper = shared;
	const struct run_file *file = &helper->on.claim.file;
	struct tree *tree;
	int rc = tree_open(&tree, helper->target, &helper->steps, &helper->error);

	helper->opened = rc == 0;
	if (rc < 0)
		return rc;
	if (file->workdir[0] != '\0' && !file->made && !helper->plan->like_dbench &&
	    rundir_enter(tree, file) == 0) {
		find_left(helper, tree);
		rc = tree_reopen(tree, helper->target, &helper->error);
	}
	if (rc == 0)
		rc = rundir_remove(tree, helper->target, file, &helper->error);
	helper->opened = tree->session != NULL;
	helper->on.shared = rc == 1;
	if (rc == -ENOENT)
		error_set(&helper->error,
			  "the run's directory \"%s\" was removed or renamed by another program",
			  run_file_directory(file));
	tree_close(tree);
	return rc < 0 ? rc : 0;
}

/* Call probe, claim or clean in a helper process. */
static int run_helper(int (*function)(void *), const struct workers_plan *plan,
		      struct workers_target *on, bool interruptible, struct error *error)
{
	struct helper *helper = process_share(sizeof(*helper));
	const char *url = on->target->url;
	uint64_t deadline_ns = target_deadline_ns(on->target);
	int rc;

	if (helper == NULL)
		return error_no_memory(error);
	if (function == probe && !on->target->backend->remote)
		deadline_ns = PROBE_DEADLINE_NS;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, helper->sockets) < 0) {
		rc = -errno;
		error_set(error, "%s: cannot create a socket pair: %s", url, strerror(errno));
		process_unshare(helper, sizeof(*helper));
		return rc;
	}
	helper->plan = plan;
	helper->target = on->target;
	helper->on = *on;
	rc = process_call(function, helper, deadline_ns, &helper->steps, HELPER_TOTAL_NS,
			  interruptible, url, error);
	/* The messages of probe and tree_open name the target themselves. */
	if (helper->error.set && function != probe && helper->opened)
		error_set(error, "%s: %s", url, helper->error.text);
	else if (helper->error.set && !error->set)
		*error = helper->error;
	/* Also after a failure: the helper may have claimed the target before
	 * it was killed. */
	*on = helper->on;
	if (function == claim) {
		on->claim.lock_fd = process_receive_descriptor(helper->sockets[0]);
		if (rc == 0 && helper->on.claim.lock_fd >= 0 && on->claim.lock_fd < 0)
			rc = -EMFILE;
	}
	/* Without a session, no file can be removed, whatever the reason: the
	 * same as if the target was lost. */
	if (function == clean && !helper->opened)
		rc = -ENOTCONN;
	if (rc < 0)
		error_set(error, "%s: cannot %s the target: %s", url,
			  function == probe   ? "check"
			  : function == claim ? "prepare"
					      : "clean up",
			  strerror(-rc));
	close(helper->sockets[0]);
	close(helper->sockets[1]);
	process_unshare(helper, sizeof(*helper));
	return rc;
}

/*
 * Clean up a target. If the target no longer answers, don't wait for another
 * timeout, and only report the files that are left there.
 */
static int clean_target(const struct workers_plan *plan, struct workers_target *on,
			bool interruptible, struct error *error)
{
	struct error why = {0};
	int rc = on->gone;

	if (rc < 0)
		error_set(&why,
			  "%s: the target stopped answering during the run, so throng could not "
			  "clean up",
			  on->target->url);
	else
		rc = run_helper(clean, plan, on, interruptible, &why);
	if (rc < 0 && outcome_is_loss(outcome_from_errno(-rc)))
		error_set(error,
			  "%s; the run's directory \"%s\" was not removed; remove it with throng "
			  "clean when the target answers again",
			  why.text, on->claim.file.name);
	else if (rc < 0 && !error->set)
		*error = why;
	return rc;
}

/* Clean up `count` targets; report the first failure. */
static int clean_targets(const struct workers_plan *plan, unsigned count, bool interruptible,
			 struct error *error)
{
	unsigned i;
	int rc, all = 0;

	for (i = 0; i < count; i++) {
		struct workers_target *on = &plan->targets[i];

		if (!on->claim.begun)
			continue;
		rc = clean_target(plan, on, interruptible, error);
		if (all == 0)
			all = rc;
	}
	return all;
}

/*
 * Return the run file of the directory that contains a path, or NULL if it is
 * in no run's directory. `path` is absolute; cut it there. At a server, the
 * name of the directory is enough: its run file cannot be seen from inside.
 */
static const char *find_run(char *path, bool remote, char file[PATH_MAX])
{
	char name[RUN_NAME_SIZE], *component, *end;

	for (component = path; *component != '\0'; component = end) {
		component += strspn(component, "/");
		end = component + strcspn(component, "/");
		snprintf(name, sizeof(name), "%.*s", (int)(end - component), component);
		if (end - component != RUN_NAME_SIZE - 1 || !run_name_is_valid(name))
			continue;
		snprintf(file, PATH_MAX, "%.*s" RUN_FILE_ENDING, (int)(end - path), path);
		if (remote || access(file, F_OK) == 0)
			return file;
	}
	return NULL;
}

/* Refuse a target in the directory of a run, which will remove it. */
static int check_place(const struct target *target, struct error *error)
{
	bool remote = target->backend->remote;
	char path[PATH_MAX], file[PATH_MAX];

	if (remote)
		snprintf(path, sizeof(path), "%s", target->path);
	else if (realpath(target->path, path) == NULL)
		return 0;
	if (find_run(path, remote, file) == NULL)
		return 0;
	error_set(error,
		  "%s is inside the directory of another run (its run file is \"%s\"); choose "
		  "another target, or use --workdir . with a load that only reads",
		  target->url, file);
	return -EINVAL;
}

/* Probe a target and claim it. */
static int probe_target(const struct workers_plan *plan, struct workers_target *on,
			struct error *error)
{
	int rc = plan->read_only ? 0 : check_place(on->target, error);

	if (rc == 0)
		rc = run_helper(probe, plan, on, true, error);
	if (rc == 0 && plan->phases.cold)
		rc = cold_check(on, error);
	if (rc == 0 && plan->verify)
		rc = verification_check(on, error);
	if (rc == 0 && on->target->backend->answers && !plan->read_only)
		rc = run_helper(claim, plan, on, true, error);
	if (rc == 0 && plan->phases.cold)
		rc = cold_check_directory(plan, on, error);
	return rc;
}

int targets_probe(const struct workers_plan *plan, struct error *error)
{
	struct error ignored = {0};
	unsigned i;
	int rc = 0;

	for (i = 0; i < plan->target_count && rc == 0; i++)
		rc = probe_target(plan, &plan->targets[i], error);
	if (rc < 0)
		clean_targets(plan, i, true, &ignored);
	return rc;
}

int targets_clean_up(const struct workers_plan *plan, struct error *error)
{
	return clean_targets(plan, plan->target_count, false, error);
}

void targets_free(const struct workers_plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->target_count; i++) {
		struct workers_target *on = &plan->targets[i];

		if (on->claim.lock_fd >= 0)
			close(on->claim.lock_fd);
		on->claim.lock_fd = -1;
	}
}
