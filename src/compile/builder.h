/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Build a program, operation by operation, and refuse operations that a load
 * may not contain, before anything runs.
 *
 * Functions return 0, or -EINVAL with `error` set, or -ENOMEM. The error has no
 * line number; the caller adds it.
 */
#ifndef COMPILE_BUILDER_H
#define COMPILE_BUILDER_H

#include "base/error.h"
#include "program/program.h"

struct builder;

/* Return a new builder, or NULL if there is no memory. `source` is copied,
 * `dialect` is not. */
struct builder *builder_new(const char *source, const char *dialect);

/* Free a builder without finishing it. `builder` may be NULL. */
void builder_free(struct builder *builder);

/* Let users play a prologue (program.prologue). Call this before any operation
 * is added. */
int builder_prologue(struct builder *builder, struct error *error);

/* Get the number of the label `name`, adding it if it is new. */
int builder_label(struct builder *builder, const char *name, uint8_t *label, struct error *error);

/*
 * Get the number of a path, adding it if it is new. The path is normalised and
 * checked (path.h). `references`: `${name}` is the value of a variable. `line`
 * is the line of the loadfile that uses the path.
 */
int builder_path(struct builder *builder, const char *text, bool references, uint32_t line,
		 uint32_t *path, struct error *error);

/* Return the random strings defined so far, one bit per slot. */
unsigned builder_strings(const struct builder *builder);

/* Return where a path of the program is. */
enum path_place builder_place(const struct builder *builder, uint32_t path);

/* Is the handle with this number (in the loadfile) open? */
bool builder_is_open(struct builder *builder, uint32_t number);

/* Get the number of a text, adding it if it is new. */
int builder_text(struct builder *builder, const char *text, uint32_t *number, struct error *error);

/* Get the number of a recorded request, adding it if it is new. */
int builder_request(struct builder *builder, const struct smb_request *request, uint32_t *number,
		    struct error *error);

/* Get the number of a formula, adding it if it is new. */
int builder_formula(struct builder *builder, const struct formula *formula, uint32_t *number,
		    struct error *error);

/* Return the tables, whose variables and distributions formulas use. */
struct tables *builder_tables(struct builder *builder);

/*
 * Declare a variable for the rest of the current block, such as the LET of this
 * line does, or for the block that the next LOOP begins (`counter`). Its values
 * are in `range`. Set *number.
 */
int builder_declare(struct builder *builder, const char *name, bool counter,
		    const struct formula_range *range, uint32_t line, uint32_t *number,
		    struct error *error);

/* Return the kind of the innermost block: OP_LOOP, OP_MIX, OP_BRANCH, OP_EVERY,
 * or OP_KINDS outside all blocks. */
enum op_kind builder_block(const struct builder *builder);

/* Return the number of blocks that have not ended. */
unsigned builder_depth(const struct builder *builder);

/* Return the line of the SETUP that has not ended, or 0. */
uint32_t builder_setup_line(const struct builder *builder);

/* Check that no more than `depth` blocks are open before a line `verb`. End
 * those that are, so that later lines cause no errors. */
int builder_check_depth(struct builder *builder, unsigned depth, const char *verb,
			struct error *error);

/* Report an error about the innermost block, unless one has been reported.
 * Return the line of the block, or 0 if there is nothing to report. */
uint32_t builder_report_block(struct builder *builder);

/*
 * Begin a block whose line is refused (OP_LOOP, OP_MIX, OP_BRANCH, OP_EVERY or
 * OP_SETUP), or open the handle of an OPEN that is refused. Then later lines
 * cause no errors, but builder_finish() must not be called.
 */
void builder_begin_refused(struct builder *builder, enum op_kind kind, uint32_t line);
void builder_open_refused(struct builder *builder, uint32_t number);

/*
 * End the branch of a MIX, which builder_add() has begun with an OP_BRANCH.
 * Return 0, or -EINVAL with `error` set if the branch has no operation, or has
 * opened or closed a handle and left it so.
 */
int builder_end_branch(struct builder *builder, struct error *error);

/*
 * Append an operation. op->handle is the handle's number in the loadfile, or
 * OP_NONE for an OPEN that fails. For a LIST or UNLINK_MATCHING, the function
 * sets path2 to the directory of the path. `due_ns`: the time stamp, or
 * CLOCK_NEVER.
 */
int builder_add(struct builder *builder, const struct op *op, uint64_t due_ns, struct error *error);

/* Return the number of operations added so far. */
size_t builder_ops(const struct builder *builder);

/* Estimate the memory use of the builder and its program, in bytes. */
uint64_t builder_bytes(const struct builder *builder);

/*
 * Finish the program and free the builder, even after an error. Return the
 * program, or NULL with `error` set.
 */
struct program *builder_finish(struct builder *builder, struct error *error);

#endif
