/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/target_options.h"

#include "backend/backends.h"
#include "backend/target.h"
#include "base/units.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The longest that one operation may take. */
#define TIMEOUT_MAX_S 3600

struct poptOption *target_options_rows(struct target_options *options)
{
	struct poptOption *row = options->rows;
	const struct backend_option *flag;
	const char *scheme;
	unsigned i;

	*row++ = (struct poptOption){
		"timeout", '\0', POPT_ARG_STRING, &options->timeout, 0,
		"How long an operation over a network may take (20)", "SEC"};
	*row++ = (struct poptOption){
		"auth-file", '\0', POPT_ARG_ARGV, &options->auth_files, 0,
		"User, password and domain, as smbclient has them; may be "
		"repeated, to spread the users", "FILE"};
	for (i = 0; i < TARGET_FLAGS_MAX &&
		    (flag = backends_flag(i, &scheme)) != NULL; i++) {
		bool text = flag->argument != NULL;

		*row++ = (struct poptOption){
			flag->flag, '\0',
			text ? POPT_ARG_STRING : POPT_ARG_NONE,
			text ? (void *)&options->url_values[i]
			     : (void *)&options->url_switches[i],
			0, flag->help, flag->argument};
	}
	*row = (struct poptOption)POPT_TABLEEND;
	return options->rows;
}

int target_options_take(struct target_options *options, struct error *error)
{
	uint64_t timeout_s = TARGET_TIMEOUT_S;
	unsigned i;
	int rc = 0;

	if (options->timeout != NULL)
		rc = units_parse_count(options->timeout, "--timeout", 1,
				       TIMEOUT_MAX_S, &timeout_s, error);
	options->timeout_s = (unsigned)timeout_s;
	for (i = 0; rc == 0 && i < TARGET_FLAGS_MAX; i++) {
		if (options->url_switches[i] == 0)
			continue;
		options->url_values[i] = strdup("yes");
		if (options->url_values[i] == NULL)
			rc = error_no_memory(error);
	}
	return rc;
}

void target_options_record(const struct target_options *options,
			   struct result_run *run)
{
	const char *scheme;
	unsigned i;

	if (options->timeout != NULL)
		result_add_option(run, "timeout", "%s", options->timeout);
	for (i = 0; i < TARGET_FLAGS_MAX; i++)
		if (options->url_values[i] != NULL)
			result_add_option(run, backends_flag(i, &scheme)->flag,
					  "%s", options->url_values[i]);
}

void target_options_free(struct target_options *options)
{
	unsigned i;

	cli_free_words(options->auth_files);
	free(options->timeout);
	for (i = 0; i < TARGET_FLAGS_MAX; i++)
		free(options->url_values[i]);
}
