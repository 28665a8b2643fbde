/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing arrays.
 *
 * The caller owns an array: a pointer from malloc(), or NULL, and the number of
 * its items. `items` is the address of that pointer. After an error the array
 * is unchanged.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/*
 * Make room for at least `wanted` items of `size` bytes each; `room` is the
 * number of items allocated so far. The room doubles, so that adding items one
 * by one takes linear time. New items are not initialised. Returns 0 or
 * -ENOMEM.
 */
int array_grow(void *items, size_t *room, size_t wanted, size_t size);

/*
 * Append a copy of `item` to an array of `count` items, with one realloc() per
 * item: for short lists. Returns 0 or -ENOMEM.
 */
int array_append(void *items, size_t *count, const void *item, size_t size);

#endif
