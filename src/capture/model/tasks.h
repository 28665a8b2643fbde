/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tasks of a source, which are the processes and threads of a traced program,
 * and the streams of its load.
 *
 * While the calls are read, the tasks are followed: when each one begins, has
 * operations, has waited for another one, and ends. Afterwards, tasks_plan()
 * gives a stream to each task that has operations, for as long as it exists.
 *
 * A capture does not show which process of a client sends a request, but how many
 * are in flight. So a task stands for a place in the client's window: it sends a
 * request when the reply to its last one has come (tasks_follow).
 */
#ifndef CAPTURE_MODEL_TASKS_H
#define CAPTURE_MODEL_TASKS_H

#include "capture/capture.h"

/* The current pause of a task (RECORDING_PAUSES). */
struct idle {
	/* The end of the last operation, of the task or of a task that it has begun or
	 * gone on after; or the begin of the first call. 0: none yet. */
	uint64_t since_ns;
	/* The time that the tracer has added since then. If it is more than a pause, the
	 * rest counts for the next one: the cost of a call is a mean. */
	double cost_ns;
	double within_ns;    /* of it, what is within the current call */
	uint64_t blocked_ns; /* time in calls that blocked, see recording_task_blocks() */
	/* The ends of the current call and of the one before it. */
	uint64_t ended_ns, quiet_ns;
};

struct task {
	size_t operations;
	struct idle idle;
	double birth_cost_ns; /* idle.cost_ns when it began */
	/* The nearest ancestor that had operations when this task began, or
	 * TASK_NONE. */
	uint32_t parent;
	/* The last task with operations that this one has waited for, or
	 * TASK_NONE. */
	uint32_t awaited;
	/* The same of the ancestors without operations that are nearer than `parent`,
	 * when this task began. */
	uint32_t follows;
	uint64_t replied_ns; /* time of the last reply (tasks_follow) */
	uint64_t acted_ns;   /* the end of its last operation; 0: none, or unknown */
	/* When it exited, and the number of its operations then; 0: it has not, or the
	 * time is unknown. */
	uint64_t exited_ns;
	size_t exit_operations;
	bool is_awaited; /* another task waits for the end of this one */
	bool has_stream;
	unsigned stream;
};

/* An event of a task, before the operation with the index `at`. */
struct task_event {
	size_t at;
	enum {
		TASK_BEGINS,
		TASK_ACTS, /* the operations that follow are of this task */
		TASK_WAITS,
		TASK_PAUSES,
		TASK_EXITS, /* after a pause, which counts if a task waits for it */
		TASK_ENDS,
	} kind;
	uint32_t task;
	uint32_t other;    /* TASK_WAITS: whose end it has waited for */
	uint64_t pause_ns; /* TASK_PAUSES, TASK_EXITS */
};

/* A line of the load, OP_STREAM, OP_AFTER or OP_SLEEP, before the operation with the
 * index `at`. */
struct stream_line {
	size_t at;
	enum op_kind kind;
	unsigned stream;
	uint64_t pause_ns;
};

/* An operation of a capture. */
struct answered {
	uint64_t begin_ns, end_ns; /* 0: unknown */
	uint32_t task;
};

/* An all-zero struct has no tasks. */
struct tasks {
	struct task *list;
	struct task_event *events;
	struct stream_line *lines; /* by tasks_plan() */
	size_t task_count, task_room, event_count, event_room, line_count, line_room;
	struct answered *answered; /* the operations, for tasks_follow() */
	size_t answered_count, answered_room;
	uint32_t current; /* the task of the current call */
	bool failed;      /* out of memory */
};

/* Begin a task after `at` operations. `parent` can be TASK_NONE. Return its
 * number. */
uint32_t tasks_begin(struct tasks *tasks, uint32_t parent, size_t at);

/*
 * Choose the current task for the next operation of a capture, whose request was sent
 * at `begin_ns` and answered at `end_ns`; 0: unknown. It is the one whose last reply
 * came last before the request; or a new one if all wait for replies, which begins
 * after the operation that was answered last before.
 */
void tasks_follow(struct tasks *tasks, uint64_t begin_ns, uint64_t end_ns);

/* Note that the operation `at` is of the current task. */
void tasks_act(struct tasks *tasks, size_t at);

/* Return the task with operations that a wait for this one is for: the task itself,
 * or the last one that it has waited for; or TASK_NONE. */
uint32_t tasks_awaited(const struct tasks *tasks, uint32_t task);

/* Note that the current task has waited for the end of this one, which has
 * operations. */
void tasks_wait(struct tasks *tasks, uint32_t task, size_t at);

/* Note a pause of a task that is not about to act, but about to wait, or to exit. */
void tasks_pause(struct tasks *tasks, uint32_t task, uint64_t pause_ns, bool exits, size_t at);

/* Note the pause between what was the last to be done and the last exit. */
void tasks_pause_at_end(struct tasks *tasks, size_t at);

void tasks_end(struct tasks *tasks, uint32_t task, size_t at);

/* Give the tasks streams, make the lines, and set the numbers of streams and tasks
 * in `totals`, which begin as 0. */
void tasks_plan(struct tasks *tasks, struct recording_totals *totals);

void tasks_free(struct tasks *tasks);

#endif
