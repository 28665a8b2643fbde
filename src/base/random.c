/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/random.h"

#include "base/clock.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

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
