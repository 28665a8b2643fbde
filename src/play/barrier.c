/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/barrier.h"

#include "base/futex.h"

#include <signal.h>
#include <unistd.h>

/*
 * Return how long to sleep at most, as nobody wakes us if the run stops. Many
 * users take longer slices: they must not disturb those that still play.
 */
static uint64_t slice_ns(unsigned users)
{
	uint64_t wanted_ns = users * NS_PER_MS;

	if (wanted_ns < PACE_SLICE_NS)
		return PACE_SLICE_NS;
	return wanted_ns < NS_PER_S ? wanted_ns : NS_PER_S;
}

/* Find the shortest and longest time of the users of the load in a phase that all of
 * them have just ended. */
static void find_times(const struct stats *stats, struct stats_load *load, unsigned slot)
{
	struct stats_barrier *barrier = &load->barrier;
	unsigned user;

	barrier->shortest_ns = CLOCK_NEVER;
	barrier->longest_ns = 0;
	for (user = 0; user < stats->users; user++) {
		uint64_t took_ns = stats_laps(stats, user)[slot].took_ns;

		if (stats_load_of(stats, user) != load)
			continue;
		if (took_ns > barrier->longest_ns)
			barrier->longest_ns = took_ns;
		if (took_ns < barrier->shortest_ns)
			barrier->shortest_ns = took_ns;
	}
}

/* Add up that phase, which the slowest of all users has ended after `elapsed_ns`. */
static void add_up(const struct stats_load *load, unsigned slot, uint64_t elapsed_ns)
{
	const struct stats_barrier *barrier = &load->barrier;
	struct stats_load_phase *phase = &load->phases[slot];

	if (phase->loops == 0 || barrier->shortest_ns < phase->min_ns)
		phase->min_ns = barrier->shortest_ns;
	if (barrier->longest_ns > phase->max_ns)
		phase->max_ns = barrier->longest_ns;
	phase->elapsed_ns += elapsed_ns;
	phase->loops++;
}

static void release(struct stats_barrier *barrier, uint64_t release_ns)
{
	barrier->arrived = 0;
	__atomic_store_n(&barrier->release_ns, release_ns, __ATOMIC_RELAXED);
	__atomic_add_fetch(&barrier->round, 1, __ATOMIC_RELEASE);
	futex_wake(&barrier->round);
}

/* Let the parent know that all users of this process have arrived. */
static void complete(const struct replay *r, struct stats_barrier *barrier, bool ended)
{
	barrier->ended = ended;
	barrier->slot = r->recorder.slot;
	barrier->begin_ns = r->recorder.slot_ns;
	__atomic_store_n(&barrier->complete, 1, __ATOMIC_RELEASE);
	kill(getppid(), SIGCHLD); /* or it would notice only after its nap */
}

static void wait_for_release(struct replay *r, struct stats_barrier *barrier, uint32_t round)
{
	struct stats_user *own = r->own;

	own->awaits = round;
	own->at_barrier = 1;
	__atomic_store_n(&own->waits, own->waits + 1, __ATOMIC_RELEASE);
	while (!replay_is_leaving(r) &&
	       __atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE) == round) {
		/* Count waiting as progress, as sleep_until in replay.c. */
		own->steps++;
		futex_wait(&barrier->round, round, slice_ns(barrier->users));
	}
	__atomic_store_n(&own->waits, own->waits + 1, __ATOMIC_RELEASE);
	own->at_barrier = 0;
}

/*
 * Wait until all users are here. The last one adds up the phase that they have
 * `ended`, if any, and releases all to begin `lead_ns` later, unless others play
 * elsewhere.
 */
static void meet(struct replay *r, bool ended, uint64_t lead_ns)
{
	struct stats_load *load = r->recorder.load;
	struct stats_barrier *barrier = &load->barrier;
	uint32_t round = __atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE);

	if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL) < barrier->users) {
		wait_for_release(r, barrier, round);
		return;
	}
	if (ended)
		find_times(r->stats, load, r->recorder.slot);
	if (barrier->elsewhere != 0) {
		complete(r, barrier, ended);
		wait_for_release(r, barrier, round);
		return;
	}
	if (ended)
		add_up(load, r->recorder.slot, barrier->longest_ns);
	release(barrier, clock_now_ns() + lead_ns);
}

void barrier_start(struct replay *r, uint64_t start_ns)
{
	recorder_begin_slot(&r->recorder, 0, start_ns);
	r->in_slot = true;
}

/* Leave out the time of a wait that ended at `release_ns`. */
static void pass_wait(struct replay *r, uint64_t release_ns)
{
	r->loop_begin_ns += release_ns - r->begin_ns;
	r->paced_from_ns += release_ns - r->begin_ns;
	r->begin_ns = release_ns;
}

void barrier_end(struct replay *r)
{
	if (!r->in_slot || replay_is_leaving(r))
		return;
	r->own->busy_since_ns = CLOCK_NEVER;
	recorder_end_slot(&r->recorder, r->begin_ns);
	meet(r, true, 0);
	recorder_merge_slot(&r->recorder);
	r->in_slot = false;
	/* The phase has ended for all users: the time from here until the next
	 * one begins is measured in neither of them. */
	if (!replay_is_leaving(r))
		pass_wait(r,
			  __atomic_load_n(&r->recorder.load->barrier.release_ns, __ATOMIC_RELAXED));
}

void barrier_meet(struct replay *r, unsigned slot)
{
	struct stats_barrier *barrier = &r->recorder.load->barrier;
	uint64_t now_ns, release_ns;

	barrier_end(r);
	r->own->busy_since_ns = CLOCK_NEVER;
	if (r->before_phase != NULL && !replay_is_leaving(r))
		r->before_phase(r);
	meet(r, false, barrier_lead_ns(barrier->users));
	release_ns = __atomic_load_n(&barrier->release_ns, __ATOMIC_RELAXED);
	while (!replay_is_leaving(r) && (now_ns = clock_now_ns()) < release_ns)
		clock_sleep_until_ns(pace_slice_ns(now_ns, release_ns));
	if (replay_is_leaving(r))
		return;
	recorder_begin_slot(&r->recorder, slot, release_ns);
	r->in_slot = true;
	pace_postpone(&r->pace, release_ns - r->begin_ns);
	pass_wait(r, release_ns);
	pace_restart(&r->pace, release_ns);
	r->own->busy_since_ns = r->begin_ns = clock_now_ns();
}

bool barrier_is_waiting(const struct stats *stats, unsigned user)
{
	const struct stats_user *own = stats_user(stats, user);
	const struct stats_barrier *barrier = &stats_load_of(stats, user)->barrier;

	return own->at_barrier != 0 &&
	       __atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE) == own->awaits;
}

uint64_t barrier_played_ns(const struct replay *r)
{
	const struct stats_barrier *barrier = &r->recorder.load->barrier;

	/* The hosts' clocks differ, but all users must play the same loops. */
	return barrier->elsewhere != 0 ? barrier->played_ns : r->begin_ns - r->stats->run->start_ns;
}

bool barrier_is_complete(const struct stats_load *load)
{
	return __atomic_load_n(&load->barrier.complete, __ATOMIC_ACQUIRE) != 0;
}

void barrier_release(struct stats_load *load, const struct barrier_go *go)
{
	struct stats_barrier *barrier = &load->barrier;
	uint64_t elapsed_ns = go->longest_ns, release_ns = go->begin_ns;

	if (barrier->ended) {
		if (elapsed_ns < barrier->longest_ns)
			elapsed_ns = barrier->longest_ns;
		add_up(load, barrier->slot, elapsed_ns);
		barrier->played_ns = go->played_ns;
		release_ns = barrier->begin_ns + elapsed_ns;
	}
	barrier->complete = 0;
	release(barrier, release_ns);
}
