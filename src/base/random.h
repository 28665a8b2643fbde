/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small seeded random number generator (SplitMix64; Steele, Lea and Flood,
 * 2014). The same seed gives the same numbers. Do not use it for secrets.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* Start stream number `stream`. The streams of
 * one seed are independent of each other. */
void random_start(struct random *random, uint64_t seed, uint64_t stream);

/* Return the next 64 random bits. */
uint64_t random_next(struct random *random);

/* Fill `bytes` bytes with incompressible data. */
void random_fill(struct random *random, void *buffer, size_t bytes);

/* Return a seed of 32 bits that differs from run to run. */
uint64_t random_seed(void);

#endif
