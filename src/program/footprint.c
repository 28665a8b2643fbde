/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/footprint.h"

#include "base/array.h"
#include "program/path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Limits for one file and for sums, so that additions cannot overflow. */
#define FILE_MAX (UINT64_C(1) << 40)
#define SUM_MAX (UINT64_C(1) << 60)

/*
 * A file. For a path with random strings, this struct stands for all files that
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
	GROWTH_RANDOM, /* writes fill holes, but do not change the length */
	GROWTH_NAME,   /* a new file with a random name */
};

struct growth {
	enum growth_kind kind;
	uint32_t path, file;
	uint64_t amount; /* growth in all rounds so far, in bytes or files */
};

/* One user's files during a walk through the program. */
struct files {
	const struct program *program;
	struct file *files;
	uint32_t *named;  /* index into `files`, by path */
	uint32_t *spare;  /* a stack of unused indexes of files */
	size_t spare_count;
	uint32_t *opened; /* path, by handle slot; OP_NONE: not open */
	bool *appends;    /* opened for appending; by handle slot */
	uint64_t total;
	size_t now;       /* number of the current op, from 1 */
	size_t rewound;   /* the op that last wrote at a fixed offset */
	uint64_t previous_end; /* end of the last write */
	enum growth_kind previous_kind;
	struct {
		/* The last RANDOMSTRING op of this slot; 0: none. */
		size_t drawn;
		uint64_t names; /* number of strings that it can draw */
	} strings[PROGRAM_STRINGS];
	unsigned defined; /* slots of the strings drawn so far, one bit each */
	/* A stack of the growth in the loops around the current op. */
	struct growth *growths;
	size_t growth_count, growth_room;
	struct {
		size_t start;   /* number of the LOOP op, from 1 */
		uint64_t count; /* number of rounds */
		size_t growths; /* growth_count at the start of the loop */
	} loops[PROGRAM_LOOP_DEPTH];
	unsigned depth;
};

static void files_free(struct files *files)
{
	free(files->files);
	free(files->named);
	free(files->spare);
	free(files->opened);
	free(files->appends);
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
	files->opened = calloc(program->handle_count + 1, sizeof(uint32_t));
	files->appends = calloc(program->handle_count + 1, sizeof(bool));
	if (files->files == NULL || files->named == NULL ||
	    files->spare == NULL || files->opened == NULL ||
	    files->appends == NULL) {
		files_free(files);
		return -ENOMEM;
	}
	for (i = 0; i < program->path_count; i++) {
		files->named[i] = i;
		files->files[i].names = files->files[i].drawn = 1;
	}
	memset(files->opened, 0xff, program->handle_count * sizeof(uint32_t));
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

static unsigned strings_of(const struct files *files, uint32_t path)
{
	const struct program_path *place = &files->program->paths[path];

	return place->varying ? path_strings(place->text, files->defined) : 0;
}

/* Return the RANDOMSTRING op that last drew a new name for the path; 0:
 * none. */
static size_t last_draw(const struct files *files, uint32_t path)
{
	unsigned strings = strings_of(files, path), i;
	size_t last = 0;

	for (i = 0; i < PROGRAM_STRINGS; i++)
		if ((strings >> i & 1) != 0 && files->strings[i].drawn > last)
			last = files->strings[i].drawn;
	return last;
}

/* Return the number of names that the path's random strings can produce. */
static uint64_t possible_names(const struct files *files, uint32_t path)
{
	unsigned strings = strings_of(files, path), i;
	uint64_t names = 1;

	for (i = 0; i < PROGRAM_STRINGS; i++)
		if ((strings >> i & 1) != 0)
			names = multiply(names, files->strings[i].names);
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
		      uint32_t path, uint64_t amount)
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
	    (growth->kind == GROWTH_SEQUENTIAL && files->rewound > start))
		return false;
	if (drawn)
		rounds = names < rounds ? rounds / names : 1;
	more = multiply(growth->amount, rounds - 1);
	growth->amount = add_up(growth->amount, more);
	file->written = add_up(file->written, more);
	if (growth->kind != GROWTH_RANDOM)
		file->length = add_up(file->length, more);
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
	return add_growth(files, GROWTH_NAME, path, 1);
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
	files->opened[op->handle] = op->path;
	files->appends[op->handle] = (op->open_flags & OPEN_APPEND) != 0;
	return rc;
}

/* Estimate where a write with a computed offset ends, and how it makes its file
 * grow in a loop. */
static enum growth_kind estimate_end(const struct files *files,
				     const struct op *op, uint64_t *end)
{
	const struct expression *e = &files->program->expressions[op->offset];
	uint64_t bound = SUM_MAX;
	unsigned i;

	if (e->from_previous) {
		*end = add_up(files->previous_end, op->size);
		return files->previous_kind == GROWTH_RANDOM
			       ? GROWTH_RANDOM : GROWTH_SEQUENTIAL;
	}
	for (i = 0; i < e->terms; i++)
		if (e->term[i].action == '%')
			bound = e->term[i].value;
	*end = add_up(bound, op->size);
	return GROWTH_RANDOM;
}

static int write_file(struct files *files, const struct op *op)
{
	bool by_handle = op->handle != OP_NONE;
	uint32_t path = by_handle ? files->opened[op->handle] : op->path;
	enum growth_kind kind = GROWTH_NONE;
	struct file *file;
	uint64_t end;

	if (path == OP_NONE)
		return 0;
	if (!by_handle && begin_file(files, path) < 0)
		return -ENOMEM;
	if (by_handle && files->appends[op->handle]) {
		end = add_up(file_of(files, path)->length, op->size);
		kind = GROWTH_APPEND;
	} else if ((op->flags & OP_CONTINUED) != 0) {
		end = add_up(files->previous_end, op->size);
		kind = files->previous_kind;
	} else if ((op->flags & OP_COMPUTED) != 0) {
		kind = estimate_end(files, op, &end);
	} else {
		end = add_up(op->offset, op->size);
		files->rewound = files->now;
	}
	files->previous_end = end;
	files->previous_kind = kind;
	file = file_of(files, path);
	file->written = add_up(file->written, op->size);
	if (end > file->length)
		file->length = end;
	update(files, file);
	return kind == GROWTH_NONE ? 0
				   : add_growth(files, kind, path, op->size);
}

static void truncate_file(struct files *files, const struct op *op)
{
	struct file *file;

	if (files->opened[op->handle] == OP_NONE)
		return;
	file = file_of(files, files->opened[op->handle]);
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

	struct files before = *files;
	int rc;

	if (op->kind == OP_CLONE && op->bytes == 0 &&
	    files->opened[op->handle] != OP_NONE)
		write.size = file_of(files, files->opened[op->handle])->length;
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

static void play_control(struct files *files, const struct op *op)
{
	switch (op->kind) {
	case OP_LOOP:
		files->loops[files->depth].start = files->now;
		files->loops[files->depth].count = op->count;
		files->loops[files->depth++].growths = files->growth_count;
		break;
	case OP_ENDLOOP:
		end_loop(files);
		break;
	case OP_RANDOMSTRING:
		files->strings[op->number].drawn = files->now;
		files->strings[op->number].names =
			count_strings(files->program->texts[op->text]);
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
		files->opened[op->handle] = OP_NONE;
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
		rc = play(&files, &program->ops[i]);
		if (files.total > *peak)
			*peak = files.total;
		if (goal > 0 && files.total >= goal)
			break;
	}
	*reached = i;
	files_free(&files);
	return rc;
}
