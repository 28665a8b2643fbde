/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resources that the operations of a load use: names, the entries of
 * directories, open files, data, sizes and locks. A table of resources remembers
 * which streams have used each of them last, and so what a later use must wait
 * for.
 */
#ifndef STREAMS_RESOURCE_H
#define STREAMS_RESOURCE_H

#include "base/intern.h"
#include "program/program.h"

enum resource_type {
	RESOURCE_NAME,    /* a name, by the number of its node (name_tree.h) */
	RESOURCE_ENTRIES, /* the names in a directory, by its node */
	RESOURCE_SLOT,    /* an open file, by op.handle */
	RESOURCE_DATA,    /* all data of a file, by its number (name_tree.h) */
	RESOURCE_BLOCK,   /* one block of the data */
	RESOURCE_SIZE,    /* the size of a file */
	RESOURCE_LOCKS,   /* the locks of a file */
	RESOURCE_SHARING, /* the opens of a file that deny others (SMB) */
};

/*
 * How an operation uses a resource. USE and CHANGE are general: uses go
 * together, a change excludes everything else. The others are more exact:
 *
 * PART_USE, PART_CHANGE: of some part of the resource that is a resource itself,
 *     so parts exclude each other there. A PART_CHANGE excludes each USE and
 *     CHANGE of the whole, a PART_USE only each CHANGE.
 * EXTEND: lets a size grow. It goes together with a NEED: this is an operation
 *     which is possible since the size is large enough. But a NEED waits for
 *     each EXTEND before it.
 */
enum resource_mode {
	RESOURCE_USE,
	RESOURCE_CHANGE,
	RESOURCE_PART_USE,
	RESOURCE_PART_CHANGE,
	RESOURCE_NEED,
	RESOURCE_EXTEND,
};

struct resources {
	struct intern keys;
	/* The last uses of each resource: at most one per stream and mode. */
	struct resource {
		struct resource_use {
			uint32_t end; /* the end of the unit that uses it */
			uint8_t stream;
			uint8_t mode;
		} *uses;
		uint16_t count;
		size_t room;
	} *list;
	size_t room;
};

/* Where each stream must be before a unit may begin: the end of one of its units,
 * or 0 for no wait. A unit is an operation, or a whole block of operations. */
struct resource_waits {
	uint32_t ends[PROGRAM_STREAMS_MAX];
};

/*
 * Note that a unit of a stream uses a resource, and add to `waits` the units of
 * other streams that must have ended before. `block` is 0 except for
 * RESOURCE_BLOCK. Return 0 or -ENOMEM.
 */
int resources_use(struct resources *resources, enum resource_type type, uint32_t number,
		  uint64_t block, enum resource_mode mode, unsigned stream, uint32_t end,
		  struct resource_waits *waits);

void resources_free(struct resources *resources);

#endif
