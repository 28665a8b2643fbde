/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that say what is measured: the points, for how long, how often
 * and in which order.
 */
#ifndef CLI_SWEEP_OPTIONS_H
#define CLI_SWEEP_OPTIONS_H

#include "job/settings.h"
#include "result/result.h"

#include <popt.h>

struct sweep_options {
	struct poptOption rows[17];
	/* What popt allocated, to be freed with sweep_options_free. */
	char *preset, *users, *time, *warmup, *ramp_down, *settle, *loops;
	char *repeat, *order, *seed;
	/* Each ended by NULL; NULL: none. */
	char **limits, **stop_when, **fail_if;
	int from_start, dry_run;
};

/* The rows of the options, for a table that includes them. */
struct poptOption *sweep_options_rows(struct sweep_options *options);

/*
 * What was read, as settings, which hold allocated memory then
 * (settings_free). Returns 0, or -errno with `error` set.
 */
int sweep_options_take(const struct sweep_options *options,
		       struct settings *settings, struct error *error);

/* Notes the plan of the sweep in the result. */
void sweep_options_record(const struct sweep_options *options,
			  const struct settings *settings,
			  struct result_run *run);

void sweep_options_free(struct sweep_options *options);

#endif
