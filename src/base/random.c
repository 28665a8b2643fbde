/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/random.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* Fewer bits or rounds would make orders of a few numbers uneven. */
enum { SHUFFLE_HALF_BITS_MIN = 4, SHUFFLE_ROUNDS = 6 };

/* Number of terms of a sum that are added up one by one. */
enum { SUMMED_TERMS = 100 };

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void random_start(struct random *random, uint64_t seed, uint64_t stream)
{
	random->state = mix(seed) + mix(stream * GOLDEN_GAMMA + 1);
}

uint64_t random_next(struct random *random)
{
	random->state += GOLDEN_GAMMA;
	return mix(random->state);
}

void random_fill(struct random *random, void *buffer, size_t bytes)
{
	unsigned char *next = buffer;

	while (bytes > 0) {
		uint64_t word = random_next(random);
		size_t part = bytes < sizeof(word) ? bytes : sizeof(word);

		memcpy(next, &word, part);
		next += part;
		bytes -= part;
	}
}

uint64_t random_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = mix(clock_now_ns() ^ (uint64_t)getpid() << 32);
	/* Keep the seed short, so that a user can type it again. */
	return seed & UINT32_MAX;
}

double draw_exponential_unit(struct random *random)
{
	return -log(draw_unit(random));
}

uint64_t draw_exponential(struct random *random, uint64_t mean)
{
	double drawn = draw_exponential_unit(random) * (double)mean;

	return drawn < 0x1p63 ? (uint64_t)drawn : UINT64_C(1) << 63;
}

/* log(1 + x) / x, and (exp(x) - 1) / x, both of which are 1 at 0. */
static double log1p_by(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

static double expm1_by(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

/* The density at x >= 1, not normalised. */
static double density(const struct zipf *zipf, double x)
{
	return exp(-zipf->exponent * log(x));
}

/* Its integral from 1 to x, and the inverse of that. */
static double integral(const struct zipf *zipf, double x)
{
	return log(x) * expm1_by((1 - zipf->exponent) * log(x));
}

static double inverse(const struct zipf *zipf, double y)
{
	double t = y * (1 - zipf->exponent);

	/* Rounding may lead to just below the lowest value there is. */
	return exp(y * log1p_by(t > -1 ? t : -1));
}

/* Return the sum of 1 / k^exponent for k from 1 to `count`. The integral is a
 * good estimate of all terms but the first ones. */
static double sum_powers(double exponent, uint64_t count)
{
	const struct zipf terms = {.exponent = exponent};
	uint64_t k;
	double sum = 0;

	for (k = 1; k <= count && k <= SUMMED_TERMS; k++)
		sum += density(&terms, (double)k);
	if (k <= count)
		sum += integral(&terms, (double)count + 0.5) - integral(&terms, (double)k - 0.5);
	return sum;
}

void zipf_prepare(struct zipf *zipf, uint64_t count, double exponent)
{
	zipf->count = count;
	zipf->exponent = exponent;
	zipf->first = integral(zipf, 1.5) - 1;
	zipf->last = integral(zipf, (double)count + 0.5);
	zipf->mean = sum_powers(exponent - 1, count) / sum_powers(exponent, count) - 1;
	zipf->accepted = 2 - inverse(zipf, integral(zipf, 2.5) - density(zipf, 2));
}

uint64_t zipf_draw(const struct zipf *zipf, struct random *random)
{
	for (;;) {
		double y = zipf->last + draw_unit(random) * (zipf->first - zipf->last);
		double x = inverse(zipf, y), rank = floor(x + 0.5);

		if (rank < 1)
			rank = 1;
		if (rank > (double)zipf->count)
			rank = (double)zipf->count;
		if (rank - x <= zipf->accepted ||
		    y >= integral(zipf, rank + 0.5) - density(zipf, rank))
			return (uint64_t)rank - 1;
	}
}

void shuffle_prepare(struct shuffle *shuffle, uint64_t count)
{
	*shuffle = (struct shuffle){
		.count = count,
		.half_bits = SHUFFLE_HALF_BITS_MIN,
	};
	while (UINT64_C(1) << 2 * shuffle->half_bits < count)
		shuffle->half_bits++;
}

/* Map each number of the network's width to another one. */
static uint64_t permute(const struct shuffle *shuffle, uint64_t number)
{
	uint64_t mask = (UINT64_C(1) << shuffle->half_bits) - 1;
	uint64_t high = number >> shuffle->half_bits, low = number & mask;
	unsigned round;

	for (round = 0; round < SHUFFLE_ROUNDS; round++) {
		struct random of_round;
		uint64_t was_low = low;

		random_start(&of_round, shuffle->key + round, low);
		low = high ^ (random_next(&of_round) & mask);
		high = was_low;
	}
	return high << shuffle->half_bits | low;
}

uint64_t shuffle_draw(struct shuffle *shuffle, struct random *random)
{
	uint64_t number;

	if (shuffle->drawn % shuffle->count == 0) {
		shuffle->drawn = 0;
		shuffle->key = random_next(random);
	}
	number = shuffle->drawn++;
	do
		number = permute(shuffle, number);
	while (number >= shuffle->count);
	return number;
}
