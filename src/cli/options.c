/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include "base/array.h"
#include "cli/cli.h"
#include "cli/completion.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_BYTES = 64,
	HELP_COLUMNS = 80,
};

/* Fill in options->list. Return 0 or -ENOMEM. */
static int list_options(struct options *options, const struct option_group *groups)
{
	const struct option_group *group;
	const struct option_row *row;

	for (group = groups; group->rows != NULL; group++) {
		for (row = group->rows; row->name != NULL; row++) {
			struct option option = {
				.row = row,
				.field = (char *)group->values + row->at,
				.refused = (row->flags & group->refused) != 0,
			};

			if (row->argument != NULL)
				snprintf(option.argument, sizeof(option.argument), "%s%s",
					 row->argument,
					 row->kind == OPTION_TEXTS && !(row->flags & OPTION_ONCE)
						 ? "..."
						 : "");
			option.help = option_help(&option);
			if (option.help == NULL || array_append(&options->list, &options->count,
								&option, sizeof(option)) < 0) {
				free(option.help);
				return -ENOMEM;
			}
		}
	}
	return 0;
}

/* Return an allocated table for popt, or NULL. poptGetNextOpt returns the
 * number of an option in it, from 1. */
static struct poptOption *make_table(const struct options *options)
{
	const struct poptOption last[] = {CLI_HELP_ROWS, POPT_TABLEEND};
	struct poptOption *table = calloc(options->count + sizeof(last) / sizeof(last[0]),
					  sizeof(*table));
	size_t i;

	if (table == NULL)
		return NULL;
	for (i = 0; i < options->count; i++) {
		const struct option_row *row = options->list[i].row;

		table[i] = (struct poptOption){
			.longName = row->name,
			.shortName = row->letter,
			.argInfo = row->argument != NULL ? POPT_ARG_STRING : POPT_ARG_NONE,
			.val = (int)i + 1,
		};
	}
	memcpy(&table[i], last, sizeof(last));
	return table;
}

/* Return if help shows an option; `all` options, or the common ones. */
static bool is_shown(const struct option *option, bool all)
{
	return !option->refused && (all || option->row->flags & OPTION_COMMON);
}

/* Print the name of an option, such as "  -u, --users=LIST", into `text`. Return
 * its width. */
static int print_name(char letter, const char *name, const char *argument, char text[NAME_BYTES])
{
	char begin[] = "      --";

	if (letter != 0)
		snprintf(begin, sizeof(begin), "  -%c, --", letter);
	return snprintf(text, NAME_BYTES, "%s%s%s%s", begin, name, argument[0] != '\0' ? "=" : "",
			argument);
}

/* Print an option and its description, on more lines if it is long. */
static void print_line(char letter, const char *name, const char *argument, const char *help,
		       int width)
{
	char text[NAME_BYTES];

	print_name(letter, name, argument, text);
	while (strlen(help) > (size_t)(HELP_COLUMNS - width - 2)) {
		const char *blank = memrchr(help, ' ', (size_t)(HELP_COLUMNS - width - 1));

		if (blank == NULL)
			break;
		printf("%-*s  %.*s\n", width, text, (int)(blank - help), help);
		text[0] = '\0';
		help = blank + 1;
	}
	printf("%-*s  %s\n", width, text, help);
}

/* Print a heading and the shown options of a group, the first of which is
 * `option`. Return the next group's first option. */
static const struct option *print_group(const struct option_group *group,
					const struct option *option, bool all, int width)
{
	const struct option_row *row = group->rows;
	bool any = false;

	for (; row->name != NULL; row++, option++) {
		if (!is_shown(option, all))
			continue;
		if (!any && group->heading != NULL)
			printf("\n%s\n", group->heading);
		any = true;
		print_line(row->letter, row->name, option->argument, option->help, width);
	}
	return option;
}

/* Print the help text with `all` options, or with the common ones. */
static void print_help(const struct options *options, const struct option_group *groups,
		       const char *program, const char *usage, bool all)
{
	const struct option *option = options->list;
	char text[NAME_BYTES];
	bool more = false;
	int width = 0, own;
	size_t i;

	for (i = 0; i < options->count; i++, option++) {
		own = print_name(option->row->letter, option->row->name, option->argument, text);
		if (is_shown(option, all) && own > width)
			width = own;
		more = more || (!option->refused && !is_shown(option, false));
	}
	own = print_name(0, more ? "help-all" : "help", "", text);
	if (own > width)
		width = own;
	printf("Usage: %s%s%s\n", program, usage[0] != '\n' ? " " : "", usage);
	for (option = options->list; groups->rows != NULL; groups++)
		option = print_group(groups, option, all, width);
	putchar('\n');
	print_line('h', "help", "",
		   more ? "Show the usual options and exit" : "Show this help and exit", width);
	if (more)
		print_line(0, "help-all", "", "Show all options and exit", width);
}

/* Read all options. Return EXIT_VALID, EXIT_REFUSED after a message, CLI_HELP,
 * CLI_HELP_ALL or -ENOMEM. */
static int read_all(struct options *options)
{
	struct option *option;
	int number;

	while ((number = cli_next_option(options->context, options->table)) > 0) {
		if (number == CLI_HELP || number == CLI_HELP_ALL)
			return number;
		option = &options->list[number - 1];
		if (option_add_text(option, option->row->argument != NULL
						    ? poptGetOptArg(options->context)
						    : strdup("yes")) < 0)
			return -ENOMEM;
	}
	if (number < 0)
		return -number;
	options->words = poptGetArgs(options->context);
	while (options->words != NULL && options->words[options->word_count] != NULL)
		options->word_count++;
	return EXIT_VALID;
}

int options_read(struct options *options, const struct option_group *groups, const char *usage,
		 const char *examples, int argc, const char **argv)
{
	struct error error = {0};
	int rc = -ENOMEM;

	if (list_options(options, groups) == 0)
		options->table = make_table(options);
	if (options->table != NULL && argc > 1 && strcmp(argv[1], COMPLETE_OPTION) == 0) {
		completion_list(options, usage, argv + 2);
		return CLI_HELP;
	}
	if (options->table != NULL)
		options->context = poptGetContext("throng", argc, argv, options->table, 0);
	if (options->context != NULL)
		rc = read_all(options);
	if (rc == CLI_HELP || rc == CLI_HELP_ALL) {
		print_help(options, groups, argv[0], usage, rc == CLI_HELP_ALL);
		if (examples != NULL)
			cli_print_examples(examples);
		return CLI_HELP;
	}
	if (rc >= 0)
		return rc;
	error_no_memory(&error);
	return cli_refuse(&error);
}

/* Add an option of a preset, with a text that is freed or kept. */
static int add_preset(struct options *options, struct option *option, char *text,
		      options_gives_way *gives_way)
{
	if (text == NULL || !gives_way(options, option->row->name, text))
		return option_add_preset(option, text);
	free(text);
	return 0;
}

int options_add_preset(struct options *options, const char *line, options_gives_way *gives_way)
{
	struct option *option;
	const char **words = NULL;
	poptContext context = NULL;
	int count, number = 0, rc;

	if (poptParseArgvString(line, &count, &words) < 0)
		return -EINVAL;
	context = poptGetContext("throng", count, words, options->table, POPT_CONTEXT_KEEP_FIRST);
	rc = context != NULL ? 0 : -ENOMEM;
	while (rc == 0 && (number = poptGetNextOpt(context)) > 0) {
		option = &options->list[number - 1];
		rc = add_preset(options, option,
				option->row->argument != NULL ? poptGetOptArg(context)
							      : strdup("yes"),
				gives_way);
	}
	if (rc == 0 && (number < -1 || poptPeekArg(context) != NULL))
		rc = -EINVAL;
	poptFreeContext(context);
	free(words);
	return rc;
}

int options_parse(const struct options *options, struct error *error)
{
	const struct option *option = options->list;
	char name[NAME_BYTES];
	size_t i;
	int rc = 0;

	for (i = 0; i < options->count && rc == 0; i++, option++) {
		snprintf(name, sizeof(name), "--%s", option->row->name);
		if (option->texts != NULL && option->row->bytes > 0)
			rc = option_parse(option, name, error);
	}
	return rc;
}

static const struct option *find_by_name(const struct options *options, const char *name)
{
	const struct option *option = options->list;
	size_t i;

	for (i = 0; i < options->count; i++, option++) {
		const char *known = option->row->name;

		if (strcmp(known, name) == 0)
			return option;
	}
	return NULL;
}

bool options_swept(const struct options *options, const char *name)
{
	const struct option *option = find_by_name(options, name);

	return option != NULL && (option->row->flags & OPTION_SWEPT) != 0;
}

int options_set(const struct options *options, const char *name, const char *text,
		const char *context, void *values, struct error *error)
{
	const struct option_row *row = find_by_name(options, name)->row;
	const char *texts[] = {text, NULL};
	const struct option option = {
		.row = row,
		.field = (char *)values + row->at,
		.texts = texts,
	};
	char whole[NAME_BYTES];

	snprintf(whole, sizeof(whole), "%s %s", context, name);
	return option_parse(&option, whole, error);
}

const char *const *options_texts(const struct options *options, const char *name)
{
	const struct option *option = find_by_name(options, name);

	return option != NULL ? option->texts : NULL;
}

const char *options_text(const struct options *options, const char *name)
{
	const char *const *texts = options_texts(options, name);

	return texts != NULL ? texts[0] : NULL;
}

bool options_given(const struct options *options, const char *name)
{
	const struct option *option = find_by_name(options, name);

	return option != NULL && option->text_count > option->preset_count;
}

const char *options_find(const struct options *options, unsigned mask, unsigned flags)
{
	const struct option *option = options->list;
	size_t i;

	for (i = 0; i < options->count; i++, option++)
		if (option->texts != NULL && (option->row->flags & mask) == flags)
			return option->row->name;
	return NULL;
}

void options_record(const struct options *options, struct result_run *run)
{
	size_t i;

	for (i = 0; i < options->count; i++)
		option_record(&options->list[i], run);
}

void options_free(struct options *options)
{
	size_t i;

	for (i = 0; i < options->count; i++) {
		free(options->list[i].help);
		option_free_texts(&options->list[i]);
	}
	free(options->list);
	free(options->table);
	poptFreeContext(options->context);
}
