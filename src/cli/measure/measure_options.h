/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that run and compare share: the measurement, the load and the
 * access to targets.
 */
#ifndef CLI_MEASURE_MEASURE_OPTIONS_H
#define CLI_MEASURE_MEASURE_OPTIONS_H

#include "cli/options.h"
#include "study/loads.h"
#include "sweep/settings.h"

enum { MEASURE_GROUPS = 3 };

struct measure_options {
	struct settings settings;
	const char *users; /* for settings_parse_users */
	const char *data;  /* for settings_parse_data */
	bool dry_run;
	const char *hosts;             /* of --hosts; NULL: users play on this machine */
	const char *launcher;          /* of --launcher */
	const char *const *notes;      /* ended by NULL; NULL: none */
	const char *const *samples;    /* the same */
	unsigned timeout_s;            /* max time of one operation on the network */
	const char *const *auth_files; /* ended by NULL; NULL: none */
};

/*
 * Fill in the defaults and the groups of rows. The help text leaves out rows
 * with a flag that is in `refused`. Call measure_options_free afterwards.
 */
void measure_options_open(struct measure_options *measure,
			  struct option_group groups[MEASURE_GROUPS], unsigned refused);

/*
 * Parse all options that were given, including options of other groups, and
 * check if the shared options fit together. Return 0, or -errno with `error`
 * set.
 */
int measure_options_parse(struct measure_options *measure, const struct options *given,
			  struct error *error);

/*
 * Adapt the settings to the loads, after measure_options_record: a load with
 * phases is played in whole loops, with --time as long as they begin in time.
 * Update the plan in `run`. Return 0, or -EINVAL with `error` set if the options
 * contradict this.
 */
int measure_options_suit_loads(struct measure_options *measure, const struct options *given,
			       const struct loads *loads, struct result_run *run,
			       struct error *error);

/* Record the planned measurement and the options in a result. */
void measure_options_record(const struct measure_options *measure, const struct options *given,
			    struct result_run *run);

void measure_options_free(struct measure_options *measure);

#endif
