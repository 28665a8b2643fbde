/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/content.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

struct content *content_new(uint64_t nonce, const uint64_t *fixed, size_t run_max)
{
	struct content *content = malloc(sizeof(*content) + CONTENT_PERIOD + run_max);
	struct random random;
	size_t at, piece;

	if (content == NULL)
		return NULL;
	content->nonce = nonce;
	content->fixed = fixed != NULL;
	content->run_max = run_max;
	random_start(&random, nonce, UINT64_MAX);
	random_fill(&random, content->pool, CONTENT_PERIOD);
	for (at = 0; fixed != NULL && at < CONTENT_PERIOD; at += sizeof(*fixed))
		memcpy(content->pool + at, fixed, sizeof(*fixed));
	for (at = 0; at < run_max; at += piece) {
		piece = run_max - at < CONTENT_PERIOD ? run_max - at : CONTENT_PERIOD;
		memcpy(content->pool + CONTENT_PERIOD + at, content->pool, piece);
	}
	return content;
}

_Static_assert(CONTENT_PERIOD % sizeof(uint64_t) == 0, "fixed data is repeated without a break");

void content_free(struct content *content)
{
	free(content);
}

uint32_t content_start(const struct content *content, unsigned user, uint32_t write)
{
	/* The finaliser of SplitMix64 (base/random.h). */
	uint64_t mixed = content->nonce ^ ((uint64_t)user << 32 | write);

	if (content->fixed)
		return 0;
	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	mixed ^= mixed >> 31;
	return (uint32_t)((mixed >> 32) * CONTENT_PERIOD >> 32);
}
