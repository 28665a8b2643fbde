/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The handles of a loadfile that is being compiled. A recording has thousands
 * of handle numbers. Each is mapped to a slot in the user's small table of open
 * files, like a variable to a register in a compiler.
 */
#ifndef COMPILE_HANDLES_H
#define COMPILE_HANDLES_H

#include "base/error.h"
#include "base/intern.h"
#include "program/program.h"

#include <stdbool.h>

/* One handle number of the loadfile. */
struct handle {
	uint32_t slot;   /* OP_NONE: no slot at present */
	uint32_t number; /* its number in the loadfile */
	bool open;
	/* It is open at the end of the set-up, and stays open between loops:
	 * it keeps its slot even while it is closed. */
	bool kept;
	uint32_t closed_line; /* the line of its last close */
	bool directory;
	uint32_t path; /* current path of its file, after renames */
	bool delete_on_close;
};

struct handles {
	struct intern numbers;
	struct handle *handles; /* by index in `numbers` */
	size_t room;
	struct free_slots {
		uint32_t *slots;
		size_t count, room;
	} unused[PROGRAM_STREAMS_MAX]; /* closed by each stream */
	unsigned stream;               /* the current stream */
	uint32_t slot_count;           /* number of slots per user */
	bool keep_slots;               /* inside a block: closed handles keep their slots, as
			      * the next round may use them again */
};

/* Return the handle with a number, adding it if it is new, or NULL if there is
 * no memory. */
struct handle *handles_find(struct handles *handles, uint32_t number);

/* Open a handle and assign a slot to it, unless it has one. */
void handles_open(struct handles *handles, struct handle *handle);

/* Close a handle and release its slot (but see keep_slots). Return 0 or
 * -ENOMEM. */
int handles_close(struct handles *handles, struct handle *handle);

/* Estimate the memory use of all handles, in bytes. */
size_t handles_bytes(const struct handles *handles);

/*
 * Copy to the program the number of slots, and the handles that the load leaves
 * open at its end. When the load is played, they are closed before it is
 * repeated. Return 0, or -ENOMEM with `error` set.
 */
int handles_finish(const struct handles *handles, struct program *program, struct error *error);

void handles_free(struct handles *handles);

#endif
