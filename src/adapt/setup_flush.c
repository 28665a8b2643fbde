/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/setup_flush.h"

#include "program/setup.h"

#include <stdlib.h>

int setup_flush(struct program *program, struct error *error)
{
	const struct setup setup = setup_find(program);
	bool *written = calloc(program->handle_count + 1, sizeof(*written));
	unsigned depth = 0;
	size_t i;

	if (written == NULL)
		return error_no_memory(error);
	for (i = 0; i < setup.end; i++) {
		struct op *op = &program->ops[i];

		if (setup_track_written(program, i, &depth, written))
			op->flags |= OP_FLUSH;
		if (op->kind == OP_NFS_WRITE)
			op->stable = 2; /* FILE_SYNC of RFC 1813 */
	}
	free(written);
	return 0;
}
