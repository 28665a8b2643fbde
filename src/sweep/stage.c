/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/stage.h"

#include "base/message.h"
#include "base/units.h"
#include "result/variant.h"
#include "sweep/fitting.h"
#include "target/backends.h"
#include "workdir/survey.h"

#include <stdlib.h>
#include <string.h>

/* In the place of a target's kind, as long as it is unknown. */
#define NOT_CONTACTED "not contacted"

/* Return the max user count of the settings. */
static unsigned max_users(const struct settings *settings)
{
	unsigned max = 0;
	size_t i;

	for (i = 0; i < settings->user_count_count; i++)
		if (settings->user_counts[i] > max)
			max = settings->user_counts[i];
	return max;
}

/* The space that the users of a target need for their files. */
struct need {
	uint64_t bytes;
	unsigned users;
};

static struct need need_of(const struct workers_plan *plan, const struct workers_target *on)
{
	struct need need = {0};
	size_t i;

	for (i = 0; i < plan->loads->count; i++) {
		const struct load *load = &plan->loads->list[i];
		unsigned before = need.users, user;

		for (user = 0; user < plan->users_max; user++) {
			if (workers_target_of(plan, user) != on ||
			    workers_load_of(plan, user) != load)
				continue;
			need.bytes += load->profile->footprint_bytes;
			need.users++;
		}
		if (need.users > before)
			need.bytes += load->profile->shared_footprint_bytes;
	}
	return need;
}

/* Check if an earlier variant needs the same space on the same target. */
static bool has_been_checked(const struct stage *stage, size_t index, const char *url,
			     const struct need *need)
{
	size_t variant;
	unsigned i;

	for (variant = 0; variant < index && stage->fits[variant].done; variant++) {
		const struct workers_plan *plan = &stage->plans[variant];

		for (i = 0; i < plan->target_count; i++) {
			const struct workers_target *on = &plan->targets[i];
			struct need other = need_of(plan, on);

			if (strcmp(on->target->url, url) == 0 && other.bytes == need->bytes &&
			    other.users == need->users)
				return true;
		}
	}
	return false;
}

/* Warn if a target may not have enough free space for its users' files. */
static void check_space(const struct stage *stage, size_t index, const struct workers_target *on)
{
	const struct workers_plan *plan = &stage->plans[index];
	struct need need = need_of(plan, on);
	char needed[UNITS_TEXT], there[UNITS_TEXT];

	if (on->target->backend->answers && !stage->steps->settings->quiet &&
	    need.bytes > on->facts.free_bytes &&
	    !has_been_checked(stage, index, on->target->url, &need))
		message_warning("%s: only %s are free, but %s files take %s with %u %s",
				on->target->url, units_print_bytes(on->facts.free_bytes, there),
				plan->loads->count > 1 ? "these loads'" : "this load's",
				units_print_bytes(need.bytes, needed), need.users,
				need.users == 1 ? "user" : "users");
}

/* Describe the client that plays on a target, if it is an SMB share. */
static struct result_client describe_client(const struct workers_target *on)
{
	const char *name = backends_client(on->target->row);
	const char *algorithm = on->facts.algorithm;

	return (struct result_client){
		.name = name != NULL ? strdup(name) : NULL,
		.algorithm = algorithm[0] != '\0' ? strdup(algorithm) : NULL,
	};
}

static struct result_target describe_target(const struct workers_target *on, bool keep)
{
	const struct backend *backend = on->target->backend;

	return (struct result_target){
		.url = strdup(on->target->url),
		.backend = strdup(on->target->row->name),
		.library = strdup(on->target->row->library),
		.library_version = strdup(backend->library_version()),
		.kind = strdup(on->facts.kind),
		.protection = strdup(on->facts.protection),
		.client = describe_client(on),
		.free_bytes = on->facts.free_bytes,
		.in_memory = on->facts.in_memory,
		.answers = backend->answers,
		.remote = backend->remote,
		.directory = keep && on->claim.begun ? strdup(run_file_directory(&on->claim.file))
						     : NULL,
		.in_use = on->in_use,
	};
}

/* Describe the targets of a variant. */
static int describe_targets(const struct stage *stage, size_t index, struct result_variant *variant,
			    struct error *error)
{
	const struct workers_plan *plan = &stage->plans[index];
	unsigned i;

	variant_forget_targets(variant);
	variant->targets = calloc(plan->target_count, sizeof(*variant->targets));
	if (variant->targets == NULL)
		return error_no_memory(error);
	variant->target_count = plan->target_count;
	for (i = 0; i < plan->target_count; i++) {
		variant->targets[i] = describe_target(&plan->targets[i], plan->keep);
		check_space(stage, index, &plan->targets[i]);
	}
	return 0;
}

/* Describe targets that have not been contacted like those of a variant that
 * differs only in variables. */
static int expect_same(struct result_run *run, size_t index, struct error *error)
{
	const struct result_variant *of = &run->variants[index];
	size_t i;
	int rc = 0;

	for (i = 0; i < run->variant_count && rc == 0; i++) {
		struct result_variant *like = &run->variants[i];

		if (strcmp(like->targets[0].kind, NOT_CONTACTED) == 0 &&
		    variant_is_like(of->set, of->set_count, like->set, like->set_count))
			rc = variant_copy_targets(like, of);
	}
	return rc < 0 ? error_no_memory(error) : 0;
}

/* Describe a variant's targets in the result and fit its loads to them. */
static int describe(struct stage *stage, size_t index, struct error *error)
{
	const struct steps_side *side = stage->side;
	struct result_run *run = &side->result->run;
	struct result_variant *variant = &run->variants[index];
	struct stage_fit *fit = &stage->fits[index];
	struct loads *loads = side->variants[index].loads;
	int rc = describe_targets(stage, index, variant, error);

	if (rc == 0 && side->result->run.variant_count > 1)
		fit->given = fitting_hash(loads);
	if (rc == 0)
		rc = fitting_apply(loads, &stage->plans[index], stage->steps->settings->strict,
				   variant, error);
	if (rc == 0)
		rc = fitting_streams(loads, &stage->plans[index], variant, error);
	if (rc == 0)
		rc = fitting_describe(loads, &stage->plans[index], variant, error);
	if (rc == 0 && side->result->run.variant_count > 1)
		fit->fitted = fitting_hash(loads);
	fit->done = true;
	return rc < 0 ? rc : expect_same(run, index, error);
}

int stage_describe(const struct steps_side *side, struct error *error)
{
	size_t index;
	unsigned i;

	for (index = 0; index < side->result->run.variant_count; index++) {
		const struct steps_variant *of = &side->variants[index];
		struct result_variant *variant = &side->result->run.variants[index];
		struct workers_target on = {
			.facts = {.kind = NOT_CONTACTED, .free_bytes = UINT64_MAX},
		};

		if (variant->targets != NULL)
			continue;
		variant->targets = calloc(of->target_count, sizeof(*variant->targets));
		if (variant->targets == NULL)
			return error_no_memory(error);
		variant->target_count = of->target_count;
		for (i = 0; i < of->target_count; i++) {
			on.target = &of->targets[i];
			variant->targets[i] = describe_target(&on, false);
		}
	}
	return 0;
}

static struct workers_target new_target(const struct target *target)
{
	return (struct workers_target){.target = target, .claim = {.lock_fd = -1}};
}

static int open_plan(const struct stage *stage, size_t index, struct workers_plan *plan)
{
	const struct steps_variant *variant = &stage->side->variants[index];
	const struct settings *settings = stage->steps->settings;
	unsigned i;

	*plan = (struct workers_plan){
		.side = (unsigned)(stage->side - stage->steps->sides),
		.variant = index,
		.loads = variant->loads,
		.from_start = settings->phases.from_start || phases_in_loops(&settings->phases),
		.targets = calloc(variant->target_count, sizeof(struct workers_target)),
		.target_count = variant->target_count,
		.users_max = max_users(settings),
		.phases = settings->phases,
		.seed = settings->seed,
		.mismatches_allowed = settings->mismatches_allowed,
		.keep = settings->keep,
		.use_existing = settings->use_existing,
		.workdir = settings->workdir,
		.like_dbench = settings->like_dbench,
		.read_only = settings->workdir != NULL && strcmp(settings->workdir, ".") == 0 &&
			     !settings->like_dbench && !variant->loads->shared.changes,
		.postpone = settings->postpone,
		.verify = settings->verify,
		.bytes_per_s = settings->bytes_per_s,
		.service_times = settings->service_times,
		.one_stream = settings->one_stream,
		.log_loops = settings->log_loops,
		.each_user = settings->each_user,
	};
	if (plan->targets == NULL) {
		plan->target_count = 0;
		return -1;
	}
	for (i = 0; i < plan->target_count; i++)
		plan->targets[i] = new_target(&variant->targets[i]);
	return 0;
}

int stage_open(struct stage *stage, const struct steps *steps, unsigned number, struct error *error)
{
	const struct settings *settings = steps->settings;
	const struct steps_side *side = &steps->sides[number];
	uint32_t io_bytes_max = 0;
	size_t i;

	*stage = (struct stage){
		.steps = steps,
		.side = side,
		.plans = calloc(side->result->run.variant_count, sizeof(*stage->plans)),
		.fits = calloc(side->result->run.variant_count, sizeof(*stage->fits)),
		.claimed = SIZE_MAX,
	};
	if (stage->plans == NULL || stage->fits == NULL)
		return error_no_memory(error);
	for (i = 0; i < side->result->run.variant_count; i++) {
		uint32_t bytes = loads_io_bytes_max(side->variants[i].loads);

		if (open_plan(stage, i, &stage->plans[i]) < 0)
			return error_no_memory(error);
		io_bytes_max = bytes > io_bytes_max ? bytes : io_bytes_max;
	}
	stage->pool = data_pool_new(settings->data, io_bytes_max,
				    settings->data == DATA_FIXED ? settings->data_fixed
								 : settings->seed);
	if (stage->pool == NULL)
		return error_no_memory(error);
	for (i = 0; i < side->result->run.variant_count; i++)
		stage->plans[i].pool = stage->pool;
	return 0;
}

/* Add the values of the variant to an error, if there are several variants. */
static void explain(const struct stage *stage, size_t variant, struct error *error)
{
	const struct result_run *run = &stage->side->result->run;
	char set[VARIANT_TEXT];
	struct error why = {0};

	if (stage->side->result->run.variant_count < 2)
		return;
	error_set(&why, "with %s: %s",
		  variant_print(run->variants[variant].set, run->variants[variant].set_count, set),
		  error->text);
	*error = why;
}

/* Print a note about the directories of other runs, once. */
static void note_others(struct stage *stage, const struct workers_plan *plan)
{
	unsigned i;

	for (i = 0; i < plan->target_count && !stage->noted && !stage->steps->settings->quiet;
	     i++) {
		const struct workers_target *on = &plan->targets[i];

		if (on->others == 0 && on->more_others)
			message_note("%s has more than %d names, so throng may not see the "
				     "directories of other runs",
				     on->target->url, SURVEY_NAMES_MAX);
		if (on->others == 0)
			continue;
		message_note("%s: the target has %s%u %s of other or earlier runs; \"throng clean "
			     "%s\" lists %s",
			     on->target->url, on->more_others ? "more than " : "", on->others,
			     units_plural(on->others, "directory", "directories"), on->target->url,
			     units_plural(on->others, "it", "them"));
	}
	stage->noted = true;
}

/* Print where the files of a run are that were kept. */
static void note_kept(const struct workers_plan *plan)
{
	char directory[TARGET_BELOW];
	unsigned i;

	for (i = 0; i < plan->target_count; i++) {
		const struct workers_target *on = &plan->targets[i];
		const struct run_file *file = &on->claim.file;

		if (on->claim.begun)
			message_note("kept %s; \"throng clean %s %s\" removes %s",
				     target_below(on->target, run_file_directory(file), directory),
				     on->target->url, file->name,
				     file->workdir[0] != '\0' ? "the users' files" : "it");
	}
}

/* Print what stays in the directories of --workdir. */
static void note_left(const struct workers_plan *plan)
{
	char directory[TARGET_BELOW];
	unsigned i;

	for (i = 0; i < plan->target_count; i++) {
		const struct workers_target *on = &plan->targets[i];

		target_below(on->target, run_file_directory(&on->claim.file), directory);
		if (on->shared)
			message_note("%s was not removed, because another run uses it", directory);
		if (on->left[0] != '\0')
			message_note("%s: the changes that the load made to %s were not undone",
				     directory, on->left);
	}
}

int stage_release(struct stage *stage, struct error *error)
{
	const struct venue *venue = stage->steps->venue;
	struct workers_plan *plan;
	int rc;

	if (stage->claimed == SIZE_MAX)
		return 0;
	plan = &stage->plans[stage->claimed];
	stage->claimed = SIZE_MAX;
	if (plan->keep && stage->played) {
		if (!plan->like_dbench)
			note_kept(plan);
		rc = 0;
	} else {
		rc = venue->clean_up(venue->context, plan, error);
		if (!plan->like_dbench)
			note_left(plan);
	}
	venue->release(venue->context, plan);
	return rc;
}

/* Return what the target cannot do for an operation of one variant, but not of
 * the other, or NULL. */
static const char *find_lack(const struct result_variant *one, const struct result_variant *other)
{
	size_t i, j;

	for (i = 0; i < one->unsupported_count; i++) {
		const struct result_unsupported *item = &one->unsupported[i];

		for (j = 0; j < other->unsupported_count; j++)
			if (strcmp(other->unsupported[j].cannot, item->cannot) == 0 &&
			    strcmp(other->unsupported[j].name, item->name) == 0 &&
			    other->unsupported[j].ops == item->ops)
				break;
		if (j == other->unsupported_count)
			return item->cannot;
	}
	return NULL;
}

/* Check if the values of an axis change only the operations of a load, and so
 * its hash. Other axes are about the targets, the times or the commands. */
static bool rewrites_load(const char *axis)
{
	static const char *const options[] = {"cap-io", "sync", "write-through"};
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(axis, options[i]) == 0)
			return true;
	return false;
}

/* Check if two variants, which differ in a value of an axis, play the same: the value
 * changes nothing in the load, or fitting the loads to the targets has left no
 * difference. */
static bool play_same(const struct stage *stage, size_t axis, size_t variant, size_t other)
{
	const struct stage_fit *one = &stage->fits[variant];
	const struct stage_fit *two = &stage->fits[other];

	return one->fitted != 0 && one->fitted == two->fitted &&
	       (one->given != two->given ||
		rewrites_load(stage->side->result->run.axes[axis].name));
}

/* Warn that two variants play the same. */
static void warn_of_same(const struct stage *stage, size_t axis, size_t variant, size_t other)
{
	const struct result_run *run = &stage->side->result->run;
	const char *name = run->axes[axis].name, *lack;

	if (stage->fits[variant].given == stage->fits[other].given) {
		message_warning("--sweep %s: \"%s\" and \"%s\" are the same measurement, because "
				"neither value affects an operation of the load",
				name, variant_value(run, other, axis),
				variant_value(run, variant, axis));
		return;
	}
	lack = find_lack(&run->variants[other], &run->variants[variant]);
	if (lack == NULL)
		lack = find_lack(&run->variants[variant], &run->variants[other]);
	message_warning("--sweep %s: \"%s\" and \"%s\" are the same measurement, because the "
			"target does not support %s",
			name, variant_value(run, other, axis), variant_value(run, variant, axis),
			lack != NULL ? lack : "the difference");
}

/* Warn of the first two values of an axis that play the same on the targets, whatever the
 * other axes have: of several loads, one may have nothing that they change. `step` is the
 * number of variants from one value to the next. */
static void warn_of_axis(const struct stage *stage, size_t axis, size_t step)
{
	const struct result_run *run = &stage->side->result->run;
	const size_t count = run->axes[axis].value_count;
	size_t value, other, i;

	for (value = 1; value < count; value++) {
		for (other = 0; other < value; other++) {
			bool same = true;

			for (i = 0; i < run->variant_count; i++)
				if (i / step % count == value)
					same &= play_same(stage, axis, i,
							  i - (value - other) * step);
			if (same) {
				warn_of_same(stage, axis, value * step, other * step);
				return;
			}
		}
	}
}

static void warn_of_values(const struct stage *stage)
{
	const struct result_run *run = &stage->side->result->run;
	size_t step = 1, i;

	for (i = run->axis_count; i > 0; i--) {
		warn_of_axis(stage, i - 1, step);
		step *= run->axes[i - 1].value_count;
	}
}

struct workers_plan *stage_claim(struct stage *stage, size_t variant, struct error *error)
{
	const struct venue *venue = stage->steps->venue;
	struct workers_plan *plan = &stage->plans[variant];
	struct error ignored = {0};
	unsigned i;

	if (stage->claimed == variant)
		return plan;
	if (stage_release(stage, error) < 0)
		return NULL;
	for (i = 0; i < plan->target_count; i++)
		plan->targets[i] = new_target(plan->targets[i].target);
	if (stage->run != NULL)
		plan->run = *stage->run;
	else if (identity_make(&plan->run) < 0) {
		error_set(error, "cannot get random bytes from the system for the run's id");
		return NULL;
	}
	if (venue->claim(venue->context, plan, error) < 0) {
		venue->release(venue->context, plan);
		explain(stage, variant, error);
		return NULL;
	}
	stage->claimed = variant;
	stage->played = false;
	fitting_plan(plan);
	note_others(stage, plan);
	if (stage->fits[variant].done)
		return plan;
	if (describe(stage, variant, error) < 0) {
		explain(stage, variant, error);
		stage_release(stage, &ignored);
		return NULL;
	}
	if (++stage->fit_count == stage->side->result->run.variant_count &&
	    !stage->steps->settings->quiet)
		warn_of_values(stage);
	return plan;
}

void stage_close(struct stage *stage)
{
	size_t i;

	for (i = 0; stage->plans != NULL && i < stage->side->result->run.variant_count; i++) {
		stage->steps->venue->release(stage->steps->venue->context, &stage->plans[i]);
		free(stage->plans[i].targets);
	}
	free(stage->plans);
	free(stage->fits);
	data_pool_free(stage->pool);
}
