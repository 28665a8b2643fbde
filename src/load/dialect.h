/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dialects, the formats of loadfiles. A dialect turns a line into operations
 * of the program, independently of the target.
 */
#ifndef LOAD_DIALECT_H
#define LOAD_DIALECT_H

#include "load/reader.h"
#include "program/builder.h"

struct dialect {
	const char *name;
	/* Its operations, for the message about an unknown one. */
	const char *words;
	/*
	 * Is `word` one of its operations? 0: no; 1: only if case is ignored,
	 * so that another dialect may fit better; 2: yes.
	 */
	unsigned (*knows)(const char *word);
	/*
	 * Compile the operation whose name is word `first` of the line.
	 * `due_ns`: its time stamp, or CLOCK_NEVER. Returns 0, or -EINVAL with
	 * `error` set to the place and to what was expected, or -ENOMEM.
	 */
	int (*compile)(struct builder *builder, const struct line *line,
		       unsigned first, uint64_t due_ns, struct error *error);
};

/* All dialects, ended by NULL. The first is the default. */
extern const struct dialect *const dialects[];

extern const struct dialect dialect_netbench;
extern const struct dialect dialect_nfs;
extern const struct dialect dialect_smb;
extern const struct dialect dialect_native;

/*
 * An operation of a dialect. A table of them ends with a NULL word.
 */
struct spelling {
	const char *word;
	enum op_kind kind;
	const char *shape; /* its arguments (load/arguments.h) */
	bool lookup;       /* a server looks up the name first */
};

/* Return the spelling of `word`, ignoring case, or NULL. */
const struct spelling *dialect_find(const struct spelling *spellings,
				    const char *word);

/* Implement `knows` for a dialect with these spellings. */
unsigned dialect_knows(const struct spelling *spellings, const char *word);

/*
 * Let an operation that creates a directory of the run, recorded as OK, find it
 * there: throng creates these directories before the load begins.
 */
void dialect_accept_existing(const struct builder *builder, struct op *op);

/*
 * Add the operation of a line to the program. An error gets the place of word
 * `first`. Returns as builder_add().
 */
int dialect_add(struct builder *builder, const struct line *line,
		unsigned first, const struct op *op, uint64_t due_ns,
		struct error *error);

#endif
