/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The set-up of a program: the ops that are played once, before the start line,
 * and never counted. A load has at most one SETUP block, and before it at most
 * one SETUP shared. Both come before all other operations.
 */
#ifndef COMPILE_SETUP_H
#define COMPILE_SETUP_H

#include "base/error.h"
#include "compile/handles.h"
#include "program/program.h"

/* Where the set-up is among the ops of a program. All zero: there is none. */
struct setup {
	size_t shared_end; /* SETUP shared is before this op */
	size_t end; /* SETUP is from shared_end on; the loops begin here */
	bool restore; /* SETUP restore */
};

/* Find the set-up of a program. */
struct setup setup_find(const struct program *program);

/*
 * Let the set-up flush what it writes: each close of a file that it has written
 * gets the flag OP_FLUSH, and NFS writes become stable. Call this once, before
 * the program is played, and not before it is printed. Return 0, or -ENOMEM
 * with `error` set.
 */
int setup_flush(struct program *program, struct error *error);

/*
 * Find the handles that the set-up has written and leaves open. Set written[H]
 * for these slots, and clear it for all others.
 */
void setup_find_written(const struct program *program,
			const struct setup *setup, bool *written);

/* The set-up blocks of a program that is being built. */
struct setup_block {
	bool open; /* between SETUP and ENDSETUP */
	enum op_setup kind; /* of the current block, or of the last one */
	uint32_t line; /* of its SETUP */
	size_t end; /* index of the first op after the last block; 0: none */
};

/* The following functions are for the builder. They return 0, or -EINVAL with
 * `error` set. */

/* Begin a block. */
int setup_begin(struct setup_block *block, const struct program *program,
		const struct op *op, struct error *error);

/* End a block. Its open handles stay open between loops. */
int setup_end(struct setup_block *block, const struct program *program,
	      struct handles *handles, struct error *error);

/* Refuse an operation that the set-up may not contain or, after SETUP restore,
 * one that changes files that the user cannot restore. */
int setup_check_op(const struct setup_block *block,
		   const struct program *program, const struct op *op,
		   uint64_t due_ns, struct error *error);

/* The same for an operation on an open handle. */
int setup_check_handle(const struct setup_block *block,
		       const struct program *program, const struct op *op,
		       const struct handle *handle, struct error *error);

/* Check the load as a whole. The error includes the line. */
int setup_finish(const struct setup_block *block, const struct handles *handles,
		 const char *source, struct error *error);

#endif
