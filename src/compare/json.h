/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison that was stored as JSON, to be judged again.
 */
#ifndef COMPARE_JSON_H
#define COMPARE_JSON_H

#include "base/error.h"
#include "result/metric.h"
#include "result/result.h"
#include "stats/ratio.h"

/* The question that a stored comparison answered. */
struct read_question {
	double margin, alpha;
	struct metric *metrics; /* at least 1 */
	size_t metric_count;
	struct result_reasons failures; /* limits that were not met */
};

/* Does the file say that it is a comparison? */
bool is_comparison(const char *path);

/*
 * Read the two results, base and new, out of a file that comparison_json
 * wrote, and the question; the verdicts are not read. Returns 0, with all three
 * to be freed; or -EINVAL with `error` set, and nothing to free.
 */
int read_comparison(const char *path, struct result results[SIDES],
		    struct read_question *question, struct error *error);

/* May be called again, and of one that is all zeros. */
void read_question_free(struct read_question *question);

#endif
