/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of `throng compare`.
 */
#ifndef CLI_COMPARE_OPTIONS_H
#define CLI_COMPARE_OPTIONS_H

#include "cli/load_options.h"
#include "cli/sweep_options.h"
#include "cli/target_options.h"
#include "compare/comparison.h"

/* What is compared. */
enum compare_mode {
	COMPARE_TARGETS,   /* --base and --new: measured in pairs */
	COMPARE_CALIBRATE, /* one target with itself */
	COMPARE_FILES,     /* stored results */
};

struct compare_options {
	struct load_options load;
	struct sweep_options sweep;
	struct target_options target;
	struct settings settings; /* what all of them come to */
	enum compare_mode mode;
	struct metric *metrics;
	struct comparison_question question; /* has the metrics */
	unsigned pairs;
	uint64_t time_max_ns; /* CLOCK_NEVER: any */
	const struct comparison_format *format;
	char **files; /* two results, or one comparison; ended by NULL */
	/* What popt allocated, to be freed with compare_options_free. */
	char **base, **new, **metric_names; /* ended by NULL; NULL: none */
	char *calibrate, *pairs_text, *time_text, *margin, *alpha;
	char *before_base, *before_new, *after, *format_name, *output;
	int same_host, progress, quiet;
};

/*
 * Reads the command line. Returns EXIT_VALID; CLI_HELP when help was asked
 * for and printed; EXIT_REFUSED after a message.
 */
int compare_options_read(struct compare_options *options, int argc,
			 const char **argv);

void compare_options_free(struct compare_options *options);

/* Notes in the result what is to be measured, and which options took effect. */
void compare_options_record(const struct compare_options *options,
			    struct result_run *run);

#endif
