/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/strace/strace.h"

#include "base/array.h"
#include "base/clock.h"
#include "capture/strace/line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line, or the end of its call. */
struct event {
	uint64_t time_ns;
	size_t line; /* number in the list of all lines */
	bool is_end;
};

struct merged_line {
	char *text;
	uint32_t pid; /* to print before the text; 0: the text has one */
	/* For a call whose end is an event: */
	uint32_t owner;    /* the PID, */
	size_t head_bytes; /* the length up to the end of its arguments, */
	const char *name;  /* and the name of the call */
	size_t name_bytes;
};

struct merge {
	char **texts; /* of the files */
	size_t text_count;
	struct merged_line *lines;
	size_t line_count, line_room;
	struct event *events;
	size_t event_count, event_room;
	bool timed, of_day; /* times are of a day; known if a line is timed */
};

/* A file that is being read. */
struct part {
	const char *name;
	unsigned line;
	uint32_t pid; /* at the end of the name, or 0 */
	struct strace_clock clock;
	bool is_trace;      /* a line has been understood */
	bool has_fractions; /* in its times */
};

static int read_file(const char *name, char **text, size_t *bytes, struct error *error)
{
	FILE *file = fopen(name, "re");
	size_t room = 0, got;

	*bytes = 0;
	do {
		if (file == NULL || array_grow(text, &room, *bytes + BUFSIZ + 1, 1) < 0)
			break;
		got = fread(*text + *bytes, 1, BUFSIZ, file);
		*bytes += got;
	} while (got > 0);
	if (file == NULL || ferror(file) || !feof(file)) {
		error_set(error, "cannot read \"%s\": %s", name, strerror(errno));
		if (file != NULL)
			fclose(file);
		return -EIO;
	}
	fclose(file);
	(*text)[*bytes] = '\0';
	return 0;
}

/* Return the number after the last dot of a name, or 0. */
static uint32_t pid_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	unsigned long pid;

	if (dot == NULL || dot[1] == '\0' || dot[1 + strspn(dot + 1, "0123456789")] != '\0')
		return 0;
	pid = strtoul(dot + 1, NULL, 10);
	return pid <= INT32_MAX ? (uint32_t)pid : 0;
}

/* Check that a line has a time and a PID by which it can be merged. */
static int check_line(struct merge *merge, struct part *part, const struct strace_line *line,
		      struct error *error)
{
	const char *reason = NULL;

	if (!line->timed)
		reason = "the line has no time";
	else if (strace_time_is_relative(line))
		reason = "the line has only the time since the previous line (strace -r)";
	else if (merge->timed && line->of_day != merge->of_day)
		reason = "the line has a time of another kind than earlier lines";
	if (reason != NULL)
		error_set_at(
			error, part->name, part->line, 0,
			"cannot merge the traces by time: %s; record each trace with strace -ttt",
			reason);
	else if (line->pid == 0 && part->pid == 0)
		error_set_at(error, part->name, part->line, 0,
			     "the line has no PID; record with strace -f, or name the trace "
			     "FILE.PID, as strace -ff does");
	merge->timed = true;
	merge->of_day = line->of_day;
	part->is_trace = true;
	part->has_fractions |= line->time_ns % NS_PER_S != 0;
	return error->set ? -EINVAL : 0;
}

static int add_event(struct merge *merge, uint64_t time_ns, size_t line, bool is_end)
{
	if (array_grow(&merge->events, &merge->event_room, merge->event_count + 1,
		       sizeof(*merge->events)) < 0)
		return -ENOMEM;
	merge->events[merge->event_count++] = (struct event){
		.time_ns = time_ns, .line = line, .is_end = is_end};
	return 0;
}

/* Add a line of a part, and its events. A line that is not understood follows the
 * one before it. */
static int add_line(struct merge *merge, struct part *part, char *text,
		    const struct strace_line *line)
{
	struct merged_line *added;
	uint64_t duration_ns;
	char *end;

	if (array_grow(&merge->lines, &merge->line_room, merge->line_count + 1,
		       sizeof(*merge->lines)) < 0)
		return -ENOMEM;
	added = &merge->lines[merge->line_count];
	*added = (struct merged_line){.text = text};
	if (line != NULL) {
		added->pid = line->pid == 0 ? part->pid : 0;
		added->owner = line->pid == 0 ? part->pid : line->pid;
		added->name = line->name;
		added->name_bytes = line->name_bytes;
		strace_clock_read(&part->clock, line);
	}
	if (add_event(merge, part->clock.now_ns, merge->line_count, false) < 0)
		return -ENOMEM;
	if (line != NULL && line->kind == STRACE_CALL &&
	    strace_call_end(line->rest, &end, &duration_ns)) {
		added->head_bytes = (size_t)(end - text);
		if (add_event(merge, part->clock.now_ns + duration_ns, merge->line_count, true) < 0)
			return -ENOMEM;
	}
	merge->line_count++;
	return 0;
}

/* Add the lines of a file. */
static int add_part(struct merge *merge, struct part *part, char *text, size_t bytes,
		    struct error *error)
{
	struct strace_line line;
	char *end = text + bytes, *next;
	bool understood;
	int rc;

	for (; text < end; text = next) {
		next = memchr(text, '\n', (size_t)(end - text));
		next = next != NULL ? next + 1 : end + 1;
		next[-1] = '\0';
		part->line++;
		understood = strace_line_parse(text, (size_t)(next - 1 - text), &line);
		if (understood && line.kind == STRACE_NOTE)
			continue;
		/* A single line like this is not of strace. */
		if (understood && part->is_trace && (!line.timed || strace_time_is_relative(&line)))
			understood = false;
		if (understood) {
			rc = check_line(merge, part, &line, error);
			if (rc < 0)
				return rc;
		}
		if (add_line(merge, part, text, understood ? &line : NULL) < 0)
			return error_no_memory(error);
	}
	if (part->line > 0 && !part->is_trace)
		error_set_at(error, part->name, 1, 0,
			     "not a trace by strace; several files can be imported together only "
			     "if each of them is a trace by strace");
	else if (part->line > 0 && !part->has_fractions)
		error_set_at(error, part->name, 1, 0,
			     "the times are whole seconds (strace -t); record each trace with "
			     "strace -ttt, because traces are merged by their times");
	return error->set ? -EINVAL : 0;
}

/* Order events by their times, and those of a time as they were read. */
static int compare_events(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->is_end - b->is_end;
}

static void print_time(const struct merge *merge, uint64_t ns, FILE *stream)
{
	uint64_t seconds = ns / NS_PER_S;

	if (merge->of_day)
		fprintf(stream, "%02u:%02u:%02u", (unsigned)(seconds / 3600 % 24),
			(unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
	else
		fprintf(stream, "%" PRIu64, seconds);
	fprintf(stream, ".%09" PRIu64 " ", ns % NS_PER_S);
}

/* Print the event at a position. A call that ends before anything else happens
 * is one line. Return the number of events that were printed. */
static size_t print_event(const struct merge *merge, size_t at, FILE *stream)
{
	const struct event *event = &merge->events[at];
	const struct merged_line *line = &merge->lines[event->line];
	bool alone = line->head_bytes == 0 ||
		     (at + 1 < merge->event_count && merge->events[at + 1].line == event->line);

	if (event->is_end) {
		fprintf(stream, "%" PRIu32 " ", line->owner);
		print_time(merge, event->time_ns, stream);
		fprintf(stream, "<... %.*s resumed>%s\n", (int)line->name_bytes, line->name,
			line->text + line->head_bytes);
		return 1;
	}
	if (line->pid > 0)
		fprintf(stream, "%" PRIu32 " ", line->pid);
	if (alone) {
		fprintf(stream, "%s\n", line->text);
		return line->head_bytes == 0 ? 1 : 2;
	}
	fwrite(line->text, 1, line->head_bytes, stream);
	fputs(" <unfinished ...>\n", stream);
	return 1;
}

int strace_merge(const char *const *names, size_t count, FILE *merged, struct error *error)
{
	struct merge merge = {0};
	size_t i, bytes;
	int rc = 0;

	merge.texts = calloc(count, sizeof(*merge.texts));
	if (merge.texts == NULL)
		return error_no_memory(error);
	for (i = 0; i < count && rc == 0; i++) {
		struct part part = {.name = names[i], .pid = pid_of(names[i])};

		rc = read_file(names[i], &merge.texts[i], &bytes, error);
		if (rc == 0)
			rc = add_part(&merge, &part, merge.texts[i], bytes, error);
	}
	if (rc == 0 && merge.event_count > 0)
		qsort(merge.events, merge.event_count, sizeof(*merge.events), compare_events);
	for (i = 0; rc == 0 && i < merge.event_count;)
		i += print_event(&merge, i, merged);
	if (rc == 0 && (fflush(merged) != 0 || ferror(merged))) {
		error_set(error, "cannot write the merged traces to a temporary file: %s",
			  strerror(errno));
		rc = -EIO;
	}
	for (i = 0; i < count; i++)
		free(merge.texts[i]);
	free(merge.texts);
	free(merge.lines);
	free(merge.events);
	return rc;
}
