/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"
#include "base/suggest.h"
#include "cli/option.h"
#include "doc/escape.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The subcommands and their options. */
static const struct owner {
	const char *name;
	unsigned refused;                 /* not rows with one of these flags */
	const struct option_row *rows[5]; /* ended by NULL */
} owners[] = {
	{"run", 0, {run_rows, sweep_rows, load_rows, target_rows}},
	{"compare", OPTION_RUN_ONLY, {compare_rows, sweep_rows, load_rows, target_rows}},
	{"check", 0, {check_rows}},
	{"report", 0, {report_rows}},
	{"record", 0, {record_rows}},
	{"import", 0, {import_rows}},
	{"loads", 0, {loads_rows}},
	{"serve", 0, {serve_rows}},
	{"verify", 0, {verify_rows}},
	{"clean", 0, {clean_rows}},
};

static bool owns(const struct owner *owner, const char *name)
{
	const struct option_row *const *rows = owner->rows;
	const struct option_row *option;

	for (; *rows != NULL; rows++)
		for (option = *rows; option->name != NULL; option++)
			if (strcmp(option->name, name) == 0 &&
			    (option->flags & owner->refused) == 0)
				return true;
	return false;
}

/* Write the subcommands that have the option --NAME as "run, compare and check". Return
 * their number. */
static size_t list_owners(const char *name, char *list, size_t bytes)
{
	const char *found[sizeof(owners) / sizeof(owners[0])];
	size_t count = 0, used = 0, i;

	for (i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
		if (owns(&owners[i], name))
			found[count++] = owners[i].name;
	for (i = 0; i < count && used < bytes; i++)
		used += (size_t)snprintf(list + used, bytes - used, "%s%s",
					 i == 0          ? ""
					 : i + 1 < count ? ", "
							 : " and ",
					 found[i]);
	return count;
}

/* Offer the long names of all options in popt's table. */
static void offer_options(const struct poptOption *table, struct suggestion *suggestion)
{
	for (; table->longName != NULL; table++)
		suggest_offer(suggestion, table->longName);
}

/* Describe an option that popt has refused. If `table` is not NULL, name the subcommands
 * that have the option, or suggest an option of the table. */
static void describe_bad(poptContext options, const struct poptOption *table, int why,
			 const char *lead, struct error *error)
{
	const char *given = poptBadOption(options, POPT_BADOPTION_NOALIAS);
	char name[SUGGEST_WORD_MAX + 1] = "", others[128];
	struct suggestion suggestion = {.word = name};

	if (table != NULL && why == POPT_ERROR_BADOPT && strncmp(given, "--", 2) == 0) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(given + 2, "="), given + 2);
		offer_options(table, &suggestion);
	}
	if (list_owners(name, others, sizeof(others)) > 0)
		error_set(error,
			  "--%s is not an option of this command, only of throng %s; see --help",
			  name, others);
	else if (suggestion.nearest != NULL)
		error_set(error, "%s: unknown option; did you mean --%s?", given,
			  suggestion.nearest);
	else
		error_set(error, "%s%s: %s; see --help", lead, given, poptStrerror(why));
}

/* Return the value of the next option, 0 at the end, or -EXIT_REFUSED after a
 * message that starts with `lead`. */
static int next_option(poptContext options, const struct poptOption *table, const char *lead)
{
	struct error error = {0};
	int value = poptGetNextOpt(options);

	if (value > 0)
		return value;
	if (value == -1)
		return 0;
	describe_bad(options, table, value, lead, &error);
	return -cli_refuse(&error);
}

int cli_next_option(poptContext options, const struct poptOption *table)
{
	return next_option(options, table, "");
}

int cli_next_dbench_option(poptContext options, const char *examples)
{
	char lead[80];
	int value;

	snprintf(lead, sizeof(lead), "%s: ", strerror(EINVAL));
	value = next_option(options, NULL, lead);
	if (value == CLI_HELP) {
		poptPrintHelp(options, stdout, 0);
		cli_print_examples(examples);
	} else if (value == CLI_USAGE) {
		poptPrintUsage(options, stdout, 0);
	}
	return value == CLI_USAGE ? CLI_HELP : value;
}

void cli_print_examples(const char *examples)
{
	printf("\nExamples:\n%s", examples);
}

void cli_print(void (*print)(const void *what, FILE *stream), const void *what)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream;

	if (isatty(STDOUT_FILENO) != 1) {
		print(what, stdout);
		return;
	}
	stream = open_memstream(&text, &bytes);
	if (stream == NULL)
		return;
	print(what, stream);
	if (fclose(stream) == 0)
		escape_lines(text, stdout);
	free(text);
}

int cli_refuse(const struct error *error)
{
	message_error(error);
	return EXIT_REFUSED;
}
