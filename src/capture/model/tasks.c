/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/tasks.h"

#include "base/array.h"
#include "capture/model/recording.h"

#include <stdlib.h>
#include <string.h>

/* The state of tasks_plan(). */
struct plan {
	struct tasks *tasks;
	size_t at;
	unsigned current;                  /* the stream of the line before */
	size_t users[PROGRAM_STREAMS_MAX]; /* number of tasks that have each stream */
	size_t user_count;                 /* their sum */
	/* By stream: when something was added to it last, and the same of other streams
	 * until which it has waited for them. */
	size_t step;
	size_t last[PROGRAM_STREAMS_MAX];
	size_t known[PROGRAM_STREAMS_MAX][PROGRAM_STREAMS_MAX];
	struct recording_totals *totals;
};

static void add_event(struct tasks *tasks, const struct task_event *event)
{
	if (array_grow(&tasks->events, &tasks->event_room, tasks->event_count + 1,
		       sizeof(*tasks->events)) < 0)
		tasks->failed = true;
	else
		tasks->events[tasks->event_count++] = *event;
}

static uint32_t add_task(struct tasks *tasks, uint32_t parent)
{
	size_t number = tasks->task_count;
	uint32_t follows = TASK_NONE;

	if (number >= TASK_NONE ||
	    array_grow(&tasks->list, &tasks->task_room, number + 1, sizeof(*tasks->list)) < 0) {
		tasks->failed = true;
		return TASK_NONE;
	}
	/* A shell without operations stands for the command that it has waited for. */
	if (parent != TASK_NONE && tasks->list[parent].operations == 0) {
		const struct task *shell = &tasks->list[parent];

		follows = shell->awaited != TASK_NONE ? shell->awaited : shell->follows;
		parent = shell->parent;
	}
	tasks->list[number] = (struct task){
		.parent = parent, .awaited = TASK_NONE, .follows = follows};
	tasks->task_count++;
	return (uint32_t)number;
}

uint32_t tasks_begin(struct tasks *tasks, uint32_t parent, size_t at)
{
	uint32_t number = add_task(tasks, parent);

	if (number != TASK_NONE)
		add_event(tasks, &(struct task_event){at, TASK_BEGINS, number, TASK_NONE, 0});
	return number;
}

/* Insert the begin of a task after the operation `after`. */
static void insert_begin(struct tasks *tasks, uint32_t task, size_t after)
{
	size_t place = tasks->event_count;

	while (place > 0 && tasks->events[place - 1].at > after)
		place--;
	if (array_grow(&tasks->events, &tasks->event_room, tasks->event_count + 2,
		       sizeof(*tasks->events)) < 0) {
		tasks->failed = true;
		return;
	}
	memmove(&tasks->events[place + 2], &tasks->events[place],
		(tasks->event_count - place) * sizeof(*tasks->events));
	tasks->event_count += 2;
	tasks->events[place] = (struct task_event){after + 1, TASK_BEGINS, task, TASK_NONE, 0};
	/* The operations that follow are of the same task as before. */
	tasks->events[place + 1] = (struct task_event){
		after + 1, TASK_ACTS,
		after + 1 < tasks->answered_count ? tasks->answered[after + 1].task : task,
		TASK_NONE, 0};
}

/* Begin the task of a request that was sent at this time. Return its number. */
static uint32_t begin_at(struct tasks *tasks, uint64_t begin_ns)
{
	const struct answered *last = NULL;
	uint32_t number;
	size_t i;

	for (i = 0; i < tasks->answered_count; i++) {
		const struct answered *next = &tasks->answered[i];

		if (next->end_ns > 0 && next->end_ns <= begin_ns &&
		    (last == NULL || next->end_ns >= last->end_ns))
			last = next;
	}
	if (last == NULL) {
		number = tasks_begin(tasks, TASK_NONE, tasks->answered_count);
	} else {
		number = add_task(tasks, last->task);
		if (number != TASK_NONE)
			insert_begin(tasks, number, (size_t)(last - tasks->answered));
	}
	if (number != TASK_NONE)
		tasks->list[number].idle.since_ns = last != NULL ? last->end_ns : begin_ns;
	return number;
}

/* Return the task for a request that was sent at this time. */
static uint32_t task_at(struct tasks *tasks, uint64_t begin_ns)
{
	uint32_t best = TASK_NONE, first = 0, i;

	for (i = 0; i < tasks->task_count; i++) {
		uint64_t replied_ns = tasks->list[i].replied_ns;

		if (replied_ns < tasks->list[first].replied_ns)
			first = i;
		if (replied_ns <= begin_ns &&
		    (best == TASK_NONE || replied_ns > tasks->list[best].replied_ns))
			best = i;
	}
	if (best == TASK_NONE && tasks->task_count < PROGRAM_STREAMS_MAX)
		return begin_at(tasks, begin_ns);
	return best != TASK_NONE ? best : first;
}

void tasks_follow(struct tasks *tasks, uint64_t begin_ns, uint64_t end_ns)
{
	size_t count = tasks->answered_count;
	const struct answered *last = count > 0 ? &tasks->answered[count - 1] : NULL;
	/* A part of the same call or compound. */
	bool same = last != NULL && last->begin_ns == begin_ns && last->end_ns == end_ns;

	if (tasks->task_count == 0 || (end_ns > 0 && !same))
		tasks->current = task_at(tasks, begin_ns);
	if (tasks->current >= tasks->task_count ||
	    array_grow(&tasks->answered, &tasks->answered_room, count + 1,
		       sizeof(*tasks->answered)) < 0) {
		tasks->failed = true;
		return;
	}
	tasks->answered[count] = (struct answered){begin_ns, end_ns, tasks->current};
	tasks->answered_count++;
	if (end_ns > tasks->list[tasks->current].replied_ns)
		tasks->list[tasks->current].replied_ns = end_ns;
}

void tasks_act(struct tasks *tasks, size_t at)
{
	const struct task_event *last = NULL;

	if (tasks->current >= tasks->task_count)
		return;
	tasks->list[tasks->current].operations++;
	if (tasks->event_count > 0)
		last = &tasks->events[tasks->event_count - 1];
	if (last == NULL || last->kind != TASK_ACTS || last->task != tasks->current)
		add_event(tasks, &(struct task_event){at, TASK_ACTS, tasks->current, TASK_NONE, 0});
}

/* A shell without operations stands for the command that it has waited for. */
uint32_t tasks_awaited(const struct tasks *tasks, uint32_t task)
{
	if (tasks->current >= tasks->task_count || task >= tasks->task_count)
		return TASK_NONE;
	if (tasks->list[task].operations == 0)
		task = tasks->list[task].awaited;
	return task != tasks->current ? task : TASK_NONE;
}

void tasks_wait(struct tasks *tasks, uint32_t task, size_t at)
{
	tasks->list[tasks->current].awaited = task;
	tasks->list[task].is_awaited = true;
	add_event(tasks, &(struct task_event){at, TASK_WAITS, tasks->current, task, 0});
}

void tasks_pause(struct tasks *tasks, uint32_t task, uint64_t pause_ns, bool exits, size_t at)
{
	if (pause_ns > 0)
		add_event(tasks, &(struct task_event){at, exits ? TASK_EXITS : TASK_PAUSES, task,
						      TASK_NONE, pause_ns});
}

void tasks_pause_at_end(struct tasks *tasks, size_t at)
{
	uint64_t acted_ns = 0, exited_ns = 0;
	uint32_t last = TASK_NONE, i;

	for (i = 0; i < tasks->task_count; i++) {
		const struct task *task = &tasks->list[i];
		uint64_t end_ns = task->is_awaited && task->exited_ns > task->acted_ns
					  ? task->exited_ns
					  : task->acted_ns;

		if (task->exited_ns > exited_ns)
			exited_ns = task->exited_ns;
		if (end_ns > acted_ns) {
			acted_ns = end_ns;
			last = i;
		}
	}
	if (last != TASK_NONE && exited_ns > acted_ns)
		tasks_pause(tasks, last, exited_ns - acted_ns, false, at);
}

void tasks_end(struct tasks *tasks, uint32_t task, size_t at)
{
	if (task < tasks->task_count)
		add_event(tasks, &(struct task_event){at, TASK_ENDS, task, TASK_NONE, 0});
}

static void add_line(struct plan *plan, enum op_kind kind, unsigned stream, uint64_t pause_ns)
{
	struct tasks *tasks = plan->tasks;

	if (array_grow(&tasks->lines, &tasks->line_room, tasks->line_count + 1,
		       sizeof(*tasks->lines)) < 0)
		tasks->failed = true;
	else
		tasks->lines[tasks->line_count++] = (struct stream_line){plan->at, kind, stream,
									 pause_ns};
}

static void use(struct plan *plan, const struct task *task)
{
	if (plan->current != task->stream)
		add_line(plan, OP_STREAM, task->stream, 0);
	plan->current = task->stream;
}

/* Let a task pause. */
static void pause_for(struct plan *plan, const struct task *task, uint64_t pause_ns)
{
	if (task->operations == 0)
		return;
	use(plan, task);
	add_line(plan, OP_SLEEP, task->stream, pause_ns);
	plan->last[task->stream] = ++plan->step;
}

/* Let a task wait for what another one has done until now. */
static void wait_for(struct plan *plan, const struct task *task, const struct task *other)
{
	size_t *known = plan->known[task->stream];
	unsigned i;

	if (task->stream == other->stream)
		return;
	use(plan, task);
	add_line(plan, OP_AFTER, other->stream, 0);
	known[other->stream] = plan->last[other->stream];
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++)
		if (known[i] < plan->known[other->stream][i])
			known[i] = plan->known[other->stream][i];
}

/* Check if a task that begins must wait for all operations of a stream in any case,
 * because its parent has. */
static bool is_known(const struct plan *plan, const struct task *parent, unsigned stream)
{
	return parent != NULL && (stream == parent->stream ||
				  plan->known[parent->stream][stream] == plan->last[stream]);
}

/*
 * Return the stream for a task that begins: a free one, in which it does not wait for
 * a task that its parent has not waited for. Otherwise, a stream that has not been
 * used yet, or else the one with the fewest tasks. The stream of the task that it
 * `follows`, if any, is the best of the free ones.
 */
static unsigned choose_stream(const struct plan *plan, const struct task *parent,
			      const struct task *follows)
{
	unsigned best = 0, fresh = PROGRAM_STREAMS_MAX, i;

	if (follows != NULL && plan->users[follows->stream] == 0)
		return follows->stream;
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++) {
		if (plan->users[i] == 0 && plan->last[i] > 0 && is_known(plan, parent, i))
			return i;
		if (plan->users[i] == 0 && plan->last[i] == 0 && fresh == PROGRAM_STREAMS_MAX)
			fresh = i;
		if (plan->users[i] < plan->users[best])
			best = i;
	}
	return fresh < PROGRAM_STREAMS_MAX ? fresh : best;
}

static void take_stream(struct plan *plan, struct task *task, const struct task *parent,
			const struct task *follows)
{
	unsigned best = choose_stream(plan, parent, follows);

	plan->users[best]++;
	if (best >= plan->totals->streams)
		plan->totals->streams = best + 1;
	if (++plan->user_count > plan->totals->tasks_max)
		plan->totals->tasks_max = plan->user_count;
	task->stream = best;
	task->has_stream = true;
}

static void release_stream(struct plan *plan, struct task *task)
{
	if (!task->has_stream)
		return;
	plan->users[task->stream]--;
	plan->user_count--;
	task->has_stream = false;
}

static void follow(struct plan *plan, const struct task_event *event)
{
	struct task *tasks = plan->tasks->list, *task = &tasks[event->task];
	const struct task *parent = task->parent != TASK_NONE ? &tasks[task->parent] : NULL;
	const struct task *follows = task->follows != TASK_NONE ? &tasks[task->follows] : NULL;

	/* The operations since the last event are of the current stream. */
	if (event->at > plan->at)
		plan->last[plan->current] = ++plan->step;
	plan->at = event->at;
	switch (event->kind) {
	case TASK_BEGINS:
		if (task->operations == 0)
			break;
		take_stream(plan, task, parent, follows);
		if (parent != NULL)
			wait_for(plan, task, parent);
		if (follows != NULL)
			wait_for(plan, task, follows);
		break;
	case TASK_ACTS:
		use(plan, task);
		break;
	case TASK_WAITS:
		if (task->operations > 0)
			wait_for(plan, task, &tasks[event->other]);
		release_stream(plan, &tasks[event->other]);
		break;
	case TASK_PAUSES:
		pause_for(plan, task, event->pause_ns);
		break;
	case TASK_EXITS:
		if (task->is_awaited)
			pause_for(plan, task, event->pause_ns);
		break;
	case TASK_ENDS:
		/* The task that waits for this one need not wait for another
		 * that has got its stream. */
		if (!task->is_awaited)
			release_stream(plan, task);
		break;
	}
}

void tasks_plan(struct tasks *tasks, struct recording_totals *totals)
{
	struct plan plan = {.tasks = tasks, .totals = totals};
	size_t i;

	for (i = 0; i < tasks->event_count; i++)
		follow(&plan, &tasks->events[i]);
}

void tasks_free(struct tasks *tasks)
{
	free(tasks->list);
	free(tasks->events);
	free(tasks->lines);
	free(tasks->answered);
}
