/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/clean.h"

#include "base/clock.h"
#include "base/process.h"
#include "target/backend.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* The argument and the result of a helper process, in shared memory. */
struct helper {
	const struct clean *clean;
	const char *name; /* of the run to remove; NULL: list the runs */
	bool force;
	uint64_t steps;
	struct error error;
};

static int list(struct helper *helper, struct tree *tree)
{
	const struct clean *clean = helper->clean;
	int rc = survey_take(tree, &clean->self, UINT_MAX, clean->survey);

	if (rc < 0)
		error_set(&helper->error, "%s: cannot list the directory: %s", clean->target->url,
			  strerror(-rc));
	return rc;
}

static int work(void *shared)
{
	struct helper *helper = shared;
	const struct clean *clean = helper->clean;
	struct tree *tree;
	int rc = tree_open(&tree, clean->target, &helper->steps, &helper->error);

	if (rc < 0)
		return rc;
	rc = helper->name == NULL ? list(helper, tree)
				  : survey_remove(tree, clean->target, helper->name, &clean->self,
						  helper->force, &helper->error);
	tree_close(tree);
	return rc;
}

/* Work in a helper process. */
static int run_helper(const struct clean *clean, const char *name, bool force, struct error *error)
{
	const struct target *target = clean->target;
	struct helper *helper = process_share(sizeof(*helper));
	int rc;

	if (helper == NULL)
		return error_no_memory(error);
	helper->clean = clean;
	helper->name = name;
	helper->force = force;
	rc = process_call(work, helper, target_deadline_ns(target), &helper->steps, CLOCK_NEVER,
			  true, target->url, error);
	if (rc < 0 && helper->error.set)
		*error = helper->error;
	if (rc < 0)
		error_set(error, "%s: %s", target->url, strerror(-rc));
	process_unshare(helper, sizeof(*helper));
	return rc;
}

int clean_open(struct clean *clean, const struct target *target, struct error *error)
{
	*clean = (struct clean){.target = target};
	if (!target->backend->answers) {
		error_set(error,
			  "%s is a target without files, so there is nothing to clean; give "
			  "the path or URL of a directory",
			  target->url);
		return -EINVAL;
	}
	process_block_signals();
	clean->survey = process_share(sizeof(*clean->survey));
	if (clean->survey == NULL)
		return error_no_memory(error);
	if (identity_make(&clean->self) < 0) {
		error_set(error, "cannot get random bytes from the system");
		return -EIO;
	}
	return 0;
}

int clean_list(const struct clean *clean, struct error *error)
{
	return run_helper(clean, NULL, false, error);
}

int clean_remove(const struct clean *clean, const char *name, bool force, struct error *error)
{
	return run_helper(clean, name, force, error);
}

void clean_close(struct clean *clean)
{
	process_unshare(clean->survey, sizeof(*clean->survey));
}
