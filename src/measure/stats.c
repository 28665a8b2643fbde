/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/stats.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
	CACHE_LINE = 64,
	/* Number of loops that are kept: in all, and min and max per user. */
	LOOPS_KEPT = 1 << 22,
	LOOPS_KEPT_MIN = 1 << 10,
	LOOPS_KEPT_MAX = 1 << 17,
};

_Static_assert(sizeof(struct stats_counter) == CACHE_LINE, "a counter is a cache line");

/* A user waits in slices for its parent to postpone the boundary of a stage. */
#define POSTPONE_SLICE_NS (10 * NS_PER_MS)
enum { POSTPONE_SLICES = 20 };

/* Size of struct stats_user, in whole cache lines. */
#define OWN_BYTES ((sizeof(struct stats_user) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE)

static size_t round_up(size_t bytes)
{
	return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static size_t loops_kept(unsigned users)
{
	size_t share = LOOPS_KEPT / users;

	if (share < LOOPS_KEPT_MIN)
		return LOOPS_KEPT_MIN;
	return share < LOOPS_KEPT_MAX ? share : LOOPS_KEPT_MAX;
}

/* Return the number of slots (struct stats_load) of a load with `phases`
 * phases. */
static unsigned slots_of(unsigned phases)
{
	return phases > 0 ? phases + 1 : 0;
}

static size_t lap_bytes(const struct stats *stats)
{
	return round_up(slots_of(stats->sets - STATS_STAGES) * sizeof(struct stats_lap));
}

static size_t loop_bytes(const struct stats *stats)
{
	return round_up(stats->loops_kept * sizeof(struct stats_loop));
}

static unsigned phases_of(const unsigned *phase_counts, size_t load)
{
	return phase_counts != NULL ? phase_counts[load] : 0;
}

static size_t slot_bytes(unsigned phases)
{
	return round_up(slots_of(phases) * sizeof(struct stats_load_phase));
}

static size_t total_bytes(const struct stats *stats, unsigned phases)
{
	return round_up(((phases + 1) * stats->labels + STATS_EXTRAS) *
			sizeof(struct histogram_total));
}

/* Set the addresses of what belongs to each load, from `memory` on. */
static void place_loads(const struct stats *stats, const unsigned *phase_counts, char *memory)
{
	size_t i;

	for (i = 0; i < stats->loads; i++) {
		struct stats_load *load = &stats->list[i];

		load->phase_count = phases_of(phase_counts, i);
		load->phases = (void *)memory;
		memory += slot_bytes(load->phase_count);
		load->totals = (void *)memory;
		memory += total_bytes(stats, load->phase_count);
	}
}

int stats_map(struct stats *stats, unsigned users, unsigned lanes, size_t loads, size_t labels,
	      const unsigned *phase_counts, bool log_loops)
{
	size_t run_bytes = round_up(sizeof(struct stats_run));
	size_t list_bytes = round_up(loads * sizeof(struct stats_load));
	size_t load_bytes = 0, i;
	unsigned max = 0;
	char *memory;

	*stats = (struct stats){
		.users = users,
		.lanes = lanes,
		.loads = loads,
		.labels = labels,
		.loops_kept = log_loops ? loops_kept(users) : 0,
		.live = users * lanes <= STATS_LIVE_BLOCKS,
	};
	for (i = 0; i < loads; i++) {
		unsigned phases = phases_of(phase_counts, i);

		load_bytes += slot_bytes(phases) + total_bytes(stats, phases);
		if (phases > max)
			max = phases;
	}
	stats->sets = STATS_STAGES + max;
	stats->block_bytes = OWN_BYTES + CACHE_LINE * stats->sets * labels + loop_bytes(stats) +
			     lap_bytes(stats);
	if (stats->live)
		stats->block_bytes += round_up(sizeof(struct histogram));
	stats->bytes = run_bytes + list_bytes + load_bytes +
		       stats_blocks(stats) * stats->block_bytes;
	memory = mmap(NULL, stats->bytes, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	stats->run = (void *)memory;
	stats->list = (void *)(memory + run_bytes);
	place_loads(stats, phase_counts, memory + run_bytes + list_bytes);
	stats->blocks = memory + run_bytes + list_bytes + load_bytes;
	return 0;
}

void stats_unmap(struct stats *stats)
{
	if (stats->run != NULL)
		munmap(stats->run, stats->bytes);
	*stats = (struct stats){0};
}

struct stats_user *stats_user(const struct stats *stats, unsigned block)
{
	return (void *)(stats->blocks + block * stats->block_bytes);
}

void stats_assign(const struct stats *stats, unsigned user, size_t load)
{
	unsigned lane;

	for (lane = 0; lane < stats->lanes; lane++)
		stats_user(stats, stats_block(stats, user, lane))->load = (uint32_t)load;
	stats->list[load].barrier.users++;
}

struct stats_load *stats_load_of(const struct stats *stats, unsigned block)
{
	return &stats->list[stats_user(stats, block)->load];
}

struct stats_counter *stats_counters(const struct stats *stats, unsigned block, unsigned set)
{
	struct stats_counter *first = (void *)(stats->blocks + block * stats->block_bytes +
					       OWN_BYTES);

	return first + set * stats->labels;
}

void stats_add_set(struct stats_counter *into, const struct stats *stats, unsigned user,
		   unsigned set, size_t label)
{
	unsigned lane;

	for (lane = 0; lane < stats->lanes; lane++)
		stats_add_counter(into, stats_counters(stats, stats_block(stats, user, lane), set) +
						label);
}

void stats_add_measured(struct stats_counter *into, const struct stats *stats, unsigned user,
			size_t label)
{
	unsigned end = stats_set(stats_load_of(stats, user)->phase_count) + 1;
	unsigned set;

	for (set = STATS_MEASURED; set < end; set++)
		stats_add_set(into, stats, user, set, label);
}

struct histogram_total *stats_phase_totals(const struct stats *stats, const struct stats_load *load,
					   unsigned slot)
{
	return load->totals + STATS_EXTRAS + slot * stats->labels;
}

struct stats_loop *stats_loops(const struct stats *stats, unsigned block)
{
	return (void *)(stats_counters(stats, block, stats->sets));
}

struct stats_lap *stats_laps(const struct stats *stats, unsigned block)
{
	return (void *)((char *)stats_loops(stats, block) + loop_bytes(stats));
}

struct histogram *stats_live(const struct stats *stats, unsigned block)
{
	if (!stats->live)
		return NULL;
	return (void *)((char *)stats_laps(stats, block) + lap_bytes(stats));
}

void stats_log_loop(const struct stats *stats, unsigned user, uint64_t took_ns, uint64_t at_ns)
{
	struct stats_user *own = stats_user(stats, user);

	if (stats->loops_kept == 0)
		return;
	stats_loops(stats, user)[own->loops_logged++ % stats->loops_kept] = (struct stats_loop){
		.took_ms = (uint32_t)(took_ns / NS_PER_MS),
		.at_ms = (uint32_t)(at_ns / NS_PER_MS),
	};
}

void stats_add_counter(struct stats_counter *into, const struct stats_counter *from)
{
	if (from->count > 0 && (into->count == 0 || from->min_ns < into->min_ns))
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->count += from->count;
	into->bytes += from->bytes;
	into->errors += from->errors;
	into->mismatches += from->mismatches;
	into->sum_ns += from->sum_ns;
	into->skipped += from->skipped;
}

void stats_add_cost(struct stats_cost *into, const struct stats_cost *from)
{
	into->user_ns += from->user_ns;
	into->system_ns += from->system_ns;
	into->waits += from->waits;
	into->preemptions += from->preemptions;
}

bool stats_claim_failure(struct stats *stats)
{
	return __atomic_exchange_n(&stats->run->failed, 1, __ATOMIC_ACQ_REL) == 0;
}

void stats_publish_failure(struct stats *stats)
{
	__atomic_store_n(&stats->run->failure_complete, 1, __ATOMIC_RELEASE);
}

void stats_stop(struct stats *stats)
{
	__atomic_store_n(&stats->run->stop, 1, __ATOMIC_RELEASE);
}

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * NS_PER_US;
}

static struct stats_cost cost_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct stats_cost){
		.user_ns = timeval_ns(usage.ru_utime),
		.system_ns = timeval_ns(usage.ru_stime),
		.waits = (uint64_t)usage.ru_nvcsw,
		.preemptions = (uint64_t)usage.ru_nivcsw,
	};
}

static struct stats_cost cost_since(const struct stats_cost *before)
{
	struct stats_cost now = cost_so_far();

	return (struct stats_cost){
		.user_ns = now.user_ns - before->user_ns,
		.system_ns = now.system_ns - before->system_ns,
		.waits = now.waits - before->waits,
		.preemptions = now.preemptions - before->preemptions,
	};
}

static size_t recorder_bytes(const struct recorder *recorder)
{
	const struct stats *stats = recorder->stats;
	size_t sets = recorder->load->phase_count > 0 ? 2 : 1;

	return (sets * stats->labels + STATS_EXTRAS) * sizeof(struct histogram);
}

int recorder_open(struct recorder *recorder, struct stats *stats, unsigned block)
{
	void *memory;

	*recorder = (struct recorder){
		.counters = stats_counters(stats, block, STATS_UNCOUNTED),
		.edge_ns = CLOCK_NEVER,
		.stage = STATS_UNCOUNTED,
		.live = stats_live(stats, block),
		.stats = stats,
		.block = block,
		.own = stats_user(stats, block),
		.load = stats_load_of(stats, block),
	};
	recorder->totals = recorder->load->totals;
	memory = mmap(NULL, recorder_bytes(recorder), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -ENOMEM;
	recorder->memory = memory;
	return 0;
}

void recorder_close(struct recorder *recorder)
{
	munmap(recorder->memory, recorder_bytes(recorder));
}

void recorder_start(struct recorder *recorder)
{
	recorder->edge_ns = recorder->stats->run->measure_ns;
}

static void begin_measuring(struct recorder *recorder)
{
	recorder->stage = STATS_MEASURED;
	recorder->measured = true;
	recorder->counters = stats_counters(recorder->stats, recorder->block, STATS_MEASURED);
	recorder->histograms = recorder->memory;
	recorder->edge_ns = recorder->stats->run->stop_ns;
	recorder->cost = recorder->slot_cost = cost_so_far();
}

/* Note how long the operation in progress has taken in the measured time. */
static void note_cut_short(struct recorder *recorder)
{
	uint64_t since_ns = recorder->own->busy_since_ns;
	uint64_t begin_ns = recorder->stats->run->measure_ns;

	if (since_ns < begin_ns)
		since_ns = begin_ns;
	/* With whole loops, or during a sleep, no operation is in progress. */
	if (recorder->edge_ns != CLOCK_NEVER && since_ns < recorder->edge_ns)
		recorder->own->cut_short_ns = recorder->edge_ns - since_ns;
}

static void end_measuring(struct recorder *recorder)
{
	note_cut_short(recorder);
	recorder->own->cost = cost_since(&recorder->cost);
	recorder->stage = STATS_UNCOUNTED;
	recorder->counters = stats_counters(recorder->stats, recorder->block, STATS_UNCOUNTED);
	recorder->histograms = NULL;
	recorder->edge_ns = recorder->stats->run->leave_ns;
}

/* Return the address of the time in stats->run that edge_ns is a copy of. */
static const uint64_t *next_edge(const struct recorder *recorder)
{
	const struct stats_run *run = recorder->stats->run;

	if (!recorder->measured)
		return &run->measure_ns;
	return recorder->stage == STATS_MEASURED ? &run->stop_ns : &run->leave_ns;
}

/*
 * Read the edge (the boundary of the stage) again. If we are well past it, the
 * run was probably stopped (SIGSTOP): give the parent a moment to postpone the
 * boundary.
 */
static void update_edge(struct recorder *recorder, uint64_t now_ns)
{
	const struct stats_run *run = recorder->stats->run;
	const uint64_t *edge_ns = next_edge(recorder);
	unsigned slices = 0;

	if (run->postpone == 0 || recorder->edge_ns == CLOCK_NEVER)
		return;
	while (now_ns >= recorder->edge_ns + STANDSTILL_NS && slices++ < POSTPONE_SLICES &&
	       __atomic_load_n(edge_ns, __ATOMIC_ACQUIRE) == recorder->edge_ns)
		clock_sleep_until_ns(clock_now_ns() + POSTPONE_SLICE_NS);
	recorder->edge_ns = __atomic_load_n(edge_ns, __ATOMIC_ACQUIRE);
}

void recorder_advance(struct recorder *recorder, uint64_t now_ns)
{
	if (now_ns >= recorder->edge_ns)
		update_edge(recorder, now_ns);
	if (!recorder->measured && now_ns >= recorder->edge_ns)
		begin_measuring(recorder);
	if (recorder->stage == STATS_MEASURED && now_ns >= recorder->edge_ns) {
		if (recorder->at_end != NULL)
			recorder->at_end(recorder->context, recorder->edge_ns);
		end_measuring(recorder);
	}
	if (recorder->measured && recorder->stage == STATS_UNCOUNTED &&
	    now_ns >= recorder->edge_ns) {
		recorder->over = true;
		recorder->edge_ns = CLOCK_NEVER;
	}
}

void recorder_carry(struct recorder *recorder, size_t index, unsigned wrapped)
{
	histogram_carry(&recorder->totals[index], wrapped);
}

void recorder_extra(struct recorder *recorder, enum stats_extra extra, uint64_t took_ns)
{
	size_t index = recorder->stats->labels + extra;
	unsigned wrapped;

	if (recorder->stage != STATS_MEASURED)
		return;
	recorder_count(&recorder->own->extras[extra], took_ns);
	wrapped = histogram_record(&recorder->memory[index], took_ns);
	if (wrapped != 0)
		histogram_carry(&recorder->load->totals[index], wrapped);
}

void recorder_loop(struct recorder *recorder, uint64_t took_ns, bool whole)
{
	recorder->own->loops_ended += recorder->stage == STATS_MEASURED;
	if (whole)
		recorder_extra(recorder, STATS_LOOP, took_ns);
}

/* Check if a due time is in the measured time. */
static bool is_due_measured(const struct recorder *recorder, uint64_t due_ns)
{
	const struct stats_run *run = recorder->stats->run;

	return due_ns >= run->measure_ns && due_ns < run->stop_ns;
}

void recorder_due(struct recorder *recorder, uint64_t due_ns)
{
	bool over = recorder->measured && recorder->stage == STATS_UNCOUNTED;

	/* If measuring is over, it has been counted as unfinished. */
	if (!over && is_due_measured(recorder, due_ns))
		recorder->own->due.count++;
}

void recorder_unfinished(struct recorder *recorder, uint64_t due_ns, uint64_t end_ns, bool begun)
{
	struct stats_due *due = &recorder->own->due;

	recorder_extra(recorder, STATS_UNFINISHED, end_ns - due_ns);
	if (!is_due_measured(recorder, due_ns))
		return;
	due->count += !begun;
	due->unfinished++;
}

/* Record in the histograms and counters of a phase of the load, or, for slot 0,
 * in those of the whole measurement. */
static void use_slot(struct recorder *recorder, unsigned slot)
{
	struct stats *stats = recorder->stats;

	recorder->slot = slot;
	recorder->counters = stats_counters(stats, recorder->block, stats_set(slot));
	recorder->histograms = recorder->memory;
	recorder->totals = recorder->load->totals;
	if (slot == 0)
		return;
	recorder->histograms += stats->labels + STATS_EXTRAS;
	recorder->totals = stats_phase_totals(stats, recorder->load, slot);
}

/* Leave out the resources used since the last phase of the load ended: waiting
 * for the other users costs nothing. */
static void skip_cost(struct recorder *recorder)
{
	struct stats_cost idle = cost_since(&recorder->slot_cost);

	stats_add_cost(&recorder->cost, &idle);
	stats_add_cost(&recorder->slot_cost, &idle);
}

void recorder_begin_slot(struct recorder *recorder, unsigned slot, uint64_t begin_ns)
{
	use_slot(recorder, slot);
	skip_cost(recorder);
	recorder->slot_ns = begin_ns;
}

void recorder_end_slot(struct recorder *recorder, uint64_t end_ns)
{
	struct stats_lap *lap = stats_laps(recorder->stats, recorder->block) + recorder->slot;
	struct stats_cost cost = cost_since(&recorder->slot_cost);

	stats_add_cost(&lap->cost, &cost);
	stats_add_cost(&recorder->slot_cost, &cost);
	lap->took_ns = end_ns - recorder->slot_ns;
}

void recorder_merge_slot(struct recorder *recorder)
{
	struct stats *stats = recorder->stats;
	size_t label;

	for (label = 0; label < stats->labels && recorder->slot > 0; label++) {
		struct histogram *histogram = &recorder->histograms[label];

		if (recorder->counters[label].count == 0)
			continue;
		histogram_add(&recorder->totals[label], histogram);
		/* Empty it for the next phase. */
		memset(histogram, 0, sizeof(*histogram));
	}
	use_slot(recorder, 0);
}

void recorder_finish(struct recorder *recorder, uint64_t now_ns)
{
	struct stats *stats = recorder->stats;
	size_t label, extra;

	recorder->own->finish_ns = now_ns;
	recorder->own->busy_since_ns = CLOCK_NEVER;
	/* The user may leave in the middle of a phase of the load. */
	if (recorder->slot > 0)
		recorder_merge_slot(recorder);
	else if (recorder->load->phase_count > 0)
		skip_cost(recorder);
	if (recorder->stage == STATS_MEASURED)
		end_measuring(recorder);
	for (label = 0; label < stats->labels; label++)
		if (stats_counters(stats, recorder->block, STATS_MEASURED)[label].count > 0)
			histogram_add(&recorder->totals[label], &recorder->memory[label]);
	for (extra = 0; extra < STATS_EXTRAS; extra++)
		if (recorder->own->extras[extra].count > 0)
			histogram_add(&recorder->totals[label + extra],
				      &recorder->memory[label + extra]);
}
