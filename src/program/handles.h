/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The handles of a loadfile that is being compiled. A recording has thousands
 * of handle numbers; each is given a slot in a user's small table of open
 * files, as a compiler gives registers to variables.
 */
#ifndef PROGRAM_HANDLES_H
#define PROGRAM_HANDLES_H

#include "base/intern.h"

#include <stdbool.h>

/* One handle number of the loadfile. */
struct handle {
	uint32_t slot; /* OP_NONE: it has none now */
	bool open;
	bool directory;
	uint32_t path;        /* of its file, after renames */
	bool delete_on_close;
};

struct handles {
	struct intern numbers;
	struct handle *handles; /* by their number in `numbers` */
	size_t room;
	uint32_t *free_slots;
	size_t free_count, free_room;
	uint32_t slot_count; /* number of slots that a user needs */
	bool keep_slots; /* inside a LOOP: a closed handle keeps its slot, as
			  * the next round may use the handle again */
};

/* Return the handle of `number`, a new one if needed; NULL: no memory. */
struct handle *handles_find(struct handles *handles, uint32_t number);

/* Open a handle: give it a slot unless it has one. */
void handles_open(struct handles *handles, struct handle *handle);

/* Close a handle and release its slot. Returns 0 or -ENOMEM. */
int handles_close(struct handles *handles, struct handle *handle);

/* Estimate their memory use, in bytes. */
size_t handles_bytes(const struct handles *handles);

void handles_free(struct handles *handles);

#endif
