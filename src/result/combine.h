/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Derive the records of points from those of their repeats, and figures from
 * other figures.
 */
#ifndef RESULT_COMBINE_H
#define RESULT_COMBINE_H

#include "result/result.h"

/*
 * Set the derived figures of a repeat's records, and the sums over operations.
 * Leave rates of an invalid repeat unknown.
 */
void combine_derive(const struct result_run *run, struct result_repeat *repeat);

/*
 * Replace the records, the reasons and the warnings of a point by those of its
 * repeats. Combine the valid repeats only, or all if none is valid. Return 0, or
 * -ENOMEM with incomplete records.
 */
int combine_point(const struct result_run *run, struct result_point *point);

/* The range of a figure over the valid repeats of a point. */
struct combine_range {
	size_t count;    /* number of repeats with a known value */
	double min, max; /* NAN: there is none */
	double spread;   /* (max - min) / the point's value; NAN: unknown */
};

/* Return the range of a figure of one of the point's records. */
struct combine_range combine_range_of(const struct result_point *point, const struct record *record,
				      enum figure figure);

/* Do the same for the total. */
struct combine_range combine_range(const struct result_point *point, enum figure figure);

/* The mean and the maximum of the known values of a sample; NAN: none is known. */
struct combine_sample {
	double mean, max;
};
struct combine_sample combine_sample(const struct result_sample *sample);

/* Return, of the point's sample with this index, the mean of the means of its valid
 * repeats, and the maximum of all. */
struct combine_sample combine_samples(const struct result_point *point, size_t index);

/* Return the relative change of the throughput since the previous valid point of the
 * variant: 0.5 means 50 % more. Return NAN if there is none. */
double combine_gain(const struct result *result, const struct result_point *point);

/* Return the figure of the throughput: mb_per_s or, if the load moved no bytes,
 * ops_per_s. */
enum figure combine_throughput(const struct record *total);

/* Return the median of `count` > 0 values; this changes their order. */
double combine_median(double *values, size_t count);

#endif
