/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

/* Reallocate the array for `room` items. Copy the caller's pointer as bytes,
 * since its type is unknown. */
static int resize(void *items, size_t room, size_t size)
{
	void *array, *resized;
	size_t bytes;

	if (__builtin_mul_overflow(room, size, &bytes))
		return -ENOMEM;
	memcpy(&array, items, sizeof(array));
	resized = realloc(array, bytes);
	if (resized == NULL)
		return -ENOMEM;
	memcpy(items, &resized, sizeof(resized));
	/* cppcheck-suppress memleak ; *items owns the memory now */
	return 0;
}

int array_grow(void *items, size_t *room, size_t wanted, size_t size)
{
	size_t larger = *room > 0 ? *room : FIRST_ROOM;

	if (wanted <= *room)
		return 0;
	while (larger < wanted)
		larger = larger <= SIZE_MAX / 2 ? larger * 2 : wanted;
	if (resize(items, larger, size) < 0)
		return -ENOMEM;
	*room = larger;
	return 0;
}

int array_append(void *items, size_t *count, const void *item, size_t size)
{
	return array_insert(items, count, *count, item, size);
}

int array_insert(void *items, size_t *count, size_t index, const void *item, size_t size)
{
	char *array;

	if (*count == SIZE_MAX || resize(items, *count + 1, size) < 0)
		return -ENOMEM;
	memcpy(&array, items, sizeof(array));
	memmove(array + (index + 1) * size, array + index * size, (*count - index) * size);
	memcpy(array + index * size, item, size);
	(*count)++;
	return 0;
}
