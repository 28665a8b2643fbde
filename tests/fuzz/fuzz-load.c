/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the loader. profile_make must profile a load that the loader accepts, or
 * refuse the load with an error. The printed form of the load must be a load
 * that prints the same again. When the load is bound for a user, its paths must
 * not lead out of the target, nor to `clients` unless they are listed there, and
 * its names outside the users' directories must be known (study/shared.h). Its
 * streams must have all operations, each once, and wait for earlier ones only.
 */
#include "load/load.h"
#include "play/bind.h"
#include "study/profile.h"
#include "study/shared.h"
#include "streams/streams.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Report a bug of throng, not of the load. */
static void fail(const char *what)
{
	fprintf(stderr, "fuzz-load: %s\n", what);
	abort();
}

static struct program *load(const void *text, size_t bytes)
{
	/* About 16 KiB, reused for all inputs. */
	static struct errors errors;
	struct program *program;
	char name[32];
	int fd = memfd_create("load", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, bytes) != (ssize_t)bytes)
		fail("memfd");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	memset(&errors, 0, sizeof(errors));
	program = load_file(name, NULL, &errors);
	close(fd);
	if ((program == NULL) != (errors.count > 0))
		fail("load_file returned neither program nor error, or both");
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
		fail("a printed load does not load");
	again_text = print(again, &again_bytes);
	if (bytes != again_bytes || memcmp(text, again_text, bytes) != 0)
		fail("a printed load prints differently");
	program_free(again);
	free(again_text);
	free(text);
}

/* Check that a path does not lead out of the target, or unexpectedly to
 * `clients`. */
static void check_path(const char *path, enum path_place place)
{
	const char *part;
	size_t length;

	if (strlen(path) >= PATH_MAX)
		fail("a path is too long");
	length = strcspn(path, "/");
	if (place == PATH_SHARED && length == strlen(CLIENTS_NAME) &&
	    strncasecmp(path, CLIENTS_NAME, length) == 0)
		fail("a path outside the users' directories leads there");
	for (part = path; *part != '\0'; part += *part == '/') {
		length = strcspn(part, "/");
		if (length == 0 || strncmp(part, "..", length) == 0)
			fail("a path leads out of the target");
		part += length;
	}
}

/* Check that the path's first component is listed, or that one is computed. */
static void check_shared(const struct shared *shared, const char *path)
{
	if (!shared->computed && intern_find(&shared->names, path, strcspn(path, "/")) < 0)
		fail("a name outside the users' directories is unknown");
}

/* Compute a formula, and check that its value is in its range. */
static uint64_t compute(struct binding *binding, uint64_t number)
{
	struct formula_range range = binding->program->formulas[number].range;
	uint64_t value = bind_formula(binding, number);

	if (value < range.min || value > range.max)
		fail("a formula is not in its range");
	return value;
}

/* Return the highest value of a loop's counter. */
static uint64_t last_round(const struct program *program, const struct op *op)
{
	uint64_t rounds = program_rounds(program, op).max;

	return rounds > 0 ? rounds - 1 : 0;
}

static void bind_op(struct binding *binding, const struct op *op)
{
	const struct program *program = binding->program;
	uint64_t value = op->offset;

	if ((op->flags & OP_COMPUTED) != 0)
		value = compute(binding, op->offset);
	if ((op->flags & OP_SIZED) != 0 && compute(binding, op->size) > program->io_bytes_max &&
	    op_class(op->kind) == OP_CLASS_DATA)
		fail("a size is larger than the buffers");
	if (op->kind == OP_RANDOMSTRING)
		bind_string(binding, (unsigned)op->number, program->texts[op->text]);
	else if (op->kind == OP_LET)
		bind_variable(binding, op->variable, value);
	else if (op->kind == OP_LOOP && op->variable != OP_NONE)
		bind_variable(binding, op->variable, last_round(program, op));
}

/* Bind the load for the user with the longest name. Compute all random strings,
 * variables, offsets and sizes. */
static void check_binding(const struct program *program)
{
	struct data_pool *pool = data_pool_new(DATA_ZERO, 0, 1);
	struct shared shared = {0};
	struct binding binding;
	size_t i, path;

	if (pool == NULL ||
	    bind_open(&binding, program, PROGRAM_USERS_MAX - 1, PROGRAM_USERS_MAX, 1, pool) < 0)
		fail("bind_open");
	if (shared_add(&shared, program) < 0)
		fail("shared_add");
	for (i = 0; i < program->op_count; i++)
		bind_op(&binding, &program->ops[i]);
	for (path = 0; path < program->path_count; path++) {
		check_path(binding.names.paths[path].text, program->paths[path].place);
	}
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		/* The last component of other paths may be a pattern. */
		if (!op_is_control(op->kind) && op->path != OP_NONE && op->kind != OP_LIST &&
		    op->kind != OP_UNLINK_MATCHING && program->paths[op->path].place == PATH_SHARED)
			check_shared(&shared, binding.names.paths[op->path].text);
	}
	shared_free(&shared);
	bind_free(&binding);
	data_pool_free(pool);
}

/* Play the streams in the order of the load: nothing may be waited for. */
static void check_streams(const struct program *program, size_t first)
{
	struct streams streams;
	uint32_t played[PROGRAM_STREAMS_MAX] = {0};
	size_t at = first, i, k;

	if (streams_derive(&streams, program, first) < 0)
		fail("streams_derive");
	for (i = 0; i < streams.span_count; i++) {
		const struct streams_span *span = &streams.spans[i];

		for (; at < span->first; at++)
			if (program->ops[at].kind != OP_STREAM && program->ops[at].kind != OP_AFTER)
				fail("a stream lacks an operation");
		if (at != span->first || span->end <= at)
			fail("an operation is in two streams");
		at = span->end;
		for (k = 0; k < span->wait_count; k++) {
			const struct streams_wait *wait = &streams.waits[span->first_wait + k];

			if (wait->stream == span->stream || wait->spans > played[wait->stream])
				fail("a stream waits for a later operation");
		}
		played[span->stream]++;
	}
	streams_free(&streams);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct profile profile;
	struct error error = {0};
	struct program *program = load(data, size);

	if (program == NULL)
		return 0;
	if ((profile_make(program, &profile, &error) < 0) != error.set)
		fail("profile_make failed without an error, or set one");
	check_round_trip(program);
	check_binding(program);
	if (!error.set)
		check_streams(program, profile.setup.end);
	program_free(program);
	return 0;
}
