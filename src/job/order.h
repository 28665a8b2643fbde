/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In which order the points of a sweep are measured: pass after pass, each
 * point once in each.
 */
#ifndef JOB_ORDER_H
#define JOB_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order {
	unsigned *user_counts; /* of one measurement after the other */
	size_t count;
};

/*
 * `passes` times the user counts: as they are given, or with `random` anew in
 * random order each time, which `seed` decides. Return 0, or -ENOMEM; to be
 * freed with order_free.
 */
int order_make(struct order *order, const unsigned *user_counts, size_t count,
	       unsigned passes, bool random, uint64_t seed);
void order_free(struct order *order);

#endif
