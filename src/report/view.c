/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/view.h"

#include "base/array.h"
#include "base/units.h"
#include "report/naming.h"
#include "result/combine.h"
#include "result/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double view_rate(const struct view *view, const struct records *records)
{
	return record_shown(records_total(records), view->rate);
}

char *view_print_place(const struct view_place *place, enum number_style style,
		       char text[VIEW_PLACE_TEXT])
{
	char set[VARIANT_TEXT], users[NUMBER_TEXT];

	snprintf(text, VIEW_PLACE_TEXT, "%s %s%s%s",
		 number_print(NUMBER_COUNT, place->users, 0, style, users),
		 units_plural(place->users, "user", "users"), place->set_count > 0 ? ", " : "",
		 variant_print(place->set, place->set_count, set));
	return text;
}

/* Return the faster of two points, or `one` if they are equally fast. `one` is valid
 * or NULL, which is slower than any other. A point that is invalid does not count. */
static const struct result_point *faster(const struct view *view, const struct result_point *one,
					 const struct result_point *other)
{
	if (view_total(other) == NULL)
		return one;
	if (one == NULL)
		return other;
	return view_rate(view, &other->records) > view_rate(view, &one->records) ? other : one;
}

struct view_state view_state_of(const struct result *result)
{
	struct view_state state = {0};
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		state.invalid += !result_is_valid(&result->points[i]);
		state.warned += result->points[i].warnings.count > 0;
	}
	return state;
}

size_t view_best(const struct view *view)
{
	const struct result_point *fastest = NULL;
	size_t best = 0, i;

	for (i = 0; i < view->side_count; i++) {
		const struct result_point *peak = view->sides[i].peak;

		fastest = faster(view, fastest, peak);
		best = fastest != NULL && fastest == peak ? i : best;
	}
	return best;
}

/* Make the sides: the results, or the variants of the only one. */
static int make_sides(struct view *view, const struct result *results, size_t count)
{
	size_t variants = count == 1 ? results[0].run.variant_count : 1, i;

	view->whole = count == 1 ? &results[0] : NULL;
	view->side_count = variants > 1 ? variants : count;
	view->sides = calloc(view->side_count, sizeof(*view->sides));
	view->variants = calloc(view->side_count, sizeof(*view->variants));
	if (view->sides == NULL || view->variants == NULL)
		return -ENOMEM;
	view->open_loop = true;
	for (i = 0; i < view->side_count; i++) {
		if (variants > 1)
			view->variants[i] = variant_result(&results[0], i);
		view->sides[i].result = variants > 1 ? &view->variants[i] : &results[i];
		view->open_loop &= view->sides[i].result->run.open_loop;
	}
	return 0;
}

/* Fill in the users and the set of a point's place. The variants of a result are sides,
 * so their points differ only in users. Return 0 or -ENOMEM. */
static int describe_place(const struct view *view, const struct result_point *point,
			  struct view_place *place)
{
	size_t i;

	place->users = point->users;
	place->set_count = view_has_several(view) ? point->set_count : 0;
	place->set = calloc(2 * place->set_count + 1, sizeof(*place->set));
	if (place->set == NULL)
		return -ENOMEM;
	for (i = 0; i < place->set_count; i++) {
		place->set[2 * i] = point->set[2 * i];
		place->set[2 * i + 1] = (char *)naming_value(view->naming, point->set[2 * i],
							     point->set[2 * i + 1]);
	}
	variant_order_set(&view->sides[0].result->run, place->set, place->set_count);
	return 0;
}

/* Return the index of a place, or that at which to insert it: by users among the places
 * with the same set, else at the end. */
static size_t find_place(const struct view *view, const struct view_place *place, bool *is_new)
{
	size_t index = view->place_count, i;

	*is_new = true;
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *other = &view->places[i];

		if (!variant_same_set(place->set, place->set_count, other->set, other->set_count))
			continue;
		*is_new = other->users != place->users;
		if (other->users >= place->users)
			return i;
		index = i + 1;
	}
	return index;
}

/* Add the axes of a place that are missing. Return 0 or -ENOMEM. */
static int add_axes(struct view *view, const struct view_place *place)
{
	size_t i, j;

	for (i = 0; i < place->set_count; i++) {
		const char *axis = place->set[2 * i];

		for (j = 0; j < view->axis_count && strcmp(view->axes[j], axis) != 0;)
			j++;
		if (j == view->axis_count &&
		    array_append(&view->axes, &view->axis_count, &axis, sizeof(axis)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void free_place(struct view_place *place)
{
	free(place->set);
	free(place->points);
}

/* Add a point of a side to its place. Return 0 or -ENOMEM. */
static int add_point(struct view *view, size_t side, const struct result_point *point)
{
	struct view_place place = {0};
	bool is_new = false;
	size_t index = 0;
	int rc = describe_place(view, point, &place);

	if (rc == 0)
		index = find_place(view, &place, &is_new);
	if (is_new) {
		place.points = calloc(view->side_count, sizeof(*place.points));
		rc = place.points != NULL ? add_axes(view, &place) : -ENOMEM;
		if (rc == 0)
			rc = array_insert(&view->places, &view->place_count, index, &place,
					  sizeof(place));
	}
	if (!is_new || rc < 0)
		free_place(&place);
	if (rc == 0)
		view->places[index].points[side] = point;
	return rc;
}

static int make_places(struct view *view)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < view->side_count; i++)
		for (j = 0; j < view->sides[i].result->point_count && rc == 0; j++)
			rc = add_point(view, i, &view->sides[i].result->points[j]);
	return rc;
}

/* Return the figure of throughput: ops_per_s if no bytes were moved. */
static enum figure choose_rate(const struct view *view)
{
	size_t i, j;

	for (i = 0; i < view->side_count; i++)
		for (j = 0; j < view->sides[i].result->point_count; j++)
			if (combine_range(&view->sides[i].result->points[j], FIGURE_MB_PER_S).max >
			    0)
				return FIGURE_MB_PER_S;
	return FIGURE_OPS_PER_S;
}

/* Return the throughput of the slowest side at a place, or -1 if not all have a valid
 * point there. */
static double slowest_rate(const struct view *view, const struct view_place *place)
{
	double min = INFINITY;
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		if (view_total(place->points[i]) == NULL)
			return -1;
		min = fmin(min, view_rate(view, &place->points[i]->records));
	}
	return min;
}

static void choose_points(struct view *view)
{
	const struct view_place *best = NULL;
	double max = -1, rate;
	size_t i, j;

	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		for (j = 0; j < view->side_count; j++)
			view->sides[j].peak = faster(view, view->sides[j].peak, place->points[j]);
		rate = slowest_rate(view, place);
		if (rate > max) {
			max = rate;
			best = place;
		}
	}
	for (i = 0; i < view->side_count; i++)
		view->sides[i].chosen = view->side_count == 2 && best != NULL ? best->points[i]
									      : view->sides[i].peak;
}

/* List the names of samples, in the order of the first result that has them. Return
 * 0 or -ENOMEM. */
static int list_samples(struct view *view)
{
	size_t i, j, k;

	for (i = 0; i < view->side_count; i++) {
		const struct result_run *run = &view->sides[i].result->run;

		for (j = 0; j < run->sample_count; j++) {
			const char *name = run->samples[j].name;

			for (k = 0; k < view->sample_count; k++)
				if (strcmp(view->samples[k], name) == 0)
					break;
			if (k == view->sample_count &&
			    array_append(&view->samples, &view->sample_count, &name, sizeof(name)) <
				    0)
				return -ENOMEM;
		}
	}
	return 0;
}

static bool is_operation(const struct record_key *key)
{
	return key->operation != NULL && key->phase == NULL && key->load == NULL &&
	       key->user == NULL;
}

/* Add the share of a record to its part. Return 0 or -ENOMEM. */
static int add_part(struct view_parts *parts, const struct record *record)
{
	const struct view_part new = {.key = record->key};
	size_t i = 0;

	while (i < parts->count && !record_same_key(&parts->list[i].key, &new.key))
		i++;
	if (i == parts->count && array_append(&parts->list, &parts->count, &new, sizeof(new)) < 0)
		return -ENOMEM;
	parts->list[i].share += record_count(record, FIGURE_TIME_SHARE);
	return 0;
}

/* Sort by share, the largest first, then by name. */
static int by_share(const void *a, const void *b)
{
	const struct view_part *one = a, *other = b;

	if (one->share != other->share)
		return one->share < other->share ? 1 : -1;
	return strcmp(one->key.operation, other->key.operation);
}

int view_find_parts(struct view_parts *parts, const struct result_point *const *points,
		    size_t count, view_includes *includes)
{
	const bool is_ranked = includes == NULL;
	size_t i, j;

	*parts = (struct view_parts){0};
	includes = is_ranked ? is_operation : includes;
	for (i = 0; i < count; i++)
		for (j = 0; view_total(points[i]) != NULL && j < points[i]->records.count; j++)
			if (includes(&points[i]->records.list[j].key) &&
			    add_part(parts, &points[i]->records.list[j]) < 0)
				return -ENOMEM;
	if (is_ranked && parts->count > 0)
		qsort(parts->list, parts->count, sizeof(*parts->list), by_share);
	return 0;
}

int view_make(struct view *view, const struct result *results, size_t count,
	      const char *const *files, const char *const *names)
{
	int rc;

	*view = (struct view){0};
	rc = make_sides(view, results, count);
	if (rc == 0) {
		view->naming = naming_new(results, count, files);
		rc = view->naming != NULL ? naming_sides(view, files, names) : -ENOMEM;
	}
	if (rc == 0)
		rc = make_places(view);
	if (rc == 0)
		rc = list_samples(view);
	if (rc == 0) {
		view->rate = choose_rate(view);
		choose_points(view);
	}
	return rc;
}

void view_free(struct view *view)
{
	size_t i;

	for (i = 0; i < view->place_count; i++)
		free_place(&view->places[i]);
	for (i = 0; i < view->text_count; i++)
		free(view->texts[i]);
	free(view->texts);
	naming_free(view->naming);
	free(view->axes);
	free(view->samples);
	free(view->places);
	free(view->sides);
	free(view->variants);
}
