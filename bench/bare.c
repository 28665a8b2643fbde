/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bare.h"

#include "base/clock.h"
#include "load/load.h"
#include "play/bind.h"
#include "study/profile.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOME CLIENTS_NAME "/client0"

enum { OPS_PER_CLOCK_READ = 256 };

struct bare bare;

static const struct bare_library *library;
static struct program *program;
static size_t prologue_end;

void bare_die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("bare loop: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

static void *room_for(size_t count, size_t size)
{
	void *room = calloc(count + 1, size);

	if (room == NULL)
		bare_die("out of memory");
	return room;
}

static void load(const char *loadfile)
{
	struct errors errors = {0};
	struct error error = {0};
	struct profile profile;

	program = load_file(loadfile, 0, &errors);
	if (program == NULL)
		bare_die("%s", errors.kept[0].text);
	if (profile_make(program, &profile, &error) < 0)
		bare_die("%s", error.text);
	prologue_end = profile.prologue_end;
}

/* Refuse operations that a bare loop cannot play; NetBench loads have none. */
static void check_op(const struct op *op)
{
	if (op->kind > OP_LIST || op->kind == OP_UNLINK_MATCHING ||
	    (op->flags & (OP_COMPUTED | OP_CONTINUED | OP_FLUSH | OP_SYNC_PARENT)) != 0 ||
	    (op->path != OP_NONE && program->paths[op->path].varying))
		bare_die("line %u: not supported by the bare loop", op->line);
}

/* Remove the operations that the library cannot play. */
static void select_ops(void)
{
	size_t end = prologue_end, kept = 0, i;

	for (i = 0; i < program->op_count; i++) {
		check_op(&program->ops[i]);
		if (!library->can(&program->ops[i])) {
			prologue_end -= i < end;
			continue;
		}
		program->ops[kept++] = program->ops[i];
	}
	program->op_count = kept;
	if (kept == 0)
		bare_die("nothing to play");
}

static void make_paths(void)
{
	char text[PATH_MAX];
	uint32_t i;

	bare.paths = room_for(program->path_count, sizeof(*bare.paths));
	bare.texts = room_for(program->path_count, sizeof(*bare.texts));
	for (i = 0; i < program->path_count; i++) {
		names_plain(program, i, 0, text);
		bare.texts[i] = strdup(text);
		if (bare.texts[i] == NULL)
			bare_die("out of memory");
		bare.paths[i] = library->path(text);
	}
}

static void make_buffers(void)
{
	size_t bytes = program->io_bytes_max, i;

	bare.handles = room_for(program->handle_count, sizeof(*bare.handles));
	bare.read_buffer = room_for(bytes, 1);
	bare.data = room_for(bytes, 1);
	for (i = 0; i < bytes; i++)
		bare.data[i] = (char)random();
}

static void remove_entry(const char *directory, const char *name, bool is_directory)
{
	char text[PATH_MAX];

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return;
	if (snprintf(text, sizeof(text), "%s/%s", directory, name) >= (int)sizeof(text))
		bare_die("path too long: \"%s/%s\"", directory, name);
	if (is_directory) {
		bare_empty(text);
		library->rmdir(library->path(text));
	} else {
		library->unlink(library->path(text));
	}
}

void bare_empty(const char *directory)
{
	library->list(directory, remove_entry);
}

/* Make our directories. Fail if they exist, as they belong to someone else. */
static void make_home(void)
{
	if (library->mkdir(library->path(CLIENTS_NAME)) != 0 ||
	    library->mkdir(library->path(HOME)) != 0)
		bare_die("cannot make \"" HOME "\"");
}

/* Remove our directories. A failure often means that the server has gone. */
static void remove_home(void)
{
	bare_empty(HOME);
	if (library->rmdir(library->path(HOME)) != 0 ||
	    library->rmdir(library->path(CLIENTS_NAME)) != 0)
		bare_die("cannot remove \"" HOME "\"");
}

void bare_keep(const struct op *op, void *file)
{
	struct bare_handle opened = {
		.open = true,
		.file = file,
		.path = bare.paths[op->path],
	};

	if (op->handle == OP_NONE) {
		library->close(&opened);
		return;
	}
	if (bare.handles[op->handle].open)
		library->close(&bare.handles[op->handle]);
	bare.handles[op->handle] = opened;
}

static void close_all(void)
{
	uint32_t i;

	for (i = 0; i < program->handle_count; i++) {
		if (bare.handles[i].open)
			library->close(&bare.handles[i]);
		bare.handles[i].open = false;
	}
}

/* Play the load for `seconds`. Return the operations per second. */
static double play_for(double seconds)
{
	const struct op *ops = program->ops;
	size_t count = program->op_count, at = prologue_end % count;
	void (*play)(const struct op *op) = library->play;
	uint64_t begin_ns = clock_now_ns(), now_ns, played = 0;
	uint64_t end_ns = begin_ns + (uint64_t)(seconds * (double)NS_PER_S);
	unsigned i;

	do {
		for (i = 0; i < OPS_PER_CLOCK_READ; i++) {
			play(&ops[at]);
			if (++at == count) {
				close_all();
				at = 0;
			}
		}
		played += OPS_PER_CLOCK_READ;
		now_ns = clock_now_ns();
	} while (now_ns < end_ns);
	return (double)played / ((double)(now_ns - begin_ns) / NS_PER_S);
}

int bare_main(int argc, char **argv, const struct bare_library *of_program)
{
	double ops_per_s;
	size_t i;

	if (argc != 4)
		bare_die("expected LOADFILE URL SECONDS");
	library = of_program;
	load(argv[1]);
	library->connect(argv[2]);
	select_ops();
	make_paths();
	make_buffers();
	make_home();
	for (i = 0; i < prologue_end; i++)
		library->play(&program->ops[i]);
	ops_per_s = play_for(strtod(argv[3], NULL));
	close_all();
	remove_home();
	library->disconnect();
	printf("%.1f\n", ops_per_s);
	return 0;
}
