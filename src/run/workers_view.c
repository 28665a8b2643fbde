/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/workers_view.h"

uint64_t workers_last_finish_ns(const struct stats *stats)
{
	uint64_t last_ns = 0;
	unsigned user;

	for (user = 0; user < stats->users; user++) {
		uint64_t finish_ns = stats_user(stats, user)->finish_ns;

		if (finish_ns > last_ns)
			last_ns = finish_ns;
	}
	return last_ns;
}

/* Return the end of the measured window. With whole loops, this is CLOCK_NEVER
 * until the last user has finished; after that, users remove their files. */
static uint64_t window_end_ns(const struct workers_sampler *sampler)
{
	const struct stats_run *run = sampler->stats->run;

	if (!phases_in_loops(&sampler->plan->phases))
		return run->stop_ns;
	return run->finished == sampler->stats->users ? workers_last_finish_ns(sampler->stats)
						      : CLOCK_NEVER;
}

/*
 * Find the stage that contained the middle of the past second: at a phase
 * boundary, a tick must show the stage that ends, not the one that begins.
 */
static void find_stage(const struct workers_sampler *sampler, uint64_t now_ns,
		       struct workers_view *view)
{
	const struct stats_run *run = sampler->stats->run;
	uint64_t middle_ns = now_ns - NS_PER_S / 2;
	uint64_t since_ns = sampler->began_ns, until_ns = CLOCK_NEVER;

	view->stage = WORKERS_SETUP;
	if (run->stop != 0 || (run->start_ns > 0 && middle_ns >= run->leave_ns)) {
		view->stage = WORKERS_CLEANUP;
		since_ns = run->stop != 0 ? now_ns : run->leave_ns;
	} else if (run->start_ns > 0 && middle_ns >= run->stop_ns) {
		view->stage = WORKERS_RAMP_DOWN;
		since_ns = run->stop_ns;
		until_ns = run->leave_ns;
	} else if (run->start_ns > 0 && phases_in_loops(&sampler->plan->phases) &&
		   middle_ns >= window_end_ns(sampler)) {
		view->stage = WORKERS_CLEANUP;
		since_ns = window_end_ns(sampler);
	} else if (run->start_ns > 0 && middle_ns >= run->measure_ns) {
		view->stage = WORKERS_MEASURE;
		since_ns = workers_window_ns(sampler);
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
	uint64_t peak_ns = __atomic_exchange_n(&own->peak_ns, 0, __ATOMIC_RELAXED);
	uint64_t since_ns = own->busy_since_ns;

	if (since_ns > 0 && since_ns < now_ns && now_ns - since_ns > peak_ns)
		peak_ns = now_ns - since_ns;
	return peak_ns;
}

/* Add up the counters of all users. Return a sum that grows with progress. */
static uint64_t sum_counters(const struct stats *stats, uint64_t now_ns, struct workers_view *view)
{
	struct stats_counter sum = {0}, measured = {0};
	uint64_t steps = 0;
	unsigned user, block;
	size_t label;

	for (block = 0; block < stats_blocks(stats); block++) {
		struct stats_user *own = stats_user(stats, block);
		uint64_t peak_ns = take_peak_ns(own, now_ns);

		steps += own->steps + own->state;
		if (peak_ns > view->peak_ns)
			view->peak_ns = peak_ns;
	}
	for (user = 0; user < stats->users; user++) {
		for (label = 0; label < stats->labels; label++) {
			stats_add_measured(&measured, stats, user, label);
			stats_add_set(&sum, stats, user, STATS_UNCOUNTED, label);
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

/*
 * Return the time for which no operation has ended although one was due. Users
 * that sleep, because of the load or a rate, wake up several times per second
 * (pace.h). If all of them sleep and none wakes up, they were stopped.
 */
static uint64_t find_still_ns(struct workers_sampler *sampler, uint64_t now_ns, bool moved,
			      uint64_t ops)
{
	uint64_t last_end_ns = 0;
	bool asleep = false;
	unsigned block;

	/* Ignore a silence after the measured time. */
	if (sampler->stats->run->start_ns > 0 && now_ns > window_end_ns(sampler))
		now_ns = window_end_ns(sampler);
	for (block = 0; block < stats_blocks(sampler->stats); block++) {
		const struct stats_user *own = stats_user(sampler->stats, block);
		bool playing = own->state == STATS_RUNNING;
		/* A user that has left ended its last operation at
		 * finish_ns. */
		uint64_t since_ns = playing ? own->busy_since_ns : own->finish_ns;

		if (since_ns == CLOCK_NEVER)
			asleep |= playing;
		else if (since_ns > last_end_ns)
			last_end_ns = since_ns;
	}
	if (ops != sampler->ops || (last_end_ns == 0 && (moved || !asleep)))
		sampler->moved_ns = now_ns;
	sampler->ops = ops;
	/*
	 * It is unknown when the last operation of a sleeping user ended, so
	 * use the time of the last sample that saw the number of operations
	 * grow.
	 */
	if (asleep || last_end_ns == 0 || last_end_ns > now_ns)
		return now_ns - sampler->moved_ns;
	return now_ns - last_end_ns;
}

/* Record the second of the measured window that ends at `now_ns`. */
static void note_second(const struct workers_sampler *sampler, uint64_t now_ns,
			const struct seconds_sample *sample)
{
	const struct stats_run *run = sampler->stats->run;
	uint64_t begin_ns = workers_window_ns(sampler);

	/* The window may have ended before it was to begin. */
	if (now_ns > window_end_ns(sampler))
		now_ns = window_end_ns(sampler);
	if (run->start_ns == 0 || now_ns <= begin_ns)
		return;
	seconds_add(sampler->seconds, sampler->stats, now_ns - begin_ns, sample);
}

bool workers_sample(struct workers_sampler *sampler, uint64_t now_ns, struct workers_view *view)
{
	const struct seconds *seconds = sampler->seconds;
	struct seconds_sample sample = {0};
	uint64_t progress;
	bool moved;

	*view = (struct workers_view){
		.users = sampler->stats->users,
		.ready = sampler->stats->run->ready,
	};
	progress = sum_counters(sampler->stats, now_ns, view);
	moved = progress != sampler->progress;
	sample.bytes = view->measured_bytes;
	sample.still_ns = find_still_ns(sampler, now_ns, moved, view->ops);
	note_second(sampler, now_ns, &sample);
	find_stage(sampler, now_ns, view);
	if (view->stage == WORKERS_MEASURE && seconds->count > 0)
		view->p99_ns = seconds->list[seconds->count - 1].p99_ns;
	sampler->progress = progress;
	return moved;
}

void workers_sample_last(const struct workers_sampler *sampler, uint64_t end_ns)
{
	struct workers_view view = {0};
	struct seconds_sample sample = {0};

	sum_counters(sampler->stats, end_ns, &view);
	sample.bytes = view.measured_bytes;
	note_second(sampler, end_ns, &sample);
}
