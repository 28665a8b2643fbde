/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/check.h"

#include "base/letter_case.h"
#include "crash/compare.h"
#include "verify/catalog.h"
#include "verify/content.h"
#include "verify/track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Add a finding about a range. */
static void add_range_finding(const struct state_checking *checking, enum state_finding_kind kind,
			      uint64_t from, uint64_t to, int error)
{
	struct state_finding *finding = state_add_finding(checking, kind);

	if (finding == NULL)
		return;
	finding->difference.offset = from;
	finding->difference.length = to - from;
	finding->error = error;
}

/* Count bytes that the file does not have. */
static void count_absent(struct state_checking *checking, const struct state_range *range,
			 uint64_t from)
{
	uint64_t bytes = range->to - from;

	if (range->kind == STATE_MAY)
		checking->report->zero_bytes += bytes;
	if (range->kind != STATE_MUST)
		return;
	checking->report->missing_bytes += bytes;
	if (!checking->end_reported)
		add_range_finding(checking, STATE_FINDING_END, from, range->to, 0);
	checking->end_reported = true;
}

/* Note that the file cannot be read for lack of permission. This is not a
 * finding if the load has taken away the right. */
static void note_denied(struct state_checking *checking, int error)
{
	struct state_finding *finding;

	if (checking->denied)
		return;
	checking->denied = true;
	if (checking->file->barred) {
		checking->report->barred_files++;
		return;
	}
	checking->report->denied_files++;
	finding = state_add_finding(checking, STATE_FINDING_DENIED);
	if (finding != NULL)
		finding->error = error;
}

/* Count bytes that cannot be read. */
static void count_unreadable(struct state_checking *checking, const struct state_range *range,
			     uint64_t from, int error)
{
	const bool denied = track_is_denied(-error);
	uint64_t bytes = range->to - from;

	if (range->kind != STATE_MUST)
		checking->report->unknown_bytes += bytes;
	else if (denied)
		checking->report->unreadable_bytes += bytes;
	else
		checking->report->missing_bytes += bytes;
	if (denied)
		note_denied(checking, error);
	else
		add_range_finding(checking, STATE_FINDING_READ, from, range->to, error);
}

/* Read and check a range. A target may return fewer bytes than there are, so only
 * a read of 0 bytes is the end. Return 0, or -errno if the target is lost. */
static int check_range(struct state_checking *checking, const struct state_range *range)
{
	struct state_piece piece = {.range = range, .bytes = checking->buffer};
	size_t wanted;

	for (piece.at = range->from; piece.at < range->to; piece.at += piece.size) {
		int64_t got;

		wanted = range->to - piece.at < STATE_READ_BYTES ? (size_t)(range->to - piece.at)
								 : STATE_READ_BYTES;
		got = checking->backend->read(checking->session, checking->handle, checking->buffer,
					      wanted, piece.at);
		++*checking->steps;
		if (got < 0 && checking->check->is_loss((int)got))
			return (int)got;
		if (got < 0) {
			count_unreadable(checking, range, piece.at, (int)-got);
			return 0;
		}
		if (got == 0) {
			count_absent(checking, range, piece.at);
			return 0;
		}
		piece.size = (size_t)got;
		if (range->kind == STATE_MUST)
			state_compare_must(checking, &piece);
		else
			state_compare_may(checking, &piece);
	}
	return 0;
}

/* Check the size of the open file, and count the bytes after its end. */
static int check_size(struct state_checking *checking)
{
	const struct backend_path path = {.text = checking->path};
	struct backend_attributes attributes;
	struct state_finding *finding;
	int rc;

	rc = checking->backend->stat(checking->session, &path, &attributes);
	if (rc < 0 && checking->check->is_loss(rc))
		return rc;
	if (rc == 0 && attributes.size_bytes > checking->file->size)
		checking->report->surplus_bytes += attributes.size_bytes - checking->file->size;
	if (!checking->file->size_exact ||
	    (rc == 0 && attributes.size_bytes == checking->file->size))
		return 0;
	if (track_is_denied(rc)) {
		note_denied(checking, -rc);
		return 0;
	}
	finding = state_add_finding(checking, rc < 0 ? STATE_FINDING_NAME : STATE_FINDING_SIZE);
	if (finding != NULL) {
		finding->error = -rc;
		finding->size = checking->file->size;
		finding->found_size = attributes.size_bytes;
	}
	checking->end_reported = true;
	return 0;
}

static int check_ranges(struct state_checking *checking)
{
	const struct state_file *file = checking->file;
	int rc = 0;
	size_t i;

	for (i = 0; i < file->range_count && rc == 0; i++) {
		const struct state_range *range = state_range_of(checking->check->state, file, i);

		if (range->kind != STATE_UNKNOWN)
			rc = check_range(checking, range);
	}
	return rc;
}

/* Note that a name cannot be opened. */
static void note_unopened(struct state_checking *checking, const struct state_name *name, int error)
{
	const char *opened = checking->path;
	struct state_finding *finding = NULL;

	checking->path = name->path;
	if (track_is_denied(-error)) {
		/* Nothing is known of a file without ranges. */
		if (name->kind != STATE_NAME_MAY || checking->file->range_count > 0)
			note_denied(checking, error);
	} else if (name->kind != STATE_NAME_MUST) {
		checking->report->absent_names++;
	} else {
		checking->report->missing_names++;
		finding = state_add_finding(checking, STATE_FINDING_NAME);
	}
	if (finding != NULL)
		finding->error = error;
	checking->path = opened;
}

/* Find out whether another name is one of the file that is open. A file without a
 * number is taken for the same. */
static int check_name(struct state_checking *checking, const struct state_name *name,
		      int64_t handle)
{
	const struct backend *backend = checking->backend;
	const char *opened = checking->path;
	struct backend_file file = {0}, other = {0};
	int rc;

	if (backend->identify == NULL || name->kind == STATE_NAME_MAY)
		return 0;
	rc = backend->identify(checking->session, checking->handle, &file);
	if (rc == 0)
		rc = backend->identify(checking->session, handle, &other);
	if (rc < 0)
		return checking->check->is_loss(rc) ? rc : 0;
	if (file.id == 0 || other.id == 0 || file.id == other.id)
		return 0;
	checking->report->missing_names += name->kind == STATE_NAME_MUST;
	checking->path = name->path;
	state_add_finding(checking, STATE_FINDING_OTHER);
	checking->path = opened;
	return 0;
}

/* Open the file by one of its names. Keep the first handle, and close others,
 * which only show that the name is one of this file. */
static int try_name(struct state_checking *checking, const struct state_name *name)
{
	const struct backend_path path = {.text = name->path};
	int64_t handle = checking->backend->open(checking->session, &path, OPEN_READ | OPEN_FILE);
	int rc, closed;

	++*checking->steps;
	if (handle < 0 && checking->check->is_loss((int)handle))
		return (int)handle;
	if (handle < 0) {
		note_unopened(checking, name, (int)-handle);
	} else if (checking->handle >= 0) {
		rc = check_name(checking, name, handle);
		closed = checking->backend->close(checking->session, handle);
		return rc < 0 ? rc : closed;
	} else {
		checking->handle = handle;
		checking->path = name->path;
	}
	return 0;
}

/* Count a name that may be missing, or be one of another file. */
static int look_for(struct state_checking *checking, const struct state_name *name)
{
	const struct backend_path path = {.text = name->path};
	struct backend_attributes attributes;
	int rc = checking->backend->stat(checking->session, &path, &attributes);

	++*checking->steps;
	if (rc < 0 && checking->check->is_loss(rc))
		return rc;
	if (rc < 0 && !track_is_denied(rc))
		checking->report->absent_names++;
	return 0;
}

/* Open the file: by the names that can only be its own, or if there are none,
 * by the others. Set *must to whether one of its names must be there. */
static int open_names(struct state_checking *checking, bool *must)
{
	const struct state_file *file = checking->file;
	const struct state_name *names = &checking->check->state->names[file->first_name];
	uint64_t counts[STATE_NAMES] = {0}, own;
	size_t i;
	int rc = 0;

	for (i = 0; i < file->name_count; i++)
		counts[names[i].kind]++;
	own = counts[STATE_NAME_MUST] + counts[STATE_NAME_SOLE];
	*must = counts[STATE_NAME_MUST] > 0;
	checking->report->must_names += counts[STATE_NAME_MUST];
	checking->report->may_names += file->name_count - counts[STATE_NAME_MUST];
	for (i = 0; i < file->name_count && rc == 0; i++)
		rc = names[i].kind != STATE_NAME_MAY || own == 0 ? try_name(checking, &names[i])
								 : look_for(checking, &names[i]);
	return rc;
}

/* Return the number of bytes in the file's ranges of a kind. */
static uint64_t bytes_of_kind(const struct state_checking *checking, enum state_kind kind)
{
	const struct state_file *file = checking->file;
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < file->range_count; i++) {
		const struct state_range *range = state_range_of(checking->check->state, file, i);

		if (range->kind == kind)
			bytes += range->to - range->from;
	}
	return bytes;
}

/* Count the bytes of a file that could not be opened. */
static void count_unopened(struct state_checking *checking, bool must)
{
	struct state_report *report = checking->report;
	uint64_t must_bytes = bytes_of_kind(checking, STATE_MUST);
	uint64_t may_bytes = bytes_of_kind(checking, STATE_MAY);

	if (checking->denied) {
		report->must_bytes += must_bytes;
		report->unreadable_bytes += must_bytes;
		report->unknown_bytes += may_bytes;
		return;
	}
	report->zero_bytes += may_bytes;
	if (must) {
		report->must_bytes += must_bytes;
		report->missing_bytes += must_bytes;
	} else {
		report->absent_bytes += must_bytes;
	}
}

static int check_file(struct state_checking *checking)
{
	struct state_report *report = checking->report;
	bool must;
	int rc;

	checking->handle = -1;
	checking->path = "";
	checking->end_reported = checking->denied = false;
	report->unknown_bytes += bytes_of_kind(checking, STATE_UNKNOWN);
	rc = open_names(checking, &must);
	if (rc < 0)
		return rc;
	if (checking->handle < 0) {
		count_unopened(checking, must);
		return 0;
	}
	report->must_bytes += bytes_of_kind(checking, STATE_MUST);
	rc = check_size(checking);
	if (rc == 0)
		rc = check_ranges(checking);
	if (rc == 0)
		rc = checking->backend->close(checking->session, checking->handle);
	return rc;
}

int state_check_user(const struct state_check *check, const struct backend *backend,
		     struct backend_session *session, unsigned user, struct state_report *report,
		     uint64_t *steps)
{
	const struct state *state = check->state;
	struct state_checking checking = {
		.check = check,
		.backend = backend,
		.session = session,
		.report = report,
		.steps = steps,
		.buffer = malloc(STATE_READ_BYTES),
	};
	size_t i;
	int rc = checking.buffer != NULL ? 0 : -ENOMEM;

	for (i = 0; i < state->file_count && rc == 0; i++) {
		checking.file = &state->files[i];
		if (checking.file->user == user)
			rc = check_file(&checking);
	}
	free(checking.buffer);
	return rc;
}

/* Add a file to the map of its user. If the map is full, data of this file is
 * not recognised elsewhere. */
static void fill_map(const struct state *state, const struct state_file *file, struct map *map)
{
	struct map_file *filled;
	arena_ref ref = map_add_file(map);
	size_t i;

	if (ref == 0 || !catalog_add(map, state->names[file->first_name].path, ref))
		return;
	filled = map_file(map, ref);
	for (i = 0; i < file->range_count; i++) {
		const struct state_range *range = state_range_of(state, file, i);

		map_set(map, filled, range->from, range->to, range->now);
	}
}

/* Return the number of bytes in the files of a user. */
static uint64_t footprint(const struct state *state, unsigned user)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < state->file_count; i++)
		if (state->files[i].user == user && bytes < INT64_MAX)
			bytes += state->files[i].size;
	return bytes;
}

/* Make the map of the file's user, unless it is there. */
static struct map *map_of(struct state_check *check, const struct state_file *file)
{
	struct map **map = &check->maps[file->user - check->state->first_user];

	if (*map != check->empty)
		return *map;
	*map = map_new(footprint(check->state, file->user));
	if (*map == NULL)
		return NULL;
	/* The numbers of changes that fill_map needs do not matter, but the
	 * last ones are reserved. */
	(*map)->change = MAP_CHANGES_MAX / 2;
	/* The names that a state has are different ones. */
	(*map)->letter_case = LETTER_CASE_KEPT;
	return *map;
}

int state_check_open(struct state_check *check, const struct state *state)
{
	unsigned user;
	size_t i;

	check->state = state;
	check->content = content_new(state->nonce, NULL, STATE_READ_BYTES);
	check->maps = calloc(state->users, sizeof(*check->maps));
	check->empty = map_new(0);
	if (check->content == NULL || check->maps == NULL || check->empty == NULL)
		return -ENOMEM;
	for (user = 0; user < state->users; user++)
		check->maps[user] = check->empty;
	for (i = 0; i < state->file_count; i++) {
		struct map *map = map_of(check, &state->files[i]);

		if (map == NULL)
			return -ENOMEM;
		fill_map(state, &state->files[i], map);
	}
	return 0;
}

void state_check_close(struct state_check *check)
{
	unsigned user;

	for (user = 0; check->maps != NULL && user < check->state->users; user++)
		if (check->maps[user] != check->empty)
			map_free(check->maps[user]);
	free(check->maps);
	map_free(check->empty);
	content_free(check->content);
}

void state_report_add(struct state_report *report, const struct state_report *more)
{
	uint64_t kept = more->finding_count < STATE_FINDINGS ? more->finding_count : STATE_FINDINGS;
	uint64_t i;

	report->must_bytes += more->must_bytes;
	report->missing_bytes += more->missing_bytes;
	report->must_names += more->must_names;
	report->missing_names += more->missing_names;
	report->barred_files += more->barred_files;
	report->denied_files += more->denied_files;
	report->unreadable_bytes += more->unreadable_bytes;
	report->may_names += more->may_names;
	report->absent_names += more->absent_names;
	report->absent_bytes += more->absent_bytes;
	report->now_bytes += more->now_bytes;
	report->before_bytes += more->before_bytes;
	report->between_bytes += more->between_bytes;
	report->zero_bytes += more->zero_bytes;
	report->other_bytes += more->other_bytes;
	report->surplus_bytes += more->surplus_bytes;
	report->unknown_bytes += more->unknown_bytes;
	for (i = 0; i < kept && report->finding_count + i < STATE_FINDINGS; i++)
		report->findings[report->finding_count + i] = more->findings[i];
	report->finding_count += more->finding_count;
}
