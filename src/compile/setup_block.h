/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks of the set-up (study/walk.h) of a program that is being built.
 */
#ifndef COMPILE_SETUP_BLOCK_H
#define COMPILE_SETUP_BLOCK_H

#include "base/error.h"
#include "compile/handles.h"
#include "program/program.h"

/* The last block. */
struct setup_block {
	bool open;          /* between SETUP and ENDSETUP */
	enum op_setup kind; /* of the current block, or of the last one */
	uint32_t line;      /* of its SETUP */
	size_t end;         /* index of the first op after the last block; 0: none */
};

/* The following functions are for the builder. They return 0, or -EINVAL with
 * `error` set. */

/* Begin a block. */
int setup_block_begin(struct setup_block *block, const struct program *program, const struct op *op,
		      struct error *error);

/* End a block. Its open handles stay open between loops. */
int setup_block_end(struct setup_block *block, const struct program *program,
		    struct handles *handles, struct error *error);

/* Refuse an operation that the set-up may not contain or, after SETUP restore,
 * one that changes files that the user cannot restore. */
int setup_block_check_op(const struct setup_block *block, const struct program *program,
			 const struct op *op, uint64_t due_ns, struct error *error);

/* The same for an operation on an open handle. */
int setup_block_check_handle(const struct setup_block *block, const struct program *program,
			     const struct op *op, const struct handle *handle, struct error *error);

/* Check the load as a whole. The error includes the line. */
int setup_block_finish(const struct setup_block *block, const struct handles *handles,
		       const char *source, struct error *error);

#endif
