/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of `throng compare`: the options that only it has, and those
 * of measure_options.h.
 */
#ifndef CLI_MEASURE_COMPARE_OPTIONS_H
#define CLI_MEASURE_COMPARE_OPTIONS_H

#include "cli/measure/measure_options.h"
#include "export/formats.h"

/* Kinds of comparisons. */
enum compare_mode {
	COMPARE_TARGETS,   /* measure --base and --new in pairs */
	COMPARE_CALIBRATE, /* measure a target against itself */
	COMPARE_FILES,     /* don't measure: read files */
};

struct compare_options {
	/* given.words: the files of two results or of one comparison. */
	struct options given;
	struct measure_options measure;
	enum compare_mode mode;
	const char *const *targets[SIDES]; /* ended by NULL */
	struct metric *metrics;
	struct result_reasons allowed;       /* names of --allow */
	struct comparison_question question; /* points to the metrics and names */
	unsigned pairs;
	uint64_t time_max_ns;              /* CLOCK_NEVER: no limit */
	const char *labels[SIDES];         /* NULL: none */
	const char *before[SIDES], *after; /* commands; NULL: none */
	const struct format *format;
	const char *const *outputs; /* ended by NULL; NULL: none */
	bool bits, progress, quiet;
};

/*
 * Read the command line. Return EXIT_VALID; CLI_HELP after printing help; or
 * EXIT_REFUSED after a message. Call compare_options_free even after an error.
 */
int compare_options_read(struct compare_options *options, int argc, const char **argv);

/*
 * Choose the metric for a load that moves no bytes: without --metric, use
 * ops_per_s, and print a note. `result` needs only a description of its loads.
 * Return 0, or -EINVAL with `error` set if --metric names a throughput in
 * bytes.
 */
int compare_options_suit_result(struct compare_options *options, const struct result *result,
				struct error *error);

void compare_options_free(struct compare_options *options);

#endif
