/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/handles.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

struct handle *handles_find(struct handles *handles, uint32_t number)
{
	int is_new;
	int64_t index = intern(&handles->numbers, &number, sizeof(number), &is_new);

	if (index < 0)
		return NULL;
	if (array_grow(&handles->handles, &handles->room, (size_t)index + 1,
		       sizeof(*handles->handles)) < 0)
		return NULL;
	if (is_new)
		handles->handles[index] = (struct handle){
			.slot = OP_NONE,
			.number = number,
			.path = OP_NONE,
		};
	return &handles->handles[index];
}

void handles_open(struct handles *handles, struct handle *handle)
{
	struct free_slots *unused = &handles->unused[handles->stream];

	handle->open = true;
	if (handle->slot != OP_NONE)
		return;
	if (unused->count > 0)
		handle->slot = unused->slots[--unused->count];
	else
		handle->slot = handles->slot_count++;
}

int handles_close(struct handles *handles, struct handle *handle)
{
	struct free_slots *unused = &handles->unused[handles->stream];

	handle->open = false;
	if (handles->keep_slots || handle->kept)
		return 0;
	if (array_grow(&unused->slots, &unused->room, unused->count + 1, sizeof(*unused->slots)) <
	    0)
		return -ENOMEM;
	unused->slots[unused->count++] = handle->slot;
	handle->slot = OP_NONE;
	return 0;
}

size_t handles_bytes(const struct handles *handles)
{
	size_t bytes = intern_bytes(&handles->numbers) + handles->room * sizeof(*handles->handles);
	unsigned i;

	for (i = 0; i < PROGRAM_STREAMS_MAX; i++)
		bytes += handles->unused[i].room * sizeof(*handles->unused[i].slots);
	return bytes;
}

int handles_finish(const struct handles *handles, struct program *program, struct error *error)
{
	size_t i;

	for (i = 0; i < handles->numbers.count; i++) {
		const struct handle *handle = &handles->handles[i];
		struct leftover leftover = {
			.handle = handle->slot,
			.path = handle->delete_on_close ? handle->path : OP_NONE,
			.directory = handle->directory,
		};

		if (handle->open && !handle->kept &&
		    array_append(&program->leftovers, &program->leftover_count, &leftover,
				 sizeof(leftover)) < 0)
			return error_no_memory(error);
	}
	program->handle_count = handles->slot_count;
	return 0;
}

void handles_free(struct handles *handles)
{
	unsigned i;

	intern_free(&handles->numbers);
	free(handles->handles);
	for (i = 0; i < PROGRAM_STREAMS_MAX; i++)
		free(handles->unused[i].slots);
}
