/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing arrays.
 *
 * The caller owns the array: a pointer to malloc()ed memory, or NULL. `items`
 * is the address of that pointer. After an error the array is unchanged.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/*
 * Make room for at least `wanted` items of `size` bytes each. *room is the
 * number of items that fit into the array; the function updates it. The room
 * grows by doubling, so adding items one by one takes linear time. New items
 * are not initialised. Return 0 or -ENOMEM.
 */
int array_grow(void *items, size_t *room, size_t wanted, size_t size);

/*
 * Append a copy of `item`, which has `size` bytes, and add 1 to *count. Every
 * call reallocates the array, so use this for short lists only. Return 0 or
 * -ENOMEM.
 */
int array_append(void *items, size_t *count, const void *item, size_t size);

/* Do the same, but insert the item before that with this index. */
int array_insert(void *items, size_t *count, size_t index, const void *item, size_t size);

#endif
