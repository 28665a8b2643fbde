/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/workers.h"

#include "base/process.h"
#include "play/setup.h"
#include "play/user.h"
#include "run/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Interval at which the parent wakes up: before the start, and while users wait
 * for those elsewhere; while users play. */
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
/* Time after the planned one for which the seconds of the last loop are kept. */
#define LAST_LOOP_NS (12 * 3600 * NS_PER_S)
/* Time added to the client library's own timeout, which should expire first. */
#define GRACE_NS (10 * NS_PER_S)

/* A list of blocks on the heap. */
struct filler {
	struct filler *next;
};

struct workers {
	const struct workers_plan *plan;
	struct stats *stats;
	struct workers_report *report;
	const struct workers_observer *observer;
	pid_t *pids; /* PIDs of the users; 0: the user has ended */
	unsigned alive;
	struct filler *filler; /* fill_heap() */
	/* Write end of the pipe that users read at the start line; closing it
	 * lets them start. */
	int start_fd;
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
	/* To distinguish a stuck user from a slow one: the time without
	 * progress, not counting stops. */
	uint64_t idle_ns;
	uint64_t cleaning_ns; /* time for which the users have cleaned up */
	bool over;            /* the window is closed */
	/* Users wait until SETUP shared has been played elsewhere; number of users
	 * of this process that play it. */
	bool shares;
	uint32_t players;
	struct workers_sampler sampler;
	struct watchdog watchdog;
	struct deadline deadline;
};

/* Raise the limit of open files, as each user needs a descriptor per open
 * handle, and some for directories. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
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

/* Publish the times of the phases, then let the users start at this time. They all
 * wait at the start line. */
static void start(struct workers *workers, uint64_t start_ns)
{
	const struct workers_plan *plan = workers->plan;
	struct stats_run *run = workers->stats->run;

	if (phases_in_loops(&plan->phases)) {
		run->measure_ns = start_ns;
		run->stop_ns = run->leave_ns = CLOCK_NEVER;
	} else {
		run->measure_ns = start_ns + plan->phases.warmup_ns;
		run->stop_ns = run->measure_ns + plan->phases.time_ns;
		run->leave_ns = run->stop_ns + plan->phases.ramp_down_ns;
	}
	run->postpone = plan->postpone;
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

/* Start the users, who all wait at the start line, unless they must wait longer. */
static void try_start(struct workers *workers)
{
	const struct workers_observer *observer = workers->observer;
	uint64_t start_ns = observer->start != NULL
				    ? observer->start(observer->context)
				    : clock_now_ns() + barrier_lead_ns(workers->plan->users);

	workers->idle_ns = 0; /* users that wait are not stuck */
	if (start_ns == CLOCK_NEVER)
		call_off(workers);
	else if (start_ns != 0)
		start(workers, start_ns);
}

/* Let each user know its load, and each load its users. With `elsewhere`, let loads with
 * phases also know if they have users that are not in this process. */
static void assign_loads(const struct workers_plan *plan, const struct stats *stats, bool elsewhere)
{
	const unsigned end = plan->first_user + plan->users;
	unsigned user;

	for (user = 0; user < plan->users; user++)
		stats_assign(stats, user, loads_index(plan->loads, plan->first_user + user));
	for (user = 0; elsewhere && user < plan->users_total; user++) {
		struct stats_load *load = &stats->list[loads_index(plan->loads, user)];

		if ((user < plan->first_user || user >= end) && load->phase_count > 0)
			load->barrier.elsewhere = 1;
	}
}

/*
 * Fill the holes in the heap until the users are forked. Each small block that
 * a user allocates in a hole would cost it a copy of a page. Without holes, all
 * its blocks are in few pages. It is not known how large the holes are, so
 * allocate more than they have, BYTES for each size.
 */
static struct filler *fill_heap(void)
{
	enum { STEP = 16, MAX = 1024, BYTES = 16 << 10 };
	struct filler *filler = NULL;
	size_t size, used;

	/* Small blocks also fit into large holes, so fill these first. */
	for (size = MAX; size > 0; size -= STEP) {
		for (used = 0; used < BYTES; used += size) {
			struct filler *block = malloc(size);

			if (block == NULL)
				return filler;
			block->next = filler;
			filler = block;
		}
	}
	return filler;
}

static void free_filler(struct filler *filler)
{
	while (filler != NULL) {
		struct filler *next = filler->next;

		free(filler);
		filler = next;
	}
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
	workers->filler = fill_heap();
	for (user = 0; user < workers->plan->users; user++) {
		pid_t pid = process_fork();

		if (pid == 0) {
			close(start_fds[1]);
			_exit(user_main(workers->plan, workers->stats, user, start_fds[0]));
		}
		if (pid < 0) {
			error_set(error,
				  "cannot fork a process for user %u (the run has %u users): %s",
				  user, workers->plan->users, strerror(-pid));
			break;
		}
		workers->pids[user] = pid;
		workers->alive++;
	}
	free_filler(workers->filler);
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
	/* Status 0 alone is not enough: a client library may have ended the
	 * process with it. */
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
static uint64_t patience_ns(const struct workers *workers, enum workers_stage stage)
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
	if (phases_in_loops(&workers->plan->phases))
		end_ns = workers_last_finish_ns(workers->stats);
	if (workers->called_off_ns > 0 && workers->called_off_ns < end_ns)
		end_ns = workers->called_off_ns;
	workers->report->start_ns = workers_window_ns(&workers->sampler);
	workers->report->end_ns = end_ns;
}

/* Check if the users have cleaned up for too long. Call this once per second. */
static bool is_cleaning_too_long(struct workers *workers, uint64_t now_ns, enum workers_stage stage)
{
	uint64_t point_ns = now_ns - workers->sampler.began_ns;

	if (stage != WORKERS_CLEANUP)
		return false;
	workers->cleaning_ns += NS_PER_S;
	return workers->cleaning_ns > deadline_clean_up_ns(point_ns - workers->cleaning_ns);
}

/* Once per second: update the display, and look for stuck users. */
static void check_users(struct workers *workers, uint64_t now_ns)
{
	struct workers_view view;

	if (workers_sample(&workers->sampler, now_ns, &view))
		workers->idle_ns = 0;
	if (workers->idle_ns > patience_ns(workers, view.stage) ||
	    is_cleaning_too_long(workers, now_ns, view.stage))
		kill_all(workers);
	if (view.stage != WORKERS_CLEANUP &&
	    watchdog_find_deadlock(&workers->watchdog, workers->plan, workers->stats,
				   workers->report->deadlock))
		call_off(workers);
	view.alive = workers->alive;
	view.warning = watchdog_find_hang(&workers->watchdog, workers->plan, workers->stats,
					  now_ns);
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
	deadline_pass(&workers->deadline, passed_ns < STEP_NS ? passed_ns : STEP_NS, workers->pids);
	/* After a pause that may be a stop, don't look at the users before the
	 * SIGCONT that ended the stop has been handled. */
	if (now_ns < workers->next_tick_ns || workers->last_pause_ns >= STANDSTILL_NS)
		return;
	while (workers->next_tick_ns <= now_ns)
		workers->next_tick_ns += NS_PER_S;
	check_users(workers, now_ns);
}

/* Check if the users were stopped for about `pause_ns`, like the parent. */
static bool users_were_stopped(const struct workers *workers, uint64_t pause_ns, uint64_t now_ns)
{
	unsigned block;

	for (block = 0; block < stats_blocks(workers->stats); block++) {
		const struct stats_user *own = stats_user(workers->stats, block);
		uint64_t since_ns = own->busy_since_ns;

		if (own->state == STATS_RUNNING && since_ns != CLOCK_NEVER &&
		    own->peak_ns < pause_ns / 10 * 9 && since_ns + pause_ns / 10 * 9 > now_ns)
			return false;
	}
	return true;
}

/* Postpone the phase boundaries that were still ahead when the pause began. */
static void postpone(struct workers *workers, uint64_t pause_ns, uint64_t now_ns)
{
	struct stats_run *run = workers->stats->run;
	uint64_t began_ns = now_ns - pause_ns;

	if (!workers->plan->postpone || phases_in_loops(&workers->plan->phases) ||
	    run->start_ns == 0 || began_ns >= run->stop_ns ||
	    !users_were_stopped(workers, pause_ns, now_ns))
		return;
	if (began_ns < run->measure_ns)
		__atomic_store_n(&run->measure_ns, run->measure_ns + pause_ns, __ATOMIC_RELEASE);
	else
		workers->sampler.postponed_ns += pause_ns;
	__atomic_store_n(&run->leave_ns, run->leave_ns + pause_ns, __ATOMIC_RELEASE);
	__atomic_store_n(&run->stop_ns, run->stop_ns + pause_ns, __ATOMIC_RELEASE);
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
			postpone(workers, pause_ns, now_ns);
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

/* Close the measured window, unless this was done. */
static void close_window(struct workers *workers)
{
	if (workers->over)
		return;
	workers->over = true;
	note_window(workers);
	workers_sample_last(&workers->sampler, workers->report->end_ns);
}

/* Check if all users that live have settled, at least one of them with files to
 * remove. */
static bool have_settled(const struct workers *workers)
{
	unsigned user;

	if (__atomic_load_n(&workers->stats->run->settled, __ATOMIC_ACQUIRE) == 0)
		return false;
	for (user = 0; user < workers->plan->users; user++) {
		const struct stats_user *own = stats_user(workers->stats, user);

		if (workers->pids[user] > 0 &&
		    __atomic_load_n(&own->state, __ATOMIC_ACQUIRE) < STATS_SETTLED)
			return false;
	}
	return true;
}

/* Report the point, then let the users remove their files. */
static void let_users_remove(struct workers *workers)
{
	const struct workers_observer *observer = workers->observer;

	close_window(workers);
	observer->over(observer->context, workers->report);
	__atomic_store_n(&workers->stats->run->remove, 1, __ATOMIC_RELEASE);
}

/* Let users go on that have met those elsewhere. Return whether some still wait. */
static bool release_barriers(const struct workers *workers)
{
	const struct workers_observer *observer = workers->observer;
	struct stats_load *list = workers->stats->list;
	struct barrier_go go;
	bool waiting = false;
	size_t i;

	for (i = 0; observer->meet != NULL && i < workers->stats->loads; i++) {
		if (!barrier_is_complete(&list[i]))
			continue;
		if (observer->meet(observer->context, i, &list[i].barrier, &go))
			barrier_release(&list[i], &go);
		else
			waiting = true;
	}
	return waiting;
}

/* When users of this process have played SETUP shared, wait until it has been everywhere. */
static void share(struct workers *workers)
{
	const struct workers_observer *observer = workers->observer;
	uint32_t *shared = &workers->stats->run->shared;

	if (!workers->shares || __atomic_load_n(shared, __ATOMIC_ACQUIRE) < workers->players)
		return;
	if (!observer->share(observer->context))
		return;
	workers->shares = false;
	__atomic_add_fetch(shared, 1, __ATOMIC_RELEASE);
}

static void watch(struct workers *workers)
{
	struct stats_run *run = workers->stats->run;
	bool waiting = true;

	workers->sampler.began_ns = workers->last_look_ns = clock_now_ns();
	workers->next_tick_ns = workers->last_look_ns + NS_PER_S;
	while (workers->alive > 0) {
		handle_signal(workers,
			      process_wait_signal(waiting ? SETUP_SLICE_NS : WATCH_SLICE_NS));
		reap(workers);
		if (run->stop != 0)
			call_off(workers);
		else if (run->start_ns == 0 &&
			 __atomic_load_n(&run->ready, __ATOMIC_ACQUIRE) == workers->plan->users)
			try_start(workers);
		share(workers);
		waiting = release_barriers(workers) || run->start_ns == 0;
		if (!workers->over && run->remove == 0 && have_settled(workers))
			let_users_remove(workers);
		pass_time(workers, clock_now_ns());
	}
}

/* Return the longest window to have room for; CLOCK_NEVER: it is unknown. */
static uint64_t window_max_ns(const struct phases *phases)
{
	/* The last loop that begins in time may take long. */
	if (phases->whole_loops)
		return phases->time_ns + LAST_LOOP_NS;
	return phases->loops > 0 ? CLOCK_NEVER : phases->time_ns;
}

int workers_run(const struct workers_plan *plan, struct stats *stats,
		const struct workers_observer *observer, struct workers_report *report,
		struct error *error)
{
	struct workers workers = {
		.plan = plan,
		.stats = stats,
		.report = report,
		.observer = observer,
		.sampler.plan = plan,
		.sampler.stats = stats,
		.sampler.seconds = &report->seconds,
		.pids = calloc(plan->users, sizeof(pid_t)),
		.start_fd = -1,
		.shares = observer->share != NULL && setup_is_shared(plan),
		.players = setup_players(plan),
	};
	int rc;

	*report = (struct workers_report){.died_user = -1};
	rc = seconds_open(&report->seconds, window_max_ns(&plan->phases));
	if (rc == 0)
		rc = deadline_open(&workers.deadline, plan, stats);
	if (workers.pids == NULL || rc < 0) {
		error_set(error, "out of memory");
		deadline_close(&workers.deadline);
		free(workers.pids);
		return -ENOMEM;
	}
	stats->run->remove = observer->over == NULL;
	assign_loads(plan, stats, observer->meet != NULL);
	raise_descriptor_limit();
	rc = fork_users(&workers, error);
	if (rc < 0) {
		stats->run->remove = 1; /* there is nothing to report */
		call_off(&workers);
	}
	watch(&workers);
	close_window(&workers);
	open_start_line(&workers);
	deadline_close(&workers.deadline);
	free(workers.pids);
	return rc;
}
