/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/stream.h"

#include <errno.h>
#include <inttypes.h>

/* Check an AFTER: the current stream waits for another one, which has begun. */
static int check_after(const struct stream_lines *streams, const struct program *program,
		       const struct op *op, struct error *error)
{
	if (op->number == streams->current)
		error_set(error, "stream %" PRIu64 " cannot wait for itself", op->number);
	else if (op->number > 0 && (program->streams >> op->number & 1) == 0)
		error_set(error, "no line above belongs to stream %" PRIu64, op->number);
	else
		return 0;
	return -EINVAL;
}

int stream_check(struct stream_lines *streams, struct program *program, const struct op *op,
		 struct error *error)
{
	switch (op->kind) {
	case OP_STREAM:
		streams->current = (unsigned)op->number;
		program->streams |= UINT64_C(1) << op->number;
		break;
	case OP_RANDOMSTRING:
	case OP_SETSP:
	case OP_WAITSP:
		streams->streamless = op_verb(op->kind);
		break;
	case OP_AFTER:
		return check_after(streams, program, op, error);
	default:
		return 0;
	}
	if (program->streams == 0 || streams->streamless == NULL)
		return 0;
	error_set(error, "%s and STREAM cannot be in the same load", streams->streamless);
	return -EINVAL;
}
