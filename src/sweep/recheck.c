/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/recheck.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/units.h"
#include "program/outcome.h"
#include "words/layout.h"

#include <errno.h>
#include <string.h>

/* The argument and the result of the process that checks a user. */
struct helper {
	const struct state_check *check;
	const struct target *target;
	const char *directory; /* of the run there */
	unsigned user;
	bool opened;    /* the session was opened */
	bool foreign;   /* the target does not have the run's directory */
	uint64_t steps; /* grows with each operation */
	struct state_report report;
};

static bool is_loss(int rc)
{
	return outcome_is_loss(outcome_from_errno(-rc));
}

/* Enter the directory of the run. Return -ENOENT or -ENOTDIR if it is not there; if
 * the target itself is the directory, if it has none of a run's. */
static int find_directory(const struct backend *backend, struct backend_session *session,
			  const char *name)
{
	const struct backend_path clients = {.text = CLIENTS_NAME};
	struct backend_attributes attributes;

	/* Its name is that of one run. So if it is there, what is missing in it
	 * was lost, even if this is everything. */
	if (name[0] != '\0')
		return backend->enter(session, name);
	return backend->stat(session, &clients, &attributes);
}

static int check_user(void *shared)
{
	struct helper *helper = shared;
	const struct backend *backend = helper->target->backend;
	struct backend_session *session;
	int rc = backend->session_open(helper->target, helper->user, &session);

	if (rc < 0)
		return rc;
	helper->opened = true;
	rc = find_directory(backend, session, helper->directory);
	helper->foreign = rc == -ENOENT || rc == -ENOTDIR;
	if (helper->foreign || (rc < 0 && is_loss(rc)))
		return rc;
	rc = state_check_user(helper->check, backend, session, helper->user, &helper->report,
			      &helper->steps);
	/* Every call to a lost target would run into its timeout. */
	if (rc == 0)
		backend->session_close(session);
	return rc;
}

/* Check the files of a user. Return 0, or -errno with `error` set. */
static int run_helper(struct recheck *recheck, struct helper *helper, struct error *error)
{
	const char *url = helper->target->url;
	const size_t target = helper->user % recheck->state.target_count;
	int rc = process_call(check_user, helper, target_deadline_ns(helper->target),
			      &helper->steps, CLOCK_NEVER, true, url, error);

	if (rc < 0 && !helper->opened)
		error_set(error, "cannot open \"%s\": %s", url, strerror(-rc));
	else if (helper->foreign)
		error_set(error,
			  "%s does not have the directory of the run; either all files are lost, "
			  "or the run was on another target (the run recorded %s)",
			  url, recheck->state.targets[target].url);
	else if (rc < 0)
		error_set(error, "%s: cannot read the files of user %u: %s", url, helper->user,
			  strerror(-rc));
	state_report_add(&recheck->report, &helper->report);
	recheck->users += rc == 0;
	return rc;
}

/* Check the users, one after the other. */
static enum recheck_end check_users(struct recheck *recheck, const struct state_check *check,
				    const struct target *targets, unsigned count,
				    struct error *error)
{
	const struct state *state = &recheck->state;
	bool opened = false, foreign = false;
	size_t i;
	int rc = 0;

	for (i = 0; i < state->file_count && rc == 0; i++) {
		unsigned user = state->files[i].user;
		struct helper *helper;

		if (i > 0 && user == state->files[i - 1].user)
			continue;
		helper = process_share(sizeof(*helper));
		if (helper == NULL) {
			rc = error_no_memory(error);
			break;
		}
		helper->check = check;
		helper->target = &targets[user % count];
		helper->directory = state->targets[user % count].directory;
		helper->user = user;
		rc = run_helper(recheck, helper, error);
		opened = opened || helper->opened;
		foreign = helper->foreign;
		process_unshare(helper, sizeof(*helper));
	}
	if (rc == 0)
		return RECHECK_DONE;
	return opened && !foreign ? RECHECK_LOST : RECHECK_REFUSED;
}

/* Check that the state is one of a run on as many targets. */
static int check_targets(const struct state *state, const char *path, const struct target *targets,
			 unsigned count, struct error *error)
{
	unsigned i;

	if (state->target_count != count)
		error_set(error,
			  "\"%s\" is the state of a run on %zu %s, but %u %s given; give all "
			  "targets in the order of the command line of the run",
			  path, state->target_count,
			  units_plural(state->target_count, "target", "targets"), count,
			  units_plural(count, "target is", "targets are"));
	for (i = 0; i < count; i++)
		if (!targets[i].backend->answers)
			error_set(
				error,
				"%s is a target without files, so there is nothing to verify; give "
				"the path or URL of a directory",
				targets[i].url);
	return error->set ? -EINVAL : 0;
}

enum recheck_end recheck_run(struct recheck *recheck, const char *path,
			     const struct target *targets, unsigned count, struct error *error)
{
	struct state_check check = {.is_loss = is_loss};
	enum recheck_end end = RECHECK_REFUSED;

	*recheck = (struct recheck){.users = 0};
	process_block_signals();
	if (state_read(path, &recheck->state, error) < 0 ||
	    check_targets(&recheck->state, path, targets, count, error) < 0)
		return RECHECK_REFUSED;
	if (state_check_open(&check, &recheck->state) < 0)
		error_no_memory(error);
	else
		end = check_users(recheck, &check, targets, count, error);
	state_check_close(&check);
	return end;
}

int recheck_check_place(const char *what, const char *path, struct error *error)
{
	return state_check_place(what, path, error);
}

void recheck_free(struct recheck *recheck)
{
	state_free(&recheck->state);
}
