/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare two results: is the new one slower? A comparison has a row for each
 * metric at each point: the medians of both sides, the interval of the ratio
 * new / base, and a verdict.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "base/error.h"
#include "result/condition.h"
#include "result/result.h"
#include "stats/ratio.h"
#include "stats/sequential.h"

#include <stdio.h>

/* The range of alpha: MIN <= alpha < LIMIT. */
#define COMPARISON_ALPHA_MIN 1e-4
#define COMPARISON_ALPHA_LIMIT 0.5

/* The settings of a comparison: what to compare, and how to judge it. */
struct comparison_question {
	const struct metric *metrics;
	size_t metric_count; /* at least 1 */
	double margin;       /* the acceptable loss, 0 to 1 */
	double alpha;        /* max rate of each kind of wrong verdict */
	bool same_host;      /* refuse different hosts or kernels */
	/* Names of the facts and options that may differ (comparable.h). */
	struct result_reasons allowed;
	/* The --fail-if conditions that hold for the new result. */
	struct result_reasons failures;
	/* No more pairs will be measured, so answer "inconclusive" instead of
	 * "undecided". */
	bool final;
	/* --max-time ended the comparison before all pairs were measured. */
	bool out_of_time;
};

struct comparison_row {
	const struct result_point *point; /* of the base */
	/* The same as in that point, for files. */
	unsigned users;
	char **set;
	size_t set_count;
	char metric[METRIC_TEXT]; /* "ReadX.p99" */
	const char *unit;         /* "MB/s", "ms" ...; "": a count */
	/* Number of these units in a second; 0: not a duration. */
	double per_second;
	double medians[SIDES]; /* of the values of each side, in that unit */
	/* The samples, ratio, interval and verdict. */
	struct ratio_comparison judged;
	double *values[SIDES]; /* judged.samples points to these */
};

struct comparison {
	const struct result *results[SIDES];
	char *names[SIDES]; /* of the sides: labels, targets or files */
	/* Shorter names: the labels, if there are any, or "base" and "new". */
	const char *sides[SIDES];
	double margin, alpha;
	/* Base and new were measured in pairs. If not, a drift of the machine
	 * may look like a difference. */
	bool paired;
	size_t pairs;  /* number of pairs in each row; 0 if not paired */
	size_t budget; /* max number of pairs to be measured; 0: unknown */
	/* With fewer pairs, or samples of each side, no verdict is possible. */
	size_t min;
	bool out_of_time; /* a copy of the question's */
	enum verdict answer;
	struct comparison_row *rows; /* in the order of base, then by metric */
	size_t row_count;
	struct notices warnings;
	struct result_reasons allowed, failures; /* copies of the question's */
};

/*
 * Compare two results; `names` are their names, for messages and for a side
 * without a label. The method depends on how they were measured:
 * - in pairs, with the same budget of pairs: the sequential rule;
 * - in pairs, otherwise: the interval of a fixed number of pairs;
 * - not in pairs: the unpaired interval, and a warning.
 * A pair consists of the two repeats with the same pair number. Repeats without
 * a counterpart are ignored. The point with the fewest pairs decides how many
 * pairs are used at all points.
 *
 * The results must outlive the comparison. Return 0; or -errno with `error`
 * set if the results cannot be compared, a point is invalid or a figure is
 * missing. After an error there is nothing to free.
 */
int comparison_make(struct comparison *comparison, const struct result results[SIDES],
		    const char *const names[SIDES], const struct comparison_question *question,
		    struct error *error);

/* Free a comparison. It may be all zeros or already freed. */
void comparison_free(struct comparison *comparison);

/* Return the answer as a sentence without a full stop, or NULL if memory is
 * short. The caller frees it. */
char *comparison_summary(const struct comparison *comparison);

/*
 * Write the noise of a target that was compared with itself. For each metric at
 * each point, write the difference within a pair, the smallest margin that is
 * usable with 20 pairs, and the number of pairs needed to find a loss of 5 %.
 * This and the functions below return 0, or -ENOMEM. The caller must check ferror
 * for errors of the stream.
 */
int calibration_text(const struct comparison *comparison, FILE *stream);

/* The writers of the formats (export/formats.h). */
int comparison_text(const struct comparison *comparison, FILE *stream);
int comparison_markdown(const struct comparison *comparison, FILE *stream);
int comparison_html(const struct comparison *comparison, FILE *stream);
int comparison_junit(const struct comparison *comparison, FILE *stream);
int comparison_github(const struct comparison *comparison, FILE *stream);
int comparison_json(const struct comparison *comparison, FILE *stream);

#endif
