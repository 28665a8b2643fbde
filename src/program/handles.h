/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The handles of a loadfile while it is compiled: its numbers, of which a
 * recording has thousands, get slots in a user's small table of open files,
 * as registers are given to variables.
 */
#ifndef PROGRAM_HANDLES_H
#define PROGRAM_HANDLES_H

#include "base/intern.h"

#include <stdbool.h>

/* What is known of one number of the loadfile. */
struct handle {
	uint32_t slot; /* OP_NONE: it has none now */
	bool open;
	bool directory;
	uint32_t path;        /* as it was opened */
	bool delete_on_close;
};

struct handles {
	struct intern numbers;
	struct handle *handles; /* by their number in `numbers` */
	size_t room;
	uint32_t *free_slots;
	size_t free_count, free_room;
	uint32_t slot_count; /* slots ever in use: what a user needs */
	bool keep_slots; /* inside a LOOP: a closed handle keeps its slot, as
			  * the next round may use it under another number */
};

/* The handle of `number`, made when it is new, or NULL: no memory. */
struct handle *handles_find(struct handles *handles, uint32_t number);

/* Opens it: gives it a slot unless it has one. */
void handles_open(struct handles *handles, struct handle *handle);

/* Closes it and lets its slot be used again. Returns 0 or -ENOMEM. */
int handles_close(struct handles *handles, struct handle *handle);

/* About how much memory they take. */
size_t handles_bytes(const struct handles *handles);

void handles_free(struct handles *handles);

#endif
