/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/setup_flush.h"

#include "study/walk.h"

int setup_flush(struct program *program, struct error *error)
{
	struct walk walk;
	int rc = walk_begin(&walk, program);

	while (rc == 0 && walk_next(&walk) && walk.in_setup) {
		struct op *op = &program->ops[walk.at];

		if (walk_mark_written(&walk))
			op->flags |= OP_FLUSH;
		if (op->kind == OP_NFS_WRITE)
			op->stable = 2; /* FILE_SYNC of RFC 1813 */
	}
	walk_end(&walk);
	return rc < 0 ? error_no_memory(error) : 0;
}
