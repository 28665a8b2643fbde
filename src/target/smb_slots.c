/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb_slots.h"

#include <errno.h>
#include <string.h>

void smb_slots_start(struct smb_slots *slots)
{
	slots->used = 0;
	slots->free = -1;
	slots->text_bytes = 0;
}

int64_t smb_slot_find(struct smb_slots *slots)
{
	if (slots->free < 0 && slots->used == SMB_HANDLE_MAX)
		return -EMFILE;
	if (slots->free < 0) {
		slots->free = (int64_t)slots->used++;
		slots->slots[slots->free] = (struct smb_slot){.next_free = -1};
	}
	return slots->free;
}

void smb_slot_take(struct smb_slots *slots)
{
	slots->free = slots->slots[slots->free].next_free;
}

void smb_slot_release(struct smb_slots *slots, int64_t number)
{
	slots->slots[number].next_free = slots->free;
	slots->free = number;
}

int smb_slot_keep(struct smb_slots *slots, int64_t number, const char *text)
{
	struct smb_slot *slot = &slots->slots[number];
	size_t bytes = strlen(text) + 1, room = SMB_TEXT_BYTES;

	if (slot->room < bytes) {
		while (room < bytes)
			room *= 2;
		if (room > sizeof(slots->texts) - slots->text_bytes)
			return -EMFILE;
		slot->text = slots->texts + slots->text_bytes;
		slot->room = room;
		slots->text_bytes += room;
	}
	memcpy(slot->text, text, bytes);
	return 0;
}
