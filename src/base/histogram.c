/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/histogram.h"

#include <math.h>

/* Return the binary logarithm of a cell's width in nanoseconds. */
static unsigned cell_shift(unsigned cell)
{
	unsigned shift = cell >> HISTOGRAM_LINEAR_BITS;

	return shift > 0 ? shift - 1 : 0;
}

uint64_t histogram_from_ns(unsigned cell)
{
	unsigned shift = cell_shift(cell);

	return (uint64_t)(cell - (shift << HISTOGRAM_LINEAR_BITS)) << shift;
}

/* Return the duration in the middle of a cell. */
static uint64_t cell_middle_ns(unsigned cell)
{
	return histogram_from_ns(cell) + (UINT64_C(1) << cell_shift(cell)) / 2;
}

void histogram_carry(struct histogram_total *total, unsigned wrapped)
{
	__atomic_fetch_add(&total->cells[wrapped - 1], UINT64_C(1) << 32, __ATOMIC_RELAXED);
}

void histogram_add(struct histogram_total *total, const struct histogram *part)
{
	unsigned i;

	for (i = 0; i < HISTOGRAM_CELLS; i++)
		if (part->cells[i] != 0)
			__atomic_fetch_add(&total->cells[i], part->cells[i], __ATOMIC_RELAXED);
	if (part->overflow != 0)
		__atomic_fetch_add(&total->overflow, part->overflow, __ATOMIC_RELAXED);
}

void histogram_merge(struct histogram_total *into, const struct histogram_total *from)
{
	unsigned i;

	for (i = 0; i < HISTOGRAM_CELLS; i++)
		into->cells[i] += from->cells[i];
	into->overflow += from->overflow;
}

uint64_t histogram_count(const struct histogram_total *total)
{
	uint64_t count = total->overflow;
	unsigned i;

	for (i = 0; i < HISTOGRAM_CELLS; i++)
		count += total->cells[i];
	return count;
}

uint64_t histogram_quantile(const struct histogram_total *total, double quantile, uint64_t min_ns,
			    uint64_t max_ns)
{
	uint64_t count = histogram_count(total);
	uint64_t rank = (uint64_t)ceil(quantile * (double)count);
	uint64_t seen = 0, value_ns = max_ns;
	unsigned i;

	if (count == 0)
		return 0;
	if (rank == 0)
		rank = 1;
	for (i = 0; i < HISTOGRAM_CELLS; i++) {
		seen += total->cells[i];
		if (seen >= rank) {
			value_ns = cell_middle_ns(i);
			break;
		}
	}
	if (value_ns > max_ns)
		return max_ns;
	return value_ns < min_ns ? min_ns : value_ns;
}
