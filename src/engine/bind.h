/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program as one user sees it: paths with the user's own name in them,
 * offsets worked out, the data that it writes. All memory is set aside before
 * the clock runs.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "backend/backend.h"
#include "base/random.h"
#include "program/program.h"

/* The user's name for a path: "client<N>". */
enum { USER_NAME_MAX = 24 };
void bind_user_name(unsigned user, char name[USER_NAME_MAX]);

/*
 * Writes a path of the program as user `user` sees it; random strings are
 * left as `$n`. `out` has room for PATH_MAX. Returns the length.
 */
size_t bind_path(const struct program *program, uint32_t path, unsigned user,
		 char *out);

/* What is written, and in how far it differs from block to block. */
enum data_kind { DATA_RANDOM, DATA_ZERO, DATA_PATTERN };

/*
 * The random bytes that all users write from: filled once, before the fork.
 * Returns NULL when there is no memory. A user that starts anywhere in the
 * pool finds `io_bytes_max` bytes from there on.
 */
struct data_pool *data_pool_new(enum data_kind kind, uint32_t io_bytes_max,
				uint64_t seed);
void data_pool_free(struct data_pool *pool);

struct binding {
	const struct program *program;
	unsigned user;  /* of all users of the run */
	unsigned users; /* all of them */
	struct random random;

	struct backend_path *paths; /* by the program's numbers */
	uint32_t *path_bytes;       /* how long their texts are */
	char (*strings)[PROGRAM_STRING_MAX]; /* NULL: the program has none */

	uint64_t previous_offset; /* of the last read, write or lock */
	uint64_t io_end;          /* where the last one ended */

	const struct data_pool *pool;
	uint64_t data_next; /* where in the pool the next write starts */
	char *pattern;      /* what WRITEPATTERN asks for; NULL: the pool */
	char *pattern_buffer;
	char *read_buffer;
};

/* Binds a program for a user. Returns 0 or -ENOMEM; freed in any case. */
int bind_open(struct binding *binding, const struct program *program,
	      unsigned user, unsigned users, uint64_t seed,
	      const struct data_pool *pool);
void bind_free(struct binding *binding);

/* Works out the offset of an op that has an expression. */
uint64_t bind_offset(struct binding *binding, const struct op *op);

/* The bytes that the next write of `size` bytes writes. */
const void *bind_data(struct binding *binding, size_t size);

/* WRITEPATTERN: writes are filled with the text from here on. */
void bind_pattern(struct binding *binding, const char *text);

/* RANDOMSTRING: draws the string anew and expands the paths that hold it. */
void bind_string(struct binding *binding, unsigned slot,
		 const char *template);

#endif
