/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/replay.h"

#include "base/fibers.h"
#include "play/barrier.h"
#include "play/exchange.h"
#include "play/files.h"
#include "play/restore.h"

#include <errno.h>
#include <stdio.h>

#define OVERSLEPT_MAX_NS (10 * NS_PER_MS)

/* Sleep until `wake_ns`, but let other lanes play meanwhile. Return the time. */
static uint64_t sleep_slice(struct replay *r, uint64_t wake_ns, uint64_t early_ns)
{
	if (r->fibers == NULL)
		return clock_sleep_exactly_until_ns(wake_ns, early_ns);
	fibers_sleep(r->fibers, NULL, wake_ns);
	return clock_now_ns();
}

/*
 * Sleep until `due_ns`, or until the user must leave. Wake up `early_ns` before
 * it, and spin.
 */
static void sleep_until(struct replay *r, uint64_t due_ns, uint64_t early_ns)
{
	uint64_t now_ns = clock_now_ns();

	r->own->busy_since_ns = CLOCK_NEVER;
	while (now_ns < due_ns && !replay_is_leaving(r)) {
		uint64_t wake_ns = pace_slice_ns(now_ns, due_ns);

		/* Count sleeping as progress, or the watchdog would kill
		 * users that sleep during set-up. */
		r->own->steps++;
		now_ns = sleep_slice(r, wake_ns, wake_ns == due_ns ? early_ns : 0);
		recorder_advance(&r->recorder, now_ns);
	}
	r->own->busy_since_ns = r->begin_ns = now_ns;
}

/* Return a sequence point of the current loop, encoded as in stats_user. */
static uint64_t sequence_point(const struct replay *r, const struct op *op)
{
	return (uint64_t)r->loop << 32 | (op->number + 1);
}

/*
 * WAITSP: wait until the other user has passed the sequence point in the same
 * loop or a later one, or has left.
 */
static void wait_for(struct replay *r, const struct op *op)
{
	const struct stats_user *other = stats_user(r->stats, op->user);
	uint64_t wanted = sequence_point(r, op);

	r->own->awaits = wanted;
	__atomic_store_n(&r->own->waits, r->own->waits + 1, __ATOMIC_RELEASE);
	while (!replay_is_leaving(r) &&
	       __atomic_load_n(&other->sequence_point, __ATOMIC_ACQUIRE) < wanted &&
	       __atomic_load_n(&other->state, __ATOMIC_ACQUIRE) < STATS_ENDING)
		sleep_until(r, clock_now_ns() + NS_PER_MS, 0);
	__atomic_store_n(&r->own->waits, r->own->waits + 1, __ATOMIC_RELEASE);
}

/* Return the number of rounds of a LOOP or MIX. */
static uint64_t rounds_of(struct replay *r, const struct op *op)
{
	return (op->flags & OP_SIZED) != 0 ? bind_formula(&r->binding, op->count) : op->count;
}

/* Begin a LOOP. Return the index of the next op to play. */
static size_t begin_loop(struct replay *r, size_t at, const struct op *op)
{
	uint64_t rounds = rounds_of(r, op);

	if (rounds == 0)
		return op->jump;
	r->loops_left[r->depth++] = rounds;
	if (op->variable != OP_NONE)
		bind_variable(&r->binding, op->variable, 0);
	return at + 1;
}

/* The number of rounds, a power of two, after which count_round looks at the
 * clock. */
enum { ROUNDS_UNWATCHED = 1 << 16 };

/*
 * Look at the clock from time to time: rounds may have no operation for this
 * user, and only operations look at it otherwise. Such rounds are progress,
 * which watchdogs look for.
 */
static inline void count_round(struct replay *r)
{
	if (++r->rounds % ROUNDS_UNWATCHED == 0)
		replay_progress(r);
}

static size_t end_loop(struct replay *r, size_t at, const struct op *op)
{
	count_round(r);
	if (--r->loops_left[r->depth - 1] == 0) {
		r->depth--;
		return at + 1;
	}
	if (op->variable != OP_NONE)
		bind_variable(&r->binding, op->variable,
			      r->binding.inputs.variables[op->variable] + 1);
	return op->jump;
}

/* Draw a branch of a MIX, the first of which is op `at`. Return the index of
 * the branch's first op. */
static size_t draw_branch(struct replay *r, size_t at)
{
	const struct op *ops = r->program->ops;
	uint64_t drawn = draw_below(&r->binding.inputs.random, ops[at].expect);

	for (; drawn >= ops[at].weight; at = ops[at].jump)
		drawn -= ops[at].weight;
	return at + 1;
}

static size_t begin_mix(struct replay *r, size_t at, const struct op *op)
{
	uint64_t rounds = rounds_of(r, op);

	if (rounds == 0)
		return op->jump;
	r->loops_left[r->depth++] = rounds;
	return draw_branch(r, at + 1);
}

static size_t end_mix(struct replay *r, size_t at, const struct op *op)
{
	count_round(r);
	if (--r->loops_left[r->depth - 1] > 0)
		return draw_branch(r, op->jump);
	r->depth--;
	return at + 1;
}

/* A branch of a MIX is over where the next one begins. Return the index of the
 * ENDMIX. */
static size_t leave_branch(struct replay *r, size_t at)
{
	while (r->program->ops[at].kind == OP_BRANCH)
		at = r->program->ops[at].jump;
	return at;
}

/* Begin an EVERY, whose block is played when its counter reaches op->count.
 * Return the index of the next op to play. */
static size_t begin_every(struct replay *r, size_t at, const struct op *op)
{
	uint32_t *counter = &r->binding.counters[op->counter];

	if (op->count == 0 || ++*counter < op->count)
		return op->jump;
	*counter = 0;
	return at + 1;
}

/* A sleep ends a little late. The next one is shorter by that, so that many short ones
 * take as long as they should in all. A stop of the user is not made up for. */
static void play_sleep(struct replay *r, const struct op *op)
{
	uint64_t delay_ns = (op->flags & OP_COMPUTED) != 0
				    ? bind_formula(&r->binding, op->offset) * NS_PER_US
				    : op->sleep_ns;
	uint64_t less_ns = delay_ns < r->overslept_ns ? delay_ns : r->overslept_ns;
	uint64_t due_ns = clock_now_ns() + delay_ns - less_ns;

	sleep_until(r, due_ns, 0);
	r->overslept_ns -= less_ns;
	if (r->begin_ns > due_ns)
		r->overslept_ns += r->begin_ns - due_ns;
	if (r->overslept_ns > OVERSLEPT_MAX_NS)
		r->overslept_ns = OVERSLEPT_MAX_NS;
}

static void play_let(struct replay *r, const struct op *op)
{
	bind_variable(&r->binding, op->variable,
		      (op->flags & OP_COMPUTED) != 0 ? bind_formula(&r->binding, op->offset)
						     : op->offset);
}

/* Play control op `at`. Return the index of the next op to play. */
static size_t play_control(struct replay *r, size_t at)
{
	const struct op *op = &r->program->ops[at];

	switch (op->kind) {
	case OP_LOOP:
	case OP_PARALLEL: /* by one lane */
		return begin_loop(r, at, op);
	case OP_ENDLOOP:
	case OP_ENDPARALLEL:
		return end_loop(r, at, op);
	case OP_MIX:
		return begin_mix(r, at, op);
	case OP_ENDMIX:
		return end_mix(r, at, op);
	case OP_BRANCH:
		return leave_branch(r, at);
	case OP_EVERY:
		return begin_every(r, at, op);
	case OP_ENDEVERY:
	case OP_STREAM:
	case OP_AFTER:
		return at + 1;
	case OP_LET:
		play_let(r, op);
		return at + 1;
	case OP_SLEEP:
		pace_begin_pause(&r->pace, at);
		play_sleep(r, op);
		pace_end_pause(&r->pace, r->begin_ns);
		break;
	case OP_SETSP:
		__atomic_store_n(&r->own->sequence_point, sequence_point(r, op), __ATOMIC_RELEASE);
		break;
	case OP_WAITSP:
		pace_begin_pause(&r->pace, at);
		wait_for(r, op);
		pace_end_pause(&r->pace, clock_now_ns());
		break;
	case OP_WRITEPATTERN:
		bind_pattern(&r->binding, r->program->texts[op->text]);
		break;
	case OP_PHASE:
		barrier_meet(r, (unsigned)op->number + 1);
		return at + 1;
	case OP_SKIP:
		r->recorder.counters[op->label].skipped++;
		break;
	case OP_RANDOMSTRING:
		bind_string(&r->binding, (unsigned)op->number, r->program->texts[op->text]);
		break;
	}
	/* The time of these is no part of any operation's time. That of LOOP,
	 * MIX, EVERY and LET is too short to read the clock for it, so it is
	 * part of the next operation's. */
	r->begin_ns = clock_now_ns();
	recorder_advance(&r->recorder, r->begin_ns);
	return at + 1;
}

/* Wait until the max rate (bytes_per_s) allows the bytes moved so far. */
static void keep_rate(struct replay *r)
{
	uint64_t due_ns = r->paced_from_ns + pace_bytes_ns(r->bytes_moved, r->bytes_per_s);

	if (due_ns > r->begin_ns)
		sleep_until(r, due_ns, 0);
}

/*
 * Wait until op `at` is due, and let the clock of the operation begin at its due
 * time: waiting for a slow operation before it is part of its response time.
 * Set *start_ns to its actual start. Return false if the user must leave.
 */
static bool wait_until_due(struct replay *r, size_t at, uint64_t *start_ns)
{
	uint64_t ready_ns = r->begin_ns;
	uint64_t due_ns = pace_next(&r->pace, at, ready_ns);

	recorder_due(&r->recorder, due_ns);
	if (due_ns > ready_ns) {
		sleep_until(r, due_ns, r->early_ns);
		if (replay_is_leaving(r))
			return false;
	}
	*start_ns = r->begin_ns;
	pace_begin_op(&r->pace, ready_ns, *start_ns);
	if (!r->service_times)
		r->begin_ns = due_ns;
	return true;
}

int replay_make_paths(struct replay *r)
{
	size_t i;
	int rc = 0;

	if (r->backend->path_make == NULL)
		return 0;
	for (i = 0; i < r->program->path_count && rc == 0; i++)
		/* A varying path changes during the replay, so backends convert
		 * its text each time. */
		if (!r->program->paths[i].varying)
			rc = r->backend->path_make(r->session, &r->binding.names.paths[i]);
	return rc;
}

bool replay_progress(struct replay *r)
{
	r->own->steps++;
	recorder_advance(&r->recorder, clock_now_ns());
	return !replay_is_leaving(r);
}

bool replay_wait(void *context)
{
	struct replay *r = context;

	r->own->blocked_since_ns = r->own->busy_since_ns;
	/* Count waiting as progress, as sleeping is. */
	return replay_progress(r);
}

void replay_report_unfinished(void *context, uint64_t end_ns)
{
	struct replay *r = context;
	struct pace rest = r->pace;
	bool begun = rest.pending;
	uint64_t due_ns;

	for (; pace_take(&rest, end_ns, &due_ns); begun = false)
		recorder_unfinished(&r->recorder, due_ns, end_ns, begun);
}

/* Return the outcome of an operation that returned `returned`. */
static inline __attribute__((always_inline)) enum outcome
judge(const struct replay *r, const struct op *op, int64_t returned)
{
	if (returned < 0)
		return outcome_from_errno((int)-returned);
	if ((op->flags & OP_COUNTED) == 0)
		return OUTCOME_OK;
	return (uint64_t)returned == ((op->flags & OP_SIZED) != 0 ? r->binding.size : op->expect)
		       ? OUTCOME_OK
		       : OUTCOME_SHORT;
}

bool replay_is_lost(struct replay *r, int rc)
{
	bool lost = rc < 0 && outcome_is_loss(outcome_from_errno(-rc));

	if (lost) {
		r->lost = true;
		__atomic_store_n(&r->own->lost, rc, __ATOMIC_RELAXED);
	}
	return lost;
}

/* Describe why the session was lost. */
static void set_reason(const struct replay *r, struct stats_failure *failure)
{
	const char *reason = NULL;

	if (r->backend->loss_reason != NULL)
		reason = r->backend->loss_reason(r->session);
	snprintf(failure->reason, sizeof(failure->reason), "%s", reason != NULL ? reason : "");
}

int replay_fail(struct replay *r, unsigned number, const char *doing, const char *path, int rc)
{
	struct stats_failure *failure = &r->stats->run->failure;

	replay_is_lost(r, rc);
	if (!stats_claim_failure(r->stats))
		return rc;
	failure->user = number;
	failure->op = UINT32_MAX;
	failure->returned = rc;
	snprintf(failure->doing, sizeof(failure->doing), "%s", doing);
	snprintf(failure->path, sizeof(failure->path), "%s", path);
	set_reason(r, failure);
	stats_publish_failure(r->stats);
	stats_stop(r->stats);
	return rc;
}

/* Check if the op failed because the open of its file had failed. */
static bool had_no_file(const struct replay *r, const struct op *op, int64_t returned)
{
	return returned == -EBADF && op->kind != OP_OPEN && op->handle != OP_NONE &&
	       r->handles[op->handle] < 0;
}

/*
 * Count a mismatch. End the run if the target is lost, or if there are more
 * mismatches than allowed. The second rule does not apply to an OP_FORGIVEN op,
 * unless the open of its file had failed. A difference has its own description
 * (verify/difference.h).
 */
static void count_mismatch(struct replay *r, const struct op *op, int64_t returned,
			   struct stats_counter *counter)
{
	struct stats_failure *failure = &r->stats->run->failure;
	bool differs = r->differs && outcome_in(op->accepts, judge(r, op, returned));
	bool allowed;
	uint64_t all;

	r->differs = false;
	/* The user leaves, so it is not known how the operation would have
	 * ended. */
	if (returned == -ECANCELED && replay_is_leaving(r))
		return;
	all = __atomic_add_fetch(&r->stats->run->mismatches, 1, __ATOMIC_RELAXED);
	counter->mismatches++;
	if (differs) {
		if (all > r->mismatches_allowed)
			stats_stop(r->stats);
		return;
	}
	counter->errors += returned < 0 && outcome_in(op->accepts, OUTCOME_OK);
	/* A connection cannot be used after a failed exchange of packets, so
	 * count the target as lost. */
	r->lost = returned < 0 && r->player == PLAYER_PACKETS;
	if (returned < 0)
		replay_is_lost(r, (int)returned);
	allowed = all <= r->mismatches_allowed ||
		  ((op->flags & OP_FORGIVEN) != 0 && !had_no_file(r, op, returned));
	if ((allowed && !r->lost) || !stats_claim_failure(r->stats))
		return;
	failure->user = r->binding.user;
	failure->op = (uint32_t)(op - r->program->ops);
	failure->lane = r->lane;
	failure->returned = returned;
	if (op->path != OP_NONE)
		snprintf(failure->path, sizeof(failure->path), "%s",
			 replay_path(r, op->path)->text);
	set_reason(r, failure);
	stats_publish_failure(r->stats);
	stats_stop(r->stats);
}

static inline __attribute__((always_inline)) uint64_t bytes_moved(const struct op *op,
								  int64_t returned)
{
	if (!op_reads(op->kind) && !op_writes(op->kind))
		return 0;
	return returned > 0 ? (uint64_t)returned : 0;
}

/* Return the number of bytes recorded, for a target that moves no data. A size
 * that varies is the one drawn for this operation. */
static inline __attribute__((always_inline)) uint64_t bytes_recorded(const struct replay *r,
								     const struct op *op)
{
	unsigned how = op->flags & (OP_COUNTED | OP_SIZED);

	if (!outcome_in(op->accepts, OUTCOME_OK) || (!op_reads(op->kind) && !op_writes(op->kind)))
		return 0;
	/* One test, as most operations are counted and of a fixed size. */
	if (__builtin_expect(how == OP_COUNTED, 1))
		return op->expect;
	return (how & OP_SIZED) != 0 ? r->binding.size : op->size;
}

/* Play one operation, and set *end_ns to its end: when the last reply came, even if
 * another lane that is a fiber has played since then. */
static int64_t play_in_turn(struct replay *r, const struct op *op, uint64_t *end_ns)
{
	int64_t returned;
	uint64_t woken_ns;

	fibers_take_woken_ns(r->fibers);
	returned = files_play(r, op);
	woken_ns = fibers_take_woken_ns(r->fibers);
	*end_ns = woken_ns > 0 ? woken_ns : clock_now_ns();
	return returned;
}

/*
 * Play one operation and record it. Use its end time also as the start time of
 * the next operation, so that the clock is read only once per operation, unless
 * lanes are fibers. Return its end time.
 */
static inline __attribute__((always_inline)) uint64_t play_op(struct replay *r, const struct op *op,
							      enum player player)
{
	struct stats_counter *counter;
	bool in_turn = (player == PLAYER_FILES || player == PLAYER_NOTED) && r->fibers != NULL;
	uint64_t end_ns, bytes = 0;
	bool accepted = true;
	int64_t returned;

	if (in_turn) {
		returned = play_in_turn(r, op, &end_ns);
	} else {
		returned = player == PLAYER_PACKETS ? exchange_play(r, op) : files_play(r, op);
		end_ns = clock_now_ns();
	}
	switch (player) {
	case PLAYER_FILES:
	case PLAYER_NOTED:
		bytes = bytes_moved(op, returned);
		accepted = outcome_in(op->accepts, judge(r, op, returned)) && !r->differs;
		break;
	case PLAYER_PACKETS:
		bytes = returned > 0 ? (uint64_t)returned : 0;
		accepted = returned >= 0;
		break;
	case PLAYER_NULL:
		bytes = bytes_recorded(r, op);
		accepted = true;
		break;
	}
	r->bytes_moved += bytes;
	counter = recorder_record(&r->recorder, op->label, r->begin_ns, end_ns, bytes);
	if (!accepted)
		count_mismatch(r, op, returned, counter);
	r->begin_ns = in_turn ? clock_now_ns() : end_ns;
	if (player == PLAYER_NOTED)
		restore_note(r, op, returned);
	return end_ns;
}

/* Wait until op `at` is due and play it, unless the user must leave. Not inlined:
 * this would cost other replays registers. */
static __attribute__((noinline)) void play_paced(struct replay *r, size_t at, enum player player)
{
	const struct op *op = &r->program->ops[at];
	uint64_t start_ns, end_ns;

	if (r->bytes_per_s > 0)
		keep_rate(r);
	if (!pace_is_on(&r->pace)) {
		play_op(r, op, player);
		return;
	}
	if (!wait_until_due(r, at, &start_ns))
		return;
	end_ns = play_op(r, op, player);
	pace_end_op(&r->pace);
	recorder_extra(&r->recorder, STATS_SERVICE, end_ns - start_ns);
	recorder_extra(&r->recorder, STATS_LATENESS, r->pace.late_ns);
}

/*
 * Play a span of ops. Inlined four times with a constant `player`, so that
 * `player` is not tested for each op.
 */
static inline __attribute__((always_inline)) bool play_span(struct replay *r, size_t first,
							    size_t end, enum player player)
{
	const struct op *ops = r->program->ops;
	bool paced = r->paced && (pace_is_on(&r->pace) || r->bytes_per_s > 0);
	size_t at = first;

	r->own->busy_since_ns = r->begin_ns = clock_now_ns();
	/* A loop of the load may have no operation for this user. Only this
	 * call then ends the measurement. */
	recorder_advance(&r->recorder, r->begin_ns);
	while (at < end) {
		r->own->op = (uint32_t)at;
		if (op_is_control(ops[at].kind)) {
			at = play_control(r, at);
		} else {
			if (paced)
				play_paced(r, at, player);
			else
				play_op(r, &ops[at], player);
			at++;
		}
		if (replay_is_leaving(r)) {
			r->depth = 0;
			return false;
		}
	}
	return true;
}

bool replay_span(struct replay *r, size_t first, size_t end)
{
	switch (r->player) {
	case PLAYER_PACKETS:
		return play_span(r, first, end, PLAYER_PACKETS);
	case PLAYER_NULL:
		return play_span(r, first, end, PLAYER_NULL);
	default:
		if (r->restore != NULL)
			return play_span(r, first, end, PLAYER_NOTED);
		return play_span(r, first, end, PLAYER_FILES);
	}
}
