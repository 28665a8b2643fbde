/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/state.h"

#include "verify/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A user's map, and what is known about its target. */
struct taking {
	const struct map *map;
	const struct state_target *target;
	unsigned user; /* a number in the whole run */
	struct state *state;
	/* The names of all files, sorted. */
	const struct catalog_name **names;
	size_t name_count;
};

/* Does a flush prove that data and sizes are durable? */
static bool is_flush_proof(const struct taking *taking)
{
	return taking->target->flush == STATE_FLUSH_PROVEN ||
	       taking->target->flush == STATE_FLUSH_DATA;
}

/* Is this value of a file durable? A flush counts only if it proves that. */
static bool is_durable(const struct taking *taking, const struct map_file *file,
		       struct map_value value)
{
	return value.durable != 0 || value.change == 0 ||
	       (is_flush_proof(taking) && value.change <= file->flushed);
}

/* Return the number of the last change for which the file is known to have
 * reached the disk together with its names, if the target flushes names. */
static uint32_t last_synced(const struct taking *taking, const struct map_file *file)
{
	uint32_t last = is_flush_proof(taking) ? file->synced : 0;
	struct map_run run;
	uint64_t at;

	for (at = 0; at < file->size; at = run.to) {
		run = map_run(taking->map, file, at, file->size);
		if (run.state.now.kind == MAP_DATA && run.state.now.durable != 0 &&
		    run.state.now.change > last)
			last = run.state.now.change;
	}
	return last;
}

/* Return whether a lane was in an operation after which nothing is known of the
 * file. */
static bool is_pending(const struct map *map, arena_ref file)
{
	size_t i;

	for (i = 0; i < MAP_LANES; i++) {
		const struct map_pending *pending = &map->pending[i];

		if (pending->all ||
		    (pending->whole && (pending->file == file || pending->other == file)))
			return true;
	}
	return false;
}

/* Return the first unfinished write of the range, or NULL. */
static const struct map_pending *find_write(const struct map *map, arena_ref file, uint64_t from,
					    uint64_t to)
{
	const struct map_pending *found = NULL;
	size_t i;

	for (i = 0; i < MAP_LANES; i++) {
		const struct map_pending *pending = &map->pending[i];

		if (pending->file == file && !pending->reads && pending->to > from &&
		    pending->from < to && (found == NULL || pending->from < found->from))
			found = pending;
	}
	return found;
}

/* Is the size known to be on the disk? */
static bool is_size_exact(const struct taking *taking, arena_ref ref)
{
	const struct map_file *file = map_file(taking->map, ref);

	if (file->loose_end || find_write(taking->map, ref, 0, UINT64_MAX) != NULL)
		return false;
	if (file->resized == 0 || (is_flush_proof(taking) && file->resized <= file->flushed))
		return true;
	/* Where names are durable at once, so is a truncation. */
	return taking->target->durable_names && file->resized == file->cut;
}

/* Normalise a value: the number of a change matters only for data. */
static struct map_value plain(struct map_value value)
{
	struct map_value made = {.kind = value.kind};

	if (value.kind == MAP_DATA)
		made.change = value.change;
	return made;
}

/* Classify a range of one state. `anchored`: the file has a name that must be
 * there, or that is its own wherever it is. */
static struct state_range classify(const struct taking *taking, const struct map_file *file,
				   const struct map_run *run, bool anchored)
{
	struct state_range range = {
		.from = run->from,
		.to = run->to,
		.kind = STATE_UNKNOWN,
		.now.kind = MAP_UNKNOWN,
		.before.kind = MAP_UNKNOWN,
	};
	/* Until a cut of the file is durable, bytes that the map has dropped
	 * may come back. */
	bool cut = file->cut > file->flushed && !taking->target->durable_names;

	if (run->state.now.kind == MAP_UNKNOWN)
		return range;
	range.now = plain(run->state.now);
	if (anchored && is_durable(taking, file, run->state.now)) {
		range.kind = STATE_MUST;
		return range;
	}
	range.kind = STATE_MAY;
	/* The number of the change that made zeros is not in the state, so
	 * versions before it could not be told from those after it. */
	if (anchored && !cut && run->state.now.kind == MAP_DATA &&
	    is_durable(taking, file, run->state.before))
		range.before = plain(run->state.before);
	return range;
}

static bool same(struct map_value one, struct map_value other)
{
	return one.kind == other.kind && one.change == other.change;
}

/* Add a range to the last file, or extend its last range. */
static int add_range(struct state *state, const struct state_range *range)
{
	const struct state_file *file = &state->files[state->file_count - 1];
	struct state_range *last;

	if (range->from >= range->to)
		return 0;
	if (file->range_count == 0)
		return state_add_range(state, range);
	last = &state->ranges[state->range_count - 1];
	if (last->to != range->from || last->kind != range->kind || !same(last->now, range->now) ||
	    !same(last->before, range->before))
		return state_add_range(state, range);
	last->to = range->to;
	return 0;
}

/* Add a range, but as unknown where it is part of unfinished writes. */
static int add_around(const struct taking *taking, arena_ref file, const struct state_range *range)
{
	const struct map_pending *pending;
	struct state_range part = *range;
	int rc = 0;

	while (rc == 0 && part.from < range->to &&
	       (pending = find_write(taking->map, file, part.from, range->to)) != NULL) {
		struct state_range hidden = {
			.from = pending->from > part.from ? pending->from : part.from,
			.to = pending->to < range->to ? pending->to : range->to,
			.kind = STATE_UNKNOWN,
			.now.kind = MAP_UNKNOWN,
			.before.kind = MAP_UNKNOWN,
		};

		part.to = hidden.from;
		rc = add_range(taking->state, &part);
		if (rc == 0)
			rc = add_range(taking->state, &hidden);
		part.from = hidden.to;
	}
	part.to = range->to;
	return rc < 0 ? rc : add_range(taking->state, &part);
}

static int add_ranges(const struct taking *taking, arena_ref ref, bool anchored)
{
	const struct map_file *file = map_file(taking->map, ref);
	struct map_run run;
	uint64_t at;
	int rc = 0;

	for (at = 0; at < file->size && rc == 0; at = run.to) {
		struct state_range range;

		run = map_run(taking->map, file, at, file->size);
		range = classify(taking, file, &run, anchored);
		rc = add_around(taking, ref, &range);
	}
	return rc;
}

/* Classify a name of a known file. `synced`: as last_synced returns it. */
static enum state_name_kind classify_name(const struct taking *taking,
					  const struct catalog_name *name, uint32_t synced)
{
	if (taking->target->durable_names || name->change == 0)
		return STATE_NAME_MUST;
	if (name->change > synced)
		return STATE_NAME_MAY;
	if (taking->target->flush != STATE_FLUSH_DATA)
		return STATE_NAME_MUST;
	return name->reused || taking->map->full ? STATE_NAME_MAY : STATE_NAME_SOLE;
}

/* Add the file of name number `first`, which is the first of its names. */
static int add_file(const struct taking *taking, size_t first)
{
	const arena_ref ref = taking->names[first]->file;
	const struct map_file *file = map_file(taking->map, ref);
	const bool unknown = file->unknown || is_pending(taking->map, ref);
	const bool removed = unknown || file->deleting > 0;
	const uint32_t synced = removed ? 0 : last_synced(taking, file);
	struct state_file added = {
		.user = taking->user,
		.size = unknown ? 0 : file->size,
		.barred = file->barred,
	};
	bool anchored = false;
	uint32_t left = file->names;
	size_t i;
	int rc = state_add_file(taking->state, &added);

	for (i = first; i < taking->name_count && left > 0 && rc == 0; i++) {
		const struct catalog_name *name = taking->names[i];
		enum state_name_kind kind = STATE_NAME_MAY;

		if (name->file != ref)
			continue;
		if (!removed)
			kind = classify_name(taking, name, synced);
		rc = state_add_name(taking->state, name->text, kind);
		anchored = anchored || kind != STATE_NAME_MAY;
		left--;
	}
	if (rc < 0 || unknown)
		return rc;
	taking->state->files[taking->state->file_count - 1].size_exact = anchored &&
									 is_size_exact(taking, ref);
	return add_ranges(taking, ref, anchored);
}

/* Is this the first of the names of its file? */
static bool is_first(const struct taking *taking, size_t index)
{
	const arena_ref ref = taking->names[index]->file;
	size_t i;

	if (map_file(taking->map, ref)->names == 1)
		return true;
	for (i = 0; i < index; i++)
		if (taking->names[i]->file == ref)
			return false;
	return true;
}

static int compare_names(const void *one, const void *other)
{
	const struct catalog_name *const *first = one, *const *second = other;

	return strcmp((*first)->text, (*second)->text);
}

static int sort_names(struct taking *taking)
{
	arena_ref name = 0;

	taking->names = calloc(taking->map->name_count + 1, sizeof(*taking->names));
	if (taking->names == NULL)
		return -ENOMEM;
	while (taking->name_count < taking->map->name_count &&
	       (name = catalog_next(taking->map, name)) != 0)
		taking->names[taking->name_count++] = catalog_name(taking->map, name);
	qsort(taking->names, taking->name_count, sizeof(*taking->names), compare_names);
	return 0;
}

static int take_user(struct taking *taking)
{
	size_t i;
	int rc;

	/* A user that died while it changed its map has no known files. */
	if (taking->map->changing != 0)
		return state_add_lost(taking->state, taking->user);
	rc = sort_names(taking);
	for (i = 0; i < taking->name_count && rc == 0; i++)
		if (is_first(taking, i))
			rc = add_file(taking, i);
	free(taking->names);
	return rc;
}

int state_take(const struct verify *verify, const struct state_target *targets, size_t target_count,
	       struct state *state)
{
	size_t i;
	unsigned index;
	int rc = 0;

	*state = (struct state){
		.nonce = verify->content->nonce,
		.first_user = verify->first_user,
		.users = verify->users,
	};
	for (i = 0; i < target_count && rc == 0; i++)
		rc = state_add_target(state, &targets[i]);
	for (index = 0; index < verify->users && rc == 0; index++) {
		unsigned user = verify->first_user + index;
		struct taking taking = {
			.map = verify->maps[index],
			.target = &targets[user % target_count],
			.user = user,
			.state = state,
		};

		rc = take_user(&taking);
	}
	return rc;
}
