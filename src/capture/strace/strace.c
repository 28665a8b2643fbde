/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/strace/strace.h"

#include "base/array.h"
#include "capture/strace/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 20, HIDDEN_CALLS = 12 };

/* The trace, which is in memory as a whole: a process can show before the call
 * that made it has returned, so births are looked up in advance. */
struct text {
	char *bytes; /* followed by a NUL */
	size_t count, room;
	size_t at;       /* of the next line */
	uint64_t number; /* of the current line */
	/* Where lines have been joined, and the number of these places before
	 * the next line. */
	size_t *joints, joint_count, joint_room, passed;
	uint64_t odd_line; /* the first that is not understood, or 0 */
	bool is_trace;     /* a line has been understood */
	struct strace_clock clock;
	/* Arguments of a call that is in two lines, and of one that is read
	 * before its end. */
	char *joined;
	size_t joined_room;
};

/* On a terminal, strace prints that it follows a process in the middle of the
 * line with the call that made it. Take such a message out of its line. Return 0
 * or -ENOMEM. */
static int remove_messages(struct text *text)
{
	static const char message[] = "strace: Process ", end[] = " attached\n";
	char *bytes = text->bytes, *at = bytes, *start;

	while ((at = strstr(at, message)) != NULL) {
		start = at;
		at += strlen(message);
		at += strspn(at, "0123456789");
		if (start == bytes || start[-1] == '\n' || strncmp(at, end, strlen(end)) != 0)
			continue;
		at += strlen(end);
		memset(start, ' ', (size_t)(at - start));
		if (array_grow(&text->joints, &text->joint_room, text->joint_count + 1,
			       sizeof(*text->joints)) < 0)
			return -ENOMEM;
		text->joints[text->joint_count++] = (size_t)(at - bytes);
	}
	return 0;
}

static int read_text(struct text *text, FILE *stream, struct error *error)
{
	size_t got;

	do {
		if (array_grow(&text->bytes, &text->room, text->count + READ_BYTES + 1, 1) < 0)
			return error_no_memory(error);
		got = fread(text->bytes + text->count, 1, READ_BYTES, stream);
		text->count += got;
	} while (got > 0);
	text->bytes[text->count] = '\0';
	if (remove_messages(text) < 0)
		return error_no_memory(error);
	if (!ferror(stream))
		return 0;
	error_set(error, "cannot read the trace: %s", strerror(errno));
	return -EIO;
}

/* Take the next line. Return NULL at the end. *whole: the line has an end. */
static char *next_line(struct text *text, size_t *bytes, bool *whole)
{
	char *line = text->bytes + text->at, *end;

	if (text->at >= text->count)
		return NULL;
	end = memchr(line, '\n', text->count - text->at);
	*whole = end != NULL;
	*bytes = end != NULL ? (size_t)(end - line) : text->count - text->at;
	line[*bytes] = '\0';
	for (; text->passed < text->joint_count && text->joints[text->passed] <= text->at;
	     text->passed++)
		text->number++;
	text->at += *bytes + 1;
	text->number++;
	return line;
}

/* Join two texts. Return NULL if there is no memory. */
static char *join(struct text *text, const char *first, size_t first_bytes, const char *second,
		  size_t second_bytes)
{
	if (array_grow(&text->joined, &text->joined_room, first_bytes + second_bytes + 1, 1) < 0)
		return NULL;
	memcpy(text->joined, first, first_bytes);
	memcpy(text->joined + first_bytes, second, second_bytes);
	text->joined[first_bytes + second_bytes] = '\0';
	return text->joined;
}

static bool is_fork(const char *name, size_t bytes)
{
	return strace_is_fork(strace_find_row(name, bytes));
}

/* Note the births of all processes. */
static int find_births(struct strace *strace, struct text *text)
{
	struct strace_line line;
	struct strace_call call;
	size_t bytes;
	char *start, *copy;
	bool whole;

	while ((start = next_line(text, &bytes, &whole)) != NULL) {
		if (strace_line_parse(start, bytes, &line) &&
		    (line.kind == STRACE_CALL || line.kind == STRACE_RESUMED) &&
		    is_fork(line.name, line.name_bytes)) {
			copy = join(text, line.rest, line.rest_bytes, "", 0);
			if (copy == NULL)
				return -ENOMEM;
			if (strace_call_parse(copy, false, &call) && !call.failed &&
			    call.result > 0 && call.result <= INT32_MAX)
				process_note_birth(&strace->processes, (uint32_t)call.result,
						   line.pid, text->number);
		}
		if (whole)
			start[bytes] = '\n';
	}
	text->at = text->passed = 0;
	text->number = 0;
	return 0;
}

/* Begin to count a call. */
static void begin(struct strace *strace, const char *label, uint64_t time_ns, uint64_t line)
{
	struct source *source = strace->source;

	if (source->first_ns == 0)
		source->first_ns = time_ns;
	source->call_count++;
	strace->line = line;
	strace->slash = false;
	recording_begin(strace->recording, label,
			time_ns > source->first_ns ? time_ns - source->first_ns : 0, line);
}

/* Convert a call. `text` is what follows its opening parenthesis. */
static void convert(struct strace *strace, const struct pending *call, char *text, bool cut,
		    uint64_t line)
{
	const struct strace_row *row = strace_find_row(call->name, call->name_bytes);
	uint64_t end_ns;

	begin(strace, row != NULL ? row->name : "other", call->time_ns, line);
	if (!strace_call_parse(text, cut, &strace->call)) {
		strace_drop(strace, "line that is not understood");
		return;
	}
	end_ns = call->time_ns + strace->call.duration_ns;
	if (strace->call.duration_ns > 0)
		recording_time(strace->recording, call->time_ns, end_ns);
	if (end_ns > strace->source->last_ns)
		strace->source->last_ns = end_ns;
	strace->row = row;
	strace->begun = *call;
	if (row != NULL && strace_is_quick(strace))
		recording_learn_cost(strace->recording);
	if (row != NULL && strace_number_at(strace, row->descriptor) == AT_FDCWD)
		strace->raw_line = line;
	if (row != NULL)
		row->handle(strace);
	else
		strace_unknown(strace, call->name, call->name_bytes);
}

/* Convert a call that began on an earlier line; `rest` is its end. */
static void convert_joined(struct strace *strace, struct text *text, const struct pending *call,
			   const char *rest, size_t bytes, bool cut, uint64_t line)
{
	char *joined;

	if (call->converted)
		return;
	joined = join(text, call->text, call->bytes, rest, bytes);
	if (joined != NULL)
		convert(strace, call, joined, cut, line);
	else
		strace->processes.failed = true;
}

/* The calls that follow are of this process. */
static void choose(struct strace *strace, struct process *process)
{
	strace->process = process;
	recording_task(strace->recording, process->task);
}

/* Forget a call that has not returned, after converting what is known of it. */
static void give_up(struct strace *strace, struct text *text, struct process *process)
{
	struct pending call = process->pending;

	if (call.text == NULL)
		return;
	process->pending = (struct pending){0};
	choose(strace, process);
	convert_joined(strace, text, &call, "", 0, true, call.line);
	if (call.description != NULL)
		description_release(&strace->processes, call.description);
}

/* Does the call release a lock? */
static bool unlocks(const struct strace *strace)
{
	return (strace->row->handle == strace_flock &&
		strace_has(strace_argument(strace, 2), "LOCK_UN")) ||
	       (strace->row->handle == strace_fcntl &&
		strstr(strace_argument(strace, 2), "SETLK") != NULL &&
		strstr(strace_argument(strace, 3), "F_UNLCK") != NULL);
}

/* Keep a call until it returns, and the open file that it uses. */
static void suspend(struct strace *strace, struct text *text, const struct strace_line *line)
{
	struct pending *pending = &strace->process->pending;
	const struct strace_row *row = strace_find_row(line->name, line->name_bytes);
	const char *released = ") = 0";
	char *copy;

	*pending = (struct pending){.text = line->rest,
				    .bytes = line->rest_bytes,
				    .name = line->name,
				    .name_bytes = line->name_bytes,
				    .time_ns = line->time_ns,
				    .line = text->number};
	if (row == NULL || row->descriptor == 0)
		return;
	copy = join(text, line->rest, line->rest_bytes, "", 0);
	if (copy == NULL || !strace_call_parse(copy, true, &strace->call))
		return;
	strace->row = row;
	strace->begun = (struct pending){0};
	pending->descriptor = strace_number(strace_argument(strace, row->descriptor));
	pending->description = strace_description(strace, row->descriptor);
	if (pending->description == NULL)
		return;
	pending->description->references++;
	/* Another process may get the lock before the call returns. */
	if (unlocks(strace)) {
		convert_joined(strace, text, pending, released, strlen(released), false,
			       text->number);
		pending->converted = true;
	}
	if (strace_is_close(row))
		descriptor_close(&strace->processes, strace->process, pending->descriptor,
				 pending->descriptor);
}

static void resume(struct strace *strace, struct text *text, const struct strace_line *line)
{
	struct pending call = strace->process->pending;

	if (call.text == NULL || call.name_bytes != line->name_bytes ||
	    memcmp(call.name, line->name, line->name_bytes) != 0) {
		begin(strace, "other", line->time_ns, text->number);
		strace_drop(strace, "the beginning of the call is missing");
		return;
	}
	strace->process->pending = (struct pending){0};
	convert_joined(strace, text, &call, line->rest, line->rest_bytes, false, text->number);
	if (call.description != NULL)
		description_release(&strace->processes, call.description);
}

/* Find the process of a line. A line without a PID is of the only process, if
 * others have [pid N]. */
static struct process *find_process(struct strace *strace, uint32_t pid)
{
	return pid == 0 && strace->bracketed ? process_only(&strace->processes)
					     : process_get(&strace->processes, pid);
}

/* A process shows by its PID for the first time. It can be the first process,
 * whose lines had no PID while it was alone. */
static void name_process(struct processes *processes, struct process *process)
{
	struct process *first = process_get(processes, 0);

	if (first != NULL && first->alive && !process->alive)
		process_supersede(processes, process, first);
}

/* Begin the life of a process at its first line. */
static void ensure_alive(struct strace *strace, struct process *process)
{
	struct processes *processes = &strace->processes;
	const struct source *source = strace->source;
	const struct birth *birth;
	struct process *parent = NULL;
	unsigned share = 0;

	if (process->alive)
		return;
	birth = process_next_birth(processes, process);
	if (birth != NULL)
		parent = find_process(strace, birth->parent);
	if (strace->bracketed && (birth == NULL || parent != NULL))
		name_process(processes, birth != NULL ? parent : process);
	if (process->alive)
		return;
	if (parent != NULL && parent->pending.text != NULL &&
	    is_fork(parent->pending.name, parent->pending.name_bytes)) {
		/* The parent's call has not returned yet. Its text is followed
		 * by a note, and by a NUL. */
		process_take_birth(processes, process, UINT64_MAX);
		share = strace_shared_with(parent->pending.text) |
			(parent->pending.name[0] == 'v' ? PROCESS_VFORK : 0);
	} else {
		parent = NULL;
	}
	strace_start_process(strace, process, parent, share,
			     source->working_directory != NULL ? source->working_directory
							       : source->directory,
			     parent != NULL ? parent->pending.time_ns : 0);
}

/*
 * Account for what strace has cost a process before its first call. It stops a new
 * process at all calls until one is to be shown. A process by fork() makes about
 * HIDDEN_CALLS calls.
 */
static void count_hidden_calls(struct strace *strace, struct process *process, uint64_t time_ns)
{
	uint64_t born_ns = process->born_ns;

	process->born_ns = 0;
	if (born_ns == 0 || time_ns <= born_ns || (process->how & PROCESS_THREAD) != 0)
		return;
	recording_add_cost(strace->recording, time_ns - born_ns,
			   (process->how & PROCESS_VFORK) != 0 ? 0 : HIDDEN_CALLS);
}

/* A process has ended, perhaps by a signal, or its PID has gone to another of
 * its threads. */
static void end_process(struct strace *strace, struct text *text, const struct strace_line *line,
			struct process *process)
{
	struct process *thread;

	if (process->alive) {
		give_up(strace, text, process);
		strace->row = NULL;
		choose(strace, process);
		recording_continue(strace->recording, "exit");
		if (process->alive)
			strace_end_process(strace, process, line->time_ns);
	} else {
		recording_task_exit(strace->recording, process->task, line->time_ns);
	}
	if (line->kind != STRACE_SUPERSEDED)
		return;
	thread = process_get(&strace->processes, line->thread);
	if (thread != NULL && thread->alive && thread != process)
		process_supersede(&strace->processes, process, thread);
}

static void follow_line(struct strace *strace, struct text *text, const struct strace_line *line)
{
	struct process *process;
	struct pending call = {
		.name = line->name, .name_bytes = line->name_bytes, .time_ns = line->time_ns};

	if (line->kind == STRACE_NOTE)
		return;
	text->is_trace = true;
	strace->bracketed |= line->bracketed;
	process = find_process(strace, line->pid);
	if (process == NULL)
		return;
	if (line->kind == STRACE_EXITED || line->kind == STRACE_SUPERSEDED) {
		end_process(strace, text, line, process);
		return;
	}
	if (line->kind != STRACE_RESUMED)
		give_up(strace, text, process);
	ensure_alive(strace, process);
	if (strace->processes.failed)
		return;
	choose(strace, process);
	count_hidden_calls(strace, process, line->time_ns);
	if (line->kind == STRACE_UNFINISHED)
		suspend(strace, text, line);
	else if (line->kind == STRACE_RESUMED)
		resume(strace, text, line);
	else
		convert(strace, &call, line->rest, false, text->number);
}

/* The last reference to an open file has gone. */
static void close_file(void *context, struct description *description)
{
	struct strace *strace = context;
	struct recorded r = RECORDED(OP_CLOSE);

	r.file = description->file;
	if (strace_is_close(strace->row) && strace->call.failed)
		r.error = EIO;
	recording_add(strace->recording, &r, NULL);
}

/* Count a line that is none of strace, such as one that the program has printed
 * on the same terminal, as a call. */
static void drop_line(struct strace *strace, struct text *text, bool whole)
{
	begin(strace, "other", 0, text->number);
	strace_drop(strace,
		    whole ? "line that is not understood" : "cut off at the end of the trace");
	if (text->odd_line == 0)
		text->odd_line = text->number;
}

static int follow_lines(struct strace *strace, struct text *text, struct error *error)
{
	struct strace_line line;
	size_t bytes, i;
	char *start;
	bool whole;

	while ((start = next_line(text, &bytes, &whole)) != NULL) {
		if (whole && strace_line_parse(start, bytes, &line)) {
			line.time_ns = strace_clock_read(&text->clock, &line);
			follow_line(strace, text, &line);
		} else {
			drop_line(strace, text, whole);
		}
		if (strace->raw_line > 0) {
			error_set_at(error, strace->source->name, (unsigned)strace->raw_line, 0,
				     "the flags are numbers; record the trace without the option "
				     "-X of strace");
			return -EINVAL;
		}
		if (strace->processes.failed)
			break;
	}
	for (i = 0; i < strace->processes.pids.count && !strace->processes.failed; i++)
		give_up(strace, text, strace->processes.list[i]);
	if (!strace->processes.failed)
		return 0;
	error_set(error,
		  "out of memory, or the recorded program had more than %d descriptors open at the "
		  "same time",
		  DESCRIPTORS_MAX);
	return -ENOMEM;
}

int strace_read(struct source *source, FILE *stream, struct error *error)
{
	struct strace strace = {.source = source};
	struct text text = {0};
	bool excluded;
	size_t i;
	int rc;

	source->call = "system call";
	source->calls = "system calls";
	if (strlen(source->directory) >= TREE_PATH_MAX)
		error_set(error, "the path of the recorded directory is longer than %d bytes",
			  TREE_PATH_MAX - 1);
	else if (source->working_directory != NULL &&
		 strlen(source->working_directory) >= TREE_PATH_MAX)
		error_set(error, "the path of the working directory is longer than %d bytes",
			  TREE_PATH_MAX - 1);
	if (error->set)
		return -EINVAL;
	source->options |= RECORDING_POSIX_LOCKS;
	strace.recording = source_recording(source, "", &excluded);
	if (strace.recording == NULL)
		return excluded ? 0 : error_no_memory(error);
	recording_tree(strace.recording)->path = source->directory;
	strace.processes.close = close_file;
	strace.processes.context = &strace;
	rc = read_text(&text, stream, error);
	if (rc == 0 && find_births(&strace, &text) < 0)
		rc = error_no_memory(error);
	if (rc == 0)
		rc = follow_lines(&strace, &text, error);
	strace_warn_of_hidden(&strace);
	processes_free(&strace.processes);
	for (i = 0; i < strace.outside.count; i++)
		free(strace.inside[i]);
	free(strace.inside);
	intern_free(&strace.outside);
	if (rc == 0 && !text.is_trace && text.odd_line > 0) {
		error_set_at(error, source->name, (unsigned)text.odd_line, 1,
			     "not a line of a trace by strace -f -ttt; expected PID SECONDS "
			     "CALL(...) = RESULT");
		rc = -EINVAL;
	} else if (rc == 0 && source->call_count == 0) {
		error_set_at(error, source->name, 0, 0, "the trace has no system calls");
		rc = -EINVAL;
	}
	free(text.bytes);
	free(text.joints);
	free(text.joined);
	return rc;
}
