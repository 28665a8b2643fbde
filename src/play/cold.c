/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/cold.h"

#include "words/layout.h"

#include <errno.h>
#include <stdio.h>

int cold_check(const struct workers_target *on, struct error *error)
{
	const struct backend *backend = on->target->backend;
	const char *url = on->target->url;

	if (backend->drop_cache != NULL && on->facts.droppable)
		return 0;
	if (!backend->answers)
		error_set(error, "--cold: %s has no files whose cache could be dropped", url);
	else if (backend->remote)
		error_set(error,
			  "--cold: %s is a server, whose cache cannot be dropped from here; drop "
			  "the cache on the server, for example with --before COMMAND",
			  url);
	else if (on->facts.in_memory)
		error_set(error,
			  "--cold: %s is on %s, whose files exist only in memory; use a target on "
			  "a disk",
			  url, on->facts.kind);
	else
		error_set(
			error,
			"--cold: %s is on %s, which has a cache of its own that cannot be dropped",
			url, on->facts.kind);
	return -EOPNOTSUPP;
}

int cold_check_directory(const struct workers_plan *plan, const struct workers_target *on,
			 struct error *error)
{
	char directory[TARGET_BELOW];

	if (!plan->loads->shared.computed || plan->workdir == NULL || on->claim.file.made ||
	    on->claim.second)
		return 0;
	error_set(error,
		  "--cold: the load computes the names of its files, so throng cannot know which "
		  "files in %s to drop from the page cache; play the load without --workdir",
		  target_below(on->target, layout_workdir(plan->workdir), directory));
	return -EINVAL;
}

/* Drop a file, or all files below a directory, unless it does not exist. */
static int drop(struct replay *replay, const char *text)
{
	const struct backend_path path = {.text = text};
	int rc = replay->backend->drop_cache(replay->session, &path, &replay->own->steps);

	return rc == -ENOENT ? 0 : rc;
}

int cold_drop_own(struct replay *replay)
{
	char path[PATH_MAX];

	layout_home(replay->binding.user, path);
	return drop(replay, path);
}

bool cold_has_shared(const struct shared *shared)
{
	return shared->names.count > 0;
}

int cold_drop_shared(struct replay *replay, const struct shared *shared)
{
	int rc = 0;
	size_t i;

	if (shared->computed)
		return drop(replay, "");
	for (i = 0; i < shared->names.count && rc == 0; i++)
		rc = drop(replay, shared->names.keys[i].bytes);
	return rc;
}
