/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/state.h"

#include "base/units.h"
#include "crash/line.h"
#include "verify/content.h"
#include "words/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USERS_MAX = 1 << 20, TARGETS_MAX = 1 << 16 };

/* A file that is being read. */
struct reading {
	struct state_line line;
	struct state *state;
	unsigned targets; /* number of targets announced */
	bool in_user;     /* there was a line "user" ... */
	unsigned user;    /* ... with this number */
	bool ended;       /* there was a line "end" */
};

#define REFUSE(reading, ...) state_line_refuse(&(reading)->line, __VA_ARGS__)

static int expect_words(const struct reading *reading, unsigned count)
{
	return state_line_expect(&reading->line, count);
}

static int number(const struct reading *reading, unsigned word, const char *what, uint64_t min,
		  uint64_t max, uint64_t *value)
{
	return state_line_number(&reading->line, word, what, min, max, value);
}

static const char *word(const struct reading *reading, unsigned index)
{
	return reading->line.words[index];
}

/* Report that memory is short, if it is. */
static int added(const struct reading *reading, int rc)
{
	return rc < 0 ? error_no_memory(reading->line.error) : 0;
}

static int read_nonce(struct reading *reading)
{
	const char *text;
	size_t i;

	if (expect_words(reading, 1) < 0)
		return -EINVAL;
	text = word(reading, 1);
	if (strlen(text) != 16)
		return REFUSE(reading, "nonce: expected 16 digits");
	for (i = 0; i < 16; i++) {
		int digit = state_line_digit(text[i]);

		if (digit < 0)
			return REFUSE(reading, "nonce: \"%s\" is not a hexadecimal number", text);
		reading->state->nonce = reading->state->nonce << 4 | (unsigned)digit;
	}
	return 0;
}

static int read_pool(struct reading *reading)
{
	uint64_t bytes;

	if (expect_words(reading, 1) < 0 || number(reading, 1, "pool", 1, INT64_MAX, &bytes) < 0)
		return -EINVAL;
	if (bytes != CONTENT_PERIOD)
		return REFUSE(reading, "pool: this version needs %d bytes", CONTENT_PERIOD);
	return 0;
}

static int read_users(struct reading *reading)
{
	uint64_t first, users, targets;

	if (expect_words(reading, 3) < 0 ||
	    number(reading, 1, "first user", 0, USERS_MAX, &first) < 0 ||
	    number(reading, 2, "users", 1, USERS_MAX, &users) < 0 ||
	    number(reading, 3, "targets", 1, TARGETS_MAX, &targets) < 0)
		return -EINVAL;
	reading->state->first_user = (unsigned)first;
	reading->state->users = (unsigned)users;
	reading->targets = (unsigned)targets;
	return 0;
}

static int read_target(struct reading *reading)
{
	struct state_target target = {0};
	unsigned flush = 0;

	if (expect_words(reading, 2) < 0)
		return -EINVAL;
	while (flush < STATE_FLUSHES && strcmp(word(reading, 1), state_flushes[flush]) != 0)
		flush++;
	if (flush == STATE_FLUSHES)
		return REFUSE(reading,
			      "\"%s\" is not a kind of flush; expected proven, data, blind or none",
			      word(reading, 1));
	target.flush = flush;
	target.url = reading->line.words[2];
	target.directory = "";
	return added(reading, state_add_target(reading->state, &target));
}

/* Read the directory of the run on the last target. */
static int read_directory(struct reading *reading)
{
	struct state *state = reading->state;
	char **directory = &state->targets[state->target_count - 1].directory;
	const char *name;

	if (expect_words(reading, 1) < 0)
		return -EINVAL;
	name = word(reading, 1);
	if (strlen(name) > NAME_MAX || strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0)
		return REFUSE(
			reading,
			"\"%s\" is not the name of a directory; expected one component of a path",
			name);
	free(*directory);
	*directory = strdup(name);
	return added(reading, *directory != NULL ? 0 : -ENOMEM);
}

static const struct state_file *last_file(const struct reading *reading)
{
	const struct state *state = reading->state;

	return state->file_count > 0 ? &state->files[state->file_count - 1] : NULL;
}

/* Check that the last file is complete. */
static int check_last_file(const struct reading *reading)
{
	const struct state_file *file = last_file(reading);

	if (file == NULL || file->name_count > 0)
		return 0;
	return REFUSE(
		reading,
		"expected \"name\" before this line, because the previous \"file\" has no name");
}

static int read_lost(struct reading *reading)
{
	struct state *state = reading->state;
	uint64_t user, min = state->lost_count > 0 ? state->lost[state->lost_count - 1] + 1
						   : state->first_user;

	if (expect_words(reading, 1) < 0 ||
	    number(reading, 1, "user", min, (uint64_t)state->first_user + state->users - 1, &user) <
		    0)
		return -EINVAL;
	if (reading->in_user)
		return REFUSE(reading, "\"lost\" must come before the first \"user\"");
	return added(reading, state_add_lost(state, (unsigned)user));
}

static int read_user(struct reading *reading)
{
	const struct state *state = reading->state;
	uint64_t user, min = reading->in_user ? reading->user + 1 : state->first_user;

	if (expect_words(reading, 1) < 0 ||
	    number(reading, 1, "user", min, (uint64_t)state->first_user + state->users - 1, &user) <
		    0 ||
	    check_last_file(reading) < 0)
		return -EINVAL;
	reading->in_user = true;
	reading->user = (unsigned)user;
	return 0;
}

static int read_file(struct reading *reading)
{
	struct state_file file;
	uint64_t size;
	bool exact;

	if (expect_words(reading, 2) < 0 || number(reading, 1, "size", 0, INT64_MAX, &size) < 0)
		return -EINVAL;
	exact = strcmp(word(reading, 2), "exact") == 0;
	if (!exact && strcmp(word(reading, 2), "uncertain") != 0)
		return REFUSE(reading,
			      "expected \"exact\" or \"uncertain\" after the size, not \"%s\"",
			      word(reading, 2));
	if (!reading->in_user)
		return REFUSE(reading, "\"file\" must come after a \"user\"");
	if (check_last_file(reading) < 0)
		return -EINVAL;
	file = (struct state_file){
		.user = reading->user,
		.size = size,
		.size_exact = exact,
	};
	return added(reading, state_add_file(reading->state, &file));
}

static int read_barred(struct reading *reading)
{
	struct state *state = reading->state;
	const struct state_file *file = last_file(reading);

	if (expect_words(reading, 0) < 0)
		return -EINVAL;
	if (file == NULL || file->name_count > 0)
		return REFUSE(reading, "\"barred\" must come after a \"file\" and before the first "
				       "\"name\" of this file");
	state->files[state->file_count - 1].barred = true;
	return 0;
}

/* Check that a path is one below the directory of this user, and cannot leave
 * it. */
static bool is_own_path(const char *path, unsigned user)
{
	char home[64];
	int length = snprintf(home, sizeof(home), "%s/%s%u/", CLIENTS_NAME, USER_STEM, user);

	if (strncmp(path, home, (size_t)length) != 0 || strlen(path) >= PATH_MAX)
		return false;
	path += length - 1;
	while (*path == '/') {
		size_t part = strcspn(++path, "/");

		if (part == 0 || (part == 1 && path[0] == '.') ||
		    (part == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += part;
	}
	return true;
}

static int read_name(struct reading *reading)
{
	const struct state_file *file = last_file(reading);
	unsigned kind = 0;

	if (expect_words(reading, 2) < 0)
		return -EINVAL;
	while (kind < STATE_NAMES && strcmp(word(reading, 1), state_names[kind]) != 0)
		kind++;
	if (kind == STATE_NAMES)
		return REFUSE(reading,
			      "expected \"must\", \"sole\" or \"may\" before a name, not \"%s\"",
			      word(reading, 1));
	if (file == NULL || file->range_count > 0 || file->user != reading->user)
		return REFUSE(
			reading,
			"\"name\" must come after a \"file\" and before the ranges of this file");
	if (!is_own_path(word(reading, 2), reading->user))
		return REFUSE(reading, "\"%s\" is not a path in the directory of user %u",
			      word(reading, 2), reading->user);
	return added(reading, state_add_name(reading->state, word(reading, 2), kind));
}

/* Parse the value that begins at word *at: "zeros", "unknown" or "data N".
 * Advance *at. */
static int read_value(struct reading *reading, unsigned *at, struct map_value *value)
{
	const char *kind = *at < reading->line.word_count ? word(reading, (*at)++) : "";
	uint64_t change = 0;

	*value = (struct map_value){.kind = MAP_UNKNOWN};
	if (strcmp(kind, "zeros") == 0) {
		value->kind = MAP_ZERO;
	} else if (strcmp(kind, "data") == 0) {
		if (*at == reading->line.word_count)
			return REFUSE(reading, "expected the number of a write after \"data\"");
		if (number(reading, (*at)++, "write", 1, MAP_CHANGES_MAX, &change) < 0)
			return -EINVAL;
		value->kind = MAP_DATA;
		value->change = (unsigned)change & MAP_CHANGES_MAX;
	} else if (strcmp(kind, "unknown") != 0) {
		return REFUSE(reading, "expected \"zeros\", \"unknown\" or \"data\", not \"%s\"",
			      kind);
	}
	return 0;
}

/* Check that the values of a range go together. */
static int check_values(struct reading *reading, const struct state_range *range)
{
	if (range->kind != STATE_UNKNOWN && range->now.kind == MAP_UNKNOWN)
		return REFUSE(reading,
			      "expected the content of the range after the offsets of \"%s\"",
			      word(reading, 0));
	if (range->kind == STATE_MAY && range->before.kind == MAP_DATA &&
	    range->now.kind == MAP_DATA && range->before.change > range->now.change)
		return REFUSE(reading,
			      "the old content has a larger write number than the new content");
	return 0;
}

/* Check that a range follows the last one of its file and lies inside it. */
static int check_place(struct reading *reading, const struct state_file *file,
		       const struct state_range *range)
{
	const struct state *state = reading->state;
	uint64_t end = 0;

	if (file == NULL || file->name_count == 0 || file->user != reading->user)
		return REFUSE(reading, "\"%s\" must come after the last \"name\" of a \"file\"",
			      word(reading, 0));
	if (file->range_count > 0)
		end = state->ranges[state->range_count - 1].to;
	if (range->from < end)
		return REFUSE(reading,
			      "the range begins at %" PRIu64
			      ", but the previous range ends at %" PRIu64,
			      range->from, end);
	if (range->from >= range->to)
		return REFUSE(reading, "the range ends before it begins");
	if (range->to > file->size)
		return REFUSE(reading,
			      "the range ends at %" PRIu64 ", but the file ends at %" PRIu64,
			      range->to, file->size);
	return 0;
}

static int read_range(struct reading *reading, enum state_kind kind)
{
	struct state_range range = {
		.kind = kind,
		.now.kind = MAP_UNKNOWN,
		.before.kind = MAP_UNKNOWN,
	};
	const struct state_file *file = last_file(reading);
	unsigned at = 3;
	int rc;

	if (reading->line.word_count < 3)
		return REFUSE(reading, "expected the two offsets of a range after \"%s\"",
			      word(reading, 0));
	rc = number(reading, 1, "offset", 0, INT64_MAX, &range.from);
	if (rc == 0)
		rc = number(reading, 2, "offset", 0, INT64_MAX, &range.to);
	if (rc == 0 && kind != STATE_UNKNOWN)
		rc = read_value(reading, &at, &range.now);
	if (rc == 0 && kind == STATE_MAY) {
		if (at == reading->line.word_count || strcmp(word(reading, at++), "before") != 0)
			return REFUSE(reading, "expected \"before\"");
		rc = read_value(reading, &at, &range.before);
	}
	if (rc == 0 && at != reading->line.word_count)
		return REFUSE(reading, "unexpected \"%s\"", word(reading, at));
	if (rc == 0)
		rc = check_values(reading, &range);
	if (rc == 0)
		rc = check_place(reading, file, &range);
	if (rc < 0)
		return rc;
	return added(reading, state_add_range(reading->state, &range));
}

static int read_must(struct reading *reading)
{
	return read_range(reading, STATE_MUST);
}

static int read_may(struct reading *reading)
{
	return read_range(reading, STATE_MAY);
}

static int read_unknown(struct reading *reading)
{
	return read_range(reading, STATE_UNKNOWN);
}

static int read_end(struct reading *reading)
{
	uint64_t files;

	if (expect_words(reading, 1) < 0 || number(reading, 1, "files", 0, INT64_MAX, &files) < 0 ||
	    check_last_file(reading) < 0)
		return -EINVAL;
	if (files != reading->state->file_count)
		return REFUSE(reading, "\"end\" announces %s files, but the state file has %zu",
			      word(reading, 1), reading->state->file_count);
	reading->ended = true;
	return 0;
}

struct line_kind {
	const char *word;
	int (*read)(struct reading *reading);
};

/* clang-format off */
/* The lines of the file's head, in this order; the lines "target" and
 * "directory" of each target follow. */
static const struct line_kind head[] = {
	{"nonce", read_nonce},
	{"pool", read_pool},
	{"users", read_users},
};

static const struct line_kind body[] = {
	{"lost", read_lost},
	{"user", read_user},
	{"file", read_file},
	{"barred", read_barred},
	{"name", read_name},
	{"must", read_must},
	{"may", read_may},
	{"unknown", read_unknown},
	{"end", read_end},
};
/* clang-format on */

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Read a line of the head. */
static int read_head_line(struct reading *reading, const struct line_kind *kind)
{
	int rc = state_line_next(&reading->line);

	if (rc < 0)
		return rc;
	if (rc == 0 || strcmp(word(reading, 0), kind->word) != 0)
		return REFUSE(reading, "expected \"%s\"", kind->word);
	return kind->read(reading);
}

static int read_head(struct reading *reading)
{
	static const struct line_kind target = {"target", read_target};
	static const struct line_kind directory = {"directory", read_directory};
	int rc = state_line_next(&reading->line);
	unsigned i;

	if (rc < 0)
		return rc;
	if (rc == 0 || strcmp(word(reading, 0), STATE_MAGIC) != 0)
		return REFUSE(reading,
			      "not a state file: its first line is not \"" STATE_MAGIC " %d\"",
			      STATE_VERSION);
	if (reading->line.word_count != 2 || strcmp(word(reading, 1), "2") != 0)
		return REFUSE(reading,
			      "unknown version of a state file; this program reads version %d",
			      STATE_VERSION);
	for (i = 0; i < LENGTH(head) && rc >= 0; i++)
		rc = read_head_line(reading, &head[i]);
	for (i = 0; i < reading->targets && rc >= 0; i++) {
		rc = read_head_line(reading, &target);
		if (rc >= 0)
			rc = read_head_line(reading, &directory);
	}
	return rc;
}

static int read_body_line(struct reading *reading)
{
	size_t i;

	if (reading->ended)
		return REFUSE(reading, "expected no line after \"end\"");
	for (i = 0; i < LENGTH(body); i++)
		if (strcmp(word(reading, 0), body[i].word) == 0)
			return body[i].read(reading);
	return REFUSE(reading, "unknown word \"%s\"", word(reading, 0));
}

static int read_all(struct reading *reading)
{
	int rc = read_head(reading);

	while (rc >= 0 && (rc = state_line_next(&reading->line)) > 0)
		rc = read_body_line(reading);
	if (rc < 0)
		return rc;
	if (!reading->ended)
		return REFUSE(reading,
			      "this file has no line \"end\", so the file is not complete");
	return 0;
}

int state_read(const char *path, struct state *state, struct error *error)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	int rc;

	*state = (struct state){0};
	if (reading == NULL)
		return error_no_memory(error);
	reading->state = state;
	reading->line.source = path;
	reading->line.error = error;
	reading->line.stream = fopen(path, "re");
	if (reading->line.stream == NULL) {
		rc = -errno;
		error_set(error, "cannot open \"%s\": %s", path, strerror(errno));
	} else {
		rc = read_all(reading);
		fclose(reading->line.stream);
	}
	free(reading);
	return rc;
}

int state_check_place(const char *what, const char *path, struct error *error)
{
	char start[sizeof(STATE_MAGIC)];
	/* Opening a FIFO must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : read(fd, start, sizeof(start));
	int rc = got < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	if (rc == -ENOENT || got == 0)
		return 0;
	if (rc < 0) {
		error_set(error,
			  "%s %s: the file exists and cannot be read: %s; choose another name",
			  what, path, strerror(-rc));
		return rc;
	}
	if (got == sizeof(start) && memcmp(start, STATE_MAGIC " ", sizeof(start)) == 0)
		return 0;
	error_set(error, "%s %s: the file exists and is not a state file; choose another name",
		  what, path);
	return -EEXIST;
}
