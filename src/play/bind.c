/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/bind.h"

#include <errno.h>
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

/* The length of the data of DATA_FIXED. */
enum { FIXED_BYTES = sizeof(uint64_t) };

struct data_pool {
	enum data_kind kind;
	uint64_t fixed; /* the 8 bytes of DATA_FIXED */
	size_t bytes;
	/* Room for a write of max size, after POOL_BYTES more if random, or
	 * FIXED_BYTES if fixed. */
	_Alignas(BIND_ALIGNMENT) char data[];
};

/* Allocate at least one byte, aligned for direct I/O. */
static void *new_buffer(size_t bytes)
{
	return aligned_alloc(BIND_ALIGNMENT, (bytes / BIND_ALIGNMENT + 1) * BIND_ALIGNMENT);
}

/* Fill the buffer with `bytes` bytes: `length` bytes, repeated. */
static void fill_repeating(char *buffer, size_t bytes, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		buffer[i] = text[i % length];
}

struct data_pool *data_pool_new(enum data_kind kind, uint32_t io_bytes_max, uint64_t value)
{
	static const char text[] = "throng writes this text over and over; ";
	size_t bytes = io_bytes_max + (size_t)(kind == DATA_RANDOM  ? POOL_BYTES
					       : kind == DATA_FIXED ? FIXED_BYTES
								    : 0);
	struct data_pool *pool = new_buffer(sizeof(*pool) + bytes);
	struct random random;

	if (pool == NULL)
		return NULL;
	pool->kind = kind;
	pool->fixed = value;
	pool->bytes = bytes;
	if (kind == DATA_RANDOM) {
		random_start(&random, value, UINT64_MAX);
		random_fill(&random, pool->data, bytes);
	} else if (kind == DATA_PATTERN) {
		fill_repeating(pool->data, bytes, text, strlen(text));
	} else if (kind == DATA_FIXED) {
		fill_repeating(pool->data, bytes, (const char *)&value, FIXED_BYTES);
	} else {
		memset(pool->data, 0, bytes);
	}
	return pool;
}

const uint64_t *data_pool_fixed(const struct data_pool *pool)
{
	return pool->kind == DATA_FIXED ? &pool->fixed : NULL;
}

void data_pool_free(struct data_pool *pool)
{
	free(pool);
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

int bind_open(struct binding *binding, const struct program *program, unsigned user, unsigned users,
	      uint64_t seed, const struct data_pool *pool)
{
	size_t i;

	*binding = (struct binding){
		.program = program,
		.user = user,
		.pool = pool,
		/* Modulo 1, multiples of the golden ratio are spread evenly. */
		.data_next = (uint64_t)user * UINT64_C(0x9e3779b9) %
			     (POOL_BYTES / POOL_STEP_BYTES) * POOL_STEP_BYTES,
	};
	random_start(&binding->inputs.random, seed, user);
	binding->positions = calloc(program->handle_count + 1, sizeof(*binding->positions));
	binding->counters = calloc(program->every_count + 1, sizeof(*binding->counters));
	binding->inputs.zipfs = program->zipfs;
	binding->inputs.shuffles = calloc(program->shuffle_count + 1, sizeof(struct shuffle));
	if (make_buffers(binding) < 0 || binding->positions == NULL || binding->counters == NULL ||
	    binding->inputs.shuffles == NULL || names_open(&binding->names, program, user) < 0)
		return -ENOMEM;
	binding->inputs.variables = binding->names.variables;
	for (i = 0; i < program->shuffle_count; i++)
		binding->inputs.shuffles[i] = program->shuffles[i];
	bind_variable(binding, VARIABLE_USER, user);
	bind_variable(binding, VARIABLE_USERS, users);
	return 0;
}

int bind_share(struct binding *binding, const struct binding *first, unsigned stream,
	       bool shares_handles)
{
	/* The first binding has not drawn any number yet. */
	int rc = bind_open(binding, first->program, first->user,
			   (unsigned)first->inputs.variables[VARIABLE_USERS],
			   first->inputs.random.state + stream, first->pool);

	if (shares_handles) {
		free(binding->positions);
		binding->positions = first->positions;
		binding->shares_positions = true;
	}
	if (binding->aligned != NULL)
		binding->blocks += (uint64_t)stream << 32;
	else
		binding->data_next = draw_below(&binding->inputs.random,
						POOL_BYTES / POOL_STEP_BYTES) *
				     POOL_STEP_BYTES;
	return rc;
}

void bind_follow(struct binding *binding, const struct binding *first)
{
	uint32_t i;

	for (i = 0; i < PROGRAM_VARIABLES_MAX; i++)
		if (binding->names.variables[i] != first->names.variables[i])
			bind_variable(binding, i, first->names.variables[i]);
	binding->pattern = first->pattern;
}

void bind_free(struct binding *binding)
{
	names_free(&binding->names);
	free(binding->inputs.shuffles);
	if (!binding->shares_positions)
		free(binding->positions);
	free(binding->counters);
	free(binding->read_buffer);
	free(binding->pattern_buffer);
	free(binding->aligned);
}

uint64_t bind_formula(struct binding *binding, uint64_t number)
{
	return formula_compute(&binding->program->formulas[number], &binding->inputs);
}

uint64_t bind_size(struct binding *binding, const struct op *op)
{
	if ((op->flags & OP_SIZED) == 0)
		return op->size;
	binding->size = bind_formula(binding, op->size);
	return binding->size;
}

struct extent bind_extent(struct binding *binding, const struct op *op)
{
	struct extent extent = {.offset = op->offset};

	if ((op->flags & OP_COMPUTED) != 0)
		extent.offset = bind_formula(binding, op->offset);
	else if ((op->flags & OP_NEXT) != 0)
		extent.offset = binding->positions[op->handle];
	else if ((op->flags & OP_CONTINUED) != 0)
		extent.offset = binding->io_end;
	extent.size = bind_size(binding, op);
	return extent;
}

void bind_variable(struct binding *binding, uint32_t variable, uint64_t value)
{
	binding->names.variables[variable] = value;
	names_update(&binding->names, variable);
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
		memcpy(start + i * BIND_ALIGNMENT, &binding->blocks, sizeof(binding->blocks));
	}
	binding->data_next = (binding->data_next + blocks * BIND_ALIGNMENT) % POOL_BYTES;
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
	binding->data_next = start +
			     (size + POOL_STEP_BYTES - 1) / POOL_STEP_BYTES * POOL_STEP_BYTES;
	if (binding->data_next >= POOL_BYTES)
		binding->data_next = (binding->data_next + POOL_STEP_BYTES) % POOL_BYTES;
	return binding->pool->data + start;
}

const void *bind_data_at(struct binding *binding, size_t size, uint64_t offset)
{
	const char *data = bind_data(binding, size);

	if (binding->pool->kind != DATA_FIXED || binding->pattern != NULL)
		return data;
	return data + offset % FIXED_BYTES;
}

void bind_pattern(struct binding *binding, const char *text)
{
	binding->pattern = binding->pattern_buffer;
	fill_repeating(binding->pattern, binding->program->io_bytes_max, text, strlen(text));
}

void bind_string(struct binding *binding, unsigned slot, const char *template)
{
	char *out = binding->names.strings[slot];

	while (*template != '\0') {
		const char *end = template + 1;

		if (*template == '[') {
			end = strchr(template, ']');
			*out++ = template[1 + random_next(&binding->inputs.random) %
						      (size_t)(end - template - 1)];
			end++;
		} else {
			*out++ = *template;
		}
		template = end;
	}
	*out = '\0';
	names_update(&binding->names, PROGRAM_VARIABLES_MAX + slot);
}
