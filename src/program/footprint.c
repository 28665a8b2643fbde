/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/footprint.h"

#include "base/array.h"
#include "program/path.h"
#include "program/times.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Limits for one file and for sums, so that additions cannot overflow. */
#define FILE_MAX (UINT64_C(1) << 40)
#define SUM_MAX (UINT64_C(1) << 60)

/*
 * A file. For a varying path, this struct stands for all files that
 * the path can name. Its index is the number of its path, or the number of one
 * of its paths if the file has several names.
 */
struct file {
	uint64_t length;
	uint64_t written; /* bytes written since it was empty; less than
			   * `length` if it has holes */
	/* Bytes of the file without its holes. If the struct stands for several
	 * files, the number for the largest of them. */
	uint64_t held;
	uint64_t drawn;   /* number of files that it stands for */
	uint64_t bytes;   /* its share of files.total */
	uint32_t names;   /* number of its names (hard links) */
	/* The ops that last emptied the file, removed it, and began to write to
	 * it. Ops are counted from 1; 0: none. */
	size_t emptied, removed, begun;
};

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
	uint32_t path, file;
	uint32_t handle; /* or OP_NONE */
	uint64_t amount; /* growth in all rounds so far, in bytes or files */
};

/* One user's files during a walk through the program. */
struct files {
	const struct program *program;
	struct file *files;
	uint32_t *named;  /* index into `files`, by path */
	uint32_t *spare;  /* a stack of unused indexes of files */
	size_t spare_count;
	struct opened {
		uint32_t path; /* OP_NONE: not open */
		bool appends;
		size_t at; /* the op that opened it */
		uint64_t position;
	} *opened; /* by handle slot */
	uint64_t total;
	size_t now;       /* number of the current op, from 1 */
	size_t rewound;   /* the op that last wrote at a fixed offset */
	uint64_t previous_end; /* end of the last write */
	enum growth_kind previous_kind;
	/* The parts of names that change: first the variables, then the random
	 * strings. */
	struct part {
		size_t drawn; /* the op that last changed it; 0: none */
		uint64_t names; /* number of its possible values */
	} parts[PROGRAM_VARIABLES_MAX + PROGRAM_STRINGS];
	unsigned defined; /* slots of the strings drawn so far, one bit each */
	/* A stack of the growth in the loops around the current op. */
	struct growth *growths;
	size_t growth_count, growth_room;
	struct {
		size_t start;   /* number of the LOOP op, from 1 */
		uint64_t count; /* number of rounds */
		size_t growths; /* growth_count at the start of the loop */
		double by_weight; /* MIX: rounds of a branch of weight 1 */
	} loops[2 * PROGRAM_LOOP_DEPTH]; /* LOOP, MIX, and branches */
	unsigned depth;
};

static void files_free(struct files *files)
{
	free(files->files);
	free(files->named);
	free(files->spare);
	free(files->opened);
	free(files->growths);
}

static int files_new(struct files *files, const struct program *program)
{
	size_t room = program->path_count + 1;
	uint32_t i;

	*files = (struct files){.program = program};
	files->files = calloc(room, sizeof(*files->files));
	files->named = calloc(room, sizeof(uint32_t));
	files->spare = calloc(room, sizeof(uint32_t));
	files->opened = calloc(program->handle_count + 1,
			       sizeof(*files->opened));
	if (files->files == NULL || files->named == NULL ||
	    files->spare == NULL || files->opened == NULL) {
		files_free(files);
		return -ENOMEM;
	}
	for (i = 0; i < program->path_count; i++) {
		files->named[i] = i;
		files->files[i].names = files->files[i].drawn = 1;
	}
	for (i = 0; i < program->handle_count; i++)
		files->opened[i].path = OP_NONE;
	/* These have one value per user and loop of the load. */
	for (i = 0; i < VARIABLES_PREDEFINED; i++)
		files->parts[i].names = 1;
	return 0;
}

/* Add or multiply, but return at most SUM_MAX. */
static uint64_t add_up(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) || a > SUM_MAX ? SUM_MAX
								 : a;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	return __builtin_mul_overflow(a, b, &a) || a > SUM_MAX ? SUM_MAX
								 : a;
}

/* Recompute a file's share of files->total. */
static void update(struct files *files, struct file *file)
{
	uint64_t held = file->length < file->written ? file->length
						     : file->written;
	uint64_t bytes;

	if (held > file->held || file->drawn == 1)
		file->held = held;
	bytes = multiply(file->held, file->drawn);
	if (bytes > FILE_MAX)
		bytes = FILE_MAX;
	files->total += bytes - file->bytes;
	file->bytes = bytes;
}

static struct file *file_of(struct files *files, uint32_t path)
{
	return &files->files[files->named[path]];
}

/*
 * Go through the parts of a path's name that change. Return when the last of
 * them did (the op's number; 0: never), and set *names to the number of names
 * that they can produce.
 */
static size_t changing_parts(const struct files *files, uint32_t path,
			     uint64_t *names)
{
	const struct program_path *place = &files->program->paths[path];
	const struct part *strings = &files->parts[PROGRAM_VARIABLES_MAX];
	const char *start, *next = place->text;
	unsigned used, i;
	size_t last = 0;
	int variable;

	*names = 1;
	if (!place->varying)
		return 0;
	used = path_strings(place->text, files->defined);
	for (i = 0; i < PROGRAM_STRINGS; i++) {
		if ((used >> i & 1) == 0)
			continue;
		*names = multiply(*names, strings[i].names);
		if (strings[i].drawn > last)
			last = strings[i].drawn;
	}
	while (place->references &&
	       (variable = program_find_reference(files->program, next, &start,
						  &next)) >= 0) {
		*names = multiply(*names, files->parts[variable].names);
		if (files->parts[variable].drawn > last)
			last = files->parts[variable].drawn;
	}
	return last;
}

/* Return the op that last changed the name of the path; 0: none. */
static size_t last_draw(const struct files *files, uint32_t path)
{
	uint64_t names;

	return changing_parts(files, path, &names);
}

static uint64_t possible_names(const struct files *files, uint32_t path)
{
	uint64_t names;

	changing_parts(files, path, &names);
	return names;
}

/* Return the number of strings that a RANDOMSTRING template can produce. */
static uint64_t count_strings(const char *template)
{
	uint64_t strings = 1;

	for (; (template = strchr(template, '[')) != NULL; template++) {
		bool seen[UCHAR_MAX + 1] = {false};
		uint64_t choices = 0;

		for (template++; *template != ']'; template++) {
			choices += !seen[(unsigned char)*template];
			seen[(unsigned char)*template] = true;
		}
		strings = multiply(strings, choices);
	}
	return strings;
}

static void add_names(struct files *files, uint32_t path, struct file *file,
		      uint64_t names)
{
	uint64_t possible = possible_names(files, path);

	file->drawn = add_up(file->drawn, names);
	if (file->drawn > possible)
		file->drawn = possible;
	update(files, file);
}

static int add_growth(struct files *files, enum growth_kind kind,
		      uint32_t path, uint32_t handle, uint64_t amount)
{
	if (files->depth == 0)
		return 0;
	if (array_grow(&files->growths, &files->growth_room,
		       files->growth_count + 1, sizeof(*files->growths)) < 0)
		return -ENOMEM;
	files->growths[files->growth_count++] = (struct growth){
		.kind = kind,
		.path = path,
		.file = files->named[path],
		.handle = handle,
		.amount = amount,
	};
	return 0;
}

/*
 * Make a file grow by all rounds of a loop but the first, since only the first
 * round is walked through. The loop began at op `start`. Return true if an
 * outer loop that repeats this loop makes the file grow, too; false if each
 * round of this loop empties, removes or rewinds the file.
 */
static bool repeat_growth(struct files *files, size_t start, uint64_t rounds,
			  struct growth *growth)
{
	struct file *file = &files->files[growth->file];
	bool drawn = last_draw(files, growth->path) > start;
	uint64_t names = possible_names(files, growth->path), more;

	if (growth->kind == GROWTH_NAME) {
		if (file->removed > start)
			return false;
		more = drawn ? multiply(growth->amount, rounds - 1) : 0;
		add_names(files, growth->path, file, more);
		growth->amount = add_up(growth->amount, more);
		return true;
	}
	if (file->emptied > start ||
	    (growth->kind == GROWTH_SEQUENTIAL && files->rewound > start) ||
	    (growth->kind == GROWTH_NEXT &&
	     files->opened[growth->handle].at > start))
		return false;
	if (drawn)
		rounds = names < rounds ? rounds / names : 1;
	more = multiply(growth->amount, rounds - 1);
	growth->amount = add_up(growth->amount, more);
	file->written = add_up(file->written, more);
	if (growth->kind == GROWTH_NEXT) {
		struct opened *opened = &files->opened[growth->handle];

		opened->position = add_up(opened->position, more);
		if (opened->position > file->length)
			file->length = opened->position;
	} else if (growth->kind != GROWTH_RANDOM) {
		file->length = add_up(file->length, more);
	}
	if (growth->kind == GROWTH_SEQUENTIAL)
		files->previous_end = add_up(files->previous_end, more);
	update(files, file);
	return true;
}

static void end_loop(struct files *files)
{
	unsigned loop = --files->depth;
	size_t kept = files->loops[loop].growths, i;

	for (i = kept; i < files->growth_count; i++)
		if (repeat_growth(files, files->loops[loop].start,
				  files->loops[loop].count,
				  &files->growths[i]))
			files->growths[kept++] = files->growths[i];
	files->growth_count = kept;
}

static void empty_file(struct files *files, struct file *file)
{
	file->length = file->written = 0;
	file->emptied = files->now;
	update(files, file);
}

/* Remove a name, and the file if this was its last name. */
static void remove_name(struct files *files, uint32_t path)
{
	struct file *file = file_of(files, path);

	if (file->names == 1) {
		file->removed = files->now;
		if (file->drawn > 1)
			file->drawn--;
		empty_file(files, file);
		return;
	}
	file->names--;
	files->named[path] = files->spare[--files->spare_count];
	*file_of(files, path) = (struct file){
		.drawn = 1,
		.names = 1,
		.emptied = files->now,
		.removed = files->now,
	};
}

/* Remove the file of a path. Do nothing if the random name of the path was
 * drawn again since the file was written: now the path names another file. */
static void unlink_file(struct files *files, uint32_t path)
{
	if (last_draw(files, path) <= file_of(files, path)->begun)
		remove_name(files, path);
}

/* Make the path one more name of the file at `existing`. */
static void add_name(struct files *files, uint32_t path, uint32_t existing)
{
	if (files->named[path] == files->named[existing])
		return;
	remove_name(files, path);
	files->spare[files->spare_count++] = files->named[path];
	files->named[path] = files->named[existing];
	file_of(files, path)->names++;
}

/* Begin to write to a path. If its random name was drawn again since the last
 * write, this is a new file. */
static int begin_file(struct files *files, uint32_t path)
{
	struct file *file = file_of(files, path);
	bool another = last_draw(files, path) > file->begun;

	file->begun = files->now;
	if (!another)
		return 0;
	file->length = file->written = 0;
	if (file->held > 0)
		add_names(files, path, file, 1);
	return add_growth(files, GROWTH_NAME, path, OP_NONE, 1);
}

static int open_file(struct files *files, const struct op *op)
{
	uint64_t writing = OPEN_WRITE | OPEN_APPEND | OPEN_CREATE |
			   OPEN_TRUNCATE;
	int rc = 0;

	if ((op->open_flags & writing) != 0)
		rc = begin_file(files, op->path);
	if ((op->open_flags & OPEN_TRUNCATE) != 0)
		empty_file(files, file_of(files, op->path));
	files->opened[op->handle] = (struct opened){
		.path = op->path,
		.appends = (op->open_flags & OPEN_APPEND) != 0,
		.at = files->now,
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
		return formula->range.max < SUM_MAX ? formula->range.max
						    : SUM_MAX;
	for (i = 1; i < formula->count; i++)
		if (formula->steps[i].action == FORMULA_REMAINDER)
			max = formula->steps[i - 1].value;
	return max;
}

/* Estimate where a write ends, and how it makes its file grow in a loop. */
static enum growth_kind estimate_end(struct files *files, const struct op *op,
				     uint64_t size, uint64_t *end)
{
	const struct formula *formula;

	if ((op->flags & OP_NEXT) != 0) {
		struct opened *opened = &files->opened[op->handle];

		*end = opened->position = add_up(opened->position, size);
		return GROWTH_NEXT;
	}
	if ((op->flags & OP_CONTINUED) != 0) {
		*end = add_up(files->previous_end, size);
		return files->previous_kind;
	}
	if ((op->flags & OP_COMPUTED) == 0) {
		*end = add_up(op->offset, size);
		files->rewound = files->now;
		return GROWTH_NONE;
	}
	formula = &files->program->formulas[op->offset];
	if (continues(formula)) {
		*end = add_up(files->previous_end, size);
		return files->previous_kind == GROWTH_RANDOM
			       ? GROWTH_RANDOM : GROWTH_SEQUENTIAL;
	}
	*end = add_up(offset_max(formula), size);
	return GROWTH_RANDOM;
}

static int write_file(struct files *files, const struct op *op)
{
	bool by_handle = op->handle != OP_NONE;
	uint32_t path = by_handle ? files->opened[op->handle].path : op->path;
	uint64_t size = program_op_size_max(files->program, op), end;
	enum growth_kind kind;
	struct file *file;

	if (path == OP_NONE)
		return 0;
	if (!by_handle && begin_file(files, path) < 0)
		return -ENOMEM;
	if (by_handle && files->opened[op->handle].appends) {
		end = add_up(file_of(files, path)->length, size);
		kind = GROWTH_APPEND;
	} else {
		kind = estimate_end(files, op, size, &end);
	}
	files->previous_end = end;
	files->previous_kind = kind;
	file = file_of(files, path);
	file->written = add_up(file->written, size);
	if (end > file->length)
		file->length = end;
	update(files, file);
	if (kind == GROWTH_NONE)
		return 0;
	return add_growth(files, kind, path, op->handle, size);
}

static void truncate_file(struct files *files, const struct op *op)
{
	uint32_t path = files->opened[op->handle].path;
	struct file *file;

	if (path == OP_NONE)
		return;
	file = file_of(files, path);
	if (op->size == 0) {
		empty_file(files, file);
		return;
	}
	file->length = op->size < SUM_MAX ? op->size : SUM_MAX;
	if (file->written > file->length)
		file->written = file->length;
	update(files, file);
}

/* Count a COPY or CLONE as a write to the second file. Although a clone shares
 * its blocks, it counts as well: it needs them when one file is changed. */
static int copy_file(struct files *files, const struct op *op)
{
	struct op write = {
		.kind = OP_WRITE,
		.handle = op->handle2,
		.offset = op->offset2,
		.size = op->bytes,
	};
	uint32_t from = files->opened[op->handle].path;
	struct files before = *files;
	int rc;

	if (op->kind == OP_CLONE && op->bytes == 0 && from != OP_NONE)
		write.size = file_of(files, from)->length;
	rc = write_file(files, &write);
	/* Computed offsets of later writes do not depend on a copy. */
	files->previous_end = before.previous_end;
	files->previous_kind = before.previous_kind;
	files->rewound = before.rewound;
	return rc;
}

static void rename_file(struct files *files, const struct op *op)
{
	uint32_t *from = &files->named[op->path], *to = &files->named[op->path2];
	uint32_t swapped = *from;

	if (op->kind == OP_RENAME && op->mode == RENAME_SWAP) {
		*from = *to;
		*to = swapped;
		return;
	}
	/* rename(2) does nothing if both names are the same file. */
	if (*from == *to)
		return;
	add_name(files, op->path2, op->path);
	remove_name(files, op->path);
}

static void remove_tree(struct files *files, const char *top)
{
	const struct program *program = files->program;
	size_t length = strlen(top);
	uint32_t i;

	for (i = 0; i < program->path_count; i++) {
		if (strncmp(program->paths[i].text, top, length) != 0 ||
		    program->paths[i].text[length] != '/')
			continue;
		/* This removes all files of a path with random strings, not
		 * just one. */
		file_of(files, i)->drawn = 1;
		remove_name(files, i);
	}
}

/* Begin a loop that is played `count` times. */
static void begin_loop(struct files *files, uint64_t count)
{
	files->loops[files->depth].start = files->now;
	files->loops[files->depth].count = count;
	files->loops[files->depth++].growths = files->growth_count;
}

/* A branch of a MIX counts as a loop of its share of the rounds. */
static void begin_branch(struct files *files, const struct op *op)
{
	double *by_weight;

	if (op[-1].kind == OP_MIX)
		files->loops[files->depth - 1].by_weight =
			(double)files->loops[files->depth - 1].count /
			op->expect;
	else
		end_loop(files);
	by_weight = &files->loops[files->depth - 1].by_weight;
	begin_loop(files, (uint64_t)(*by_weight * (double)op->weight + 1));
}

/* The name of each path that contains this part changes. Count the change for
 * the first operation of the block, which comes after the LOOP. */
static void change_part(struct files *files, size_t number, uint64_t names)
{
	files->parts[number].drawn = files->now + 1;
	files->parts[number].names = names;
}

static void change_variable(struct files *files, uint32_t number)
{
	struct formula_range range = files->program->variables[number].range;

	change_part(files, number, add_up(range.max - range.min, 1));
}

static void play_control(struct files *files, const struct op *op)
{
	switch (op->kind) {
	case OP_LOOP:
	case OP_MIX:
		begin_loop(files, times_rounds(files->program, op).max);
		if (op->variable != OP_NONE)
			change_variable(files, op->variable);
		break;
	case OP_BRANCH:
		begin_branch(files, op);
		break;
	case OP_ENDMIX:
		end_loop(files); /* the last branch */
		/* fall through */
	case OP_ENDLOOP:
		end_loop(files);
		break;
	case OP_LET:
		change_variable(files, op->variable);
		break;
	case OP_RANDOMSTRING:
		change_part(files, PROGRAM_VARIABLES_MAX + op->number,
			    count_strings(files->program->texts[op->text]));
		files->defined |= 1u << op->number;
		break;
	}
}

/* Apply an operation to the files, assuming its recorded outcome. */
static int play(struct files *files, const struct op *op)
{
	files->now++;
	if (op_is_control(op->kind)) {
		play_control(files, op);
		return 0;
	}
	if (!outcome_in(op->accepts, OUTCOME_OK))
		return 0;
	switch (op->kind) {
	case OP_OPEN:
		return open_file(files, op);
	case OP_CLOSE:
		if ((op->flags & OP_DELETE) != 0)
			unlink_file(files, op->path);
		files->opened[op->handle].path = OP_NONE;
		break;
	case OP_WRITE:
	case OP_NFS_WRITE:
		return write_file(files, op);
	case OP_ALLOCATE:
		if ((op->mode & ALLOCATE_PUNCH_HOLE) != 0)
			break;
		return write_file(files, op);
	case OP_COPY:
	case OP_CLONE:
		return copy_file(files, op);
	case OP_TRUNCATE:
		truncate_file(files, op);
		break;
	case OP_UNLINK:
	case OP_NFS_REMOVE:
		unlink_file(files, op->path);
		break;
	case OP_RENAME:
	case OP_NFS_RENAME:
		rename_file(files, op);
		break;
	case OP_LINK:
	case OP_NFS_LINK:
		add_name(files, op->path, op->path2);
		break;
	case OP_DELTREE:
		remove_tree(files, files->program->paths[op->path].text);
		break;
	}
	return 0;
}

int footprint_walk(const struct program *program, uint64_t goal,
		   uint64_t *peak, size_t *reached)
{
	struct files files;
	size_t i;
	int rc = 0;

	if (files_new(&files, program) < 0)
		return -ENOMEM;
	*peak = 0;
	for (i = 0; rc == 0 && i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if ((op->kind == OP_LOOP || op->kind == OP_MIX) &&
		    times_rounds(program, op).max == 0) {
			files.now += op->jump - i;
			i = op->jump - 1;
			continue;
		}
		rc = play(&files, op);
		if (files.total > *peak)
			*peak = files.total;
		if (goal > 0 && files.total >= goal)
			break;
	}
	*reached = i;
	files_free(&files);
	return rc;
}
