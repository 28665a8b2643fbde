/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that run and compare share: what is measured, what is played,
 * and how targets are reached.
 */
#ifndef CLI_MEASURE_OPTIONS_H
#define CLI_MEASURE_OPTIONS_H

#include "cli/options.h"
#include "job/settings.h"

enum {
	MEASURE_GROUPS = 3,
	/* Options of URLs that can be set beside them, as --smb-encrypt for
	 * ?encrypt: those of backends_flag (backend/backends.h), by its
	 * numbers. */
	MEASURE_URL_OPTIONS = 16,
	MEASURE_TARGET_ROWS = 2 + MEASURE_URL_OPTIONS + 1,
};

struct measure_options {
	struct settings settings;
	const char *users; /* a list, see settings_parse_users; NULL: 1 */
	bool dry_run;
	unsigned timeout_s;      /* of an operation over a network */
	const char *const *auth_files; /* ended by NULL; NULL: none */
	const char *url_values[MEASURE_URL_OPTIONS]; /* NULL: not given */
	struct option_row target_rows[MEASURE_TARGET_ROWS];
};

/*
 * Fill in the defaults and the groups of rows. With `of_run`, help refers to
 * the help of run for these rows. Returns 0, or -errno with `error` set. Call
 * measure_options_free in any case.
 */
int measure_options_open(struct measure_options *measure,
			 struct option_group groups[MEASURE_GROUPS],
			 bool of_run, struct error *error);

/*
 * Parse the options that were given, of these rows and all others, and check
 * that these go together. Returns 0, or -errno with `error` set.
 */
int measure_options_take(struct measure_options *measure,
			 const struct options *given, struct error *error);

/* Note in a result what is to be measured, and the options that took effect. */
void measure_options_record(const struct measure_options *measure,
			    const struct options *given,
			    struct result_run *run);

void measure_options_free(struct measure_options *measure);

#endif
