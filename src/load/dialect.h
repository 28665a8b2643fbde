/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dialect: one spelling of loadfiles. It turns a line into operations of
 * the program and knows nothing of where they will be played.
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
	 * Is `word` one of its operations? 0: no; 2: yes, to the letter; 1:
	 * but for upper and lower case, which another dialect may mean.
	 */
	unsigned (*knows)(const char *word);
	/*
	 * Compiles the operation whose name is word `first` of the line, due
	 * at `due_ns` or CLOCK_NEVER. Returns 0, or -EINVAL with `error` set
	 * to place and expectation, or -ENOMEM.
	 */
	int (*compile)(struct builder *builder, const struct line *line,
		       unsigned first, uint64_t due_ns, struct error *error);
};

/* All dialects, ended by NULL; the first is taken when none knows a word. */
extern const struct dialect *const dialects[];

extern const struct dialect dialect_netbench;
extern const struct dialect dialect_nfs;
extern const struct dialect dialect_smb;
extern const struct dialect dialect_native;

/*
 * How an operation of a dialect is spelled. A table of them ends with a NULL
 * word.
 */
struct spelling {
	const char *word;
	enum op_kind kind;
	const char *shape; /* its arguments (load/arguments.h) */
	bool lookup;       /* a server looks the name up first */
};

/* The spelling of `word`, in upper or lower case, or NULL. */
const struct spelling *dialect_find(const struct spelling *spellings,
				    const char *word);

/* What a dialect with these spellings answers to `knows`. */
unsigned dialect_knows(const struct spelling *spellings, const char *word);

/*
 * throng makes the directories of the run before a load begins: an operation
 * that makes one of them, recorded OK, may find it there.
 */
void dialect_find_made(const struct builder *builder, struct op *op);

/*
 * Adds the operation of a line to the program. A failure that has no place
 * yet gets the line's.
 */
int dialect_add(struct builder *builder, const struct line *line,
		unsigned first, const struct op *op, uint64_t due_ns,
		struct error *error);

#endif
