/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/composition.h"

#include "base/array.h"
#include "base/intern.h"
#include "program/path.h"
#include "program/times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { READS, WRITES };

/* The end of the last access to an open file or, for a procedure, to a path. */
struct place {
	uint64_t end;
	bool unknown;
};

struct walk {
	const struct program *program;
	struct composition *composition;
	struct place *places; /* by handle slot, then by path */
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
	return path_place(path) == PATH_SHARED ? 0 : path_fixed_part(path);
}

/* Add a path and its parents. Of a pattern, add only these. Return 0 or
 * -ENOMEM. */
static int add_path(struct walk *walk, uint32_t path, bool pattern, bool directory)
{
	const char *text = walk->program->paths[path].text;
	size_t length = pattern ? path_parent(text) : strlen(text);
	size_t base = base_of(text);
	int is_new = 1;

	for (directory |= pattern; length > base && is_new; directory = true) {
		int64_t number = intern(&walk->names, text, length, &is_new);

		if (number < 0 || array_grow(&walk->directories, &walk->name_room,
					     walk->names.count, sizeof(bool)) < 0)
			return -ENOMEM;
		walk->directories[number] = directory || (!is_new && walk->directories[number]);
		do
			length--;
		while (length > base && text[length] != '/');
	}
	return 0;
}

/* Add the names that an operation uses. Return 0 or -ENOMEM. */
static int add_names(struct walk *walk, const struct op *op)
{
	bool pattern = op->kind == OP_LIST || op->kind == OP_UNLINK_MATCHING;
	bool directory = (op_effect(op) & E_DIR) != 0;
	int rc = 0;

	if (op->path != OP_NONE)
		rc = add_path(walk, op->path, pattern, directory);
	if (rc == 0 && op_accesses_two(op->kind))
		rc = add_path(walk, op->path2, false, false);
	return rc;
}

static void count_names(const struct walk *walk)
{
	size_t i;

	for (i = 0; i < walk->names.count; i++) {
		const char *text = walk->names.keys[i].bytes;
		unsigned depth = 0;

		for (text += base_of(text) + 1; *text != '\0'; text++)
			depth += *text == '/';
		if (depth >= COMPOSITION_DEPTHS)
			depth = COMPOSITION_DEPTHS - 1;
		walk->composition->names[depth][!walk->directories[i]]++;
	}
}

static enum composition_order order_of(struct walk *walk, const struct op *op, uint64_t bytes)
{
	struct place *place =
		&walk->places[op->handle != OP_NONE ? op->handle
						    : walk->program->handle_count + op->path];
	enum composition_order order = ORDER_RANDOM;

	if ((op->flags & OP_COMPUTED) != 0)
		order = ORDER_COMPUTED;
	else if ((op->flags & (OP_NEXT | OP_CONTINUED)) != 0 ||
		 (!place->unknown && place->end == op->offset))
		order = ORDER_SEQUENTIAL;
	place->unknown = (op->flags & OP_VARIES) != 0;
	place->end = op->offset + bytes;
	return order;
}

static void add_size(struct walk *walk, unsigned way, uint64_t bytes, double times)
{
	unsigned row = 0;

	bytes >>= COMPOSITION_SIZE_POWER;
	for (; bytes > 0 && row < COMPOSITION_SIZES - 1; bytes >>= 1)
		row++;
	walk->composition->sizes[row][way] += times;
}

/* Add a read or write that is played `times` times. */
static void add_data(struct walk *walk, const struct op *op, double times)
{
	bool counted = (op->flags & OP_COUNTED) != 0;
	unsigned way = op_reads(op->kind) ? READS : WRITES;
	double bytes = counted ? op->expect : (double)op->size;

	if ((op->flags & OP_SIZED) != 0)
		bytes = walk->program->formulas[op->size].range.mean;
	if (op->kind == OP_TRANSACT) {
		bytes = (double)op->size;
		add_size(walk, READS, op->expect, times);
		walk->block_bytes[READS] += op->expect * times;
	} else {
		walk->composition->orders[order_of(walk, op, (uint64_t)bytes)][way] += times;
	}
	add_size(walk, way, (uint64_t)bytes, times);
	/* profile.h leaves out reads of unknown size, too. */
	if (counted || way == WRITES)
		walk->block_bytes[way] += bytes * times;
}

/* Return the share of the block from `from` to `to` that is before `at`. */
static double before(double at, double from, double to)
{
	if (at <= from)
		return 0;
	return at < to ? (at - from) / (to - from) : 1;
}

/* Spread the bytes of the block evenly over the parts that it extends over. */
static void end_block(struct walk *walk)
{
	struct composition *composition = walk->composition;
	double part_ops = walk->all_ops / COMPOSITION_PARTS, done = 0, share;
	double from = walk->ops / part_ops;
	double to = (walk->ops + walk->block_ops) / part_ops;
	unsigned part, way;

	if (composition->end_ns > 0)
		from = to = (double)walk->due_ns * COMPOSITION_PARTS / (double)composition->end_ns;
	for (part = 0; part < COMPOSITION_PARTS && done < 1; part++) {
		share = part + 1 == COMPOSITION_PARTS ? 1 : before(part + 1, from, to);
		for (way = 0; way < COMPOSITION_WAYS; way++)
			composition->parts[part][way] += (share - done) * walk->block_bytes[way];
		done = share;
	}
	walk->ops += walk->block_ops;
	walk->block_ops = 0;
	memset(walk->block_bytes, 0, sizeof(walk->block_bytes));
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

/* Count the operations. Return 0 or -ENOMEM. */
static int count_ops(struct walk *walk, size_t setup_end)
{
	const struct program *program = walk->program;
	struct times times = times_start();
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		double played = times_next(&times, program, op);
		bool ok = outcome_in(op->accepts, OUTCOME_OK);

		if (program->due_ns != NULL && program->due_ns[i] != CLOCK_NEVER)
			walk->due_ns = program->due_ns[i];
		if (!op_is_control(op->kind)) {
			if (i < setup_end)
				played = 0;
			walk->block_ops += played;
			if (ok && add_names(walk, op) < 0)
				return -ENOMEM;
			if (ok && op_class(op->kind) == OP_CLASS_DATA)
				add_data(walk, op, played);
		}
		if (op->kind == OP_OPEN && op->handle != OP_NONE)
			walk->places[op->handle] = (struct place){0};
		if (times.depth == 0 && walk->block_ops > 0)
			end_block(walk);
	}
	return 0;
}

int composition_make(const struct program *program, const struct profile *profile,
		     struct composition *composition, struct error *error)
{
	struct walk walk = {
		.program = program,
		.composition = composition,
		.places = calloc(program->handle_count + program->path_count + 1,
				 sizeof(*walk.places)),
		.all_ops = (double)profile->ops,
	};
	int rc = -ENOMEM;

	*composition = (struct composition){.end_ns = find_end(program)};
	if (walk.places != NULL)
		rc = count_ops(&walk, profile->setup.end);
	if (rc == 0)
		count_names(&walk);
	intern_free(&walk.names);
	free(walk.directories);
	free(walk.places);
	return rc < 0 ? error_no_memory(error) : 0;
}
