/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams/streams.h"

#include "base/array.h"
#include "streams/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A unit is an operation, or a whole block of operations. */
struct unit {
	uint32_t first, end; /* indexes of ops */
	uint32_t stream;
	uint32_t chain; /* length of the longest chain of units that ends here */
	uint32_t first_wait, wait_count;
	bool awaited; /* another stream waits for it */
};

struct derivation {
	const struct program *program;
	struct streams *streams;
	struct rules rules;
	struct unit *units;
	size_t count, room;
	uint32_t *unit_of_end; /* units by the op after them */
	unsigned stream;       /* the current one */
	/* By stream: the end of its last unit, and the ends of the other
	 * streams' units that it is known to come after. */
	uint32_t last[PROGRAM_STREAMS_MAX];
	struct resource_waits known[PROGRAM_STREAMS_MAX];
	/* By stream: what its next unit must wait for because of AFTER or
	 * PHASE. */
	struct resource_waits pending[PROGRAM_STREAMS_MAX];
};

static size_t end_of_unit(const struct program *program, size_t at)
{
	const struct op *op = &program->ops[at];

	return op_begins_block(op->kind) ? op->jump : at + 1;
}

static void wait_until(struct resource_waits *waits, unsigned stream, uint32_t end)
{
	if (waits->ends[stream] < end)
		waits->ends[stream] = end;
}

/* Let a unit wait for others, unless its stream has waited for them before. */
static int add_waits(struct derivation *d, struct unit *unit, const struct resource_waits *waits)
{
	struct streams *streams = d->streams;
	unsigned i;

	unit->first_wait = (uint32_t)streams->wait_count;
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++) {
		struct unit *other;

		if (i == unit->stream || waits->ends[i] <= d->known[unit->stream].ends[i])
			continue;
		if (array_grow(&streams->waits, &streams->wait_room, streams->wait_count + 1,
			       sizeof(*streams->waits)) < 0)
			return -ENOMEM;
		other = &d->units[d->unit_of_end[waits->ends[i]]];
		other->awaited = true;
		if (unit->chain < other->chain)
			unit->chain = other->chain;
		/* add_spans() turns the end into a number of spans. */
		streams->waits[streams->wait_count++] = (struct streams_wait){i, waits->ends[i]};
		d->known[unit->stream].ends[i] = waits->ends[i];
	}
	unit->wait_count = (uint32_t)streams->wait_count - unit->first_wait;
	return 0;
}

/* Add the unit of the ops from `first` to before `end`, which waits for
 * `waits`. */
static int add_unit(struct derivation *d, size_t first, size_t end, bool counts,
		    const struct resource_waits *waits)
{
	struct unit unit = {
		.first = (uint32_t)first,
		.end = (uint32_t)end,
		.stream = d->stream,
	};

	if (d->last[unit.stream] > 0)
		unit.chain = d->units[d->unit_of_end[d->last[unit.stream]]].chain;
	if (array_grow(&d->units, &d->room, d->count + 1, sizeof(*d->units)) < 0 ||
	    add_waits(d, &unit, waits) < 0)
		return -ENOMEM;
	unit.chain += counts;
	d->streams->ops += counts;
	d->streams->waiting += counts && unit.wait_count > 0;
	if (d->streams->chain < unit.chain)
		d->streams->chain = unit.chain;
	d->last[unit.stream] = unit.end;
	d->unit_of_end[unit.end] = (uint32_t)d->count;
	d->units[d->count++] = unit;
	return 0;
}

/* All streams meet at a PHASE: it waits for all that is above it, and all that
 * is below waits for it. */
static int add_phase(struct derivation *d, size_t at)
{
	struct resource_waits all = {0};
	unsigned i;

	memcpy(all.ends, d->last, sizeof(all.ends));
	if (add_unit(d, at, at + 1, false, &all) < 0)
		return -ENOMEM;
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++)
		wait_until(&d->pending[i], d->stream, (uint32_t)at + 1);
	return 0;
}

/* Let the next unit of the current stream wait for what is above in another one,
 * and for what that one would wait for. */
static void add_after(struct derivation *d, unsigned other)
{
	struct resource_waits *pending = &d->pending[d->stream];
	unsigned i;

	wait_until(pending, other, d->last[other]);
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++)
		wait_until(pending, i, d->pending[other].ends[i]);
}

/* Follow the ops of a unit. Return true if it counts as an operation. */
static bool follow(struct derivation *d, size_t first, size_t end, struct resource_waits *waits)
{
	bool counts = false;
	size_t at;

	d->rules.stream = d->stream;
	d->rules.end = (uint32_t)end;
	d->rules.in_block = end - first > 1;
	d->rules.waits = waits;
	for (at = first; at < end && !d->rules.failed; at++) {
		rules_follow(&d->rules, &d->program->ops[at]);
		counts |= !op_is_control(d->program->ops[at].kind);
	}
	return counts;
}

static int add(struct derivation *d, size_t first, size_t end)
{
	struct resource_waits *waits = &d->pending[d->stream];
	bool counts = follow(d, first, end, waits);

	if (d->rules.failed || add_unit(d, first, end, counts, waits) < 0)
		return -ENOMEM;
	*waits = (struct resource_waits){0};
	return 0;
}

/* Add the units of the ops from `first` on. Those before are the set-up, for which
 * nothing waits. */
static int add_units(struct derivation *d, size_t first)
{
	const struct program *program = d->program;
	size_t at, end;
	int rc = 0;

	for (at = 0; rc == 0 && at < program->op_count; at = end) {
		const struct op *op = &program->ops[at];

		end = end_of_unit(program, at);
		if (at < first)
			follow(d, at, end, NULL);
		else if (op->kind == OP_STREAM)
			d->stream = (unsigned)op->number;
		else if (op->kind == OP_AFTER)
			add_after(d, (unsigned)op->number);
		else if (op->kind == OP_PHASE)
			rc = add_phase(d, at);
		else
			rc = add(d, at, end);
	}
	return d->rules.failed ? -ENOMEM : rc;
}

static bool is_alone(const struct derivation *d, const struct unit *unit)
{
	enum op_kind kind = d->program->ops[unit->first].kind;

	return kind == OP_PHASE || kind == OP_PARALLEL;
}

/* Check if a unit begins a span: the one before it is of another stream, another
 * stream waits for that one, or the unit waits. A PHASE and a PARALLEL are spans of
 * their own. */
static bool begins_span(const struct derivation *d, const struct unit *unit)
{
	const struct unit *before = unit - 1;

	return unit == d->units || before->stream != unit->stream || before->end != unit->first ||
	       before->awaited || unit->wait_count > 0 || is_alone(d, unit) || is_alone(d, before);
}

/* Join units to spans. */
static int add_spans(struct derivation *d)
{
	struct streams *streams = d->streams;
	uint32_t spans[PROGRAM_STREAMS_MAX] = {0};
	struct streams_span *span = NULL;
	size_t i, k;

	for (i = 0; i < d->count; i++) {
		const struct unit *unit = &d->units[i];

		if (begins_span(d, unit)) {
			if (array_grow(&streams->spans, &streams->span_room,
				       streams->span_count + 1, sizeof(*streams->spans)) < 0)
				return -ENOMEM;
			span = &streams->spans[streams->span_count++];
			*span = (struct streams_span){
				.first = unit->first,
				.stream = unit->stream,
				.first_wait = unit->first_wait,
				.wait_count = unit->wait_count,
			};
			streams->count += spans[unit->stream]++ == 0;
		}
		span->end = unit->end;
		for (k = 0; k < unit->wait_count; k++) {
			struct streams_wait *wait = &streams->waits[unit->first_wait + k];

			/* All spans up to here belong to units above. */
			wait->spans = d->unit_of_end[wait->spans];
		}
		/* The number of spans until the unit's end. */
		d->unit_of_end[unit->end] = spans[unit->stream];
	}
	return 0;
}

int streams_derive(struct streams *streams, const struct program *program, size_t first)
{
	struct derivation *d = calloc(1, sizeof(*d));
	int rc = -ENOMEM;

	*streams = (struct streams){0};
	if (d == NULL)
		return -ENOMEM;
	d->program = program;
	d->streams = streams;
	d->unit_of_end = calloc(program->op_count + 1, sizeof(*d->unit_of_end));
	if (rules_open(&d->rules, program) == 0 && d->unit_of_end != NULL)
		rc = add_units(d, first);
	if (rc == 0)
		rc = add_spans(d);
	streams->lanes = streams->count > program->parallel ? streams->count : program->parallel;
	rules_close(&d->rules);
	free(d->units);
	free(d->unit_of_end);
	free(d);
	return rc;
}

void streams_free(struct streams *streams)
{
	free(streams->spans);
	free(streams->waits);
}
