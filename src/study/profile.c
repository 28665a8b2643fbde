/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/profile.h"

#include "base/clock.h"
#include "study/footprint.h"

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

struct count {
	struct walk walk;
	double setup_ops, ops, read_bytes, write_bytes, laid_out_bytes, synced;
	bool possible;    /* some operation may be played */
	uint32_t handles; /* open now; the mark of their files is true */
	bool *named;      /* the path is used, by path */
	double *unread;   /* bytes written and not read yet, by path */
	struct sums labels[PROGRAM_LABELS_MAX];
};

static uint64_t whole(double sum)
{
	return (uint64_t)(sum + 0.5);
}

static void count_bytes(struct count *count, struct sums *label)
{
	const struct op *op = count->walk.op;
	double times = count->walk.times;
	double bytes = program_op_bytes(count->walk.program, op) * times;

	/* If the size of a read was not recorded, it depends on the file. Count
	 * the read, but no bytes. */
	if (op_reads(op->kind) && (op->flags & OP_COUNTED) == 0) {
		label->open_reads += times;
		return;
	}
	if (op->kind == OP_TRANSACT) {
		count->read_bytes += op->expect * times;
		label->bytes += op->expect * times;
	}
	if (op_reads(op->kind))
		count->read_bytes += bytes;
	else
		count->write_bytes += bytes;
	label->bytes += bytes;
}

/* Count the bytes that the current op, which may succeed, reads from a file to
 * which they were written. */
static void count_laid_out(struct count *count)
{
	const struct walk *walk = &count->walk;
	const struct op *op = walk->op;
	uint32_t path = walk_path(walk);

	if (path == OP_NONE)
		return;
	if (op_writes(op->kind)) {
		count->unread[path] += walk->times * program_op_bytes(walk->program, op);
	} else if (op_reads(op->kind)) {
		count->laid_out_bytes += count->unread[path];
		count->unread[path] = 0;
	} else if ((op_effect(op) & (E_MOVES | E_SWAPS)) != 0) {
		count->unread[op->path2] += count->unread[path];
		count->unread[path] = 0;
	}
}

static bool is_synced(const struct walk *walk)
{
	const struct op *op = walk->op, *open = op;
	bool data = op_class(op->kind) == OP_CLASS_DATA;

	if ((op_effect(op) & E_FLUSHES) != 0)
		return true;
	/* A file that the set-up has opened is not opened again. */
	if (data && walk->file != NULL)
		open = walk->file->open;
	if (open == NULL || open->kind != OP_OPEN ||
	    (data && open >= walk->program->ops + walk->setup.end))
		return false;
	return (open->open_flags & OPEN_DIRECT) != 0 ||
	       ((open->open_flags & OPEN_SYNC) != 0 && !op_reads(op->kind));
}

static void count_path(struct count *count, struct profile *profile, uint32_t path)
{
	profile->paths += !count->named[path];
	count->named[path] = true;
}

/* Count the paths of the current op, and the handle that it opens or closes. */
static void count_names(struct count *count, struct profile *profile)
{
	struct walk_file *file = count->walk.file;
	const struct op *op = count->walk.op;

	if (op->path != OP_NONE)
		count_path(count, profile, op->path);
	if (op_accesses_two(op->kind))
		count_path(count, profile, op->path2);
	if (file == NULL || (op->kind != OP_OPEN && op->kind != OP_CLOSE) ||
	    file->mark == (op->kind == OP_OPEN))
		return;
	file->mark = op->kind == OP_OPEN;
	count->handles += file->mark ? 1 : -1u;
	if (count->handles > profile->peak_handles)
		profile->peak_handles = count->handles;
}

/* Count the current op, which is not a control op. */
static void count_op(struct count *count)
{
	const struct walk *walk = &count->walk;
	const struct op *op = walk->op;
	struct sums *label = &count->labels[op->label];

	if (walk->in_setup) {
		count->setup_ops += walk->times;
		return;
	}
	count->possible |= walk->possible;
	count->ops += walk->times;
	label->ops += walk->times;
	if (!walk->ok) {
		label->failures += walk->times;
		return;
	}
	if (is_synced(walk))
		count->synced += walk->times;
	if (op_class(op->kind) == OP_CLASS_DATA)
		count_bytes(count, label);
	count_laid_out(count);
}

/* Round the sums to the profile. Return 0, or -EINVAL if no operation is
 * played, or -EOVERFLOW. */
static int round_sums(const struct count *count, struct profile *profile)
{
	size_t i;

	if (count->setup_ops > TIMES_MAX || count->ops > TIMES_MAX ||
	    count->read_bytes > BYTES_MAX || count->write_bytes > BYTES_MAX)
		return -EOVERFLOW;
	if (!count->possible)
		return -EINVAL;
	profile->setup_ops = whole(count->setup_ops);
	profile->ops = whole(count->ops);
	profile->read_bytes = whole(count->read_bytes);
	profile->write_bytes = whole(count->write_bytes);
	profile->synced = whole(count->synced);
	if (!count->walk.program->prologue && profile->setup.end == 0)
		profile->laid_out_bytes = whole(count->laid_out_bytes);
	for (i = 0; i < PROGRAM_LABELS_MAX; i++) {
		const struct sums *sums = &count->labels[i];

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

static int count_all(struct count *count, struct profile *profile)
{
	struct walk *walk = &count->walk;

	profile->setup = walk->setup;
	while (walk_next(walk)) {
		if (walk->times > TIMES_MAX)
			return -EOVERFLOW;
		if (op_is_control(walk->op->kind))
			continue;
		count_names(count, profile);
		count_op(count);
	}
	return round_sums(count, profile);
}

static int count_ops(const struct program *program, struct profile *profile)
{
	struct count *count = calloc(1, sizeof(*count));
	int rc;

	if (count == NULL)
		return -ENOMEM;
	count->named = calloc(program->path_count + 1, sizeof(*count->named));
	count->unread = calloc(program->path_count + 1, sizeof(*count->unread));
	rc = walk_begin(&count->walk, program);
	if (count->named == NULL || count->unread == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		rc = count_all(count, profile);
	walk_end(&count->walk);
	free(count->named);
	free(count->unread);
	free(count);
	return rc;
}

/*
 * Set the end of the prologue. `reached` is the op at which the files first
 * have 85 % of their peak size. If this op is inside a loop, the prologue ends
 * after the loop, or before it if the loop is more than half of the load. Return
 * 0 or -ENOMEM.
 */
static int leave_loop(const struct program *program, size_t reached, struct profile *profile)
{
	double looped = 0; /* operations played in the outermost loop */
	size_t start = 0;
	struct walk walk;
	int rc = walk_begin(&walk, program);

	while (rc == 0 && walk_next(&walk)) {
		if (!op_is_control(walk.op->kind))
			looped += walk.times;
		if (walk.depth > 0)
			continue;
		if (walk.at >= reached)
			break;
		start = walk.at + 1;
		looped = 0;
	}
	profile->prologue_end = walk.at + 1;
	if (start < walk.at && looped > (double)profile->ops / 2)
		profile->prologue_end = start;
	walk_end(&walk);
	return rc;
}

static int find_prologue(const struct program *program, struct profile *profile)
{
	struct footprint footprint;
	uint64_t goal;
	size_t i;

	if (footprint_walk(program, 0, &footprint) < 0)
		return -ENOMEM;
	profile->footprint_bytes = footprint.bytes;
	profile->shared_footprint_bytes = footprint.shared_bytes;
	profile->prologue_end = profile->setup.end;
	if (footprint.bytes == 0 || !program->prologue)
		return 0;
	goal = footprint.bytes - footprint.bytes * 15 / 100;
	if (footprint_walk(program, goal, &footprint) < 0 ||
	    leave_loop(program, footprint.reached, profile) < 0)
		return -ENOMEM;
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
	rc = count_ops(program, profile);
	if (rc == 0)
		rc = find_prologue(program, profile);
	if (rc == 0)
		profile->paced_ns = find_paced_ns(program, profile);
	if (rc == -EINVAL)
		error_set_at(error, program->source, 0, 0,
			     "no operation of the load is ever played: each operation is in a LOOP "
			     "or MIX of 0 rounds");
	else if (rc == -EOVERFLOW)
		error_set_at(error, program->source, 0, 0,
			     "with all its loops, the load has more than 2^40 operations or 2^60 "
			     "bytes; give its loops smaller counts");
	else if (rc < 0)
		error_no_memory(error);
	return rc;
}
