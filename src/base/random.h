/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers from a seed, evenly distributed or with other distributions.
 * The same seed gives the same numbers. Do not use them for secrets. Each draw
 * takes constant time and no memory beyond the structs.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A generator: SplitMix64 (Steele, Lea and Flood, 2014). */
struct random {
	uint64_t state;
};

/* Start stream number `stream`. The streams of one seed are independent of each
 * other. */
void random_start(struct random *random, uint64_t seed, uint64_t stream);

/* Return the next 64 random bits. */
uint64_t random_next(struct random *random);

/* Fill `bytes` bytes with incompressible data. */
void random_fill(struct random *random, void *buffer, size_t bytes);

/* Return a seed of 32 bits that differs from run to run. */
uint64_t random_seed(void);

/* Return a number below `count`, each with the same probability. 0 for 0. */
static inline uint64_t draw_below(struct random *random, uint64_t count)
{
	return (uint64_t)((unsigned __int128)random_next(random) * count >> 64);
}

/* Return a number above 0 and up to 1. */
static inline double draw_unit(struct random *random)
{
	return (double)((random_next(random) >> 11) + 1) * 0x1p-53;
}

/* An exponential draw is at most this many times the mean. */
enum { DRAW_EXPONENTIAL_MAX = 37 };

/* Draw from an exponential distribution with a mean of 1. */
double draw_exponential_unit(struct random *random);

/* Draw from an exponential distribution with this mean. */
uint64_t draw_exponential(struct random *random, uint64_t mean);

/*
 * Zipf's law: the number k, from 0 to count - 1, has a probability proportional
 * to 1 / (k + 1)^exponent. The method is rejection-inversion (Hoermann and
 * Derflinger, 1996).
 */
struct zipf {
	uint64_t count;
	double exponent;
	/* The integral of the density, at the first number and after the last;
	 * and the distance up to which a number is accepted at once. */
	double first, last, accepted;
	double mean; /* of the numbers that are drawn */
};

/* Prepare draws of `count` numbers (1 to 2^48) with an exponent of 0 to 20. */
void zipf_prepare(struct zipf *zipf, uint64_t count, double exponent);
uint64_t zipf_draw(const struct zipf *zipf, struct random *random);

/*
 * All numbers from 0 to count - 1 in random order, each once; then all of them
 * again in another order. A Feistel network over the next power of four is
 * applied until its result is below `count` (cycle walking; Black and Rogaway,
 * 2002).
 */
struct shuffle {
	uint64_t count;
	uint64_t drawn;     /* numbers of the current order */
	uint64_t key;       /* of the current order */
	unsigned half_bits; /* half the width of the network */
};

/* Prepare a shuffle of `count` numbers, 1 to 2^48. */
void shuffle_prepare(struct shuffle *shuffle, uint64_t count);
uint64_t shuffle_draw(struct shuffle *shuffle, struct random *random);

#endif
