/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log-linear histogram of durations, like HdrHistogram: each power of two is
 * divided into 64 linear cells.
 *
 * Error:  a quantile is reported as the middle of its cell. This is at most
 *         0.8 % from the true value. Durations below 128 ns are exact.
 * Range:  0 ns to 2^42 - 1 ns (73 minutes). Longer durations count as overflow;
 *         a quantile that falls among these is reported as the true maximum.
 * Memory: 9.5 kB for recording, 19 kB for a total.
 * Recording costs one count-leading-zeros and one increment. Histograms have no
 * pointers, so they can be in shared memory.
 *
 * A histogram does not hold the true minimum and maximum: the caller records
 * them.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_LINEAR_BITS = 6,
	HISTOGRAM_RANGE_BITS = 42,
	/* Two linear ranges of 64 cells, then 64 cells per power of two. */
	HISTOGRAM_CELLS = (HISTOGRAM_RANGE_BITS - HISTOGRAM_LINEAR_BITS + 1)
			  << HISTOGRAM_LINEAR_BITS,
};

/* A histogram for recording, with one writer. All zeros: it is empty. */
struct histogram {
	uint32_t overflow;
	uint32_t cells[HISTOGRAM_CELLS];
};

/* A sum of histograms. Any number of processes may add to it at once. */
struct histogram_total {
	uint64_t overflow;
	uint64_t cells[HISTOGRAM_CELLS];
};

/* Return the cell of a duration below 2^HISTOGRAM_RANGE_BITS. */
static inline unsigned histogram_cell(uint64_t duration_ns)
{
	/* Durations below 128 ns all get shift 0, so they are exact. */
	unsigned top = 63 - (unsigned)__builtin_clzll(duration_ns |
						      (UINT64_C(1) << HISTOGRAM_LINEAR_BITS));
	unsigned shift = top - HISTOGRAM_LINEAR_BITS;

	return (shift << HISTOGRAM_LINEAR_BITS) + (unsigned)(duration_ns >> shift);
}

/* Return the shortest duration of a cell. */
uint64_t histogram_from_ns(unsigned cell);

/*
 * Count one duration. Return 0, or the cell's number plus one if the cell's
 * 32-bit counter has just wrapped around; then call histogram_carry(). (Even at
 * ten million operations per second, a counter lasts for seven minutes.)
 */
static inline unsigned histogram_record(struct histogram *histogram, uint64_t duration_ns)
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

/* Add the 2^32 that a wrapped counter has lost to the same cell of `total`.
 * `wrapped` is what histogram_record() returned. */
void histogram_carry(struct histogram_total *total, unsigned wrapped);

/* Add `part` to `total`. Other processes may do the same at the same time. */
void histogram_add(struct histogram_total *total, const struct histogram *part);

/* Add the total `from` to the total `into`. */
void histogram_merge(struct histogram_total *into, const struct histogram_total *from);

/* Return the number of durations in `total`. */
uint64_t histogram_count(const struct histogram_total *total);

/*
 * Return a quantile of the durations, in nanoseconds, or 0 if the histogram is
 * empty. `quantile` is from 0 to 1. The value is limited to the range from
 * `min_ns` to `max_ns`, the true minimum and maximum.
 */
uint64_t histogram_quantile(const struct histogram_total *total, double quantile, uint64_t min_ns,
			    uint64_t max_ns);

#endif
