/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/footprint.h"

#include "base/array.h"
#include "base/sum.h"
#include "study/user_files.h"
#include "study/walk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* How a file grows with each round of a loop. */
enum growth_kind {
	GROWTH_NONE,
	GROWTH_APPEND,
	/* Writes at offsets that rise with each round; no growth if the loop
	 * also writes at a fixed offset. */
	GROWTH_SEQUENTIAL,
	GROWTH_NEXT,   /* as SEQUENTIAL, at the position of a handle */
	GROWTH_RANDOM, /* writes fill holes, but do not change the length */
	GROWTH_NAME,   /* a new file, as the path has another name now */
};

struct growth {
	enum growth_kind kind;
	struct user_file *file;
	uint32_t path;
	uint32_t handle; /* or OP_NONE */
	uint64_t amount; /* growth in all rounds so far, in bytes or files */
	/* How often it happens in a round of the loop around it: 1, or less in
	 * an EVERY. */
	double share;
};

struct estimate {
	struct walk walk;
	struct user_files files;
	struct opened {
		uint32_t path; /* OP_NONE: not open */
		bool appends;
		size_t at; /* the op that opened it */
		uint64_t position;
	} *opened; /* by handle slot */
	/* Offsets that later writes may continue. */
	struct offsets {
		uint64_t previous_end; /* end of the last write */
		enum growth_kind previous_kind;
		size_t rewound; /* the op that last wrote at a fixed offset */
	} offsets;
	/* A stack of the growth in the loops around the current op. */
	struct growth *growths;
	size_t growth_count, growth_room;
	struct {
		size_t start;            /* number of the LOOP op, from 1 */
		uint64_t count;          /* number of rounds */
		size_t growths;          /* growth_count at the start of the loop */
		double by_weight;        /* MIX: rounds of a branch of weight 1 */
	} loops[2 * PROGRAM_LOOP_DEPTH]; /* LOOP, MIX, branches, and EVERY */
	unsigned depth;
};

static void free_estimate(struct estimate *estimate)
{
	walk_end(&estimate->walk);
	user_files_close(&estimate->files);
	free(estimate->opened);
	free(estimate->growths);
}

static int begin_estimate(struct estimate *estimate, const struct program *program)
{
	uint32_t i;

	*estimate = (struct estimate){
		.opened = calloc(program->handle_count + 1, sizeof(*estimate->opened)),
	};
	if (walk_begin(&estimate->walk, program) < 0 ||
	    user_files_open(&estimate->files, program) < 0 || estimate->opened == NULL)
		return -ENOMEM;
	for (i = 0; i < program->handle_count; i++)
		estimate->opened[i].path = OP_NONE;
	return 0;
}

static int add_growth(struct estimate *estimate, enum growth_kind kind, uint32_t path,
		      uint32_t handle, uint64_t amount)
{
	if (estimate->depth == 0)
		return 0;
	if (array_grow(&estimate->growths, &estimate->growth_room, estimate->growth_count + 1,
		       sizeof(*estimate->growths)) < 0)
		return -ENOMEM;
	estimate->growths[estimate->growth_count++] = (struct growth){
		.kind = kind,
		.file = user_files_find(&estimate->files, path),
		.path = path,
		.handle = handle,
		.amount = amount,
		.share = 1,
	};
	return 0;
}

/*
 * Make a file grow by all rounds of a loop but the first, since only the first
 * round is walked through. The loop began at op `start`. Return true if an
 * outer loop that repeats this loop makes the file grow, too; false if each
 * round of this loop empties, removes or rewinds the file.
 */
static bool repeat_growth(struct estimate *estimate, size_t start, uint64_t rounds,
			  struct growth *growth)
{
	struct user_files *files = &estimate->files;
	struct user_file *file = growth->file;
	struct opened *opened = growth->kind == GROWTH_NEXT ? &estimate->opened[growth->handle]
							    : NULL;
	uint64_t names, more, end = 0;
	bool drawn = user_files_last_change(files, growth->path, &names) > start;

	if (growth->kind == GROWTH_NAME) {
		if (file->removed > start)
			return false;
		more = drawn ? sum_multiply(growth->amount, rounds - 1) : 0;
		growth->amount = sum_add(growth->amount, more);
		user_files_add_names(files, growth->path, file, more);
		return true;
	}
	if (file->emptied > start ||
	    (growth->kind == GROWTH_SEQUENTIAL && estimate->offsets.rewound > start) ||
	    (opened != NULL && opened->at > start))
		return false;
	if (drawn)
		rounds = names < rounds ? rounds / names : 1;
	more = sum_multiply(growth->amount, rounds - 1);
	growth->amount = sum_add(growth->amount, more);
	if (opened != NULL)
		end = opened->position = sum_add(opened->position, more);
	else if (growth->kind != GROWTH_RANDOM)
		end = sum_add(file->length, more);
	user_files_write(files, file, more, end);
	if (growth->kind == GROWTH_SEQUENTIAL)
		estimate->offsets.previous_end = sum_add(estimate->offsets.previous_end, more);
	return true;
}

/* Return how often a file grows in the rounds of a loop, at least 1. */
static uint64_t times_in(uint64_t rounds, struct growth *growth)
{
	double times = (double)rounds * growth->share;

	if (growth->share == 1)
		return rounds;
	growth->share = fmin(times, 1);
	return (uint64_t)fmin(fmax(ceil(times), 1), SUM_MAX);
}

static void end_loop(struct estimate *estimate)
{
	unsigned loop = --estimate->depth;
	size_t kept = estimate->loops[loop].growths, i;

	for (i = kept; i < estimate->growth_count; i++) {
		struct growth *growth = &estimate->growths[i];

		if (repeat_growth(estimate, estimate->loops[loop].start,
				  times_in(estimate->loops[loop].count, growth), growth))
			estimate->growths[kept++] = *growth;
	}
	estimate->growth_count = kept;
}

/* End an EVERY: only each n-th round of the loop around it plays its block. */
static void end_every(struct estimate *estimate)
{
	unsigned every = --estimate->depth;
	size_t i;

	for (i = estimate->loops[every].growths; i < estimate->growth_count; i++)
		estimate->growths[i].share /= (double)estimate->loops[every].count;
}

/* Begin to write to a path. */
static int begin_file(struct estimate *estimate, uint32_t path)
{
	return user_files_begin(&estimate->files, path)
		       ? add_growth(estimate, GROWTH_NAME, path, OP_NONE, 1)
		       : 0;
}

static int open_file(struct estimate *estimate, const struct op *op)
{
	uint64_t writing = OPEN_WRITE | OPEN_APPEND | OPEN_CREATE | OPEN_TRUNCATE;
	int rc = 0;

	if ((op->open_flags & writing) != 0)
		rc = begin_file(estimate, op->path);
	if ((op->open_flags & OPEN_TRUNCATE) != 0)
		user_files_truncate(&estimate->files, user_files_find(&estimate->files, op->path),
				    0);
	estimate->opened[op->handle] = (struct opened){
		.path = op->path,
		.appends = (op->open_flags & OPEN_APPEND) != 0,
		.at = estimate->files.now,
	};
	return rc;
}

/* Does the formula add to the offset of the operation before? */
static bool continues(const struct formula *formula)
{
	return formula->steps[0].action == FORMULA_PREVIOUS;
}

/* Return the highest value of a computed offset. For one that the dialects of
 * recordings draw from 64 bits, use its modulus. */
static uint64_t offset_max(const struct formula *formula)
{
	uint64_t max = SUM_MAX, i;

	if (formula->steps[0].action != FORMULA_BITS)
		return formula->range.max < max ? formula->range.max : max;
	for (i = 1; i < formula->count; i++)
		if (formula->steps[i].action == FORMULA_REMAINDER)
			max = formula->steps[i - 1].value;
	return max;
}

/* Estimate where a write ends, and how it makes its file grow in a loop. */
static enum growth_kind estimate_end(struct estimate *estimate, const struct op *op, uint64_t size,
				     uint64_t *end)
{
	struct offsets *offsets = &estimate->offsets;
	const struct formula *formula;

	if ((op->flags & OP_NEXT) != 0) {
		uint64_t *position = &estimate->opened[op->handle].position;

		*end = *position = sum_add(*position, size);
		return GROWTH_NEXT;
	}
	if ((op->flags & OP_CONTINUED) != 0) {
		*end = sum_add(offsets->previous_end, size);
		return offsets->previous_kind;
	}
	if ((op->flags & OP_COMPUTED) == 0) {
		*end = sum_add(op->offset, size);
		offsets->rewound = estimate->files.now;
		return GROWTH_NONE;
	}
	formula = &estimate->files.program->formulas[op->offset];
	if (continues(formula)) {
		*end = sum_add(offsets->previous_end, size);
		return offsets->previous_kind == GROWTH_RANDOM ? GROWTH_RANDOM : GROWTH_SEQUENTIAL;
	}
	*end = sum_add(offset_max(formula), size);
	return GROWTH_RANDOM;
}

static int write_file(struct estimate *estimate, const struct op *op)
{
	bool by_handle = op->handle != OP_NONE;
	uint32_t path = by_handle ? estimate->opened[op->handle].path : op->path;
	uint64_t size = program_op_size_max(estimate->files.program, op), end;
	struct user_file *file;
	enum growth_kind kind;

	if (path == OP_NONE)
		return 0;
	if (!by_handle && begin_file(estimate, path) < 0)
		return -ENOMEM;
	file = user_files_find(&estimate->files, path);
	if (by_handle && estimate->opened[op->handle].appends) {
		end = sum_add(file->length, size);
		kind = GROWTH_APPEND;
	} else {
		kind = estimate_end(estimate, op, size, &end);
	}
	estimate->offsets.previous_end = end;
	estimate->offsets.previous_kind = kind;
	user_files_write(&estimate->files, file, size, end);
	if (kind == GROWTH_NONE)
		return 0;
	return add_growth(estimate, kind, path, op->handle, size);
}

static void truncate_file(struct estimate *estimate, const struct op *op)
{
	uint32_t path = estimate->opened[op->handle].path;

	if (path != OP_NONE)
		user_files_truncate(&estimate->files, user_files_find(&estimate->files, path),
				    op->size);
}

/* Count a COPY or CLONE as a write to the second file. Although a clone shares
 * its blocks, it counts as well: it needs them when one file is changed. */
static int copy_file(struct estimate *estimate, const struct op *op)
{
	struct op write = {
		.kind = OP_WRITE,
		.handle = op->handle2,
		.offset = op->offset2,
		.size = op->bytes,
	};
	uint32_t from = estimate->opened[op->handle].path;
	struct offsets before = estimate->offsets;
	int rc;

	if (op->kind == OP_CLONE && op->bytes == 0 && from != OP_NONE)
		write.size = user_files_find(&estimate->files, from)->length;
	rc = write_file(estimate, &write);
	/* Computed offsets of later writes do not depend on a copy. */
	estimate->offsets = before;
	return rc;
}

/* Begin a loop that is played `count` times, or an EVERY that is played each
 * `count`-th time. */
static void begin_loop(struct estimate *estimate, uint64_t count)
{
	estimate->loops[estimate->depth].start = estimate->files.now;
	estimate->loops[estimate->depth].count = count;
	estimate->loops[estimate->depth++].growths = estimate->growth_count;
}

/* A branch of a MIX counts as a loop of its share of the rounds. */
static void begin_branch(struct estimate *estimate, const struct op *op)
{
	double *by_weight;

	if (op[-1].kind == OP_MIX)
		estimate->loops[estimate->depth - 1].by_weight =
			(double)estimate->loops[estimate->depth - 1].count / op->expect;
	else
		end_loop(estimate);
	by_weight = &estimate->loops[estimate->depth - 1].by_weight;
	begin_loop(estimate, (uint64_t)(*by_weight * (double)op->weight + 1));
}

static void play_control(struct estimate *estimate, const struct op *op)
{
	switch (op->kind) {
	case OP_LOOP:
	case OP_PARALLEL:
	case OP_MIX:
		begin_loop(estimate, program_rounds(estimate->files.program, op).max);
		if (op->variable != OP_NONE)
			user_files_change_names(&estimate->files, op);
		break;
	case OP_EVERY:
		begin_loop(estimate, op->count);
		break;
	case OP_ENDEVERY:
		end_every(estimate);
		break;
	case OP_BRANCH:
		begin_branch(estimate, op);
		break;
	case OP_ENDMIX:
		end_loop(estimate); /* the last branch */
		/* The branches have counted its rounds. */
		estimate->loops[estimate->depth - 1].count = 1;
		/* fall through */
	case OP_ENDLOOP:
	case OP_ENDPARALLEL:
		end_loop(estimate);
		break;
	case OP_LET:
	case OP_RANDOMSTRING:
		user_files_change_names(&estimate->files, op);
		break;
	}
}

/* Apply the current op to the files, assuming its recorded outcome. */
static int play(struct estimate *estimate)
{
	struct user_files *files = &estimate->files;
	const struct op *op = estimate->walk.op;

	files->now = estimate->walk.at + 1;
	if (op_is_control(op->kind)) {
		play_control(estimate, op);
		return 0;
	}
	if (!estimate->walk.ok)
		return 0;
	switch (op->kind) {
	case OP_OPEN:
		return open_file(estimate, op);
	case OP_CLOSE:
		if ((op->flags & OP_DELETE) != 0)
			user_files_unlink(files, op->path);
		estimate->opened[op->handle].path = OP_NONE;
		break;
	case OP_WRITE:
	case OP_NFS_WRITE:
		return write_file(estimate, op);
	case OP_ALLOCATE:
		if ((op->mode & ALLOCATE_PUNCH_HOLE) != 0)
			break;
		return write_file(estimate, op);
	case OP_COPY:
	case OP_CLONE:
		return copy_file(estimate, op);
	case OP_TRUNCATE:
		truncate_file(estimate, op);
		break;
	case OP_UNLINK:
	case OP_NFS_REMOVE:
		user_files_unlink(files, op->path);
		break;
	case OP_RENAME:
	case OP_NFS_RENAME:
		if (op->kind == OP_RENAME && op->mode == RENAME_SWAP)
			user_files_swap(files, op->path, op->path2);
		else
			user_files_rename(files, op->path, op->path2);
		break;
	case OP_LINK:
	case OP_NFS_LINK:
		user_files_link(files, op->path, op->path2);
		break;
	case OP_DELTREE:
		user_files_remove_tree(files, files->program->paths[op->path].text);
		break;
	}
	return 0;
}

/* Play the program up to the op after which the user's files have `goal` bytes. */
static int play_all(struct estimate *estimate, uint64_t goal, struct footprint *footprint)
{
	struct walk *walk = &estimate->walk;
	const size_t shared_end = walk->setup.shared_end;
	uint64_t left = 0; /* by SETUP shared */
	int rc = 0;

	while (rc == 0 && walk_next(walk)) {
		uint64_t *max = walk->at < shared_end ? &footprint->shared_bytes
						      : &footprint->bytes;

		if (!walk->possible) {
			walk_leave(walk);
			continue;
		}
		rc = play(estimate);
		if (estimate->files.total > left + *max)
			*max = estimate->files.total - left;
		if (walk->at + 1 == shared_end)
			left = estimate->files.total;
		if (goal > 0 && footprint->bytes >= goal)
			break;
	}
	footprint->reached = walk->at;
	return rc;
}

int footprint_walk(const struct program *program, uint64_t goal, struct footprint *footprint)
{
	struct estimate estimate;
	int rc = begin_estimate(&estimate, program);

	*footprint = (struct footprint){0};
	if (rc == 0)
		rc = play_all(&estimate, goal, footprint);
	free_estimate(&estimate);
	return rc;
}
