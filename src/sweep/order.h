/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which the points of a sweep are measured. A sweep with several
 * repeats consists of passes, which measure each point once.
 */
#ifndef SWEEP_ORDER_H
#define SWEEP_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order {
	size_t *points; /* the point of each measurement, counted from 0 */
	size_t count;
};

/*
 * Repeat `points` points `passes` times, in order. With `random`, shuffle them
 * in each pass, as determined by `seed`. Return 0 or -ENOMEM; call order_free
 * even after an error.
 */
int order_make(struct order *order, size_t points, unsigned passes, bool random, uint64_t seed);
void order_free(struct order *order);

#endif
