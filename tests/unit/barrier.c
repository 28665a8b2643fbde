/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users of a load meet before each phase, and their waiting is in no figure.
 * Time is simulated: it passes only in the operations of a slow user.
 */
#include "records.h"

#include "play/barrier.h"
#include "simulated.h"

#include <sched.h>

enum { USERS = 4, FLUSHES = 4, FLUSH_MS = 150 };

/* The slow user, and if each of its loops takes longer than the one before. */
static unsigned slow_user;
static bool slows_down;

/* The flushes of the slow user are slow. */
static const char flushes[] = "open \"/client1/f\" read,write,create 1 OK\n"
			      "PHASE write\n"
			      "LOOP 20\nwrite 1 0 4096 4096 OK\nENDLOOP\n"
			      "PHASE flush\n"
			      "LOOP 4\nfsync 1 OK\nENDLOOP\n"
			      "PHASE read\n"
			      "LOOP 10\nread 1 0 4096 4096 OK\nENDLOOP\n"
			      "close 1 OK\n"
			      "unlink \"/client1/f\" OK\n";

/* Check if a user of another load has ended, or one of ours waits for the
 * others. */
static bool is_out_of_the_way(unsigned user)
{
	const struct stats *stats = &simulated->stats;

	if (stats_load_of(stats, user) != stats_load_of(stats, simulated_user))
		return __atomic_load_n(&stats_user(stats, user)->state, __ATOMIC_ACQUIRE) >=
		       STATS_ENDING;
	return user == simulated_user || barrier_is_waiting(stats, user);
}

/* Wait until no other user of the run plays. Whoever waits at a barrier is in no
 * call, so no time-out of a target counts. */
static void wait_for_others(void)
{
	unsigned user;

	for (user = 0; user < simulated->plan.users; user++) {
		while (!is_out_of_the_way(user))
			sched_yield();
		if (user != simulated_user &&
		    stats_user(&simulated->stats, user)->busy_since_ns != CLOCK_NEVER)
			_exit(1);
	}
}

static int slow_fsync(struct backend_session *session, int64_t handle)
{
	static unsigned flushed;
	unsigned loops = slows_down ? flushed++ / FLUSHES : 0;

	if (simulated_user != slow_user)
		return 0;
	wait_for_others();
	simulated_pass((loops + 1) * FLUSH_MS * NS_PER_MS);
	return 0;
}

static int set_up(void **state)
{
	struct simulation *s = malloc(sizeof(*s));

	simulation_open(s);
	s->backend.fsync = slow_fsync;
	s->plan.users = USERS;
	slow_user = 2;
	slows_down = false;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	simulation_close(*state);
	free(*state);
	return 0;
}

/* Check the times of a phase that no user plays slowly. */
static void expect_fast(const struct record *phase)
{
	expect_near(record_value(phase, FIGURE_ELAPSED_S), 0, 1e-9);
	expect_near(record_value(phase, FIGURE_ELAPSED_USER_MAX_S), 0, 1e-9);
	expect_figure(phase, FIGURE_MAX_MS, 0);
}

/* Check the times of the phase that the slow user plays slowly. */
static void expect_slow(const struct record *phase, uint64_t loops)
{
	const double took_s = FLUSHES * FLUSH_MS / 1000.;

	expect_near(record_value(phase, FIGURE_ELAPSED_S), took_s, 1e-9);
	expect_near(record_value(phase, FIGURE_SECONDS), (double)loops * took_s, 1e-9);
	expect_near(record_value(phase, FIGURE_ELAPSED_USER_MIN_S), 0, 1e-9);
	expect_near(record_value(phase, FIGURE_ELAPSED_USER_MAX_S), took_s, 1e-9);
	expect_figure(phase, FIGURE_MAX_MS, FLUSH_MS);
}

/* Set the three phases of a load; NULL: of the only load. */
static void get_phases(const struct simulation *s, const char *load, const struct record *phases[3])
{
	const struct record *phase = NULL;
	size_t i;

	for (i = 0; i < 3; i++) {
		phase = records_next_phase(&s->repeat.records, load, phase);
		assert_non_null(phase);
		phases[i] = phase;
	}
	assert_null(records_next_phase(&s->repeat.records, load, phase));
}

/* Return load number `index`, from 0, of several. */
static const struct record *load_at(const struct simulation *s, size_t index)
{
	const struct record *load = NULL;
	size_t i;

	for (i = 0; i <= index; i++) {
		load = records_next_load(&s->repeat.records, load);
		assert_non_null(load);
	}
	return load;
}

static void play(struct simulation *s, uint64_t loops)
{
	s->plan.phases = (struct phases){.loops = loops};
	simulation_play(s);
}

static void a_phase_ends_with_its_slowest_user(void **state)
{
	struct simulation *s = *state;
	const struct record *phases[3];
	uint64_t loops;

	simulation_add(s, flushes);
	for (loops = 1; loops <= 3; loops += 2) {
		play(s, loops);
		get_phases(s, NULL, phases);
		assert_string_equal(phases[1]->key.phase, "flush");
		expect_fast(phases[0]);
		expect_slow(phases[1], loops);
		expect_fast(phases[2]);
		expect_figure(phases[1], FIGURE_LOOPS, (double)(USERS * loops));
		expect_figure(phases[1], FIGURE_OPS, (double)(USERS * FLUSHES * loops));
		/* Before the phases, each loop has one open, which takes no
		 * time. */
		expect_near(record_value(records_total(&s->repeat.records), FIGURE_SECONDS),
			    record_value(phases[1], FIGURE_SECONDS), 1e-9);
	}
}

/* A loop of the slow user takes 0.6 s, and the three barriers of the first loop
 * take three leads more. The second loop begins if the time is not over then. */
static void all_users_play_the_loops_that_begin_in_time(void **state)
{
	const uint64_t ended_ns = FLUSHES * FLUSH_MS * NS_PER_MS + 3 * barrier_lead_ns(USERS);
	const struct {
		uint64_t time_ns, loops;
	} runs[] = {{1, 1}, {ended_ns, 1}, {ended_ns + 1, 2}};
	struct simulation *s = *state;
	const struct record *phases[3], *total;
	size_t i, phase;

	simulation_add(s, flushes);
	for (i = 0; i < LENGTH(runs); i++) {
		const uint64_t loops = runs[i].loops;

		s->plan.phases = (struct phases){.time_ns = runs[i].time_ns, .whole_loops = true};
		simulation_play(s);
		get_phases(s, NULL, phases);
		total = records_total(&s->repeat.records);
		for (phase = 0; phase < LENGTH(phases); phase++)
			expect_figure(phases[phase], FIGURE_LOOPS, (double)(USERS * loops));
		expect_slow(phases[1], loops);
		expect_near(record_value(total, FIGURE_SECONDS),
			    record_value(phases[1], FIGURE_SECONDS), 1e-9);
		expect_figure(total, FIGURE_LOOPS, (double)(USERS * loops));
		/* Each loop has 37 operations. */
		expect_figure(total, FIGURE_USER_OPS_MIN, (double)(37 * loops));
		expect_figure(total, FIGURE_USER_OPS_MAX, (double)(37 * loops));
	}
}

/* All loops but those of the slow user take no time. */
static void waiting_is_no_part_of_a_loop(void **state)
{
	struct simulation *s = *state;
	const struct record *total;

	simulation_add(s, flushes);
	play(s, 3);
	total = records_total(&s->repeat.records);
	expect_figure(total, FIGURE_LOOP_COUNT, 3 * USERS);
	expect_figure(total, FIGURE_LOOP_S, 0);
	expect_figure(total, FIGURE_LOOP_MAX_S, FLUSHES * FLUSH_MS / 1e3);
	expect_near(record_value(total, FIGURE_LOOP_MEAN_S), FLUSHES * FLUSH_MS / 1e3 / USERS,
		    1e-9);
}

/* Users of the first load begin when those of the second one have ended. */
static int64_t open_after_other_load(struct backend_session *session,
				     const struct backend_path *path, uint64_t flags)
{
	const struct stats *stats = &simulated->stats;
	unsigned user;

	for (user = 0; user < simulated->plan.users; user++)
		while (stats_load_of(stats, simulated_user) == stats->list &&
		       stats_load_of(stats, user) != stats->list && !is_out_of_the_way(user))
			sched_yield();
	return 0;
}

static void users_of_another_load_do_not_wait(void **state)
{
	struct simulation *s = *state;
	const struct record *one[3], *other[3];

	s->backend.open = open_after_other_load;
	simulation_add(s, flushes);
	simulation_add(s, flushes);
	play(s, 2);
	assert_null(records_next_load(&s->repeat.records, load_at(s, 1)));
	get_phases(s, load_at(s, 0)->key.load, one);
	get_phases(s, load_at(s, 1)->key.load, other);
	expect_slow(one[1], 2);
	expect_fast(one[0]);
	expect_fast(one[2]);
	expect_fast(other[0]);
	expect_fast(other[1]);
	expect_fast(other[2]);
	assert_true(record_value(load_at(s, 0), FIGURE_SECONDS) >= 1.2);
	expect_near(record_value(load_at(s, 1), FIGURE_SECONDS), 0, 1e-9);
}

/* Each load has one user. The loops of the slow one take 0.6, 1.2 and 1.8 s. */
static void only_the_users_of_a_load_count(void **state)
{
	const double took_s = FLUSHES * FLUSH_MS / 1000.;
	struct simulation *s = *state;
	const struct record *phases[3];

	slow_user = 0;
	slows_down = true;
	s->backend.open = open_after_other_load;
	s->plan.users = 2;
	simulation_add(s, flushes);
	simulation_add(s, flushes);
	play(s, 3);
	get_phases(s, load_at(s, 0)->key.load, phases);
	expect_near(record_value(phases[1], FIGURE_ELAPSED_USER_MIN_S), took_s, 1e-9);
	expect_near(record_value(phases[1], FIGURE_ELAPSED_USER_MAX_S), 3 * took_s, 1e-9);
	expect_near(record_value(phases[1], FIGURE_ELAPSED_S), 2 * took_s, 1e-9);
	expect_figure(phases[1], FIGURE_LOOPS, 3);
}

/* How often the users of this run were released from the barrier; and by how much each
 * phase takes longer elsewhere than the slow user needs here. */
static unsigned released;
static uint64_t longer_ns;

/* Check that nobody goes on before those elsewhere have arrived. */
static void expect_all_wait(const struct simulation *s, const struct stats_barrier *barrier)
{
	unsigned user, i;

	for (user = 0; user < s->plan.users; user++)
		while (!barrier_is_waiting(&s->stats, user))
			sched_yield();
	for (i = 0; i < 100; i++)
		sched_yield();
	assert_int_equal(barrier->round, released);
	for (user = 0; user < s->plan.users; user++)
		assert_true(barrier_is_waiting(&s->stats, user));
}

/* Release the users if they have arrived. The loops of the run have taken 1 s each,
 * whatever the clock here says. */
static void meet_others(struct simulation *s)
{
	struct stats_load *load = s->stats.list;
	struct barrier_go go = {0};

	sched_yield();
	if (!barrier_is_complete(load))
		return;
	expect_all_wait(s, &load->barrier);
	if (load->barrier.ended) {
		go.longest_ns = load->barrier.longest_ns + longer_ns;
		go.played_ns = NS_PER_S * (load->phases[3].loops + 1);
	} else {
		go.begin_ns = clock_now_ns() + NS_PER_S;
	}
	released++;
	barrier_release(load, &go);
}

/* The phases of each loop end when the slowest user of any process has ended them. */
static void a_phase_ends_with_the_slowest_user_elsewhere(void **state)
{
	const double more_s = 7, took_s = FLUSHES * FLUSH_MS / 1e3;
	struct simulation *s = *state;
	const struct record *phases[3], *total;
	uint64_t loops;
	size_t i;

	s->meet = meet_others;
	longer_ns = 7 * NS_PER_S;
	simulation_add(s, flushes);
	for (loops = 1; loops <= 3; loops += 2) {
		released = 0;
		play(s, loops);
		get_phases(s, NULL, phases);
		total = records_total(&s->repeat.records);
		for (i = 0; i < LENGTH(phases); i++) {
			const double own_s = i == 1 ? took_s : 0;

			expect_near(record_value(phases[i], FIGURE_ELAPSED_S), own_s + more_s,
				    1e-9);
			expect_near(record_value(phases[i], FIGURE_ELAPSED_USER_MIN_S), 0, 1e-9);
			expect_near(record_value(phases[i], FIGURE_ELAPSED_USER_MAX_S), own_s,
				    1e-9);
			expect_figure(phases[i], FIGURE_LOOPS, (double)(USERS * loops));
		}
		/* The operations before the first phase are a phase, too. Users wait
		 * when they have ended one, and before they begin one. */
		expect_near(record_value(total, FIGURE_SECONDS),
			    (double)loops * (4 * more_s + took_s), 1e-9);
		assert_int_equal(released, 8 * loops - 1);
		expect_figure(total, FIGURE_LOOP_COUNT, (double)(USERS * loops));
		expect_figure(total, FIGURE_LOOP_MAX_S, took_s);
	}
}

/* All processes must play the same loops, although their clocks differ. */
static void the_parent_decides_if_another_loop_begins(void **state)
{
	struct simulation *s = *state;
	const struct record *phases[3];
	uint64_t loops;

	s->meet = meet_others;
	longer_ns = 0;
	simulation_add(s, flushes);
	for (loops = 1; loops <= 3; loops++) {
		released = 0;
		s->plan.phases = (struct phases){
			.time_ns = (loops - 1) * NS_PER_S + 1,
			.whole_loops = true,
		};
		simulation_play(s);
		get_phases(s, NULL, phases);
		expect_figure(phases[2], FIGURE_LOOPS, (double)(USERS * loops));
	}
}

/* A load without phases ends with the last of its own users. */
static void a_load_ends_with_its_own_users(void **state)
{
	static const double seconds[] = {0, 0, 2 * FLUSH_MS / 1e3};
	struct simulation *s = *state;
	size_t i;

	s->plan.users = 3;
	simulation_add(s, "open \"/client1/f\" write,create 1 OK\n"
			  "fsync 1 OK\n");
	simulation_add(s, "stat \"/client1\" OK\n");
	simulation_add(s, "open \"/client1/f\" write,create 1 OK\n"
			  "fsync 1 OK\n");
	play(s, 2);
	expect_near(record_value(records_total(&s->repeat.records), FIGURE_SECONDS), seconds[2],
		    1e-9);
	for (i = 0; i < LENGTH(seconds); i++)
		expect_near(record_value(load_at(s, i), FIGURE_SECONDS), seconds[i], 1e-9);
}

/* Take time only when user 0 has ended: users do not wait for each other. */
static int fsync_alone(struct backend_session *session, int64_t handle)
{
	const struct stats_user *other = stats_user(&simulated->stats, 0);

	if (simulated_user != slow_user)
		return 0;
	while (__atomic_load_n(&other->state, __ATOMIC_ACQUIRE) < STATS_ENDING)
		sched_yield();
	simulated_pass(FLUSH_MS * NS_PER_MS);
	return 0;
}

/* Users that play whole loops are not measured after the last one. */
static void a_user_ends_with_its_last_loop(void **state)
{
	struct simulation *s = *state;
	const struct record *user = NULL;

	slow_user = 1;
	s->backend.fsync = fsync_alone;
	s->plan.users = 2;
	simulation_add(s, "open \"/client1/f\" write,create 1 OK\n"
			  "fsync 1 OK\n");
	play(s, 2);
	user = records_next_user(&s->repeat.records, user);
	expect_near(record_value(user, FIGURE_SECONDS), 0, 1e-9);
	user = records_next_user(&s->repeat.records, user);
	expect_near(record_value(user, FIGURE_SECONDS), 2 * FLUSH_MS / 1e3, 1e-9);
	assert_null(records_next_user(&s->repeat.records, user));
}

/* The times of a user at a barrier: it has ended its phase, the others end it,
 * and then all files are dropped from the cache. */
#define ENDED_NS (50 * NS_PER_S)
#define PAUSED_NS (ENDED_NS + 3 * NS_PER_S)
#define DROP_NS (20 * NS_PER_S)

static void drop_cache(struct replay *replay)
{
	simulated_pass(DROP_NS);
}

/* Let the only user of a load play phase 1, and begin phase 2. */
static void begin_phase(struct stats *stats, struct program *program, struct replay *replay)
{
	const unsigned phases = 2;

	assert_int_equal(stats_map(stats, 1, 1, 1, 1, &phases, false), 0);
	stats_assign(stats, 0, 0);
	stats->run->stop_ns = CLOCK_NEVER;
	*replay = (struct replay){
		.stats = stats,
		.own = stats_user(stats, 0),
		.begin_ns = ENDED_NS,
		.loop_begin_ns = ENDED_NS - 7,
		.paced_from_ns = ENDED_NS - 9,
		.before_phase = drop_cache,
		.in_slot = true,
	};
	program->rate.per_s = 10;
	pace_open(&replay->pace, program, 0, 0, 1, 1);
	pace_begin(&replay->pace, 0, ENDED_NS - NS_PER_S / 20, 0);
	pace_next(&replay->pace, 0, 0);
	assert_int_equal(recorder_open(&replay->recorder, stats, 0), 0);
	recorder_start(&replay->recorder);
	recorder_advance(&replay->recorder, ENDED_NS);
	recorder_begin_slot(&replay->recorder, 1, ENDED_NS - 100);
	simulated_begin(PAUSED_NS);
	barrier_meet(replay, 2);
	simulated_end();
}

static void a_barrier_postpones_what_counts_from_before_it(void **state)
{
	const uint64_t release_ns = PAUSED_NS + DROP_NS + barrier_lead_ns(1);
	struct program program = {0};
	struct replay replay;
	struct stats stats;

	begin_phase(&stats, &program, &replay);
	assert_true(replay.in_slot);
	assert_int_equal(stats_laps(&stats, 0)[1].took_ns, 100);
	assert_int_equal(replay.recorder.slot_ns, release_ns);
	assert_int_equal(replay.begin_ns, release_ns);
	assert_int_equal(replay.own->busy_since_ns, release_ns);
	/* The time of the loop, and that in which its bytes are due, have gone
	 * on by 7 and 9 ns until the phase ended. */
	assert_int_equal(replay.loop_begin_ns, release_ns - 7);
	assert_int_equal(replay.paced_from_ns, release_ns - 9);
	recorder_close(&replay.recorder);
	stats_unmap(&stats);
}

/* The next operation was due 50 ms after the end of the phase, and so before the
 * others ended it. It is due now, and those after it at the rate. */
static void a_barrier_ends_a_backlog(void **state)
{
	const uint64_t release_ns = PAUSED_NS + DROP_NS + barrier_lead_ns(1);
	struct program program = {0};
	struct replay replay;
	struct stats stats;

	begin_phase(&stats, &program, &replay);
	assert_int_equal(pace_next(&replay.pace, 0, release_ns), release_ns);
	assert_int_equal(pace_next(&replay.pace, 0, release_ns), release_ns + NS_PER_S / 10);
	recorder_close(&replay.recorder);
	stats_unmap(&stats);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_barrier(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_phase_ends_with_its_slowest_user),
		TEST(all_users_play_the_loops_that_begin_in_time),
		TEST(waiting_is_no_part_of_a_loop),
		TEST(users_of_another_load_do_not_wait),
		TEST(only_the_users_of_a_load_count),
		TEST(a_phase_ends_with_the_slowest_user_elsewhere),
		TEST(the_parent_decides_if_another_loop_begins),
		TEST(a_load_ends_with_its_own_users),
		TEST(a_user_ends_with_its_last_loop),
		cmocka_unit_test(a_barrier_postpones_what_counts_from_before_it),
		cmocka_unit_test(a_barrier_ends_a_backlog),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
