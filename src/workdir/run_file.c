/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/run_file.h"

#include "words/layout.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define RUN_STEM "throng-"
#define TITLE "throng run 1"
/* The last line. */
#define END_LINE "end"

enum {
	FILE_BYTES_MAX = 4096,
	USERS_MAX = 1 << 20 /* more than any run has */
};

/* Check if a name is that of a run's directory followed by `ending`, in letters
 * of any case. */
static bool is_name(const char *name, const char *ending)
{
	const char *digits = name + strlen(RUN_STEM);

	return strncasecmp(name, RUN_STEM, strlen(RUN_STEM)) == 0 &&
	       strspn(digits, "0123456789abcdefABCDEF") == 8 && strcasecmp(digits + 8, ending) == 0;
}

void run_file_print_time(int64_t seconds, char text[RUN_BEGUN_SIZE])
{
	time_t time = (time_t)seconds;
	struct tm utc;

	strftime(text, RUN_BEGUN_SIZE, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &utc));
}

void run_name_of(const struct identity *run, unsigned part, char name[RUN_NAME_SIZE])
{
	snprintf(name, RUN_NAME_SIZE, RUN_STEM "%.8s", run->id + 8 * part);
}

bool run_name_is_valid(const char *name)
{
	return is_name(name, "");
}

bool run_file_is_name(const char *entry, char name[RUN_NAME_SIZE])
{
	size_t i;

	if (!is_name(entry, RUN_FILE_ENDING))
		return false;
	for (i = 0; i < RUN_NAME_SIZE - 1; i++)
		name[i] = (char)tolower((unsigned char)entry[i]);
	name[i] = '\0';
	return true;
}

void run_file_path(const char *name, char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)])
{
	snprintf(path, RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING), "%s" RUN_FILE_ENDING, name);
}

const char *run_file_directory(const struct run_file *file)
{
	if (file->workdir[0] == '\0')
		return file->name;
	return layout_workdir(file->workdir);
}

/* How the value of a line is read. */
enum kind { NAME, ID, TEXT, NUMBER, PROCESS, LOCK, YES, WORKDIR, USERS, DIRECTORY };

#define FIELD(member) offsetof(struct run_file, member), sizeof(((struct run_file *)0)->member)

/* The lines between the title and the end, in their order. */
static const struct line {
	const char *word;
	enum run_file_part part;
	enum kind kind;
	size_t offset, size;
} lines[] = {
	{"name", RUN_FILE_FIRST, NAME, FIELD(name)},
	{"id", RUN_FILE_FIRST, ID, FIELD(run.id)},
	{"begun", RUN_FILE_FIRST, TEXT, FIELD(begun)},
	{"host", RUN_FILE_FIRST, TEXT, FIELD(run.host)},
	{"machine", RUN_FILE_FIRST, TEXT, FIELD(run.machine)},
	{"boot", RUN_FILE_FIRST, TEXT, FIELD(run.boot)},
	{"pid-namespace", RUN_FILE_FIRST, NUMBER, FIELD(run.pid_namespace)},
	{"time-namespace", RUN_FILE_FIRST, NUMBER, FIELD(run.time_namespace)},
	{"process", RUN_FILE_FIRST, PROCESS, FIELD(run.process)},
	{"started", RUN_FILE_FIRST, NUMBER, FIELD(run.started)},
	{"lock", RUN_FILE_FIRST, LOCK, FIELD(locked)},
	{"kept", RUN_FILE_FIRST, YES, FIELD(kept)},
	{"workdir", RUN_FILE_FIRST, WORKDIR, FIELD(workdir)},
	{"made", RUN_FILE_MADE, YES, FIELD(made)},
	{"users", RUN_FILE_MADE, USERS, FIELD(users)},
	{"directory", RUN_FILE_LAST, DIRECTORY, FIELD(inode)},
};

enum { LINES = sizeof(lines) / sizeof(lines[0]) };

/* Return the text after `word` and a blank, or NULL if the line has another
 * word. */
static const char *value_of(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

/* Read a decimal number at *text, and move *text past it. Return false if
 * there is none, or one above `max`. */
static bool read_number(const char **text, uint64_t max, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*number = strtoumax(*text, &end, 10);
	*text = end;
	return errno == 0 && *number <= max;
}

/* Read a number and the blank after it, and move *text past them. */
static bool read_first(const char **text, uint64_t max, uint64_t *number)
{
	return read_number(text, max, number) && *(*text)++ == ' ';
}

/* Read a number up to the end of the text. */
static bool read_last(const char *text, uint64_t max, uint64_t *number)
{
	return read_number(&text, max, number) && *text == '\0';
}

static bool read_choice(const char *text, const char *no, const char *yes, bool *choice)
{
	*choice = strcmp(text, yes) == 0;
	return *choice || strcmp(text, no) == 0;
}

/* Check the name of --workdir: one component, and not one of another run. */
static bool is_workdir(const char *name)
{
	char run[RUN_NAME_SIZE];

	return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, "..") != 0 &&
	       !run_name_is_valid(name) && !run_file_is_name(name, run);
}

/* Read the value of a line. Return false if it is none that we write. */
static bool read_value(struct run_file *file, const struct line *line, const char *value)
{
	void *field = (char *)file + line->offset;
	uint64_t number, other;

	switch (line->kind) {
	case NAME:
		return strcmp(value, file->name) == 0;
	case LOCK:
		return read_choice(value, "none", "held", field);
	case YES:
		return read_choice(value, "no", "yes", field);
	case NUMBER:
		return read_last(value, UINT64_MAX, field);
	case PROCESS:
		/* kill(2) takes 0 and less for process groups. */
		if (!read_last(value, INT_MAX, &number) || number == 0)
			return false;
		file->run.process = (pid_t)number;
		return true;
	case USERS:
		if (!read_first(&value, USERS_MAX, &number) || !read_last(value, USERS_MAX, &other))
			return false;
		file->first_user = (unsigned)number;
		file->users = (unsigned)other;
		return true;
	case DIRECTORY:
		return read_first(&value, UINT64_MAX, &file->device) &&
		       read_first(&value, UINT64_MAX, &file->inode) &&
		       read_last(value, UINT64_MAX, &file->generation);
	case ID:
		if (strspn(value, "0123456789abcdef") != IDENTITY_ID_SIZE - 1)
			return false;
		break;
	case WORKDIR:
		if (!is_workdir(value))
			return false;
		break;
	case TEXT:
		break;
	}
	return snprintf(field, line->size, "%s", value) < (int)line->size;
}

/*
 * Read the lines after the title; the text ends in the midst of one, or after
 * one, if it was cut. Return 0 or -EINVAL.
 */
static int read_lines(struct run_file *file, char *text)
{
	const char *value;
	char *newline;
	size_t i = 0;

	for (; (newline = strchr(text, '\n')) != NULL; text = newline + 1) {
		*newline = '\0';
		if (i == LINES) {
			file->complete = strcmp(text, END_LINE) == 0 && newline[1] == '\0' &&
					 !(file->made && strcmp(file->workdir, ".") == 0);
			return file->complete ? 0 : -EINVAL;
		}
		if (lines[i].kind == WORKDIR && value_of(text, lines[i].word) == NULL)
			i++;
		value = value_of(text, lines[i].word);
		if (value == NULL || !read_value(file, &lines[i++], value))
			return -EINVAL;
	}
	return 0;
}

/* Read a whole file. Return its size or -errno. */
static int64_t read_whole(struct tree *tree, int64_t handle, char text[FILE_BYTES_MAX])
{
	int64_t got, size = 0;

	/* Some file systems return fewer bytes than there are. */
	do {
		got = tree->backend->read(tree->session, handle, text + size,
					  (size_t)(FILE_BYTES_MAX - size), (uint64_t)size);
		size += got;
	} while (got > 0 && size < FILE_BYTES_MAX);
	return got < 0 ? got : size;
}

/* Forget all of a file but its name, which must be valid. */
static void forget(struct run_file *file, const char *name)
{
	*file = (struct run_file){.complete = false};
	if (run_name_is_valid(name))
		strcpy(file->name, name);
}

int run_file_read(struct tree *tree, const char *name, struct run_file *file)
{
	const struct backend *backend = tree->backend;
	char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)], text[FILE_BYTES_MAX];
	size_t title = strlen(TITLE "\n");
	enum backend_owner owner;
	int64_t handle, got;
	int rc;

	forget(file, name);
	if (file->name[0] == '\0')
		return -EINVAL;
	run_file_path(name, path);
	handle = backend->open(tree->session, &(struct backend_path){.text = path},
			       OPEN_READ | OPEN_FILE);
	if (handle < 0)
		return (int)handle;
	/* Ask by handle: the name may be that of another file by now. */
	owner = tree_owner(tree, handle);
	got = read_whole(tree, handle, text);
	backend->close(tree->session, handle);
	if (got < 0)
		return (int)got;
	if (got == FILE_BYTES_MAX || memchr(text, '\0', (size_t)got) != NULL)
		return -EINVAL;
	text[got] = '\0';
	if (memcmp(text, TITLE "\n", (size_t)got < title ? (size_t)got : title) != 0)
		return -EINVAL;
	rc = (size_t)got < title ? 0 : read_lines(file, text + title);
	if (rc < 0)
		forget(file, name);
	else if (!file->complete && file->workdir[0] == '\0')
		file->made = true;
	file->owner = owner;
	return rc;
}

static void print_value(const struct run_file *file, const struct line *line, FILE *stream)
{
	const void *field = (const char *)file + line->offset;

	switch (line->kind) {
	case LOCK:
		fputs(file->locked ? "held" : "none", stream);
		break;
	case YES:
		fputs(*(const bool *)field ? "yes" : "no", stream);
		break;
	case NUMBER:
		fprintf(stream, "%" PRIu64, *(const uint64_t *)field);
		break;
	case PROCESS:
		fprintf(stream, "%d", (int)file->run.process);
		break;
	case USERS:
		fprintf(stream, "%u %u", file->first_user, file->users);
		break;
	case DIRECTORY:
		fprintf(stream, "%" PRIu64 " %" PRIu64 " %" PRIu64, file->device, file->inode,
			file->generation);
		break;
	default:
		fputs(field, stream);
		break;
	}
}

static void print_part(const struct run_file *file, enum run_file_part part, FILE *stream)
{
	size_t i;

	if (part == RUN_FILE_FIRST)
		fputs(TITLE "\n", stream);
	for (i = 0; i < LINES; i++) {
		if (lines[i].part != part || (lines[i].kind == WORKDIR && file->workdir[0] == '\0'))
			continue;
		fprintf(stream, "%s ", lines[i].word);
		print_value(file, &lines[i], stream);
		putc('\n', stream);
	}
	if (part == RUN_FILE_LAST)
		fputs(END_LINE "\n", stream);
}

int run_file_write(struct tree *tree, int64_t handle, const struct run_file *file,
		   enum run_file_part part, uint64_t *offset)
{
	char text[FILE_BYTES_MAX / RUN_FILE_PARTS];
	FILE *stream = fmemopen(text, sizeof(text), "w");
	int64_t done;
	long length;

	if (stream == NULL)
		return -ENOMEM;
	print_part(file, part, stream);
	length = ftell(stream);
	if (fclose(stream) != 0 || length < 0 || length >= (long)sizeof(text))
		return -EFBIG;
	done = tree->backend->write(tree->session, handle, text, (size_t)length, *offset);
	if (done < 0)
		return (int)done;
	*offset += (uint64_t)done;
	return done < length ? -ENOSPC : 0;
}
