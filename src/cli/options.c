/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include "base/array.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_BYTES = 64,
	HELP_COLUMNS = 79, /* width of the part that popt prints */
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
				.of_run = group->of_run,
			};

			if (row->argument != NULL)
				snprintf(option.argument, sizeof(option.argument), "%s%s",
					 row->argument,
					 row->kind == OPTION_TEXTS && !(row->flags & OPTION_ONCE)
						 ? "..."
						 : "");
			if (row->help != NULL)
				option.help = option_help(&option);
			if ((row->help != NULL && option.help == NULL) ||
			    array_append(&options->list, &options->count, &option, sizeof(option)) <
				    0) {
				free(option.help);
				return -ENOMEM;
			}
		}
	}
	return 0;
}

/* Check if help has a line that describes the option. */
static bool is_listed(const struct option *option)
{
	return !option->of_run && option->help != NULL;
}

/* Return popt's row for an option. poptGetNextOpt will return `number`, from 1,
 * for it. */
static struct poptOption popt_row(const struct option *option, int number)
{
	const struct option_row *row = option->row;

	return (struct poptOption){
		.longName = row->name,
		.shortName = row->letter,
		.argInfo = (row->argument != NULL ? POPT_ARG_STRING : POPT_ARG_NONE) |
			   (is_listed(option) ? 0 : POPT_ARGFLAG_DOC_HIDDEN),
		.val = number,
		.descrip = option->help,
		.argDescrip = option->argument,
	};
}

/*
 * Return an allocated table for popt, or NULL. A group with a heading becomes a
 * table of its own, stored after the main table, which includes it.
 */
static struct poptOption *make_table(const struct options *options,
				     const struct option_group *groups)
{
	/* Make room for the worst case, in which each option has a group of its
	 * own: three rows, to include the group's table, for the option, and
	 * for the end of the table. */
	struct poptOption *table = calloc(3 * options->count + 2, sizeof(*table));
	struct poptOption *top = table, *grouped, **next;
	const struct option *option = options->list;
	const struct option_group *group;
	const struct option_row *row;
	struct poptOption *head;
	int number = 0;

	if (table == NULL)
		return NULL;
	grouped = table + options->count + 2;
	for (group = groups; group->rows != NULL; group++) {
		next = group->heading != NULL ? &grouped : &top;
		head = top;
		if (group->heading != NULL)
			*top++ = (struct poptOption){
				.argInfo = POPT_ARG_INCLUDE_TABLE,
				.arg = grouped,
			};
		for (row = group->rows; row->name != NULL; row++, option++) {
			/* Set a heading only if the group has a visible option:
			 * popt would also print it without any. */
			if (group->heading != NULL && is_listed(option))
				head->descrip = group->heading;
			*(*next)++ = popt_row(option, ++number);
		}
		if (group->heading != NULL)
			/* Leave a row of zeros, which ends the table. */
			grouped++;
	}
	*top = (struct poptOption)CLI_HELP_ROW;
	return table;
}

/* Print an option's name. Begin a new line if the current one is full. */
static void print_name(const char *name, const char *argument, int *column)
{
	const char *sign = argument[0] != '\0' ? "=" : "";
	int width = snprintf(NULL, 0, " --%s%s%s", name, sign, argument);

	if (*column == 0 || *column + width > HELP_COLUMNS) {
		fputs(*column == 0 ? " " : "\n ", stdout);
		*column = 1;
	}
	*column += printf(" --%s%s%s", name, sign, argument);
}

/* Print the names of the options that help does not describe. */
static void print_brief(const struct options *options)
{
	const struct option *option = options->list;
	int column = 0;
	size_t i;

	for (i = 0; i < options->count; i++, option++) {
		if (option->of_run || is_listed(option))
			continue;
		if (column == 0)
			puts("\nMore options, described in throng(1):");
		print_name(option->row->name, option->argument, &column);
	}
	if (column > 0)
		putchar('\n');
}

/* Print which groups of options only the help of `throng run` describes, and
 * which options in them this subcommand refuses. */
static void print_shared(const struct options *options, const struct option_group *groups)
{
	const struct option_group *group;
	const struct option *option = options->list;
	bool first = true;
	int column = 0;
	size_t i;

	for (group = groups; group->rows != NULL; group++) {
		if (!group->of_run)
			continue;
		fputs(first ? "\n" : group[1].of_run ? ", " : " and ", stdout);
		printf("%.*s", (int)strcspn(group->heading, ":"), group->heading);
		first = false;
	}
	if (first)
		return;
	puts(", as in `throng run --help', except:");
	for (i = 0; i < options->count; i++, option++)
		if (option->of_run && option->row->flags & OPTION_RUN_ONLY)
			print_name(option->row->name, "", &column);
	putchar('\n');
}

/* Read all options. Return what options_read returns, or -ENOMEM. */
static int read_all(struct options *options, const struct option_group *groups,
		    const char *examples)
{
	struct option *option;
	int number;

	while ((number = cli_next_option(options->context, options->table)) > 0) {
		if (number == CLI_HELP) {
			print_shared(options, groups);
			print_brief(options);
			cli_print_examples(examples);
			return CLI_HELP;
		}
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
		options->table = make_table(options, groups);
	if (options->table != NULL)
		options->context = poptGetContext("throng", argc, argv, options->table, 0);
	if (options->context != NULL) {
		poptSetOtherOptionHelp(options->context, usage);
		rc = read_all(options, groups, examples);
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
