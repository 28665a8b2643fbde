/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/resume.h"

#include "base/units.h"
#include "compare/comparable.h"
#include "stats/summary.h"
#include "result/variant.h"
#include "target/backends.h"

#include <errno.h>
#include <string.h>

static int check_targets(const char *path, const struct result_variant *old,
			 const struct run_targets *targets, struct error *error)
{
	unsigned i;

	if (old->target_count != targets->count) {
		error_set(error,
			  "--resume: %u %s given, but %s was measured on %zu; give all targets of "
			  "the run that wrote %s",
			  targets->count, units_plural(targets->count, "target is", "targets are"),
			  path, old->target_count, path);
		return -EINVAL;
	}
	for (i = 0; i < targets->count; i++) {
		const char *was = old->targets[i].client.name;
		const char *now = backends_client(targets->list[i].row);

		if (strcmp(old->targets[i].url, targets->list[i].url) != 0) {
			error_set(error,
				  "--resume: %s was measured on %s, not on %s; give all targets of "
				  "the run that wrote %s",
				  path, old->targets[i].url, targets->list[i].url, path);
			return -EINVAL;
		}
		/* The URLs are the same, so they do not name the client. */
		if (was == NULL || now == NULL || strcmp(was, now) == 0)
			continue;
		error_set(error,
			  "--resume: %s was measured with the SMB client %s, but the default "
			  "client here is %s; choose the client with client= in the URL",
			  path, was, now);
		return -EINVAL;
	}
	return 0;
}

/* Keep the label, the notes and the tables of the old result, unless the command line
 * has others. */
static void keep_label(struct result_run *run, struct result_run *old)
{
	if (run->label[0] == '\0')
		strcpy(run->label, old->label);
	if (run->table_count == 0) {
		run->tables = old->tables;
		run->table_count = old->table_count;
		old->tables = NULL;
		old->table_count = 0;
	}
	if (run->note_count > 0)
		return;
	run->notes = old->notes;
	run->note_count = old->note_count;
	old->notes = NULL;
	old->note_count = 0;
}

static void move_points(struct result *result, struct result *old)
{
	struct result_run *run = &result->run;
	size_t i, j;

	result_drop_invalid(old);
	result->points = old->points;
	result->point_count = old->point_count;
	result->names = old->names;
	old->points = NULL;
	old->point_count = 0;
	old->names = (struct intern){0};
	for (i = 0; i < result->point_count; i++)
		for (j = 0; j < result->points[i].repeat_count; j++)
			if (result->points[i].repeats[j].order > run->measured)
				run->measured = result->points[i].repeats[j].order;
	memcpy(run->started, old->run.started, sizeof(run->started));
	memcpy(run->ended, old->run.ended, sizeof(run->ended));
	run->resumed = old->run.resumed;
	run->busy_before = old->run.busy_before;
}

int resume_load(struct run_options *options, const struct run_targets *targets,
		struct result *result, struct error *error)
{
	const char *const names[] = {options->resume, "this run"};
	struct result old = {0};
	size_t i;
	int rc = summary_read(options->resume, &old, error);

	if (rc == 0 && !options_given(&options->given, "seed")) {
		options->measure.settings.seed = old.run.seed;
		result->run.seed = old.run.seed;
	}
	if (rc == 0)
		rc = check_targets(options->resume, &old.run.variants[0], targets, error);
	if (rc == 0)
		rc = comparable_planned(&old.run, &result->run, names, error);
	/* Without --output, write the result to the file that was resumed. */
	if (rc == 0 && options->outputs == NULL)
		options->outputs = options_texts(&options->given, "resume");
	if (rc == 0) {
		/* The description of the targets holds until they are
		 * contacted. */
		for (i = 0; i < old.run.variant_count; i++)
			variant_move_targets(&result->run.variants[i], &old.run.variants[i]);
		keep_label(&result->run, &old.run);
		move_points(result, &old);
	}
	result_free(&old);
	return rc;
}
