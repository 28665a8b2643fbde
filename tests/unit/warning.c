/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "result/warning.h"

#include "../../bench/gate-noise.h"

/* A point without warnings; each test makes one figure suspicious. */
struct scene {
	struct result_run run;
	struct result_point point;
};

static struct result_target local;
static struct result_load load;
static struct result_variant only;

/* The records of a scene: the total, then those that a test adds. */
enum { RECORDS = 5 };
static struct record list[RECORDS];
static double list_values[RECORDS][FIGURES];

/* Append a record with unknown values. */
static struct record *add(struct scene *scene, const struct record_key *key)
{
	size_t at = scene->point.records.count++, i;

	assert_true(at < RECORDS);
	scene->point.records.list = list;
	list[at] = (struct record){
		.key = *key,
		.value_count = FIGURES,
		.values = list_values[at],
	};
	for (i = 0; i < FIGURES; i++)
		list_values[at][i] = NAN;
	return &list[at];
}

/* Set a value of the total. */
static void set(struct scene *scene, enum figure figure, double value)
{
	record_set(scene->point.records.list, figure, value);
}

static void set_due(struct scene *scene, double due, double ended)
{
	set(scene, FIGURE_SCHEDULED, due);
	set(scene, FIGURE_SCHEDULED_COMPLETED, ended);
	set(scene, FIGURE_COMPLETED_SHARE, ended / due);
}

static struct scene sound_scene(void)
{
	struct scene scene = {
		.run =
			{
				.cpus = 4,
				.repeats = 1,
				.memory_bytes = 1 << 30,
				.variants = &only,
				.variant_count = 1,
			},
		.point.users = 2,
	};

	local = (struct result_target){.answers = true};
	load = (struct result_load){
		.ops = 1000,
		.read_bytes = 3000000,
		.write_bytes = 1000000,
		.footprint_bytes = 1 << 20,
		.synced = 1,
	};
	only = (struct result_variant){
		.loads = &load,
		.load_count = 1,
		.targets = &local,
		.target_count = 1,
	};
	add(&scene, TOTAL);
	SET(&scene.point.records, TOTAL, {FIGURE_SECONDS, 5}, {FIGURE_OPS, 50000},
	    {FIGURE_BYTES, 200000000}, {FIGURE_LOOPS, 50}, {FIGURE_USER_OPS_MIN, 20000},
	    {FIGURE_USER_OPS_MAX, 30000}, {FIGURE_USER_S, 2}, {FIGURE_SYSTEM_S, 0});
	return scene;
}

static void expect_warning(struct scene *scene, const char *text)
{
	static struct result_repeat alike[10];
	struct notices *warnings = &scene->point.warnings;

	scene->point.repeat_count = scene->run.repeats;
	if (scene->point.repeats == NULL)
		scene->point.repeats = alike;
	warn_of_point(&scene->run, &scene->point);
	if (text == NULL) {
		if (warnings->count > 0)
			fail_msg("unexpected warning: %s", notice_text(&warnings->list[0]));
		return;
	}
	assert_int_equal(warnings->count, 1);
	expect_notice(&warnings->list[0], text);
	notices_free(warnings);
}

static void a_sound_point_has_no_warning(void **state)
{
	struct scene scene = sound_scene();

	expect_warning(&scene, NULL);
}

static void uneven_users_are_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_USER_OPS_MIN, 15000);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_USER_OPS_MIN, 14999);
	expect_warning(
		&scene,
		"the slowest user completed only 50 % as many operations as the fastest user; "
		"increase --time (if the difference remains, the target serves users unequally)");
}

static void a_single_user_is_never_uneven(void **state)
{
	struct scene scene = sound_scene();

	scene.point.users = 1;
	set(&scene, FIGURE_USER_OPS_MIN, 0);
	expect_warning(&scene, NULL);
}

/* Draw the number of arrivals in a time in which `mean` are expected. */
static uint64_t arrivals(struct noise *noise, double mean)
{
	uint64_t count = 0;
	double sum = -log(noise_uniform(noise));

	for (; sum < mean; count++)
		sum -= log(noise_uniform(noise));
	return count;
}

static void users_with_random_arrivals_are_not_uneven(void **state)
{
	static const double means[] = {1, 3, 10, 30, 100};
	struct scene scene = sound_scene();
	struct noise noise = {0};
	size_t i, j, user;

	random_start(&noise.random, 1, 0);
	scene.run.open_loop = true;
	for (i = 0; i < LENGTH(means); i++)
		for (j = 0; j < 100; j++) {
			uint64_t min = UINT64_MAX, max = 0;

			scene.point.users = 100;
			for (user = 0; user < 100; user++) {
				uint64_t ops = arrivals(&noise, means[i]);

				min = ops < min ? ops : min;
				max = ops > max ? ops : max;
			}
			set(&scene, FIGURE_USER_OPS_MIN, (double)min);
			set(&scene, FIGURE_USER_OPS_MAX, (double)max);
			expect_warning(&scene, NULL);
		}
	/* Chance does not explain this. */
	scene.point.users = 2;
	set(&scene, FIGURE_USER_OPS_MIN, 100);
	set(&scene, FIGURE_USER_OPS_MAX, 225);
	expect_warning(
		&scene,
		"the slowest user completed only 44 % as many operations as the fastest user; "
		"increase --time (if the difference remains, the target serves users unequally)");
	/* Without due times, no operation arrives. */
	scene.run.open_loop = false;
	set(&scene, FIGURE_USER_OPS_MIN, 1);
	set(&scene, FIGURE_USER_OPS_MAX, 3);
	expect_warning(
		&scene,
		"the slowest user completed only 33 % as many operations as the fastest user; "
		"increase --time (if the difference remains, the target serves users unequally)");
}

static void an_unfinished_loop_explains_the_mix(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_LOOPS, 0);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_BYTES, 100000000);
	expect_warning(
		&scene,
		"no user completed a loop, so the figures cover only the first part of the load: "
		"on average, a measured operation transferred 2000 bytes, but an operation of the "
		"whole load transfers 4000 bytes; increase --time, or use --loops");
}

static void a_suspended_run_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_STOOD_STILL_S, 2.5);
	expect_warning(&scene, "throng was stopped for 2.5 s (SIGSTOP), and the figures include "
			       "this pause; repeat the run");
}

static void silent_seconds_are_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_SILENT_S, 1);
	set(&scene, FIGURE_HELD_UP_S, 1.9);
	expect_warning(
		&scene,
		"no operation completed in 1 whole second, although users were waiting for the "
		"target; the figures include this time (look for a cause such as a long flush)");
	scene = sound_scene();
	set(&scene, FIGURE_SILENT_S, 2);
	expect_warning(
		&scene,
		"no operation completed in 2 whole seconds, although users were waiting for the "
		"target; the figures include this time (look for a cause such as a long flush)");
	/* If the run was suspended, that explains the silence. */
	scene = sound_scene();
	set(&scene, FIGURE_STOOD_STILL_S, 3.1);
	set(&scene, FIGURE_SILENT_S, 3);
	set(&scene, FIGURE_HELD_UP_S, 3.2);
	expect_warning(&scene, "throng was stopped for 3.1 s (SIGSTOP), and the figures include "
			       "this pause; repeat the run");
}

static void a_blocked_user_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	/* The limit is 5 % of the window: 2 s of 40 s. */
	set(&scene, FIGURE_SECONDS, 40);
	set(&scene, FIGURE_HELD_UP_S, 2);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_HELD_UP_S, 2.1);
	expect_warning(
		&scene,
		"one operation took 2.1 s and held up its user, which lowers MB/s and ops/s; to "
		"see the kind of operation, look at the column max of throng run --operations");
	/* If 1,000 users share four processors, waits up to 5 s are normal. */
	scene = sound_scene();
	scene.point.users = 1000;
	set(&scene, FIGURE_HELD_UP_S, 5);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_HELD_UP_S, 5.1);
	expect_warning(
		&scene,
		"one operation took 5.1 s and held up its user, which lowers MB/s and ops/s; to "
		"see the kind of operation, look at the column max of throng run --operations");
}

static void a_different_mix_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_BYTES, 209000000);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_BYTES, 191000000);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_BYTES, 189000000);
	expect_warning(&scene, "the figures cover only a part of the load: on average, a measured "
			       "operation transferred 3780 bytes, but an operation of the whole "
			       "load transfers 4000 bytes; increase --time, or use --loops");
}

static void reads_of_unrecorded_size_have_no_mix(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_BYTES, 100000000);
	scene.run.variants->loads->open_reads = 1;
	expect_warning(&scene, NULL);
}

static void a_load_without_bytes_has_no_mix(void **state)
{
	struct scene scene = sound_scene();

	scene.run.variants->loads->read_bytes = scene.run.variants->loads->write_bytes = 0;
	set(&scene, FIGURE_BYTES, 0);
	expect_warning(&scene, NULL);
	/* A point without operations has no mix, either. */
	scene = sound_scene();
	set(&scene, FIGURE_OPS, 0);
	set(&scene, FIGURE_BYTES, 0);
	expect_warning(&scene, NULL);
}

static void laying_out_files_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	scene.run.variants->loads->laid_out_bytes = 800000;
	expect_warning(&scene, NULL);
	scene.run.variants->loads->laid_out_bytes = 920000;
	expect_warning(&scene, "of the bytes that the load transfers, 23 % are written to files "
			       "that the load reads later, and the figures include these writes; "
			       "move writes that only prepare files into a SETUP block");
	scene = sound_scene();
	scene.run.variants->loads->laid_out_bytes = 920000;
	scene.run.phases.loops = 1;
	expect_warning(&scene, NULL);
}

static void a_long_restore_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_RESTORE_SHARE, 0.1);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_RESTORE_SHARE, 0.123);
	expect_warning(&scene,
		       "between loops, users spent 12 % of the measured time on restoring the "
		       "set-up; this lowers MB/s and ops/s, but does not affect latencies");
}

static void a_busy_client_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	/* 100 % means all time of the two processors that two users can keep
	 * busy, not of all four processors. */
	set(&scene, FIGURE_USER_S, 5);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_USER_S, 6);
	expect_warning(&scene, "throng's users used 60 % of the processor time that they could use "
			       "on this machine, so this machine, not the target, may limit the "
			       "figures; use a faster machine, or --hosts");
}

static void system_time_counts_for_remote_targets(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_USER_S, 3);
	set(&scene, FIGURE_SYSTEM_S, 3);
	expect_warning(&scene, NULL);
	local.remote = true;
	expect_warning(&scene, "throng's users used 60 % of the processor time that they could use "
			       "on this machine, so this machine, not the target, may limit the "
			       "figures; use a faster machine, or --hosts");
}

/* Let the users of a scene play on three hosts, two on each. */
static void spread(struct scene *scene, struct result_host hosts[3])
{
	static const char *const names[] = {"h1", "h2", "h3"};
	static char kernel[] = "6.1";
	size_t i;

	scene->point.users = 6;
	for (i = 0; i < 3; i++) {
		hosts[i] = (struct result_host){
			.name = (char *)(uintptr_t)names[i],
			.kernel = kernel,
			.cpus = 4,
			.usable_cpus = 4,
			.memory_bytes = 1 << 30,
		};
		add(scene, KEY(.host = names[i]));
		SET(&scene->point.records, KEY(.host = names[i]), {FIGURE_SECONDS, 5},
		    {FIGURE_OPS, 16000}, {FIGURE_MB_PER_S, 10}, {FIGURE_OPS_PER_S, 3200},
		    {FIGURE_USER_S, 2}, {FIGURE_SYSTEM_S, 4}, {FIGURE_HOST_USERS, 2},
		    {FIGURE_CLOCK_ERROR_MS, 0.1});
	}
	scene->run.hosts = hosts;
	scene->run.host_count = 3;
}

static void a_busy_host_is_a_warning(void **state)
{
	struct scene scene = sound_scene();
	struct result_host hosts[3];

	spread(&scene, hosts);
	/* All together would be too much for this machine. */
	set(&scene, FIGURE_USER_S, 40);
	expect_warning(&scene, NULL);
	SET(&scene.point.records, KEY(.host = "h2"), {FIGURE_USER_S, 6});
	expect_warning(
		&scene,
		"users on host h2 used 60 % of the processor time that they could use there, so "
		"this host, not the target, may limit the figures; use more hosts");
	/* It may have fewer processors than users. */
	SET(&scene.point.records, KEY(.host = "h2"), {FIGURE_USER_S, 4});
	expect_warning(&scene, NULL);
	hosts[1].cpus = hosts[1].usable_cpus = 1;
	hosts[0].cpus = hosts[0].usable_cpus = hosts[2].cpus = hosts[2].usable_cpus = 1;
	expect_warning(
		&scene,
		"users on host h2 used 80 % of the processor time that they could use there, so "
		"this host, not the target, may limit the figures; use more hosts");
	SET(&scene.point.records, KEY(.host = "h2"), {FIGURE_USER_S, 1});
	expect_warning(&scene, NULL);
	local.remote = true;
	SET(&scene.point.records, KEY(.host = "h1"), {FIGURE_SYSTEM_S, 0});
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_SYSTEM_S, 0});
	expect_warning(
		&scene,
		"users on host h2 used 100 % of the processor time that they could use there, so "
		"this host, not the target, may limit the figures; use more hosts");
}

static void a_slow_host_is_a_warning(void **state)
{
	static const char slow[] = "the throughput per user on host h3 was only 79 % of the median "
				   "of all hosts; check this host and its network";
	struct scene scene = sound_scene();
	struct result_host hosts[3];

	spread(&scene, hosts);
	load.open_reads = 1; /* no mix */
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_MB_PER_S, 8}, {FIGURE_OPS, 12640});
	expect_warning(&scene, NULL);
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_MB_PER_S, 7.9});
	expect_warning(&scene, slow);
	/* Chance may be the reason if there are few operations, which come at random. */
	scene.run.open_loop = true;
	expect_warning(&scene, slow);
	set(&scene, FIGURE_OPS, 300);
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_OPS, 79});
	expect_warning(&scene, NULL);
	scene.run.open_loop = false;
	/* Half of the users, with half of the throughput. */
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_MB_PER_S, 5}, {FIGURE_HOST_USERS, 1});
	expect_warning(&scene, NULL);
	/* No bytes are moved. */
	load.read_bytes = load.write_bytes = 0;
	set(&scene, FIGURE_BYTES, 0);
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_MB_PER_S, 1}, {FIGURE_HOST_USERS, 2});
	expect_warning(&scene, NULL);
	SET(&scene.point.records, KEY(.host = "h3"), {FIGURE_OPS_PER_S, 2528});
	expect_warning(&scene, slow);
}

static void a_clock_that_is_not_known_is_a_warning(void **state)
{
	struct scene scene = sound_scene();
	struct result_host hosts[3];

	spread(&scene, hosts);
	SET(&scene.point.records, KEY(.host = "h1"), {FIGURE_CLOCK_ERROR_MS, 1});
	expect_warning(&scene, NULL);
	SET(&scene.point.records, KEY(.host = "h1"), {FIGURE_CLOCK_ERROR_MS, 1.26});
	expect_warning(&scene,
		       "users on host h1 may have started up to 1.3 ms before or after users on "
		       "other hosts, because the connection to this host is slow; increase --time");
}

static void different_hosts_are_a_warning(void **state)
{
	struct scene scene = sound_scene();
	struct result_host hosts[3];

	spread(&scene, hosts);
	expect_warning(&scene, NULL);
	hosts[1].usable_cpus = 3;
	expect_warning(&scene, "throng can use only 3 of the 4 processors of host h2, perhaps "
			       "because the launcher binds throng to these processors (see the "
			       "launcher's options for binding)");
	hosts[1].usable_cpus = 4;
	hosts[2].cpus = hosts[2].usable_cpus = 8;
	expect_warning(&scene, "the hosts have different numbers of processors (h1 has 4, h3 has "
			       "8), so users may be slower on some hosts than on others");
	hosts[2].cpus = hosts[2].usable_cpus = 4;
	hosts[1].kernel = (char[]){"6.2"};
	expect_warning(&scene, "the hosts have different kernels (h1 has 6.1, h2 has 6.2), so "
			       "users may be slower on some hosts than on others");
	hosts[2].kernel = (char[]){"6.3"};
	expect_warning(&scene,
		       "the hosts have different kernels (h1 has 6.1, h2 has 6.2, and more hosts "
		       "differ), so users may be slower on some hosts than on others");
}

static void a_short_window_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_USER_S, 0);
	set(&scene, FIGURE_SECONDS, 0.99);
	scene.run.phases.loops = 1;
	expect_warning(&scene, NULL);
	scene.run.phases.loops = 0;
	expect_warning(&scene, "only 0.99 s were measured, which is too short for stable figures; "
			       "increase --time");
}

static void an_overloaded_target_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set_due(&scene, 50000, 49500);
	expect_warning(&scene, NULL);
	set_due(&scene, 50000, 450);
	expect_warning(&scene, "the target could not keep up: only 0.9 % of the scheduled "
			       "operations completed, so response times grow with the length of "
			       "the run; lower --rate, or find a rate with throng run --find-rate");
	/* One operation of each user is in flight at the end. */
	set_due(&scene, 10, 8);
	expect_warning(&scene, NULL);
}

static void late_operations_are_a_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_LATENESS_P99_MS, 1);
	set(&scene, FIGURE_LATENESS_MAX_MS, 9);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_LATENESS_P99_MS, 2.5);
	expect_warning(&scene,
		       "throng itself started operations late (p99 2.5 ms), and the response times "
		       "include this delay; use fewer users, a lower --rate or an idle machine");
	set(&scene, FIGURE_LATENESS_P99_MS, NAN);
	expect_warning(&scene,
		       "throng itself started operations late (max 9.0 ms), and the response times "
		       "include this delay; use fewer users, a lower --rate or an idle machine");
}

static void skipped_operations_are_no_warning(void **state)
{
	struct scene scene = sound_scene();

	set(&scene, FIGURE_OPS, 49000);
	set(&scene, FIGURE_SKIPPED, 1000);
	expect_warning(&scene, NULL);
}

static void degraded_operations_are_a_warning(void **state)
{
	struct scene scene = sound_scene();
	struct result_unsupported lack = {
		.name = (char[]){"NTCreateX"},
		.how = RESULT_EMULATED,
		.cannot = "O_SYNC",
	};

	scene.run.variants->unsupported = &lack;
	scene.run.variants->unsupported_count = 1;
	expect_warning(&scene, NULL);
	lack.how = RESULT_DEGRADED;
	expect_warning(&scene,
		       "NTCreateX was played without O_SYNC, which the target does not support; "
		       "compare this result only with results that have the same warning");
}

static void a_load_in_the_page_cache_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	scene.run.variants->loads->synced = 0;
	/* On tmpfs all files are in memory anyway, and null: has no data. */
	local.in_memory = true;
	expect_warning(&scene, NULL);
	local.in_memory = false;
	/* The size of a server's memory is unknown. */
	local.remote = true;
	expect_warning(&scene, NULL);
	local.remote = false;
	local.answers = false;
	expect_warning(&scene, NULL);
	local.answers = true;
	/* Two users' files take half of the memory. */
	scene.run.variants->loads->footprint_bytes = 1 << 28;
	expect_warning(&scene, NULL);
	scene.run.variants->loads->footprint_bytes--;
	/* The files that they share count once. */
	scene.run.variants->loads->shared_footprint_bytes = 2;
	expect_warning(&scene, NULL);
	scene.run.variants->loads->shared_footprint_bytes = 1;
	expect_warning(&scene,
		       "all files fit in the page cache, so reads measure memory, not the disk; to "
		       "measure the disk, use --cold, more users or a bigger load");
}

static void the_remedy_for_writes_is_to_sync(void **state)
{
	struct scene scene = sound_scene();

	scene.run.variants->loads->synced = 0;
	scene.run.variants->loads->read_bytes = 2000000;
	scene.run.variants->loads->write_bytes = 2000000;
	expect_warning(&scene, "all files fit in the page cache and the load flushes nothing, so "
			       "the run measures memory, not the disk; to measure the disk, use "
			       "--fsync, --sync or --sync-dirs");
	/* Cold caches change nothing for writes. */
	scene.run.phases.cold = true;
	set(&scene, FIGURE_LOOPS, scene.point.users);
	expect_warning(&scene, "with --cold, reads reach the disk, but writes stay in memory, "
			       "because the files fit in the page cache and nothing is flushed; to "
			       "flush, use --fsync, --sync or --sync-dirs");
	set(&scene, FIGURE_LOOPS, scene.point.users + 1);
	expect_warning(&scene, "all files fit in the page cache and the load flushes nothing, so "
			       "the run measures memory, not the disk; to measure the disk, use "
			       "--fsync, --sync or --sync-dirs");
}

static void cold_caches_last_for_one_loop(void **state)
{
	struct scene scene = sound_scene();

	scene.run.variants->loads->synced = 0;
	scene.run.phases.cold = true;
	set(&scene, FIGURE_LOOPS, scene.point.users);
	expect_warning(&scene, NULL);
	/* Each repeat begins with cold caches. */
	scene.run.repeats = 2;
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_LOOPS, scene.point.users + 0.5);
	expect_warning(&scene,
		       "all files fit in the page cache, so only the first loop of each user reads "
		       "from the disk; use --loops 1, more users or a bigger load");
	/* Each phase of each loop begins with cold caches, too. */
	add(&scene, KEY(.phase = "read"));
	expect_warning(&scene, NULL);
}

static void each_repeat_needs_a_long_window(void **state)
{
	struct scene scene = sound_scene();

	scene.run.repeats = 10;
	set(&scene, FIGURE_SECONDS, 1);
	set(&scene, FIGURE_USER_S, 0);
	expect_warning(&scene, NULL);
	set(&scene, FIGURE_SECONDS, 0.5);
	expect_warning(&scene, "only 0.50 s were measured, which is too short for stable figures; "
			       "increase --time");
}

static void repeats_in_the_given_order_are_a_warning(void **state)
{
	struct scene scene = sound_scene();

	scene.run.repeats = 3;
	scene.run.user_count_count = 1;
	expect_warning(&scene, NULL);
	scene.run.user_count_count = 2;
	scene.run.random_order = true;
	expect_warning(&scene, NULL);
	scene.run.random_order = false;
	expect_warning(&scene,
		       "each repeat measured the user counts in the same order, so a machine that "
		       "became slower during the run would look like an effect of the number of "
		       "users; use --order random, without --stop-when");
}

enum { REPEATS = 100 };

static void set_rate(struct result_repeat *repeat, enum figure rate, double value)
{
	record_set(repeat->records.list, rate, value);
}

/* Let repeats, up to REPEATS of them, have these rates alone. */
static void set_rates(struct result_repeat *repeats, enum figure rate, const double *rates,
		      size_t count)
{
	static struct record records[REPEATS];
	static double values[REPEATS][FIGURE_OPS_PER_S + 1];
	size_t i;

	for (i = 0; i < count; i++) {
		memset(values[i], 0, sizeof(values[i]));
		records[i].values = values[i];
		records[i].value_count = FIGURE_OPS_PER_S + 1;
		repeats[i] = (struct result_repeat){.records = {&records[i], 1}};
		set_rate(&repeats[i], rate, rates[i]);
	}
}

static void a_wide_spread_is_a_warning(void **state)
{
	struct scene scene = sound_scene();
	struct result_repeat repeats[2];

	scene.run.repeats = 2;
	set(&scene, FIGURE_MB_PER_S, 100);
	set_rates(repeats, FIGURE_MB_PER_S, (const double[]){110, 85}, 2);
	scene.point.repeats = repeats;
	expect_warning(&scene, NULL);
	set_rate(&repeats[1], FIGURE_MB_PER_S, 84);
	expect_warning(&scene, "repeats of one measurement differ by more than 25 %, so the "
			       "figures are uncertain; look for other programs that use the "
			       "machine or the target, or increase --repeat");
	/* If the load moves no bytes, the warning is about the spread of
	 * operations per second. */
	scene.run.variants->loads->read_bytes = scene.run.variants->loads->write_bytes = 0;
	set(&scene, FIGURE_BYTES, 0);
	set(&scene, FIGURE_OPS_PER_S, 100);
	set_rate(&repeats[0], FIGURE_OPS_PER_S, 110);
	set_rate(&repeats[1], FIGURE_OPS_PER_S, 90);
	expect_warning(&scene, NULL);
	set_rate(&repeats[1], FIGURE_OPS_PER_S, 80);
	expect_warning(&scene, "repeats of one measurement differ by more than 25 %, so the "
			       "figures are uncertain; look for other programs that use the "
			       "machine or the target, or increase --repeat");
	/* A comparison has no --repeat, and ends when the verdict is certain. */
	scene.run.pairs = 20;
	expect_warning(&scene, "measurements of one target differ by more than 25 %, so a verdict "
			       "may need more pairs; look for other programs that use the machine "
			       "or the target");
}

static void only_the_middle_half_of_the_repeats_must_be_close(void **state)
{
	static const double rates[] = {100, 10, 300, 87, 112, 20, 200, 1000};
	struct scene scene = sound_scene();
	struct result_repeat repeats[LENGTH(rates)];

	set_rates(repeats, FIGURE_MB_PER_S, rates, LENGTH(rates));
	scene.point.repeats = repeats;
	set(&scene, FIGURE_MB_PER_S, 100);
	/* 10 87 100 112 300: from 48.5 to 206 */
	scene.run.repeats = 5;
	expect_warning(&scene, "repeats of one measurement differ by more than 25 %, so the "
			       "figures are uncertain; look for other programs that use the "
			       "machine or the target, or increase --repeat");
	/* 10 87 100 112 112 112 300: from 87 to 112 */
	set_rate(&repeats[5], FIGURE_MB_PER_S, 112);
	set_rate(&repeats[6], FIGURE_MB_PER_S, 112);
	scene.run.repeats = 7;
	expect_warning(&scene, NULL);
	set_rate(&repeats[3], FIGURE_MB_PER_S, 86);
	expect_warning(&scene, "repeats of one measurement differ by more than 25 %, so the "
			       "figures are uncertain; look for other programs that use the "
			       "machine or the target, or increase --repeat");
	/* 10 86 100 112 112 112 300 1000: from 93 to 206 */
	scene.run.repeats = 8;
	expect_warning(&scene, "repeats of one measurement differ by more than 25 %, so the "
			       "figures are uncertain; look for other programs that use the "
			       "machine or the target, or increase --repeat");
	set_rate(&repeats[2], FIGURE_MB_PER_S, 122);
	set_rate(&repeats[7], FIGURE_MB_PER_S, 114);
	/* 10 86 100 112 112 112 114 122: from 93 to 113 */
	expect_warning(&scene, NULL);
}

/* With a standard deviation of 10 %, max - min is nearly always above 25 % from
 * ten repeats on. */
static void more_repeats_do_not_spread_more(void **state)
{
	static const size_t counts[] = {3, 5, 10, 30, 100};
	struct noise noise = {0};
	size_t warnings, before = 200, i, j, k;

	random_start(&noise.random, 1, 0);
	for (i = 0; i < LENGTH(counts); i++) {
		warnings = 0;
		for (j = 0; j < 200; j++) {
			struct result_repeat repeats[REPEATS];
			double rates[REPEATS];
			struct scene scene = sound_scene();

			for (k = 0; k < counts[i]; k++)
				rates[k] = 100 * exp(0.1 * noise_bell(&noise));
			set_rates(repeats, FIGURE_MB_PER_S, rates, counts[i]);
			scene.run.repeats = counts[i];
			scene.point.repeat_count = counts[i];
			scene.point.repeats = repeats;
			set(&scene, FIGURE_MB_PER_S, 100);
			warn_of_point(&scene.run, &scene.point);
			warnings += scene.point.warnings.count;
			notices_free(&scene.point.warnings);
		}
		assert_true(warnings <= before);
		before = warnings;
	}
	assert_int_equal(before, 0);
}

static void a_busy_machine_is_a_warning(void **state)
{
	struct scene scene = sound_scene();

	scene.run.busy_before = 0.1;
	expect_warning(&scene, NULL);
	scene.run.busy_before = 0.47;
	expect_warning(&scene, "other programs used 47 % of this machine's processor time before "
			       "the first measurement, and may have slowed the run down; stop "
			       "these programs and repeat the run");
}

static void a_resumed_sweep_is_no_warning(void **state)
{
	struct scene scene = sound_scene();

	scene.run.resumed = 1;
	expect_warning(&scene, NULL);
}

/* Two loads of which the second one moves half as many bytes. Their users play
 * as different numbers of operations as the loads do. */
static void each_load_is_judged_by_itself(void **state)
{
	struct result_load loads[] = {
		{.name = (char[]){"one"},
		 .ops = 1000,
		 .read_bytes = 4000000,
		 .weight = 1,
		 .synced = 1},
		{.name = (char[]){"two"}, .ops = 1000, .read_bytes = 2000000, .weight = 1},
	};
	struct record *one, *two;
	struct scene scene = sound_scene();

	scene.run.variants->loads = loads;
	scene.run.variants->load_count = LENGTH(loads);
	scene.point.users = 4;
	set(&scene, FIGURE_OPS, 44000);
	set(&scene, FIGURE_BYTES, 168000000);
	set(&scene, FIGURE_USER_OPS_MIN, 1900);
	set(&scene, FIGURE_USER_OPS_MAX, 21000);
	one = add(&scene, KEY(.load = "one"));
	SET(&scene.point.records, KEY(.load = "one"), {FIGURE_LOAD_USERS, 2}, {FIGURE_SECONDS, 5},
	    {FIGURE_OPS, 40000}, {FIGURE_BYTES, 160000000}, {FIGURE_LOOPS, 40},
	    {FIGURE_USER_OPS_MIN, 19000}, {FIGURE_USER_OPS_MAX, 21000});
	two = add(&scene, KEY(.load = "two"));
	SET(&scene.point.records, KEY(.load = "two"), {FIGURE_LOAD_USERS, 2}, {FIGURE_SECONDS, 5},
	    {FIGURE_OPS, 4000}, {FIGURE_BYTES, 8000000}, {FIGURE_LOOPS, 4},
	    {FIGURE_USER_OPS_MIN, 1900}, {FIGURE_USER_OPS_MAX, 2100});
	expect_warning(&scene, NULL);
	record_set(two, FIGURE_USER_OPS_MIN, 900);
	record_set(two, FIGURE_USER_OPS_MAX, 3000);
	expect_warning(&scene, "\"two\": the slowest user completed only 30 % as many operations "
			       "as the fastest user; increase --time (if the difference remains, "
			       "the target serves users unequally)");
	record_set(two, FIGURE_USER_OPS_MIN, 2000);
	record_set(two, FIGURE_OPS, 0);
	record_set(two, FIGURE_USER_OPS_MAX, 0);
	record_set(two, FIGURE_USER_OPS_MIN, 0);
	expect_warning(&scene, "\"two\": no operation of this load completed in the measured time, "
			       "so the load has no figures; increase --time");
	record_set(two, FIGURE_OPS, 4000);
	record_set(one, FIGURE_BYTES, 80000000);
	expect_warning(&scene, "\"one\": the figures cover only a part of the load: on average, a "
			       "measured operation transferred 2000 bytes, but an operation of the "
			       "whole load transfers 4000 bytes; increase --time, or use --loops");
	record_set(one, FIGURE_BYTES, 160000000);
	/* A load that is restored for long may have few users. */
	set(&scene, FIGURE_RESTORE_SHARE, 0.09);
	record_set(two, FIGURE_RESTORE_SHARE, 0.18);
	expect_warning(
		&scene,
		"\"two\": between loops, users spent 18 % of the measured time on restoring the "
		"set-up; this lowers MB/s and ops/s, but does not affect latencies");
	record_set(two, FIGURE_RESTORE_SHARE, 0);
	/* The footprints of all users count. */
	loads[0].synced = 0;
	loads[0].footprint_bytes = 128 << 20;
	loads[1].footprint_bytes = 128 << 20;
	expect_warning(&scene, NULL);
	loads[1].footprint_bytes--;
	expect_warning(&scene,
		       "all files fit in the page cache, so reads measure memory, not the disk; to "
		       "measure the disk, use --cold, more users or a bigger load");
	/* With cold caches, look at the loads that have no phases. */
	scene.run.phases.cold = true;
	set(&scene, FIGURE_LOOPS, 44);
	add(&scene, KEY(.load = "one", .phase = "read"));
	expect_warning(&scene,
		       "all files fit in the page cache, so only the first loop of each user reads "
		       "from the disk; use --loops 1, more users or a bigger load");
	record_set(two, FIGURE_LOOPS, 2);
	expect_warning(&scene, NULL);
}

/* A load with phases is measured without its users' waits, so its seconds do not
 * tell when it ended. */
static void a_load_that_ends_early_is_a_warning(void **state)
{
	struct result_load loads[] = {
		{.name = (char[]){"short"}, .ops = 1000, .read_bytes = 4000000, .synced = 1},
		{.name = (char[]){"long"}, .ops = 1000, .read_bytes = 4000000, .synced = 1},
	};
	struct scene scene = sound_scene();
	size_t i;

	scene.run.variants->loads = loads;
	scene.run.variants->load_count = LENGTH(loads);
	for (i = 0; i < LENGTH(loads); i++) {
		loads[i].weight = 1;
		add(&scene, KEY(.load = loads[i].name));
		SET(&scene.point.records, KEY(.load = loads[i].name), {FIGURE_LOAD_USERS, 1},
		    {FIGURE_SECONDS, 5}, {FIGURE_OPS, 20000}, {FIGURE_BYTES, 80000000},
		    {FIGURE_LOOPS, 20}, {FIGURE_USER_OPS_MIN, 20000}, {FIGURE_USER_OPS_MAX, 20000});
	}
	SET(&scene.point.records, KEY(.load = "short"), {FIGURE_SECONDS, 2.5});
	expect_warning(&scene, NULL);
	SET(&scene.point.records, KEY(.load = "short"), {FIGURE_SECONDS, 1});
	expect_warning(&scene,
		       "\"short\": the users of this load finished their last loop after "
		       "20.0 % of the measured time, while users of other loads continued; "
		       "to measure all loads for the same time, use --time instead of --loops");
	add(&scene, KEY(.load = "short", .phase = "read"));
	expect_warning(&scene, NULL);
}

int unit_warning(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_point_has_no_warning),
		cmocka_unit_test(uneven_users_are_a_warning),
		cmocka_unit_test(a_single_user_is_never_uneven),
		cmocka_unit_test(users_with_random_arrivals_are_not_uneven),
		cmocka_unit_test(an_unfinished_loop_explains_the_mix),
		cmocka_unit_test(a_suspended_run_is_a_warning),
		cmocka_unit_test(silent_seconds_are_a_warning),
		cmocka_unit_test(a_blocked_user_is_a_warning),
		cmocka_unit_test(a_different_mix_is_a_warning),
		cmocka_unit_test(reads_of_unrecorded_size_have_no_mix),
		cmocka_unit_test(a_load_without_bytes_has_no_mix),
		cmocka_unit_test(laying_out_files_is_a_warning),
		cmocka_unit_test(a_long_restore_is_a_warning),
		cmocka_unit_test(a_busy_client_is_a_warning),
		cmocka_unit_test(system_time_counts_for_remote_targets),
		cmocka_unit_test(a_busy_host_is_a_warning),
		cmocka_unit_test(a_slow_host_is_a_warning),
		cmocka_unit_test(a_clock_that_is_not_known_is_a_warning),
		cmocka_unit_test(different_hosts_are_a_warning),
		cmocka_unit_test(a_short_window_is_a_warning),
		cmocka_unit_test(an_overloaded_target_is_a_warning),
		cmocka_unit_test(late_operations_are_a_warning),
		cmocka_unit_test(skipped_operations_are_no_warning),
		cmocka_unit_test(degraded_operations_are_a_warning),
		cmocka_unit_test(a_load_in_the_page_cache_is_a_warning),
		cmocka_unit_test(the_remedy_for_writes_is_to_sync),
		cmocka_unit_test(cold_caches_last_for_one_loop),
		cmocka_unit_test(each_repeat_needs_a_long_window),
		cmocka_unit_test(repeats_in_the_given_order_are_a_warning),
		cmocka_unit_test(a_wide_spread_is_a_warning),
		cmocka_unit_test(only_the_middle_half_of_the_repeats_must_be_close),
		cmocka_unit_test(more_repeats_do_not_spread_more),
		cmocka_unit_test(a_busy_machine_is_a_warning),
		cmocka_unit_test(each_load_is_judged_by_itself),
		cmocka_unit_test(a_load_that_ends_early_is_a_warning),
		cmocka_unit_test(a_resumed_sweep_is_no_warning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
