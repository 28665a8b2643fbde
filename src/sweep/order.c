/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/order.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Number of the random stream (base/random.h) for the order: "order" in ASCII.
 */
enum { STREAM_ORDER = 0x6f72646572 };

/* Shuffle by Fisher and Yates, in the form of Durstenfeld (1964). */
static void shuffle(size_t *list, size_t count, struct random *random)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t j = (size_t)(random_next(random) % i);
		size_t swapped = list[i - 1];

		list[i - 1] = list[j];
		list[j] = swapped;
	}
}

int order_make(struct order *order, size_t points, unsigned passes, bool random, uint64_t seed)
{
	struct random generator;
	unsigned pass;
	size_t i;

	*order = (struct order){
		.points = calloc(points * passes, sizeof(*order->points)),
		.count = points * passes,
	};
	if (order->points == NULL)
		return -ENOMEM;
	random_start(&generator, seed, STREAM_ORDER);
	for (pass = 0; pass < passes; pass++) {
		size_t *first = order->points + pass * points;

		for (i = 0; i < points; i++)
			first[i] = i;
		if (random)
			shuffle(first, points, &generator);
	}
	return 0;
}

void order_free(struct order *order)
{
	free(order->points);
	*order = (struct order){0};
}
