/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/profile.h"

#include "program/footprint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limits that keep sums from overflowing. No real load reaches them. */
#define TIMES_MAX (UINT64_C(1) << 40)
#define BYTES_MAX (UINT64_C(1) << 60)

/* The state of a walk through the program. */
struct walk {
	/* How often an op is played, indexed by the number of loops around
	 * it. */
	uint64_t times[PROGRAM_LOOP_DEPTH + 1];
	unsigned depth; /* number of loops around the current op */
};

/* Advance past an op. Return 1 for a control line, 0 for another op, or
 * -EOVERFLOW. */
static int step(struct walk *walk, const struct op *op)
{
	uint64_t times = walk->times[walk->depth];

	if (op->kind == OP_LOOP) {
		if (__builtin_mul_overflow(times, op->count, &times) ||
		    times > TIMES_MAX)
			return -EOVERFLOW;
		walk->times[++walk->depth] = times;
	} else if (op->kind == OP_ENDLOOP) {
		walk->depth--;
	}
	return op_class(op->kind) == OP_CLASS_CONTROL;
}

static int add_bytes(uint64_t *sum, struct profile_label *label, uint64_t bytes,
		     uint64_t times)
{
	/* Check only `sum`. The bytes of a label cannot overflow, as they are
	 * part of read_bytes and write_bytes. */
	if (__builtin_mul_overflow(bytes, times, &bytes) ||
	    __builtin_add_overflow(*sum, bytes, sum) || *sum > BYTES_MAX)
		return -EOVERFLOW;
	label->bytes += bytes;
	return 0;
}

static int count_bytes(struct profile *profile, const struct op *op,
		       uint64_t times)
{
	struct profile_label *label = &profile->labels[op->label];
	uint64_t bytes = (op->flags & OP_COUNTED) != 0 ? op->expect : op->size;

	/* If the size of a read was not recorded, it depends on the file. Count
	 * the read, but no bytes. */
	if (op_reads(op->kind) && (op->flags & OP_COUNTED) == 0) {
		profile->open_reads += times;
		label->open_reads += times;
		return 0;
	}
	if (op->kind == OP_TRANSACT &&
	    add_bytes(&profile->read_bytes, label, op->expect, times) < 0)
		return -EOVERFLOW;
	return add_bytes(op_reads(op->kind) ? &profile->read_bytes
					    : &profile->write_bytes,
			 label, bytes, times);
}

static bool is_synced(const struct op *op)
{
	switch (op->kind) {
	case OP_FSYNC:
	case OP_NFS_COMMIT:
		return true;
	case OP_OPEN:
		return (op->open_flags & OPEN_SYNC) != 0;
	case OP_NFS_WRITE:
		return op->stable > 0;
	default:
		return (op->flags & (OP_FLUSH | OP_SYNC_PARENT)) != 0;
	}
}

static int count_ops(const struct program *program, struct profile *profile)
{
	struct walk walk = {.times = {1}};
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		struct profile_label *label = &profile->labels[op->label];
		int rc = step(&walk, op);
		uint64_t times = walk.times[walk.depth];

		if (rc < 0)
			return rc;
		if (rc > 0)
			continue;
		profile->ops += times;
		label->ops += times;
		if (!outcome_in(op->accepts, OUTCOME_OK)) {
			profile->failures += times;
			label->failures += times;
		} else {
			if (is_synced(op))
				profile->synced += times;
			if (op_class(op->kind) == OP_CLASS_DATA)
				rc = count_bytes(profile, op, times);
		}
		if (rc < 0 || profile->ops > TIMES_MAX)
			return -EOVERFLOW;
	}
	return 0;
}

static int count_paths(const struct program *program, struct profile *profile)
{
	bool *named = calloc(program->path_count + 1, sizeof(*named));
	size_t i;

	if (named == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->path != OP_NONE)
			named[op->path] = true;
		if (op_accesses_two(op->kind))
			named[op->path2] = true;
	}
	for (i = 0; i < program->path_count; i++)
		profile->paths += named[i];
	free(named);
	return 0;
}

static int count_handles(const struct program *program, struct profile *profile)
{
	bool *open = calloc(program->handle_count + 1, sizeof(*open));
	uint32_t count = 0;
	size_t i;

	if (open == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->handle == OP_NONE ||
		    (op->kind != OP_OPEN && op->kind != OP_CLOSE) ||
		    open[op->handle] == (op->kind == OP_OPEN))
			continue;
		open[op->handle] = op->kind == OP_OPEN;
		count += open[op->handle] ? 1 : -1u;
		if (count > profile->peak_handles)
			profile->peak_handles = count;
	}
	free(open);
	return 0;
}

/*
 * Return the end of the prologue. `reached` is the op at which the files first
 * have 85 % of their peak size. If this op is inside a loop, the prologue ends
 * after the loop, or before it if the loop is more than half of the load.
 */
static size_t leave_loop(const struct program *program,
			 const struct profile *profile, size_t reached)
{
	struct walk walk = {.times = {1}};
	uint64_t looped = 0; /* operations played in the outermost loop */
	size_t start = 0, i;

	for (i = 0; i < program->op_count; i++) {
		if (walk.depth == 0) {
			start = i;
			looped = 0;
		}
		/* This cannot overflow: count_ops() has checked it. */
		if (step(&walk, &program->ops[i]) == 0)
			looped += walk.times[walk.depth];
		if (i >= reached && walk.depth == 0)
			break;
	}
	if (start < i && looped > profile->ops / 2)
		return start;
	return i + 1;
}

static int find_prologue(const struct program *program, struct profile *profile)
{
	uint64_t peak, goal;
	size_t reached, i;

	if (footprint_walk(program, 0, &peak, &reached) < 0)
		return -ENOMEM;
	profile->footprint_bytes = peak;
	if (peak == 0)
		return 0;
	goal = peak - peak * 15 / 100;
	if (footprint_walk(program, goal, &peak, &reached) < 0)
		return -ENOMEM;
	profile->prologue_end = leave_loop(program, profile, reached);
	/*
	 * Have no prologue if it would contain a WAITSP, which could wait for
	 * ever: other users may reach the sequence point only after the
	 * prologue. A load with phases is played in whole loops, so it has no
	 * prologue, either.
	 */
	for (i = 0; i < profile->prologue_end; i++)
		if (program->ops[i].kind == OP_WAITSP)
			profile->prologue_end = 0;
	if (program->phase_count > 0)
		profile->prologue_end = 0;
	return 0;
}

int profile_make(const struct program *program, struct profile *profile,
		 struct error *error)
{
	int rc;

	memset(profile, 0, sizeof(*profile));
	rc = count_ops(program, profile);
	if (rc == 0)
		rc = count_paths(program, profile);
	if (rc == 0)
		rc = count_handles(program, profile);
	if (rc == 0)
		rc = find_prologue(program, profile);
	if (rc == -EOVERFLOW)
		error_set_at(error, program->source, 0, 0,
			     "the loops add up to more than 2^40 operations "
			     "or 2^60 bytes");
	else if (rc < 0)
		error_no_memory(error);
	return rc;
}
