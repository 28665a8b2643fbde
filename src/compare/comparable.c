/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Two runs, what they are called, and how they differ. */
struct pair {
	const struct result_run *runs[2];
	const char *const *names;
	const char **option; /* that differs */
	struct error *error;
};

static int differ(const struct pair *pair, const char *what, const char *one,
		  const char *other)
{
	error_set(pair->error, "%s: %s is %s; %s: it is %s", pair->names[0],
		  what, one, pair->names[1], other);
	return -EINVAL;
}

static int same_text(const struct pair *pair, const char *what,
		     const char *one, const char *other)
{
	if (one == NULL)
		one = "not known";
	if (other == NULL)
		other = "not known";
	return strcmp(one, other) == 0 ? 0 : differ(pair, what, one, other);
}

static int same_count(const struct pair *pair, const char *what, uint64_t one,
		      uint64_t other)
{
	char texts[2][24];

	if (one == other)
		return 0;
	snprintf(texts[0], sizeof(texts[0]), "%" PRIu64, one);
	snprintf(texts[1], sizeof(texts[1]), "%" PRIu64, other);
	return differ(pair, what, texts[0], texts[1]);
}

static int same_seconds(const struct pair *pair, const char *what,
			uint64_t one_ns, uint64_t other_ns)
{
	char texts[2][32];

	if (one_ns == other_ns)
		return 0;
	snprintf(texts[0], sizeof(texts[0]), "%g s", (double)one_ns / 1e9);
	snprintf(texts[1], sizeof(texts[1]), "%g s", (double)other_ns / 1e9);
	return differ(pair, what, texts[0], texts[1]);
}

/* Options that decide when to stop, not what is played. */
static bool only_steers(const char *name)
{
	static const char *const names[] = {"preset", "stop_when", "fail_if",
					    "max_errors", "timeout", "strict"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static const char *find_option(const struct result_run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->option_count; i++)
		if (strcmp(run->options[2 * i], name) == 0)
			return run->options[2 * i + 1];
	return "not given";
}

/* The options of either run are those of the other. */
static int same_options(const struct pair *pair)
{
	unsigned side;
	size_t i;
	int rc = 0;

	for (side = 0; side < 2; side++) {
		const struct result_run *run = pair->runs[side];

		for (i = 0; i < run->option_count && rc == 0; i++) {
			const char *name = run->options[2 * i];

			if (only_steers(name))
				continue;
			rc = same_text(pair, name,
				       find_option(pair->runs[0], name),
				       find_option(pair->runs[1], name));
			if (rc < 0)
				*pair->option = name;
		}
	}
	return rc;
}

int comparable_measured(const struct result_run *one,
			const struct result_run *other,
			const char *const names[2], const char **option,
			struct error *error)
{
	const struct pair pair = {{one, other}, names, option, error};
	int rc = same_text(&pair, "the loadfile's SHA-256",
			   one->loadfile.sha256, other->loadfile.sha256);

	*option = NULL;
	if (rc == 0)
		rc = same_count(&pair, "the operations of a loop",
				one->loadfile.ops, other->loadfile.ops);
	if (rc == 0)
		rc = same_count(&pair, "the footprint in bytes",
				one->loadfile.footprint_bytes,
				other->loadfile.footprint_bytes);
	if (rc == 0)
		rc = same_count(&pair, "--loops", one->loops, other->loops);
	if (rc == 0 && one->loops == 0)
		rc = same_seconds(&pair, "the measured time", one->time_ns,
				  other->time_ns);
	if (rc == 0 && one->loops == 0)
		rc = same_seconds(&pair, "the warm-up", one->warmup_ns,
				  other->warmup_ns);
	if (rc == 0 && one->loops == 0)
		rc = same_text(&pair, "--from-start",
			       one->from_start ? "given" : "not given",
			       other->from_start ? "given" : "not given");
	return rc < 0 ? rc : same_options(&pair);
}

int comparable_planned(const struct result_run *one,
		       const struct result_run *other,
		       const char *const names[2], const char **option,
		       struct error *error)
{
	const struct pair pair = {{one, other}, names, option, error};
	int rc = comparable_measured(one, other, names, option, error);
	size_t i;

	if (rc == 0)
		rc = same_count(&pair, "the number of points",
				one->user_count_count, other->user_count_count);
	for (i = 0; rc == 0 && i < one->user_count_count; i++)
		rc = same_count(&pair, "a point's number of users",
				one->user_counts[i], other->user_counts[i]);
	if (rc == 0)
		rc = same_count(&pair, "--users-from", one->users_from,
				other->users_from);
	if (rc == 0)
		rc = same_count(&pair, "--repeat", one->repeats,
				other->repeats);
	if (rc == 0)
		rc = same_text(&pair, "the order of the points",
			       one->random_order ? "random" : "given",
			       other->random_order ? "random" : "given");
	if (rc == 0)
		rc = same_seconds(&pair, "--ramp-down", one->ramp_down_ns,
				  other->ramp_down_ns);
	return rc < 0 ? rc : same_count(&pair, "the seed", one->seed,
					other->seed);
}
