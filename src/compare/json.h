/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read a comparison that comparison_json has stored, to judge it again. The file
 * is untrusted.
 */
#ifndef COMPARE_JSON_H
#define COMPARE_JSON_H

#include "base/error.h"
#include "result/condition.h"
#include "result/result.h"
#include "stats/ratio.h"

/* The settings of a stored comparison, and the names of its sides (see struct comparison_question). */
struct read_question {
	char *names[SIDES];
	double margin, alpha;
	struct metric *metrics; /* at least 1 */
	size_t metric_count;
	struct result_reasons allowed; /* differences that were allowed */
	/* The --fail-if conditions that hold, or whose figure is unknown. */
	struct result_reasons failures;
};

/* Check if the file contains a stored comparison, according to its schema. */
bool is_comparison(const char *path);

/*
 * Read both results and the settings of a comparison from a file that
 * comparison_json wrote. The verdicts are not read. Return 0, and the caller
 * must free the results and `question`; or return -EINVAL with `error` set and
 * nothing to free.
 */
int read_comparison(const char *path, struct result results[SIDES], struct read_question *question,
		    struct error *error);

/* Free the settings. They may be all zeros or already freed. */
void read_question_free(struct read_question *question);

#endif
