/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/lanes.h"

#include "base/fibers.h"
#include "base/futex.h"
#include "play/replay.h"
#include "play/restore.h"
#include "play/verification.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	STACK_BYTES = 512 << 10,
	/* How often to look if a wait is over before going to sleep. */
	SPINS = 100,
};

/* Longest sleep: nobody wakes a lane if the time is over or the run stops. */
#define SLICE_NS (10 * NS_PER_MS)

/* The range of streams->spans that all lanes play. */
struct stretch {
	size_t first, end;
};

struct lane {
	struct lanes *lanes;
	struct replay *replay; /* `own`, or that of the user's own thread */
	struct replay own;
	uint32_t stream; /* PROGRAM_STREAMS_MAX: none, it only plays PARALLELs */
	bool opened;     /* it has a session */
	bool running;
	pthread_t thread;
	/* Number of its spans that have been played in this loop, which other
	 * lanes wait for, and the number of lanes that sleep until it grows. */
	_Alignas(64) uint32_t done;
	uint32_t sleepers;
};

struct lanes {
	const struct streams *streams;
	struct replay *first;
	size_t next_span; /* the first one that has not been played */
	/* The threads play this when `round` grows. */
	struct stretch stretch;
	uint32_t from_op; /* the first op to play: spans may begin before it */
	bool ending;      /* they end instead */
	uint32_t round;
	uint32_t playing; /* number of lanes that play it */
	unsigned count;
	struct lane *list;     /* the first one is the user's own thread */
	struct fibers *fibers; /* that the lanes are; NULL: they are threads */
	struct lane *of_stream[PROGRAM_STREAMS_MAX];
	int64_t *outer; /* the handles that are open when a PARALLEL begins */
	/* The stream of each op, for the schedules; NULL: it has no time stamps. */
	uint8_t *op_streams;
};

const char *lanes_refused(const struct workers_plan *plan, const struct load *load)
{
	unsigned i;

	if (plan->one_stream)
		return "--one-stream";
	if (load->program->rate.per_s > 0)
		return "the load is played at a rate";
	if (load->program->due_ns != NULL && load->program->phase_count > 0)
		return "the load has both time stamps and phases";
	if (plan->bytes_per_s > 0)
		return "the data rate is limited";
	for (i = 0; i < plan->target_count; i++)
		if (plan->targets[i].target->backend->session_share == NULL)
			return "the target plays one operation at a time for each user";
	if (load->streams == NULL || load->streams->lanes < 2)
		return "the load has one stream";
	return NULL;
}

/* Sleep while `word` is `value`, until it is woken, for `max_ns` at most. It may also
 * return early. */
static void sleep_on(struct lanes *lanes, uint32_t *word, uint32_t value, uint64_t max_ns)
{
	if (lanes->fibers == NULL)
		futex_wait(word, value, max_ns < NS_PER_S ? max_ns : NS_PER_S);
	else if (*word == value)
		fibers_sleep(lanes->fibers, word,
			     max_ns != CLOCK_NEVER ? clock_now_ns() + max_ns : CLOCK_NEVER);
}

/* Wake all that sleep on `word`. */
static void wake(struct lanes *lanes, uint32_t *word)
{
	if (lanes->fibers == NULL)
		futex_wake(word);
	else
		fibers_wake(lanes->fibers, word);
}

/* Wait until the lane has played `spans` spans. Return false if the user must
 * leave. */
static bool wait_for_spans(struct replay *r, struct lane *other, uint32_t spans)
{
	uint32_t done = __atomic_load_n(&other->done, __ATOMIC_ACQUIRE);
	unsigned spin;

	for (spin = 0; spin < SPINS && done < spans; spin++)
		done = __atomic_load_n(&other->done, __ATOMIC_ACQUIRE);
	if (done >= spans)
		return true;
	/* No operation is in progress. */
	r->own->busy_since_ns = CLOCK_NEVER;
	__atomic_add_fetch(&other->sleepers, 1, __ATOMIC_SEQ_CST);
	while ((done = __atomic_load_n(&other->done, __ATOMIC_SEQ_CST)) < spans &&
	       replay_progress(r))
		sleep_on(other->lanes, &other->done, done, SLICE_NS);
	__atomic_sub_fetch(&other->sleepers, 1, __ATOMIC_RELAXED);
	return done >= spans;
}

/* Let the lanes that wait for this one know that it has played a span. */
static void announce(struct lane *lane)
{
	__atomic_add_fetch(&lane->done, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&lane->sleepers, __ATOMIC_SEQ_CST) > 0)
		wake(lane->lanes, &lane->done);
}

/* Wait for all that a span must wait for, and play it. Return false if the user
 * must leave. */
static bool play_span(struct lane *lane, const struct streams_span *span)
{
	struct lanes *lanes = lane->lanes;
	uint32_t i;

	for (i = 0; i < span->wait_count; i++) {
		const struct streams_wait *wait = &lanes->streams->waits[span->first_wait + i];

		if (!wait_for_spans(lane->replay, lanes->of_stream[wait->stream], wait->spans))
			return false;
	}
	if (!replay_span(lane->replay, span->first > lanes->from_op ? span->first : lanes->from_op,
			 span->end))
		return false;
	announce(lane);
	return true;
}

/* Return the op that a span begins with. */
static const struct op *op_of(const struct lanes *lanes, size_t span)
{
	return &lanes->first->program->ops[lanes->streams->spans[span].first];
}

/* Close the files that the lane has opened in a PARALLEL that it has not played to its
 * end. */
static void close_own(struct lane *lane)
{
	struct replay *r = lane->replay;
	uint32_t i;

	for (i = 0; i < r->program->handle_count && r != lane->lanes->first; i++)
		if (r->handles[i] >= 0 && r->handles[i] != lane->lanes->outer[i])
			r->backend->close(r->session, r->handles[i]);
}

/* Play the block of a PARALLEL, if it has a stream for this lane. */
static void play_parallel(struct lane *lane, const struct streams_span *span)
{
	struct replay *r = lane->replay;

	if ((unsigned)(lane - lane->lanes->list) >= r->program->ops[span->first].count)
		return;
	if (!replay_span(r, span->first + 1, span->end - 1))
		close_own(lane);
}

/* Play what the lane has in the stretch. */
static void play_stretch(struct lane *lane)
{
	struct replay *r = lane->replay;
	const struct lanes *lanes = lane->lanes;
	const struct streams_span *spans = lanes->streams->spans;
	size_t i;

	r->begin_ns = clock_now_ns();
	for (i = lanes->stretch.first; i < lanes->stretch.end; i++)
		if (op_of(lanes, i)->kind == OP_PARALLEL)
			play_parallel(lane, &spans[i]);
		else if (spans[i].stream == lane->stream && !play_span(lane, &spans[i]))
			break;
	r->own->busy_since_ns = CLOCK_NEVER;
}

static void play_lane(void *context)
{
	struct lane *lane = context;
	struct lanes *lanes = lane->lanes;
	uint32_t round = 0;

	for (;;) {
		while (__atomic_load_n(&lanes->round, __ATOMIC_ACQUIRE) == round)
			sleep_on(lanes, &lanes->round, round, CLOCK_NEVER);
		round++;
		if (lanes->ending)
			return;
		play_stretch(lane);
		if (__atomic_sub_fetch(&lanes->playing, 1, __ATOMIC_ACQ_REL) == 0)
			wake(lanes, &lanes->playing);
	}
}

static void *play_thread(void *context)
{
	play_lane(context);
	return NULL;
}

static void begin_round(struct lanes *lanes)
{
	__atomic_add_fetch(&lanes->round, 1, __ATOMIC_RELEASE);
	wake(lanes, &lanes->round);
}

/* Give all lanes that play a PARALLEL the variables and open files of the first one. */
static void prepare_parallel(struct lanes *lanes, const struct op *op)
{
	struct replay *first = lanes->first;
	size_t bytes = first->program->handle_count * sizeof(*first->handles);
	unsigned i;

	memcpy(lanes->outer, first->handles, bytes);
	for (i = 0; i < op->count; i++) {
		struct replay *r = lanes->list[i].replay;

		if (i > 0) {
			memcpy(r->handles, first->handles, bytes);
			bind_follow(&r->binding, &first->binding);
		}
		if (op->variable != OP_NONE)
			bind_variable(&r->binding, op->variable, i);
	}
}

/* Let all lanes play a stretch, and wait until they have played it, or have left.
 * Return false if the user must leave. */
static bool play_together(struct lanes *lanes, struct stretch stretch)
{
	struct replay *r = lanes->first;
	bool leaves = false;
	uint32_t playing;
	unsigned i;

	lanes->stretch = stretch;
	if (op_of(lanes, stretch.first)->kind == OP_PARALLEL)
		prepare_parallel(lanes, op_of(lanes, stretch.first));
	__atomic_store_n(&lanes->playing, lanes->count - 1, __ATOMIC_RELAXED);
	begin_round(lanes);
	play_stretch(lanes->list);
	while ((playing = __atomic_load_n(&lanes->playing, __ATOMIC_ACQUIRE)) > 0) {
		replay_progress(r);
		sleep_on(lanes, &lanes->playing, playing, SLICE_NS);
	}
	for (i = 1; i < lanes->count; i++) {
		const struct replay *other = lanes->list[i].replay;

		leaves |= replay_is_leaving(other);
		r->lost |= other->lost;
		if (other->begin_ns > r->begin_ns)
			r->begin_ns = other->begin_ns;
	}
	/* The loop ends in the stage in which its last operation has ended. */
	recorder_advance(&r->recorder, r->begin_ns);
	r->own->busy_since_ns = r->begin_ns;
	return !leaves && !replay_is_leaving(r);
}

/* Let the other lanes record in the phase of the load in which the first one does. They
 * measure: a load with phases is measured from its start. */
static void follow_phase(struct lanes *lanes)
{
	const struct recorder *first = &lanes->first->recorder;
	unsigned i;

	for (i = 1; i < lanes->count; i++) {
		struct recorder *recorder = &lanes->list[i].own.recorder;

		recorder_advance(recorder, lanes->first->begin_ns);
		recorder_merge_slot(recorder);
		recorder_begin_slot(recorder, first->slot, first->slot_ns);
	}
}

/* Play a span that is a PHASE, at which all lanes have met. Return false if the
 * user must leave. */
static bool play_phase(struct lanes *lanes, const struct streams_span *span)
{
	if (!replay_span(lanes->first, span->first, span->end))
		return false;
	follow_phase(lanes);
	announce(lanes->of_stream[span->stream]);
	return true;
}

/* Find the spans, from the next one on, that all lanes play before they meet: up to a
 * PHASE or PARALLEL, or a PARALLEL alone. There are none before a PHASE. */
static struct stretch next_stretch(const struct lanes *lanes)
{
	struct stretch stretch = {lanes->next_span, lanes->next_span};
	enum op_kind kind = OP_KINDS;

	while (stretch.end < lanes->streams->span_count) {
		kind = (enum op_kind)op_of(lanes, stretch.end)->kind;
		if (kind == OP_PHASE || kind == OP_PARALLEL)
			break;
		stretch.end++;
	}
	if (stretch.end == stretch.first && kind == OP_PARALLEL)
		stretch.end++;
	return stretch;
}

/* Leave out the spans that end before the loop's first op. */
static void skip_spans(struct lanes *lanes, size_t from)
{
	const struct streams *streams = lanes->streams;
	unsigned i;

	for (i = 0; i < lanes->count; i++)
		lanes->list[i].done = 0;
	for (lanes->next_span = 0;
	     lanes->next_span < streams->span_count && streams->spans[lanes->next_span].end <= from;
	     lanes->next_span++)
		lanes->of_stream[streams->spans[lanes->next_span].stream]->done++;
	lanes->from_op = (uint32_t)from;
}

/* Begin a loop with the first lane. */
static void follow_loop(struct lanes *lanes)
{
	const struct replay *first = lanes->first;
	unsigned i;

	for (i = 1; i < lanes->count; i++) {
		struct replay *r = &lanes->list[i].own;

		pace_follow(&r->pace, &first->pace, lanes->from_op);
		if (r->loop == first->loop)
			continue;
		r->loop = first->loop;
		bind_variable(&r->binding, VARIABLE_LOOP, r->loop - 1);
	}
}

bool lanes_play(struct lanes *lanes, size_t from)
{
	const struct streams *streams = lanes->streams;
	bool plays = true;

	skip_spans(lanes, from);
	follow_loop(lanes);
	if (lanes->first->program->phase_count > 0)
		follow_phase(lanes);
	while (plays && lanes->next_span < streams->span_count) {
		struct stretch stretch = next_stretch(lanes);

		if (stretch.end > stretch.first)
			plays = play_together(lanes, stretch);
		else
			plays = play_phase(lanes, &streams->spans[stretch.end++]);
		lanes->next_span = stretch.end;
	}
	return plays;
}

void lanes_start(struct lanes *lanes)
{
	const struct recorder *first = &lanes->first->recorder;
	uint64_t start_ns = lanes->first->stats->run->start_ns;
	unsigned i;

	for (i = 1; i < lanes->count; i++) {
		struct replay *r = &lanes->list[i].own;

		__atomic_store_n(&r->own->state, STATS_RUNNING, __ATOMIC_RELEASE);
		r->own->busy_since_ns = CLOCK_NEVER;
		recorder_start(&r->recorder);
		r->recorder.at_end = first->at_end;
		r->recorder.context = r;
		r->paced = lanes->first->paced;
		recorder_advance(&r->recorder, start_ns);
	}
}

void lanes_finish(struct lanes *lanes)
{
	unsigned i;

	for (i = 1; i < lanes->count; i++) {
		struct replay *r = &lanes->list[i].own;

		__atomic_store_n(&r->own->state, STATS_ENDING, __ATOMIC_RELEASE);
		recorder_finish(&r->recorder, lanes->first->begin_ns);
	}
}

/* Give a lane what it does not share with the first one. Call close_lane() even
 * after an error. */
static int open_lane(struct lane *lane, unsigned block)
{
	struct replay *r = &lane->own;
	const struct replay *first = lane->lanes->first;
	int rc = first->backend->session_share(first->session, first->fibers, &r->session);

	if (rc < 0)
		return rc;
	lane->opened = true;
	if (r->backend->on_wait != NULL)
		r->backend->on_wait(r->session, replay_wait, r);
	rc = verification_share(r);
	if (rc < 0)
		return rc;
	r->own = stats_user(r->stats, block);
	r->tree = tree_new(r->backend, r->session, &r->own->steps);
	rc = bind_share(&r->binding, &first->binding, (unsigned)(lane - lane->lanes->list),
			lane->lanes->outer == NULL);
	if (lane->lanes->outer != NULL)
		r->handles = malloc(r->program->handle_count * sizeof(*r->handles) + 1);
	if (rc == 0 && (r->tree == NULL || r->handles == NULL))
		rc = -ENOMEM;
	if (rc == 0)
		rc = recorder_open(&r->recorder, r->stats, block);
	if (rc == 0)
		rc = replay_make_paths(r);
	return rc;
}

static void close_lane(struct lane *lane)
{
	struct replay *r = &lane->own;

	if (!lane->opened)
		return;
	if (r->recorder.memory != NULL)
		recorder_close(&r->recorder);
	bind_free(&r->binding);
	if (lane->lanes->outer != NULL)
		free(r->handles);
	free(r->tree);
	r->backend->session_close(r->session);
}

/* Begin the thread or fiber of a lane. */
static int begin_lane(struct lane *lane)
{
	pthread_attr_t attributes;
	int rc;

	if (lane->lanes->fibers != NULL)
		return fibers_begin(lane->lanes->fibers, play_lane, lane);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	rc = pthread_create(&lane->thread, &attributes, play_thread, lane);
	pthread_attr_destroy(&attributes);
	lane->running = rc == 0;
	return -rc;
}

/* Let each lane have the schedule of its own stream. */
static int divide_schedule(struct lanes *lanes)
{
	const struct streams *streams = lanes->streams;
	const struct program *program = lanes->first->program;
	unsigned i;
	size_t span;

	if (program->due_ns == NULL)
		return 0;
	lanes->op_streams = malloc(program->op_count);
	if (lanes->op_streams == NULL)
		return -ENOMEM;
	/* Ops before the first span have been played by the first lane. */
	memset(lanes->op_streams, PROGRAM_STREAMS_MAX, program->op_count);
	for (span = 0; span < streams->span_count; span++)
		memset(lanes->op_streams + streams->spans[span].first,
		       (int)streams->spans[span].stream,
		       streams->spans[span].end - streams->spans[span].first);
	for (i = 0; i < lanes->count; i++) {
		struct pace *pace = &lanes->list[i].replay->pace;

		pace->streams = lanes->op_streams;
		pace->stream = (uint8_t)lanes->list[i].stream;
	}
	return 0;
}

static struct lane *add_lane(struct lanes *lanes, uint32_t stream)
{
	struct lane *lane = &lanes->list[lanes->count++];

	*lane = (struct lane){.lanes = lanes, .stream = stream, .replay = &lane->own};
	lane->own = *lanes->first;
	lane->own.lane = lanes->count - 1;
	lane->own.recorder = (struct recorder){0};
	lane->own.binding = (struct binding){0};
	lane->own.tree = NULL;
	return lane;
}

/* Give each stream that plays something a lane, and add those that a PARALLEL needs. */
static void add_lanes(struct lanes *lanes, const struct streams *streams)
{
	size_t i;

	for (i = 0; i < streams->span_count; i++) {
		uint32_t stream = streams->spans[i].stream;

		if (lanes->of_stream[stream] == NULL)
			lanes->of_stream[stream] = add_lane(lanes, stream);
	}
	while (lanes->count < streams->lanes)
		add_lane(lanes, PROGRAM_STREAMS_MAX);
	lanes->list[0].replay = lanes->first;
	lanes->first->lane = 0;
}

int lanes_open(struct lanes **made, struct replay *first, unsigned user,
	       const struct streams *streams)
{
	struct lanes *lanes = calloc(1, sizeof(*lanes));
	unsigned i;
	int rc = 0;

	*made = lanes;
	if (lanes == NULL)
		return -ENOMEM;
	lanes->streams = streams;
	lanes->first = first;
	lanes->list = aligned_alloc(_Alignof(struct lane), streams->lanes * sizeof(*lanes->list));
	if (lanes->list == NULL)
		return -ENOMEM;
	if (first->backend->takes_turns) {
		lanes->fibers = first->fibers = fibers_open(streams->lanes);
		if (lanes->fibers == NULL)
			return -ENOMEM;
	}
	if (first->program->parallel > 0) {
		lanes->outer = malloc(first->program->handle_count * sizeof(*lanes->outer) + 1);
		if (lanes->outer == NULL)
			return -ENOMEM;
	}
	add_lanes(lanes, streams);
	if (first->restore != NULL)
		restore_share(first);
	rc = divide_schedule(lanes);
	for (i = 1; i < lanes->count && rc == 0; i++)
		rc = open_lane(&lanes->list[i], stats_block(first->stats, user, i));
	for (i = 1; i < lanes->count && rc == 0; i++)
		rc = begin_lane(&lanes->list[i]);
	return rc;
}

void lanes_close(struct lanes *lanes)
{
	unsigned i;

	if (lanes == NULL)
		return;
	lanes->ending = true;
	begin_round(lanes);
	if (lanes->fibers != NULL)
		fibers_join(lanes->fibers);
	for (i = 1; i < lanes->count; i++) {
		if (lanes->list[i].running)
			pthread_join(lanes->list[i].thread, NULL);
		close_lane(&lanes->list[i]);
	}
	lanes->first->fibers = NULL;
	fibers_close(lanes->fibers);
	free(lanes->list);
	free(lanes->outer);
	free(lanes->op_streams);
	free(lanes);
}
