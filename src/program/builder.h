/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a program, operation by operation, and verifies it: what a loadfile
 * may not say is refused here, before anything runs.
 *
 * Functions return 0, or -EINVAL with `error` set to what was wrong (without
 * a place: the caller knows the line), or -ENOMEM.
 */
#ifndef PROGRAM_BUILDER_H
#define PROGRAM_BUILDER_H

#include "base/error.h"
#include "program/program.h"

struct builder;

/* NULL when there is no memory. `dialect` is kept, `source` copied. */
struct builder *builder_new(const char *source, const char *dialect);

/* Frees a builder that was not finished; NULL is fine. */
void builder_free(struct builder *builder);

/* The number of the label `name`, made when it is new. */
int builder_label(struct builder *builder, const char *name, uint8_t *label,
		  struct error *error);

/*
 * The number of a path, made when it is new. Both kinds of slash separate
 * components; `client1` at the front means `clients/client1`. Refused are
 * `..`, too long ones, and what lies where only throng itself may be.
 * `pattern`: the last component may hold wildcards.
 */
int builder_path(struct builder *builder, const char *text, bool pattern,
		 uint32_t line, uint32_t *path, struct error *error);

/* Which random strings have been defined so far, a bit each. */
unsigned builder_strings(const struct builder *builder);

/* Where a path of the program lies. */
enum path_place builder_place(const struct builder *builder, uint32_t path);

/* Is the handle with that number of the loadfile's open? */
bool builder_is_open(struct builder *builder, uint32_t number);

/* The number of a text, made when it is new. */
int builder_text(struct builder *builder, const char *text, uint32_t *number,
		 struct error *error);

/* The number of an expression, made when it is new. */
int builder_expression(struct builder *builder,
		       const struct expression *expression, uint32_t *number,
		       struct error *error);

/*
 * Appends an operation. op->handle is the loadfile's own number of the
 * handle; for OPEN OP_NONE when the open binds none. For LIST the directory
 * is filled in here. `due_ns`: the time stamp, or CLOCK_NEVER.
 */
int builder_add(struct builder *builder, const struct op *op, uint64_t due_ns,
		struct error *error);

/* The number of operations added so far, and about how much memory it all
 * takes. */
size_t builder_ops(const struct builder *builder);
uint64_t builder_bytes(const struct builder *builder);

/*
 * Ends the building and frees the builder, whatever comes of it. Returns the
 * program, or NULL with `error` set.
 */
struct program *builder_finish(struct builder *builder, struct error *error);

#endif
