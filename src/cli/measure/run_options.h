/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of `throng run`: the options that only it has, and those of
 * measure_options.h.
 */
#ifndef CLI_MEASURE_RUN_OPTIONS_H
#define CLI_MEASURE_RUN_OPTIONS_H

#include "cli/measure/measure_options.h"

struct run_options {
	struct options given; /* given.words: the targets */
	struct measure_options measure;
	bool show_operations, bits, progress, quiet;
	const char *label; /* NULL: none */
	/* Path of the result to resume; NULL: a new sweep. */
	const char *resume;
	const char *before, *after; /* commands; NULL: none */
	const char *state;          /* file for `throng verify`; NULL: none */
	const char *const *outputs; /* ended by NULL; NULL: none */
	const char *const *tables;  /* of --table; the same */
	const char *figure_list;    /* of --figures; NULL: the default ones */
	struct metric *figures;     /* the same, parsed */
	size_t figure_count;
};

/*
 * Read the command line. Return EXIT_VALID; CLI_HELP after printing help; or
 * EXIT_REFUSED after a message. Call run_options_free even after an error.
 */
int run_options_read(struct run_options *options, int argc, const char **argv);

void run_options_free(struct run_options *options);

#endif
