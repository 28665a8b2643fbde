/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log-linear histogram of durations, after the scheme of HdrHistogram:
 * every power of two is cut into 64 linear cells.
 *
 * Error:  a quantile is the middle of its cell, at most 0.8 % from the true
 *         value; durations below 128 ns are exact.
 * Range:  0 ns to 2^42 - 1 ns (73 minutes); longer ones are counted apart and
 *         come back as the true maximum, never silently as less.
 * Memory: 9.5 kB to record into, 19 kB to add up in.
 * A record costs one count-leading-zeros and one increment. No pointers
 * inside: a histogram can lie in shared memory.
 *
 * The true minimum and maximum are kept by whoever records, not here.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_LINEAR_BITS = 6,
	HISTOGRAM_RANGE_BITS = 42,
	/* Two linear stretches of 64, then 64 a power of two. */
	HISTOGRAM_CELLS = (HISTOGRAM_RANGE_BITS - HISTOGRAM_LINEAR_BITS + 1)
			  << HISTOGRAM_LINEAR_BITS,
};

/* To record into: one writer, 32-bit cells. Starts as all zeros. */
struct histogram {
	uint32_t overflow;
	uint32_t cells[HISTOGRAM_CELLS];
};

/* To add up in: 64-bit cells, any number of adding processes at a time. */
struct histogram_total {
	uint64_t overflow;
	uint64_t cells[HISTOGRAM_CELLS];
};

/* The cell of a duration below 2^HISTOGRAM_RANGE_BITS. */
static inline unsigned histogram_cell(uint64_t duration_ns)
{
	/* The lowest bits count as one power of two: shift 0, exact. */
	unsigned top = 63 - (unsigned)__builtin_clzll(
		duration_ns | (UINT64_C(1) << HISTOGRAM_LINEAR_BITS));
	unsigned shift = top - HISTOGRAM_LINEAR_BITS;

	return (shift << HISTOGRAM_LINEAR_BITS) +
	       (unsigned)(duration_ns >> shift);
}

/* Return the shortest duration of a cell. */
uint64_t histogram_from_ns(unsigned cell);

/*
 * Counts one duration. Returns 0, or the cell's number plus one when that
 * cell has just wrapped: the caller then carries 2^32 into a total with
 * histogram_carry. (At ten million operations a second that takes minutes.)
 */
static inline unsigned histogram_record(struct histogram *histogram,
					uint64_t duration_ns)
{
	unsigned cell;

	if (__builtin_expect(duration_ns >> HISTOGRAM_RANGE_BITS != 0, 0)) {
		histogram->overflow++;
		return 0;
	}
	cell = histogram_cell(duration_ns);
	if (__builtin_expect(++histogram->cells[cell] == 0, 0))
		return cell + 1;
	return 0;
}

/* Adds 2^32 to the cell that a histogram_record reported as wrapped. */
void histogram_carry(struct histogram_total *total, unsigned wrapped);

/* Adds `part` to `total`; other processes may be adding theirs. */
void histogram_add(struct histogram_total *total, const struct histogram *part);

/* Adds a total to a total. */
void histogram_merge(struct histogram_total *into,
		     const struct histogram_total *from);

/* The number of durations in `total`. */
uint64_t histogram_count(const struct histogram_total *total);

/*
 * The duration in nanoseconds that a share of `quantile` (0 to 1) of all
 * durations does not exceed; never above `max_ns`, the true maximum, nor
 * below `min_ns`. 0 when there are none.
 */
uint64_t histogram_quantile(const struct histogram_total *total,
			    double quantile, uint64_t min_ns, uint64_t max_ns);

#endif
