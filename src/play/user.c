/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/user.h"

#include "play/barrier.h"
#include "play/cold.h"
#include "play/files.h"
#include "play/lanes.h"
#include "play/replay.h"
#include "play/restore.h"
#include "play/setup.h"
#include "play/verification.h"
#include "verify/verifier.h"
#include "words/layout.h"
#include "workdir/remove.h"
#include "workdir/rundir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct user {
	const struct workers_plan *plan;
	const struct target *target;
	const struct load *load;
	struct replay replay; /* of the first lane, if it has several */
	struct lanes *lanes;  /* NULL: it plays one operation at a time */
	struct shared shared; /* of the load; only for drop_before_phase */
	unsigned index;       /* index among the users of the parent process */
	unsigned number;      /* number of the user in the whole run */
	char name[USER_NAME_MAX];
};

static void set_state(struct user *user, enum stats_state state)
{
	__atomic_store_n(&user->replay.own->state, state, __ATOMIC_RELEASE);
}

/* Report a failure of the preparation or the clean-up to the parent. */
static int fail(struct user *user, const char *doing, const char *path, int rc)
{
	return replay_fail(&user->replay, user->number, doing, path, rc);
}

static const struct setup *setup_of(const struct user *user)
{
	return &user->load->profile->setup;
}

static enum player choose_player(const struct backend *backend)
{
	if (backend->exchange != NULL)
		return PLAYER_PACKETS;
	return backend->answers ? PLAYER_FILES : PLAYER_NULL;
}

static void prepare_pace(struct user *user)
{
	const struct workers_plan *plan = user->plan;
	struct replay *r = &user->replay;

	pace_open(&r->pace, r->program, setup_of(user)->end, user->number, plan->users, plan->seed);
	r->service_times = plan->service_times;
	/* If there are more users than processors, a user that spins would
	 * delay other users. */
	if (pace_is_on(&r->pace) && plan->users <= (unsigned)sysconf(_SC_NPROCESSORS_ONLN))
		r->early_ns = clock_wake_ns();
}

/* Wait until few enough users connect to servers. Users connect in the order of
 * their indexes. Return false if the point is called off. */
static bool wait_to_connect(struct user *user)
{
	/* A server has a queue for new connections; Samba's has 50 places. If
	 * the queue is full, users would be refused. */
	enum { CONNECTING_MAX = 32, NAP_MAX_MS = 100 };
	struct replay *r = &user->replay;
	uint32_t last = 0;

	while (!stats_stopping(r->stats)) {
		uint32_t opened = __atomic_load_n(&r->stats->run->opened, __ATOMIC_ACQUIRE);
		uint32_t nap_ms = user->index - opened;

		if (user->index < opened + CONNECTING_MAX)
			return true;
		/* Waiting is progress only while others connect. */
		r->own->steps += opened != last;
		last = opened;
		/* Don't wake up often while many others precede us. */
		if (nap_ms > NAP_MAX_MS)
			nap_ms = NAP_MAX_MS;
		clock_sleep_until_ns(clock_now_ns() + nap_ms * NS_PER_MS);
	}
	return false;
}

static int open_session(struct user *user)
{
	struct replay *r = &user->replay;
	int rc;

	if (r->backend->remote && !wait_to_connect(user))
		return -ECANCELED;
	rc = r->backend->session_open(user->target, user->number, &r->session);
	__atomic_add_fetch(&r->stats->run->opened, 1, __ATOMIC_RELEASE);
	if (rc == 0 && r->backend->on_wait != NULL)
		r->backend->on_wait(r->session, replay_wait, r);
	return rc < 0 ? fail(user, "open a session with", user->target->url, rc) : 0;
}

/* Enter the directory of the run. */
static int enter_directory(struct user *user)
{
	struct replay *r = &user->replay;
	const struct run_file *file = &workers_target_of(user->plan, user->index)->claim.file;
	const char *name = run_file_directory(file);
	int rc;

	r->tree = tree_new(r->backend, r->session, &r->own->steps);
	if (r->tree == NULL)
		return fail(user, "set up", user->name, -ENOMEM);
	rc = name[0] != '\0' ? rundir_enter(r->tree, file) : 0;
	return rc < 0 ? fail(user, "open the directory", name, rc) : 0;
}

/* Make the user's directory, or empty an existing one, unless users are to find
 * what dbench has left. */
static int make_home(struct user *user)
{
	const struct workers_plan *plan = user->plan;
	struct tree *tree = user->replay.tree;
	char home[PATH_MAX];
	int rc = 0;

	layout_home(user->number, home);
	if (!plan->like_dbench)
		rc = tree_empty(tree, home);
	if (rc == -ENOENT || plan->like_dbench)
		rc = tree_mkdir(tree, home);
	if (rc >= 0 && plan->verification != NULL)
		verification_probe_case(&user->replay, plan, user->index, home);
	if (rc >= 0 && plan->verification != NULL && plan->keep)
		rc = verification_keep_home(&user->replay, workers_target_of(plan, user->index),
					    home);
	return rc < 0 ? fail(user, "make the directory of", user->name, rc) : 0;
}

static int set_up(struct user *user, struct stats *stats)
{
	const struct workers_plan *plan = user->plan;
	struct replay *r = &user->replay;
	const struct program *program = user->load->program;
	size_t handles_bytes = program->handle_count * sizeof(int64_t);
	int rc;

	*r = (struct replay){
		.program = program,
		.backend = user->target->backend,
		.player = choose_player(user->target->backend),
		.stats = stats,
		.own = stats_user(stats, user->index),
		.mismatches_allowed = plan->mismatches_allowed,
		.loop = 1,
		.lane = PROGRAM_STREAMS_MAX,
		.procedures = plan->procedures,
		.bytes_per_s = plan->bytes_per_s,
	};
	prepare_pace(user);
	rc = open_session(user);
	if (rc == 0)
		rc = enter_directory(user);
	if (rc < 0)
		return rc;
	rc = bind_open(&r->binding, program, user->number, plan->users_total, plan->seed,
		       plan->pool);
	if (rc == 0)
		rc = replay_make_paths(r);
	if (rc == 0)
		rc = recorder_open(&r->recorder, stats, user->index);
	if (rc == 0 && plan->verification != NULL)
		rc = verification_start(r, plan, user->index);
	/* The load removes trees through the verifier. */
	r->tree->backend = r->backend;
	r->handles = malloc(handles_bytes + 1);
	if (r->handles == NULL)
		rc = -ENOMEM;
	if (rc == 0 && setup_of(user)->restore && r->player == PLAYER_FILES)
		rc = restore_open(r);
	if (rc < 0)
		return fail(user, "set up", user->name, rc);
	memset(r->handles, 0xff, handles_bytes);
	if (lanes_refused(plan, user->load) == NULL)
		rc = lanes_open(&user->lanes, r, user->index, user->load->streams);
	if (rc < 0)
		return fail(user, "begin the streams of", user->name, rc);
	return r->player == PLAYER_FILES && !plan->read_only ? make_home(user) : 0;
}

/*
 * The first user of each target also drops the files that users share. Wait
 * until all other users are ready, and so no longer write to them. Return false
 * if the point is called off.
 */
static bool wait_to_drop_shared(struct user *user)
{
	struct replay *r = &user->replay;
	unsigned targets = user->plan->target_count;
	unsigned others = user->plan->users > targets ? user->plan->users - targets : 0;

	while (__atomic_load_n(&r->stats->run->ready, __ATOMIC_ACQUIRE) < others) {
		if (stats_stopping(r->stats))
			return false;
		r->own->steps++;
		clock_sleep_until_ns(clock_now_ns() + 5 * NS_PER_MS);
	}
	return true;
}

/* Check if no user with a lower index plays the same load on the same
 * target. */
static bool is_first_of_load(const struct user *user)
{
	unsigned step = user->plan->target_count, other;

	for (other = user->index % step; other < user->index; other += step)
		if (workers_load_of(user->plan, other) == user->load)
			return false;
	return true;
}

static int fail_to_drop(struct user *user, int rc)
{
	return fail(user, "drop from the page cache the files of", user->name, rc);
}

/* Drop the load's files before a phase of the load, while none of its users
 * plays. */
static void drop_before_phase(struct replay *replay)
{
	struct user *user = (void *)((char *)replay - offsetof(struct user, replay));
	int rc = cold_drop_own(replay);

	if (rc == 0)
		rc = cold_drop_shared(replay, &user->shared);
	if (rc < 0)
		fail_to_drop(user, rc);
}

/*
 * With --cold, drop the files before the start line, and before each phase of
 * the load. The first user of each target also drops the files that users
 * share, those of all loads. Return false if the user must leave.
 */
static bool drop_caches(struct user *user)
{
	const struct workers_plan *plan = user->plan;
	const struct shared *shared = &plan->loads->shared;
	struct replay *r = &user->replay;
	int rc;

	if (!plan->phases.cold)
		return true;
	if (r->program->phase_count > 0)
		r->before_phase = drop_before_phase;
	/* The last operation is over, so the watchdog must not wait for it. */
	r->own->busy_since_ns = CLOCK_NEVER;
	rc = r->before_phase != NULL && is_first_of_load(user)
		     ? shared_add(&user->shared, r->program)
		     : 0;
	if (rc == 0)
		rc = cold_drop_own(r);
	if (rc == 0 && user->index < plan->target_count && cold_has_shared(shared)) {
		if (!wait_to_drop_shared(user))
			return false;
		rc = cold_drop_shared(r, shared);
	}
	if (rc < 0)
		fail_to_drop(user, rc);
	return rc == 0;
}

/* Wait for the start of the point. Return false if the parent has called the
 * point off instead, so that this user must leave. */
static bool wait_at_start_line(struct user *user, int start_fd)
{
	struct stats_run *run = user->replay.stats->run;
	uint64_t start_ns;
	char byte;

	set_state(user, STATS_READY);
	__atomic_add_fetch(&run->ready, 1, __ATOMIC_RELEASE);
	while (read(start_fd, &byte, 1) < 0 && errno == EINTR)
		;
	start_ns = __atomic_load_n(&run->start_ns, __ATOMIC_ACQUIRE);
	if (start_ns == 0)
		return false;
	clock_sleep_until_ns(start_ns);
	user->replay.own->late_ns = clock_now_ns() - start_ns;
	return true;
}

/* Return the number of operations to play before the start. */
static size_t prologue_end(const struct user *user)
{
	return user->plan->from_start ? setup_of(user)->end : user->load->profile->prologue_end;
}

/* Return the time stamp at the end of the prologue, 0 if there is none. */
static uint64_t prologue_stamp_ns(const struct user *user)
{
	const uint64_t *due_ns = user->load->program->due_ns;
	size_t at = prologue_end(user);

	if (due_ns == NULL || at == setup_of(user)->end)
		return 0;
	if (at < user->load->program->op_count && due_ns[at] != CLOCK_NEVER)
		return due_ns[at];
	while (at-- > 0)
		if (due_ns[at] != CLOCK_NEVER)
			return due_ns[at];
	return 0;
}

/* Count the loop that has just been played from operation `first` on. */
static void count_loop(struct user *user, size_t first)
{
	struct replay *r = &user->replay;
	uint64_t took_ns = r->begin_ns - r->loop_begin_ns;
	bool whole = first == setup_of(user)->end;

	recorder_loop(&r->recorder, took_ns, whole);
	if (whole)
		stats_log_loop(r->stats, user->index, took_ns,
			       r->begin_ns - r->stats->run->start_ns);
}

/* Check if a loop that begins with operation `first` plays an operation before
 * its first phase. */
static bool has_prelude(const struct program *program, size_t first)
{
	size_t at = first;

	while (program->phase_count > 0 && op_is_control(program->ops[at].kind))
		if (program->ops[at++].kind == OP_PHASE)
			return false;
	return program->phase_count > 0;
}

/*
 * Begin the operations before the first phase of loop number r->loop. The users
 * play them together as well, or they would disturb the last phase of those
 * that are slower.
 */
static void begin_prelude(struct replay *r, size_t first)
{
	r->own->op = (uint32_t)first;
	if (r->loop == 1)
		barrier_start(r, r->stats->run->start_ns);
	else
		barrier_meet(r, 0);
}

/* Restore the set-up after a loop, if the load says so. Return false if the
 * user must leave. */
static bool restore(struct user *user)
{
	struct replay *r = &user->replay;
	int rc;

	if (r->restore == NULL)
		return true;
	rc = restore_loop(r);
	r->differs = false; /* of no operation */
	if (rc < 0)
		fail(user, "restore", restore_path(r), rc);
	return rc == 0 && !replay_is_leaving(r);
}

/*
 * Check if the user plays another loop after the first `played` ones. All users
 * of a load with phases agree.
 */
static bool plays_another(const struct user *user, uint64_t played)
{
	const struct phases *phases = &user->plan->phases;
	const struct replay *r = &user->replay;

	if (phases->whole_loops)
		return barrier_played_ns(r) < phases->time_ns;
	return played != phases->loops;
}

/* Play a loop from operation `first` on. Return false if the user must leave. */
static bool play_loop(struct user *user, size_t first)
{
	struct replay *r = &user->replay;

	return user->lanes != NULL ? lanes_play(user->lanes, first)
				   : replay_span(r, first, r->program->op_count);
}

static void play_loops(struct user *user)
{
	struct replay *r = &user->replay;
	size_t first = prologue_end(user);
	bool prelude = has_prelude(r->program, first);
	uint64_t played = 0;

	recorder_start(&r->recorder);
	r->paced = true;
	r->paced_from_ns = r->stats->run->start_ns;
	r->bytes_moved = 0;
	r->loop_begin_ns = r->stats->run->start_ns;
	pace_begin(&r->pace, first, r->stats->run->start_ns, prologue_stamp_ns(user));
	if (pace_is_on(&r->pace) && !r->service_times) {
		r->recorder.at_end = replay_report_unfinished;
		r->recorder.context = r;
	}
	recorder_advance(&r->recorder, r->stats->run->start_ns);
	if (user->lanes != NULL)
		lanes_start(user->lanes);
	if (prelude)
		begin_prelude(r, first);
	while (play_loop(user, first)) {
		files_close_leftovers(r);
		count_loop(user, first);
		pace_end_loop(&r->pace, r->begin_ns);
		/* Restoring is no part of the last phase. */
		barrier_end(r);
		if (!plays_another(user, ++played) || !restore(user))
			break;
		first = setup_of(user)->end;
		r->loop++;
		bind_variable(&r->binding, VARIABLE_LOOP, r->loop - 1);
		r->loop_begin_ns = r->begin_ns;
		if (prelude)
			begin_prelude(r, first);
	}
}

/* Return the time between two looks at what other processes do. Many users wake
 * up less often, or they would delay the others. */
static uint64_t slice_ns(const struct user *user)
{
	return 5 * NS_PER_MS + user->plan->users * 100 * NS_PER_US;
}

/*
 * Wait until all users have finished: whole loops end at different times, and
 * removals must not slow down those that are still being measured.
 */
static void wait_for_other_users(struct user *user)
{
	struct replay *r = &user->replay;
	uint32_t *finished = &r->stats->run->finished;

	__atomic_add_fetch(finished, 1, __ATOMIC_RELEASE);
	while (phases_in_loops(&user->plan->phases) && !stats_stopping(r->stats) &&
	       __atomic_load_n(finished, __ATOMIC_ACQUIRE) < user->plan->users) {
		r->own->steps++;
		clock_sleep_until_ns(clock_now_ns() + slice_ns(user));
	}
}

/* With --verify, read back what the user has written. With --cold, it is read
 * from the target itself, not from the page cache. */
static void read_back(struct user *user)
{
	struct replay *r = &user->replay;
	char path[DIFFERENCE_PATH];
	int rc = 0;

	if (user->plan->verification == NULL || r->lost || stats_stopping(r->stats))
		return;
	if (user->plan->phases.cold)
		rc = cold_drop_own(r);
	if (rc < 0) {
		fail_to_drop(user, rc);
		return;
	}
	rc = verification_read_back(r, path);
	if (rc < 0)
		fail(user, "read back", path, rc);
}

/*
 * All that the result needs of this user is known now. Wait until the parent has
 * reported it, so that trouble with the removal of files does not lose it.
 */
static void wait_to_remove(struct user *user)
{
	struct stats_run *run = user->replay.stats->run;

	set_state(user, STATS_SETTLED);
	__atomic_add_fetch(&run->settled, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&run->remove, __ATOMIC_ACQUIRE) == 0)
		clock_sleep_until_ns(clock_now_ns() + slice_ns(user));
	set_state(user, STATS_ENDING);
}

static void clean_up(struct user *user)
{
	struct replay *r = &user->replay;
	int rc = 0;

	if (!r->lost) {
		rc = files_close_all(r);
		if (rc < 0)
			fail(user, "close the files of", user->name, rc);
	}
	read_back(user);
	if (user->plan->verification != NULL)
		verifier_stop();
	if (!r->lost && r->player == PLAYER_FILES && !user->plan->keep && !user->plan->read_only) {
		wait_to_remove(user);
		r->tree->patience_ns = TREE_PATIENCE_NS;
		rc = rundir_remove_home(r->tree, user->number);
		if (rc < 0)
			fail(user, "remove", r->tree->path, rc);
	}
	lanes_close(user->lanes);
	/* Don't close the session of a target that is gone: every call would
	 * run into its timeout. */
	if (!r->lost)
		r->backend->session_close(r->session);
	recorder_close(&r->recorder);
	restore_close(r);
	bind_free(&r->binding);
	shared_free(&user->shared);
	free(r->tree);
	free(r->handles);
}

int user_main(const struct workers_plan *plan, struct stats *stats, unsigned index, int start_fd)
{
	struct user user = {
		.plan = plan,
		.target = workers_target_of(plan, index)->target,
		.load = workers_load_of(plan, index),
		.index = index,
		.number = plan->first_user + index,
	};
	bool playing;
	int rc;

	names_of_user(user.number, user.name);
	clock_be_punctual();
	rc = set_up(&user, stats);
	if (rc == -ECANCELED)
		set_state(&user, STATS_DONE);
	if (rc < 0)
		return rc != -ECANCELED;
	playing = setup_play(&user.replay, plan, index) &&
		  replay_span(&user.replay, setup_of(&user)->end, prologue_end(&user)) &&
		  drop_caches(&user) && wait_at_start_line(&user, start_fd);
	if (playing) {
		set_state(&user, STATS_RUNNING);
		play_loops(&user);
	}
	set_state(&user, STATS_ENDING);
	recorder_finish(&user.replay.recorder, user.replay.begin_ns);
	if (user.lanes != NULL)
		lanes_finish(user.lanes);
	wait_for_other_users(&user);
	clean_up(&user);
	set_state(&user, STATS_DONE);
	return 0;
}
