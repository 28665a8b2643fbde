/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/marker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER_TITLE "throng work directory 2"
/* The last line. A marker without it is still being written or truncated. */
#define MARKER_END "end"

enum { MARKER_BYTES_MAX = 1 << 20 };

/* Check the id of a run that was read from a marker, since it becomes part of a
 * file name. */
static bool is_id(const char *id)
{
	return strlen(id) == IDENTITY_ID_SIZE - 1 &&
	       strspn(id, "0123456789abcdef") == IDENTITY_ID_SIZE - 1;
}

bool marker_is_own(const char *name)
{
	size_t length = strlen(MARKER_PREFIX);

	return strcmp(name, MARKER_NAME) == 0 ||
	       (strncmp(name, MARKER_PREFIX, length) == 0 && is_id(name + length));
}

/* Read the whole file. Return 0 or -errno; free marker->text. */
static int read_file(struct tree *tree, const char *text, struct marker *marker)
{
	const struct backend *backend = tree->backend;
	const struct backend_path path = {.text = text};
	int64_t handle = backend->open(tree->session, &path, OPEN_READ | OPEN_FILE);
	int owner = OWNER_UNKNOWN;
	int64_t got;

	if (handle < 0)
		return (int)handle;
	/* Ask by handle, since the name may refer to another file by now. */
	if (backend->owner_of != NULL)
		owner = backend->owner_of(tree->session, handle);
	if (owner >= 0)
		marker->owner = (enum backend_owner)owner;
	marker->text = malloc(MARKER_BYTES_MAX + 1);
	if (marker->text == NULL) {
		backend->close(tree->session, handle);
		return -ENOMEM;
	}
	got = backend->read(tree->session, handle, marker->text, MARKER_BYTES_MAX, 0);
	backend->close(tree->session, handle);
	if (got < 0)
		return (int)got;
	marker->bytes = (size_t)got;
	marker->text[got] = '\0';
	return 0;
}

/* Return the next line of the marker, or NULL; each line ends with a NUL. */
static const char *next_line(const struct marker *marker, const char *line)
{
	line += strlen(line) + 1;
	return line < marker->text + marker->bytes ? line : NULL;
}

/* Return the text after `word` and a blank, or NULL if the line has another
 * word. */
static const char *value_of(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

/* Check the text. Return 0, -EINVAL if not a marker, -EAGAIN if incomplete. */
static int check_text(const struct marker *marker)
{
	static const char title[] = MARKER_TITLE "\n";
	static const char end[] = "\n" MARKER_END "\n";
	size_t shorter = marker->bytes < strlen(title) ? marker->bytes : strlen(title);

	if (memcmp(marker->text, title, shorter) != 0 || marker->bytes == MARKER_BYTES_MAX)
		return -EINVAL;
	if (marker->bytes < strlen(title) + strlen(end) ||
	    strcmp(marker->text + marker->bytes - strlen(end), end) != 0)
		return -EAGAIN;
	return 0;
}

static void copy_word(char *word, size_t size, const char *value)
{
	snprintf(word, size, "%s", value);
}

static void read_line(struct marker *marker, const char *line)
{
	struct identity *run = &marker->run;
	const char *value;

	if ((value = value_of(line, "run")) != NULL && is_id(value))
		copy_word(run->id, sizeof(run->id), value);
	else if ((value = value_of(line, "host")) != NULL)
		copy_word(run->host, sizeof(run->host), value);
	else if ((value = value_of(line, "machine")) != NULL)
		copy_word(run->machine, sizeof(run->machine), value);
	else if ((value = value_of(line, "boot")) != NULL)
		copy_word(run->boot, sizeof(run->boot), value);
	else if ((value = value_of(line, "pid-namespace")) != NULL)
		run->pid_namespace = strtoumax(value, NULL, 10);
	else if ((value = value_of(line, "time-namespace")) != NULL)
		run->time_namespace = strtoumax(value, NULL, 10);
	else if ((value = value_of(line, "process")) != NULL)
		run->process = (pid_t)strtol(value, NULL, 10);
	else if ((value = value_of(line, "started")) != NULL)
		run->started = strtoumax(value, NULL, 10);
	else if ((value = value_of(line, "first-user")) != NULL)
		marker->first_user = (unsigned)strtoul(value, NULL, 10);
	else if ((value = value_of(line, "users")) != NULL)
		marker->users = (unsigned)strtoul(value, NULL, 10);
	else if ((value = value_of(line, "clients")) != NULL)
		marker->made = strcmp(value, "made") == 0;
	else if ((value = value_of(line, "lock")) != NULL)
		marker->locked = strcmp(value, "held") == 0;
}

/* Split the text into lines and parse them. */
static void read_lines(struct marker *marker)
{
	const char *line;
	char *newline;

	for (newline = marker->text; (newline = strchr(newline, '\n')) != NULL;)
		*newline++ = '\0';
	for (line = marker->text; line != NULL; line = next_line(marker, line))
		read_line(marker, line);
}

int marker_read(struct tree *tree, const char *path, struct marker *marker)
{
	int rc;

	*marker = (struct marker){.owner = OWNER_UNKNOWN};
	rc = read_file(tree, path, marker);
	if (rc == 0)
		rc = check_text(marker);
	if (rc < 0)
		return rc;
	read_lines(marker);
	/* Refuse PIDs of 0 and below: kill(2) takes them for process groups. */
	return marker->run.process > 0 && marker->run.id[0] != '\0' ? 0 : -EINVAL;
}

int marker_check(struct tree *tree, const char *path, const struct identity *run)
{
	struct marker marker;
	int rc = marker_read(tree, path, &marker);

	if (rc == -ENOENT || rc == -ESTALE || (rc == 0 && strcmp(marker.run.id, run->id) != 0))
		rc = -EAGAIN;
	free(marker.text);
	return rc;
}

enum identity_state marker_state(struct tree *tree, const char *path, const struct marker *marker,
				 const struct identity *self)
{
	const struct backend *backend = tree->backend;
	const struct backend_path file = {.text = path};
	int held = -EOPNOTSUPP;

	if (marker->locked && backend->is_held != NULL)
		held = backend->is_held(tree->session, &file);
	if (held >= 0)
		return held > 0 ? IDENTITY_ALIVE : IDENTITY_DEAD;
	return identity_state(&marker->run, self);
}

const char *marker_next(const struct marker *marker, const char *word, const char *previous)
{
	/* A value extends to the end of its line. */
	const char *line = previous != NULL ? next_line(marker, previous) : marker->text;
	const char *value = NULL;

	while (line != NULL && (value = value_of(line, word)) == NULL)
		line = next_line(marker, line);
	return value;
}

/* Return the text of a marker, to be freed, or NULL if out of memory. */
static char *print_marker(const struct marker_content *content, bool locked, size_t *bytes)
{
	const struct outside *names = content->names;
	const struct identity *run = content->run;
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);
	size_t i;

	if (stream == NULL)
		return NULL;
	fprintf(stream, "%s\nrun %s\nhost %s\nmachine %s\nboot %s\n", MARKER_TITLE, run->id,
		run->host, run->machine, run->boot);
	fprintf(stream,
		"pid-namespace %" PRIu64 "\ntime-namespace %" PRIu64
		"\nprocess %d\nstarted %" PRIu64 "\n",
		run->pid_namespace, run->time_namespace, (int)run->process, run->started);
	fprintf(stream, "first-user %u\nusers %u\nclients %s\nlock %s\n", content->first_user,
		content->users, content->made ? "made" : "adopted", locked ? "held" : "none");
	for (i = 0; i < names->shared_count; i++)
		if (content->absent[i] && names->shared[i].changed)
			fprintf(stream, "%s %s\n", MARKER_SHARED, names->shared[i].name);
	for (i = 0; i < names->other_count; i++)
		fprintf(stream, "%s %s\n", MARKER_NAMED, names->others[i]);
	fprintf(stream, "%s\n", MARKER_END);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

int marker_make(const struct marker_content *content, struct marker *marker)
{
	*marker = (struct marker){.owner = OWNER_SELF};
	marker->text = print_marker(content, false, &marker->bytes);
	if (marker->text == NULL)
		return -ENOMEM;
	read_lines(marker);
	return 0;
}

/* Write the text into the marker that has just been created. */
static int write_text(struct tree *tree, int64_t handle, const struct marker_content *content,
		      bool locked)
{
	size_t bytes;
	char *text = print_marker(content, locked, &bytes);
	int64_t put;

	if (text == NULL)
		return -ENOMEM;
	put = bytes >= MARKER_BYTES_MAX
		      ? -EFBIG
		      : tree->backend->write(tree->session, handle, text, bytes, 0);
	free(text);
	return put < 0 ? (int)put : 0;
}

/* Lock the marker that has just been created. Return 0 or -errno. */
static int lock_marker(struct tree *tree, const struct backend_path *file, int *lock_fd)
{
	int rc;

	if (tree->backend->hold == NULL)
		return 0;
	rc = tree->backend->hold(tree->session, file);
	if (rc >= 0)
		*lock_fd = rc;
	/*
	 * -ENOENT or -EAGAIN: another run has taken our incomplete marker for
	 * that of a killed run, and removed it. After any other failure, do
	 * without a lock.
	 */
	return rc == -ENOENT || rc == -EAGAIN ? -EAGAIN : 0;
}

int marker_write(struct tree *tree, const char *path, const struct marker_content *content,
		 int *lock_fd)
{
	const struct backend *backend = tree->backend;
	const struct backend_path file = {.text = path};
	int64_t handle = backend->open(tree->session, &file,
				       OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE |
					       OPEN_FILE);
	int rc;

	*lock_fd = -1;
	if (handle < 0)
		return (int)handle;
	/* Lock first: a complete marker without its lock means a dead run. */
	rc = lock_marker(tree, &file, lock_fd);
	if (rc == 0)
		rc = write_text(tree, handle, content, *lock_fd >= 0);
	backend->close(tree->session, handle);
	if (rc == 0)
		rc = marker_check(tree, path, content->run);
	if (rc == 0)
		return 0;
	/* After -EAGAIN the name no longer refers to our file. */
	if (rc != -EAGAIN)
		backend->unlink(tree->session, &file);
	if (*lock_fd >= 0)
		close(*lock_fd);
	*lock_fd = -1;
	return rc;
}
