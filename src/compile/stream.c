/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/stream.h"

#include <errno.h>
#include <inttypes.h>

/* Check an AFTER: the current stream waits for another one, which has begun. */
static int check_after(const struct stream_lines *streams, const struct program *program,
		       const struct op *op, struct error *error)
{
	if (op->number == streams->current)
		error_set(error,
			  "this AFTER is in stream %" PRIu64
			  ", and a stream cannot wait for itself; expected the number of another "
			  "stream",
			  op->number);
	else if (op->number > 0 && (program->streams >> op->number & 1) == 0)
		error_set(error,
			  "no earlier line is in stream %" PRIu64
			  "; expected the number of a stream that has begun before this AFTER",
			  op->number);
	else
		return 0;
	return -EINVAL;
}

static int refuse_pair(const char *one, const char *other, struct error *error)
{
	error_set(error, "%s and %s cannot be in the same load", one, other);
	return -EINVAL;
}

int stream_check(struct stream_lines *streams, struct program *program, const struct op *op,
		 struct error *error)
{
	switch (op->kind) {
	case OP_PARALLEL:
		if (op->count > program->parallel)
			program->parallel = (unsigned)op->count;
		break;
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
	if (streams->streamless != NULL && program->parallel > 0)
		return refuse_pair(streams->streamless, "PARALLEL", error);
	if (streams->streamless != NULL && program->streams != 0)
		return refuse_pair(streams->streamless, "STREAM", error);
	if (program->parallel > 0 && program->streams != 0)
		return refuse_pair("PARALLEL", "STREAM", error);
	return 0;
}

/* Return whether a handle is open outside the PARALLEL. */
static bool is_outer(const struct handles *handles, const struct block *parallel, uint32_t number)
{
	int64_t index = intern_find(&handles->numbers, &number, sizeof(number));

	return index >= 0 && (size_t)index < parallel->open_count && parallel->open[index];
}

/* Check the path of an operation that changes it: it must have the PARALLEL's
 * counter. */
static int check_name(const struct program *program, const struct block *parallel,
		      const struct op *op, uint32_t path, struct error *error)
{
	uint32_t counter = program->ops[parallel->start].variable;
	const char *text, *start, *end;

	if (path == OP_NONE)
		return 0;
	text = program->paths[path].text;
	if (program->paths[path].references)
		for (; (start = text) != NULL; text = end) {
			int number = program_find_reference(program, text, &start, &end);

			if (number < 0)
				break;
			if ((uint32_t)number == counter)
				return 0;
		}
	error_set(error,
		  "%s changes \"/%s\", but all streams of the PARALLEL of line %" PRIu32
		  " would change this same path; expected a path that contains the counter of the "
		  "PARALLEL, such as f$i after PARALLEL %" PRIu64 " i",
		  op_verb(op->kind), program->paths[path].text, parallel->line,
		  program->ops[parallel->start].count);
	return -EINVAL;
}

static int refuse_handle(const struct block *parallel, const struct op *op, struct error *error)
{
	error_set(error,
		  (op->flags & OP_NEXT) != 0
			  ? "handle %" PRIu32 " was opened before the PARALLEL of line %" PRIu32
			    ", so all streams use the same open file; give an offset instead of "
			    "\"next\""
			  : "handle %" PRIu32 " was opened before the PARALLEL of line %" PRIu32
			    ", so all streams use the same open file; use another handle number on "
			    "this line",
		  op->handle, parallel->line);
	return -EINVAL;
}

int stream_check_played(const struct blocks *blocks, const struct op *op, struct error *error)
{
	const struct block *parallel = blocks_parallel(blocks);

	if (parallel == NULL)
		return 0;
	if (op->handle != OP_NONE && is_outer(blocks->handles, parallel, op->handle) &&
	    (op->kind == OP_OPEN || op->kind == OP_CLOSE || (op->flags & OP_NEXT) != 0))
		return refuse_handle(parallel, op, error);
	if (op->path == OP_NONE || !op_changes_path(op))
		return 0;
	if (check_name(blocks->program, parallel, op, op->path, error) < 0)
		return -EINVAL;
	return op_accesses_two(op->kind)
		       ? check_name(blocks->program, parallel, op, op->path2, error)
		       : 0;
}
