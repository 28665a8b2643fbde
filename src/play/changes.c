/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/changes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_SLOT UINT32_MAX

/* Twice CHANGES_MAX, a power of two: half of the slots stay empty. */
enum { SLOTS = 2 * CHANGES_MAX };

int changes_open(struct changes *changes)
{
	*changes = (struct changes){
		.list = malloc(CHANGES_MAX * sizeof(*changes->list)),
		.names = malloc(CHANGES_BYTES),
		.slots = calloc(SLOTS, sizeof(*changes->slots)),
	};
	return changes->list != NULL && changes->names != NULL && changes->slots != NULL ? 0
											 : -ENOMEM;
}

void changes_close(struct changes *changes)
{
	free(changes->list);
	free(changes->names);
	free(changes->slots);
}

/* FNV-1a */
static uint64_t hash_of(enum change_kind kind, const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) + kind;

	for (; *path != '\0'; path++)
		hash = (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

static void append(struct changes *changes, enum change_kind kind, const char *path, uint32_t slot)
{
	size_t size = strlen(path) + 1;
	char *copy = changes->names + changes->names_used;

	if (changes->count == CHANGES_MAX || size > CHANGES_BYTES - changes->names_used) {
		changes->full = true;
		return;
	}
	memcpy(copy, path, size);
	changes->names_used += size;
	changes->list[changes->count++] = (struct change){
		.path = copy,
		.kind = kind,
		.slot = slot,
	};
	if (slot != NO_SLOT)
		changes->slots[slot] = (uint32_t)changes->count;
}

void changes_add(struct changes *changes, enum change_kind kind, const char *path)
{
	uint32_t slot = (uint32_t)hash_of(kind, path) % SLOTS;

	changes->undoable = false;
	for (; changes->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
		const struct change *change = &changes->list[changes->slots[slot] - 1];

		if (change->kind == kind && strcmp(change->path, path) == 0)
			return;
	}
	append(changes, kind, path, slot);
}

/* Check if the change that was added last is a rename from `from` to `to`. */
static bool is_last(const struct changes *changes, const char *from, const char *to)
{
	const struct change *last = changes->list + changes->count;

	return changes->undoable && changes->count >= 2 && last[-1].kind == CHANGE_TO &&
	       strcmp(last[-2].path, from) == 0 && strcmp(last[-1].path, to) == 0;
}

void changes_add_rename(struct changes *changes, const char *from, const char *to)
{
	if (is_last(changes, to, from)) {
		changes->count -= 2;
		changes->names_used = (size_t)(changes->list[changes->count].path - changes->names);
		changes->undoable = false;
		return;
	}
	changes_add(changes, CHANGE_NAME, from);
	changes_add(changes, CHANGE_NAME, to);
	append(changes, CHANGE_FROM, from, NO_SLOT);
	append(changes, CHANGE_TO, to, NO_SLOT);
	changes->undoable = true;
}

void changes_clear(struct changes *changes)
{
	size_t i;

	for (i = 0; i < changes->count; i++)
		if (changes->list[i].slot != NO_SLOT)
			changes->slots[changes->list[i].slot] = 0;
	changes->count = 0;
	changes->names_used = 0;
	changes->full = false;
	changes->undoable = false;
}
