/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/condition.h"

#include "base/clock.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The longest duration that a condition may have. */
#define DURATION_MAX_NS (30 * 24 * 3600 * NS_PER_S)

/* Buffer size for a value as typed. */
enum { VALUE_TEXT = 64 };

/*
 * Check if the text is `name`, or an operation, a dot and `name`. Set `before`
 * to the length of the operation (0: none). Compare the end of the text, as an
 * operation may contain dots, too.
 */
static bool ends_with(const char *text, size_t length, const char *name, size_t *before)
{
	size_t own = name != NULL ? strlen(name) : 0;

	if (own == 0 || length < own || memcmp(text + length - own, name, own) != 0)
		return false;
	*before = length - own;
	if (*before == 0)
		return true;
	(*before)--;
	return *before > 0 && text[*before] == '.';
}

/* Check if the text ends with a name of the figure: its own, that without the
 * unit, or the other one. */
static bool ends_with_figure(const char *text, size_t length, enum figure figure, size_t *before)
{
	char stem[METRIC_TEXT];

	snprintf(stem, sizeof(stem), "%.*s", (int)figure_stem(figure), figures[figure].name);
	return ends_with(text, length, figures[figure].name, before) ||
	       ends_with(text, length, stem, before) ||
	       ends_with(text, length, figures[figure].also, before);
}

static int refuse(const char *text, size_t length, const char *what, struct error *error)
{
	char names[512] = "";
	enum figure figure;
	size_t used = 0;

	/* List those that tables show. */
	for (figure = 0; figure < FIGURES && used < sizeof(names); figure++)
		if (figures[figure].heading != NULL)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.*s",
						 used > 0 ? ", " : "", (int)figure_stem(figure),
						 figures[figure].name);
	error_set(error,
		  "%s: unknown metric \"%.*s\"; expected one of %s, OPERATION.METRIC such as "
		  "ReadX.p99, or phase.NAME.METRIC",
		  what, (int)length, text, names);
	return -EINVAL;
}

/* The prefix of an "operation" that is a phase of the load. */
#define PHASE_PREFIX "phase."

const char *metric_phase(const struct metric *metric)
{
	size_t length = strlen(PHASE_PREFIX);

	return strncmp(metric->operation, PHASE_PREFIX, length) == 0 ? metric->operation + length
								     : NULL;
}

bool metric_is_of_operations(const struct metric *metric)
{
	return metric->figure < FIGURES_OF_OPERATIONS;
}

static int set_operation(const char *text, size_t length, const char *what, struct metric *metric,
			 struct error *error)
{
	bool is_phase = length > strlen(PHASE_PREFIX) &&
			strncmp(text, PHASE_PREFIX, strlen(PHASE_PREFIX)) == 0;

	if (length > 0 && !is_phase && !metric_is_of_operations(metric)) {
		error_set(error,
			  "%s: %.*s is not available for a single kind of operation, only for all "
			  "operations together",
			  what, (int)figure_stem(metric->figure), figures[metric->figure].name);
		return -EINVAL;
	}
	if (length >= METRIC_OPERATION) {
		error_set(error, "%s: the operation's name \"%.*s\" is longer than %d bytes", what,
			  (int)length, text, METRIC_OPERATION - 1);
		return -EINVAL;
	}
	memcpy(metric->operation, text, length);
	metric->operation[length] = '\0';
	return 0;
}

int metric_parse(const char *text, size_t length, const char *what, struct metric *metric,
		 struct error *error)
{
	enum figure figure;
	size_t before;

	for (figure = 0; figure < FIGURES; figure++) {
		if (!ends_with_figure(text, length, figure, &before))
			continue;
		metric->figure = figure;
		return set_operation(text, before, what, metric, error);
	}
	return refuse(text, length, what, error);
}

char *metric_name(const struct metric *metric, char text[METRIC_TEXT])
{
	snprintf(text, METRIC_TEXT, "%s%s%.*s", metric->operation,
		 metric->operation[0] != '\0' ? "." : "", (int)figure_stem(metric->figure),
		 figures[metric->figure].name);
	return text;
}

struct metric metric_named(const char *name)
{
	struct metric metric = {.figure = FIGURES};
	struct error ignored = {0};

	metric_parse(name, strlen(name), "", &metric, &ignored);
	return metric;
}

const char *metric_unit(const struct metric *metric)
{
	if (figures[metric->figure].form == FORM_SHARE)
		return "%";
	return figure_unit(metric->figure);
}

double metric_per_second(const struct metric *metric)
{
	return figure_per_second(metric->figure);
}

unsigned metric_min_samples(const struct metric *metric)
{
	unsigned samples = figures[metric->figure].samples;

	return samples > 0 ? samples : 1;
}

bool metric_is_open_loop(const struct metric *metric)
{
	return figures[metric->figure].open_loop;
}

bool metric_more_is_better(const struct metric *metric)
{
	return figures[metric->figure].more_is_better;
}

/* Return the record of a phase of the load or, if there are several loads, of
 * the first one with such a phase; or NULL. */
static const struct record *find_phase(const struct records *records, const char *name)
{
	size_t i;

	for (i = 0; i < records->count; i++) {
		const struct record_key *key = &records->list[i].key;

		if (key->operation == NULL && key->phase != NULL && strcmp(key->phase, name) == 0)
			return &records->list[i];
	}
	return NULL;
}

const struct record *metric_record(const struct metric *metric, const struct records *records)
{
	const struct record *record = NULL;

	if (metric->operation[0] == '\0')
		return records_total(records);
	if (metric_phase(metric) != NULL)
		record = find_phase(records, metric_phase(metric));
	return record != NULL ? record
			      : record_operation(records_total(records), metric->operation);
}

bool metric_value(const struct metric *metric, const struct records *records, double *value)
{
	const struct record *record = metric_record(metric, records);

	return record != NULL && metric_value_of(metric, record, value);
}

bool metric_value_of(const struct metric *metric, const struct record *record, double *value)
{
	const struct figure_info *info = &figures[metric->figure];

	*value = record_value(record, metric->figure);
	/* Without a value, nothing was counted, or too little for a time. */
	if (isnan(*value) && info->form == FORM_COUNT && metric->figure < record->value_count)
		*value = 0;
	if (info->form == FORM_SHARE)
		*value *= 100;
	return !isnan(*value);
}

static const char *const relations[] = {
	[CONDITION_LESS] = "<",
	[CONDITION_AT_MOST] = "<=",
	[CONDITION_MORE] = ">",
	[CONDITION_AT_LEAST] = ">=",
};

/* Return the length of the text without trailing blanks. */
static size_t without_blanks(const char *text, size_t length)
{
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	return length;
}

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Parse the relation (<, <=, > or >=). Return the text that follows it, or
 * NULL. */
static const char *parse_relation(const char *text, enum condition_relation *relation)
{
	bool or_equal = text[0] != '\0' && text[1] == '=';

	if (text[0] == '<')
		*relation = or_equal ? CONDITION_AT_MOST : CONDITION_LESS;
	else if (text[0] == '>')
		*relation = or_equal ? CONDITION_AT_LEAST : CONDITION_MORE;
	else
		return NULL;
	text += or_equal ? 2 : 1;
	return strchr("<=>!", *text) != NULL && *text != '\0' ? NULL : text;
}

/* Parse a duration. Refuse a number without a unit: tables show ms, but
 * durations without a unit are seconds elsewhere. */
static int parse_duration(const char *text, const char *what, struct condition *condition,
			  struct error *error)
{
	uint64_t ns;
	int rc;

	if (isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789.")] == '\0') {
		error_set(error, "%s: \"%s\" has no unit; expected a duration such as %sms", what,
			  text, text);
		return -EINVAL;
	}
	rc = units_parse_duration(text, what, 0, DURATION_MAX_NS, &ns, error);
	if (rc == 0)
		condition->value = (double)ns / (double)NS_PER_S *
				   metric_per_second(&condition->metric);
	return rc;
}

/* Parse a number; the metric's own unit may follow it. */
static int parse_number(char *text, const char *what, struct condition *condition,
			struct error *error)
{
	const char *unit = metric_unit(&condition->metric);
	size_t length = strlen(text), own = strlen(unit);
	int rc;

	if (length > own && strcmp(text + length - own, unit) == 0)
		text[length - own] = '\0';
	rc = units_parse_number(text, what, &condition->value, error);
	/* The unit has a prefix of its own: 1G would be 10^9 MB/s. */
	if (rc == 0 && isupper((unsigned char)unit[0]) && strpbrk(text, "kKMGT") != NULL) {
		error_set(error, "%s: %s has a unit; expected a number of %s, such as 1000", what,
			  text, unit);
		return -EINVAL;
	}
	return rc;
}

static int parse_value(const char *text, const char *what, struct condition *condition,
		       struct error *error)
{
	size_t length = without_blanks(text, strlen(text));
	size_t number = strspn(text, "0123456789.");
	char value[VALUE_TEXT];
	const char *unit;

	if (length == 0) {
		error_set(error, "%s: expected a value after <, <=, > or >=", what);
		return -EINVAL;
	}
	if (length >= sizeof(value)) {
		error_set(error, "%s: the value \"%s\" is longer than %zu characters", what, text,
			  sizeof(value) - 1);
		return -EINVAL;
	}
	unit = skip_blanks(text + number);
	if (isdigit((unsigned char)*unit))
		unit = text + number; /* keep the blank, to refuse "1 2" */
	snprintf(value, sizeof(value), "%.*s%.*s", (int)number, text,
		 (int)without_blanks(unit, strlen(unit)), unit);
	return metric_per_second(&condition->metric) > 0
		       ? parse_duration(value, what, condition, error)
		       : parse_number(value, what, condition, error);
}

int condition_parse(const char *text, const char *option, struct condition *condition,
		    struct error *error)
{
	const char *name = skip_blanks(text);
	size_t length = strcspn(name, "<=>!");
	const char *value = parse_relation(name + length, &condition->relation);
	char what[256];
	int rc;

	snprintf(what, sizeof(what), "%s '%s'", option, text);
	if (value == NULL) {
		if (name[length] != '\0')
			error_set(error,
				  "%s: expected <, <=, > or >= and a value instead of \"%s\", as "
				  "in p99<50ms",
				  what, name + length);
		else
			error_set(error,
				  "%s: expected <, <=, > or >= after the name of the metric, as in "
				  "p99<50ms",
				  what);
		return -EINVAL;
	}
	rc = metric_parse(name, without_blanks(name, length), what, &condition->metric, error);
	if (rc < 0)
		return rc;
	return parse_value(skip_blanks(value), what, condition, error);
}

static bool compare(double figure, const struct condition *condition)
{
	switch (condition->relation) {
	case CONDITION_LESS:
		return figure < condition->value;
	case CONDITION_AT_MOST:
		return figure <= condition->value;
	case CONDITION_MORE:
		return figure > condition->value;
	case CONDITION_AT_LEAST:
		return figure >= condition->value;
	}
	return false;
}

enum condition_answer condition_holds(const struct condition *condition,
				      const struct records *records)
{
	double figure;

	if (!metric_value(&condition->metric, records, &figure))
		return CONDITION_UNKNOWN;
	return compare(figure, condition) ? CONDITION_YES : CONDITION_NO;
}

/* Print a value with significant `digits`: "61.2 ms", "123456 /s", "90 %".
 * Print durations from 1000 ms in seconds, as people type them. */
static void print_value(double value, int digits, const char *unit, char text[VALUE_TEXT])
{
	const char *blank = unit[0] != '\0' ? " " : "";

	if (value >= 1000 && strcmp(unit, "ms") == 0) {
		value /= 1000;
		unit = "s";
	}
	if (value >= 1e4 && value < 1e15 && digits <= 4)
		snprintf(text, VALUE_TEXT, "%.0f%s%s", value, blank, unit);
	else
		snprintf(text, VALUE_TEXT, "%.*g%s%s", digits, value, blank, unit);
}

char *condition_print(const struct condition *condition, char text[CONDITION_TEXT])
{
	char name[METRIC_TEXT], value[VALUE_TEXT];

	/* Print 12 digits, more than anybody types, to show the limit
	 * exactly. */
	print_value(condition->value, 12, metric_unit(&condition->metric), value);
	snprintf(text, CONDITION_TEXT, "%s %s %s", metric_name(&condition->metric, name),
		 relations[condition->relation], value);
	return text;
}

char *condition_explain(const struct condition *condition, const struct records *records,
			char text[CONDITION_TEXT])
{
	const char *unit = metric_unit(&condition->metric);
	char name[METRIC_TEXT], is[VALUE_TEXT], limit[VALUE_TEXT];
	int digits = 4;
	double figure;

	metric_name(&condition->metric, name);
	if (!metric_value(&condition->metric, records, &figure)) {
		snprintf(text, CONDITION_TEXT, "%s is not known", name);
		return text;
	}
	/* Print enough digits of the figure to avoid "p99 is 50 ms, not < 50
	 * ms". */
	print_value(condition->value, 12, unit, limit);
	do
		print_value(figure, digits++, unit, is);
	while (digits < 18 && figure != condition->value && strcmp(is, limit) == 0);
	snprintf(text, CONDITION_TEXT, "%s is %s, %s%s %s", name, is,
		 compare(figure, condition) ? "" : "not ", relations[condition->relation], limit);
	return text;
}

unsigned condition_max_users(const struct condition *condition, const struct result *result)
{
	unsigned users = 0;
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (!result_is_valid(point) ||
		    condition_holds(condition, &point->records) != CONDITION_YES)
			break;
		users = point->users;
	}
	return users;
}
