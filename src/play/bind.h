/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program as one user plays it: the user's paths, variables and computed
 * numbers, and the data of writes. All memory is allocated before the
 * measured time starts.
 */
#ifndef PLAY_BIND_H
#define PLAY_BIND_H

#include "play/names.h"
#include "program/program.h"
#include "target/backend.h"

/* The content of writes. With DATA_RANDOM, blocks differ from each other. With
 * DATA_FIXED, 8 bytes are repeated over each file, from its beginning. */
enum data_kind { DATA_RANDOM, DATA_ZERO, DATA_PATTERN, DATA_FIXED };

/*
 * Allocate and fill the pool of data that all users write from, before they
 * are forked. A write of up to `io_bytes_max` bytes fits after any offset that
 * bind_data chooses. `value` is the seed of DATA_RANDOM, or the 8 bytes of
 * DATA_FIXED. Return NULL if out of memory.
 */
struct data_pool *data_pool_new(enum data_kind kind, uint32_t io_bytes_max, uint64_t value);
/* Return the 8 bytes of DATA_FIXED, or NULL if this is another kind. */
const uint64_t *data_pool_fixed(const struct data_pool *pool);
void data_pool_free(struct data_pool *pool);

/* Buffers and data of direct I/O are aligned to this many bytes. */
enum { BIND_ALIGNMENT = 4096 };

struct binding {
	const struct program *program;
	unsigned user; /* number of this user in the whole run */
	struct names names;
	/* The state of formulas. `previous` is the offset of the last operation
	 * with an offset that was not OP_CONTINUED: a read, write, lock or
	 * other range of bytes, or an NFS procedure. */
	struct formula_inputs inputs;
	/* End of the last such operation, even if OP_CONTINUED. */
	uint64_t io_end;
	uint64_t size;         /* the last computed size (OP_SIZED) */
	uint64_t *positions;   /* of open handles (OP_NEXT), by op.handle */
	bool shares_positions; /* they are those of another binding */
	/* How often each EVERY was reached since its block was played, by
	 * op.counter. */
	uint32_t *counters;

	const struct data_pool *pool;
	uint64_t data_next; /* pool offset of the next write's data */
	/* The user's own copy of a random pool, for a program with direct I/O:
	 * all writes begin at multiples of BIND_ALIGNMENT. NULL: none. */
	char *aligned;
	uint64_t blocks; /* number of the last block written from `aligned` */
	/* Text of the last WRITEPATTERN, repeated; NULL: write data from the
	 * pool. */
	char *pattern;
	char *pattern_buffer;
	char *read_buffer;
};

/* Bind a program for a user. Return 0 or -ENOMEM; call bind_free in either
 * case. */
int bind_open(struct binding *binding, const struct program *program, unsigned user, unsigned users,
	      uint64_t seed, const struct data_pool *pool);
void bind_free(struct binding *binding);

/*
 * Bind the same program for the same user and another stream, which draws its own
 * numbers, and has its own paths, variables, counters and data. With
 * `shares_handles`, both share the positions of handles: free this binding before the
 * first one. Return 0 or -ENOMEM; call bind_free in either case.
 */
int bind_share(struct binding *binding, const struct binding *first, unsigned stream,
	       bool shares_handles);

/* Give a binding of another stream the variables and the pattern of the first one. */
void bind_follow(struct binding *binding, const struct binding *first);

/* The range of bytes that a read, write or lock works on. */
struct extent {
	uint64_t offset, size;
};

/* Compute the extent of an operation, some part of which varies
 * (OP_VARIES). */
struct extent bind_extent(struct binding *binding, const struct op *op);

/* Return the size of an operation, and draw it anew if it is OP_SIZED. */
uint64_t bind_size(struct binding *binding, const struct op *op);

/* Compute formula `number` of the program. */
uint64_t bind_formula(struct binding *binding, uint64_t number);

/* Assign a variable, and update the paths that contain it. */
void bind_variable(struct binding *binding, uint32_t variable, uint64_t value);

/* Return the data for the next write of `size` bytes. */
const void *bind_data(struct binding *binding, size_t size);

/* Return the same for a write at this offset of a file. */
const void *bind_data_at(struct binding *binding, size_t size, uint64_t offset);

/* WRITEPATTERN: fill all further writes with the text. */
void bind_pattern(struct binding *binding, const char *text);

/* RANDOMSTRING: draw the string again and update the paths that contain it. */
void bind_string(struct binding *binding, unsigned slot, const char *template);

#endif
