/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/flight.h"

#include "base/array.h"

#include <stdlib.h>

void flight_add(struct flight *flight, uint64_t begin_ns, uint64_t end_ns)
{
	size_t count = flight->count;

	if (end_ns <= begin_ns || (count > 0 && flight->begins_ns[count - 1] == begin_ns &&
				   flight->ends_ns[count - 1] == end_ns))
		return;
	if (array_grow(&flight->begins_ns, &flight->begin_room, count + 1, sizeof(uint64_t)) < 0 ||
	    array_grow(&flight->ends_ns, &flight->end_room, count + 1, sizeof(uint64_t)) < 0) {
		flight->failed = true;
		return;
	}
	flight->begins_ns[count] = begin_ns;
	flight->ends_ns[count] = end_ns;
	flight->count++;
}

static int compare_times(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

bool flight_measure(struct flight *flight, double *mean, size_t *max)
{
	double calls_ns = 0, busy_ns = 0;
	size_t ended = 0, begun;
	uint64_t busy_since = 0;

	if (flight->count == 0 || flight->failed)
		return false;
	qsort(flight->begins_ns, flight->count, sizeof(uint64_t), compare_times);
	qsort(flight->ends_ns, flight->count, sizeof(uint64_t), compare_times);
	*max = 0;
	for (begun = 0; begun < flight->count; begun++) {
		for (; flight->ends_ns[ended] <= flight->begins_ns[begun]; ended++)
			if (ended + 1 == begun)
				busy_ns += (double)(flight->ends_ns[ended] - busy_since);
		if (ended == begun)
			busy_since = flight->begins_ns[begun];
		if (begun + 1 - ended > *max)
			*max = begun + 1 - ended;
		calls_ns += (double)(flight->ends_ns[begun] - flight->begins_ns[begun]);
	}
	busy_ns += (double)(flight->ends_ns[begun - 1] - busy_since);
	*mean = calls_ns / busy_ns;
	return true;
}

void flight_free(struct flight *flight)
{
	free(flight->begins_ns);
	free(flight->ends_ns);
}
