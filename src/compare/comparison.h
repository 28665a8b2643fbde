/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two results beside each other: is the new one slower? A row per point and
 * metric, each with both medians, the interval of their ratio and a verdict.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "base/error.h"
#include "result/condition.h"
#include "result/metric.h"
#include "stats/ratio.h"
#include "result/result.h"
#include "stats/sequential.h"

#include <stdio.h>

/* The range of alpha: from the min to below the limit. */
#define COMPARISON_ALPHA_MIN 1e-4
#define COMPARISON_ALPHA_LIMIT 0.5

/* The question of a comparison. */
struct comparison_question {
	const struct metric *metrics;
	size_t metric_count; /* at least 1 */
	double margin; /* the acceptable loss, 0 to 1 */
	double alpha;  /* of each kind of wrong verdict */
	bool same_host; /* refuse another host or kernel */
	/* No pair will follow: what is undecided is inconclusive. */
	bool final;
};

struct comparison_row {
	unsigned users;
	char metric[METRIC_TEXT]; /* "ReadX.p99" */
	const char *unit;         /* "MB/s", "ms" ...; "" */
	double medians[SIDES];    /* in that unit */
	/* The samples, ratio, interval and verdict. */
	struct ratio_comparison judged;
	double *values[SIDES]; /* what the samples point to */
};

struct comparison {
	const struct result *results[SIDES];
	char *names[SIDES]; /* target or file */
	double margin, alpha;
	/* Measured in turn; otherwise drift is not excluded. */
	bool paired;
	size_t pairs;  /* paired: of each row, the same number; else 0 */
	size_t budget; /* max pairs to be measured; 0: not known */
	size_t min;    /* pairs, or samples of each, before any verdict */
	enum verdict answer;
	struct comparison_row *rows; /* by users, then by metric */
	size_t row_count;
	struct result_reasons warnings;
	/* Absolute limits of --fail-if that the new one does not keep. */
	struct result_reasons failures;
	/* After a refusal: the recorded option that differs, or NULL. */
	const char *option;
};

/*
 * Compare two results, called `names`. Pairs are judged by the sequential rule
 * where both have the same budget of pairs, otherwise by the interval of that
 * number of pairs; what was not measured in pairs by the unpaired interval and
 * with a warning. Repeats are halves of a pair where they have the same number;
 * a half without the other is left out, and so are the last pairs of points
 * that have more of them.
 *
 * The results must outlive the comparison. Returns 0, or -errno with `error`
 * set and nothing to free: they cannot be compared, a point is not valid, or a
 * figure is missing. Then comparison->option, which belongs to one of the
 * results, is all that the comparison holds.
 */
int comparison_make(struct comparison *comparison,
		    const struct result results[SIDES],
		    const char *const names[SIDES],
		    const struct comparison_question *question,
		    struct error *error);

/* May be called again, and of one that is all zeros. */
void comparison_free(struct comparison *comparison);

/* Return the answer in a sentence, without a full stop; for people. The caller
 * frees it. NULL: no memory. */
char *comparison_summary(const struct comparison *comparison);

/*
 * Write, for each point and metric of a target that was compared with itself:
 * how far apart the two of a pair are, which margin 20 pairs can hold, and how
 * many pairs it takes to find a loss of 5 %.
 */
void calibration_text(const struct comparison *comparison, FILE *stream);

/* A format that a comparison is written in. */
struct comparison_format {
	const char *name; /* "markdown" */
	void (*write)(const struct comparison *comparison, FILE *stream);
};

/* All of them, ended by a name that is NULL; the first is text. */
extern const struct comparison_format comparison_formats[];

void comparison_text(const struct comparison *comparison, FILE *stream);
void comparison_markdown(const struct comparison *comparison, FILE *stream);
void comparison_junit(const struct comparison *comparison, FILE *stream);
void comparison_github(const struct comparison *comparison, FILE *stream);
void comparison_json(const struct comparison *comparison, FILE *stream);

#endif
