/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/laid_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files during a walk through the program, by path. */
struct walk {
	uint64_t times[PROGRAM_LOOP_DEPTH + 1]; /* as in profile.c */
	unsigned depth;
	uint64_t *written; /* bytes written and not read yet, by path */
	uint32_t *opened;  /* path, by handle slot; OP_NONE: none */
};

static int walk_new(struct walk *walk, const struct program *program)
{
	*walk = (struct walk){
		.times = {1},
		.written = calloc(program->path_count + 1, sizeof(uint64_t)),
		.opened = malloc((program->handle_count + 1) *
				 sizeof(uint32_t)),
	};
	if (walk->written == NULL || walk->opened == NULL)
		return -ENOMEM;
	memset(walk->opened, 0xff,
	       program->handle_count * sizeof(*walk->opened));
	return 0;
}

/* Return the path of the file that a read or write accesses. */
static uint32_t path_of(const struct walk *walk, const struct op *op)
{
	return op->handle != OP_NONE ? walk->opened[op->handle] : op->path;
}

/* Return the bytes that an operation has laid out: if it reads a file, those
 * that were written to it before. */
static uint64_t play(struct walk *walk, const struct op *op)
{
	uint64_t times = walk->times[walk->depth], laid_out;
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
		walk->written[path] += times * ((op->flags & OP_COUNTED) != 0
							? op->expect
							: op->size);
		return 0;
	}
	laid_out = walk->written[path];
	walk->written[path] = 0;
	return laid_out;
}

int laid_out_find(const struct program *program, uint64_t *bytes)
{
	struct walk walk;
	int rc = walk_new(&walk, program);
	size_t i;

	*bytes = 0;
	for (i = 0; rc == 0 && i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->kind == OP_LOOP) {
			walk.times[walk.depth + 1] =
				walk.times[walk.depth] * op->count;
			walk.depth++;
		} else if (op->kind == OP_ENDLOOP) {
			walk.depth--;
		} else if (outcome_in(op->accepts, OUTCOME_OK) &&
			   !op_is_control(op->kind)) {
			*bytes += play(&walk, op);
		}
	}
	free(walk.written);
	free(walk.opened);
	return rc;
}
