/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/marker.h"

#include "program/intern.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER_TITLE "throng work directory 1"

const struct backend_path marker_path = {
	.text = CLIENTS_NAME "/" MARKER_NAME,
};

enum { MARKER_BYTES_MAX = 1 << 20 };

/* When a process that has ended, and was not reaped, was started. */
#define STARTED_NEVER UINT64_MAX

/* When a process was started, in ticks since boot; 0: not known. */
static uint64_t process_started(pid_t pid)
{
	char path[64], line[1024];
	uint64_t started = 0;
	const char *next;
	FILE *file;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	next = fgets(line, sizeof(line), file);
	fclose(file);
	/* proc(5): the second field, in brackets, may hold blanks; the third is
	 * the state; the start time is the 22nd. */
	next = next != NULL ? strrchr(line, ')') : NULL;
	if (next != NULL && (strncmp(next, ") Z", 3) == 0 ||
			     strncmp(next, ") X", 3) == 0))
		return STARTED_NEVER;
	for (field = 2; next != NULL && field < 22; field++)
		next = strchr(next + 1, ' ');
	if (next != NULL)
		started = strtoumax(next, NULL, 10);
	return started;
}

static void host_name(char *name, size_t size)
{
	if (gethostname(name, size) < 0)
		snprintf(name, size, "unknown");
	name[size - 1] = '\0';
}

bool marker_is_alive(const struct marker *marker)
{
	char host[256];
	uint64_t started;

	host_name(host, sizeof(host));
	/* Of another host's processes nothing can be told. */
	if (marker->host == NULL || strcmp(host, marker->host) != 0)
		return true;
	if (kill(marker->owner, 0) < 0 && errno == ESRCH)
		return false;
	started = process_started(marker->owner);
	return started == 0 || started == marker->owner_started;
}

/* The whole of the marker file. Returns 0 or -errno; free marker->text. */
static int read_file(struct tree *tree, struct marker *marker)
{
	const struct backend *backend = tree->backend;
	int64_t handle = backend->open(tree->session, &marker_path,
				       OPEN_READ | OPEN_FILE);
	int64_t got;

	if (handle < 0)
		return (int)handle;
	marker->text = malloc(MARKER_BYTES_MAX + 1);
	if (marker->text == NULL) {
		backend->close(tree->session, handle);
		return -ENOMEM;
	}
	got = backend->read(tree->session, handle, marker->text,
			    MARKER_BYTES_MAX, 0);
	backend->close(tree->session, handle);
	if (got < 0)
		return (int)got;
	marker->bytes = (size_t)got;
	marker->text[got] = '\0';
	/* Cut short, its last name would be another one. */
	return got > 0 && got < MARKER_BYTES_MAX &&
			       marker->text[got - 1] == '\n'
		       ? 0 : -EINVAL;
}

/* The next line of the marker, or NULL; lines are cut by NULs. */
static const char *next_line(const struct marker *marker, const char *line)
{
	line += strlen(line) + 1;
	return line < marker->text + marker->bytes ? line : NULL;
}

/* What follows `word` and a blank on the line, or NULL. */
static const char *value_of(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 && line[length] == ' '
		       ? line + length + 1 : NULL;
}

int marker_read(struct tree *tree, struct marker *marker)
{
	const char *line, *value;
	char *newline;
	int rc;

	*marker = (struct marker){0};
	rc = read_file(tree, marker);
	if (rc < 0)
		return rc;
	for (newline = marker->text;
	     (newline = strchr(newline, '\n')) != NULL;)
		*newline++ = '\0';
	if (strcmp(marker->text, MARKER_TITLE) != 0)
		return -EINVAL;
	for (line = marker->text; line != NULL;
	     line = next_line(marker, line)) {
		if ((value = value_of(line, "host")) != NULL)
			marker->host = value;
		if ((value = value_of(line, "process")) != NULL)
			marker->owner = (pid_t)strtol(value, NULL, 10);
		if ((value = value_of(line, "started")) != NULL)
			marker->owner_started = strtoumax(value, NULL, 10);
		if ((value = value_of(line, "clients")) != NULL)
			marker->made = strcmp(value, "made") == 0;
	}
	return marker->owner > 0 ? 0 : -EINVAL;
}

bool marker_is_of(const struct marker *marker, pid_t owner)
{
	char host[256];

	host_name(host, sizeof(host));
	return marker->owner == owner && marker->host != NULL &&
	       strcmp(marker->host, host) == 0 &&
	       marker->owner_started == process_started(owner);
}

const char *marker_next(const struct marker *marker, const char *word,
			const char *previous)
{
	/* A value is the end of its line. */
	const char *line = previous != NULL ? next_line(marker, previous)
					    : marker->text;
	const char *value = NULL;

	while (line != NULL && (value = value_of(line, word)) == NULL)
		line = next_line(marker, line);
	return value;
}

/* The names that the load may make in `clients` beside the users' own. */
static int print_names(const struct program *program, FILE *stream)
{
	struct intern names = {0};
	size_t i;
	int64_t index = 0;

	for (i = 0; i < program->path_count && index >= 0; i++) {
		const struct program_path *path = &program->paths[i];
		const char *name = path->text + strlen(CLIENTS_NAME "/");
		size_t length = strcspn(name, "/");
		int is_new;

		if (path->place != PATH_OTHERS)
			continue;
		index = intern(&names, name, length, &is_new);
		if (index >= 0 && is_new)
			fprintf(stream, "%s %.*s\n", MARKER_NAMED,
				(int)length, name);
	}
	intern_free(&names);
	return index < 0 ? -ENOMEM : 0;
}

/* The text of a marker, to be freed, or NULL: no memory. */
static char *print_marker(pid_t owner, bool made,
			  const struct program *program, const bool *absent,
			  size_t *bytes)
{
	char host[256], *text = NULL;
	FILE *stream = open_memstream(&text, bytes);
	size_t i;
	int rc;

	if (stream == NULL)
		return NULL;
	host_name(host, sizeof(host));
	fprintf(stream, "%s\nhost %s\nprocess %d\nstarted %" PRIu64
		"\nclients %s\n", MARKER_TITLE, host, (int)owner,
		process_started(owner), made ? "made" : "adopted");
	for (i = 0; i < program->shared_count; i++)
		if (absent[i] && program->shared[i].changed)
			fprintf(stream, "%s %s\n", MARKER_SHARED,
				program->shared[i].name);
	rc = print_names(program, stream);
	if (fclose(stream) == 0 && rc == 0)
		return text;
	free(text);
	return NULL;
}

int marker_write(struct tree *tree, pid_t owner, bool made,
		 const struct program *program, const bool *absent)
{
	const struct backend *backend = tree->backend;
	size_t bytes;
	char *text = print_marker(owner, made, program, absent, &bytes);
	int64_t handle, put;

	if (text == NULL)
		return -ENOMEM;
	if (bytes >= MARKER_BYTES_MAX) {
		free(text);
		return -EFBIG;
	}
	handle = backend->open(tree->session, &marker_path,
			       OPEN_READ | OPEN_WRITE | OPEN_CREATE |
				       OPEN_EXCLUSIVE | OPEN_FILE);
	put = handle < 0 ? handle
			 : backend->write(tree->session, handle, text, bytes,
					  0);
	if (handle >= 0)
		backend->close(tree->session, handle);
	if (handle >= 0 && put < 0)
		backend->unlink(tree->session, &marker_path);
	free(text);
	return put < 0 ? (int)put : 0;
}
