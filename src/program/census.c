/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/census.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No load is played so often, or moves so much; sums stay far from the end. */
#define TIMES_MAX (UINT64_C(1) << 40)
#define BYTES_MAX (UINT64_C(1) << 60)

/* A file has the number of a path; one with several names, of one of them. */
struct file {
	uint64_t bytes;
	uint32_t names;
};

/* One user's files while the program is walked through. */
struct files {
	const struct program *program;
	struct file *files;
	uint32_t *named;  /* the file by path */
	uint32_t *spare;  /* numbers that no path has, a stack */
	size_t spare_count;
	uint32_t *opened; /* path by handle slot, OP_NONE: not open */
	uint64_t total;
	uint64_t previous_end; /* of the last write */
};

static void files_free(struct files *files)
{
	free(files->files);
	free(files->named);
	free(files->spare);
	free(files->opened);
}

static int files_new(struct files *files, const struct program *program)
{
	size_t room = program->path_count + 1;
	uint32_t i;

	*files = (struct files){.program = program};
	files->files = calloc(room, sizeof(*files->files));
	files->named = calloc(room, sizeof(uint32_t));
	files->spare = calloc(room, sizeof(uint32_t));
	files->opened = calloc(program->handle_count + 1, sizeof(uint32_t));
	if (files->files == NULL || files->named == NULL ||
	    files->spare == NULL || files->opened == NULL) {
		files_free(files);
		return -ENOMEM;
	}
	for (i = 0; i < program->path_count; i++) {
		files->named[i] = i;
		files->files[i].names = 1;
	}
	memset(files->opened, 0xff, program->handle_count * sizeof(uint32_t));
	return 0;
}

static void resize(struct files *files, uint32_t path, uint64_t bytes)
{
	struct file *file = &files->files[files->named[path]];

	files->total += bytes - file->bytes;
	file->bytes = bytes;
}

/* The path names nothing more; with its last name a file is gone. */
static void remove_name(struct files *files, uint32_t path)
{
	struct file *file = &files->files[files->named[path]];

	if (file->names == 1) {
		resize(files, path, 0);
		return;
	}
	file->names--;
	files->named[path] = files->spare[--files->spare_count];
	files->files[files->named[path]].names = 1;
}

/* The path names what `existing` names, too. */
static void add_name(struct files *files, uint32_t path, uint32_t existing)
{
	if (files->named[path] == files->named[existing])
		return;
	remove_name(files, path);
	files->spare[files->spare_count++] = files->named[path];
	files->named[path] = files->named[existing];
	files->files[files->named[path]].names++;
}

static void rename_file(struct files *files, uint32_t path, uint32_t path2)
{
	/* Of two names of one file both stay, as rename(2) says. */
	if (files->named[path] == files->named[path2])
		return;
	add_name(files, path2, path);
	remove_name(files, path);
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
	uint32_t path = op->handle != OP_NONE ? files->opened[op->handle]
					      : op->path;
	uint64_t end;

	if ((op->flags & OP_CONTINUED) != 0)
		end = files->previous_end + op->size;
	else if ((op->flags & OP_COMPUTED) != 0)
		end = estimate_end(files, op, times);
	else if (__builtin_add_overflow(op->offset, op->size, &end))
		return;
	files->previous_end = end;
	if (path != OP_NONE && end < TIMES_MAX &&
	    end > files->files[files->named[path]].bytes)
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
			remove_name(files, i);
}

/* What the operation does to the files, if it goes as recorded. */
static void play(struct files *files, const struct op *op, uint64_t times)
{
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
			remove_name(files, op->path);
		files->opened[op->handle] = OP_NONE;
		break;
	case OP_WRITE:
	case OP_NFS_WRITE:
		write_file(files, op, times);
		break;
	case OP_UNLINK:
	case OP_NFS_REMOVE:
		remove_name(files, op->path);
		break;
	case OP_RENAME:
	case OP_NFS_RENAME:
		rename_file(files, op->path, op->path2);
		break;
	case OP_LINK:
	case OP_NFS_LINK:
		add_name(files, op->path, op->path2);
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

static int add_bytes(uint64_t *sum, struct census_label *label,
		     uint64_t bytes, uint64_t times)
{
	/* A label's bytes are no more than both sums together. */
	if (__builtin_mul_overflow(bytes, times, &bytes) ||
	    __builtin_add_overflow(*sum, bytes, sum) || *sum > BYTES_MAX)
		return -EOVERFLOW;
	label->bytes += bytes;
	return 0;
}

static int count_bytes(struct census *census, const struct op *op,
		       uint64_t times)
{
	struct census_label *label = &census->labels[op->label];
	uint64_t bytes = (op->flags & OP_COUNTED) != 0 ? op->expect : op->size;

	if (op->kind == OP_TRANSACT &&
	    add_bytes(&census->read_bytes, label, op->expect, times) < 0)
		return -EOVERFLOW;
	return add_bytes(op_reads(op->kind) ? &census->read_bytes
					    : &census->write_bytes,
			 label, bytes, times);
}

static bool is_synced(const struct op *op)
{
	switch (op->kind) {
	case OP_FSYNC:
	case OP_NFS_COMMIT:
		return true;
	case OP_OPEN:
		return (op->open_flags & OPEN_SYNC) != 0;
	case OP_NFS_WRITE:
		return op->text > 0;
	default:
		return (op->flags & (OP_FLUSH | OP_SYNC_PARENT)) != 0;
	}
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
	if (is_synced(op))
		census->synced += times;
	if (op_class(op->kind) == OP_CLASS_DATA)
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
		if (op_accesses_two(op->kind))
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
