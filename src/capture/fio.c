/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/fio.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "words/operation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Max number of words per line: time, name, action, offset, length. */
enum { WORDS = 5 };

/* Offsets and times above this are damage. Their sums stay below 2^63. */
#define NUMBER_MAX (INT64_MAX / NS_PER_US / 4)

enum action_kind {
	ACTION_ADD,
	ACTION_WAIT,
	ACTION_OPEN,
	ACTION_CLOSE,
	ACTION_FILE, /* an operation on an open file */
};

static const struct action {
	const char *word;
	enum action_kind kind;
	enum op_kind op;
	bool ranged; /* its line has an offset and a length */
} actions[] = {
	{"add", ACTION_ADD, OP_KINDS, false},
	{"open", ACTION_OPEN, OP_OPEN, false},
	{"close", ACTION_CLOSE, OP_CLOSE, false},
	{"wait", ACTION_WAIT, OP_KINDS, true},
	{"read", ACTION_FILE, OP_READ, true},
	{"write", ACTION_FILE, OP_WRITE, true},
	{"sync", ACTION_FILE, OP_FSYNC, true},
	{"datasync", ACTION_FILE, OP_FDATASYNC, true},
	{"sync_file_range", ACTION_FILE, OP_SYNC_RANGE, true},
	{"trim", ACTION_FILE, OP_ALLOCATE, true},
};

struct iolog {
	struct source *source;
	struct recording *recording;
	FILE *stream;
	struct error *error;
	char *line;
	size_t room;
	unsigned number; /* of the line, from 1 */
	uint64_t version;
	uint64_t time_ns;
	struct intern names;
	struct file **files; /* by the number of the name; NULL: not open */
	size_t file_room;
};

/* Set the error to a message about the current line. The value is -EINVAL. */
#define refuse(iolog, ...) \
	(error_set_at((iolog)->error, (iolog)->source->name, (iolog)->number, 0, __VA_ARGS__), \
	 -EINVAL)

/* Read the next line. Return 1, 0 at the end, or -errno. */
static int next_line(struct iolog *iolog)
{
	ssize_t length = getline(&iolog->line, &iolog->room, iolog->stream);

	if (length < 0 && !ferror(iolog->stream) && feof(iolog->stream))
		return 0;
	iolog->number++;
	if (length < 0)
		return refuse(iolog, "cannot read: %s", strerror(errno));
	if (iolog->line[length - 1] != '\n')
		return refuse(
			iolog,
			"the last line does not end with a newline, so the file may be cut off");
	if (strlen(iolog->line) != (size_t)length)
		return refuse(iolog, "the line has a NUL byte; expected text");
	return 1;
}

static int read_version(struct iolog *iolog)
{
	char *end;
	int rc = next_line(iolog);

	if (rc == 0)
		error_set_at(iolog->error, iolog->source->name, 0, 0, "the file is empty");
	if (rc <= 0)
		return -EINVAL;
	if (strncmp(iolog->line, FIO_MAGIC, strlen(FIO_MAGIC)) != 0)
		return refuse(iolog, "not an iolog of fio; expected \"fio version 2 iolog\" or "
				     "\"fio version 3 iolog\"");
	iolog->version = strtoul(iolog->line + strlen(FIO_MAGIC), &end, 10);
	if (strcmp(end, " iolog\n") != 0 || iolog->version < 2 || iolog->version > 3)
		return refuse(iolog, "unsupported version of the iolog; expected version 2 or 3");
	return 0;
}

/* Split the line. Return the number of words, or WORDS + 1 if it has more. */
static size_t split(char *line, char *words[WORDS])
{
	char *rest, *word = strtok_r(line, " \n", &rest);
	size_t count;

	for (count = 0; word != NULL && count <= WORDS; count++) {
		if (count < WORDS)
			words[count] = word;
		word = strtok_r(NULL, " \n", &rest);
	}
	return count;
}

/*
 * Convert a name to a path relative to the directory, without empty components
 * and ".". Return 1, 0 if the file is elsewhere, or -EINVAL.
 */
static int make_path(const struct iolog *iolog, const char *name, char path[TREE_PATH_MAX])
{
	const char *directory = iolog->source->directory;
	const char *below = path_below(name, directory != NULL ? directory : "", NULL);
	const char *whole = name;
	size_t used = 0, length;

	if (strncmp(name, "/dev/", 5) == 0 && strncmp(name, "/dev/shm/", 9) != 0)
		return refuse(iolog,
			      "\"%s\" is a device; only I/O on regular files can be imported",
			      name);
	/* The directory itself is no file. */
	if (below == NULL || (*below == '\0' && below[-1] != '/'))
		return 0;
	for (name = below; *name != '\0'; name += length) {
		name += strspn(name, "/");
		length = strcspn(name, "/");
		if (length == 2 && memcmp(name, "..", 2) == 0)
			return refuse(iolog, "\"..\" in a file's name is not supported");
		if (length == 0 || (length == 1 && *name == '.'))
			continue;
		if (used + length + 2 > TREE_PATH_MAX)
			return refuse(iolog, "the file name is longer than %d bytes",
				      TREE_PATH_MAX - 2);
		if (used > 0)
			path[used++] = '/';
		memcpy(path + used, name, length);
		used += length;
	}
	path[used] = '\0';
	return used > 0
		       ? 1
		       : refuse(iolog, "\"%s\" is a directory; expected the name of a file", whole);
}

/* Find the slot for the open file with this path. Return NULL if memory is
 * short. */
static struct file **find_file(struct iolog *iolog, const char *path)
{
	int is_new;
	int64_t number = intern(&iolog->names, path, strlen(path), &is_new);

	if (number < 0 || array_grow(&iolog->files, &iolog->file_room, (size_t)number + 1,
				     sizeof(*iolog->files)) < 0) {
		error_no_memory(iolog->error);
		return NULL;
	}
	if (is_new)
		iolog->files[number] = NULL;
	return &iolog->files[number];
}

/* Append an operation on a file. `range` is its offset and length. */
static int add(struct iolog *iolog, const struct action *action, const char *path,
	       const uint64_t range[2])
{
	struct conversion *conversion = recording_conversion(iolog->recording);
	struct recorded recorded = RECORDED(action->op);
	struct file **file = find_file(iolog, path);
	bool opens = action->kind == ACTION_OPEN;

	if (file == NULL)
		return -ENOMEM;
	if (opens != (*file == NULL)) {
		conversion_set(conversion, CONVERSION_DROPPED, "%s",
			       opens ? "the file is open already" : "the file is not open");
		return 0;
	}
	recorded.path = path;
	recorded.file = *file;
	recorded.op.offset = range[0];
	recorded.op.size = range[1];
	if (opens) {
		recorded.op.open_flags = OPEN_READ | OPEN_WRITE | OPEN_FILE;
		recorded.kind = NODE_FILE;
		recorded.follow = true;
	} else if (action->op == OP_ALLOCATE) {
		recorded.op.mode = ALLOCATE_PUNCH_HOLE | ALLOCATE_KEEP_SIZE;
	} else if (op_class(action->op) == OP_CLASS_DATA) {
		recorded.op.flags |= OP_COUNTED;
		recorded.op.expect = (uint32_t)range[1];
	}
	if (recording_add(iolog->recording, &recorded, opens ? file : NULL) &&
	    action->kind == ACTION_CLOSE)
		*file = NULL;
	return 0;
}

static int play(struct iolog *iolog, const struct action *action, const char *name,
		const uint64_t range[2])
{
	struct conversion *conversion = recording_conversion(iolog->recording);
	char path[TREE_PATH_MAX];
	int rc = make_path(iolog, name, path);

	if (action->kind == ACTION_WAIT)
		iolog->time_ns += range[0] * NS_PER_US;
	if (rc < 0)
		return rc;
	if (rc == 0)
		conversion_set(conversion, CONVERSION_ELSEWHERE, "elsewhere");
	else if (action->op == OP_KINDS)
		conversion_set(conversion, CONVERSION_MERGED, "%s", action->word);
	else
		return add(iolog, action, path, range);
	return 0;
}

static int parse(const struct iolog *iolog, const char *what, const char *text, uint64_t max,
		 uint64_t *number)
{
	struct error error = {0};

	if (units_parse_count(text, "", 0, max, number, &error) == 0)
		return 0;
	return refuse(iolog, "\"%s\" is not %s; expected a whole number up to %" PRIu64, text, what,
		      max);
}

static int read_line(struct iolog *iolog)
{
	const struct action *action = actions;
	const struct action *end = actions + sizeof(actions) / sizeof(actions[0]);
	char *words[WORDS], **word = words;
	size_t count = split(iolog->line, words), rest;
	uint64_t range[2] = {0, 0}, time_us = 0;

	if (iolog->version == 3 && count > 0) {
		if (parse(iolog, "a time in microseconds", *word++, NUMBER_MAX, &time_us) < 0)
			return -EINVAL;
		iolog->time_ns = time_us * NS_PER_US;
	}
	rest = count - (size_t)(word - words);
	if (rest < 2)
		return refuse(iolog, "the line ends too early; expected a file name and an action, "
				     "such as \"/srv/a open\"");
	while (action < end && strcmp(action->word, word[1]) != 0)
		action++;
	if (action == end)
		return refuse(iolog, "unknown action \"%s\"", word[1]);
	if (rest != (action->ranged ? 4 : 2))
		return refuse(
			iolog,
			action->ranged
				? "the action \"%s\" needs an offset and a length, and nothing more"
				: "the action \"%s\" must be the last word of its line",
			word[1]);
	if (action->ranged && (parse(iolog, "an offset", word[2], NUMBER_MAX, &range[0]) < 0 ||
			       parse(iolog, "a length", word[3], UINT32_MAX, &range[1]) < 0))
		return -EINVAL;
	recording_begin(iolog->recording, action->word, iolog->time_ns, iolog->number);
	iolog->source->call_count++;
	iolog->source->last_ns = iolog->time_ns;
	if (iolog->source->call_count == 1)
		iolog->source->first_ns = iolog->time_ns;
	return play(iolog, action, word[0], range);
}

int fio_read(struct source *source, FILE *stream, struct error *error)
{
	struct iolog iolog = {
		.source = source,
		.stream = stream,
		.error = error,
	};
	bool excluded;
	int rc;

	source->call = "iolog entry";
	source->calls = "iolog entries";
	iolog.recording = source_recording(source, "", &excluded);
	if (iolog.recording == NULL && !excluded)
		return error_no_memory(error);
	rc = read_version(&iolog);
	while (rc == 0 && (rc = next_line(&iolog)) > 0)
		rc = iolog.recording != NULL ? read_line(&iolog) : 0;
	free(iolog.line);
	free(iolog.files);
	intern_free(&iolog.names);
	return rc;
}
