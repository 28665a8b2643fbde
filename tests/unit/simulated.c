/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulated.h"

#include "unit.h"

#include "play/user.h"
#include "sweep/collect.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Time at which a run begins. */
#define BEGIN_NS (1000 * NS_PER_S)

/* A user that has not ended after this time waits for ever. */
enum { HANG_S = 60 };

struct simulation *simulated;
unsigned simulated_user;
uint64_t simulated_late_ns, simulated_reading_ns;

/* The simulated time, in shared memory; NULL: time is not simulated. */
static uint64_t *now;

static bool is_simulated(clockid_t clock)
{
	return now != NULL && clock == CLOCK_MONOTONIC;
}

/* Check if the user of this process has played its loops, and now waits for the
 * others: then no time passes. */
static bool has_played(void)
{
	return simulated != NULL &&
	       stats_user(&simulated->stats, simulated_user)->state == STATS_ENDING;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
	uint64_t now_ns;

	if (!is_simulated(clock))
		return (int)syscall(SYS_clock_gettime, clock, at);
	now_ns = __atomic_add_fetch(now, simulated != NULL ? simulated_reading_ns : 0,
				    __ATOMIC_ACQ_REL);
	at->tv_sec = (time_t)(now_ns / NS_PER_S);
	at->tv_nsec = (long)(now_ns % NS_PER_S);
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wake, struct timespec *left)
{
	uint64_t wake_ns, now_ns;

	if (!is_simulated(clock) || flags != TIMER_ABSTIME)
		return syscall(SYS_clock_nanosleep, clock, flags, wake, left) == 0 ? 0 : errno;
	sched_yield();
	if (has_played())
		return 0;
	wake_ns = (uint64_t)wake->tv_sec * NS_PER_S + (uint64_t)wake->tv_nsec + simulated_late_ns;
	now_ns = __atomic_load_n(now, __ATOMIC_ACQUIRE);
	while (now_ns < wake_ns && !__atomic_compare_exchange_n(now, &now_ns, wake_ns, false,
								__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return 0;
}

void simulated_begin(uint64_t now_ns)
{
	now = mmap(NULL, sizeof(*now), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(now != MAP_FAILED);
	*now = now_ns;
	assert_true(clock_now_ns() == now_ns);
}

void simulated_end(void)
{
	munmap(now, sizeof(*now));
	now = NULL;
}

void simulated_pass(uint64_t took_ns)
{
	__atomic_add_fetch(now, took_ns, __ATOMIC_ACQ_REL);
}

static int open_session(const struct target *target, unsigned user,
			struct backend_session **session)
{
	*session = NULL;
	simulated_user = user;
	return 0;
}

void simulation_open(struct simulation *s)
{
	struct error error = {0};

	*s = (struct simulation){0};
	simulated_late_ns = simulated_reading_ns = 0;
	assert_int_equal(target_parse("null:", &s->target, &error), 0);
	s->backend = *s->target.backend;
	s->backend.session_open = open_session;
	s->target.backend = &s->backend;
	s->on = (struct workers_target){.target = &s->target, .claim = {.lock_fd = -1}};
	s->plan = (struct workers_plan){
		.loads = &s->loads,
		.targets = &s->on,
		.target_count = 1,
		.pool = data_pool_new(DATA_ZERO, 0, 1),
		.users = 1,
		.mismatches_allowed = UINT64_MAX,
		.each_user = true,
	};
	assert_non_null(s->plan.pool);
}

struct program *simulation_add(struct simulation *s, const char *text)
{
	struct program *program = load_text(text);
	struct error error = {0};

	assert_int_equal(
		loads_add(&s->loads, program, calloc(1, sizeof(struct profile)), 1, &error), 0);
	return program;
}

/* Set the times of the run, as the parent does (workers.c). */
static void set_times(struct simulation *s)
{
	const struct phases *phases = &s->plan.phases;
	struct stats_run *run = s->stats.run;
	unsigned user;
	size_t load;

	for (user = 0; user < s->plan.users; user++)
		stats_assign(&s->stats, user, loads_index(&s->loads, user));
	for (load = 0; load < s->loads.count; load++)
		s->stats.list[load].barrier.elsewhere = s->meet != NULL;
	run->start_ns = BEGIN_NS + NS_PER_S;
	run->measure_ns = run->start_ns + phases->warmup_ns;
	run->stop_ns = phases_in_loops(phases) ? CLOCK_NEVER : run->measure_ns + phases->time_ns;
	run->leave_ns = run->stop_ns;
	run->remove = 1; /* nothing is reported before */
}

/* Play the users, who start at once: their end of the start line is closed. */
static void play_users(struct simulation *s)
{
	int start_fds[2], status;
	unsigned user;
	pid_t pid;

	assert_int_equal(pipe(start_fds), 0);
	close(start_fds[1]);
	fflush(NULL);
	for (user = 0; user < s->plan.users; user++) {
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			alarm(HANG_S);
			_exit(user_main(&s->plan, &s->stats, user, start_fds[0]));
		}
	}
	close(start_fds[0]);
	for (user = 0; user < s->plan.users; user++) {
		while ((pid = waitpid(-1, &status, s->meet != NULL ? WNOHANG : 0)) == 0)
			s->meet(s);
		assert_true(pid > 0);
		assert_int_equal(status, 0);
	}
}

/* Check that the users' sums are those of all users. */
static void check_users(const struct records *records)
{
	static const enum figure added[] = {FIGURE_OPS, FIGURE_BYTES, FIGURE_TIME_S, FIGURE_LOOPS,
					    FIGURE_WAITS};
	size_t i;

	for (i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		const struct record *user = NULL;
		double sum = 0;

		while ((user = records_next_user(records, user)) != NULL)
			sum += record_value(user, added[i]);
		expect_near(sum, record_value(records_total(records), added[i]), 1e-6);
	}
}

/* Collect the figures, as sweep.c does. */
static void collect(struct simulation *s)
{
	struct result_load loads[LOADS_MAX] = {0};
	char names[LOADS_MAX][16]; /* loads of a run have different names */
	struct result_variant variant = {.loads = loads, .load_count = s->loads.count};
	const struct result_run run = {.cpus = 2, .variants = &variant, .variant_count = 1};
	struct stats_run *times = s->stats.run;
	struct workers_report report = {
		.died_user = -1,
		.start_ns = times->measure_ns,
		.end_ns = times->stop_ns,
	};
	struct tally tally;
	size_t i;

	for (i = 0; i < s->loads.count; i++) {
		snprintf(names[i], sizeof(names[i]), "load %zu", i);
		loads[i].name = names[i];
	}
	if (phases_in_loops(&s->plan.phases))
		report.end_ns = workers_last_finish_ns(&s->stats);
	assert_int_equal(tally_take(&tally, &s->plan, &s->stats, &report), 0);
	result_free_repeat(&s->repeat);
	s->repeat = (struct result_repeat){.users = s->plan.users};
	collect_repeat(&run, &tally, false, false, &s->names, &s->repeat);
	tally_free(&tally);
	check_users(&s->repeat.records);
}

/* Return the max number of streams that a user plays. */
static unsigned count_lanes(const struct loads *loads)
{
	unsigned max = 1;
	size_t i;

	for (i = 0; i < loads->count; i++)
		if (loads->list[i].streams != NULL && loads->list[i].streams->lanes > max)
			max = loads->list[i].streams->lanes;
	return max;
}

void simulation_play(struct simulation *s)
{
	unsigned phase_counts[LOADS_MAX];
	struct error error = {0};

	if (s->loads.turns == NULL)
		assert_int_equal(loads_finish(&s->loads, &error), 0);
	assert_int_equal(loads_derive_streams(&s->loads), 0);
	loads_count_phases(&s->loads, phase_counts);
	s->plan.users_total = s->plan.users_max = s->plan.users;
	assert_int_equal(stats_map(&s->stats, s->plan.users, count_lanes(&s->loads), s->loads.count,
				   loads_labels_max(&s->loads), phase_counts, false),
			 0);
	simulated_begin(BEGIN_NS);
	simulated = s;
	set_times(s);
	play_users(s);
	simulated = NULL;
	simulated_end();
	collect(s);
	stats_unmap(&s->stats);
}

void simulation_close(struct simulation *s)
{
	result_free_repeat(&s->repeat);
	intern_free(&s->names);
	data_pool_free((struct data_pool *)s->plan.pool);
	loads_free(&s->loads);
	target_free(&s->target);
}
