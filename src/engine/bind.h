/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program as one user plays it: paths with the user's own name in them,
 * computed offsets, and the data of writes. All memory is allocated before the
 * measured time starts.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "backend/backend.h"
#include "base/random.h"
#include "program/program.h"

/* Write the name of a user's directory, "client<N>", into `name`. */
enum { USER_NAME_MAX = 24 };
void bind_user_name(unsigned user, char name[USER_NAME_MAX]);

/*
 * Write a path of the program as user `user` plays it. Random strings are left
 * as `$n`. `out` has room for PATH_MAX. Return the length.
 */
size_t bind_path(const struct program *program, uint32_t path, unsigned user,
		 char *out);

/* The content of writes. With DATA_RANDOM, blocks differ from each other. */
enum data_kind { DATA_RANDOM, DATA_ZERO, DATA_PATTERN };

/*
 * Allocate and fill the pool of data that all users write from, before they
 * are forked. A write of up to `io_bytes_max` bytes fits after any offset that
 * bind_data chooses. Return NULL if out of memory.
 */
struct data_pool *data_pool_new(enum data_kind kind, uint32_t io_bytes_max,
				uint64_t seed);
void data_pool_free(struct data_pool *pool);

/* Buffers and data of direct I/O are aligned to this many bytes. */
enum { BIND_ALIGNMENT = 4096 };

struct binding {
	const struct program *program;
	unsigned user;  /* number of this user in the whole run */
	unsigned users; /* number of users in the whole run */
	struct random random;

	/* The user's paths, by index into program->paths. */
	struct backend_path *paths;
	uint32_t *path_bytes; /* lengths of `paths`, in bytes */
	/* Random strings, by slot; NULL: the program uses none. */
	char (*strings)[PROGRAM_STRING_MAX];

	/* Offset of the last read, write or lock that was not OP_CONTINUED. */
	uint64_t previous_offset;
	/* End of the last read, write or lock, even if OP_CONTINUED. */
	uint64_t io_end;

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
int bind_open(struct binding *binding, const struct program *program,
	      unsigned user, unsigned users, uint64_t seed,
	      const struct data_pool *pool);
void bind_free(struct binding *binding);

/* Compute the offset of an OP_COMPUTED or OP_CONTINUED op. */
uint64_t bind_offset(struct binding *binding, const struct op *op);

/* Return the data for the next write of `size` bytes. */
const void *bind_data(struct binding *binding, size_t size);

/* WRITEPATTERN: fill all further writes with the text. */
void bind_pattern(struct binding *binding, const char *text);

/* RANDOMSTRING: draw the string again and update the paths that contain it. */
void bind_string(struct binding *binding, unsigned slot,
		 const char *template);

#endif
