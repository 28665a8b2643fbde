/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loader on whatever libFuzzer thinks of. What loads has to be countable
 * or refused, has to print as a load that prints the same again, and has to
 * stay within the user's directory once it is bound.
 */
#include "engine/bind.h"
#include "load/load.h"
#include "program/profile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What cannot be wrong with the load is wrong with the program. */
static void fail(const char *what)
{
	fprintf(stderr, "fuzz-load: %s\n", what);
	abort();
}

static struct program *load(const void *text, size_t bytes)
{
	/* Some 16 KiB, and one input after the other. */
	static struct errors errors;
	struct program *program;
	char name[32];
	int fd = memfd_create("load", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, bytes) != (ssize_t)bytes)
		fail("memfd");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	memset(&errors, 0, sizeof(errors));
	program = load_file(name, 0, &errors);
	close(fd);
	if ((program == NULL) != (errors.count > 0))
		fail("a load without program and error, or with both");
	return program;
}

static char *print(const struct program *program, size_t *bytes)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);

	if (stream == NULL)
		fail("open_memstream");
	program_print(program, stream);
	fclose(stream);
	return text;
}

static void check_round_trip(const struct program *program)
{
	size_t bytes, again_bytes;
	char *text = print(program, &bytes), *again_text;
	struct program *again = load(text, bytes);

	if (again == NULL)
		fail("what was printed does not load");
	again_text = print(again, &again_bytes);
	if (bytes != again_bytes || memcmp(text, again_text, bytes) != 0)
		fail("what was printed is another load");
	program_free(again);
	free(again_text);
	free(text);
}

/* The directories above the user's, and throng's own file, are not reached. */
static void check_path(const char *path)
{
	const char *part;
	size_t length;

	if (strlen(path) >= PATH_MAX)
		fail("a path that is too long");
	if (strcmp(path, CLIENTS_NAME "/" MARKER_NAME) == 0)
		fail("the marker");
	for (part = path; *part != '\0'; part += *part == '/') {
		length = strcspn(part, "/");
		if (length == 0 || strncmp(part, "..", length) == 0)
			fail("a path that leads elsewhere");
		part += length;
	}
}

/*
 * A run has looked at the first component. (One that is a path of its own may
 * be a pattern, which is no name.)
 */
static void check_shared(const struct program *program, const char *path)
{
	size_t length = strcspn(path, "/"), i;

	if (path[length] == '\0')
		return;
	for (i = 0; i < program->shared_count; i++)
		if (strlen(program->shared[i].name) == length &&
		    memcmp(program->shared[i].name, path, length) == 0)
			return;
	fail("a name that is not looked up before the run");
}

/* Binds for the user with the longest name, and draws and works out all. */
static void check_binding(const struct program *program)
{
	struct data_pool *pool = data_pool_new(DATA_ZERO, 0, 1);
	struct binding binding;
	size_t i, path;

	if (pool == NULL ||
	    bind_open(&binding, program, PROGRAM_USERS_MAX - 1,
		      PROGRAM_USERS_MAX, 1, pool) < 0)
		fail("bind_open");
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (op->kind == OP_RANDOMSTRING)
			bind_string(&binding, (unsigned)op->number,
				    program->texts[op->text]);
		else if ((op->flags & OP_COMPUTED) != 0)
			bind_offset(&binding, op);
	}
	for (path = 0; path < program->path_count; path++) {
		check_path(binding.paths[path].text);
		if (program->paths[path].place == PATH_SHARED)
			check_shared(program, binding.paths[path].text);
	}
	bind_free(&binding);
	data_pool_free(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct profile profile;
	struct error error = {0};
	struct program *program = load(data, size);

	if (program == NULL)
		return 0;
	if ((profile_make(program, &profile, &error) < 0) != error.set)
		fail("a census without reason");
	check_round_trip(program);
	check_binding(program);
	program_free(program);
	return 0;
}
