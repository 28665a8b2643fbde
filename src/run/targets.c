/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/targets.h"

#include "base/process.h"
#include "play/cold.h"
#include "play/verification.h"
#include "program/outcome.h"
#include "words/layout.h"
#include "workdir/workdir.h"
#include "workdir/workdir_dbench.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELPER_DEADLINE_NS (60 * NS_PER_S)
#define LOCAL_DEADLINE_NS (3600 * NS_PER_S)
/* The time that a helper process may take in all: some targets never run out of
 * names to remove. */
#define HELPER_TOTAL_NS (6 * 3600 * NS_PER_S)
/* Time added to the client library's own timeout, which should expire first. */
#define GRACE_NS (10 * NS_PER_S)

/* The argument and the result of a helper process, in shared memory. */
struct helper {
	const struct workers_plan *plan;
	const struct target *target;
	int sockets[2]; /* the helper sends the lock through them */
	bool *absent;   /* as in struct workers_target */
	bool claiming;  /* the claim has begun: there may be files */
	/* Result of the claim; its lock_fd is a descriptor of the helper. */
	struct workdir_claim got;
	uint64_t steps;  /* grows with each removal */
	int unreachable; /* -errno of session_open; 0: no error */
	struct backend_facts facts;
	struct error error;
};

/* Open a session in a helper process. Return a tree that uses this session, or
 * NULL. */
static struct tree *open_tree(struct helper *helper)
{
	const struct target *target = helper->target;
	struct backend_session *session;
	struct tree *tree = NULL;
	const char *reason = NULL;
	int rc = target->backend->session_open(target, 0, &session);

	if (rc == 0)
		tree = tree_new(target->backend, session, &helper->steps);
	if (tree != NULL) {
		tree->patience_ns = TREE_PATIENCE_NS;
		return tree;
	}
	helper->unreachable = rc < 0 ? rc : -ENOMEM;
	if (target->backend->loss_reason != NULL)
		reason = target->backend->loss_reason(NULL);
	error_set(&helper->error, "cannot open \"%s\": %s%s%s%s", target->url,
		  strerror(-helper->unreachable), reason != NULL ? " (" : "",
		  reason != NULL ? reason : "", reason != NULL ? ")" : "");
	return tree;
}

static int probe(void *shared)
{
	struct helper *helper = shared;

	return helper->target->backend->probe(helper->target, &helper->facts, &helper->error);
}

static struct workdir_request request_of(const struct helper *helper)
{
	const struct workers_plan *plan = helper->plan;

	return (struct workdir_request){
		.names = &plan->loads->outside,
		.run = &plan->run,
		.first_user = plan->first_user,
		.users = plan->users_max,
		.use_existing = plan->use_existing,
		.take_over = plan->take_over,
		.absent = helper->absent,
	};
}

/* Claim the target, and send its lock to the parent. */
static int claim_marked(struct helper *helper, struct tree *tree)
{
	const struct workdir_request request = request_of(helper);
	int rc = workdir_claim(tree, &request, &helper->got, &helper->error);

	if (rc == 0 && helper->got.lock_fd >= 0)
		rc = process_send_descriptor(helper->sockets[1], helper->got.lock_fd);
	return rc;
}

static int claim(void *shared)
{
	struct helper *helper = shared;
	const struct workers_plan *plan = helper->plan;
	struct tree *tree = open_tree(helper);
	int rc;

	if (tree == NULL)
		return helper->unreachable;
	helper->claiming = true;
	if (!plan->dbench_workdir)
		return claim_marked(helper, tree);
	rc = workdir_dbench_claim(tree, &plan->loads->outside, &plan->run, helper->absent,
				  &helper->error);
	helper->got.claimed = rc == 0;
	return rc;
}

static int clean(void *shared)
{
	struct helper *helper = shared;
	const struct workdir_request request = request_of(helper);
	struct tree *tree = open_tree(helper);

	if (tree == NULL)
		return helper->unreachable;
	if (helper->plan->dbench_workdir)
		return workdir_dbench_release(tree, &helper->plan->loads->outside, helper->absent,
					      helper->plan->users, &helper->error);
	return workdir_remove(tree, &request, helper->got.made, &helper->error);
}

static bool was_cut_short(int rc)
{
	return rc == -EINTR || rc == -ETIMEDOUT || rc == -ECHILD;
}

/*
 * Return the time that a helper process may take without removing a file. It is
 * long enough for a client library to give up on a target that hangs, and for a
 * slow local operation.
 */
static uint64_t deadline_ns(int (*function)(void *), const struct target *target)
{
	uint64_t hanging_ns = 2 * target->timeout_s * NS_PER_S + GRACE_NS;

	if (function != probe && !target->backend->remote)
		return LOCAL_DEADLINE_NS;
	return hanging_ns > HELPER_DEADLINE_NS ? hanging_ns : HELPER_DEADLINE_NS;
}

/* Call probe, claim or clean in a helper process. */
static int run_helper(int (*function)(void *), const struct workers_plan *plan,
		      struct workers_target *on, bool interruptible, struct error *error)
{
	struct helper *helper = process_share(sizeof(*helper));
	const char *url = on->target->url;
	int rc;

	if (helper == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, helper->sockets) < 0) {
		rc = -errno;
		error_set(error, "%s: cannot create a socket pair: %s", url, strerror(errno));
		process_unshare(helper, sizeof(*helper));
		return rc;
	}
	helper->plan = plan;
	helper->target = on->target;
	helper->absent = on->absent;
	helper->got = (struct workdir_claim){.made = on->made, .lock_fd = -1};
	rc = process_call(function, helper, deadline_ns(function, on->target), &helper->steps,
			  HELPER_TOTAL_NS, interruptible, url, error);
	/* The messages of probe and open_tree name the target themselves. */
	if (helper->error.set && function != probe && helper->unreachable == 0)
		error_set(error, "%s: %s", url, helper->error.text);
	else if (helper->error.set && !error->set)
		*error = helper->error;
	if (function == probe)
		on->facts = helper->facts;
	if (function == claim) {
		/* The helper may have claimed the target before it was
		 * killed. */
		on->claimed = helper->got.claimed || (was_cut_short(rc) && helper->claiming);
		on->made = helper->got.made;
		on->trusted = helper->got.trusted;
		on->lock_fd = process_receive_descriptor(helper->sockets[0]);
		if (rc == 0 && helper->got.lock_fd >= 0 && on->lock_fd < 0)
			rc = -EMFILE;
	}
	/* Without a session, no file can be removed, whatever the reason: the
	 * same as if the target was lost. */
	if (function == clean && helper->unreachable != 0 && on->target->backend->remote)
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
		error_set(&why, "%s: no longer answers", on->target->url);
	else
		rc = run_helper(clean, plan, on, interruptible, &why);
	if (rc < 0 && outcome_is_loss(outcome_from_errno(-rc)))
		error_set(error, "%s; \"%s\" was not removed there; %s", why.text, CLIENTS_NAME,
			  on->trusted
				  ? "the next run from this machine on this target removes it and "
				    "the load's other files"
				  : "remove it and the load's other files when the target is back");
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

	/* In reverse order, since a target may lie in one claimed earlier. */
	for (i = count; i-- > 0;) {
		struct workers_target *on = &plan->targets[i];

		if (!on->claimed)
			continue;
		rc = clean_target(plan, on, interruptible, error);
		if (all == 0)
			all = rc;
	}
	return all;
}

/* Allocate on->absent in shared memory: a helper process fills it in. */
static int share_absent(const struct workers_plan *plan, struct workers_target *on,
			struct error *error)
{
	on->absent = process_share(plan->loads->outside.shared_count + 1);
	if (on->absent != NULL)
		return 0;
	error_set(error, "out of memory");
	return -ENOMEM;
}

/* Probe a target and claim it. */
static int probe_target(const struct workers_plan *plan, struct workers_target *on,
			struct error *error)
{
	int rc = share_absent(plan, on, error);

	if (rc == 0)
		rc = run_helper(probe, plan, on, true, error);
	if (rc == 0 && plan->phases.cold)
		rc = cold_check(on, error);
	if (rc == 0 && plan->verify)
		rc = verification_check(on, error);
	if (rc == 0 && on->target->backend->answers)
		rc = run_helper(claim, plan, on, true, error);
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

		if (on->lock_fd >= 0)
			close(on->lock_fd);
		on->lock_fd = -1;
		process_unshare(on->absent, plan->loads->outside.shared_count + 1);
		on->absent = NULL;
	}
}
