/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make KIND...: write the page of made-up results to standard output. They are
 * the same each time and, unless a kind is given twice, in any order.
 *   sweep    NetBench's 16 points, measured twice, with the fitted curve
 *   other    as `sweep`, but on another, faster target
 *   doubling 1, 2, 4 ... 128 users; the point of 8 users is invalid
 *   point    one point, measured three times
 *   small    as `point`, but with fewer users
 *   once     one point, measured once, without figures per second
 *   quiet    a load that moves no bytes
 *   refused  one point that is invalid
 *   empty    no points
 *   hostile  names with markup, control characters and invalid UTF-8
 *   loads    two loads; the name of the second one has markup
 *   phases   a load with phases; the point of 2 users is invalid
 *   sampled  as `point`, with two commands of --sample; the name of the first one has
 *            markup, and the second one has failed for some seconds
 *   hosts    two points on two hosts; the name of the second one has markup
 *   large    60 points, each measured three times for 600 s
 *   axis     a sweep over three values at 1, 2, 4 and 8 users
 *   value    a sweep over three values with one user count
 *   targets  a sweep over two values and three targets, at 1, 2, 4 and 8 users
 *   grid     the same with one user count
 *   tables   as `axis`, with tables of --table, one of which cannot be shown
 */
#include "base/array.h"
#include "base/random.h"
#include "report/page.h"
#include "result/variant.h"
#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan {
	const char *name, *target, *load;
	unsigned points, first, step; /* step 0: users double */
	unsigned repeats, seconds;
	double speed; /* MB/s of a single user */
	bool fitted;
	unsigned invalid; /* the user count of the point that is invalid */
};

static const struct plan plans[] = {
	{"sweep", "smb://ada@files.example/bench", "netbench (built in)", 16, 1, 4, 2, 60, 90, true,
	 0},
	{"other", "nfs://files.example/bench", "netbench (built in)", 16, 1, 4, 2, 60, 101, true,
	 0},
	{"doubling", "/mnt/test", "netbench (built in)", 8, 1, 0, 3, 20, 540, true, 8},
	{"point", "/mnt/test", "netbench (built in)", 1, 8, 0, 3, 60, 540, false, 0},
	{"small", "/mnt/test", "netbench (built in)", 1, 2, 0, 3, 60, 540, false, 0},
	{"once", "/mnt/test", "netbench (built in)", 1, 8, 0, 1, 0, 540, false, 0},
	{"quiet", "tcp://files.example", "short.load", 4, 1, 0, 1, 10, 0, false, 0},
	{"refused", "/mnt/test", "netbench (built in)", 1, 4, 0, 1, 10, 540, false, 4},
	{"empty", "/mnt/test", "netbench (built in)", 0, 1, 0, 1, 10, 540, false, 0},
	{"hostile", "/mnt/<script>alert(1)</script>\"' &amp;\xe9\x1b[31m",
	 "\xe2\x80\xae"
	 "evil\xf0\x9f\x92\xbe\xed\xa0\x80\xc0\xaf</title>\n",
	 3, 1, 0, 1, 10, 540, false, 2},
	{"loads", "/mnt/test", "mail.load", 2, 4, 0, 2, 10, 540, false, 0},
	{"phases", "/mnt/test", "create.load", 3, 1, 0, 2, 5, 540, false, 2},
	{"large", "smb://ada@files.example/bench", "netbench (built in)", 60, 1, 1, 3, 600, 90,
	 true, 0},
	{"axis", "/mnt/test", "swept.load", 4, 1, 0, 3, 20, 540, false, 4},
	{"value", "/mnt/test", "swept.load", 1, 4, 0, 3, 20, 540, false, 0},
	{"targets", NULL, "swept.load", 4, 1, 0, 2, 20, 540, false, 0},
	{"grid", NULL, "swept.load", 1, 4, 0, 2, 20, 540, false, 0},
	{"tables", "/mnt/test", "swept.load", 4, 1, 0, 3, 20, 540, false, 4},
	{"sampled", "/mnt/test", "netbench (built in)", 1, 8, 0, 3, 12, 540, false, 0},
	{"hosts", "/mnt/test", "netbench (built in)", 2, 4, 0, 1, 0, 540, false, 0},
};

static const struct {
	const char *name;
	double share, mean_ms, bytes;
} operations[] = {
	{"WriteX", 0.06, 0.9, 30030},
	{"ReadX", 0.27, 0.3, 13347},
	{"NTCreateX", 0.26, 0.8, 0},
	{"Close", 0.17, 0.21, 0},
	{"QUERY_PATH_INFORMATION", 0.12, 0.35, 0},
	{"FIND_FIRST", 0.05, 1.2, 0},
	{"Flush", 0.02, 6.5, 0},
	{"QUERY_FS_INFORMATION", 0.02, 0.2, 0},
	{"Unlink", 0.014, 0.7, 0},
	{"Rename", 0.006, 1.1, 0},
	{"SET_FILE_INFORMATION", 0.005, 0.4, 0},
	{"LockX", 0.005, 0.15, 0},
};
#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static struct random chance;

/* Return a random factor near 1, roughly normally distributed, above 0. */
static double about(double spread)
{
	double sum = 0;
	int i;

	for (i = 0; i < 6; i++)
		sum += (double)random_next(&chance) / (double)UINT64_MAX - 0.5;
	return fmax(1 + spread * sum, 0.01);
}

static double law(double users)
{
	return users / (1 + 0.0277 * (users - 1) + 0.00035 * users * (users - 1));
}

/* Set a mean time, which is figure `first`, and its percentiles and max, which
 * are the next ones. */
static void fill_times(struct record *record, enum figure first, double mean)
{
	static const double times[] = {0.45, 2.1, 3.4, 9, 31, 140};
	static const double spreads[] = {0.05, 0.05, 0.08, 0.15, 0.2, 0.5};
	unsigned i;

	record_set(record, first, mean);
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		record_set(record, first + 1 + i, mean * times[i] * about(spreads[i]));
}

/* A record to add, with its operations. */
struct source {
	struct record_key key;
	double seconds, ops, loops;
	double mean_ms;
	double slowness; /* of the operations */
	bool moves;      /* bytes */
	bool hostile;    /* so is an operation's name */
};

static void add_operation(struct intern *names, struct records *records,
			  const struct source *source, size_t index)
{
	struct record_key key = source->key;
	struct record *record;
	double mean_ms = operations[index].mean_ms * about(0.04) *
			 (operations[index].bytes > 0 ? source->slowness : sqrt(source->slowness));
	double ops = floor(source->ops * operations[index].share);

	key.operation = record_name(names, source->hostile && index == 0 ? "<b>\x01&quot;\xff"
									 : operations[index].name);
	record = records_add(records, &key);
	record->direction = index == 0   ? DIRECTION_WRITE
			    : index == 1 ? DIRECTION_READ
					 : DIRECTION_NONE;
	record_set(record, FIGURE_OPS, ops);
	record_set(record, FIGURE_BYTES, source->moves ? ops * operations[index].bytes : 0);
	record_set(record, FIGURE_TIME_S, ops * mean_ms / 1e3);
	fill_times(record, FIGURE_MEAN_MS, mean_ms);
}

/* Add a record and its operations. Return it, until another one is added. */
static struct record *add_record(struct intern *names, struct records *records,
				 const struct source *source)
{
	size_t at = records->count, i;
	struct record *record = records_add(records, &source->key);

	record_set(record, FIGURE_SECONDS, source->seconds);
	record_set(record, FIGURE_LOOPS, source->loops);
	fill_times(record, FIGURE_MEAN_MS, source->mean_ms);
	for (i = 0; i < OPERATIONS; i++)
		add_operation(names, records, source, i);
	return &records->list[at];
}

static void add_phases(struct intern *names, struct records *records, const struct source *total)
{
	static const char *const phases[] = {"create", "stat", "unlink"};
	size_t i;

	for (i = 0; i < 3; i++) {
		double seconds = total->seconds * (i == 0 ? 0.6 : 0.2);
		const struct source source = {
			.key.phase = record_name(names, phases[i]),
			.seconds = seconds,
			.ops = floor(total->ops / 3),
			.loops = 2 * total->loops,
			.mean_ms = 0.1 * (double)(i + 1),
			.slowness = 1,
			.moves = i == 0,
		};
		struct record *phase = add_record(names, records, &source);

		record_set(phase, FIGURE_ELAPSED_S, seconds / 2);
		record_set(phase, FIGURE_ITEMS, i < 2 ? floor(source.ops / 2) : 0);
		record_set(phase, FIGURE_ELAPSED_USER_MIN_S, seconds / 2 * about(0.05) * 0.8);
		record_set(phase, FIGURE_ELAPSED_USER_MAX_S, seconds / 2 * about(0.05) * 1.2);
		record_set(phase, FIGURE_USER_S, 0.1 * seconds);
		record_set(phase, FIGURE_SYSTEM_S, 0.9 * seconds);
	}
}

static void fill_seconds(struct result_repeat *repeat, const struct plan *plan, double mb_per_s)
{
	double p99_ms = record_value(records_total(&repeat->records), FIGURE_P99_MS), drift = 0;
	size_t i;

	repeat->second_count = plan->speed > 0 ? plan->seconds : 0;
	repeat->seconds = calloc(plan->seconds + 1, sizeof(*repeat->seconds));
	for (i = 0; i < repeat->second_count; i++) {
		double stall = i % 23 == 17 ? 0.7 : 1;

		drift = 0.8 * drift + about(0.03) - 1;
		repeat->seconds[i] = (struct result_second){
			.at_s = (double)(i + 1),
			.mb_per_s = mb_per_s * (1 + drift) * stall,
			.p99_ms = p99_ms * about(0.2) / stall / stall,
		};
	}
}

static const char *const load_names[] = {"mail.load", "web<i>&\".load"};
enum { LOADS = 2 };

static bool has_loads(const struct plan *plan)
{
	return strcmp(plan->name, "loads") == 0;
}

/* Divide the operations and users of the total among two loads. */
static void add_loads(struct intern *names, struct records *records, const struct source *total,
		      unsigned users)
{
	unsigned i;

	for (i = 0; i < LOADS; i++) {
		unsigned own = i == 0 ? users - users / 4 : users / 4;
		const struct source source = {
			.key.load = record_name(names, load_names[i]),
			.seconds = total->seconds,
			.ops = floor(total->ops * (i == 0 ? 0.75 : 0.25)),
			.loops = total->loops,
			.mean_ms = 0.5 + i,
			.slowness = 1,
			.moves = i == 0,
		};
		struct record *load = add_record(names, records, &source);

		record_set(load, FIGURE_LOAD_USERS, own);
		record_set(load, FIGURE_USER_OPS_MIN, floor(source.ops / own));
		record_set(load, FIGURE_USER_OPS_MAX, floor(source.ops / own));
	}
}

static void fill_loads(struct result_variant *variant)
{
	unsigned i;

	variant->loads = calloc(LOADS, sizeof(*variant->loads));
	variant->load_count = LOADS;
	for (i = 0; i < LOADS; i++)
		variant->loads[i] = (struct result_load){
			.name = strdup(load_names[i]),
			.dialect = strdup("native"),
			.weight = i == 0 ? 3 : 1,
			.ops = 1000,
			.synced = 1,
			.footprint_bytes = 20010000,
		};
}

/* Add the numbers of two commands. */
static void add_samples(struct result_repeat *repeat, const struct plan *plan)
{
	size_t i, j;

	repeat->sample_count = 2;
	repeat->samples = calloc(2, sizeof(*repeat->samples));
	for (i = 0; i < 2; i++) {
		struct result_sample *sample = &repeat->samples[i];

		sample->values = calloc(plan->seconds, sizeof(*sample->values));
		sample->value_count = plan->seconds;
		for (j = 0; j < plan->seconds; j++)
			sample->values[j] = i == 0       ? floor(70 * about(0.2))
					    : j % 5 == 3 ? NAN
							 : (double)(j % 4);
	}
	NOTICE_ADD(&repeat->warnings, NOTICE_SAMPLE, .numbers = {2, 12}, .subject = "queue",
		   .detail = "exited with status 1: cat: <i>/sys/block/sda/inflight</i>: No such "
			     "file or directory");
}

/* The hosts of a run, and the part of all operations that their users play. */
static const struct {
	const char *name;
	double share;
} hosts[] = {{"node1", 0.6}, {"node2 <i>", 0.4}};

/* Add the records of two hosts, each with half of the users. */
static void add_hosts(struct intern *names, struct records *records, const struct source *all,
		      unsigned users)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct record_key key = {.host = record_name(names, hosts[i].name)};
		const double ops = floor(all->ops * hosts[i].share);
		struct record *record = records_add(records, &key);

		record_set(record, FIGURE_SECONDS, all->seconds);
		record_set(record, FIGURE_OPS, ops);
		record_set(record, FIGURE_BYTES, ops * 9000);
		record_set(record, FIGURE_P99_MS, all->mean_ms * 4);
		record_set(record, FIGURE_USER_S, ops * 2e-6);
		record_set(record, FIGURE_SYSTEM_S, ops * 7e-6);
		record_set(record, FIGURE_HOST_USERS, users / 2);
		record_set(record, FIGURE_CLOCK_ERROR_MS, 0.04 + 0.03 * (double)i);
		record_set(record, FIGURE_LATE_MS, 1.5 + (double)i);
	}
}

static void fill_repeat(struct intern *names, struct result_repeat *repeat, const struct plan *plan)
{
	double users = repeat->users;
	double rate = law(users) * about(0.06), seconds = plan->seconds > 0 ? plan->seconds : 10;
	double ops_per_s = 185 * rate * (plan->speed > 0 ? plan->speed : 90);
	double per_op_us = about(0.05);
	const struct source source = {
		.seconds = seconds,
		.ops = floor(ops_per_s * seconds),
		.loops = users,
		.mean_ms = 1e3 * users / ops_per_s,
		.slowness = users / rate,
		.moves = plan->speed > 0,
		.hostile = strcmp(plan->name, "hostile") == 0,
	};
	struct record *total = add_record(names, &repeat->records, &source);

	/* Many users progress unevenly, so the page gets a warning. */
	record_set(total, FIGURE_USER_OPS_MIN,
		   floor(source.ops / users * (users < 50 ? 0.95 : 0.4)));
	record_set(total, FIGURE_USER_OPS_MEDIAN, floor(source.ops / users));
	record_set(total, FIGURE_USER_OPS_MAX, floor(source.ops / users * 1.04));
	record_set(total, FIGURE_USER_S, source.ops * 2e-6 * per_op_us);
	record_set(total, FIGURE_SYSTEM_S, source.ops * 7e-6 * per_op_us);
	if (plan->fitted)
		fill_times(total, FIGURE_LOOP_MEAN_S, 26 * users / rate / plan->speed);
	if (has_loads(plan))
		add_loads(names, &repeat->records, &source, repeat->users);
	if (strcmp(plan->name, "phases") == 0)
		add_phases(names, &repeat->records, &source);
	if (strcmp(plan->name, "hosts") == 0)
		add_hosts(names, &repeat->records, &source, repeat->users);
	fill_seconds(repeat, plan, plan->speed * rate);
	if (strcmp(plan->name, "sampled") == 0)
		add_samples(repeat, plan);
	if (repeat->users == plan->invalid) {
		char text[256];

		snprintf(text, sizeof(text),
			 "%s: NTCreateX \"\\clients\\a<i>b\x07\": NT_STATUS_ACCESS_DENIED "
			 "instead of NT_STATUS_OK",
			 plan->target);
		NOTICE_ADD(&repeat->invalid, NOTICE_OPERATION_FAILED, .detail = text);
	}
}

static void fill_hosts(struct result_run *run)
{
	size_t i;

	run->launcher = strdup("ssh");
	run->hosts = calloc(2, sizeof(*run->hosts));
	for (i = 0; i < 2; i++)
		run->hosts[run->host_count++] = (struct result_host){
			.name = strdup(hosts[i].name),
			.kernel = strdup("6.12.1"),
			.cpus = 16,
			.usable_cpus = 16,
			.memory_bytes = UINT64_C(64) << 30,
			.clock_error_ms = 0.05,
		};
}

static void fill_run(struct result_run *run, const struct plan *plan)
{
	*run = (struct result_run){
		.version = strdup("0.1.0"),
		.command = strdup("throng run -u 1,4-60+4 --repeat 2 -o x.html "
				  "smb://ada@files.example/bench"),
		.host = strdup("client.example"),
		.kernel = strdup("Linux 6.12.48-amd64 x86_64"),
		.started = "2026-11-20T14:03:27Z",
		.ended = "2026-11-20T14:23:07Z",
		.cpus = 16,
		.memory_bytes = UINT64_C(67398717440),
		.seed = 2846872709,
		.repeats = plan->repeats,
		.random_order = true,
		.phases.time_ns = UINT64_C(1000000000) * plan->seconds,
		.phases.warmup_ns = UINT64_C(12000000000),
		.phases.ramp_down_ns = UINT64_C(3000000000),
	};
	result_add_option(run, "sync", "yes");
	if (strcmp(plan->name, "hosts") == 0)
		fill_hosts(run);
	if (strcmp(plan->name, "sampled") != 0)
		return;
	run->samples = calloc(2, sizeof(*run->samples));
	run->sample_count = 2;
	run->samples[0] = (struct result_sampled){
		strdup("cpu <i>%"), strdup("top -b -d 0.5 -n 2 | awk '/^%Cpu/ { print $2 }'")};
	run->samples[1] = (struct result_sampled){strdup("queue"),
						  strdup("cat <i>/sys/block/sda/inflight</i>")};
}

static void fill_load(struct result_variant *variant, const char *name)
{
	variant->loads = calloc(1, sizeof(*variant->loads));
	variant->load_count = 1;
	variant->loads[0] = (struct result_load){
		.name = strdup(name),
		.dialect = strdup("netbench"),
		.sha256 = strdup(
			"9b74c9897bac770ffc029102a200c5de1fda7a0aa1c1c5e5d5e6b1c0a7d1f3b2"),
		.ops = 457952,
		.synced = 2900,
		.read_bytes = UINT64_C(1472000000),
		.write_bytes = UINT64_C(1017000000),
		.footprint_bytes = 20010000,
	};
}

static void fill_variant(struct result_variant *variant, const struct plan *plan)
{
	if (has_loads(plan))
		fill_loads(variant);
	else
		fill_load(variant, plan->load);
	variant->targets = calloc(1, sizeof(*variant->targets));
	variant->target_count = 1;
	variant->targets[0] = (struct result_target){
		.url = strdup(
			plan->target != NULL
				? plan->target
				: variant_set_value(variant->set, variant->set_count, "target")),
		.backend = strdup("smb"),
		.library = strdup("libsmbclient"),
		.library_version = strdup("4.22.4"),
		.kind = strdup("SMB 3.1.1"),
		.protection = strdup("encrypted"),
		.client =
			{
				.name = strdup("libsmbclient"),
				.requests.as_recorded = 0.606,
				.requests.nearest = 0.381,
				.requests.skipped = 0.013,
				.requests.round_trips = 1.61,
			},
		.free_bytes = UINT64_C(83360000000),
		.answers = true,
	};
	if (variant->set_count > 0)
		return;
	variant->unsupported = calloc(1, sizeof(*variant->unsupported));
	variant->unsupported[variant->unsupported_count++] = (struct result_unsupported){
		.name = strdup("LockX"),
		.how = RESULT_SKIPPED,
		.cannot = strdup("byte-range locks"),
		.ops = 258,
		.share = 0.000563,
	};
}

static void add_axis(struct result_run *run, const char *name, const char *const values[3])
{
	struct result_axis axis = {.name = strdup(name), .values = calloc(3, sizeof(char *))};

	for (; axis.value_count < 3 && values[axis.value_count] != NULL; axis.value_count++)
		axis.values[axis.value_count] = strdup(values[axis.value_count]);
	array_append(&run->axes, &run->axis_count, &axis, sizeof(axis));
}

static void add_axes(struct result_run *run, const struct plan *plan)
{
	/* The name and the values contain markup. */
	static const char *const marked_up[] = {"4Ki", "<i>&amp;", "\x1b[31m1Mi"};
	static const char *const sizes[] = {"4Ki", "1Mi", NULL};
	static const char *const targets[] = {
		"smb://ada@files.example/bench?version=3",
		"nfs://storage.example/export/bench?version=4.2",
		"/srv/test",
	};

	if (plan->target != NULL) {
		add_axis(run, "bs\"<b>", marked_up);
	} else {
		add_axis(run, "bs", sizes);
		add_axis(run, "target", targets);
	}
}

static void add_tables(struct result_run *run)
{
	static const char *const tables[] = {
		"mb_per_s by bs\"<b> with change",
		"peak mb_per_s,mean by bs\"<b> with rank",
		"p99 by users",
		"mb_per_s of operations by bs\"<b> peak",
		"mb_per_s with repeats",
		"<i>mb_per_s</i>",
	};

	result_set_tables(run, tables, sizeof(tables) / sizeof(tables[0]));
}

static void fill(struct result *result, const struct plan *plan)
{
	unsigned i, j, users = plan->first;
	size_t variant;

	fill_run(&result->run, plan);
	if (strcmp(plan->name, "tables") == 0)
		add_tables(&result->run);
	if (strcmp(plan->load, "swept.load") == 0)
		add_axes(&result->run, plan);
	variant_make_all(&result->run);
	for (variant = 0; variant < result->run.variant_count; variant++)
		fill_variant(&result->run.variants[variant], plan);
	result->run.user_counts = calloc(plan->points + 1, sizeof(*result->run.user_counts));
	for (i = 0; i < plan->points; i++) {
		result->run.user_counts[result->run.user_count_count++] = users;
		for (variant = 0; variant < result->run.variant_count; variant++)
			for (j = 0; j < plan->repeats; j++)
				fill_repeat(&result->names,
					    result_add_repeat(result, variant, users), plan);
		if (plan->step == 0)
			users *= 2;
		else
			users += plan->step - (i == 0 && plan->step > 1);
	}
	summary_update(result);
	if (plan->fitted) {
		result->limits = calloc(1, sizeof(*result->limits));
		result->limits[result->limit_count++] = (struct result_limit){
			.condition = strdup("p99<50ms"),
			.users = 36,
		};
	}
}

enum { RESULTS_MAX = 40 };

int main(int argc, char **argv)
{
	struct result results[RESULTS_MAX] = {0};
	size_t count = 0, i, j;
	int rc;

	for (; count < RESULTS_MAX && (int)count + 1 < argc; count++) {
		const char *kind = argv[count + 1];
		unsigned before = 0;

		for (j = 0; j < count; j++)
			before += strcmp(argv[j + 1], kind) == 0;
		for (i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
			if (strcmp(plans[i].name, kind) != 0)
				continue;
			random_start(&chance, 5 + i, before);
			fill(&results[count], &plans[i]);
		}
	}
	rc = page_write(results, count, NULL, stdout);
	for (i = 0; i < count; i++)
		result_free(&results[i]);
	return rc != 0;
}
