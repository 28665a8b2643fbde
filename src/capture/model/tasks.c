/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/tasks.h"

#include "base/array.h"
#include "capture/model/recording.h"

#include <stdlib.h>

/* The state of tasks_plan(). */
struct plan {
	struct tasks *tasks;
	size_t at;
	unsigned current;                  /* the stream of the line before */
	size_t users[PROGRAM_STREAMS_MAX]; /* number of tasks that have each stream */
	size_t user_count;                 /* their sum */
	/* By stream: the number of operations until its last one, and the same of
	 * other streams until which it has waited for them. */
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

uint32_t tasks_begin(struct tasks *tasks, uint32_t parent, size_t at)
{
	size_t number = tasks->task_count;

	if (number >= TASK_NONE ||
	    array_grow(&tasks->list, &tasks->task_room, number + 1, sizeof(*tasks->list)) < 0) {
		tasks->failed = true;
		return TASK_NONE;
	}
	if (parent != TASK_NONE && tasks->list[parent].operations == 0)
		parent = tasks->list[parent].parent;
	tasks->list[number] = (struct task){.parent = parent, .awaited = TASK_NONE};
	tasks->task_count++;
	add_event(tasks, &(struct task_event){at, TASK_BEGINS, (uint32_t)number, TASK_NONE});
	return (uint32_t)number;
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
		add_event(tasks, &(struct task_event){at, TASK_ACTS, tasks->current, TASK_NONE});
}

/* A shell without operations stands for the command that it has waited for. */
void tasks_wait(struct tasks *tasks, uint32_t task, size_t at)
{
	if (tasks->current >= tasks->task_count || task >= tasks->task_count)
		return;
	if (tasks->list[task].operations == 0)
		task = tasks->list[task].awaited;
	if (task == TASK_NONE || task == tasks->current)
		return;
	tasks->list[tasks->current].awaited = task;
	tasks->list[task].is_awaited = true;
	add_event(tasks, &(struct task_event){at, TASK_WAITS, tasks->current, task});
}

void tasks_end(struct tasks *tasks, uint32_t task, size_t at)
{
	if (task < tasks->task_count)
		add_event(tasks, &(struct task_event){at, TASK_ENDS, task, TASK_NONE});
}

static void add_line(struct plan *plan, enum op_kind kind, unsigned stream)
{
	struct tasks *tasks = plan->tasks;

	if (array_grow(&tasks->lines, &tasks->line_room, tasks->line_count + 1,
		       sizeof(*tasks->lines)) < 0)
		tasks->failed = true;
	else
		tasks->lines[tasks->line_count++] = (struct stream_line){plan->at, kind, stream};
}

static void use(struct plan *plan, const struct task *task)
{
	if (plan->current != task->stream)
		add_line(plan, OP_STREAM, task->stream);
	plan->current = task->stream;
}

/* Let a task wait for what another one has done until now. */
static void wait_for(struct plan *plan, const struct task *task, const struct task *other)
{
	size_t *known = plan->known[task->stream];
	unsigned i;

	if (task->stream == other->stream)
		return;
	use(plan, task);
	add_line(plan, OP_AFTER, other->stream);
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
 * used yet, or else the one with the fewest tasks.
 */
static unsigned choose_stream(const struct plan *plan, const struct task *parent)
{
	unsigned best = 0, fresh = PROGRAM_STREAMS_MAX, i;

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

static void take_stream(struct plan *plan, struct task *task, const struct task *parent)
{
	unsigned best = choose_stream(plan, parent);

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

	/* The operations since the last event are of the current stream. */
	if (event->at > plan->at)
		plan->last[plan->current] = event->at;
	plan->at = event->at;
	switch (event->kind) {
	case TASK_BEGINS:
		if (task->operations == 0)
			break;
		take_stream(plan, task, parent);
		if (parent != NULL)
			wait_for(plan, task, parent);
		break;
	case TASK_ACTS:
		use(plan, task);
		break;
	case TASK_WAITS:
		if (task->operations > 0)
			wait_for(plan, task, &tasks[event->other]);
		release_stream(plan, &tasks[event->other]);
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
}
