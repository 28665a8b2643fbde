/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON result file back into the structure.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/error.h"
#include "result/metric.h"
#include "result/result.h"

/*
 * Reads a file that json_write wrote, or that claims it: nothing in it is
 * believed before it is looked at, and names that are not known are passed
 * over. What follows from the repeats is not read but made anew. Written
 * again, it is the same file.
 *
 * Returns 0, to be freed with result_free; or -errno with `error` set, which
 * says where in the file what was found instead of what, and nothing to free.
 */
int read_result(const char *path, struct result *result, struct error *error);

/* The question that a stored comparison answered. */
struct read_question {
	double margin, alpha;
	struct metric *metrics; /* at least 1 */
	size_t metric_count;
	struct result_reasons failures; /* limits that were not met */
};

/*
 * Reads the two results, base and new, out of a file that comparison_json
 * wrote, and the question; the verdicts are not read. Returns as read_result
 * does, with all three to be freed or none.
 */
int read_comparison(const char *path, struct result results[2],
		    struct read_question *question, struct error *error);

/* May be called again, and of one that is all zeros. */
void read_question_free(struct read_question *question);

#endif
