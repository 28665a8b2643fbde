/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_BYTES = 64,
	HELP_COLUMNS = 79, /* width of the part that popt prints */
};

/* Set the field of an option: a bool, an enum, an unsigned or a uint64_t. */
static void set_number(const struct option *option, uint64_t value)
{
	switch (option->row->bytes) {
	case sizeof(bool):
		*(bool *)option->field = value != 0;
		break;
	case sizeof(unsigned):
		*(unsigned *)option->field = (unsigned)value;
		break;
	default:
		*(uint64_t *)option->field = value;
	}
}

static uint64_t get_number(const struct option *option)
{
	switch (option->row->bytes) {
	case sizeof(bool):
		return *(bool *)option->field;
	case sizeof(unsigned):
		return *(unsigned *)option->field;
	default:
		return *(uint64_t *)option->field;
	}
}

/* Join texts as "a, b or c", with `comma` between them and `last` before the
 * last one. Return an allocated text, or NULL. */
static char *join(const char *const *texts, const char *comma,
		  const char *last)
{
	char *list = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&list, &bytes);

	if (stream == NULL)
		return NULL;
	for (i = 0; texts[i] != NULL; i++)
		fprintf(stream, "%s%s",
			i == 0 ? "" : texts[i + 1] != NULL ? comma : last,
			texts[i]);
	fclose(stream);
	return list;
}

static void print_default(const struct option *option, FILE *stream)
{
	const struct option_row *row = option->row;
	char text[UNITS_TEXT];

	switch (row->kind) {
	case OPTION_TEXT:
		fputs(*(const char **)option->field, stream);
		break;
	case OPTION_COUNT:
		fprintf(stream, "%" PRIu64, get_number(option));
		break;
	case OPTION_SIZE:
		fputs(units_print_bytes(get_number(option), text), stream);
		break;
	case OPTION_DURATION:
		fprintf(stream, "%g", (double)get_number(option) / NS_PER_S);
		break;
	case OPTION_SHARE:
		fprintf(stream, "%g%%", 100 * *(double *)option->field);
		break;
	case OPTION_WORD:
		fputs(row->words[get_number(option)], stream);
		break;
	case OPTION_FLAG:
	case OPTION_TEXTS:
	case OPTION_TIME:
		break;
	}
}

/* Return an allocated help text: the row's help, its words and its default.
 * Return NULL if memory is short. */
static char *make_help(const struct option *option)
{
	const struct option_row *row = option->row;
	char *words = row->words != NULL ? join(row->words, ", ", " or ")
					 : NULL;
	char *help = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&help, &bytes);

	if (stream == NULL) {
		free(words);
		return NULL;
	}
	fputs(row->help, stream);
	if (words != NULL)
		fprintf(stream, ": %s", words);
	free(words);
	if (row->flags & OPTION_SHOWS_DEFAULT) {
		fputs(" (", stream);
		print_default(option, stream);
		fputc(')', stream);
	}
	fclose(stream);
	return help;
}

/* Fill in options->list. Return 0 or -ENOMEM. */
static int list_options(struct options *options,
			const struct option_group *groups)
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
				snprintf(option.argument,
					 sizeof(option.argument), "%s%s",
					 row->argument,
					 row->kind == OPTION_TEXTS ? "..."
								   : "");
			if (row->help != NULL)
				option.help = make_help(&option);
			if ((row->help != NULL && option.help == NULL) ||
			    array_append(&options->list, &options->count,
					 &option, sizeof(option)) < 0) {
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
		.argInfo = (row->argument != NULL ? POPT_ARG_STRING
						  : POPT_ARG_NONE) |
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
	struct poptOption *table = calloc(3 * options->count + 2,
					  sizeof(*table));
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

static void free_texts(struct option *option)
{
	size_t i;

	for (i = 0; i < option->text_count; i++)
		free((char *)option->texts[i]);
	free(option->texts);
	option->texts = NULL;
	option->text_count = 0;
}

/* Add an allocated text to an option's texts. An option of kind OPTION_TEXTS
 * keeps its earlier texts; for any other kind they are freed. */
static int add_text(struct option *option, char *text)
{
	const char **longer;

	if (option->row->kind != OPTION_TEXTS)
		free_texts(option);
	longer = reallocarray(option->texts, option->text_count + 2,
			      sizeof(*longer));
	if (longer != NULL)
		option->texts = longer;
	if (longer == NULL || text == NULL) {
		free(text);
		return -ENOMEM;
	}
	longer[option->text_count++] = text;
	longer[option->text_count] = NULL;
	return 0;
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
static void print_shared(const struct options *options,
			 const struct option_group *groups)
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
		printf("%.*s", (int)strcspn(group->heading, ":"),
		       group->heading);
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

	while ((number = cli_next_option(options->context)) > 0) {
		if (number == CLI_HELP) {
			print_shared(options, groups);
			print_brief(options);
			cli_print_examples(examples);
			return CLI_HELP;
		}
		option = &options->list[number - 1];
		if (add_text(option, option->row->argument != NULL
					     ? poptGetOptArg(options->context)
					     : strdup("yes")) < 0)
			return -ENOMEM;
	}
	if (number < 0)
		return -number;
	options->words = poptGetArgs(options->context);
	while (options->words != NULL &&
	       options->words[options->word_count] != NULL)
		options->word_count++;
	return EXIT_VALID;
}

int options_read(struct options *options, const struct option_group *groups,
		 const char *usage, const char *examples, int argc,
		 const char **argv)
{
	struct error error = {0};
	int rc = -ENOMEM;

	if (list_options(options, groups) == 0)
		options->table = make_table(options, groups);
	if (options->table != NULL)
		options->context = poptGetContext("throng", argc, argv,
						  options->table, 0);
	if (options->context != NULL) {
		poptSetOtherOptionHelp(options->context, usage);
		rc = read_all(options, groups, examples);
	}
	if (rc >= 0)
		return rc;
	error_no_memory(&error);
	return cli_refuse(&error);
}

/* Parse a share, such as "0.05" or "5%". */
static int parse_share(const char *text, const char *name,
		       const struct option_row *row, double *share,
		       struct error *error)
{
	char *end;
	double value = strtod(text, &end);

	if (end != text && strcmp(end, "%") == 0) {
		value /= 100;
		end++;
	}
	/* Refuse hexadecimal numbers, which strtod accepts. */
	if (end != text && *end == '\0' && strpbrk(text, "xX") == NULL &&
	    value >= row->share_min && value < row->share_limit) {
		*share = value;
		return 0;
	}
	error_set(error, "%s: \"%s\" must be a number from %g to below %g, "
		  "such as 0.05 or 5%%", name, text, row->share_min,
		  row->share_limit);
	return -EINVAL;
}

static int parse_word(const char *text, const char *name,
		      const char *const *words, uint64_t *index,
		      struct error *error)
{
	char *list;

	for (*index = 0; words[*index] != NULL; (*index)++)
		if (strcmp(words[*index], text) == 0)
			return 0;
	list = join(words, ", ", " or ");
	if (list == NULL)
		return error_no_memory(error);
	error_set(error, "%s: \"%s\" must be %s", name, text, list);
	free(list);
	return -EINVAL;
}

static int check_ending(const char *text, const char *name,
			const struct option_row *row, struct error *error)
{
	size_t length = strlen(text), wanted = strlen(row->ending);
	const char *hint = row->ending_hint;

	if (length > wanted && strcmp(text + length - wanted, row->ending) == 0)
		return 0;
	error_set(error, "%s: unknown format: \"%s\" must end in %s%s%s%s",
		  name, text, row->ending, hint != NULL ? " (" : "",
		  hint != NULL ? hint : "", hint != NULL ? ")" : "");
	return -EINVAL;
}

/* Set an option's field from its text or texts. `name` is for messages. */
static int parse(const struct option *option, const char *name,
		 struct error *error)
{
	const struct option_row *row = option->row;
	const char *text = option->texts[0];
	uint64_t value = 1;
	int rc = 0;

	switch (row->kind) {
	case OPTION_FLAG:
		break;
	case OPTION_TEXT:
		*(const char **)option->field = text;
		return row->ending == NULL
			       ? 0 : check_ending(text, name, row, error);
	case OPTION_TEXTS:
		*(const char *const **)option->field = option->texts;
		return 0;
	case OPTION_COUNT:
		rc = units_parse_count(text, name, row->min, row->max, &value,
				       error);
		break;
	case OPTION_SIZE:
		rc = units_parse_size(text, name, row->min, row->max, &value,
				      error);
		break;
	case OPTION_DURATION:
		rc = units_parse_duration(text, name, row->min, row->max,
					  &value, error);
		break;
	case OPTION_TIME:
		rc = units_parse_time(text, name, &value, error);
		break;
	case OPTION_SHARE:
		return parse_share(text, name, row, option->field, error);
	case OPTION_WORD:
		rc = parse_word(text, name, row->words, &value, error);
		break;
	}
	if (rc == 0)
		set_number(option, value);
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
			rc = parse(option, name, error);
	}
	return rc;
}

static const struct option *find_by_name(const struct options *options,
					 const char *name)
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

bool options_is(const struct options *options, const char *name,
		unsigned flags)
{
	const struct option *option = find_by_name(options, name);

	return option != NULL && (option->row->flags & flags) == flags;
}

int options_set(const struct options *options, const char *name,
		const char *text, const char *context, void *values,
		struct error *error)
{
	static const char *const no_or_yes[] = {"no", "yes", NULL};
	const struct option_row *row = find_by_name(options, name)->row;
	const char *texts[] = {text, NULL};
	const struct option option = {
		.row = row,
		.field = (char *)values + row->at,
		.texts = texts,
	};
	char whole[NAME_BYTES];
	uint64_t value;
	int rc;

	snprintf(whole, sizeof(whole), "%s %s", context, name);
	if (row->kind != OPTION_FLAG)
		return parse(&option, whole, error);
	rc = parse_word(text, whole, no_or_yes, &value, error);
	if (rc == 0)
		set_number(&option, value);
	return rc;
}

const char *const *options_texts(const struct options *options,
				 const char *name)
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
	return options_texts(options, name) != NULL;
}

const char *options_find(const struct options *options, unsigned mask,
			 unsigned flags)
{
	const struct option *option = options->list;
	size_t i;

	for (i = 0; i < options->count; i++, option++)
		if (option->texts != NULL &&
		    (option->row->flags & mask) == flags)
			return option->row->name;
	return NULL;
}

/* Record all texts of an option as "a or b", or as "a, b" (OPTION_ALL). */
static void record_texts(const struct option *option, struct result_run *run)
{
	const char *between = option->row->flags & OPTION_ALL ? ", " : " or ";
	char *all = join(option->texts, between, between);

	if (all != NULL)
		result_add_option(run, option->row->record, "%s", all);
	free(all);
}

static void record(const struct option *option, struct result_run *run)
{
	const struct option_row *row = option->row;

	if (row->record_as != NULL)
		result_add_option(run, row->record, "%s", row->record_as);
	else if (row->kind == OPTION_TEXTS)
		record_texts(option, run);
	else if (row->kind == OPTION_SIZE)
		result_add_option(run, row->record, "%" PRIu64,
				  get_number(option));
	else if (row->kind != OPTION_COUNT || get_number(option) > 0)
		result_add_option(run, row->record, "%s", option->texts[0]);
}

void options_record(const struct options *options, struct result_run *run)
{
	const struct option *option = options->list;
	size_t i;

	for (i = 0; i < options->count; i++, option++) {
		if (option->row->plan_at > 0)
			memcpy((char *)run + option->row->plan_at,
			       option->field, option->row->bytes);
		if (option->row->record != NULL && option->texts != NULL)
			record(option, run);
	}
}

void options_free(struct options *options)
{
	size_t i;

	for (i = 0; i < options->count; i++) {
		free(options->list[i].help);
		free_texts(&options->list[i]);
	}
	free(options->list);
	free(options->table);
	poptFreeContext(options->context);
}
