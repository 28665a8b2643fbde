/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/control.h"

#include "engine/pace.h"

/*
 * Sleeps until `due_ns`, or until the user has to leave. `exactly` costs a
 * processor's time just before.
 */
static void sleep_until(struct replay *r, uint64_t due_ns, bool exactly)
{
	uint64_t now_ns = clock_now_ns();

	r->own->busy_since_ns = CLOCK_NEVER;
	while (now_ns < due_ns && !replay_is_leaving(r)) {
		uint64_t wake_ns = pace_slice_ns(now_ns, due_ns);

		/* Who sleeps in the prologue is not stuck. */
		r->own->steps++;
		now_ns = exactly && wake_ns == due_ns
				 ? clock_sleep_exactly_until_ns(wake_ns)
				 : clock_sleep_until_ns(wake_ns);
		recorder_advance(&r->recorder, now_ns);
	}
	r->own->busy_since_ns = r->begin_ns = now_ns;
}

/* A sequence point of the current loop, as stats_user has it. */
static uint64_t sequence_point(const struct replay *r, const struct op *op)
{
	return (uint64_t)r->loop << 32 | (op->number + 1);
}

/*
 * WAITSP: until the other user has passed the sequence point, in the same
 * loop or a later one, or is gone.
 */
static void wait_for(struct replay *r, const struct op *op)
{
	const struct stats_user *other = stats_user(r->stats, op->text);
	uint64_t wanted = sequence_point(r, op);

	r->own->awaits = wanted;
	__atomic_store_n(&r->own->waits, r->own->waits + 1, __ATOMIC_RELEASE);
	while (!replay_is_leaving(r) &&
	       __atomic_load_n(&other->sequence_point, __ATOMIC_ACQUIRE) <
		       wanted &&
	       __atomic_load_n(&other->state, __ATOMIC_ACQUIRE) <
		       STATS_ENDING)
		sleep_until(r, clock_now_ns() + NS_PER_MS, false);
	__atomic_store_n(&r->own->waits, r->own->waits + 1, __ATOMIC_RELEASE);
}

size_t control_play(struct replay *r, size_t at)
{
	const struct op *op = &r->program->ops[at];

	switch (op->kind) {
	case OP_LOOP:
		r->loops_left[r->depth++] = op->count;
		return at + 1;
	case OP_ENDLOOP:
		if (--r->loops_left[r->depth - 1] > 0)
			return op->count;
		r->depth--;
		return at + 1;
	case OP_SLEEP:
		sleep_until(r, clock_now_ns() + op->sleep_ns, false);
		break;
	case OP_SETSP:
		__atomic_store_n(&r->own->sequence_point,
				 sequence_point(r, op), __ATOMIC_RELEASE);
		break;
	case OP_WAITSP:
		wait_for(r, op);
		break;
	case OP_WRITEPATTERN:
		bind_pattern(&r->binding, r->program->texts[op->text]);
		break;
	case OP_SKIP:
		r->recorder.counters[op->label].skipped++;
		break;
	case OP_RANDOMSTRING:
		bind_string(&r->binding, (unsigned)op->number,
			    r->program->texts[op->text]);
		break;
	}
	/* What the user does for itself is no operation's time. */
	r->begin_ns = clock_now_ns();
	recorder_advance(&r->recorder, r->begin_ns);
	return at + 1;
}

/* Waits until the bytes moved so far are no more than the rate allows. */
static void keep_rate(struct replay *r)
{
	uint64_t due_ns = r->paced_from_ns +
			  pace_bytes_ns(r->bytes_moved, r->bytes_per_s);

	if (due_ns > r->begin_ns)
		sleep_until(r, due_ns, false);
}

void control_pace(struct replay *r, size_t at)
{
	uint64_t due_ns;

	if (r->bytes_per_s > 0)
		keep_rate(r);
	if (r->program->due_ns == NULL)
		return;
	due_ns = pace_due_ns(r->loop_begin_ns, r->program->due_ns[at]);
	if (due_ns > r->begin_ns)
		sleep_until(r, due_ns, r->exact);
	if (due_ns > 0 && r->begin_ns > due_ns &&
	    r->recorder.phase == STATS_MEASURED)
		r->own->late_sum_ns += r->begin_ns - due_ns;
}
