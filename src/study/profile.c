/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/profile.h"

#include "base/clock.h"
#include "program/times.h"
#include "study/footprint.h"
#include "study/laid_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limits that keep sums from overflowing. No real load reaches them. */
#define TIMES_MAX 0x1p40
#define BYTES_MAX 0x1p60

/* Sums over operations. They are no integers, as branches of a MIX have
 * probabilities. */
struct sums {
	double ops, bytes, open_reads, failures;
};

struct walk {
	double setup_ops, ops, read_bytes, write_bytes, synced;
	bool possible; /* some operation may be played */
	struct sums labels[PROGRAM_LABELS_MAX];
};

static uint64_t whole(double sum)
{
	return (uint64_t)(sum + 0.5);
}

static void count_bytes(const struct program *program, const struct op *op, double times,
			struct walk *all, struct sums *label)
{
	bool varies = (op->flags & OP_SIZED) != 0;
	bool counted = (op->flags & OP_COUNTED) != 0;
	double bytes = counted ? op->expect : (double)op->size;

	/* If the size of a read was not recorded, it depends on the file. Count
	 * the read, but no bytes. */
	if (op_reads(op->kind) && !counted) {
		label->open_reads += times;
		return;
	}
	if (varies)
		bytes = program->formulas[op->size].range.mean;
	if (op->kind == OP_TRANSACT) {
		all->read_bytes += op->expect * times;
		label->bytes += op->expect * times;
	}
	if (op_reads(op->kind))
		all->read_bytes += bytes * times;
	else
		all->write_bytes += bytes * times;
	label->bytes += bytes * times;
}

static bool is_synced(const struct op *op)
{
	return (op_effect(op) & E_FLUSHES) != 0 ||
	       (op->kind == OP_OPEN && (op->open_flags & (OPEN_SYNC | OPEN_DIRECT)) != 0);
}

/* Round the sums to the profile. Return 0, or -EINVAL if no operation is
 * played, or -EOVERFLOW. */
static int round_sums(const struct walk *walk, struct profile *profile)
{
	size_t i;

	if (walk->setup_ops > TIMES_MAX || walk->ops > TIMES_MAX || walk->read_bytes > BYTES_MAX ||
	    walk->write_bytes > BYTES_MAX)
		return -EOVERFLOW;
	if (!walk->possible)
		return -EINVAL;
	profile->setup_ops = whole(walk->setup_ops);
	profile->ops = whole(walk->ops);
	profile->read_bytes = whole(walk->read_bytes);
	profile->write_bytes = whole(walk->write_bytes);
	profile->synced = whole(walk->synced);
	for (i = 0; i < PROGRAM_LABELS_MAX; i++) {
		const struct sums *sums = &walk->labels[i];

		profile->labels[i] = (struct profile_label){
			.ops = whole(sums->ops),
			.bytes = whole(sums->bytes),
			.open_reads = whole(sums->open_reads),
			.failures = whole(sums->failures),
		};
		profile->open_reads += profile->labels[i].open_reads;
		profile->failures += profile->labels[i].failures;
	}
	return 0;
}

static int count_ops(const struct program *program, struct profile *profile)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	struct times times = times_start();
	int rc = 0;
	size_t i;

	if (walk == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count && rc == 0; i++) {
		const struct op *op = &program->ops[i];
		struct sums *label = &walk->labels[op->label];
		double played = times_next(&times, program, op);

		if (played > TIMES_MAX)
			rc = -EOVERFLOW;
		if (op_is_control(op->kind))
			continue;
		if (i < profile->setup.end) {
			walk->setup_ops += played;
			continue;
		}
		walk->possible |= times_possible(&times);
		walk->ops += played;
		label->ops += played;
		if (!outcome_in(op->accepts, OUTCOME_OK)) {
			label->failures += played;
			continue;
		}
		if (is_synced(op))
			walk->synced += played;
		if (op_class(op->kind) == OP_CLASS_DATA)
			count_bytes(program, op, played, walk, label);
	}
	if (rc == 0)
		rc = round_sums(walk, profile);
	free(walk);
	return rc;
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

		if (op->handle == OP_NONE || (op->kind != OP_OPEN && op->kind != OP_CLOSE) ||
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
static size_t leave_loop(const struct program *program, const struct profile *profile,
			 size_t reached)
{
	struct times times = times_start();
	double looped = 0; /* operations played in the outermost loop */
	size_t start = 0, i;

	for (i = 0; i < program->op_count; i++) {
		double played;

		if (times.depth == 0) {
			start = i;
			looped = 0;
		}
		played = times_next(&times, program, &program->ops[i]);
		if (!op_is_control(program->ops[i].kind))
			looped += played;
		if (i >= reached && times.depth == 0)
			break;
	}
	if (start < i && looped > (double)profile->ops / 2)
		return start;
	return i + 1;
}

static int find_prologue(const struct program *program, struct profile *profile)
{
	struct footprint footprint;
	uint64_t goal;
	size_t i;

	if (footprint_walk(program, profile->setup.shared_end, 0, &footprint) < 0)
		return -ENOMEM;
	profile->footprint_bytes = footprint.bytes;
	profile->shared_footprint_bytes = footprint.shared_bytes;
	profile->prologue_end = profile->setup.end;
	if (footprint.bytes == 0 || !program->prologue)
		return 0;
	goal = footprint.bytes - footprint.bytes * 15 / 100;
	if (footprint_walk(program, 0, goal, &footprint) < 0)
		return -ENOMEM;
	profile->prologue_end = leave_loop(program, profile, footprint.reached);
	/*
	 * Have no prologue if it would contain a WAITSP, which could wait for
	 * ever: other users may reach the sequence point only after the
	 * prologue.
	 */
	for (i = 0; i < profile->prologue_end; i++)
		if (program->ops[i].kind == OP_WAITSP)
			profile->prologue_end = 0;
	return 0;
}

/* Return the time from the start line, or from the first time stamp after a
 * prologue, to the last time stamp. */
static uint64_t find_paced_ns(const struct program *program, const struct profile *profile)
{
	uint64_t first_ns = CLOCK_NEVER, last_ns = 0;
	size_t i;

	if (program->due_ns == NULL)
		return 0;
	for (i = profile->prologue_end; i < program->op_count; i++) {
		uint64_t due_ns = program->due_ns[i];

		if (due_ns == CLOCK_NEVER)
			continue;
		if (first_ns == CLOCK_NEVER)
			first_ns = due_ns;
		if (due_ns > last_ns)
			last_ns = due_ns;
	}
	if (!program->prologue)
		first_ns = 0;
	return last_ns > first_ns ? last_ns - first_ns : 0;
}

int profile_make(const struct program *program, struct profile *profile, struct error *error)
{
	int rc;

	memset(profile, 0, sizeof(*profile));
	profile->setup = setup_find(program);
	rc = count_ops(program, profile);
	if (rc == 0)
		rc = count_paths(program, profile);
	if (rc == 0)
		rc = count_handles(program, profile);
	if (rc == 0)
		rc = find_prologue(program, profile);
	profile->paced_ns = find_paced_ns(program, profile);
	if (rc == 0 && !program->prologue && profile->setup.end == 0)
		rc = laid_out_find(program, &profile->laid_out_bytes);
	if (rc == -EINVAL)
		error_set_at(error, program->source, 0, 0,
			     "no operation of the load is ever played: each is in a LOOP or MIX of "
			     "0 rounds");
	else if (rc == -EOVERFLOW)
		error_set_at(error, program->source, 0, 0,
			     "the loops add up to more than 2^40 operations or 2^60 bytes");
	else if (rc < 0)
		error_no_memory(error);
	return rc;
}
