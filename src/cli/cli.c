/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As cli_next_option; `lead` stands in front of what popt says is wrong. */
static int next_option(poptContext options, const char *lead)
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
	error_set(&error, "%s%s: %s; see --help", lead,
		  poptBadOption(options, POPT_BADOPTION_NOALIAS),
		  poptStrerror(value));
	return -cli_refuse(&error);
}

int cli_next_option(poptContext options)
{
	return next_option(options, "");
}

int cli_next_dbench_option(poptContext options)
{
	char lead[80];

	snprintf(lead, sizeof(lead), "%s: ", strerror(EINVAL));
	return next_option(options, lead);
}

int cli_refuse(const struct error *error)
{
	message_error(error);
	return EXIT_REFUSED;
}

int cli_take_words(poptContext context, char ***words, struct error *error)
{
	const char **rest = poptGetArgs(context);
	int count = 0, i;

	while (rest != NULL && rest[count] != NULL)
		count++;
	*words = calloc((size_t)count + 1, sizeof(**words));
	for (i = 0; *words != NULL && i < count; i++) {
		(*words)[i] = strdup(rest[i]);
		if ((*words)[i] == NULL)
			break;
	}
	if (*words != NULL && i == count)
		return count;
	return error_no_memory(error);
}

void cli_free_words(char **words)
{
	char **word;

	for (word = words; word != NULL && *word != NULL; word++)
		free(*word);
	free(words);
}
