/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/workdir.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER_PATH CLIENTS_NAME "/" MARKER_NAME
#define MARKER_TITLE "throng work directory 1"

enum { MARKER_BYTES_MAX = 1 << 20 };

static const struct backend_path clients = {.text = CLIENTS_NAME};
static const struct backend_path marker_path = {.text = MARKER_PATH};

/* What a marker says. `text` is the whole of it, lines cut by NULs. */
struct marker {
	char *text;
	size_t bytes;
	const char *host;
	pid_t owner;
	uint64_t owner_started;
	bool made; /* `clients` was made by the run, not adopted */
};

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

/* Could the run that wrote the marker still be alive? */
static bool owner_alive(const struct marker *marker)
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

/* Returns 0, -ENOENT when there is no marker, or -errno. */
static int read_marker(struct tree *tree, struct marker *marker)
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

/*
 * Writes the marker. Shared names that are absent and that the load may make
 * are the run's to remove. Leaves no half of a marker behind.
 */
static int write_marker(struct tree *tree, pid_t owner, bool made,
			const struct program *program, const bool *absent)
{
	const struct backend *backend = tree->backend;
	char host[256], *text = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&text, &bytes);
	int64_t handle, put;

	if (stream == NULL)
		return -ENOMEM;
	host_name(host, sizeof(host));
	fprintf(stream, "%s\nhost %s\nprocess %d\nstarted %" PRIu64
		"\nclients %s\n", MARKER_TITLE, host, (int)owner,
		process_started(owner), made ? "made" : "adopted");
	for (i = 0; i < program->shared_count; i++)
		if (absent[i] && program->shared[i].changed)
			fprintf(stream, "shared %s\n",
				program->shared[i].name);
	if (fclose(stream) != 0) {
		free(text);
		return -ENOMEM;
	}
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

static int fail(struct error *error, const char *doing, const char *path,
		int rc)
{
	error_set(error, "%s \"%s\": %s", doing, path, strerror(-rc));
	return rc;
}

/* Removes the shared names of a marker; each is one plain component. */
static int remove_shared(struct tree *tree, const struct marker *marker,
			 struct error *error)
{
	const char *line, *name;
	int rc;

	for (line = marker->text; line != NULL;
	     line = next_line(marker, line)) {
		name = value_of(line, "shared");
		if (name == NULL || name[0] == '\0' ||
		    strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
		    strcmp(name, "..") == 0)
			continue;
		rc = tree_remove(tree, name);
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "remove", tree->path, rc);
	}
	return 0;
}

static int remove_marked(struct tree *tree, const struct marker *marker,
			 struct error *error)
{
	int rc = tree_empty(tree, CLIENTS_NAME, MARKER_NAME);

	if (rc < 0)
		return fail(error, "remove", tree->path, rc);
	rc = remove_shared(tree, marker, error);
	if (rc < 0)
		return rc;
	/* Last, so that a removal cut short can be gone on with. */
	rc = tree->backend->unlink(tree->session, &marker_path);
	if (rc < 0)
		return fail(error, "unlink", MARKER_PATH, rc);
	if (!marker->made)
		return 0;
	rc = tree->backend->rmdir(tree->session, &clients);
	return rc < 0 ? fail(error, "rmdir", CLIENTS_NAME, rc) : 0;
}

/* Did process `owner` of this host write the marker? */
static bool is_marker_of(const struct marker *marker, pid_t owner)
{
	char host[256];

	host_name(host, sizeof(host));
	return marker->owner == owner && marker->host != NULL &&
	       strcmp(marker->host, host) == 0 &&
	       marker->owner_started == process_started(owner);
}

int workdir_remove(struct tree *tree, pid_t owner, struct error *error)
{
	struct marker marker;
	int rc = read_marker(tree, &marker);

	if (rc == 0 && !is_marker_of(&marker, owner))
		rc = fail(error, "remove", MARKER_PATH, -EBUSY);
	else if (rc == 0)
		rc = remove_marked(tree, &marker, error);
	else
		fail(error, "read", MARKER_PATH, rc);
	free(marker.text);
	return rc;
}

static bool count_entry(void *context, const char *name,
			enum backend_entry entry)
{
	(void)entry;
	*(bool *)context = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
	return !*(bool *)context;
}

/* A marker is believed only when it is the work of who runs this. */
static int refuse_foreign_marker(struct tree *tree, struct error *error)
{
	struct backend_attributes attributes;
	int rc = tree->backend->stat(tree->session, &marker_path,
				     &attributes);

	if (rc < 0 || !attributes.foreign)
		return 0;
	error_set(error, "\"%s\" belongs to another user; choose another "
		  "target, or remove the directory", MARKER_PATH);
	return -EPERM;
}

/*
 * Deals with a `clients` that is there. Returns 0: it is now free to use, or
 * 1: this run has claimed it already.
 */
static int take_over(struct tree *tree, pid_t owner, bool *made,
		     struct error *error)
{
	struct marker marker;
	bool any = false;
	int rc = refuse_foreign_marker(tree, error);

	if (rc < 0)
		return rc;
	rc = read_marker(tree, &marker);
	if (rc == 0 && is_marker_of(&marker, owner)) {
		rc = 1;
	} else if (rc == 0 && owner_alive(&marker)) {
		error_set(error, "\"%s\" belongs to a run that may be alive "
			  "(process %d on %s); if it is not, remove the "
			  "directory", CLIENTS_NAME, (int)marker.owner,
			  marker.host != NULL ? marker.host : "?");
		rc = -EBUSY;
	} else if (rc == 0) {
		*made = marker.made;
		rc = remove_marked(tree, &marker, error);
	} else if (rc == -ENOENT) {
		*made = false;
		rc = tree->backend->list(tree->session, &clients, count_entry,
					 &any);
		if (rc < 0)
			fail(error, "list", CLIENTS_NAME, rc);
	} else {
		fail(error, "read", MARKER_PATH, rc);
	}
	if (rc == 0 && any) {
		error_set(error, "\"%s\" holds something that throng did not "
			  "make; choose another target, or remove it",
			  CLIENTS_NAME);
		rc = -EEXIST;
	}
	free(marker.text);
	return rc;
}

/* Which of the shared names are absent? Refuses a load that would harm. */
static int look_at_shared(struct tree *tree, const struct program *program,
			  bool use_existing, bool *absent,
			  struct error *error)
{
	size_t i;

	for (i = 0; i < program->shared_count; i++) {
		const struct shared_name *shared = &program->shared[i];
		struct backend_path path = {.text = shared->name};
		struct backend_attributes attributes;
		int rc = tree->backend->stat(tree->session, &path,
					     &attributes);

		absent[i] = rc == -ENOENT;
		if (rc < 0 && rc != -ENOENT)
			return fail(error, "stat", shared->name, rc);
		if (rc == 0 && shared->changed && !use_existing) {
			error_set(error, "the load would change \"%s\", which "
				  "exists already; say --use-existing if it "
				  "may", shared->name);
			return -EEXIST;
		}
	}
	return 0;
}

static int claim(struct tree *tree, const struct program *program, pid_t owner,
		 bool use_existing, bool *absent, bool *claimed,
		 struct error *error)
{
	struct backend_attributes attributes;
	bool made = true;
	int rc = tree->backend->stat(tree->session, &clients, &attributes);

	if (rc == 0 && !attributes.directory) {
		error_set(error, "\"%s\" is not a directory", CLIENTS_NAME);
		return -ENOTDIR;
	}
	if (rc == 0)
		rc = take_over(tree, owner, &made, error);
	else if (rc == -ENOENT)
		rc = 0;
	else
		fail(error, "stat", CLIENTS_NAME, rc);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	/* Looked at only now: a dead run's have just been removed. */
	rc = look_at_shared(tree, program, use_existing, absent, error);
	if (rc < 0)
		return rc;
	if (made) {
		rc = tree->backend->mkdir(tree->session, &clients);
		if (rc < 0)
			return fail(error, "mkdir", CLIENTS_NAME, rc);
	}
	rc = write_marker(tree, owner, made, program, absent);
	if (rc == 0) {
		*claimed = true;
		return 0;
	}
	/* Goes only when it is empty: another run may have been quicker. */
	if (made)
		tree->backend->rmdir(tree->session, &clients);
	return fail(error, "write", MARKER_PATH, rc);
}

int workdir_claim(struct tree *tree, const struct program *program,
		  pid_t owner, bool use_existing, bool *claimed,
		  struct error *error)
{
	bool *absent = calloc(program->shared_count + 1, sizeof(*absent));
	int rc;

	if (absent == NULL)
		return fail(error, "claim", CLIENTS_NAME, -ENOMEM);
	*claimed = false;
	rc = claim(tree, program, owner, use_existing, absent, claimed, error);
	free(absent);
	return rc;
}

static void home_path(const char *user_name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", CLIENTS_NAME, user_name);
}

int workdir_make_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	struct backend_path path = {.text = text};
	int rc;

	home_path(user_name, text);
	rc = tree_empty(tree, text, NULL);
	return rc == -ENOENT ? tree->backend->mkdir(tree->session, &path) : rc;
}

int workdir_remove_home(struct tree *tree, const char *user_name)
{
	char text[PATH_MAX];
	int rc;

	home_path(user_name, text);
	rc = tree_remove(tree, text);
	return rc == -ENOENT ? 0 : rc;
}
