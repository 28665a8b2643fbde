/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of `throng run`: one row each, read into settings.
 */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "job/settings.h"
#include "result/result.h"

/* Options of URLs that can be said beside them: --smb-encrypt for ?encrypt. */
enum { RUN_URL_OPTIONS = 7 };
struct run_url_option {
	const char *name, *scheme, *key;
};
extern const struct run_url_option run_url_options[RUN_URL_OPTIONS];

struct run_options {
	struct settings settings;
	int show_operations;
	/* What popt allocated, to be freed with run_options_free. */
	char *loadfile, *users, *time, *warmup, *loops, *seed, *max_errors;
	char *data, *write_through, *cap_io;
	char *timeout;
	char *url_values[RUN_URL_OPTIONS]; /* NULL: not given */
	int smb_kerberos, smb_guest, strict;
	int from_start, keep, use_existing;
	int no_resolve, sync, sync_dirs, fsync;
};

/*
 * Reads the command line. Returns EXIT_VALID; CLI_HELP when help was asked
 * for and printed; EXIT_REFUSED after a message.
 */
int run_options_read(struct run_options *options, int argc,
		     const char **argv);

void run_options_free(struct run_options *options);

/* Notes in the result which options took effect. */
void run_options_record(const struct run_options *options,
			struct result_run *run);

#endif
