/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/loads.h"

#include "base/array.h"
#include "base/intern.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int loads_add(struct loads *loads, struct program *program, struct profile *profile,
	      unsigned weight, struct error *error)
{
	const struct load load = {.program = program, .profile = profile, .weight = weight};

	if (loads->count == LOADS_MAX)
		error_set(error, "%s: a run has at most %d loads", program->source, LOADS_MAX);
	else if (array_append(&loads->list, &loads->count, &load, sizeof(load)) == 0)
		return 0;
	else
		error_no_memory(error);
	free(profile);
	program_free(program);
	return -EINVAL;
}

static unsigned common_divisor(unsigned one, unsigned other)
{
	while (other > 0) {
		unsigned rest = one % other;

		one = other;
		other = rest;
	}
	return one;
}

static void reduce_weights(struct loads *loads)
{
	unsigned divisor = 0;
	size_t i;

	for (i = 0; i < loads->count; i++)
		divisor = common_divisor(divisor, loads->list[i].weight);
	for (i = 0; i < loads->count; i++) {
		loads->list[i].weight /= divisor;
		loads->turn_count += loads->list[i].weight;
	}
}

/*
 * Spread the turns evenly (smooth weighted round robin): before each turn, add
 * its weight to the credit of each load. The load with the most credit has the
 * turn, and pays for it with the sum of all weights.
 */
static void spread_turns(struct loads *loads, int64_t credits[LOADS_MAX])
{
	size_t turn, i;

	for (turn = 0; turn < loads->turn_count; turn++) {
		unsigned next = 0;

		for (i = 0; i < loads->count; i++) {
			credits[i] += loads->list[i].weight;
			if (credits[i] > credits[next])
				next = (unsigned)i;
		}
		loads->turns[turn] = next;
		credits[next] -= (int64_t)loads->turn_count;
	}
}

/* Check that the labels of all loads together fit into a result. */
static int check_labels(const struct loads *loads, struct error *error)
{
	struct intern labels = {0};
	size_t i, j;
	int is_new, rc = 0;

	for (i = 0; i < loads->count && rc == 0; i++) {
		const struct program *program = loads->list[i].program;

		for (j = 0; j < program->label_count && rc == 0; j++)
			if (intern(&labels, program->labels[j], strlen(program->labels[j]),
				   &is_new) < 0)
				rc = error_no_memory(error);
	}
	if (rc == 0 && labels.count > PROGRAM_LABELS_MAX) {
		error_set(
			error,
			"the loads together have %zu different operations; at most %d are allowed",
			labels.count, PROGRAM_LABELS_MAX);
		rc = -EINVAL;
	}
	intern_free(&labels);
	return rc;
}

int loads_finish(struct loads *loads, struct error *error)
{
	int64_t credits[LOADS_MAX] = {0};
	size_t i;

	if (check_labels(loads, error) < 0)
		return -EINVAL;
	reduce_weights(loads);
	loads->turns = calloc(loads->turn_count, sizeof(*loads->turns));
	if (loads->turns == NULL)
		return error_no_memory(error);
	spread_turns(loads, credits);
	for (i = 0; i < loads->count; i++)
		if (shared_add(&loads->shared, loads->list[i].program) < 0)
			return error_no_memory(error);
	return 0;
}

void loads_free(struct loads *loads)
{
	size_t i;

	for (i = 0; i < loads->count; i++) {
		if (loads->list[i].streams != NULL)
			streams_free(loads->list[i].streams);
		free(loads->list[i].streams);
		free(loads->list[i].profile);
		program_free(loads->list[i].program);
	}
	free(loads->list);
	free(loads->turns);
	shared_free(&loads->shared);
	*loads = (struct loads){0};
}

int loads_derive_streams(struct loads *loads)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < loads->count && rc == 0; i++) {
		struct load *load = &loads->list[i];

		if ((load->program->streams == 0 && load->program->parallel == 0) ||
		    load->streams != NULL)
			continue;
		load->streams = malloc(sizeof(*load->streams));
		rc = load->streams == NULL ? -ENOMEM
					   : streams_derive(load->streams, load->program,
							    load->profile->setup.end);
	}
	return rc;
}

size_t loads_labels_max(const struct loads *loads)
{
	size_t max = 0, i;

	for (i = 0; i < loads->count; i++)
		if (loads->list[i].program->label_count > max)
			max = loads->list[i].program->label_count;
	return max;
}

void loads_count_phases(const struct loads *loads, unsigned counts[LOADS_MAX])
{
	size_t i;

	for (i = 0; i < loads->count; i++)
		counts[i] = (unsigned)loads->list[i].program->phase_count;
}

uint32_t loads_io_bytes_max(const struct loads *loads)
{
	uint32_t max = 0;
	size_t i;

	for (i = 0; i < loads->count; i++)
		if (loads->list[i].program->io_bytes_max > max)
			max = loads->list[i].program->io_bytes_max;
	return max;
}

/* Check that each load has a user. */
static int check_turns(const struct loads *loads, unsigned users, struct error *error)
{
	bool played[LOADS_MAX] = {0};
	unsigned user;
	size_t i;

	for (user = 0; user < users && user < loads->turn_count; user++)
		played[loads_index(loads, user)] = true;
	for (i = 0; i < loads->count; i++) {
		if (played[i])
			continue;
		error_set(
			error,
			"with %u %s, no user plays load %zu, %s; each load needs at least one user",
			users, units_plural(users, "user", "users"), i + 1,
			loads->list[i].program->source);
		return -EINVAL;
	}
	return 0;
}

/* Return the highest sequence point of the program plus 1, or 0. */
static uint64_t points_of(const struct program *program)
{
	uint64_t points = 0;
	size_t i;

	for (i = 0; i < program->op_count; i++)
		if (program->ops[i].kind == OP_SETSP && program->ops[i].number >= points)
			points = program->ops[i].number + 1;
	return points;
}

/*
 * Check that no WAITSP of a program waits for a sequence point that the load of
 * the awaited user never reaches. `points` has the points_of each load.
 */
static int check_waits(const struct loads *loads, const struct program *program,
		       const uint64_t points[LOADS_MAX], struct error *error)
{
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		size_t awaited;

		if (op->kind != OP_WAITSP)
			continue;
		awaited = loads_index(loads, op->user);
		if (op->number < points[awaited])
			continue;
		error_set_at(error, program->source, op->line, 0,
			     "WAITSP waits for sequence point %" PRIu64 " of user %" PRIu32
			     ", who plays %s, but this load never reaches this sequence point",
			     op->number, op->user, loads->list[awaited].program->source);
		return -EINVAL;
	}
	return 0;
}

int loads_check_users(const struct loads *loads, unsigned users, struct error *error)
{
	uint64_t points[LOADS_MAX];
	size_t i;
	int rc = check_turns(loads, users, error);

	for (i = 0; i < loads->count; i++)
		points[i] = points_of(loads->list[i].program);
	for (i = 0; i < loads->count && rc == 0; i++) {
		const struct program *program = loads->list[i].program;
		uint32_t awaited = program->user_awaited_max;

		/* A WAITSP operation would wait forever for a user beyond the
		 * last. */
		if (awaited >= users) {
			error_set(error,
				  "%s: WAITSP waits for user %" PRIu32
				  ", but with %u %s the last user is user %u",
				  program->source, awaited, users, users == 1 ? "user" : "users",
				  users - 1);
			return -EINVAL;
		}
		if (loads->count > 1)
			rc = check_waits(loads, program, points, error);
	}
	return rc;
}
