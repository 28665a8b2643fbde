/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many calls of a source were in flight at the same time. A load plays the
 * calls of a client one after the other, so this shows what is lost.
 */
#ifndef CAPTURE_MODEL_FLIGHT_H
#define CAPTURE_MODEL_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The times of calls. An all-zero struct is empty. */
struct flight {
	uint64_t *begins_ns, *ends_ns;
	size_t count, begin_room, end_room;
	bool failed; /* out of memory */
};

/* Add a call. One with the times of the call before is a part of the same
 * compound, and is not counted again. A call that ends before it begins is of a
 * damaged source, and is ignored. */
void flight_add(struct flight *flight, uint64_t begin_ns, uint64_t end_ns);

/*
 * Set *mean to the number of calls in flight while there was any, weighted by
 * time, and *max to the largest number. This sorts the times. Return false if
 * they are not known.
 */
bool flight_measure(struct flight *flight, double *mean, size_t *max);

void flight_free(struct flight *flight);

#endif
