/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/strace/process.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

struct process *process_get(struct processes *processes, uint32_t pid)
{
	struct process *process;
	int is_new;
	int64_t number;

	if (array_grow(&processes->list, &processes->room, processes->pids.count + 1,
		       sizeof(*processes->list)) < 0 ||
	    (number = intern(&processes->pids, &pid, sizeof(pid), &is_new)) < 0) {
		processes->failed = true;
		return NULL;
	}
	if (!is_new)
		return processes->list[number];
	process = calloc(1, sizeof(*process));
	processes->list[number] = process;
	if (process != NULL)
		*process = (struct process){.pid = pid, .task = TASK_NONE};
	else
		processes->failed = true;
	return process;
}

void process_note_birth(struct processes *processes, uint32_t child, uint32_t parent, uint64_t line)
{
	struct process *process = process_get(processes, child);
	size_t number = processes->birth_count;

	if (process == NULL || array_grow(&processes->births, &processes->birth_room, number + 1,
					  sizeof(*processes->births)) < 0) {
		processes->failed = true;
		return;
	}
	processes->births[processes->birth_count++] = (struct birth){.parent = parent,
								     .line = line};
	if (process->first_birth == 0)
		process->first_birth = number + 1;
	else
		processes->births[process->last_birth - 1].next = number + 1;
	process->last_birth = number + 1;
}

const struct birth *process_next_birth(const struct processes *processes,
				       const struct process *process)
{
	return process->first_birth > 0 ? &processes->births[process->first_birth - 1] : NULL;
}

bool process_take_birth(struct processes *processes, struct process *process, uint64_t last_line)
{
	const struct birth *birth = process_next_birth(processes, process);

	if (birth == NULL || birth->line > last_line)
		return false;
	process->first_birth = birth->next;
	return true;
}

struct description *description_new(struct processes *processes)
{
	struct description *description = calloc(1, sizeof(*description));

	processes->failed |= description == NULL;
	if (description != NULL)
		description->references = 1;
	return description;
}

void description_release(struct processes *processes, struct description *description)
{
	if (--description->references > 0)
		return;
	if (description->file != NULL && processes->close != NULL)
		processes->close(processes->context, description);
	free(description->path);
	free(description);
}

static struct descriptors *new_table(struct processes *processes)
{
	struct descriptors *table = calloc(1, sizeof(*table));

	processes->failed |= table == NULL;
	if (table != NULL)
		table->references = 1;
	return table;
}

/* Can the tables have `count` more descriptors? */
static bool make_room(struct processes *processes, struct descriptors *table, size_t count)
{
	if (count <= DESCRIPTORS_MAX - processes->descriptor_count &&
	    array_grow(&table->list, &table->room, table->count + count, sizeof(*table->list)) == 0)
		return true;
	processes->failed = true;
	return false;
}

static struct descriptors *copy_table(struct processes *processes, const struct descriptors *table)
{
	struct descriptors *copy = new_table(processes);
	size_t i;

	if (copy == NULL || table->count == 0 || !make_room(processes, copy, table->count))
		return copy;
	memcpy(copy->list, table->list, table->count * sizeof(*table->list));
	copy->count = table->count;
	processes->descriptor_count += copy->count;
	for (i = 0; i < copy->count; i++)
		copy->list[i].description->references++;
	return copy;
}

static void release_table(struct processes *processes, struct descriptors *table)
{
	size_t i;

	if (table == NULL || --table->references > 0)
		return;
	for (i = 0; i < table->count; i++)
		description_release(processes, table->list[i].description);
	processes->descriptor_count -= table->count;
	free(table->list);
	free(table);
}

static struct working_directory *new_directory(struct processes *processes, const char *path)
{
	struct working_directory *directory = calloc(1, sizeof(*directory));

	if (directory != NULL && (directory->path = strdup(path)) != NULL) {
		directory->references = 1;
		return directory;
	}
	free(directory);
	processes->failed = true;
	return NULL;
}

static void release_directory(struct working_directory *directory)
{
	if (directory == NULL || --directory->references > 0)
		return;
	free(directory->path);
	free(directory);
}

void process_start(struct processes *processes, struct process *process, struct process *parent,
		   unsigned share, const char *directory)
{
	process->alive = true;
	processes->living++;
	processes->living_pids += process->pid;
	if (parent == NULL || !parent->alive) {
		process->descriptors = new_table(processes);
		process->directory = new_directory(processes, directory);
		return;
	}
	process->descriptors = parent->descriptors;
	process->descriptors->references++;
	process->directory = parent->directory;
	process->directory->references++;
	process_stop_sharing(processes, process, ~share);
}

void process_stop_sharing(struct processes *processes, struct process *process, unsigned share)
{
	struct descriptors *table = process->descriptors;
	struct working_directory *directory = process->directory;

	if ((share & PROCESS_SHARE_DESCRIPTORS) != 0 && table->references > 1) {
		process->descriptors = copy_table(processes, table);
		release_table(processes, table);
	}
	if ((share & PROCESS_SHARE_DIRECTORY) != 0 && directory->references > 1) {
		process->directory = new_directory(processes, directory->path);
		release_directory(directory);
	}
}

static void drop_pending(struct processes *processes, struct pending *pending)
{
	if (pending->description != NULL)
		description_release(processes, pending->description);
	*pending = (struct pending){0};
}

void process_end(struct processes *processes, struct process *process)
{
	process->alive = false;
	processes->living--;
	processes->living_pids -= process->pid;
	drop_pending(processes, &process->pending);
	release_table(processes, process->descriptors);
	release_directory(process->directory);
	process->descriptors = NULL;
	process->directory = NULL;
}

void process_execute(struct processes *processes, struct process *process)
{
	struct descriptors *table;
	size_t i, kept = 0;

	process_stop_sharing(processes, process, PROCESS_SHARE_DESCRIPTORS);
	table = process->descriptors;
	if (table == NULL)
		return;
	for (i = 0; i < table->count; i++)
		if (!table->list[i].close_on_exec)
			table->list[kept++] = table->list[i];
		else
			description_release(processes, table->list[i].description);
	processes->descriptor_count -= table->count - kept;
	table->count = kept;
}

struct process *process_only(struct processes *processes)
{
	return process_get(processes,
			   processes->living == 1 ? (uint32_t)processes->living_pids : 0);
}

void process_supersede(struct processes *processes, struct process *process, struct process *thread)
{
	processes->living_pids += process->pid;
	processes->living_pids -= thread->pid;
	process->task = thread->task;
	process->alive = thread->alive;
	process->descriptors = thread->descriptors;
	process->directory = thread->directory;
	process->pending = thread->pending;
	thread->alive = false;
	thread->descriptors = NULL;
	thread->directory = NULL;
	thread->pending = (struct pending){0};
}

void process_set_directory(struct processes *processes, struct process *process, const char *path)
{
	char *copy;

	if (strcmp(process->directory->path, path) == 0)
		return;
	copy = strdup(path);
	if (copy == NULL) {
		processes->failed = true;
		return;
	}
	free(process->directory->path);
	process->directory->path = copy;
}

/* Return the position of the first descriptor with at least this number. */
static size_t lower_bound(const struct descriptors *table, int64_t number)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->list[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct descriptor *descriptor_find(const struct process *process, int64_t number)
{
	const struct descriptors *table = process->descriptors;
	size_t at = lower_bound(table, number);

	return at < table->count && table->list[at].number == number ? &table->list[at] : NULL;
}

void descriptor_set(struct processes *processes, struct process *process, int64_t number,
		    struct description *description, bool close_on_exec)
{
	struct descriptors *table = process->descriptors;
	size_t at;

	description->references++;
	descriptor_close(processes, process, number, number);
	if (!make_room(processes, table, 1)) {
		description_release(processes, description);
		return;
	}
	at = lower_bound(table, number);
	memmove(table->list + at + 1, table->list + at, (table->count - at) * sizeof(*table->list));
	table->list[at] = (struct descriptor){number, close_on_exec, description};
	table->count++;
	processes->descriptor_count++;
}

void descriptor_close(struct processes *processes, struct process *process, int64_t first,
		      int64_t last)
{
	struct descriptors *table = process->descriptors;
	size_t begin = lower_bound(table, first), end = begin;

	for (; end < table->count && table->list[end].number <= last; end++)
		description_release(processes, table->list[end].description);
	if (end == begin)
		return;
	memmove(table->list + begin, table->list + end,
		(table->count - end) * sizeof(*table->list));
	table->count -= end - begin;
	processes->descriptor_count -= end - begin;
}

void processes_free(struct processes *processes)
{
	size_t i;

	/* Files that are open at the end of a trace stay open. */
	processes->close = NULL;
	for (i = 0; i < processes->pids.count; i++) {
		struct process *process = processes->list[i];

		if (process != NULL && process->alive)
			process_end(processes, process);
		free(process);
	}
	intern_free(&processes->pids);
	free(processes->list);
	free(processes->births);
}
