/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/order.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Number of the random stream (base/random.h) for the order: "order" in ASCII.
 */
enum { STREAM_ORDER = 0x6f72646572 };

/* Shuffle by Fisher and Yates, in the form of Durstenfeld (1964). */
static void shuffle(unsigned *list, size_t count, struct random *random)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t j = (size_t)(random_next(random) % i);
		unsigned swapped = list[i - 1];

		list[i - 1] = list[j];
		list[j] = swapped;
	}
}

int order_make(struct order *order, const unsigned *user_counts, size_t count,
	       unsigned passes, bool random, uint64_t seed)
{
	struct random generator;
	unsigned pass;

	*order = (struct order){
		.user_counts = calloc(count * passes, sizeof(unsigned)),
		.count = count * passes,
	};
	if (order->user_counts == NULL)
		return -ENOMEM;
	random_start(&generator, seed, STREAM_ORDER);
	for (pass = 0; pass < passes; pass++) {
		unsigned *first = order->user_counts + pass * count;

		memcpy(first, user_counts, count * sizeof(unsigned));
		if (random)
			shuffle(first, count, &generator);
	}
	return 0;
}

void order_free(struct order *order)
{
	free(order->user_counts);
	*order = (struct order){0};
}
