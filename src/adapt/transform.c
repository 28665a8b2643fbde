/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/transform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Max number of operations after --cap-io. */
#define OPS_MAX (UINT64_C(1) << 28)

static void rewrite_open(struct op *op, const struct transform *transform)
{
	bool through = (op->open_flags & OPEN_WRITE_THROUGH) != 0;

	if ((op->open_flags & OPEN_DIRECTORY) != 0)
		return;
	if (transform->sync_opens || (through && transform->write_through == WRITE_THROUGH_HONOR))
		op->open_flags |= OPEN_SYNC;
}

/* Does a mismatch of this op affect the rest of the load? */
static bool affects_rest(const struct op *op)
{
	switch (op->kind) {
	case OP_UNLINK:
	case OP_UNLINK_MATCHING:
	case OP_RENAME:
	case OP_RMDIR:
	case OP_WRITE:
		return true;
	default:
		return false;
	}
}

static void forgive(struct op *op)
{
	if (!outcome_in(op->accepts, OUTCOME_OK))
		op->accepts = OUTCOME_ANY_FAILURE;
	if (!affects_rest(op))
		op->flags |= OP_FORGIVEN;
}

static void rewrite_data(struct op *op, const struct transform *transform)
{
	uint64_t cut = transform->io_bytes_cut;
	bool sized = (op->flags & OP_SIZED) != 0;

	if (cut > 0 && !sized && op->size > cut)
		op->size = cut;
	if (cut > 0 && op->expect > cut)
		op->expect = (uint32_t)cut;
	if (transform->pretend_io)
		op->flags |= OP_PRETENDED;
	if (transform->read_first && op->kind == OP_WRITE && !sized && op->size == 1)
		op->flags |= OP_READ_FIRST;
	if (transform->flush_writes && op->kind == OP_WRITE)
		op->flags |= OP_FLUSH;
}

static void rewrite_op(struct op *op, const struct transform *transform)
{
	if (transform->drop_lookups)
		op->flags &= (uint16_t)~OP_LOOKUP;
	if (transform->forgive && !op_is_control(op->kind))
		forgive(op);
	if (transform->stat_first &&
	    (op->kind == OP_MKDIR || op->kind == OP_RMDIR || op->kind == OP_RENAME ||
	     (op->kind == OP_OPEN && (op->open_flags & OPEN_CREATE) != 0)))
		op->flags |= OP_STAT_FIRST;
	if (transform->sync_parents && (op_takes(op->kind) & OP_SYNC_PARENT) != 0)
		op->flags |= OP_SYNC_PARENT;
	if (op->kind == OP_OPEN)
		rewrite_open(op, transform);
	else if (op_reads(op->kind) || op_writes(op->kind))
		rewrite_data(op, transform);
}

static uint64_t parts_of(const struct op *op, uint64_t bytes_max)
{
	if ((!op_reads(op->kind) && !op_writes(op->kind)) || (op->flags & OP_SIZED) != 0 ||
	    op->size <= bytes_max)
		return 1;
	return (op->size + bytes_max - 1) / bytes_max;
}

/* Write the parts of one operation to out[0] to out[parts - 1]. */
static void split_op(const struct op *op, uint64_t parts, uint64_t bytes_max, struct op *out)
{
	uint64_t done = 0, part;

	for (part = 0; part < parts; part++) {
		uint64_t left = op->size - done;
		uint64_t recorded = op->expect > done ? op->expect - done : 0;

		out[part] = *op;
		if (parts == 1)
			break;
		out[part].size = left < bytes_max ? left : bytes_max;
		out[part].expect = (uint32_t)(recorded < out[part].size ? recorded
									: out[part].size);
		/* A part at the handle's position begins where the part before
		 * it ended. */
		if (part > 0 && (op->flags & OP_NEXT) == 0) {
			out[part].flags |= OP_CONTINUED;
			out[part].flags &= (uint16_t)~OP_COMPUTED;
		}
		/* Flush once, after the last part. */
		if (part + 1 < parts)
			out[part].flags &= (uint16_t)~OP_FLUSH;
		done += out[part].size;
	}
}

/* Split all operations and write the parts to `ops`, and their due times to
 * `due_ns`. */
static void split_all(struct program *program, uint64_t bytes_max, struct op *ops, uint64_t *due_ns)
{
	size_t next = 0, i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		uint64_t parts = parts_of(op, bytes_max), part;

		split_op(op, parts, bytes_max, &ops[next]);
		for (part = 0; due_ns != NULL && part < parts; part++)
			due_ns[next + part] = part == 0 ? program->due_ns[i] : CLOCK_NEVER;
		next += parts;
	}
}

static int cap_io(struct program *program, uint64_t bytes_max, struct error *error)
{
	struct op *ops;
	uint64_t *due_ns = NULL;
	uint64_t count = 0;
	uint64_t attribute_max = 0;
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if ((op->flags & OP_SIZED) != 0 && op_class(op->kind) == OP_CLASS_DATA &&
		    program_op_size_max(program, op) > bytes_max) {
			error_set_at(error, program->source, op->line, 0,
				     "--cap-io cannot split an operation whose size varies");
			return -EINVAL;
		}
		count += parts_of(op, bytes_max);
		if (op_moves_attributes(op->kind) && op->size > attribute_max)
			attribute_max = op->size;
	}
	if (count > OPS_MAX) {
		error_set(error,
			  "--cap-io would split the load into more than %llu operations; give "
			  "--cap-io a larger size",
			  (unsigned long long)OPS_MAX);
		return -EOVERFLOW;
	}
	ops = reallocarray(NULL, count, sizeof(*ops));
	if (program->due_ns != NULL)
		due_ns = reallocarray(NULL, count, sizeof(*due_ns));
	if (ops == NULL || (program->due_ns != NULL && due_ns == NULL)) {
		free(ops);
		free(due_ns);
		return error_no_memory(error);
	}
	split_all(program, bytes_max, ops, due_ns);
	free(program->ops);
	free(program->due_ns);
	program->ops = ops;
	program->due_ns = due_ns;
	program->op_count = count;
	program_link_blocks(program);
	/* Attributes are not split, so their buffers keep their size. */
	if (bytes_max < attribute_max)
		bytes_max = attribute_max;
	if (program->io_bytes_max > bytes_max)
		program->io_bytes_max = (uint32_t)bytes_max;
	return 0;
}

static void drop_ops(struct program *program, enum op_kind kind)
{
	size_t kept = 0, i;

	for (i = 0; i < program->op_count; i++) {
		if (program->ops[i].kind == kind)
			continue;
		if (program->due_ns != NULL)
			program->due_ns[kept] = program->due_ns[i];
		program->ops[kept++] = program->ops[i];
	}
	program->op_count = kept;
	program_link_blocks(program);
}

static void drop_stamps(struct program *program)
{
	free(program->due_ns);
	program->due_ns = NULL;
}

static int check_pace(const struct program *program, const struct transform *transform,
		      struct error *error)
{
	if (transform->rate.per_s > 0 && transform->speed > 0)
		error_set(error, "--speed cannot be combined with --rate, which replaces the "
				 "load's time stamps");
	else if (transform->speed > 0 && !isinf(transform->speed) && program->due_ns == NULL)
		error_set(error,
			  "--speed: %s has no time stamps; use --rate to schedule its operations",
			  program->source);
	else
		return 0;
	return -EINVAL;
}

/* Set when operations are due. */
static int set_pace(struct program *program, const struct transform *transform, struct error *error)
{
	size_t i;

	if (check_pace(program, transform, error) < 0)
		return -EINVAL;
	if (transform->rate.per_s > 0) {
		program->rate = transform->rate;
		drop_ops(program, OP_SLEEP);
		drop_stamps(program);
	} else if (isinf(transform->speed)) {
		drop_stamps(program);
	} else if (transform->speed > 0) {
		for (i = 0; i < program->op_count; i++)
			if (program->due_ns[i] != CLOCK_NEVER)
				program->due_ns[i] = (uint64_t)fmin((double)program->due_ns[i] /
									    transform->speed,
								    PROGRAM_DUE_MAX_NS);
	}
	return 0;
}

int transform_program(struct program *program, const struct transform *transform,
		      struct error *error)
{
	size_t i;
	int rc = set_pace(program, transform, error);

	if (rc < 0)
		return rc;
	for (i = 0; i < program->op_count; i++)
		rewrite_op(&program->ops[i], transform);
	if (transform->drop_patterns)
		drop_ops(program, OP_WRITEPATTERN);
	if (transform->io_bytes_max > 0 && transform->io_bytes_max < program->io_bytes_max)
		return cap_io(program, transform->io_bytes_max, error);
	return 0;
}
