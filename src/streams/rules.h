/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules by which an operation of a load with streams waits for operations
 * of other streams. They let each operation end as it ends when the load is
 * played in its own order. throng-loadfile(5) lists them ("Streams").
 */
#ifndef STREAMS_RULES_H
#define STREAMS_RULES_H

#include "streams/name_tree.h"
#include "streams/resource.h"

struct rules {
	const struct program *program;
	struct name_tree names;
	struct resources resources;
	/* The open file in each slot (op.handle). */
	struct rules_file {
		uint32_t node; /* NAME_TREE_ROOT: its name was not known */
		uint32_t file;
		bool append;
		bool denies; /* denies other opens (SMB) */
	} *open;
	/* The unit whose operations are followed (rules_follow). */
	unsigned stream;
	uint32_t end;
	bool in_block; /* the unit is a block, which may be played or not */
	/* Any names may be those of one file, so all files are treated as one, with
	 * the number 0. */
	bool one_file;
	struct resource_waits *waits;
	bool failed; /* there was no memory */
};

/* Begin with the program's first operation. Return 0 or -ENOMEM. Call
 * rules_close() even after an error. */
int rules_open(struct rules *rules, const struct program *program);
void rules_close(struct rules *rules);

/*
 * Follow an operation. It belongs to a unit of stream rules->stream that ends
 * before the operation rules->end; add to rules->waits what the unit must wait
 * for. If `waits` is NULL, the operation is in the set-up: no stream needs to
 * wait for it. Set rules->failed if there is no memory.
 */
void rules_follow(struct rules *rules, const struct op *op);

#endif
