/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/state.h"

#include "base/array.h"
#include "crash/line.h"
#include "verify/content.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const state_flushes[STATE_FLUSHES] = {
	[STATE_FLUSH_PROVEN] = "proven",
	[STATE_FLUSH_DATA] = "data",
	[STATE_FLUSH_BLIND] = "blind",
	[STATE_FLUSH_NONE] = "none",
};

const char *const state_names[STATE_NAMES] = {
	[STATE_NAME_MUST] = "must",
	[STATE_NAME_SOLE] = "sole",
	[STATE_NAME_MAY] = "may",
};

int state_add_target(struct state *state, const struct state_target *target)
{
	struct state_target *added;

	if (array_grow(&state->targets, &state->target_room, state->target_count + 1,
		       sizeof(*added)) < 0)
		return -ENOMEM;
	added = &state->targets[state->target_count];
	*added = *target;
	added->url = strdup(target->url);
	added->directory = strdup(target->directory);
	state->target_count++;
	return added->url != NULL && added->directory != NULL ? 0 : -ENOMEM;
}

int state_add_lost(struct state *state, unsigned user)
{
	if (array_grow(&state->lost, &state->lost_room, state->lost_count + 1,
		       sizeof(*state->lost)) < 0)
		return -ENOMEM;
	state->lost[state->lost_count++] = user;
	return 0;
}

int state_add_file(struct state *state, const struct state_file *file)
{
	struct state_file *added;

	if (array_grow(&state->files, &state->file_room, state->file_count + 1, sizeof(*added)) < 0)
		return -ENOMEM;
	added = &state->files[state->file_count++];
	*added = *file;
	added->first_name = state->name_count;
	added->name_count = 0;
	added->first_range = state->range_count;
	added->range_count = 0;
	return 0;
}

int state_add_name(struct state *state, const char *path, enum state_name_kind kind)
{
	struct state_name *added;

	if (array_grow(&state->names, &state->name_room, state->name_count + 1, sizeof(*added)) < 0)
		return -ENOMEM;
	added = &state->names[state->name_count];
	added->kind = kind;
	added->path = strdup(path);
	if (added->path == NULL)
		return -ENOMEM;
	state->name_count++;
	state->files[state->file_count - 1].name_count++;
	return 0;
}

int state_add_range(struct state *state, const struct state_range *range)
{
	if (array_grow(&state->ranges, &state->range_room, state->range_count + 1, sizeof(*range)) <
	    0)
		return -ENOMEM;
	state->ranges[state->range_count++] = *range;
	state->files[state->file_count - 1].range_count++;
	return 0;
}

void state_free(struct state *state)
{
	size_t i;

	for (i = 0; i < state->target_count; i++) {
		free(state->targets[i].url);
		free(state->targets[i].directory);
	}
	for (i = 0; i < state->name_count; i++)
		free(state->names[i].path);
	free(state->targets);
	free(state->lost);
	free(state->files);
	free(state->names);
	free(state->ranges);
	*state = (struct state){0};
}

uint64_t state_must_bytes(const struct state *state)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < state->range_count; i++)
		if (state->ranges[i].kind == STATE_MUST)
			bytes += state->ranges[i].to - state->ranges[i].from;
	return bytes;
}

const char *state_explain_nothing(const struct state *state)
{
	static const char *const reasons[STATE_FLUSHES] = {
		[STATE_FLUSH_PROVEN] = "nothing was flushed before the run ended; use a load that "
				       "flushes files, or --fsync or --sync",
		[STATE_FLUSH_DATA] = "the run flushed only files whose names other files had "
				     "before; use a load that flushes files, or --fsync or --sync",
		[STATE_FLUSH_BLIND] =
			"the client library does not check if a server has restarted before a "
			"flush, so a flush proves nothing; use --sync or NFSv3",
		[STATE_FLUSH_NONE] = "the client library cannot flush files",
	};
	enum state_flush flush = STATE_FLUSH_NONE;
	size_t i;

	if (state->file_count == 0 && state->lost_count > 0)
		return "nothing is known about the users that were killed, and the other users "
		       "have left no files";
	if (state->file_count == 0)
		return "the run has left no files; use a load that does not remove them";
	for (i = 0; i < state->target_count; i++)
		if (state->targets[i].flush < flush)
			flush = state->targets[i].flush;
	return reasons[flush];
}

static void write_value(struct map_value value, FILE *stream)
{
	if (value.kind == MAP_DATA)
		fprintf(stream, " data %u", value.change);
	else
		fputs(value.kind == MAP_ZERO ? " zeros" : " unknown", stream);
}

static void write_range(const struct state_range *range, FILE *stream)
{
	static const char *const kinds[] = {
		[STATE_MUST] = "must",
		[STATE_MAY] = "may",
		[STATE_UNKNOWN] = "unknown",
	};

	fprintf(stream, "%s %" PRIu64 " %" PRIu64, kinds[range->kind], range->from, range->to);
	if (range->kind != STATE_UNKNOWN)
		write_value(range->now, stream);
	if (range->kind == STATE_MAY) {
		fputs(" before", stream);
		write_value(range->before, stream);
	}
	putc('\n', stream);
}

static void write_file(const struct state *state, const struct state_file *file, FILE *stream)
{
	size_t i;

	fprintf(stream, "file %" PRIu64 " %s\n", file->size,
		file->size_exact ? "exact" : "uncertain");
	if (file->barred)
		fputs("barred\n", stream);
	for (i = 0; i < file->name_count; i++) {
		const struct state_name *name = &state->names[file->first_name + i];

		fprintf(stream, "name %s ", state_names[name->kind]);
		state_line_quote(name->path, stream);
		putc('\n', stream);
	}
	for (i = 0; i < file->range_count; i++)
		write_range(state_range_of(state, file, i), stream);
}

int state_write(const struct state *state, FILE *stream)
{
	size_t i;

	fprintf(stream,
		STATE_MAGIC " %d\nnonce %016" PRIx64 "\npool %d\n"
			    "users %u %u %zu\n",
		STATE_VERSION, state->nonce, CONTENT_PERIOD, state->first_user, state->users,
		state->target_count);
	for (i = 0; i < state->target_count; i++) {
		fprintf(stream, "target %s ", state_flushes[state->targets[i].flush]);
		state_line_quote(state->targets[i].url, stream);
		fputs("\ndirectory ", stream);
		state_line_quote(state->targets[i].directory, stream);
		putc('\n', stream);
	}
	for (i = 0; i < state->lost_count; i++)
		fprintf(stream, "lost %u\n", state->lost[i]);
	for (i = 0; i < state->file_count; i++) {
		const struct state_file *file = &state->files[i];

		if (i == 0 || file->user != file[-1].user)
			fprintf(stream, "user %u\n", file->user);
		write_file(state, file, stream);
	}
	fprintf(stream, "end %zu\n", state->file_count);
	return 0;
}
