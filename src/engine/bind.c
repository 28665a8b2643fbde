/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/bind.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Each write of a user takes its data from the place in the pool where the data
 * of the user's previous write ended. Each round through the pool starts 8
 * bytes later, so blocks of 4 KiB differ for 512 rounds. The users' first
 * offsets are spread evenly. A pool of 1 MiB stays in the second-level cache.
 */
enum {
	POOL_BYTES = 1 << 20,
	POOL_STEP_BYTES = 8,
};

struct data_pool {
	enum data_kind kind;
	size_t bytes;
	/* Room for a write of max size, after POOL_BYTES more if random. */
	_Alignas(BIND_ALIGNMENT) char data[];
};

void bind_user_name(unsigned user, char name[USER_NAME_MAX])
{
	snprintf(name, USER_NAME_MAX, USER_STEM "%u", user);
}

size_t bind_path(const struct program *program, uint32_t path, unsigned user,
		 char *out)
{
	const char *text = program->paths[path].text;
	char name[USER_NAME_MAX];
	size_t length = 0;

	bind_user_name(user, name);
	while (*text != '\0') {
		size_t part = strcspn(text, "/");

		if (length > 0)
			out[length++] = '/';
		if (part == strlen(USER_NAME) &&
		    memcmp(text, USER_NAME, part) == 0) {
			strcpy(out + length, name);
			length += strlen(name);
		} else {
			memcpy(out + length, text, part);
			length += part;
		}
		text += part;
		text += *text == '/';
	}
	out[length] = '\0';
	return length;
}

/* Allocate at least one byte, aligned for direct I/O. */
static void *new_buffer(size_t bytes)
{
	return aligned_alloc(BIND_ALIGNMENT, (bytes / BIND_ALIGNMENT + 1) *
						     BIND_ALIGNMENT);
}

/* Fill the buffer with `bytes` bytes of the repeated text. */
static void fill_repeating(char *buffer, size_t bytes, const char *text)
{
	size_t length = strlen(text), i;

	for (i = 0; i < bytes; i++)
		buffer[i] = text[i % length];
}

struct data_pool *data_pool_new(enum data_kind kind, uint32_t io_bytes_max,
				uint64_t seed)
{
	size_t bytes = io_bytes_max +
		       (size_t)(kind == DATA_RANDOM ? POOL_BYTES : 0);
	struct data_pool *pool = new_buffer(sizeof(*pool) + bytes);
	struct random random;

	if (pool == NULL)
		return NULL;
	pool->kind = kind;
	pool->bytes = bytes;
	if (kind == DATA_RANDOM) {
		random_start(&random, seed, UINT64_MAX);
		random_fill(&random, pool->data, bytes);
	} else if (kind == DATA_PATTERN) {
		fill_repeating(pool->data, bytes,
			       "throng writes this text over and over; ");
	} else {
		memset(pool->data, 0, bytes);
	}
	return pool;
}

void data_pool_free(struct data_pool *pool)
{
	free(pool);
}

/* Update a path with the current random strings. */
static void expand_strings(struct binding *binding, uint32_t path)
{
	char plain[PATH_MAX];
	char *out = (char *)binding->paths[path].text;
	const char *in = plain;
	size_t length = 0;

	bind_path(binding->program, path, binding->user, plain);
	while (*in != '\0' && length + 1 < PATH_MAX) {
		unsigned digit = (unsigned char)in[1] - '0';

		if (*in == '$' && digit < PROGRAM_STRINGS &&
		    binding->strings[digit][0] != '\0') {
			size_t part = strlen(binding->strings[digit]);

			if (length + part + 1 > PATH_MAX)
				break;
			memcpy(out + length, binding->strings[digit], part);
			length += part;
			in += 2;
		} else {
			out[length++] = *in++;
		}
	}
	out[length] = '\0';
	binding->path_bytes[path] = (uint32_t)length;
}

static int bind_paths(struct binding *binding)
{
	const struct program *program = binding->program;
	char text[PATH_MAX];
	uint32_t i;

	binding->paths = calloc(program->path_count + 1,
				sizeof(*binding->paths));
	binding->path_bytes = calloc(program->path_count + 1,
				     sizeof(*binding->path_bytes));
	if (binding->paths == NULL || binding->path_bytes == NULL)
		return -ENOMEM;
	for (i = 0; i < program->path_count; i++) {
		size_t length = bind_path(program, i, binding->user, text);
		/* A path with random strings may get longer later. */
		size_t room = program->paths[i].varying ? PATH_MAX
							: length + 1;
		char *copy = malloc(room);

		if (copy == NULL)
			return -ENOMEM;
		memcpy(copy, text, length + 1);
		binding->paths[i].text = copy;
		binding->path_bytes[i] = (uint32_t)length;
	}
	return 0;
}

static bool has_strings(const struct program *program)
{
	size_t i;

	for (i = 0; i < program->path_count; i++)
		if (program->paths[i].varying)
			return true;
	return false;
}

/* Allocate the buffers for the data of reads and writes. */
static int make_buffers(struct binding *binding)
{
	const struct program *program = binding->program;
	const struct data_pool *pool = binding->pool;

	binding->read_buffer = new_buffer(program->io_bytes_max);
	binding->pattern_buffer = new_buffer(program->io_bytes_max);
	if (binding->read_buffer == NULL || binding->pattern_buffer == NULL)
		return -ENOMEM;
	if (!program->direct || pool->kind != DATA_RANDOM)
		return 0;
	binding->aligned = new_buffer(pool->bytes);
	if (binding->aligned == NULL)
		return -ENOMEM;
	memcpy(binding->aligned, pool->data, pool->bytes);
	binding->blocks = (uint64_t)binding->user << 40;
	binding->data_next -= binding->data_next % BIND_ALIGNMENT;
	return 0;
}

int bind_open(struct binding *binding, const struct program *program,
	      unsigned user, unsigned users, uint64_t seed,
	      const struct data_pool *pool)
{
	*binding = (struct binding){
		.program = program,
		.user = user,
		.users = users,
		.pool = pool,
		/* Modulo 1, multiples of the golden ratio are spread evenly. */
		.data_next = (uint64_t)user * UINT64_C(0x9e3779b9) %
			     (POOL_BYTES / POOL_STEP_BYTES) * POOL_STEP_BYTES,
	};
	random_start(&binding->random, seed, user);
	if (has_strings(program)) {
		binding->strings =
			calloc(PROGRAM_STRINGS, sizeof(*binding->strings));
		if (binding->strings == NULL)
			return -ENOMEM;
	}
	if (make_buffers(binding) < 0)
		return -ENOMEM;
	return bind_paths(binding);
}

void bind_free(struct binding *binding)
{
	size_t i;

	for (i = 0; binding->paths != NULL &&
		    i < binding->program->path_count; i++)
		free((char *)binding->paths[i].text);
	free(binding->paths);
	free(binding->path_bytes);
	free(binding->strings);
	free(binding->read_buffer);
	free(binding->pattern_buffer);
	free(binding->aligned);
}

uint64_t bind_offset(struct binding *binding, const struct op *op)
{
	const struct expression *e;
	uint64_t offset;
	unsigned i;

	if ((op->flags & OP_CONTINUED) != 0)
		return binding->io_end;
	e = &binding->program->expressions[op->offset];
	offset = e->from_previous ? binding->previous_offset
				  : random_next(&binding->random);
	for (i = 0; i < e->terms; i++) {
		const struct term *term = &e->term[i];

		switch (term->action) {
		case '%':
			offset %= term->value;
			break;
		case '/':
			offset -= offset % term->value;
			break;
		case '+':
			offset += term->value;
			break;
		case 'u':
			offset += binding->user;
			break;
		case 'n':
			offset += binding->users;
			break;
		}
	}
	return offset;
}

/*
 * Return aligned data. Aligned blocks repeat after one round through the pool,
 * so store a new number in each of them.
 */
static const void *aligned_data(struct binding *binding, size_t size)
{
	char *start = binding->aligned + binding->data_next;
	size_t blocks = (size + BIND_ALIGNMENT - 1) / BIND_ALIGNMENT, i;

	for (i = 0; i < blocks; i++) {
		binding->blocks++;
		memcpy(start + i * BIND_ALIGNMENT, &binding->blocks,
		       sizeof(binding->blocks));
	}
	binding->data_next = (binding->data_next + blocks * BIND_ALIGNMENT) %
			     POOL_BYTES;
	return start;
}

const void *bind_data(struct binding *binding, size_t size)
{
	uint64_t start = binding->data_next;

	if (binding->pattern != NULL)
		return binding->pattern;
	if (binding->pool->kind != DATA_RANDOM)
		return binding->pool->data;
	if (binding->aligned != NULL)
		return aligned_data(binding, size);
	binding->data_next = start + (size + POOL_STEP_BYTES - 1) /
				     POOL_STEP_BYTES * POOL_STEP_BYTES;
	if (binding->data_next >= POOL_BYTES)
		binding->data_next = (binding->data_next + POOL_STEP_BYTES) %
				     POOL_BYTES;
	return binding->pool->data + start;
}

void bind_pattern(struct binding *binding, const char *text)
{
	binding->pattern = binding->pattern_buffer;
	fill_repeating(binding->pattern, binding->program->io_bytes_max, text);
}

void bind_string(struct binding *binding, unsigned slot, const char *template)
{
	char *out;
	uint32_t i;

	if (binding->strings == NULL)
		return;
	for (out = binding->strings[slot]; *template != '\0'; out++) {
		const char *end = template + 1;

		if (*template == '[') {
			end = strchr(template, ']');
			*out = template[1 + random_next(&binding->random) %
						(size_t)(end - template - 1)];
			end++;
		} else {
			*out = *template;
		}
		template = end;
	}
	*out = '\0';
	for (i = 0; i < binding->program->path_count; i++)
		if (binding->program->paths[i].varying)
			expand_strings(binding, i);
}
