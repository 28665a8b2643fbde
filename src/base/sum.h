/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Add and multiply sizes without an overflow: results stop growing at SUM_MAX.
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include <stdint.h>

#define SUM_MAX (UINT64_C(1) << 60)

static inline uint64_t sum_add(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) || a > SUM_MAX ? SUM_MAX : a;
}

static inline uint64_t sum_multiply(uint64_t a, uint64_t b)
{
	return __builtin_mul_overflow(a, b, &a) || a > SUM_MAX ? SUM_MAX : a;
}

#endif
