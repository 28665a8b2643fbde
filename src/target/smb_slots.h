/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of the open files of an SMB session: which slots of its table of
 * handles are free, and a copy of a text, such as its path, for each file that
 * needs one. All memory is set aside with the session, so that none is allocated
 * while operations are played. These are not the slots of backend.h.
 */
#ifndef TARGET_SMB_SLOTS_H
#define TARGET_SMB_SLOTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	/* Max number of files and directories that a session may have open. */
	SMB_HANDLE_MAX = 16384,
	/* There is room for the texts of all slots if they are shorter. */
	SMB_TEXT_BYTES = 256,
};

struct smb_slot {
	int64_t next_free; /* the next free slot, or -1 */
	char *text;        /* the next file in the slot reuses its room */
	size_t room;
};

struct smb_slots {
	size_t used;  /* number of slots that have been used */
	int64_t free; /* the first free one of these; -1: none */
	size_t text_bytes;
	/* The rest takes no memory before it is used. */
	struct smb_slot slots[SMB_HANDLE_MAX];
	char texts[SMB_HANDLE_MAX * SMB_TEXT_BYTES];
};

/* Start without used slots. */
void smb_slots_start(struct smb_slots *slots);

/* Return a slot that stays free until smb_slot_take(), or -EMFILE. */
int64_t smb_slot_find(struct smb_slots *slots);

/* Take the slot that the last smb_slot_find() has returned. */
void smb_slot_take(struct smb_slots *slots);

/* Make a slot free again. */
void smb_slot_release(struct smb_slots *slots, int64_t number);

/* Copy a text for a slot. Return 0, or -EMFILE if there is no room. */
int smb_slot_keep(struct smb_slots *slots, int64_t number, const char *text);

#endif
