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

/* Options of URLs that can be said beside them: --smb-encrypt for ?encrypt. */
enum { TARGET_URL_OPTIONS = 7 };
struct target_url_option {
	const char *name, *scheme, *key;
};
extern const struct target_url_option target_url_options[TARGET_URL_OPTIONS];

struct target_options {
	struct poptOption rows[12];
	unsigned timeout_s;
	/* What popt allocated, to be freed with target_options_free. */
	char **auth_files; /* ended by NULL; NULL: none */
	char *timeout;
	char *url_values[TARGET_URL_OPTIONS]; /* NULL: not given */
	int smb_kerberos, smb_guest;
};

/* The rows of the options, for a table that includes them. */
struct poptOption *target_options_rows(struct target_options *options);

/* Reads what popt left as words. Returns 0, or -errno with `error` set. */
int target_options_take(struct target_options *options, struct error *error);

/* Notes in the result which options took effect. */
void target_options_record(const struct target_options *options,
			   struct result_run *run);

void target_options_free(struct target_options *options);

/* Frees words that NULL ends, and their list. */
void target_options_free_words(char **words);

#endif
