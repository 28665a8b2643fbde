/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for unit tests of results: make up records, and check their values.
 */
#ifndef TESTS_UNIT_RECORDS_H
#define TESTS_UNIT_RECORDS_H

#include "unit.h"

#include "result/result.h"
#include "result/variant.h"

#define KEY(...) (&(const struct record_key){__VA_ARGS__})
#define TOTAL KEY(.host = NULL)

/* Make the variant of a result without axes, with a load; it may be there. */
static inline void make_variant(struct result *result)
{
	if (result->run.variants != NULL)
		return;
	assert_int_equal(variant_make_all(&result->run), 0);
	result->run.variants->loads = calloc(1, sizeof(struct result_load));
	assert_non_null(result->run.variants->loads);
	result->run.variants->load_count = 1;
}

/* A value to set. */
struct assignment {
	enum figure figure;
	double value;
};

/* Set values of the record with this key; append it, if it is missing. */
static inline void set_values(struct records *records, const struct record_key *key,
			      const struct assignment *values, size_t count)
{
	const struct record *found = records_find(records, key);
	struct record *record = found != NULL ? &records->list[found - records->list]
					      : records_add(records, key);
	size_t i;

	assert_non_null(record);
	for (i = 0; i < count; i++)
		record_set(record, values[i].figure, values[i].value);
}

/* SET(&records, KEY(.phase = "one"), {FIGURE_OPS, 3}, {FIGURE_BYTES, 4}); */
#define SET(records, key, ...) \
	set_values(records, key, (const struct assignment[]){__VA_ARGS__}, \
		   sizeof((const struct assignment[]){__VA_ARGS__}) / sizeof(struct assignment))

/* Check a value. Those of files have at most 9 decimals. */
static inline void expect_figure(const struct record *record, enum figure figure, double wanted)
{
	double value = record_value(record, figure);

	if (isnan(value) && isnan(wanted))
		return;
	if (!(fabs(value - wanted) <= 1e-12 * fmax(10, fabs(wanted))))
		fail_msg("%s is %.17g instead of %.17g", figures[figure].name, value, wanted);
}

#endif
