/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One file, because all of it is the parent's loop over struct workers: a stop
 * of the run (SIGSTOP), a tick and a stuck user are told apart by its times.
 */
#include "engine/workers.h"

#include "engine/barrier.h"
#include "engine/deadline.h"
#include "base/process.h"
#include "engine/user.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Interval at which the parent wakes up, before and after the start. */
#define SETUP_SLICE_NS (2 * NS_PER_MS)
#define WATCH_SLICE_NS (20 * NS_PER_MS)
/*
 * Maximum step in which the parent counts time: a longer step means that the
 * parent was stopped (SIGSTOP), or that the machine was too busy to let it run.
 */
#define STEP_NS NS_PER_S
/* During set-up and clean-up, kill all users if none of them makes progress for
 * this time. It is extended if a target has a long timeout (patience_ns). */
#define STUCK_NS (60 * NS_PER_S)
/* Time added to the client library's own timeout, which should expire first. */
#define GRACE_NS (10 * NS_PER_S)

struct workers {
	const struct workers_plan *plan;
	struct stats *stats;
	struct workers_report *report;
	const struct workers_observer *observer;
	pid_t *pids; /* PIDs of the users; 0: the user has ended */
	unsigned alive;
	/* Write end of the pipe that users read at the start line; closing it
	 * lets them start. */
	int start_fd;
	uint64_t began_ns;
	uint64_t last_look_ns, next_tick_ns;
	/*
	 * The longest time between two calls of pass_time, of all calls since a
	 * wait for signals last ended without a signal. If this time is long,
	 * the run may have been stopped (SIGSTOP).
	 */
	uint64_t last_pause_ns;
	/* The time at which the point was called off (all users must leave); 0:
	 * the point was not called off. */
	uint64_t called_off_ns;
	/* Time by which the end of the measured window was postponed after
	 * SIGSTOPs that fell into it. */
	uint64_t put_off_ns;
	/* To distinguish a stuck user from a slow one: the time without
	 * progress, not counting stops, and the last progress seen. */
	uint64_t idle_ns, progress;
	/* Time of the last check that found that an operation had ended, and
	 * the number of operations that had ended by then. */
	uint64_t moved_ns, ops;
	struct watchdog watchdog;
	struct deadline deadline;
};

/* Raise the limit of open files, as each user needs a descriptor per open
 * handle, and some for directories. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void open_start_line(struct workers *workers)
{
	if (workers->start_fd >= 0)
		close(workers->start_fd);
	workers->start_fd = -1;
}

/* Publish the times of the phases, then let the users start. */
static void start(struct workers *workers, uint64_t start_ns)
{
	const struct workers_plan *plan = workers->plan;
	struct stats_run *run = workers->stats->run;

	if (plan->phases.loops > 0) {
		run->measure_ns = start_ns;
		run->stop_ns = run->leave_ns = CLOCK_NEVER;
	} else {
		run->measure_ns = start_ns + plan->phases.warmup_ns;
		run->stop_ns = run->measure_ns + plan->phases.time_ns;
		run->leave_ns = run->stop_ns + plan->phases.ramp_down_ns;
	}
	run->put_off = plan->put_off;
	__atomic_store_n(&run->start_ns, start_ns, __ATOMIC_RELEASE);
	workers->next_tick_ns = start_ns + NS_PER_S;
	open_start_line(workers);
}

/* Call the point off: make all users leave, including those at the start
 * line. */
static void call_off(struct workers *workers)
{
	if (workers->called_off_ns == 0)
		workers->called_off_ns = clock_now_ns();
	stats_stop(workers->stats);
	open_start_line(workers);
}

/* Choose the start time, now that all users wait at the start line. */
static void decide_start(struct workers *workers)
{
	const struct workers_observer *observer = workers->observer;
	uint64_t start_ns = clock_now_ns() +
			    barrier_lead_ns(workers->plan->users);

	/* Users may have to wait long for the users of other machines. Don't
	 * count this as being stuck. */
	workers->idle_ns = 0;
	if (observer->line != NULL)
		start_ns = observer->line(observer->context, start_ns);
	if (start_ns == 0)
		call_off(workers);
	else if (start_ns != CLOCK_NEVER)
		start(workers, start_ns);
}

/* Let each user know its load, and each load its users. */
static void assign_loads(const struct workers_plan *plan,
			 const struct stats *stats)
{
	unsigned user;

	for (user = 0; user < plan->users; user++)
		stats_assign(stats, user,
			     loads_index(plan->loads, plan->first_user + user));
}

static int fork_users(struct workers *workers, struct error *error)
{
	int start_fds[2];
	unsigned user;

	if (pipe2(start_fds, O_CLOEXEC) < 0) {
		error_set(error, "cannot create a pipe: %s", strerror(errno));
		return -errno;
	}
	workers->start_fd = start_fds[1];
	for (user = 0; user < workers->plan->users; user++) {
		pid_t pid = process_fork();

		if (pid == 0) {
			close(start_fds[1]);
			_exit(user_main(workers->plan, workers->stats, user,
					start_fds[0]));
		}
		if (pid < 0) {
			error_set(error, "cannot fork user %u of %u: %s", user,
				  workers->plan->users, strerror(-pid));
			break;
		}
		workers->pids[user] = pid;
		workers->alive++;
	}
	close(start_fds[0]);
	return user < workers->plan->users ? -EAGAIN : 0;
}

static void note_death(struct workers *workers, pid_t pid, int status)
{
	struct workers_report *report = workers->report;
	unsigned user;

	for (user = 0; user < workers->plan->users; user++)
		if (workers->pids[user] == pid)
			break;
	/* This is not a user. If a shell has replaced itself by throng (with
	 * `exec`), the shell's children are now our children. */
	if (user == workers->plan->users)
		return;
	workers->pids[user] = 0;
	workers->alive--;
	/* Status 0 alone is not enough: a client library may have called
	 * exit(0). */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
	    stats_user(workers->stats, user)->state == STATS_DONE)
		return;
	call_off(workers);
	/* Don't report a user that has reported its failure itself, or one that
	 * was killed because its target is gone. */
	if (report->died_user >= 0 || report->stuck ||
	    workers_target_of(workers->plan, user)->gone != 0 ||
	    (WIFEXITED(status) && workers->stats->run->failed != 0))
		return;
	report->died_user = (int)(workers->plan->first_user + user);
	report->died_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	report->died_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void reap(struct workers *workers)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		note_death(workers, pid, status);
}

/* Return the time at which the last user finished. With --loops, this is the
 * end of the measured window. */
static uint64_t last_finish_ns(const struct workers *workers)
{
	uint64_t last_ns = 0;
	unsigned user;

	for (user = 0; user < workers->plan->users; user++) {
		uint64_t finish_ns =
			stats_user(workers->stats, user)->finish_ns;

		if (finish_ns > last_ns)
			last_ns = finish_ns;
	}
	return last_ns;
}

/*
 * Find the stage that contained the middle of the past second: at a phase
 * boundary, a tick must show the stage that ends, not the one that begins.
 */
static void find_stage(const struct workers *workers, uint64_t now_ns,
		       struct workers_view *view)
{
	const struct stats_run *run = workers->stats->run;
	uint64_t middle_ns = now_ns - NS_PER_S / 2;
	uint64_t since_ns = workers->began_ns, until_ns = CLOCK_NEVER;

	view->stage = WORKERS_SETUP;
	if (run->stop != 0 ||
	    (run->start_ns > 0 && middle_ns >= run->leave_ns)) {
		view->stage = WORKERS_CLEANUP;
		since_ns = run->stop != 0 ? now_ns : run->leave_ns;
	} else if (run->start_ns > 0 && middle_ns >= run->stop_ns) {
		view->stage = WORKERS_RAMP_DOWN;
		since_ns = run->stop_ns;
		until_ns = run->leave_ns;
	} else if (run->start_ns > 0 && workers->plan->phases.loops > 0 &&
		   run->finished == workers->plan->users &&
		   middle_ns >= last_finish_ns(workers)) {
		view->stage = WORKERS_CLEANUP;
		since_ns = last_finish_ns(workers);
	} else if (run->start_ns > 0 && middle_ns >= run->measure_ns) {
		view->stage = WORKERS_MEASURE;
		since_ns = run->measure_ns + workers->put_off_ns;
		until_ns = run->stop_ns;
	} else if (run->start_ns > 0) {
		view->stage = WORKERS_WARMUP;
		since_ns = run->start_ns;
		until_ns = run->measure_ns;
	}
	view->left_ns = CLOCK_NEVER;
	if (until_ns != CLOCK_NEVER)
		view->left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	/* A tick may be late, but must not show more than the whole stage. */
	if (now_ns > until_ns)
		now_ns = until_ns;
	view->elapsed_ns = now_ns > since_ns ? now_ns - since_ns : 0;
}

/* Return a user's longest operation since the last call, and reset it. */
static uint64_t take_peak_ns(struct stats_user *own, uint64_t now_ns)
{
	uint64_t peak_ns = __atomic_exchange_n(&own->peak_ns, 0,
					       __ATOMIC_RELAXED);
	uint64_t since_ns = own->busy_since_ns;

	if (since_ns > 0 && since_ns < now_ns && now_ns - since_ns > peak_ns)
		peak_ns = now_ns - since_ns;
	return peak_ns;
}

/* Add up the counters of all users. Return a sum that grows with progress. */
static uint64_t sum_counters(const struct workers *workers, uint64_t now_ns,
			     struct workers_view *view)
{
	const struct stats *stats = workers->stats;
	struct stats_counter sum = {0}, measured = {0};
	uint64_t steps = 0;
	unsigned user;
	size_t label;

	for (user = 0; user < workers->plan->users; user++) {
		struct stats_user *own = stats_user(stats, user);
		uint64_t peak_ns = take_peak_ns(own, now_ns);

		steps += own->steps + own->state;
		if (peak_ns > view->peak_ns)
			view->peak_ns = peak_ns;
		for (label = 0; label < stats->labels; label++) {
			stats_add_sets(&measured, stats, user, STATS_MEASURED,
				       label);
			stats_add_counter(&sum, stats_counters(stats, user,
						STATS_UNCOUNTED) + label);
		}
	}
	stats_add_counter(&sum, &measured);
	view->measured_bytes = measured.bytes;
	view->ops = sum.count;
	view->bytes = sum.bytes;
	view->sum_ns = sum.sum_ns;
	view->mismatches = sum.mismatches;
	return steps + sum.count;
}

static void kill_all(struct workers *workers)
{
	unsigned user;

	workers->report->stuck = true;
	for (user = 0; user < workers->plan->users; user++)
		if (workers->pids[user] > 0)
			kill(workers->pids[user], SIGKILL);
}

/*
 * Return the time after which users without any progress count as stuck. While
 * users play on a local target, an operation may take any time, so there is no
 * limit. On remote targets, and during set-up and clean-up, the limit is longer
 * than the timeout of any client library.
 */
static uint64_t patience_ns(const struct workers *workers,
			    enum workers_stage stage)
{
	const struct workers_plan *plan = workers->plan;
	bool playing = stage != WORKERS_SETUP && stage != WORKERS_CLEANUP;
	uint64_t hanging_ns = 0;
	unsigned i;

	for (i = 0; i < plan->target_count; i++) {
		const struct target *target = plan->targets[i].target;
		uint64_t timeout_ns = target->timeout_s * NS_PER_S;

		if (playing && !target->backend->remote)
			return CLOCK_NEVER;
		if (timeout_ns > hanging_ns)
			hanging_ns = timeout_ns;
	}
	hanging_ns += GRACE_NS;
	return playing || hanging_ns > STUCK_NS ? hanging_ns : STUCK_NS;
}

/* Note the actual window, which is shorter if the point was called off. */
static void note_window(const struct workers *workers)
{
	const struct stats_run *run = workers->stats->run;
	uint64_t end_ns = run->stop_ns;

	if (run->start_ns == 0)
		return;
	if (workers->plan->phases.loops > 0)
		end_ns = last_finish_ns(workers);
	if (workers->called_off_ns > 0 && workers->called_off_ns < end_ns)
		end_ns = workers->called_off_ns;
	workers->report->start_ns = run->measure_ns + workers->put_off_ns;
	workers->report->end_ns = end_ns;
}

/*
 * Return the time for which no operation has ended although one was due. Users
 * that sleep, because of the load or a rate, wake up several times per second
 * (pace.h). If all of them sleep and none wakes up, they were stopped.
 */
static uint64_t find_still_ns(struct workers *workers, uint64_t now_ns,
			      uint64_t progress, uint64_t ops)
{
	uint64_t last_end_ns = 0;
	bool asleep = false;
	unsigned user;

	/* Ignore a silence after the measured time. */
	if (workers->stats->run->start_ns > 0 &&
	    now_ns > workers->stats->run->stop_ns)
		now_ns = workers->stats->run->stop_ns;
	for (user = 0; user < workers->plan->users; user++) {
		const struct stats_user *own = stats_user(workers->stats, user);
		bool playing = own->state == STATS_RUNNING;
		/* A user that has left ended its last operation at
		 * finish_ns. */
		uint64_t since_ns = playing ? own->busy_since_ns
					    : own->finish_ns;

		if (since_ns == CLOCK_NEVER)
			asleep |= playing;
		else if (since_ns > last_end_ns)
			last_end_ns = since_ns;
	}
	if (ops != workers->ops ||
	    (last_end_ns == 0 && (progress != workers->progress || !asleep)))
		workers->moved_ns = now_ns;
	workers->ops = ops;
	/*
	 * It is unknown when the last operation of a sleeping user ended, so
	 * use the time of the last check that saw the number of operations
	 * grow.
	 */
	if (asleep || last_end_ns == 0 || last_end_ns > now_ns)
		return now_ns - workers->moved_ns;
	return now_ns - last_end_ns;
}

/* Record the second of the measured window that ends at `now_ns`. */
static void note_second(const struct workers *workers, uint64_t now_ns,
			const struct seconds_sample *sample)
{
	const struct stats_run *run = workers->stats->run;
	uint64_t begin_ns = run->measure_ns + workers->put_off_ns;

	if (run->start_ns == 0 || now_ns <= begin_ns)
		return;
	if (now_ns > run->stop_ns)
		now_ns = run->stop_ns;
	seconds_add(&workers->report->seconds, workers->stats,
		    now_ns - begin_ns, sample);
}

static void note_last_second(const struct workers *workers)
{
	struct workers_view view = {0};
	struct seconds_sample sample = {0};

	sum_counters(workers, workers->report->end_ns, &view);
	sample.bytes = view.measured_bytes;
	note_second(workers, workers->report->end_ns, &sample);
}

/* Once per second: update the display, and look for stuck users. */
static void check_users(struct workers *workers, uint64_t now_ns)
{
	const struct seconds *seconds = &workers->report->seconds;
	struct workers_view view = {
		.users = workers->plan->users,
		.ready = workers->stats->run->ready,
		.alive = workers->alive,
	};
	uint64_t progress = sum_counters(workers, now_ns, &view);
	const struct seconds_sample sample = {
		.bytes = view.measured_bytes,
		.still_ns = find_still_ns(workers, now_ns, progress, view.ops),
	};

	note_second(workers, now_ns, &sample);
	find_stage(workers, now_ns, &view);
	if (view.stage == WORKERS_MEASURE && seconds->count > 0)
		view.p99_ns = seconds->list[seconds->count - 1].p99_ns;
	if (progress != workers->progress)
		workers->idle_ns = 0;
	workers->progress = progress;
	if (workers->idle_ns > patience_ns(workers, view.stage))
		kill_all(workers);
	if (view.stage != WORKERS_CLEANUP &&
	    watchdog_find_deadlock(&workers->watchdog, workers->plan,
				   workers->stats, workers->report->deadlock))
		call_off(workers);
	view.warning = watchdog_find_hang(&workers->watchdog, workers->plan,
					  workers->stats, now_ns);
	workers->observer->tick(workers->observer->context, &view);
}

/* Account for the time since the last call, but for at most STEP_NS: after a
 * stop of minutes, users must not look stuck. */
static void pass_time(struct workers *workers, uint64_t now_ns)
{
	uint64_t passed_ns = now_ns - workers->last_look_ns;

	workers->last_look_ns = now_ns;
	if (passed_ns > workers->last_pause_ns)
		workers->last_pause_ns = passed_ns;
	if (passed_ns >= STANDSTILL_NS)
		workers->watchdog.resumed_ns = now_ns;
	workers->idle_ns += passed_ns < STEP_NS ? passed_ns : STEP_NS;
	deadline_pass(&workers->deadline,
		      passed_ns < STEP_NS ? passed_ns : STEP_NS, workers->pids);
	/* After a pause that may be a stop, don't look at the users before the
	 * SIGCONT that ended the stop has been handled. */
	if (now_ns < workers->next_tick_ns ||
	    workers->last_pause_ns >= STANDSTILL_NS)
		return;
	while (workers->next_tick_ns <= now_ns)
		workers->next_tick_ns += NS_PER_S;
	check_users(workers, now_ns);
}

/* Check if the users were stopped for about `pause_ns`, like the parent. */
static bool users_were_stopped(const struct workers *workers, uint64_t pause_ns,
			       uint64_t now_ns)
{
	unsigned user;

	for (user = 0; user < workers->plan->users; user++) {
		const struct stats_user *own = stats_user(workers->stats, user);
		uint64_t since_ns = own->busy_since_ns;

		if (own->state == STATS_RUNNING && since_ns != CLOCK_NEVER &&
		    own->peak_ns < pause_ns / 10 * 9 &&
		    since_ns + pause_ns / 10 * 9 > now_ns)
			return false;
	}
	return true;
}

/* Postpone the phase boundaries that were still ahead when the pause began. */
static void put_off(struct workers *workers, uint64_t pause_ns, uint64_t now_ns)
{
	struct stats_run *run = workers->stats->run;
	uint64_t began_ns = now_ns - pause_ns;

	if (!workers->plan->put_off || workers->plan->phases.loops > 0 ||
	    run->start_ns == 0 || began_ns >= run->stop_ns ||
	    !users_were_stopped(workers, pause_ns, now_ns))
		return;
	if (began_ns < run->measure_ns)
		__atomic_store_n(&run->measure_ns, run->measure_ns + pause_ns,
				 __ATOMIC_RELEASE);
	else
		workers->put_off_ns += pause_ns;
	__atomic_store_n(&run->leave_ns, run->leave_ns + pause_ns,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&run->stop_ns, run->stop_ns + pause_ns,
			 __ATOMIC_RELEASE);
}

static void handle_signal(struct workers *workers, int number)
{
	if (process_is_interrupt(number)) {
		workers->report->interrupted = number;
		call_off(workers);
	} else if (number == SIGCONT) {
		uint64_t now_ns = clock_now_ns();
		uint64_t pause_ns = now_ns - workers->last_look_ns;

		/* The stop may have been in an earlier wait than this one. */
		if (pause_ns < workers->last_pause_ns)
			pause_ns = workers->last_pause_ns;
		/* A shell also sends SIGCONT to a job that it did not stop,
		 * when it brings that job to the foreground. */
		if (pause_ns >= STANDSTILL_NS) {
			workers->report->stood_still_ns += pause_ns;
			workers->watchdog.resumed_ns = now_ns;
			put_off(workers, pause_ns, now_ns);
		}
		workers->last_look_ns = now_ns;
		workers->last_pause_ns = 0;
	} else if (number == 0) {
		/*
		 * No signal is pending. So if the run was stopped before this
		 * wait, the SIGCONT that ended the stop has been handled by
		 * now, after any SIGCHLDs, which are delivered first.
		 */
		workers->last_pause_ns = 0;
	}
}

static void watch(struct workers *workers)
{
	struct stats_run *run = workers->stats->run;

	workers->began_ns = workers->last_look_ns = clock_now_ns();
	workers->next_tick_ns = workers->began_ns + NS_PER_S;
	while (workers->alive > 0) {
		handle_signal(workers,
			      process_wait_signal(run->start_ns == 0
							  ? SETUP_SLICE_NS
							  : WATCH_SLICE_NS));
		reap(workers);
		if (run->stop != 0)
			call_off(workers);
		else if (run->start_ns == 0 &&
			 __atomic_load_n(&run->ready, __ATOMIC_ACQUIRE) ==
				 workers->plan->users)
			decide_start(workers);
		pass_time(workers, clock_now_ns());
	}
}

int workers_run(const struct workers_plan *plan, struct stats *stats,
		const struct workers_observer *observer,
		struct workers_report *report, struct error *error)
{
	struct workers workers = {
		.plan = plan,
		.stats = stats,
		.report = report,
		.observer = observer,
		.pids = calloc(plan->users, sizeof(pid_t)),
		.start_fd = -1,
	};
	int rc;

	*report = (struct workers_report){.died_user = -1};
	rc = seconds_open(&report->seconds,
			  plan->phases.loops > 0 ? CLOCK_NEVER
						 : plan->phases.time_ns);
	if (rc == 0)
		rc = deadline_open(&workers.deadline, plan, stats);
	if (workers.pids == NULL || rc < 0) {
		error_set(error, "out of memory");
		deadline_close(&workers.deadline);
		free(workers.pids);
		return -ENOMEM;
	}
	assign_loads(plan, stats);
	raise_descriptor_limit();
	rc = fork_users(&workers, error);
	if (rc < 0)
		call_off(&workers);
	watch(&workers);
	note_window(&workers);
	note_last_second(&workers);
	open_start_line(&workers);
	deadline_close(&workers.deadline);
	free(workers.pids);
	return rc;
}
