/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/laid_out.h"

#include "program/times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files during a walk through the program, by path. */
struct walk {
	double *written;  /* bytes written and not read yet, by path */
	uint32_t *opened; /* path, by handle slot; OP_NONE: none */
};

static int walk_new(struct walk *walk, const struct program *program)
{
	*walk = (struct walk){
		.written = calloc(program->path_count + 1, sizeof(double)),
		.opened = malloc((program->handle_count + 1) * sizeof(uint32_t)),
	};
	if (walk->written == NULL || walk->opened == NULL)
		return -ENOMEM;
	memset(walk->opened, 0xff, program->handle_count * sizeof(*walk->opened));
	return 0;
}

/* Return the path of the file that a read or write accesses. */
static uint32_t path_of(const struct walk *walk, const struct op *op)
{
	return op->handle != OP_NONE ? walk->opened[op->handle] : op->path;
}

/* Return the number of bytes that a write is expected to write. */
static double size_of(const struct program *program, const struct op *op)
{
	if ((op->flags & OP_SIZED) != 0)
		return program->formulas[op->size].range.mean;
	return (op->flags & OP_COUNTED) != 0 ? op->expect : (double)op->size;
}

/* Return the bytes that an operation has laid out: if it reads a file, those
 * that were written to it before. */
static double play(struct walk *walk, const struct program *program, const struct op *op,
		   double times)
{
	double laid_out;
	uint32_t path;

	if (op->kind == OP_OPEN && op->handle != OP_NONE)
		walk->opened[op->handle] = op->path;
	if (op->kind == OP_RENAME || op->kind == OP_NFS_RENAME) {
		walk->written[op->path2] += walk->written[op->path];
		walk->written[op->path] = 0;
	}
	if (!op_reads(op->kind) && !op_writes(op->kind))
		return 0;
	path = path_of(walk, op);
	if (path == OP_NONE)
		return 0;
	if (op_writes(op->kind)) {
		walk->written[path] += times * size_of(program, op);
		return 0;
	}
	laid_out = walk->written[path];
	walk->written[path] = 0;
	return laid_out;
}

int laid_out_find(const struct program *program, uint64_t *bytes)
{
	struct times times = times_start();
	struct walk walk;
	int rc = walk_new(&walk, program);
	double sum = 0;
	size_t i;

	for (i = 0; rc == 0 && i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		double played = times_next(&times, program, op);

		if (outcome_in(op->accepts, OUTCOME_OK) && !op_is_control(op->kind))
			sum += play(&walk, program, op, played);
	}
	*bytes = (uint64_t)(sum + 0.5);
	free(walk.written);
	free(walk.opened);
	return rc;
}
