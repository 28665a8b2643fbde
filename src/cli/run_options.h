/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of `throng run`: one row each, read into settings.
 */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "cli/load_options.h"
#include "cli/sweep_options.h"
#include "cli/target_options.h"

struct run_options {
	struct load_options load;
	struct sweep_options sweep;
	struct target_options target;
	struct settings settings; /* what all of them come to */
	int show_operations, histograms, progress, quiet;
	/* What popt allocated, to be freed with run_options_free. */
	char *resume;   /* NULL: not */
	char *start_at, *users_from;
	char **outputs; /* ended by NULL; NULL: none */
	char **targets; /* ended by NULL */
};

/*
 * Reads the command line. Returns EXIT_VALID; CLI_HELP when help was asked
 * for and printed; EXIT_REFUSED after a message.
 */
int run_options_read(struct run_options *options, int argc,
		     const char **argv);

void run_options_free(struct run_options *options);

/* Notes in the result what is to be measured, and which options took effect. */
void run_options_record(const struct run_options *options,
			struct result_run *run);

#endif
