/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/measure_options.h"

#include "base/clock.h"
#include "base/random.h"
#include "cli/completion.h"
#include "cli/measure/label.h"
#include "cli/measure/presets.h"
#include "load/load.h"
#include "program/program.h"
#include "sweep/plan_rate.h"
#include "target/target.h"
#include "workdir/run_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_NS (30 * 24 * 3600 * NS_PER_S)
#define REPEATS_MAX 1000
#define IO_BYTES_MIN 512
#define TIMEOUT_MAX_S 3600
#define SPEED_MIN 1e-3
#define SPEED_MAX 1e6

#define AT(member) OPTION_AT(struct measure_options, member)
/* A setting that is also recorded in struct result_run, as a member of the same
 * name. */
#define PLAN(member) AT(settings.member), OPTION_PLAN(member)
/* clang-format off */
#define ONE_OF(...) .words = (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */

static void offer_data(const struct completion *completion)
{
	completion_offer(completion, "random", "", "data that cannot be compressed");
	completion_offer(completion, "zero", "", "zeros");
	completion_offer(completion, "pattern", "", "the load's own pattern");
	completion_offer(completion, "0x", "", "1, 2, 4 or 8 bytes in hexadecimal");
}

/* Offer the names of axes, or the loads of "loadfile=A,B". */
static void offer_axes(const struct completion *completion)
{
	struct completion last = *completion;
	const struct option *option = completion->options->list;
	const char *comma = strrchr(completion->value, ',');
	size_t i;

	if (strncmp(completion->value, "loadfile=", 9) == 0) {
		last.value = comma != NULL ? comma + 1 : completion->value + 9;
		completion_offer_loads(&last);
		return;
	}
	for (i = 0; i < completion->options->count; i++, option++)
		if (option->row->flags & OPTION_SWEPT)
			completion_offer(completion, option->row->name, "=", option->help);
	completion_offer(completion, "loadfile", "=", "loads");
	completion_offer(completion, "target", "=", "targets");
	completion_offer(completion, "env", ":", "a variable of the commands");
	completion_offer(completion, "url", ":", "an option of the targets' URLs");
	completion_offer_parameters(completion);
}

const struct option_row sweep_rows[] = {
	{"users", 'u', OPTION_TEXT, "LIST", "User counts: 8, 1,2,4, 1-64x2 or 4-60+4 (default 1)",
	 AT(users), .flags = OPTION_COMMON},
	{"time", 't', OPTION_DURATION, "SEC", "Measured time of each point", PLAN(phases.time_ns),
	 .min = NS_PER_MS, .max = TIME_MAX_NS, .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"warmup", 0, OPTION_DURATION, "SEC", "Time before that, not counted (default --time / 5)",
	 PLAN(phases.warmup_ns), .max = TIME_MAX_NS},
	{"ramp-down", 0, OPTION_DURATION, "SEC", "Time after that, not counted",
	 PLAN(phases.ramp_down_ns), .max = TIME_MAX_NS, .flags = OPTION_SHOWS_DEFAULT},
	{"loops", 0, OPTION_COUNT, "N", "Measure N whole loops of the load instead of a time",
	 PLAN(phases.loops), .min = 1, .max = UINT32_MAX, .flags = OPTION_COMMON},
	{"from-start", 0, OPTION_FLAG, NULL, "Count the prologue of the load, too, as dbench does",
	 PLAN(phases.from_start)},
	{"repeat", 0, OPTION_COUNT, "N", "Measure each point N times", PLAN(repeats), .min = 1,
	 .max = REPEATS_MAX, .flags = OPTION_SHOWS_DEFAULT | OPTION_RUN_ONLY | OPTION_COMMON},
	{"order", 0, OPTION_WORD, "HOW", "Order of repeats (default random)", PLAN(random_order),
	 ONE_OF("given", "random"), .flags = OPTION_RUN_ONLY},
	{"settle", 0, OPTION_DURATION, "SEC", "Pause between two measurements",
	 PLAN(phases.settle_ns), .max = TIME_MAX_NS, .flags = OPTION_SHOWS_DEFAULT},
	{"rate", 0, OPTION_TEXT, "N", "Schedule 500/s per user, or 500/s,total for all",
	 AT(settings.transform.rate), .parse = settings_parse_rate, .record = "rate",
	 .flags = OPTION_SWEPT | OPTION_COMMON},
	{"find-rate", 0, OPTION_TEXTS, "COND", "Find the highest rate for COND: 'p99<50ms'",
	 .record = "find_rate", .flags = OPTION_COMMON | OPTION_RUN_ONLY | OPTION_ONCE},
	{"speed", 0, OPTION_NUMBER, "X", "Play the load's time stamps X times as fast, or max",
	 AT(settings.transform.speed), .share_min = SPEED_MIN, .share_limit = SPEED_MAX,
	 .infinite = "max", .record = "speed", .flags = OPTION_SWEPT},
	{"preset", 0, OPTION_TEXT, "NAME", "Use a list of options: quick, netbench, mdtest ...",
	 .record = "preset", .offer = presets_offer, .flags = OPTION_RUN_ONLY | OPTION_COMMON},
	{"stop-when", 0, OPTION_TEXTS, "COND", "End the sweep once COND holds: 'p99>50ms' or flat",
	 .record = "stop_when", .flags = OPTION_RUN_ONLY | OPTION_COMMON},
	{"limit", 0, OPTION_TEXTS, "COND", "Find the max users for which COND holds: 'p99<1s'",
	 .flags = OPTION_RUN_ONLY | OPTION_COMMON},
	{"fail-if", 0, OPTION_TEXTS, "COND", "Exit with 3 if COND holds: 'mb_per_s<100'",
	 .record = "fail_if", .flags = OPTION_STORED | OPTION_COMMON},
	{"seed", 0, OPTION_COUNT, "N", "Seed of random numbers (default: a new one)", PLAN(seed),
	 .max = INT64_MAX},
	{"sweep", 0, OPTION_TEXTS, "NAME=V,V", "Measure with each value: bs=4Ki,64Ki or target=A,B",
	 .offer = offer_axes, .flags = OPTION_RUN_ONLY | OPTION_COMMON},
	{"cold", 0, OPTION_FLAG, NULL, "Drop the load's files from the page cache first",
	 PLAN(phases.cold)},
	{"sample", 0, OPTION_TEXTS, "NAME=CMD", "Record the number that CMD prints, each second",
	 AT(samples)},
	{"note", 0, OPTION_TEXTS, "KEY=VALUE", "Keep this note in the result", AT(notes)},
	{"dry-run", 0, OPTION_FLAG, NULL, "Show what would be measured, and exit", AT(dry_run)},
	{.name = NULL},
};

const struct option_row load_rows[] = {
	{"loadfile", 'c', OPTION_TEXTS, "FILE",
	 "Load of `throng loads', or a file (default netbench)", AT(settings.loadfiles),
	 .offer = completion_offer_loads, .flags = OPTION_COMMON},
	{"set", 0, OPTION_TEXTS, "NAME=VALUE", "Set a parameter of the load", .record = "set",
	 .offer = completion_offer_parameters, .flags = OPTION_ALL | OPTION_COMMON},
	{"load-limit", 0, OPTION_SIZE, "SIZE", "Max memory for a load", AT(settings.load_bytes_max),
	 .min = 1, .max = INT64_MAX, .flags = OPTION_SHOWS_DEFAULT},
	{"keep", 0, OPTION_FLAG, NULL, "Keep the run's directory and its files", AT(settings.keep)},
	{"workdir", 0, OPTION_TEXT, "NAME", "Play in TARGET/NAME; . is the target and its data",
	 AT(settings.workdir), .flags = OPTION_COMMON},
	{"use-existing", 0, OPTION_FLAG, NULL, "Allow changes to files that --workdir already has",
	 AT(settings.use_existing)},
	{"data", 0, OPTION_TEXT, "KIND", "Data: random (default), zero, pattern or 0xHEX", AT(data),
	 .record = "data", .offer = offer_data, .flags = OPTION_COMMON},
	{"verify", 0, OPTION_FLAG, NULL, "Compare what is read with what was written",
	 AT(settings.verify), .record = "verify", .flags = OPTION_COMMON},
	{"one-stream", 0, OPTION_FLAG, NULL, "Play the streams of a load one after the other",
	 AT(settings.one_stream), .record = "one_stream"},
	{"no-resolve", 0, OPTION_FLAG, NULL, "Leave out a file server's name look-ups on a path",
	 AT(settings.transform.drop_lookups), .record = "resolve", .record_as = "no"},
	{"sync", 's', OPTION_FLAG, NULL, "Open all files with O_SYNC",
	 AT(settings.transform.sync_opens), .record = "sync",
	 .flags = OPTION_SWEPT | OPTION_COMMON},
	{"sync-dirs", 'S', OPTION_FLAG, NULL, "Flush a directory after each change to it",
	 AT(settings.transform.sync_parents), .record = "sync_dirs"},
	{"fsync", 'F', OPTION_FLAG, NULL, "Flush a file after each write",
	 AT(settings.transform.flush_writes), .record = "fsync"},
	{"write-through", 0, OPTION_WORD, "HOW", "Write-through opens",
	 AT(settings.transform.write_through), ONE_OF("honor", "ignore"), .record = "write_through",
	 .flags = OPTION_SWEPT | OPTION_SHOWS_DEFAULT},
	{"cap-io", 0, OPTION_SIZE, "SIZE", "Split larger reads and writes into parts of SIZE",
	 AT(settings.transform.io_bytes_max), .min = IO_BYTES_MIN, .max = PROGRAM_IO_BYTES_MAX,
	 .record = "cap_io", .flags = OPTION_SWEPT},
	{"max-errors", 0, OPTION_COUNT, "N", "Tolerate up to N mismatches",
	 AT(settings.mismatches_allowed), .max = INT64_MAX, .record = "max_errors",
	 .flags = OPTION_SHOWS_DEFAULT},
	{"strict", 0, OPTION_FLAG, NULL, "Refuse a load with operations that a target lacks",
	 AT(settings.strict), .record = "strict"},
	{.name = NULL},
};

const struct option_row target_rows[] = {
	{"timeout", 0, OPTION_COUNT, "N", "Max time of an operation on a network", AT(timeout_s),
	 .min = 1, .max = TIMEOUT_MAX_S, .record = "timeout", .unit = " s",
	 .flags = OPTION_SHOWS_DEFAULT},
	{"hosts", 0, OPTION_TEXT, "LIST", "Play on these hosts: h1,h2, @FILE or slurm", AT(hosts),
	 .flags = OPTION_COMMON},
	{"launcher", 0, OPTION_TEXT, "WORDS", "Start throng on a host with ssh, srun, mpiexec ...",
	 AT(launcher)},
	{"auth-file", 0, OPTION_TEXTS, "FILE", "User, password and domain, as for smbclient -A",
	 AT(auth_files), .flags = OPTION_COMMON},
	{.name = NULL},
};

void measure_options_open(struct measure_options *measure,
			  struct option_group groups[MEASURE_GROUPS], unsigned refused)
{
	measure->users = "1";
	measure->data = "random";
	measure->settings.phases.warmup_ns = 2 * NS_PER_S;
	measure->settings.phases.time_ns = 10 * NS_PER_S;
	measure->settings.repeats = 1;
	measure->settings.load_bytes_max = LOAD_BYTES_MAX;
	measure->settings.seed = random_seed();
	measure->timeout_s = TARGET_TIMEOUT_S;
	groups[0] = (struct option_group){"Measurement:", sweep_rows, measure, refused};
	groups[1] = (struct option_group){"Load and target:", load_rows, measure, refused};
	groups[2] = (struct option_group){NULL, target_rows, measure, refused};
}

/* Parse --find-rate, and check if other options contradict it. */
static int parse_rate_limit(struct settings *settings, const struct options *given,
			    struct error *error)
{
	static const char *const others[] = {"loops", "speed"};
	const char *const *texts = options_texts(given, "find-rate");
	size_t count, i;
	int rc;

	if (texts == NULL)
		return 0;
	rc = settings_parse_conditions(texts, "--find-rate", &settings->rate_limit, &count, NULL,
				       error);
	if (rc == 0)
		rc = rate_check_condition(settings->rate_limit, texts[0], error);
	for (i = 0; rc == 0 && i < sizeof(others) / sizeof(others[0]); i++)
		if (options_given(given, others[i]))
			error_set(error, "--find-rate cannot be combined with --%s", others[i]);
	if (count > 1)
		error_set(error, "--find-rate takes only one condition; give the condition that "
				 "limits the rate, and check other conditions with --fail-if");
	if (settings->repeats > 1)
		error_set(error, "--find-rate cannot be combined with --repeat, because "
				 "--find-rate measures each rate once");
	if (settings->transform.rate.total)
		error_set(error, "--find-rate looks for a rate per user, so the value of --rate "
				 "cannot have the word \"total\"");
	/* A rate makes operations due from the first step on. */
	if (settings->transform.rate.per_s == 0)
		settings->transform.rate.per_s = FIND_RATE_FIRST;
	return error->set ? -EINVAL : rc;
}

static int parse_conditions(struct settings *settings, const struct options *given,
			    struct error *error)
{
	int rc = settings_parse_conditions(options_texts(given, "limit"), "--limit",
					   &settings->limits, &settings->limit_count, NULL, error);

	if (rc == 0)
		rc = settings_parse_conditions(options_texts(given, "stop-when"), "--stop-when",
					       &settings->stops, &settings->stop_count,
					       &settings->stop_when_flat, error);
	if (rc == 0)
		rc = settings_parse_conditions(options_texts(given, "fail-if"), "--fail-if",
					       &settings->failures, &settings->failure_count, NULL,
					       error);
	return rc == 0 ? parse_rate_limit(settings, given, error) : rc;
}

/* Set the defaults for whole loops, and check that other options suit them: all
 * loops are counted, so there is no warm-up and no ramp-down. */
static bool suits_loops(struct settings *settings, const struct options *given)
{
	if (!options_given(given, "warmup"))
		settings->phases.warmup_ns = 0;
	if (!options_given(given, "ramp-down"))
		settings->phases.ramp_down_ns = 0;
	return settings->phases.warmup_ns == 0 && settings->phases.ramp_down_ns == 0;
}

static int check_loops(struct settings *settings, const struct options *given, struct error *error)
{
	if (suits_loops(settings, given) && !options_given(given, "time"))
		return 0;
	error_set(error, "--loops cannot be combined with --time, nor with a --warmup or "
			 "--ramp-down above 0, because all loops are counted");
	return -EINVAL;
}

/* Set the defaults that depend on other options, then check combinations. */
static int check_plan(struct settings *settings, const struct options *given, struct error *error)
{
	bool stops = options_given(given, "stop-when");
	size_t i;

	if (options_text(given, "warmup") == NULL)
		settings->phases.warmup_ns = settings->phases.time_ns / 5;
	if (options_text(given, "order") == NULL)
		settings->random_order = settings->repeats > 1 && !stops;
	if (settings->verify && settings->data != DATA_RANDOM && settings->data != DATA_FIXED) {
		error_set(error,
			  "--verify cannot be combined with --data %s, because --verify needs "
			  "different data in each write",
			  settings->data == DATA_ZERO ? "zero" : "pattern");
		return -EINVAL;
	}
	if (settings->random_order && stops) {
		error_set(error, "--stop-when cannot be combined with --order random, because "
				 "--stop-when needs the user counts in the given order");
		return -EINVAL;
	}
	for (i = 0; i < settings->user_count_count; i++)
		if (settings->rate_limit != NULL &&
		    rate_check_first(settings->rate_limit, settings->transform.rate.per_s,
				     settings->user_counts[i], settings->phases.time_ns, error) < 0)
			return -EINVAL;
	return settings->phases.loops > 0 ? check_loops(settings, given, error) : 0;
}

/* Check the name of --workdir: it is one component, and not that of a run. */
static int check_workdir(const struct settings *settings, struct error *error)
{
	const char *name = settings->workdir;
	char run[RUN_NAME_SIZE];

	if (name == NULL && settings->use_existing)
		error_set(
			error,
			"--use-existing needs --workdir, because without --workdir a run plays in "
			"a new, empty directory; use --workdir . to play in the target itself");
	if (name == NULL)
		return error->set ? -EINVAL : 0;
	if (name[0] == '\0' || strlen(name) > NAME_MAX || strpbrk(name, "/\\\n") != NULL ||
	    strcmp(name, "..") == 0)
		error_set(error,
			  "--workdir: \"%s\" is not a name; expected one component of a path, or "
			  "\".\" for the target itself",
			  name);
	else if (run_name_is_valid(name) || run_file_is_name(name, run))
		error_set(error,
			  "--workdir: \"%s\" is reserved for the directories and files of runs; "
			  "choose another name",
			  name);
	return error->set ? -EINVAL : 0;
}

int measure_options_parse(struct measure_options *measure, const struct options *given,
			  struct error *error)
{
	struct settings *settings = &measure->settings;
	int rc = options_parse(given, error);

	if (rc == 0)
		rc = settings_parse_users(measure->users, &settings->user_counts,
					  &settings->user_count_count, error);
	if (rc == 0)
		rc = settings_parse_data(measure->data, settings, error);
	if (rc == 0)
		rc = parse_conditions(settings, given, error);
	if (rc == 0)
		rc = load_settings_parse(options_texts(given, "set"), &settings->load_settings,
					 &settings->load_setting_count, error);
	if (rc == 0)
		rc = label_check_notes(measure->notes, error);
	if (rc == 0)
		rc = label_check_samples(measure->samples, error);
	/* --data overrides the load's WRITEPATTERN lines, except for --data
	 * pattern. */
	settings->transform.drop_patterns = options_text(given, "data") != NULL &&
					    settings->data != DATA_PATTERN;
	if (rc == 0)
		rc = check_workdir(settings, error);
	return rc < 0 ? rc : check_plan(settings, given, error);
}

/* Return the first load that has phases, or NULL. */
static const struct program *find_phased(const struct loads *loads)
{
	size_t i;

	for (i = 0; i < loads->count; i++)
		if (loads->list[i].program->phase_count > 0)
			return loads->list[i].program;
	return NULL;
}

/*
 * Check that the files of loads with phases can be dropped before each phase:
 * while another load is played, it must not use them.
 */
static int check_cold(const struct loads *loads, struct error *error)
{
	size_t i, j;

	for (i = 0; i < loads->count; i++) {
		const struct program *phased = loads->list[i].program;

		for (j = 0; j < loads->count; j++) {
			const struct program *other = loads->list[j].program;
			int rc = i != j && phased->phase_count > 0 ? shared_overlaps(phased, other)
								   : 0;

			if (rc < 0)
				return error_no_memory(error);
			if (rc == 0)
				continue;
			error_set(error,
				  "--cold: the loads %s and %s use the same files, so throng "
				  "cannot drop these files from the page cache before a phase of "
				  "%s while users play %s; play each load in its own run",
				  phased->source, other->source, phased->source, other->source);
			return -EINVAL;
		}
	}
	return 0;
}

int measure_options_suit_loads(struct measure_options *measure, const struct options *given,
			       const struct loads *loads, struct result_run *run,
			       struct error *error)
{
	struct phases *phases = &measure->settings.phases;
	const struct program *program = find_phased(loads);

	if (program == NULL)
		return 0;
	if (measure->settings.rate_limit != NULL) {
		error_set(error,
			  "%s: a load with phases is played in whole loops, so --find-rate cannot "
			  "play this load",
			  program->source);
		return -EINVAL;
	}
	if (!suits_loops(&measure->settings, given)) {
		error_set(error,
			  "%s: a load with phases is played in whole loops, and all loops are "
			  "counted, so neither --warmup nor --ramp-down may be above 0",
			  program->source);
		return -EINVAL;
	}
	if (phases->cold && check_cold(loads, error) < 0)
		return -EINVAL;
	phases->whole_loops = options_given(given, "time");
	if (!phases->whole_loops && phases->loops == 0)
		phases->loops = 1;
	run->phases = *phases;
	return 0;
}

void measure_options_record(const struct measure_options *measure, const struct options *given,
			    struct result_run *run)
{
	const struct settings *settings = &measure->settings;
	size_t bytes = settings->user_count_count * sizeof(unsigned);

	options_record(given, run);
	label_record_notes(measure->notes, run);
	label_record_samples(measure->samples, run);
	run->user_counts = malloc(bytes);
	if (run->user_counts != NULL) {
		memcpy(run->user_counts, settings->user_counts, bytes);
		run->user_count_count = settings->user_count_count;
	}
}

void measure_options_free(struct measure_options *measure)
{
	settings_free(&measure->settings);
}
