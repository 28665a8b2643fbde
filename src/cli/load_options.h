/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that say what is played: the loadfile and its rewrites.
 */
#ifndef CLI_LOAD_OPTIONS_H
#define CLI_LOAD_OPTIONS_H

#include "job/settings.h"
#include "result/result.h"

#include <popt.h>

struct load_options {
	struct poptOption rows[16];
	/* What popt allocated, to be freed with load_options_free. */
	char *loadfile, *data, *write_through, *cap_io, *max_errors;
	char *load_limit;
	int no_resolve, sync, sync_dirs, fsync, strict, keep, use_existing;
	int take_over;
};

/* The rows of the options, for a table that includes them. */
struct poptOption *load_options_rows(struct load_options *options);

/* What was read, as settings. Returns 0, or -EINVAL with `error` set. */
int load_options_take(const struct load_options *options,
		      struct settings *settings, struct error *error);

/* Notes in the result which options took effect. */
void load_options_record(const struct load_options *options,
			 const struct settings *settings,
			 struct result_run *run);

void load_options_free(struct load_options *options);

#endif
