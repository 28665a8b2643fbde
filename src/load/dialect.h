/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dialects: the formats of loadfiles. A dialect compiles a line to an operation
 * of the program. The result does not depend on the target.
 */
#ifndef LOAD_DIALECT_H
#define LOAD_DIALECT_H

#include "base/suggest.h"
#include "compile/builder.h"
#include "load/reader.h"

struct dialect {
	const char *name;
	/* The names of its operations, for the message about an unknown
	 * operation. */
	const char *words;
	/* Offer the names of its operations, for the same message
	 * (base/suggest.h); NULL: people do not write this dialect. */
	void (*suggest)(struct suggestion *suggestion);
	/* An example of an outcome, for the message about a missing one. */
	const char *outcome;
	/*
	 * Is `word` one of its operations? Return 0: no; 1: yes, but only if
	 * case is ignored, so another dialect may fit better; 2: yes.
	 */
	unsigned (*match)(const char *word);
	/*
	 * Compile a line. Word `first` is the name of the operation. `due_ns`:
	 * its time stamp, or CLOCK_NEVER. Return 0, or -EINVAL with `error`
	 * set, including the line and column, or -ENOMEM.
	 */
	int (*compile)(struct builder *builder, const struct line *line, unsigned first,
		       uint64_t due_ns, struct error *error);
};

/* All dialects, with NULL at the end. The first is the default. */
extern const struct dialect *const dialects[];

extern const struct dialect dialect_netbench;
extern const struct dialect dialect_nfs;
extern const struct dialect dialect_smb;
extern const struct dialect dialect_native;

/* A row in a dialect's table of operations. The last row has a NULL word. */
struct spelling {
	const char *word;
	enum op_kind kind;
	const char *shape; /* arguments (load/arguments.h) */
	bool lookup;       /* play it with OP_LOOKUP (program/op.h) */
};

/* Return the row of `word`, ignoring case, or NULL. */
const struct spelling *dialect_find(const struct spelling *spellings, const char *word);

/* Implement dialect.match for a dialect with such a table. */
unsigned dialect_match(const struct spelling *spellings, const char *word);

/*
 * Let a recorded creation of /clients or /clients/client1 also accept EEXIST:
 * throng creates these directories before the load begins.
 */
void dialect_accept_existing(const struct builder *builder, struct op *op);

/*
 * Add the operation of a line to the program. An error gets the line and column
 * of word `first`. Return the same as builder_add().
 */
int dialect_add(struct builder *builder, const struct line *line, unsigned first,
		const struct op *op, uint64_t due_ns, struct error *error);

/*
 * Return why a load with this first operation is of a format that looks like one
 * of the dialects, but cannot be played; or NULL. Word `first` of the line is the
 * name of the operation.
 */
const char *dialect_refusal(const struct line *line, unsigned first);

#endif
