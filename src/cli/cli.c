/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"

#include <stdio.h>

int cli_next_option(poptContext options)
{
	struct error error = {0};
	int value = poptGetNextOpt(options);

	if (value == CLI_HELP) {
		poptPrintHelp(options, stdout, 0);
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
	error_set(&error, "%s: %s; see --help",
		  poptBadOption(options, POPT_BADOPTION_NOALIAS),
		  poptStrerror(value));
	return -cli_refuse(&error);
}

int cli_refuse(const struct error *error)
{
	message_error(error);
	return EXIT_REFUSED;
}
