/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/errands.h"

#include "base/layout.h"
#include "engine/process.h"
#include "engine/unmarked.h"
#include "engine/workdir.h"
#include "program/outcome.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELPER_DEADLINE_NS (60 * NS_PER_S)
#define LOCAL_DEADLINE_NS (3600 * NS_PER_S)
/* A target that hangs is told by its library; this much later by us. */
#define GRACE_NS (10 * NS_PER_S)

/* A helper's argument and answer, in shared memory. */
struct errand {
	const struct crew_plan *plan;
	const struct target *target;
	int sockets[2]; /* the lock comes from one to the other */
	bool *absent; /* the target's */
	bool claiming; /* from here on there may be something to clean up */
	struct workdir_claim got; /* its descriptor is the helper's own */
	uint64_t steps; /* grows with each removal */
	int unreachable; /* -errno: no session could be opened */
	struct backend_facts facts;
	struct error error;
};

/* Opens a session for a helper process. Returns the tree, or NULL. */
static struct tree *open_tree(struct errand *errand)
{
	const struct target *target = errand->target;
	struct backend_session *session;
	struct tree *tree = NULL;
	int rc = target->backend->session_open(target, 0, &session);

	if (rc == 0)
		tree = tree_new(target->backend, session, &errand->steps);
	if (tree == NULL) {
		errand->unreachable = rc < 0 ? rc : -ENOMEM;
		error_set(&errand->error, "open \"%s\": %s", target->url,
			  strerror(-errand->unreachable));
	}
	return tree;
}

static int probe(void *shared)
{
	struct errand *errand = shared;

	return errand->target->backend->probe(errand->target, &errand->facts,
					      &errand->error);
}

static struct workdir_request request_of(const struct errand *errand)
{
	const struct crew_plan *plan = errand->plan;

	return (struct workdir_request){
		.program = plan->program,
		.run = &plan->run,
		.users = plan->users_max,
		.use_existing = plan->use_existing,
		.take_over = plan->take_over,
		.absent = errand->absent,
	};
}

/* Claim the target; the lock that comes with it is handed to the parent. */
static int claim_marked(struct errand *errand, struct tree *tree)
{
	const struct workdir_request request = request_of(errand);
	int rc = workdir_claim(tree, &request, &errand->got, &errand->error);

	if (rc == 0 && errand->got.lock_fd >= 0)
		rc = process_send_descriptor(errand->sockets[1],
					     errand->got.lock_fd);
	return rc;
}

static int claim(void *shared)
{
	struct errand *errand = shared;
	const struct crew_plan *plan = errand->plan;
	struct tree *tree = open_tree(errand);
	int rc;

	if (tree == NULL)
		return errand->unreachable;
	errand->claiming = true;
	if (!plan->unmarked)
		return claim_marked(errand, tree);
	rc = unmarked_claim(tree, plan->program, &plan->run, errand->absent,
			    &errand->error);
	errand->got.claimed = rc == 0;
	return rc;
}

static int clean(void *shared)
{
	struct errand *errand = shared;
	const struct workdir_request request = request_of(errand);
	struct tree *tree = open_tree(errand);

	if (tree == NULL)
		return errand->unreachable;
	if (errand->plan->unmarked)
		return unmarked_release(tree, errand->plan->program,
					errand->absent, errand->plan->users,
					&errand->error);
	return workdir_remove(tree, &request, errand->got.made,
			      &errand->error);
}

static bool was_cut_short(int rc)
{
	return rc == -EINTR || rc == -ETIMEDOUT || rc == -ECHILD;
}

/*
 * How long a helper process may go without a removal. A client library has
 * given up on a target that hangs by then; a local operation may take long.
 */
static uint64_t deadline_ns(int (*function)(void *),
			    const struct target *target)
{
	uint64_t hanging_ns = 2 * target->timeout_s * NS_PER_S + GRACE_NS;

	if (function != probe && !target->backend->remote)
		return LOCAL_DEADLINE_NS;
	return hanging_ns > HELPER_DEADLINE_NS ? hanging_ns
					       : HELPER_DEADLINE_NS;
}

/* Calls one of the functions above in a process of its own. */
static int run_errand(int (*function)(void *), const struct crew_plan *plan,
		      struct crew_target *on, bool interruptible,
		      struct error *error)
{
	struct errand *errand = process_share(sizeof(*errand));
	const char *url = on->target->url;
	int rc;

	if (errand == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0,
		       errand->sockets) < 0) {
		rc = -errno;
		error_set(error, "socketpair: %s", strerror(errno));
		process_unshare(errand, sizeof(*errand));
		return rc;
	}
	errand->plan = plan;
	errand->target = on->target;
	errand->absent = on->absent;
	errand->got = (struct workdir_claim){.made = on->made, .lock_fd = -1};
	rc = process_call(function, errand, deadline_ns(function, on->target),
			  &errand->steps, interruptible, url, error);
	if (errand->error.set && !error->set)
		*error = errand->error;
	if (function == probe)
		on->facts = errand->facts;
	if (function == claim) {
		/* Cut short, it may have claimed the target already. */
		on->claimed = errand->got.claimed ||
			      (was_cut_short(rc) && errand->claiming);
		on->made = errand->got.made;
		on->believed = errand->got.believed;
		on->lock_fd = process_receive_descriptor(errand->sockets[0]);
		if (rc == 0 && errand->got.lock_fd >= 0 && on->lock_fd < 0)
			rc = -EMFILE;
	}
	if (rc < 0)
		error_set(error, "%s: %s", url, strerror(-rc));
	close(errand->sockets[0]);
	close(errand->sockets[1]);
	process_unshare(errand, sizeof(*errand));
	return rc;
}

/*
 * Clean up a target, unless it no longer answers: that would take another
 * time-out. Report what is left there when it is gone.
 */
static int clean_target(const struct crew_plan *plan, struct crew_target *on,
			bool interruptible, struct error *error)
{
	struct error why = {0};
	int rc = on->gone;

	if (rc < 0)
		error_set(&why, "%s: no longer answers", on->target->url);
	else
		rc = run_errand(clean, plan, on, interruptible, &why);
	if (rc < 0 && outcome_is_loss(outcome_from_errno(-rc)))
		error_set(error, "%s; \"%s\" is left there; %s", why.text,
			  CLIENTS_NAME, on->believed
			  ? "the next run from this machine on this target "
			    "removes it and what else the load made"
			  : "remove it and what else the load made when the "
			    "target is back");
	else if (rc < 0 && !error->set)
		*error = why;
	return rc;
}

/* Cleans up `count` targets; the first failure is told. */
static int clean_targets(const struct crew_plan *plan, unsigned count,
			 bool interruptible, struct error *error)
{
	unsigned i;
	int rc, all = 0;

	/* Backwards: one may lie in another that was claimed before. */
	for (i = count; i-- > 0;) {
		struct crew_target *on = &plan->targets[i];

		if (!on->claimed)
			continue;
		rc = clean_target(plan, on, interruptible, error);
		if (all == 0)
			all = rc;
	}
	return all;
}

/* Sets aside what a probe notes there for the clean-up. */
static int share_absent(const struct crew_plan *plan, struct crew_target *on,
			struct error *error)
{
	on->absent = process_share(plan->program->shared_count + 1);
	if (on->absent != NULL)
		return 0;
	error_set(error, "out of memory");
	return -ENOMEM;
}

/* Probe a target and claim it. */
static int probe_target(const struct crew_plan *plan, struct crew_target *on,
			struct error *error)
{
	int rc = share_absent(plan, on, error);

	if (rc == 0)
		rc = run_errand(probe, plan, on, true, error);
	if (rc == 0 && on->target->backend->answers)
		rc = run_errand(claim, plan, on, true, error);
	return rc;
}

int errands_probe(const struct crew_plan *plan, struct error *error)
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

int errands_clean(const struct crew_plan *plan, struct error *error)
{
	return clean_targets(plan, plan->target_count, false, error);
}

void errands_free(const struct crew_plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->target_count; i++) {
		struct crew_target *on = &plan->targets[i];

		if (on->lock_fd >= 0)
			close(on->lock_fd);
		on->lock_fd = -1;
		process_unshare(on->absent, plan->program->shared_count + 1);
		on->absent = NULL;
	}
}
