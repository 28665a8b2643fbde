/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/option.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static char *join(const char *const *texts, const char *comma, const char *last)
{
	char *list = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&list, &bytes);

	if (stream == NULL)
		return NULL;
	for (i = 0; texts[i] != NULL; i++)
		fprintf(stream, "%s%s",
			i == 0                 ? ""
			: texts[i + 1] != NULL ? comma
					       : last,
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
		fprintf(stream, "%" PRIu64 "%s", get_number(option),
			row->unit != NULL ? row->unit : "");
		break;
	case OPTION_SIZE:
		fputs(units_print_bytes(get_number(option), text), stream);
		break;
	case OPTION_DURATION:
		fprintf(stream, "%g s", (double)get_number(option) / NS_PER_S);
		break;
	case OPTION_SHARE:
		fprintf(stream, "%g%%", 100 * *(double *)option->field);
		break;
	case OPTION_WORD:
		fputs(row->words[get_number(option)], stream);
		break;
	case OPTION_FLAG:
	case OPTION_NUMBER:
	case OPTION_TEXTS:
		break;
	}
}

char *option_help(const struct option *option)
{
	const struct option_row *row = option->row;
	char *words = row->words != NULL ? join(row->words, ", ", " or ") : NULL;
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
		fputs(" (default ", stream);
		print_default(option, stream);
		fputc(')', stream);
	}
	fclose(stream);
	return help;
}

void option_free_texts(struct option *option)
{
	size_t i;

	for (i = 0; i < option->text_count; i++)
		free((char *)option->texts[i]);
	free(option->texts);
	option->texts = NULL;
	option->text_count = 0;
}

int option_add_text(struct option *option, char *text)
{
	const char **longer;

	if (option->row->kind != OPTION_TEXTS)
		option_free_texts(option);
	longer = reallocarray(option->texts, option->text_count + 2, sizeof(*longer));
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

int option_add_preset(struct option *option, char *text)
{
	size_t at = option->preset_count;

	if (option_add_text(option, text) < 0)
		return -ENOMEM;
	if (at == option->text_count)
		return 0; /* it has replaced another text of the preset */
	memmove(&option->texts[at + 1], &option->texts[at],
		(option->text_count - 1 - at) * sizeof(*option->texts));
	option->texts[at] = text;
	option->preset_count++;
	return 0;
}

/* Parse a share, such as "0.05" or "5%". */
static int parse_share(const char *text, const char *name, const struct option_row *row,
		       double *share, struct error *error)
{
	char *end;
	double value = strtod(text, &end);

	if (end != text && strcmp(end, "%") == 0) {
		value /= 100;
		end++;
	}
	/* Refuse hexadecimal numbers, which strtod accepts. */
	if (end != text && *end == '\0' && strpbrk(text, "xX") == NULL && value >= row->share_min &&
	    value < row->share_limit) {
		*share = value;
		return 0;
	}
	error_set(error, "%s: \"%s\" must be a number from %g to below %g, such as 0.05 or 5%%",
		  name, text, row->share_min, row->share_limit);
	return -EINVAL;
}

/* Parse a number, such as "2.5" or "10k". */
static int parse_number(const char *text, const char *name, const struct option_row *row,
			double *number, struct error *error)
{
	double value;
	int rc;

	if (row->infinite != NULL && strcmp(text, row->infinite) == 0) {
		*number = INFINITY;
		return 0;
	}
	rc = units_parse_number(text, name, &value, error);
	if (rc < 0)
		return rc;
	if (value >= row->share_min && value <= row->share_limit) {
		*number = value;
		return 0;
	}
	error_set(error, "%s: %s is out of range (%g to %g)", name, text, row->share_min,
		  row->share_limit);
	return -EINVAL;
}

static int parse_word(const char *text, const char *name, const char *const *words, uint64_t *index,
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

static int check_ending(const char *text, const char *name, const struct option_row *row,
			struct error *error)
{
	size_t length = strlen(text), wanted = strlen(row->ending);

	if (length > wanted && strcmp(text + length - wanted, row->ending) == 0)
		return 0;
	error_set(error, "%s: unknown format: \"%s\" must end in %s", name, text, row->ending);
	return -EINVAL;
}

int option_parse(const struct option *option, const char *name, struct error *error)
{
	static const char *const no_or_yes[] = {"no", "yes", NULL};
	const struct option_row *row = option->row;
	const char *text = option->texts[0];
	uint64_t value;
	int rc = -EINVAL;

	switch (row->kind) {
	case OPTION_FLAG:
		rc = parse_word(text, name, no_or_yes, &value, error);
		break;
	case OPTION_TEXT:
		if (row->parse != NULL)
			return row->parse(text, name, option->field, error);
		*(const char **)option->field = text;
		return row->ending == NULL ? 0 : check_ending(text, name, row, error);
	case OPTION_TEXTS:
		*(const char *const **)option->field = option->texts;
		return 0;
	case OPTION_COUNT:
		rc = units_parse_count(text, name, row->min, row->max, &value, error);
		break;
	case OPTION_SIZE:
		rc = units_parse_size(text, name, row->min, row->max, &value, error);
		break;
	case OPTION_DURATION:
		rc = units_parse_duration(text, name, row->min, row->max, &value, error);
		break;
	case OPTION_SHARE:
		return parse_share(text, name, row, option->field, error);
	case OPTION_NUMBER:
		return parse_number(text, name, row, option->field, error);
	case OPTION_WORD:
		rc = parse_word(text, name, row->words, &value, error);
		break;
	}
	if (rc == 0)
		set_number(option, value);
	return rc;
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

void option_record(const struct option *option, struct result_run *run)
{
	const struct option_row *row = option->row;

	if (row->plan_at > 0)
		memcpy((char *)run + row->plan_at, option->field, row->bytes);
	if (row->record == NULL || option->texts == NULL)
		return;
	if (row->record_as != NULL)
		result_add_option(run, row->record, "%s", row->record_as);
	else if (row->kind == OPTION_TEXTS)
		record_texts(option, run);
	else if (row->kind == OPTION_SIZE)
		result_add_option(run, row->record, "%" PRIu64, get_number(option));
	else if (row->kind != OPTION_COUNT || get_number(option) > 0)
		result_add_option(run, row->record, "%s", option->texts[0]);
}
