/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/errands.h"

#include "engine/process.h"
#include "engine/unmarked.h"
#include "engine/workdir.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PROBE_DEADLINE_NS (60 * NS_PER_S)
#define CLEAN_DEADLINE_NS (3600 * NS_PER_S)
/* A target that hangs is told by its library; this much later by us. */
#define GRACE_NS (10 * NS_PER_S)

/* A helper's argument and answer, in shared memory. */
struct errand {
	const struct crew_plan *plan;
	const struct target *target;
	pid_t owner;
	bool claiming; /* from here on there may be something to clean up */
	bool claimed;
	struct backend_facts facts;
	struct error error;
};

/* Opens a session for a helper process. Returns the tree, or NULL. */
static struct tree *open_tree(struct errand *errand, uint64_t *steps)
{
	const struct target *target = errand->target;
	struct backend_session *session;
	struct tree *tree = NULL;
	int rc = target->backend->session_open(target, 0, &session);

	if (rc == 0)
		tree = tree_new(target->backend, session, steps);
	if (tree == NULL)
		error_set(&errand->error, "open \"%s\": %s", target->url,
			  strerror(rc < 0 ? -rc : ENOMEM));
	return tree;
}

static int probe(void *shared)
{
	struct errand *errand = shared;
	const struct crew_plan *plan = errand->plan;
	uint64_t steps = 0;
	struct tree *tree;
	int rc;

	rc = errand->target->backend->probe(errand->target, &errand->facts,
					    &errand->error);
	if (rc < 0 || !errand->target->backend->answers)
		return rc;
	tree = open_tree(errand, &steps);
	if (tree == NULL)
		return -EIO;
	errand->claiming = true;
	if (plan->unmarked) {
		rc = unmarked_claim(tree, &errand->error);
		errand->claimed = rc == 0;
		return rc;
	}
	return workdir_claim(tree, plan->program, errand->owner,
			     plan->use_existing, &errand->claimed,
			     &errand->error);
}

static int clean(void *shared)
{
	struct errand *errand = shared;
	uint64_t steps = 0;
	struct tree *tree = open_tree(errand, &steps);

	if (tree == NULL)
		return -EIO;
	if (errand->plan->unmarked)
		return unmarked_release(tree, errand->plan->users,
					&errand->error);
	return workdir_remove(tree, errand->owner, &errand->error);
}

static bool was_cut_short(int rc)
{
	return rc == -EINTR || rc == -ETIMEDOUT || rc == -ECHILD;
}

/* Calls one of the two above in a process of its own. */
static int run_errand(int (*function)(void *), const struct crew_plan *plan,
		      struct crew_target *on, uint64_t deadline_ns,
		      bool interruptible, struct error *error)
{
	struct errand *errand = process_share(sizeof(*errand));
	const char *url = on->target->url;
	int rc;

	if (errand == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	errand->plan = plan;
	errand->target = on->target;
	errand->owner = getpid();
	rc = process_call(function, errand, deadline_ns, NULL, interruptible,
			  url, error);
	if (errand->error.set && !error->set)
		*error = errand->error;
	if (rc < 0)
		error_set(error, "%s: %s", url, strerror(-rc));
	if (function == probe) {
		on->facts = errand->facts;
		/* Cut short, it may have claimed the target already. */
		on->claimed = errand->claimed ||
			      (was_cut_short(rc) && errand->claiming);
	}
	process_unshare(errand, sizeof(*errand));
	return rc;
}

/* What a helper process may take that asks the target a few things. */
static uint64_t probe_deadline_ns(const struct target *target)
{
	uint64_t hanging_ns = 2 * target->timeout_s * NS_PER_S + GRACE_NS;

	return hanging_ns > PROBE_DEADLINE_NS ? hanging_ns
					      : PROBE_DEADLINE_NS;
}

/* Cleans up `count` targets; the first failure is told. */
static int clean_targets(const struct crew_plan *plan, unsigned count,
			 uint64_t deadline_ns, bool interruptible,
			 struct error *error)
{
	unsigned i;
	int rc, all = 0;

	/* Backwards: one may lie in another that was claimed before. */
	for (i = count; i-- > 0;) {
		struct crew_target *on = &plan->targets[i];

		if (!on->claimed)
			continue;
		rc = run_errand(clean, plan, on, deadline_ns, interruptible,
				error);
		if (all == 0)
			all = rc;
	}
	return all;
}

int errands_probe(const struct crew_plan *plan, struct error *error)
{
	struct error ignored = {0};
	unsigned i;
	int rc = 0;

	for (i = 0; i < plan->target_count && rc == 0; i++) {
		struct crew_target *on = &plan->targets[i];

		rc = run_errand(probe, plan, on,
				probe_deadline_ns(on->target), true, error);
	}
	if (rc < 0)
		clean_targets(plan, i, PROBE_DEADLINE_NS, true, &ignored);
	return rc;
}

int errands_clean(const struct crew_plan *plan, struct error *error)
{
	return clean_targets(plan, plan->target_count, CLEAN_DEADLINE_NS,
			     false, error);
}
