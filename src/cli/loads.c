/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng loads: list the loads of the library, or describe some of them.
 */
#include "cli/cli.h"

#include "cli/options.h"
#include "load/description.h"
#include "load/library.h"
#include "doc/escape.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Width of the output. */
enum { COLUMNS = 80 };

const struct option_row loads_rows[] = {
	{.name = NULL},
};

static int read_load(const char *name, struct description *description, struct error *error)
{
	char path[PATH_MAX];

	*description = (struct description){0};
	if (library_find(name, path, error) < 0)
		return -1;
	return description_read(description, path, error);
}

/* Print the parameters as NAME=VALUE, indented, in as many lines as needed. */
static void print_settings(const struct description *description, int indent)
{
	const struct description_parameter *parameter;
	size_t i, column = 0, length;

	for (i = 0; i < description->parameter_count; i++) {
		parameter = &description->parameters[i];
		length = strlen(parameter->name) + strlen(parameter->value) + 2;
		if (column == 0 || column + length > COLUMNS) {
			column = (size_t)indent;
			printf("%s%*s", i > 0 ? "\n" : "", indent, "");
		}
		printf(" %s=", parameter->name);
		escape_text(parameter->value, stdout);
		column += length;
	}
	if (i > 0)
		putchar('\n');
}

static int print_library(struct error *error)
{
	struct library library;
	int rc = library_list(&library, error), width = 0;
	size_t i;

	for (i = 0; i < library.count; i++)
		if ((int)strlen(library.names[i]) > width)
			width = (int)strlen(library.names[i]);
	for (i = 0; rc == 0 && i < library.count; i++) {
		struct description description;

		rc = read_load(library.names[i], &description, error);
		if (rc == 0) {
			escape_column(library.names[i], width + 2, stdout);
			escape_text(description.summary, stdout);
			putchar('\n');
			print_settings(&description, width + 1);
		}
		description_free(&description);
	}
	library_free(&library);
	return rc;
}

static void print_parameters(const struct description *description)
{
	const struct description_parameter *parameters = description->parameters;
	int name_width = 0, value_width = 0;
	size_t i;

	for (i = 0; i < description->parameter_count; i++) {
		if ((int)strlen(parameters[i].name) > name_width)
			name_width = (int)strlen(parameters[i].name);
		if ((int)strlen(parameters[i].value) > value_width)
			value_width = (int)strlen(parameters[i].value);
	}
	for (i = 0; i < description->parameter_count; i++) {
		printf("  %-*s  ", name_width, parameters[i].name);
		escape_column(parameters[i].value, value_width + 2, stdout);
		escape_text(parameters[i].text, stdout);
		putchar('\n');
	}
}

static int print_load(const char *name, struct error *error)
{
	struct description description;
	int rc = read_load(name, &description, error);

	if (rc == 0) {
		escape_text(name, stdout);
		fputs(": ", stdout);
		escape_text(description.summary, stdout);
		putchar('\n');
		if (description.text[0] != '\0')
			putchar('\n');
		escape_lines(description.text, stdout);
		if (description.parameter_count > 0)
			puts("\nParameters and defaults, for --set NAME=VALUE:");
		print_parameters(&description);
	}
	description_free(&description);
	return rc;
}

/* Print the loads on the command line, or the library. Return the exit code. */
static int print(const struct options *given)
{
	struct error error = {0};
	size_t i;

	if (given->word_count == 0)
		print_library(&error);
	for (i = 0; i < given->word_count && !error.set; i++) {
		if (i > 0)
			putchar('\n');
		print_load(given->words[i], &error);
	}
	return error.set ? cli_refuse(&error) : EXIT_VALID;
}

int cli_loads(int argc, const char **argv)
{
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = loads_rows},
		{.rows = NULL},
	};
	struct options given = {0};
	int rc;

	argv[0] = "throng loads"; /* for --help */
	rc = options_read(&given, groups, "[NAME...]",
			  "  throng loads\n"
			  "  throng loads mdtest\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = print(&given);
	options_free(&given);
	return rc;
}
