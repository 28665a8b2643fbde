/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/recording.h"

#include "base/array.h"
#include "capture/model/recording_state.h"
#include "program/recorded.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mean cost of the tracer covers about this number of calls. */
enum { LEARNED_CALLS = 16 };

struct recording *recording_new(unsigned options)
{
	struct recording *recording = calloc(1, sizeof(*recording));

	if (recording == NULL)
		return NULL;
	recording->options = options;
	if (tree_init(&recording->tree, (options & RECORDING_FOLD_CASE) != 0,
		      (options & RECORDING_COMPLETE) != 0) == 0)
		return recording;
	recording_free(recording);
	return NULL;
}

void recording_free(struct recording *recording)
{
	if (recording == NULL)
		return;
	while (recording->files != NULL) {
		struct file *file = recording->files;

		recording->files = file->next;
		free(file->locks);
		free(file);
	}
	conversion_free(&recording->conversion);
	tree_free(&recording->tree);
	free(recording->ops);
	free(recording->dues);
	free(recording->pauses);
	tasks_free(&recording->tasks);
	intern_free(&recording->paths);
	intern_free(&recording->texts);
	intern_free(&recording->labels);
	intern_free(&recording->requests);
	intern_free(&recording->attribute_names);
	free(recording->attributes);
	free(recording);
}

struct conversion *recording_conversion(struct recording *recording)
{
	return &recording->conversion;
}

struct tree *recording_tree(struct recording *recording)
{
	return &recording->tree;
}

struct node *recording_node(const struct file *file)
{
	return file->node;
}

void recording_before(struct recording *recording, const char *path, enum node_kind kind,
		      uint64_t bytes, const char *target, const char *link)
{
	struct tree *tree = &recording->tree;
	struct node *same = link != NULL ? tree_find(tree, link, false) : NULL;
	struct place place;

	if (recording_walk(recording, path, WALK_LEARN, &place) < 0 || place.node != NULL ||
	    !tree_learn(tree, &place, kind))
		return;
	place.node->whole = (recording->options & RECORDING_COMPLETE) != 0;
	if (kind == NODE_FILE)
		place.node->bytes = place.node->least = place.node->before_bytes = (int64_t)bytes;
	if (target != NULL && (place.node->target = strdup(target)) == NULL)
		recording->failed = true;
	if (same == NULL)
		return;
	/* The name stands for the other node; its own node is kept for the
	 * set-up only. */
	place.node->before_link = same;
	tree_unlink(&place);
	tree_link(tree, &place, same);
}

void recording_not_listed(struct recording *recording, const char *path)
{
	struct node *node = tree_find(&recording->tree, path, false);

	if (node != NULL)
		node->whole = false;
}

void recording_begin(struct recording *recording, const char *name, uint64_t time_ns, uint64_t line)
{
	conversion_begin(&recording->conversion, line);
	recording->label = name;
	recording->outside = false;
	/* A damaged capture can have any times. */
	if (time_ns > PROGRAM_DUE_MAX_NS)
		time_ns = PROGRAM_DUE_MAX_NS;
	/* Calls that overlapped can come in the order of their ends. */
	if (time_ns > recording->due_ns)
		recording->due_ns = time_ns;
}

static struct idle *current_idle(struct recording *recording)
{
	struct tasks *tasks = &recording->tasks;

	return tasks->current < tasks->task_count ? &tasks->list[tasks->current].idle
						  : &recording->idle;
}

void recording_time(struct recording *recording, uint64_t begin_ns, uint64_t end_ns)
{
	struct idle *idle = current_idle(recording);
	const struct trace_cost *cost = &recording->cost;

	conversion_time(&recording->conversion, begin_ns, end_ns);
	if (idle->since_ns == 0)
		idle->since_ns = idle->ended_ns = begin_ns;
	idle->quiet_ns = idle->ended_ns;
	idle->ended_ns = end_ns;
	idle->within_ns = cost->within_ns;
	idle->cost_ns += cost->call_ns;
}

void recording_set_cost(struct recording *recording, const struct trace_cost *cost)
{
	recording->cost = *cost;
}

void recording_learn_cost(struct recording *recording)
{
	const struct conversion *conversion = &recording->conversion;
	struct trace_cost *cost = &recording->cost;
	double more_ns;

	if (conversion->end_ns == 0)
		return;
	more_ns = ((double)(conversion->end_ns - conversion->begin_ns) - cost->within_ns) /
		  LEARNED_CALLS;
	/* A call has two stops, one of which is within its duration. */
	cost->within_ns += more_ns;
	cost->call_ns += 2 * more_ns;
}

void recording_add_stop(struct recording *recording)
{
	current_idle(recording)->cost_ns += recording->cost.call_ns - recording->cost.within_ns;
}

void recording_add_cost(struct recording *recording, uint64_t cost_ns, unsigned calls)
{
	double most_ns = recording->cost.call_ns * calls;
	bool limited = calls > 0 && most_ns < (double)cost_ns;

	current_idle(recording)->cost_ns += limited ? most_ns : (double)cost_ns;
}

/* End a pause at `end_ns`, and return it without what tracing has added. The next one
 * begins at `next_ns`. */
static uint64_t end_pause(struct idle *idle, uint64_t end_ns, uint64_t next_ns)
{
	double pause_ns = end_ns > idle->since_ns ? (double)(end_ns - idle->since_ns) : 0;

	pause_ns -= idle->cost_ns - idle->within_ns;
	idle->cost_ns = pause_ns < 0 ? -pause_ns : 0;
	idle->within_ns = 0;
	idle->blocked_ns = 0;
	if (next_ns > idle->since_ns)
		idle->since_ns = next_ns;
	return pause_ns > 0 ? (uint64_t)pause_ns : 0;
}

/* Return the pause before an operation that is added. */
static uint64_t pause_before(struct recording *recording)
{
	const struct conversion *conversion = &recording->conversion;
	struct idle *idle = current_idle(recording);
	struct tasks *tasks = &recording->tasks;

	if (conversion->end_ns == 0)
		return 0;
	if (tasks->current < tasks->task_count)
		tasks->list[tasks->current].acted_ns = conversion->end_ns;
	/* This call has added an operation before, or it overlaps the last one. */
	if (conversion->begin_ns < idle->since_ns) {
		if (conversion->end_ns > idle->since_ns)
			idle->since_ns = conversion->end_ns;
		return 0;
	}
	return end_pause(idle, conversion->begin_ns, conversion->end_ns);
}

uint32_t recording_task_begin(struct recording *recording, uint32_t parent)
{
	struct tasks *tasks = &recording->tasks;
	uint32_t task = tasks_begin(tasks, parent, recording->count);

	/* It waits for what its parent has done, so its first pause began then. */
	if (task != TASK_NONE && parent != TASK_NONE) {
		tasks->list[task].idle = tasks->list[parent].idle;
		tasks->list[task].birth_cost_ns = tasks->list[task].idle.cost_ns;
	}
	return task;
}

void recording_task(struct recording *recording, uint32_t task)
{
	recording->tasks.current = task;
}

/*
 * The current task has waited for the end of another one: it paused before, and pauses
 * again from that end on. If the other one ended before the wait, but after the call
 * before it, a call that is not traced has waited, such as select(). A task without
 * operations only stands for the other one.
 */
static void pause_before_wait(struct recording *recording, uint32_t other)
{
	struct tasks *tasks = &recording->tasks;
	struct task *task = &tasks->list[tasks->current];
	uint64_t exited_ns = tasks->list[other].exited_ns;
	uint64_t waits_ns = recording->conversion.begin_ns;

	if (recording->conversion.end_ns == 0 || exited_ns == 0)
		return;
	if (exited_ns < waits_ns && exited_ns > task->idle.quiet_ns)
		waits_ns = task->idle.quiet_ns;
	waits_ns -= task->idle.blocked_ns < waits_ns ? task->idle.blocked_ns : 0;
	if (task->operations > 0)
		tasks_pause(tasks, tasks->current,
			    end_pause(&task->idle, waits_ns,
				      waits_ns > exited_ns ? waits_ns : exited_ns),
			    false, recording->count);
	else if (task->idle.since_ns < exited_ns)
		task->idle = (struct idle){.since_ns = exited_ns, .ended_ns = task->idle.ended_ns};
}

void recording_task_blocks(struct recording *recording)
{
	const struct conversion *conversion = &recording->conversion;

	if (conversion->end_ns > 0)
		current_idle(recording)->blocked_ns += conversion->end_ns - conversion->begin_ns;
}

/* The time of a task without operations is a pause of the current one, and so is the cost
 * of tracing it. */
static void take_cost(struct recording *recording, uint32_t number)
{
	const struct task *task;

	if (number >= recording->tasks.task_count)
		return;
	task = &recording->tasks.list[number];
	if (task->operations == 0 && task->idle.cost_ns > task->birth_cost_ns)
		current_idle(recording)->cost_ns += task->idle.cost_ns - task->birth_cost_ns;
}

void recording_task_wait(struct recording *recording, uint32_t task)
{
	uint32_t awaited = tasks_awaited(&recording->tasks, task);

	if (awaited == TASK_NONE) {
		take_cost(recording, task);
		return;
	}
	if ((recording->options & RECORDING_PAUSES) != 0)
		pause_before_wait(recording, awaited);
	tasks_wait(&recording->tasks, awaited, recording->count);
}

void recording_task_exit(struct recording *recording, uint32_t number, uint64_t time_ns)
{
	struct tasks *tasks = &recording->tasks;
	struct task *task;

	if ((recording->options & RECORDING_PAUSES) == 0 || number >= tasks->task_count ||
	    time_ns == 0)
		return;
	task = &tasks->list[number];
	if (task->operations > 0 &&
	    (task->exited_ns == 0 || task->operations == task->exit_operations))
		tasks_pause(tasks, number, end_pause(&task->idle, time_ns, time_ns), true,
			    recording->count);
	if (task->operations > 0)
		task->idle.since_ns = time_ns;
	task->exited_ns = time_ns;
	task->exit_operations = task->operations;
}

void recording_task_end(struct recording *recording, uint32_t task)
{
	tasks_end(&recording->tasks, task, recording->count);
}

void recording_continue(struct recording *recording, const char *name)
{
	conversion_end(&recording->conversion);
	recording->label = name;
}

int recording_walk(struct recording *recording, const char *path, unsigned how, struct place *place)
{
	int rc;

	if (!recording_can_spell(path, false)) {
		recording_drop(recording, RECORDING_UNSPELLABLE);
		return -ENAMETOOLONG;
	}
	rc = tree_walk(&recording->tree, path, how, place);
	recording->outside |= rc == -EXDEV;
	return rc;
}

bool recording_drop(struct recording *recording, const char *reason)
{
	conversion_set(&recording->conversion,
		       recording->outside ? CONVERSION_ELSEWHERE : CONVERSION_DROPPED, "%s",
		       reason);
	return false;
}

bool recording_drop_error(struct recording *recording, int error)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "failed: %s", strerror(error));
	return recording_drop(recording,
			      error == EACCES || error == EPERM ? "permission denied" : reason);
}

static uint32_t number_of(struct recording *recording, struct intern *table, const void *key,
			  size_t length)
{
	int is_new;
	int64_t number = intern(table, key, length, &is_new);

	recording->failed |= number < 0;
	return number < 0 ? 0 : (uint32_t)number;
}

uint32_t recording_text(struct recording *recording, const char *text)
{
	return number_of(recording, &recording->texts, text, strlen(text));
}

uint32_t recording_path(struct recording *recording, const char *path)
{
	return number_of(recording, &recording->paths, path, strlen(path));
}

bool recording_place_path(struct recording *recording, const struct place *place, uint32_t *number)
{
	char path[TREE_PATH_MAX] = "";

	if (place->directory != NULL &&
	    !node_child_path(place->directory,
			     place->entry != NULL ? place->entry->name : place->name, path))
		return recording_drop(recording, "in a removed directory, or the path is too long");
	*number = recording_path(recording, path);
	return true;
}

/* Is it an operation on the recorded directory itself that no load may have? A
 * replay needs that directory. */
static bool harms_root(const struct recording *recording, const struct op *op)
{
	bool renames = op->kind == OP_RENAME || op->kind == OP_NFS_RENAME;

	if (!renames && op->kind != OP_CHMOD && op->kind != OP_CHOWN)
		return false;
	return recording->paths.keys[op->path].length == 0 ||
	       (renames && recording->paths.keys[op->path2].length == 0);
}

bool recording_append(struct recording *recording, const struct op *op)
{
	size_t at = recording->count;

	if (!recording->failed && harms_root(recording, op))
		return recording_drop(recording, "change of the recorded directory itself");
	if (array_grow(&recording->ops, &recording->op_room, at + 1, sizeof(*recording->ops)) < 0 ||
	    ((recording->options & RECORDING_PAUSES) != 0 &&
	     array_grow(&recording->pauses, &recording->pause_room, at + 1,
			sizeof(*recording->pauses)) < 0) ||
	    ((recording->options & RECORDING_TIMES) != 0 &&
	     array_grow(&recording->dues, &recording->due_room, at + 1, sizeof(*recording->dues)) <
		     0)) {
		recording->failed = true;
		return false;
	}
	recording->ops[at] = *op;
	if ((recording->options & RECORDING_WINDOW) != 0)
		tasks_follow(&recording->tasks, recording->conversion.begin_ns,
			     recording->conversion.end_ns);
	if (recording->dues != NULL)
		recording->dues[at] = recording->due_ns;
	if (recording->pauses != NULL)
		recording->pauses[at] = pause_before(recording);
	tasks_act(&recording->tasks, at);
	recording->count++;
	if (op_reads(op->kind) && (op->flags & OP_COUNTED) != 0)
		recording->read_bytes += op->expect;
	if (op_writes(op->kind))
		recording->written_bytes += op->expect;
	return true;
}

/* Complete the fields that all operations have. */
static void prepare(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	*op = recorded->op;
	op->label = (uint8_t)number_of(recording, &recording->labels, recording->label,
				       strlen(recording->label));
	op->accepts = UINT32_C(1) << outcome_from_errno(recorded->error);
	if (recorded->error != 0)
		op->flags &= (uint16_t)~OP_COUNTED;
	if (!op_uses_two_handles((enum op_kind)op->kind))
		op->path2 = OP_NONE;
	op->path = OP_NONE;
	op->handle = OP_NONE;
	if (recorded->request != NULL && recorded_has_request((enum op_kind)op->kind))
		op->request = 1 + number_of(recording, &recording->requests, recorded->request,
					    sizeof(*recorded->request));
}

bool recording_add(struct recording *recording, const struct recorded *recorded,
		   struct file **opened)
{
	struct op op;

	prepare(recording, recorded, &op);
	switch (op.kind) {
	case OP_OPEN:
		return recording_add_open(recording, recorded, &op, opened);
	case OP_LIST:
		return recording_add_list(recording, recorded, &op);
	default:
		if (strchr(op_shape((enum op_kind)op.kind), 'h') != NULL)
			return recording_add_on_file(recording, recorded, &op);
		return recording_add_names(recording, recorded, &op);
	}
}

struct recording *source_recording(struct source *source, const char *name, bool *excluded)
{
	struct source_client client;
	size_t i;

	*excluded = source->only != NULL && strstr(name, source->only) == NULL;
	if (*excluded)
		return NULL;
	for (i = 0; i < source->client_count; i++)
		if (strcmp(source->clients[i].name, name) == 0)
			return source->clients[i].recording;
	client.name = strdup(name);
	client.recording = recording_new(source->options);
	if (client.recording != NULL)
		recording_set_cost(client.recording, &source->cost);
	if (client.name != NULL && client.recording != NULL &&
	    array_append(&source->clients, &source->client_count, &client, sizeof(client)) == 0)
		return client.recording;
	free(client.name);
	recording_free(client.recording);
	return NULL;
}

void source_warn(struct source *source, const char *format, ...)
{
	va_list arguments;
	char *text;
	size_t i;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	for (i = 0; i < source->warning_count; i++)
		if (strcmp(source->warnings[i], text) == 0)
			break;
	if (i < source->warning_count ||
	    array_append(&source->warnings, &source->warning_count, &text, sizeof(text)) < 0)
		free(text);
}

void source_free(struct source *source)
{
	size_t i;

	for (i = 0; i < source->client_count; i++) {
		free(source->clients[i].name);
		recording_free(source->clients[i].recording);
	}
	free(source->clients);
	for (i = 0; i < source->warning_count; i++)
		free(source->warnings[i]);
	free(source->warnings);
	free(source->root);
}
