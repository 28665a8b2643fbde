/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/charts/lines.h"

#include "report/naming.h"
#include "result/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a name that is its own mark. */
enum { MARK_LENGTH = 8 };

/* The points of a view are numbered, place after place; those that a side lacks,
 * too. */
static size_t count_points(const struct view *view)
{
	return view->place_count * view->side_count;
}

static const struct result_point *point_at(const struct view *view, size_t index)
{
	return view->places[index / view->side_count].points[index % view->side_count];
}

/* Return the values of a point: pairs of names and values, which are short already
 * if there are several results. */
static char *const *set_at(const struct view *view, size_t index, size_t *count)
{
	const struct view_place *place = &view->places[index / view->side_count];
	const struct result_point *point = point_at(view, index);

	*count = view_has_several(view) ? place->set_count : point->set_count;
	return view_has_several(view) ? place->set : point->set;
}

/* Return the short name of the point's value of an axis; NULL: it has none. */
static const char *value_at(const struct view *view, size_t index, const char *axis)
{
	const char *value;
	char *const *set;
	size_t count;

	if (axis == NULL || point_at(view, index) == NULL)
		return NULL;
	set = set_at(view, index, &count);
	value = variant_set_value(set, count, axis);
	return value == NULL || view_has_several(view) ? value
						       : naming_value(view->naming, axis, value);
}

/* Return the last axis of the first point that has several values, or NULL. */
static const char *find_axis(const struct view *view)
{
	const char *axis = NULL;
	char *const *set;
	size_t first = 0, count = 0, i, j;

	while (first < count_points(view) && point_at(view, first) == NULL)
		first++;
	if (first == count_points(view))
		return NULL;
	set = set_at(view, first, &count);
	for (i = 0; i < count; i++) {
		for (j = first; j < count_points(view); j++) {
			const char *value = value_at(view, j, set[2 * i]);

			if (value != NULL && strcmp(value, value_at(view, first, set[2 * i])) != 0)
				axis = set[2 * i];
		}
	}
	return axis;
}

/* Return the index of the first step whose user count is not less. */
static size_t find_users(const struct lines *lines, unsigned users)
{
	size_t i = 0;

	while (i < lines->step_count && lines->steps[i] < users)
		i++;
	return i;
}

/* Return the index of the step with a value, or the number of steps. */
static size_t find_value(const struct lines *lines, const char *value)
{
	size_t i = 0;

	while (i < lines->step_count && strcmp(lines->values[i], value) != 0)
		i++;
	return i;
}

/* Insert a step before the step `at`. */
static void insert_step(struct lines *lines, size_t at, unsigned step)
{
	memmove(&lines->steps[at + 1], &lines->steps[at],
		(lines->step_count - at) * sizeof(*lines->steps));
	lines->steps[at] = step;
	lines->step_count++;
}

/* Add the steps of a point that are missing. */
static void add_steps(struct lines *lines, const struct view *view, size_t index)
{
	const struct result_point *point = point_at(view, index);
	const char *value = value_at(view, index, lines->axis);
	size_t at;

	if (lines->across == LINES_BY_REPEAT) {
		while (lines->step_count < point->repeat_count)
			insert_step(lines, lines->step_count, (unsigned)lines->step_count + 1);
	} else if (lines->across == LINES_BY_USERS) {
		at = find_users(lines, point->users);
		if (at == lines->step_count || lines->steps[at] != point->users)
			insert_step(lines, at, point->users);
	} else if (value != NULL && find_value(lines, value) == lines->step_count) {
		lines->values[lines->step_count] = value;
		insert_step(lines, lines->step_count, (unsigned)lines->step_count + 1);
	}
}

static void add_all_steps(struct lines *lines, const struct view *view)
{
	size_t i;

	for (i = 0; i < count_points(view); i++)
		if (point_at(view, i) != NULL)
			add_steps(lines, view, i);
}

/* Choose the steps of the x axis. */
static int choose_steps(struct lines *lines, const struct view *view)
{
	size_t room = 1, i;

	for (i = 0; i < count_points(view); i++)
		room += point_at(view, i) != NULL ? point_at(view, i)->repeat_count : 0;
	lines->steps = calloc(room, sizeof(*lines->steps));
	lines->values = calloc(room, sizeof(*lines->values));
	if (lines->steps == NULL || lines->values == NULL)
		return -ENOMEM;
	lines->across = LINES_BY_USERS;
	add_all_steps(lines, view);
	if (lines->step_count > 1)
		return 0;
	lines->step_count = 0;
	lines->axis = find_axis(view);
	lines->across = lines->axis != NULL ? LINES_BY_VALUE : LINES_BY_REPEAT;
	add_all_steps(lines, view);
	return 0;
}

/* Check if a point belongs to a line: it has its side and its values, but for that of
 * the x axis. By value, the variants of a result have lines in common. */
static bool is_of_line(const struct lines *lines, const struct view *view, const struct line *line,
		       size_t index)
{
	char *const *set;
	size_t count, i;

	if (line->side != &view->sides[index % view->side_count] &&
	    (view_has_several(view) || lines->across != LINES_BY_VALUE))
		return false;
	set = set_at(view, index, &count);
	for (i = 0; i < count; i++) {
		const char *value = value_at(view, line->first, set[2 * i]);

		if (lines->axis != NULL && strcmp(set[2 * i], lines->axis) == 0)
			continue;
		if (value == NULL || strcmp(value, value_at(view, index, set[2 * i])) != 0)
			return false;
	}
	return true;
}

/* Add a point to its line, or to a new one. */
static int add_point(struct lines *lines, const struct view *view, size_t index)
{
	const struct result_point *point = point_at(view, index);
	const char *value = value_at(view, index, lines->axis);
	struct line *line = lines->list;
	size_t step = 0, repeats = 1;

	if (lines->across == LINES_BY_VALUE && value == NULL)
		return 0;
	while (line < lines->list + lines->count && !is_of_line(lines, view, line, index))
		line++;
	if (line == lines->list + lines->count) {
		line->side = &view->sides[index % view->side_count];
		line->first = index;
		line->points = calloc(lines->step_count, sizeof(*line->points));
		if (line->points == NULL)
			return -ENOMEM;
		lines->count++;
	}
	if (lines->across == LINES_BY_USERS)
		step = find_users(lines, point->users);
	else if (lines->across == LINES_BY_VALUE)
		step = find_value(lines, value);
	else
		repeats = point->repeat_count;
	while (repeats-- > 0)
		line->points[step++] = point;
	return 0;
}

/* Write the values that all points of a line have. */
static void write_values(const struct lines *lines, const struct view *view,
			 const struct line *line, FILE *stream)
{
	const char *comma = view_has_several(view) ? ", " : "";
	char *const *set;
	size_t count, i;

	set = set_at(view, line->first, &count);
	for (i = 0; i < count; i++) {
		const char *axis = set[2 * i];

		if (lines->axis != NULL && strcmp(axis, lines->axis) == 0)
			continue;
		fputs(comma, stream);
		if (strcmp(axis, "target") != 0)
			fprintf(stream, "%s=", axis);
		fputs(value_at(view, line->first, axis), stream);
		comma = ", ";
	}
}

/* Return the name of a line by its values and, with several results, its side. */
static char *print_name(const struct lines *lines, const struct view *view, const struct line *line)
{
	char *name = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&name, &bytes);

	if (stream == NULL)
		return NULL;
	if (view_has_several(view))
		fputs(line->side->name, stream);
	write_values(lines, view, line, stream);
	if (fclose(stream) == 0)
		return name;
	free(name);
	return NULL;
}

/* Return the beginning of a name's value: "16Ki" of "record=16Ki, fast". */
static const char *skip_axis(const char *name)
{
	size_t length = strcspn(name, "=,");

	return name[length] == '=' ? name + length + 1 : name;
}

bool lines_is_clear(const char *mark, const char *name)
{
	while (strcmp(mark, name) != 0) {
		const char *value = skip_axis(name);
		size_t length = strcspn(value, ",");

		if (strncmp(mark, value, length) != 0)
			return false;
		mark += length;
		name = value + length;
		if (strncmp(mark, ", ", 2) != 0 || strncmp(name, ", ", 2) != 0)
			return strcmp(mark, name) == 0;
		mark += 2;
		name += 2;
	}
	return true;
}

/* Return the name, with the mark before it unless it is clear. */
static char *print_legend(const struct line *line)
{
	const size_t length = strlen(line->side->mark);
	const char *rest = line->name;
	char *legend;

	if (lines_is_clear(line->mark, rest))
		return strdup(rest);
	if (strncmp(rest, line->side->mark, length) == 0 && strncmp(rest + length, ", ", 2) == 0)
		rest += length + 2;
	return asprintf(&legend, "%s %s", line->mark, rest) < 0 ? NULL : legend;
}

/* Name a line by its side, if that has no other one, else by its values, too. */
static int name_line(struct lines *lines, const struct view *view, size_t index)
{
	struct line *line = &lines->list[index];
	const bool is_common = !view_has_several(view) && lines->across == LINES_BY_VALUE;
	size_t before = 0, all = 0, i;

	for (i = 0; i < lines->count; i++) {
		bool is_like = is_common || lines->list[i].side == line->side;

		all += is_like;
		before += is_like && i < index;
	}
	if (view->side_count == 1 || (is_common && all == 1)) {
		line->name = strdup("");
		line->mark = strdup("");
	} else if (all == 1) {
		line->name = strdup(line->side->name);
		line->mark = strdup(line->side->mark);
	} else {
		line->name = print_name(lines, view, line);
		if (line->name != NULL && strlen(line->name) <= MARK_LENGTH)
			line->mark = strdup(line->name);
		else if (asprintf(&line->mark, "%s%zu", is_common ? "" : line->side->mark,
				  before + 1) < 0)
			line->mark = NULL;
	}
	if (line->name == NULL || line->mark == NULL)
		return -ENOMEM;
	line->legend = print_legend(line);
	return line->legend != NULL ? 0 : -ENOMEM;
}

int lines_make(struct lines *lines, const struct view *view)
{
	size_t i;
	int rc;

	*lines = (struct lines){0};
	rc = choose_steps(lines, view);
	lines->list = rc == 0 ? calloc(count_points(view) + 1, sizeof(*lines->list)) : NULL;
	if (lines->list == NULL)
		rc = -ENOMEM;
	for (i = 0; rc == 0 && i < count_points(view); i++)
		if (point_at(view, i) != NULL)
			rc = add_point(lines, view, i);
	for (i = 0; rc == 0 && i < lines->count; i++)
		rc = name_line(lines, view, i);
	return rc;
}

void lines_free(struct lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++) {
		free(lines->list[i].points);
		free(lines->list[i].name);
		free(lines->list[i].mark);
		free(lines->list[i].legend);
	}
	free(lines->list);
	free(lines->values);
	free(lines->steps);
}

struct line_spot line_spot(const struct lines *lines, const struct line *line, size_t step)
{
	const struct result_point *point = line->points[step];
	const struct result_repeat *repeat;

	if (point == NULL)
		return (struct line_spot){0};
	if (lines->across != LINES_BY_REPEAT)
		return (struct line_spot){records_total(&point->records), result_is_valid(point),
					  point->warnings.count > 0};
	repeat = &point->repeats[step];
	return (struct line_spot){records_total(&repeat->records), result_repeat_is_valid(repeat),
				  repeat->warnings.count > 0 && point->warnings.count > 0};
}
