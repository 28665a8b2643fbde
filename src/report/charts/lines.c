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

/* A point that is drawn. */
struct dot {
	const struct view_side *side;
	const struct result_point *point;
};

/* All points that are drawn, place after place. */
struct dots {
	struct dot *list;
	size_t count;
};

/* Return the short name of a point's value of an axis; NULL: it has none. */
static const char *value_of(const struct lines *lines, const struct result_point *point,
			    const char *axis)
{
	const char *value = variant_set_value(point->set, point->set_count, axis);

	return value != NULL ? naming_value(lines->view->naming, axis, value) : NULL;
}

static int list_dots(struct dots *dots, const struct view *view)
{
	size_t i, j;

	dots->list = calloc(view->place_count * view->side_count + 1, sizeof(*dots->list));
	if (dots->list == NULL)
		return -ENOMEM;
	for (i = 0; i < view->place_count; i++)
		for (j = 0; j < view->side_count; j++)
			if (view->places[i].points[j] != NULL)
				dots->list[dots->count++] = (struct dot){&view->sides[j],
									 view->places[i].points[j]};
	return 0;
}

/* Return the last axis of the first point that has several values, or NULL. */
static const char *find_axis(const struct lines *lines, const struct dots *dots)
{
	const struct result_point *first = dots->list[0].point;
	const char *axis = NULL;
	size_t i, j;

	for (i = 0; dots->count > 0 && i < first->set_count; i++) {
		for (j = 1; j < dots->count; j++) {
			const char *name = first->set[2 * i];
			const char *value = value_of(lines, dots->list[j].point, name);

			if (value != NULL && strcmp(value, value_of(lines, first, name)) != 0)
				axis = name;
		}
	}
	return axis;
}

/* Return the index of a point's first step, or that at which to insert it. */
static size_t find_step(const struct lines *lines, const struct result_point *point)
{
	size_t i = 0;

	if (lines->across == LINES_BY_USERS)
		while (i < lines->step_count && lines->steps[i] < point->users)
			i++;
	if (lines->across == LINES_BY_VALUE)
		while (i < lines->step_count &&
		       strcmp(lines->values[i], value_of(lines, point, lines->axis)) != 0)
			i++;
	return i;
}

static void insert_step(struct lines *lines, size_t at, unsigned step)
{
	memmove(&lines->steps[at + 1], &lines->steps[at],
		(lines->step_count - at) * sizeof(*lines->steps));
	lines->steps[at] = step;
	lines->step_count++;
}

/* Add the steps of a point that are missing. */
static void add_steps(struct lines *lines, const struct result_point *point)
{
	size_t at = find_step(lines, point);

	if (lines->across == LINES_BY_REPEAT) {
		for (at = lines->step_count; at < point->repeat_count; at++)
			insert_step(lines, at, (unsigned)at + 1);
	} else if (lines->across == LINES_BY_USERS) {
		if (at == lines->step_count || lines->steps[at] != point->users)
			insert_step(lines, at, point->users);
	} else if (at == lines->step_count) {
		lines->values[at] = value_of(lines, point, lines->axis);
		insert_step(lines, at, (unsigned)at + 1);
	}
}

/* Choose the steps of the x axis. Points that have no value of its axis are not drawn. */
static int choose_steps(struct lines *lines, struct dots *dots)
{
	size_t room = 1, drawn = 0, i;

	for (i = 0; i < dots->count; i++)
		room += dots->list[i].point->repeat_count;
	lines->steps = calloc(room, sizeof(*lines->steps));
	lines->values = calloc(room, sizeof(*lines->values));
	if (lines->steps == NULL || lines->values == NULL)
		return -ENOMEM;
	lines->across = LINES_BY_USERS;
	for (i = 0; i < dots->count; i++)
		add_steps(lines, dots->list[i].point);
	if (lines->step_count > 1)
		return 0;
	lines->step_count = 0;
	lines->axis = find_axis(lines, dots);
	lines->across = lines->axis != NULL ? LINES_BY_VALUE : LINES_BY_REPEAT;
	for (i = 0; i < dots->count; i++) {
		const struct result_point *point = dots->list[i].point;

		if (lines->axis != NULL && value_of(lines, point, lines->axis) == NULL)
			continue;
		dots->list[drawn++] = dots->list[i];
		add_steps(lines, point);
	}
	dots->count = drawn;
	return 0;
}

/* Check if the steps are the values of this axis. */
static bool is_across(const struct lines *lines, const char *axis)
{
	return lines->axis != NULL && strcmp(lines->axis, axis) == 0;
}

/* Check if a point belongs to a line: it has its side and its values, but for that of
 * the x axis. By value, the variants of a result have lines in common. */
static bool is_of_line(const struct lines *lines, const struct line *line, const struct dot *dot)
{
	const struct result_point *point = dot->point;
	size_t i;

	if (line->side != dot->side &&
	    (view_has_several(lines->view) || lines->across != LINES_BY_VALUE))
		return false;
	for (i = 0; i < point->set_count; i++) {
		const char *axis = point->set[2 * i], *value = value_of(lines, line->first, axis);

		if (!is_across(lines, axis) &&
		    (value == NULL || strcmp(value, value_of(lines, point, axis)) != 0))
			return false;
	}
	return true;
}

/* Add a point to its line, or to a new one. */
static int add_dot(struct lines *lines, const struct dot *dot)
{
	size_t repeats = lines->across == LINES_BY_REPEAT ? dot->point->repeat_count : 1;
	size_t step = find_step(lines, dot->point);
	struct line *line = lines->list;

	while (line < lines->list + lines->count && !is_of_line(lines, line, dot))
		line++;
	if (line == lines->list + lines->count) {
		line->side = dot->side;
		line->first = dot->point;
		line->points = calloc(lines->step_count, sizeof(*line->points));
		if (line->points == NULL)
			return -ENOMEM;
		lines->count++;
	}
	while (repeats-- > 0)
		line->points[step++] = dot->point;
	return 0;
}

/* Return the name of a line: with several results, its side; and the values that all its
 * points have. */
static char *print_name(const struct lines *lines, const struct line *line)
{
	const char *comma = view_has_several(lines->view) ? ", " : "";
	char *name = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&name, &bytes);

	if (stream == NULL)
		return NULL;
	if (view_has_several(lines->view))
		fputs(line->side->name, stream);
	for (i = 0; i < line->first->set_count; i++) {
		const char *axis = line->first->set[2 * i];

		if (is_across(lines, axis))
			continue;
		fputs(comma, stream);
		if (!naming_is_known(axis))
			fprintf(stream, "%s=", axis);
		fputs(value_of(lines, line->first, axis), stream);
		comma = ", ";
	}
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
static int name_line(struct lines *lines, size_t index)
{
	struct line *line = &lines->list[index];
	const struct view *view = lines->view;
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
		line->name = print_name(lines, line);
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
	struct dots dots = {0};
	size_t i;
	int rc;

	*lines = (struct lines){.view = view};
	rc = list_dots(&dots, view);
	if (rc == 0)
		rc = choose_steps(lines, &dots);
	lines->list = rc == 0 ? calloc(dots.count + 1, sizeof(*lines->list)) : NULL;
	if (lines->list == NULL)
		rc = -ENOMEM;
	for (i = 0; rc == 0 && i < dots.count; i++)
		rc = add_dot(lines, &dots.list[i]);
	for (i = 0; rc == 0 && i < lines->count; i++)
		rc = name_line(lines, i);
	free(dots.list);
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
