/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Do the work of cli_next_option and cli_next_dbench_option. A message starts
 * with `lead`. If `examples` is not NULL, the help text ends with it. */
static int next_option(poptContext options, const char *lead,
		       const char *examples)
{
	struct error error = {0};
	int value = poptGetNextOpt(options);

	if (value == CLI_HELP) {
		poptPrintHelp(options, stdout, 0);
		if (examples != NULL)
			cli_print_examples(examples);
		return CLI_HELP;
	}
	if (value == CLI_USAGE) {
		poptPrintUsage(options, stdout, 0);
		return CLI_HELP;
	}
	if (value > 0)
		return value;
	if (value == -1)
		return 0;
	error_set(&error, "%s%s: %s; see --help", lead,
		  poptBadOption(options, POPT_BADOPTION_NOALIAS),
		  poptStrerror(value));
	return -cli_refuse(&error);
}

int cli_next_option(poptContext options)
{
	return next_option(options, "", NULL);
}

int cli_next_dbench_option(poptContext options, const char *examples)
{
	char lead[80];

	snprintf(lead, sizeof(lead), "%s: ", strerror(EINVAL));
	return next_option(options, lead, examples);
}

void cli_print_examples(const char *examples)
{
	printf("\nExamples:\n%s", examples);
}

int cli_refuse(const struct error *error)
{
	message_error(error);
	return EXIT_REFUSED;
}
