/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that concern targets: how long they may hang, who plays there,
 * and what else their URLs can say.
 */
#ifndef CLI_TARGET_OPTIONS_H
#define CLI_TARGET_OPTIONS_H

#include "job/settings.h"
#include "result/result.h"

#include <popt.h>

/* Options of URLs that can be set beside them, as --smb-encrypt for ?encrypt,
 * are those of backends_flag (backend/backends.h), by its numbers. */
enum { TARGET_FLAGS_MAX = 16 };

struct target_options {
	struct poptOption rows[2 + TARGET_FLAGS_MAX + 1];
	unsigned timeout_s;
	/* What popt allocated, to be freed with target_options_free. */
	char **auth_files; /* ended by NULL; NULL: none */
	char *timeout;
	char *url_values[TARGET_FLAGS_MAX]; /* NULL: not given */
	int url_switches[TARGET_FLAGS_MAX]; /* of those without an argument */
};

/* The rows of the options, for a table that includes them. */
struct poptOption *target_options_rows(struct target_options *options);

/* Reads what popt left as words. Returns 0, or -errno with `error` set. */
int target_options_take(struct target_options *options, struct error *error);

/* Notes in the result which options took effect. */
void target_options_record(const struct target_options *options,
			   struct result_run *run);

void target_options_free(struct target_options *options);

#endif
