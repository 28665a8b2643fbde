/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "sweep/collect.h"
#include "run/tally.h"

#include <errno.h>
#include <signal.h>

/* Count one operation with the label `name`, in the given stage. */
static void play(struct tally *tally, const char *name, enum stats_stage stage, uint64_t took_ns,
		 uint64_t bytes)
{
	struct tally_label *label = tally_label(tally, name);

	if (label == NULL)
		label = tally_add_label(tally, name);
	assert_non_null(label);
	recorder_count(&label->counters[stage], took_ns);
	label->counters[stage].bytes += bytes;
	label->direction = strcmp(name, "Read") == 0    ? DIRECTION_READ
			   : strcmp(name, "Write") == 0 ? DIRECTION_WRITE
							: DIRECTION_NONE;
	if (stage == STATS_MEASURED)
		label->measured.cells[histogram_cell(took_ns)]++;
}

static void add_second(struct tally *tally, uint64_t end_ns, uint64_t bytes, uint64_t p99_ns)
{
	tally->seconds = reallocarray(tally->seconds, tally->second_count + 1,
				      sizeof(*tally->seconds));
	assert_non_null(tally->seconds);
	tally->seconds[tally->second_count++] = (struct second){
		.end_ns = end_ns,
		.bytes = bytes,
		.p99_ns = p99_ns,
	};
}

/* Fill a tally of `users` users, the first of which has number `first`. All
 * values depend on `step`. */
static void fill(struct tally *tally, unsigned first, unsigned users, uint64_t step)
{
	unsigned user, i;

	*tally = (struct tally){
		.first_user = first,
		.users = users,
		.user_ops = calloc(users, sizeof(*tally->user_ops)),
		.loops_ended = 2 * step,
		.cost = {.user_ns = step,
			 .system_ns = 2 * step,
			 .waits = 3 * step,
			 .preemptions = 4 * step},
		.due = {.count = 5 * step, .unfinished = 3 * step},
		.restore_ns = 8 * step,
		.cut_short_ns = 6 * step,
		.late_ns = 9 * step,
		.window_ns = 2 * NS_PER_S + step,
		.silent_s = step,
		.stood_still_ns = 7 * step,
		.died_user = -1,
	};
	assert_non_null(tally->user_ops);
	for (user = 0; user < users; user++) {
		tally->user_ops[user] = 2;
		play(tally, "Read", STATS_MEASURED, 1000 + step * user, 10);
		play(tally, "Write", STATS_MEASURED, 5000 + user, 20);
		play(tally, "Read", STATS_UNCOUNTED, 999999, 1);
	}
	for (i = 0; i < STATS_EXTRAS; i++) {
		uint64_t took_ns = (i + 1) * NS_PER_S + step;

		recorder_count(&tally->extras[i].counter, took_ns);
		tally->extras[i].times.cells[histogram_cell(took_ns)]++;
	}
	add_second(tally, NS_PER_S, 100 * step, 50 + step);
	add_second(tally, 2 * NS_PER_S, 200 * step, 60 + step);
}

/* Add a phase of the load to the tally, with figures that depend on `step`. */
static void add_phase(struct tally *tally, const char *name, uint64_t step)
{
	struct tally_phase *phase = tally_add_phase(tally, name);

	assert_non_null(phase);
	phase->loops = 2;
	phase->min_ns = 10 * step;
	phase->max_ns = 20 * step;
	phase->items = 5 * step;
	phase->sums.users = tally->users;
	phase->sums.user_ops = calloc(tally->users, sizeof(uint64_t));
	phase->sums.window_ns = 30 * step;
	phase->sums.loops_ended = 2 * tally->users;
	phase->sums.cost = (struct stats_cost){.user_ns = step};
	play(&phase->sums, "Read", STATS_MEASURED, 1000 + step, 10);
}

static void expect_counter(const struct stats_counter *counter, const struct stats_counter *wanted)
{
	assert_memory_equal(counter, wanted, sizeof(*counter));
}

/* Let a verification find differences. The values depend on `step`. */
static void verify(struct tally *tally, unsigned differences, uint64_t step)
{
	struct verified *verified = &tally->verified;

	*verified = (struct verified){
		.users = tally->users,
		.read_bytes = 10 * step,
		.compared_bytes = 9 * step,
		.written_bytes = 8 * step,
		.read_back_bytes = 7 * step,
		.unreadable_files = step,
		.unreadable_bytes = 6 * step,
		.difference_count = differences + step,
		.full_maps = 5 * step,
		.map_bytes = 4 * step,
		.differences = calloc(differences + 1, sizeof(struct difference)),
	};
	assert_non_null(verified->differences);
	while (verified->described < differences)
		verified->differences[verified->described++] = (struct difference){
			.kind = DIFFERENCE_OTHER_USER,
			.user = tally->first_user,
			.read_back = true,
			.path = "clients/client1/f",
			.source = "clients/client2/g",
			.source_offset = 512 * step,
			.offset = step,
			.length = 4096,
			.sample_bytes = DIFFERENCE_SAMPLE,
			.expected = "sixteen letters",
			.found = {0xff, 0, 1},
		};
}

static void expect_same_verified(const struct verified *one, const struct verified *other)
{
	assert_int_equal(one->users, other->users);
	assert_int_equal(one->read_bytes, other->read_bytes);
	assert_int_equal(one->compared_bytes, other->compared_bytes);
	assert_int_equal(one->written_bytes, other->written_bytes);
	assert_int_equal(one->read_back_bytes, other->read_back_bytes);
	assert_int_equal(one->unreadable_files, other->unreadable_files);
	assert_int_equal(one->unreadable_bytes, other->unreadable_bytes);
	assert_int_equal(one->difference_count, other->difference_count);
	assert_int_equal(one->full_maps, other->full_maps);
	assert_int_equal(one->map_bytes, other->map_bytes);
	assert_int_equal(one->described, other->described);
	assert_memory_equal(one->differences, other->differences,
			    one->described * sizeof(*one->differences));
}

static void expect_same(const struct tally *one, const struct tally *other)
{
	unsigned stage;
	size_t i;

	assert_int_equal(one->load_count, other->load_count);
	for (i = 0; i < one->load_count; i++)
		expect_same(&one->loads[i], &other->loads[i]);
	assert_int_equal(one->first_user, other->first_user);
	assert_int_equal(one->users, other->users);
	assert_memory_equal(one->user_ops, other->user_ops, one->users * sizeof(*one->user_ops));
	assert_int_equal(one->label_count, other->label_count);
	for (i = 0; i < one->label_count; i++) {
		assert_string_equal(one->labels[i].name, other->labels[i].name);
		assert_int_equal(one->labels[i].direction, other->labels[i].direction);
		for (stage = 0; stage < STATS_STAGES; stage++)
			expect_counter(&one->labels[i].counters[stage],
				       &other->labels[i].counters[stage]);
		assert_memory_equal(&one->labels[i].measured, &other->labels[i].measured,
				    sizeof(one->labels[i].measured));
	}
	assert_int_equal(one->loops_ended, other->loops_ended);
	assert_memory_equal(one->extras, other->extras, sizeof(one->extras));
	assert_memory_equal(&one->due, &other->due, sizeof(one->due));
	assert_memory_equal(&one->cost, &other->cost, sizeof(one->cost));
	assert_int_equal(one->restore_ns, other->restore_ns);
	assert_int_equal(one->cut_short_ns, other->cut_short_ns);
	assert_int_equal(one->late_ns, other->late_ns);
	assert_int_equal(one->window_ns, other->window_ns);
	assert_int_equal(one->second_count, other->second_count);
	assert_memory_equal(one->seconds, other->seconds,
			    one->second_count * sizeof(*one->seconds));
	assert_int_equal(one->silent_s, other->silent_s);
	assert_int_equal(one->stood_still_ns, other->stood_still_ns);
	assert_int_equal(one->interrupted, other->interrupted);
	assert_int_equal(one->died_user, other->died_user);
	assert_int_equal(one->died_signal, other->died_signal);
	assert_int_equal(one->died_status, other->died_status);
	assert_int_equal(one->stuck, other->stuck);
	assert_string_equal(one->deadlock, other->deadlock);
	assert_string_equal(one->failure, other->failure);
	expect_same_verified(&one->verified, &other->verified);
	assert_int_equal(one->phase_count, other->phase_count);
	for (i = 0; i < one->phase_count; i++) {
		const struct tally_phase *a = &one->phases[i];
		const struct tally_phase *b = &other->phases[i];

		assert_string_equal(a->name, b->name);
		assert_int_equal(a->loops, b->loops);
		assert_int_equal(a->min_ns, b->min_ns);
		assert_int_equal(a->max_ns, b->max_ns);
		assert_int_equal(a->items, b->items);
		expect_same(&a->sums, &b->sums);
	}
}

/* The users of two machines play the same phases. */
static void phases_add_up(void **state)
{
	struct tally one, other;
	const struct tally_phase *phase;

	fill(&one, 0, 2, 1);
	fill(&other, 2, 3, 1);
	add_phase(&one, "create", 7);
	add_phase(&one, "stat", 8);
	add_phase(&other, "stat", 5);
	add_phase(&other, "unlink", 6);
	assert_int_equal(tally_add(&one, &other), 0);
	assert_int_equal(one.phase_count, 3);
	assert_string_equal(one.phases[0].name, "create");
	assert_string_equal(one.phases[2].name, "unlink");
	assert_int_equal(one.phases[2].min_ns, 60);
	phase = &one.phases[1];
	assert_int_equal(phase->loops, 2);
	assert_int_equal(phase->min_ns, 50);
	assert_int_equal(phase->max_ns, 160);
	assert_int_equal(phase->items, 65);
	assert_int_equal(phase->sums.users, 5);
	assert_int_equal(phase->sums.window_ns, 240);
	assert_int_equal(phase->sums.loops_ended, 10);
	assert_int_equal(phase->sums.cost.user_ns, 13);
	assert_int_equal(phase->sums.labels[0].counters[STATS_MEASURED].count, 2);
	tally_free(&one);
	tally_free(&other);
}

static void sums_add_up(void **state)
{
	struct tally one, other;
	const struct stats_counter *reads;
	unsigned i;

	fill(&one, 3, 2, 7);
	fill(&other, 0, 3, 100);
	play(&other, "Lock", STATS_MEASURED, 1, 0);
	assert_int_equal(tally_add(&one, &other), 0);
	assert_int_equal(one.first_user, 0);
	assert_int_equal(one.users, 5);
	assert_int_equal(one.user_ops[4], 2);
	assert_int_equal(one.label_count, 3);
	reads = tally_label(&one, "Read")->counters;
	assert_int_equal(reads[STATS_UNCOUNTED].count, 5);
	assert_int_equal(reads[STATS_MEASURED].count, 5);
	assert_int_equal(reads[STATS_MEASURED].bytes, 50);
	assert_int_equal(reads[STATS_MEASURED].sum_ns, 5000 + 7 + 100 + 200);
	assert_int_equal(reads[STATS_MEASURED].min_ns, 1000);
	assert_int_equal(reads[STATS_MEASURED].max_ns, 1200);
	assert_int_equal(histogram_count(&tally_label(&one, "Read")->measured), 5);
	assert_int_equal(tally_label(&one, "Lock")->counters[STATS_MEASURED].count, 1);
	assert_int_equal(one.loops_ended, 214);
	for (i = 0; i < STATS_EXTRAS; i++) {
		const struct tally_extra *extra = &one.extras[i];

		assert_int_equal(extra->counter.count, 2);
		assert_int_equal(extra->counter.min_ns, (i + 1) * NS_PER_S + 7);
		assert_int_equal(histogram_count(&extra->times), 2);
	}
	assert_int_equal(one.due.count, 535);
	assert_int_equal(one.due.unfinished, 321);
	assert_int_equal(one.cost.user_ns, 107);
	assert_int_equal(one.cost.system_ns, 214);
	assert_int_equal(one.cost.waits, 321);
	assert_int_equal(one.cost.preemptions, 428);
	assert_int_equal(one.restore_ns, 856);
	/* The worse value is kept if two values cannot be added up. */
	assert_int_equal(one.cut_short_ns, 600);
	assert_int_equal(one.late_ns, 900);
	assert_int_equal(one.window_ns, 2 * NS_PER_S + 100);
	assert_int_equal(one.silent_s, 100);
	assert_int_equal(one.stood_still_ns, 700);
	assert_int_equal(one.died_user, -1);
	tally_free(&one);
	tally_free(&other);
}

static unsigned char *packed(const struct tally *tally, size_t *bytes)
{
	unsigned char *text = tally_pack(tally, bytes);

	assert_non_null(text);
	return text;
}

/* Add the tallies of two loads to a tally. */
static void add_loads(struct tally *tally, uint64_t step)
{
	tally->loads = calloc(2, sizeof(*tally->loads));
	assert_non_null(tally->loads);
	tally->load_count = 2;
	fill(&tally->loads[0], tally->first_user, 1, step);
	fill(&tally->loads[1], tally->first_user + 1, tally->users - 1, 2 * step);
}

static void loads_add_up_one_by_one(void **state)
{
	struct tally one, other;
	const struct stats_counter *reads;

	fill(&one, 0, 2, 7);
	add_loads(&one, 7);
	fill(&other, 2, 4, 100);
	add_loads(&other, 100);
	assert_int_equal(tally_add(&one, &other), 0);
	assert_int_equal(one.load_count, 2);
	assert_int_equal(one.loads[0].users, 2);
	assert_int_equal(one.loads[1].users, 4);
	reads = tally_label(&one.loads[1], "Read")->counters;
	assert_int_equal(reads[STATS_MEASURED].count, 4);
	assert_int_equal(one.loads[1].loops_ended, 4 * 107);
	tally_free(&one);
	tally_free(&other);
}

/* Pack a tally and unpack it. */
static void send(struct tally *tally)
{
	struct tally sent;
	size_t bytes;
	void *text = tally_pack(tally, &bytes);

	assert_non_null(text);
	assert_int_equal(tally_unpack(&sent, text, bytes), 0);
	free(text);
	tally_free(tally);
	*tally = sent;
}

/* With few users on a machine, none of them may play a load. */
static void a_load_without_users_adds_nothing(void **state)
{
	struct tally sum = {.died_user = -1, .first_user = UINT32_MAX}, parts[2];
	const struct tally *load;
	unsigned i;

	for (i = 0; i < 2; i++) {
		fill(&parts[i], 3 * i, 3, 7);
		add_loads(&parts[i], 7);
		add_phase(&parts[i].loads[0], "create", 5);
	}
	tally_free(&parts[0].loads[0]);
	parts[0].loads[0] = (struct tally){.died_user = -1};
	assert_non_null(tally_add_phase(&parts[0].loads[0], "create"));
	for (i = 0; i < 2; i++) {
		send(&parts[i]);
		assert_int_equal(tally_add(&sum, &parts[i]), 0);
		tally_free(&parts[i]);
	}
	load = &sum.loads[0];
	assert_int_equal(load->users, 1);
	assert_int_equal(load->first_user, 3);
	assert_int_equal(load->user_ops[0], 2);
	assert_int_equal(load->phases[0].loops, 2);
	assert_int_equal(load->phases[0].min_ns, 50);
	assert_int_equal(load->phases[0].max_ns, 100);
	assert_int_equal(load->phases[0].sums.users, 1);
	assert_int_equal(sum.loads[1].users, 4);
	assert_int_equal(sum.loads[1].first_user, 1);
	tally_free(&sum);
}

static void adding_to_an_empty_tally_copies_it(void **state)
{
	struct tally one = {.died_user = -1, .first_user = UINT32_MAX}, other;

	fill(&other, 25, 4, 9);
	add_loads(&other, 9);
	assert_int_equal(tally_add(&one, &other), 0);
	expect_same(&one, &other);
	tally_free(&one);
	tally_free(&other);
}

/* The first differences of all machines are kept. */
static void verified_bytes_add_up(void **state)
{
	struct tally sum = {.died_user = -1, .first_user = UINT32_MAX}, part;
	unsigned i;

	for (i = 0; i < 10; i++) {
		fill(&part, 2 * i, 2, 7);
		verify(&part, VERIFY_DIFFERENCES, i);
		assert_int_equal(tally_add(&sum, &part), 0);
		tally_free(&part);
	}
	assert_int_equal(sum.verified.users, 20);
	assert_int_equal(sum.verified.read_bytes, 450);
	assert_int_equal(sum.verified.compared_bytes, 405);
	assert_int_equal(sum.verified.map_bytes, 36);
	assert_int_equal(sum.verified.difference_count, 10 * VERIFY_DIFFERENCES + 45);
	assert_int_equal(sum.verified.described, VERIFIED_DIFFERENCES_MAX);
	for (i = 0; i < VERIFIED_DIFFERENCES_MAX; i++)
		assert_int_equal(sum.verified.differences[i].user, i / VERIFY_DIFFERENCES * 2);
	tally_free(&sum);
}

/* The two machines of these tallies sampled their users at different times. */
static void seconds_keep_their_bytes_and_the_worse_p99(void **state)
{
	struct tally one, other;

	fill(&one, 0, 1, 1);
	fill(&other, 1, 1, 1);
	one.second_count = other.second_count = 0;
	add_second(&one, 1000, 10, 5);
	add_second(&one, 2000, 20, 90);
	add_second(&other, 500, 100, 7);
	add_second(&other, 1500, 200, 40);
	add_second(&other, 2100, 300, 1);
	assert_int_equal(tally_add(&one, &other), 0);
	assert_int_equal(one.second_count, 2);
	assert_int_equal(one.seconds[0].end_ns, 1000);
	assert_int_equal(one.seconds[0].bytes, 10 + 100 + 100);
	assert_int_equal(one.seconds[0].p99_ns, 40);
	assert_int_equal(one.seconds[1].bytes, 20 + 100 + 300);
	assert_int_equal(one.seconds[1].p99_ns, 90);
	tally_free(&one);
	tally_free(&other);
}

static void the_first_failure_is_kept(void **state)
{
	struct tally one, other;

	fill(&one, 0, 1, 1);
	fill(&other, 26, 1, 1);
	other.died_user = 26;
	other.died_signal = SIGKILL;
	other.stuck = true;
	other.interrupted = SIGTERM;
	strcpy(other.deadlock, "nobody moves");
	strcpy(other.failure, "user 26: it broke");
	assert_int_equal(tally_add(&one, &other), 0);
	assert_int_equal(one.died_user, 26);
	assert_int_equal(one.died_signal, SIGKILL);
	assert_int_equal(one.interrupted, SIGTERM);
	assert_true(one.stuck);
	assert_string_equal(one.deadlock, "nobody moves");
	assert_string_equal(one.failure, "user 26: it broke");
	strcpy(other.failure, "user 30: late");
	other.died_user = 30;
	assert_int_equal(tally_add(&one, &other), 0);
	assert_string_equal(one.failure, "user 26: it broke");
	assert_int_equal(one.died_user, 26);
	tally_free(&one);
	tally_free(&other);
}

/* A repeat that was collected from a tally. */
struct collected {
	struct intern names;
	struct result_repeat repeat;
	const struct record *total;
};

static struct collected collect_on(const struct tally *tally, const struct result_run *about)
{
	struct result_load load = {.ops = 1};
	struct result_variant variant = {.loads = &load, .load_count = 1};
	struct result_run run = *about;
	struct collected collected = {0};

	run.variants = &variant;
	run.variant_count = 1;

	collect_repeat(&run, tally, false, false, &collected.names, &collected.repeat);
	collected.total = records_total(&collected.repeat.records);
	return collected;
}

static struct collected collect(const struct tally *tally)
{
	return collect_on(tally, &(const struct result_run){.cpus = 2});
}

static void drop(struct collected *collected)
{
	result_free_repeat(&collected->repeat);
	intern_free(&collected->names);
}

/* The sum of two tallies of 250 users each equals one tally of all
 * operations. */
static void percentiles_are_those_of_all_operations(void **state)
{
	enum { USERS = 250, OPS = 40 };
	struct tally parts[2], all = {.died_user = -1, .users = 2 * USERS};
	static const enum figure equal[] = {FIGURE_P50_MS, FIGURE_P99_MS, FIGURE_P99_9_MS,
					    FIGURE_MAX_MS, FIGURE_MB_PER_S};
	struct collected merged, whole;
	uint64_t took_ns = 1;
	unsigned part, op;
	size_t i;

	all.user_ops = calloc(2 * USERS, sizeof(*all.user_ops));
	for (part = 0; part < 2; part++) {
		parts[part] = (struct tally){
			.died_user = -1,
			.first_user = part * USERS,
			.users = USERS,
			.user_ops = calloc(USERS, sizeof(uint64_t)),
			.window_ns = NS_PER_S,
		};
		for (op = 0; op < USERS * OPS; op++) {
			/* The second machine is the slower one. */
			took_ns = (took_ns * 7919 + 13) % 1000000;
			play(&parts[part], "Read", STATS_MEASURED, took_ns * (1 + 3 * part), 512);
			play(&all, "Read", STATS_MEASURED, took_ns * (1 + 3 * part), 512);
			parts[part].user_ops[op % USERS]++;
			all.user_ops[part * USERS + op % USERS]++;
		}
	}
	all.window_ns = NS_PER_S;
	assert_int_equal(tally_add(&parts[0], &parts[1]), 0);
	merged = collect(&parts[0]);
	whole = collect(&all);
	expect_figure(merged.total, FIGURE_OPS, 2 * USERS * OPS);
	expect_figure(merged.total, FIGURE_BYTES, 2 * USERS * OPS * 512);
	expect_figure(merged.total, FIGURE_USER_OPS_MIN, OPS);
	assert_true(record_value(merged.total, FIGURE_P99_MS) > 1);
	for (i = 0; i < LENGTH(equal); i++) {
		assert_false(isnan(record_value(whole.total, equal[i])));
		expect_near(record_value(merged.total, equal[i]),
			    record_value(whole.total, equal[i]), 0);
	}
	drop(&merged);
	drop(&whole);
	tally_free(&parts[0]);
	tally_free(&parts[1]);
	tally_free(&all);
}

/* Check the record of a host with 500 KiB that were read by `users` users. */
static void expect_host(const struct record *host, const char *name, unsigned users,
			double clock_error_ms, double late_ms, double cpu_share)
{
	assert_non_null(host);
	assert_string_equal(host->key.host, name);
	assert_int_equal(host->operations, 0);
	expect_figure(host, FIGURE_HOST_USERS, users);
	expect_figure(host, FIGURE_OPS, 1000);
	expect_figure(host, FIGURE_BYTES, 512000);
	expect_figure(host, FIGURE_MB_PER_S, 0.512);
	expect_figure(host, FIGURE_READ_MB_PER_S, 0.512);
	expect_figure(host, FIGURE_WRITE_MB_PER_S, 0);
	expect_figure(host, FIGURE_CLOCK_ERROR_MS, clock_error_ms);
	expect_figure(host, FIGURE_LATE_MS, late_ms);
	expect_figure(host, FIGURE_CPU_SHARE, cpu_share);
}

static void hosts_have_records_of_their_own(void **state)
{
	struct result_host hosts[] = {
		{.name = (char[]){"h1"}, .cpus = 8, .usable_cpus = 2},
		{.name = (char[]){"idle"}, .cpus = 2, .usable_cpus = 2},
		{.name = (char[]){"h2"}, .cpus = 6, .usable_cpus = 6},
	};
	const struct result_run about = {.cpus = 1, .hosts = hosts, .host_count = 3};
	struct tally parts[2], sum = {.died_user = -1, .first_user = UINT32_MAX};
	struct tally_host of[2] = {{"h1", &parts[0], 120000}, {"h2", &parts[1], 90000}};
	struct collected collected;
	const struct record *host;
	unsigned part, op;

	for (part = 0; part < 2; part++) {
		parts[part] = (struct tally){
			.died_user = -1,
			.first_user = part,
			.users = 1 + part,
			.user_ops = calloc(2, sizeof(uint64_t)),
			.window_ns = NS_PER_S,
			.late_ns = 2000000 * (1 + part),
			.cost.user_ns = 600000000,
		};
		for (op = 0; op < 1000; op++)
			play(&parts[part], "Read", STATS_MEASURED, 1000 + 5000 * part, 512);
		assert_int_equal(tally_add(&sum, &parts[part]), 0);
	}
	sum.hosts = calloc(2, sizeof(*sum.hosts));
	memcpy(sum.hosts, of, sizeof(of));
	sum.host_count = 2;
	collected = collect_on(&sum, &about);
	host = records_next_host(&collected.repeat.records, NULL);
	expect_host(host, "h1", 1, 0.12, 2, 0.3);
	assert_true(record_value(host, FIGURE_P99_MS) < 0.0011);
	host = records_next_host(&collected.repeat.records, host);
	expect_host(host, "h2", 2, 0.09, 4, 0.1);
	assert_true(record_value(host, FIGURE_P50_MS) > 0.005);
	assert_null(records_next_host(&collected.repeat.records, host));
	expect_figure(collected.total, FIGURE_OPS, 2000);
	expect_figure(collected.total, FIGURE_BYTES, 1024000);
	expect_figure(collected.total, FIGURE_CPU_SHARE, 0.12);
	expect_figure(collected.total, FIGURE_CLOCK_ERROR_MS, 0.12);
	expect_figure(collected.total, FIGURE_LATE_MS, 4);
	expect_figure(collected.total, FIGURE_HOST_USERS, NAN);
	drop(&collected);
	tally_free(&sum);
	tally_free(&parts[0]);
	tally_free(&parts[1]);
}

/* Unlike times that are unknown. */
static void times_of_0_are_known(void **state)
{
	struct tally tally = {.died_user = -1, .users = 1, .window_ns = NS_PER_S};
	struct collected collected;
	unsigned op;

	tally.user_ops = calloc(1, sizeof(*tally.user_ops));
	for (op = 0; op < 100; op++)
		play(&tally, "Read", STATS_MEASURED, 0, 512);
	collected = collect(&tally);
	expect_figure(collected.total, FIGURE_P50_MS, 0);
	expect_figure(collected.total, FIGURE_P99_MS, 0);
	expect_figure(collected.total, FIGURE_P99_9_MS, NAN);
	expect_figure(collected.total, FIGURE_MAX_MS, 0);
	drop(&collected);
	tally_free(&tally);
}

static void unpacking_reverses_packing(void **state)
{
	struct tally tally, again;
	unsigned char *text;
	size_t bytes;

	fill(&tally, 100, 3, 11);
	add_phase(&tally, "create", 3);
	add_phase(&tally, "stat", 4);
	tally.labels[1].measured.overflow = 1;
	tally.labels[1].counters[STATS_MEASURED].count++;
	tally.died_user = 101;
	tally.died_status = 3;
	tally.interrupted = SIGINT;
	strcpy(tally.failure, "user 101: fell over");
	add_loads(&tally, 3);
	verify(&tally, 2, 13);
	text = packed(&tally, &bytes);
	assert_memory_equal(text, "THRTALLY\5\0\0\0\0\0\0\0", 16);
	assert_int_equal(tally_unpack(&again, text, bytes), 0);
	expect_same(&tally, &again);
	tally_free(&again);
	free(text);
	tally_free(&tally);
}

static int unpack_and_free(const void *text, size_t bytes)
{
	struct tally tally;
	int rc = tally_unpack(&tally, text, bytes);

	tally_free(&tally);
	return rc;
}

static void truncated_or_long_data_is_refused(void **state)
{
	struct tally tally;
	unsigned char *text, *copy;
	size_t bytes, cut;

	fill(&tally, 0, 2, 1);
	add_phase(&tally, "create", 3);
	verify(&tally, 1, 1);
	text = packed(&tally, &bytes);
	for (cut = 0; cut < bytes; cut++) {
		/* An exact allocation, so that a sanitizer sees overreads. */
		copy = malloc(cut + 1);
		assert_non_null(copy);
		memcpy(copy, text, cut);
		assert_int_equal(unpack_and_free(copy, cut), -EBADMSG);
		free(copy);
	}
	copy = calloc(1, bytes + 1);
	assert_non_null(copy);
	memcpy(copy, text, bytes);
	assert_int_equal(unpack_and_free(copy, bytes + 1), -EBADMSG);
	copy[0] = 'X';
	assert_int_equal(unpack_and_free(copy, bytes), -EBADMSG);
	copy[0] = 'T';
	copy[8]++;
	assert_int_equal(unpack_and_free(copy, bytes), -EPROTO);
	free(copy);
	free(text);
	tally_free(&tally);
}

/* Overwrite 8 bytes of a packed tally, at each position in turn. The tally is
 * then refused, or its figures can be collected without a crash. */
static void any_damaged_word_is_handled(void **state)
{
	static const uint64_t words[] = {
		0,
		1,
		2,
		255,
		HISTOGRAM_CELLS,
		UINT32_MAX,
		(uint64_t)INT64_MAX,
		UINT64_MAX / 8,
		UINT64_MAX,
	};
	struct tally tally, other;
	unsigned char *text, saved[8];
	struct collected collected;
	size_t bytes, at, i, refused = 0;

	fill(&tally, 0, 2, 1);
	add_phase(&tally, "create", 3);
	verify(&tally, 1, 1);
	strcpy(tally.failure, "it \"broke\"");
	text = packed(&tally, &bytes);
	for (at = 16; at + 8 <= bytes; at++) {
		memcpy(saved, text + at, 8);
		for (i = 0; i < LENGTH(words); i++) {
			memcpy(text + at, &words[i], 8);
			if (tally_unpack(&other, text, bytes) == 0) {
				collected = collect(&other);
				drop(&collected);
			} else {
				refused++;
			}
			tally_free(&other);
		}
		memcpy(text + at, saved, 8);
	}
	assert_true(refused > 0);
	free(text);
	tally_free(&tally);
}

/* Pack a tally that `spoil` has damaged, and unpack it. */
static int unpack_wrong(void (*spoil)(struct tally *))
{
	struct tally tally;
	unsigned char *text;
	size_t bytes;
	int rc;

	fill(&tally, 0, 2, 1);
	spoil(&tally);
	text = packed(&tally, &bytes);
	rc = unpack_and_free(text, bytes);
	free(text);
	tally_free(&tally);
	return rc;
}

static void more_in_the_histogram_than_was_counted(struct tally *tally)
{
	tally->labels[0].measured.cells[5] = 1;
}

static void cells_that_wrap(struct tally *tally)
{
	tally->labels[0].measured.cells[5] = UINT64_MAX;
}

static void a_minimum_above_the_maximum(struct tally *tally)
{
	tally->labels[0].counters[STATS_MEASURED].min_ns = UINT64_MAX;
}

static void a_label_twice(struct tally *tally)
{
	strcpy(tally->labels[1].name, "Read");
}

static void a_label_without_a_name(struct tally *tally)
{
	tally->labels[1].name[0] = '\0';
}

static void a_second_of_no_length(struct tally *tally)
{
	tally->seconds[1].end_ns = tally->seconds[0].end_ns;
}

static void a_phase_of_other_users(struct tally *tally)
{
	add_phase(tally, "create", 3);
	tally->phases[0].sums.users = 1;
}

static void no_users(struct tally *tally)
{
	tally->users = 0;
}

static void more_differences_than_were_found(struct tally *tally)
{
	verify(tally, 3, 1);
	tally->verified.difference_count = 2;
}

static void more_differences_than_a_host_describes(struct tally *tally)
{
	verify(tally, VERIFY_DIFFERENCES + 1, 1);
}

static void a_difference_of_no_kind(struct tally *tally)
{
	verify(tally, 1, 1);
	tally->verified.differences[0].kind = DIFFERENCES;
}

static void an_invalid_signal(struct tally *tally)
{
	tally->interrupted = 4711;
}

static void contradictions_are_refused(void **state)
{
	static void (*const all[])(struct tally *) = {
		more_in_the_histogram_than_was_counted,
		cells_that_wrap,
		a_minimum_above_the_maximum,
		a_label_twice,
		a_label_without_a_name,
		a_second_of_no_length,
		no_users,
		an_invalid_signal,
		more_differences_than_were_found,
		more_differences_than_a_host_describes,
		a_difference_of_no_kind,
		a_phase_of_other_users,
	};
	size_t i;

	for (i = 0; i < LENGTH(all); i++)
		if (unpack_wrong(all[i]) != -EBADMSG)
			fail_msg("contradiction %zu was accepted", i);
}

static void control_characters_are_replaced(void **state)
{
	struct tally tally, again;
	unsigned char *text;
	size_t bytes;

	fill(&tally, 0, 1, 1);
	strcpy(tally.failure, "\033[2J\n");
	text = packed(&tally, &bytes);
	assert_int_equal(tally_unpack(&again, text, bytes), 0);
	assert_string_equal(again.failure, "?[2J?");
	tally_free(&again);
	free(text);
	tally_free(&tally);
}

int unit_tally(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_add_up),
		cmocka_unit_test(loads_add_up_one_by_one),
		cmocka_unit_test(a_load_without_users_adds_nothing),
		cmocka_unit_test(verified_bytes_add_up),
		cmocka_unit_test(phases_add_up),
		cmocka_unit_test(adding_to_an_empty_tally_copies_it),
		cmocka_unit_test(seconds_keep_their_bytes_and_the_worse_p99),
		cmocka_unit_test(the_first_failure_is_kept),
		cmocka_unit_test(percentiles_are_those_of_all_operations),
		cmocka_unit_test(hosts_have_records_of_their_own),
		cmocka_unit_test(times_of_0_are_known),
		cmocka_unit_test(unpacking_reverses_packing),
		cmocka_unit_test(truncated_or_long_data_is_refused),
		cmocka_unit_test(any_damaged_word_is_handled),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(control_characters_are_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
