/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/composition.h"

#include "base/array.h"
#include "base/intern.h"
#include "program/path.h"
#include "study/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { READS, WRITES };

/* The end of an access to a place that is not known. */
#define UNKNOWN UINT64_MAX

struct count {
	/* The mark of a file is the end of the last access to it. */
	struct walk walk;
	struct composition *composition;
	uint64_t *ends; /* the same for procedures, by path */
	struct intern names;
	bool *directories; /* by number of the name */
	size_t name_room;
	double all_ops;
	uint64_t due_ns; /* of the current op */
	/* Not in the parts yet: the current block, or the current op if
	 * there is none. It begins after `ops`. */
	double ops, block_ops, block_bytes[COMPOSITION_WAYS];
};

/* Return the length of what stands for the user's directory in a path. */
static size_t base_of(const char *path)
{
	return path_place(path) == PATH_SHARED ? 0 : path_head(path);
}

/* Add a path and its parents. Of a pattern, add only these. Return 0 or
 * -ENOMEM. */
static int add_path(struct count *count, uint32_t path, bool pattern, bool directory)
{
	const char *text = count->walk.program->paths[path].text;
	size_t length = pattern ? path_parent(text) : strlen(text);
	size_t base = base_of(text);
	int is_new = 1;

	for (directory |= pattern; length > base && is_new; directory = true) {
		int64_t number = intern(&count->names, text, length, &is_new);

		if (number < 0 || array_grow(&count->directories, &count->name_room,
					     count->names.count, sizeof(bool)) < 0)
			return -ENOMEM;
		count->directories[number] = directory || (!is_new && count->directories[number]);
		do
			length--;
		while (length > base && text[length] != '/');
	}
	return 0;
}

/* Add the names that an operation uses. Return 0 or -ENOMEM. */
static int add_names(struct count *count, const struct op *op)
{
	bool pattern = op->kind == OP_LIST || op->kind == OP_UNLINK_MATCHING;
	bool directory = (op_effect(op) & E_DIR) != 0;
	int rc = 0;

	if (op->path != OP_NONE)
		rc = add_path(count, op->path, pattern, directory);
	if (rc == 0 && op_accesses_two(op->kind))
		rc = add_path(count, op->path2, false, false);
	return rc;
}

static void count_names(const struct count *count)
{
	size_t i;

	for (i = 0; i < count->names.count; i++) {
		const char *text = count->names.keys[i].bytes;
		unsigned depth = 0;

		for (text += base_of(text) + 1; *text != '\0'; text++)
			depth += *text == '/';
		if (depth >= COMPOSITION_DEPTHS)
			depth = COMPOSITION_DEPTHS - 1;
		count->composition->names[depth][!count->directories[i]]++;
	}
}

static enum composition_order order_of(struct count *count, const struct op *op, uint64_t bytes)
{
	uint64_t *end = op->handle != OP_NONE ? &count->walk.file->mark : &count->ends[op->path];
	enum composition_order order = ORDER_RANDOM;

	if ((op->flags & OP_COMPUTED) != 0)
		order = ORDER_COMPUTED;
	else if ((op->flags & (OP_NEXT | OP_CONTINUED)) != 0 ||
		 (*end != UNKNOWN && *end == op->offset))
		order = ORDER_SEQUENTIAL;
	*end = (op->flags & OP_VARIES) != 0 ? UNKNOWN : op->offset + bytes;
	return order;
}

static void add_size(struct count *count, unsigned way, uint64_t bytes, double times)
{
	unsigned row = 0;

	bytes >>= COMPOSITION_SIZE_POWER;
	for (; bytes > 0 && row < COMPOSITION_SIZES - 1; bytes >>= 1)
		row++;
	count->composition->sizes[row][way] += times;
}

/* Add the current op, a read or write that is played `times` times. */
static void add_data(struct count *count, double times)
{
	const struct op *op = count->walk.op;
	unsigned way = op_reads(op->kind) ? READS : WRITES;
	double bytes = program_op_bytes(count->walk.program, op);

	if (op->kind == OP_TRANSACT) {
		add_size(count, READS, op->expect, times);
		count->block_bytes[READS] += op->expect * times;
	} else {
		count->composition->orders[order_of(count, op, (uint64_t)bytes)][way] += times;
	}
	add_size(count, way, (uint64_t)bytes, times);
	/* profile.h leaves out reads of unknown size, too. */
	if (way == WRITES || (op->flags & OP_COUNTED) != 0)
		count->block_bytes[way] += bytes * times;
}

/* Return the share of the block from `from` to `to` that is before `at`. */
static double before(double at, double from, double to)
{
	if (at <= from)
		return 0;
	return at < to ? (at - from) / (to - from) : 1;
}

/* Spread the bytes of the block evenly over the parts that it extends over. */
static void end_block(struct count *count)
{
	struct composition *composition = count->composition;
	double part_ops = count->all_ops / COMPOSITION_PARTS, done = 0, share;
	double from = count->ops / part_ops;
	double to = (count->ops + count->block_ops) / part_ops;
	unsigned part, way;

	if (composition->end_ns > 0)
		from = to = (double)count->due_ns * COMPOSITION_PARTS / (double)composition->end_ns;
	for (part = 0; part < COMPOSITION_PARTS && done < 1; part++) {
		share = part + 1 == COMPOSITION_PARTS ? 1 : before(part + 1, from, to);
		for (way = 0; way < COMPOSITION_WAYS; way++)
			composition->parts[part][way] += (share - done) * count->block_bytes[way];
		done = share;
	}
	count->ops += count->block_ops;
	count->block_ops = 0;
	memset(count->block_bytes, 0, sizeof(count->block_bytes));
}

/* Return the last time stamp. */
static uint64_t find_end(const struct program *program)
{
	uint64_t end_ns = 0;
	size_t i;

	for (i = 0; program->due_ns != NULL && i < program->op_count; i++)
		if (program->due_ns[i] != CLOCK_NEVER && program->due_ns[i] > end_ns)
			end_ns = program->due_ns[i];
	return end_ns;
}

/* Count the current op, which is not a control op. Return 0 or -ENOMEM. */
static int count_op(struct count *count)
{
	const struct walk *walk = &count->walk;
	double times = walk->in_setup ? 0 : walk->times;

	count->block_ops += times;
	if (walk->ok && add_names(count, walk->op) < 0)
		return -ENOMEM;
	if (walk->ok && op_class(walk->op->kind) == OP_CLASS_DATA)
		add_data(count, times);
	if (walk->op->kind == OP_OPEN && walk->file != NULL)
		walk->file->mark = 0;
	return 0;
}

/* Count the operations. Return 0 or -ENOMEM. */
static int count_ops(struct count *count)
{
	const uint64_t *due_ns = count->walk.program->due_ns;
	struct walk *walk = &count->walk;
	int rc = 0;

	while (rc == 0 && walk_next(walk)) {
		if (due_ns != NULL && due_ns[walk->at] != CLOCK_NEVER)
			count->due_ns = due_ns[walk->at];
		if (!op_is_control(walk->op->kind))
			rc = count_op(count);
		if (walk->depth == 0 && count->block_ops > 0)
			end_block(count);
	}
	return rc;
}

int composition_make(const struct program *program, const struct profile *profile,
		     struct composition *composition, struct error *error)
{
	struct count count = {
		.composition = composition,
		.ends = calloc(program->path_count + 1, sizeof(*count.ends)),
		.all_ops = (double)profile->ops,
	};
	int rc = walk_begin(&count.walk, program);

	*composition = (struct composition){.end_ns = find_end(program)};
	if (count.ends == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		rc = count_ops(&count);
	if (rc == 0)
		count_names(&count);
	intern_free(&count.names);
	walk_end(&count.walk);
	free(count.directories);
	free(count.ends);
	return rc < 0 ? error_no_memory(error) : 0;
}
