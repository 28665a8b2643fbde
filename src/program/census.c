/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/census.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No load is played so often, or moves so much; sums stay far from the end. */
#define TIMES_MAX (UINT64_C(1) << 40)
#define BYTES_MAX (UINT64_C(1) << 60)

/* The sizes of one user's files while the program is walked through. */
struct files {
	const struct program *program;
	uint64_t *sizes;     /* by path */
	uint32_t *opened;    /* path by handle slot, OP_NONE: not open */
	uint64_t total;
	uint64_t previous_end; /* of the last write */
};

static void files_free(struct files *files)
{
	free(files->sizes);
	free(files->opened);
}

static int files_new(struct files *files, const struct program *program)
{
	*files = (struct files){.program = program};
	files->sizes = calloc(program->path_count + 1, sizeof(uint64_t));
	files->opened = calloc(program->handle_count + 1, sizeof(uint32_t));
	if (files->sizes == NULL || files->opened == NULL) {
		files_free(files);
		return -ENOMEM;
	}
	memset(files->opened, 0xff, program->handle_count * sizeof(uint32_t));
	return 0;
}

static void resize(struct files *files, uint32_t path, uint64_t size)
{
	files->total += size - files->sizes[path];
	files->sizes[path] = size;
}

/* The end of a write whose offset is only known when it is played. */
static uint64_t estimate_end(const struct files *files, const struct op *op,
			     uint64_t times)
{
	const struct expression *e = &files->program->expressions[op->offset];
	uint64_t bound = UINT64_MAX, written, end;
	unsigned i;

	if (__builtin_mul_overflow(op->size, times, &written))
		written = BYTES_MAX;
	if (e->from_previous)
		return __builtin_add_overflow(files->previous_end, written,
					      &end) ? BYTES_MAX : end;
	for (i = 0; i < e->terms; i++)
		if (e->term[i].action == '%')
			bound = e->term[i].value;
	end = bound < UINT64_MAX - op->size ? bound + op->size : bound;
	return end < written ? end : written;
}

static void write_file(struct files *files, const struct op *op,
		       uint64_t times)
{
	uint32_t path = files->opened[op->handle];
	uint64_t end;

	if ((op->flags & OP_CONTINUED) != 0)
		end = files->previous_end + op->size;
	else if ((op->flags & OP_COMPUTED) != 0)
		end = estimate_end(files, op, times);
	else if (__builtin_add_overflow(op->offset, op->size, &end))
		return;
	files->previous_end = end;
	if (path != OP_NONE && end > files->sizes[path] && end < TIMES_MAX)
		resize(files, path, end);
}

static void remove_tree(struct files *files, const char *top)
{
	const struct program *program = files->program;
	size_t length = strlen(top);
	uint32_t i;

	for (i = 0; i < program->path_count; i++)
		if (strncmp(program->paths[i].text, top, length) == 0 &&
		    program->paths[i].text[length] == '/')
			resize(files, i, 0);
}

/* What the operation does to the files, if it goes as recorded. */
static void play(struct files *files, const struct op *op, uint64_t times)
{
	uint64_t size;

	if (!outcome_in(op->accepts, OUTCOME_OK))
		return;
	switch (op->kind) {
	case OP_OPEN:
		if ((op->open_flags & OPEN_TRUNCATE) != 0)
			resize(files, op->path, 0);
		files->opened[op->handle] = op->path;
		break;
	case OP_CLOSE:
		if ((op->flags & OP_DELETE) != 0)
			resize(files, op->path, 0);
		files->opened[op->handle] = OP_NONE;
		break;
	case OP_WRITE:
		write_file(files, op, times);
		break;
	case OP_UNLINK:
		resize(files, op->path, 0);
		break;
	case OP_RENAME:
		size = files->sizes[op->path];
		resize(files, op->path, 0);
		resize(files, op->path2, size);
		break;
	case OP_DELTREE:
		remove_tree(files, files->program->paths[op->path].text);
		break;
	}
}

/* Where a walk stands: how often the current op is played. */
struct walk {
	uint64_t times[PROGRAM_LOOP_DEPTH + 1];
	unsigned depth;
};

/* Returns 0 for an op to be looked at, 1 for a control line, or -EOVERFLOW. */
static int step(struct walk *walk, const struct op *op)
{
	uint64_t times = walk->times[walk->depth];

	if (op->kind == OP_LOOP) {
		if (__builtin_mul_overflow(times, op->count, &times) ||
		    times > TIMES_MAX)
			return -EOVERFLOW;
		walk->times[++walk->depth] = times;
	} else if (op->kind == OP_ENDLOOP) {
		walk->depth--;
	}
	return op_class(op->kind) == OP_CLASS_CONTROL;
}

static int count_bytes(struct census *census, const struct op *op,
		       uint64_t times)
{
	uint64_t bytes = (op->flags & OP_COUNTED) != 0 ? op->expect : op->size;
	uint64_t *sum = op->kind == OP_READ ? &census->read_bytes
					    : &census->write_bytes;

	/* A label's bytes are no more than both sums together. */
	if (__builtin_mul_overflow(bytes, times, &bytes) ||
	    __builtin_add_overflow(*sum, bytes, sum) || *sum > BYTES_MAX)
		return -EOVERFLOW;
	census->labels[op->label].bytes += bytes;
	return 0;
}

static int count_op(struct census *census, const struct op *op,
		    uint64_t times)
{
	struct census_label *label = &census->labels[op->label];

	census->ops += times;
	label->ops += times;
	if (!outcome_in(op->accepts, OUTCOME_OK)) {
		census->failures += times;
		label->failures += times;
		return 0;
	}
	if (op->kind == OP_FSYNC ||
	    (op->flags & (OP_FLUSH | OP_SYNC_PARENT)) != 0 ||
	    (op->kind == OP_OPEN && (op->open_flags & OPEN_SYNC) != 0))
		census->synced += times;
	if (op->kind == OP_READ || op->kind == OP_WRITE)
		return count_bytes(census, op, times);
	return 0;
}

static int count_ops(const struct program *program, struct census *census)
{
	struct walk walk = {.times = {1}};
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		int rc = step(&walk, &program->ops[i]);

		if (rc < 0)
			return rc;
		if (rc == 0)
			rc = count_op(census, &program->ops[i],
				      walk.times[walk.depth]);
		if (rc < 0 || census->ops > TIMES_MAX)
			return -EOVERFLOW;
	}
	return 0;
}

static int count_paths(const struct program *program, struct census *census)
{
	bool *named = calloc(program->path_count + 1, sizeof(*named));
	size_t i;

	if (named == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->path != OP_NONE)
			named[op->path] = true;
		if (op->kind == OP_RENAME)
			named[op->path2] = true;
	}
	for (i = 0; i < program->path_count; i++)
		census->paths += named[i];
	free(named);
	return 0;
}

static int count_handles(const struct program *program, struct census *census)
{
	bool *open = calloc(program->handle_count + 1, sizeof(*open));
	uint32_t count = 0;
	size_t i;

	if (open == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->handle == OP_NONE ||
		    (op->kind != OP_OPEN && op->kind != OP_CLOSE) ||
		    open[op->handle] == (op->kind == OP_OPEN))
			continue;
		open[op->handle] = op->kind == OP_OPEN;
		count += open[op->handle] ? 1 : -1u;
		if (count > census->peak_handles)
			census->peak_handles = count;
	}
	free(open);
	return 0;
}

/*
 * The end of the prologue, when op `reached` reaches the footprint. Inside a
 * loop the prologue ends with the loop, or before it when most of what is
 * played is that loop.
 */
static size_t leave_loop(const struct program *program,
			 const struct census *census, size_t reached)
{
	struct walk walk = {.times = {1}};
	uint64_t looped = 0; /* operations played in the outermost loop */
	size_t start = 0, i;

	for (i = 0; i < program->op_count; i++) {
		if (walk.depth == 0) {
			start = i;
			looped = 0;
		}
		/* Cannot overflow here: count_ops has gone the same way. */
		if (step(&walk, &program->ops[i]) == 0)
			looped += walk.times[walk.depth];
		if (i >= reached && walk.depth == 0)
			break;
	}
	if (start < i && looped > census->ops / 2)
		return start;
	return i + 1;
}

/*
 * Walks the files through the program. With `goal` 0 the peak is found, else
 * the op that first reaches `goal` bytes.
 */
static int walk_files(const struct program *program, uint64_t goal,
		      uint64_t *peak, size_t *reached)
{
	struct walk walk = {.times = {1}};
	struct files files;
	size_t i;

	if (files_new(&files, program) < 0)
		return -ENOMEM;
	*peak = 0;
	for (i = 0; i < program->op_count; i++) {
		if (step(&walk, &program->ops[i]) == 0)
			play(&files, &program->ops[i], walk.times[walk.depth]);
		if (files.total > *peak)
			*peak = files.total;
		if (goal > 0 && files.total >= goal)
			break;
	}
	*reached = i;
	files_free(&files);
	return 0;
}

static int find_prologue(const struct program *program, struct census *census)
{
	uint64_t peak, goal;
	size_t reached, i;

	if (walk_files(program, 0, &peak, &reached) < 0)
		return -ENOMEM;
	census->footprint_bytes = peak;
	if (peak == 0)
		return 0;
	goal = peak - peak * 15 / 100;
	if (walk_files(program, goal, &peak, &reached) < 0)
		return -ENOMEM;
	census->prologue_end = leave_loop(program, census, reached);
	/* Who waits before the start line for what others do behind it waits
	 * for ever. */
	for (i = 0; i < census->prologue_end; i++)
		if (program->ops[i].kind == OP_WAITSP)
			census->prologue_end = 0;
	return 0;
}

int census_take(const struct program *program, struct census *census,
		struct error *error)
{
	int rc;

	memset(census, 0, sizeof(*census));
	rc = count_ops(program, census);
	if (rc == 0)
		rc = count_paths(program, census);
	if (rc == 0)
		rc = count_handles(program, census);
	if (rc == 0)
		rc = find_prologue(program, census);
	if (rc == -EOVERFLOW)
		error_set_at(error, program->source, 0, 0,
			     "the loops multiply to more than 2^40 operations "
			     "or 2^60 bytes");
	else if (rc < 0)
		error_set(error, "out of memory");
	return rc;
}
