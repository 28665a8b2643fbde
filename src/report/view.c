/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/view.h"

#include "base/array.h"
#include "report/naming.h"
#include "result/combine.h"
#include "result/variant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

double view_rate(const struct view *view, const struct records *records)
{
	return record_shown(records_total(records), view->rate);
}

size_t view_best(const struct view *view)
{
	double max = -1, rate;
	size_t best = 0, i;

	for (i = 0; i < view->side_count; i++) {
		if (view->sides[i].peak == NULL)
			continue;
		rate = view_rate(view, &view->sides[i].peak->records);
		if (!(rate > max))
			continue;
		max = rate;
		best = i;
	}
	return best;
}

size_t view_repeats(const struct result_point *point)
{
	size_t count = 0, i;

	for (i = 0; i < point->repeat_count; i++)
		count += result_repeat_is_valid(&point->repeats[i]);
	return count;
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
	view->paced = true;
	for (i = 0; i < view->side_count; i++) {
		if (variants > 1)
			view->variants[i] = variant_result(&results[0], i);
		view->sides[i].result = variants > 1 ? &view->variants[i] : &results[i];
		view->paced &= view->sides[i].result->run.paced;
	}
	return 0;
}

/* Check if a point has the same set as a place. The variants of a result are sides,
 * so their points differ only in users. */
static bool has_set(const struct view *view, const struct view_place *place,
		    const struct result_point *point)
{
	size_t i = 0;

	if (!view_has_several(view))
		return true;
	while (place->points[i] == NULL)
		i++;
	return variant_same_set(place->points[i]->set, place->points[i]->set_count, point->set,
				point->set_count);
}

/*
 * Return the index of a point's place, or that at which to insert it: by users among
 * the places with the same set, else at the end. Set *like to the place, or to one
 * with the same set; NULL: there is none.
 */
static size_t find_place(const struct view *view, const struct result_point *point,
			 const struct view_place **like)
{
	size_t index = view->place_count, i;

	*like = NULL;
	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		if (!has_set(view, place, point))
			continue;
		if (place->users <= point->users || *like == NULL)
			index = i + (place->users < point->users);
		*like = place;
		if (place->users == point->users)
			break;
	}
	return index;
}

/* Return the set of a new place: as that of `like`, if it is not NULL. */
static char **make_set(const struct view *view, const struct result_point *point,
		       const struct view_place *like)
{
	size_t count = view_has_several(view) ? point->set_count : 0, i;
	char **set = calloc(2 * count + 1, sizeof(*set));

	if (set != NULL && like != NULL)
		memcpy(set, like->set, 2 * count * sizeof(*set));
	for (i = 0; set != NULL && like == NULL && i < count; i++) {
		set[2 * i] = point->set[2 * i];
		set[2 * i + 1] = (char *)naming_value(view->naming, set[2 * i],
						      point->set[2 * i + 1]);
	}
	return set;
}

/* Add a place for a point at this index; `like` as above. */
static int add_place(struct view *view, const struct result_point *point,
		     const struct view_place *like, size_t index)
{
	char **set = make_set(view, point, like);
	struct view_place place = {
		.users = point->users,
		.set = set,
		.set_count = view_has_several(view) ? point->set_count : 0,
		.points = calloc(view->side_count, sizeof(*place.points)),
	};
	struct view_place *at;

	if (set == NULL || place.points == NULL ||
	    array_append(&view->places, &view->place_count, &place, sizeof(place)) < 0) {
		free(set);
		free(place.points);
		return -ENOMEM;
	}
	at = &view->places[index];
	memmove(at + 1, at, (view->place_count - 1 - index) * sizeof(*at));
	*at = place;
	return 0;
}

static int make_places(struct view *view)
{
	size_t i, j;

	for (i = 0; i < view->side_count; i++) {
		const struct result *result = view->sides[i].result;

		for (j = 0; j < result->point_count; j++) {
			const struct result_point *point = &result->points[j];
			const struct view_place *like;
			size_t index = find_place(view, point, &like);

			if ((like == NULL || like->users != point->users) &&
			    add_place(view, point, like, index) < 0)
				return -ENOMEM;
			view->places[index].points[i] = point;
		}
	}
	return 0;
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

/* Return the faster of two points, or `one` if they are equally fast. `one` is valid
 * or NULL, which is slower than any other. A point that is not valid does not count. */
static const struct result_point *faster(const struct view *view, const struct result_point *one,
					 const struct result_point *other)
{
	if (other == NULL || !result_is_valid(other))
		return one;
	if (one == NULL)
		return other;
	return view_rate(view, &other->records) > view_rate(view, &one->records) ? other : one;
}

/* Check if all sides have a valid point there. */
static bool is_common(const struct view *view, const struct view_place *place)
{
	size_t i;

	for (i = 0; i < view->side_count; i++)
		if (place->points[i] == NULL || !result_is_valid(place->points[i]))
			return false;
	return true;
}

static void choose_points(struct view *view)
{
	const struct view_place *best = NULL;
	size_t i, j;

	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		for (j = 0; j < view->side_count; j++)
			view->sides[j].peak = faster(view, view->sides[j].peak, place->points[j]);
		if (is_common(view, place) &&
		    (best == NULL ||
		     faster(view, best->points[0], place->points[0]) != best->points[0]))
			best = place;
	}
	for (i = 0; i < view->side_count; i++)
		view->sides[i].chosen = view->side_count == 2 && best != NULL ? best->points[i]
									      : view->sides[i].peak;
}

int view_make(struct view *view, const struct result *results, size_t count,
	      const char *const *files, const char *const *names)
{
	int rc;

	*view = (struct view){0};
	rc = make_sides(view, results, count);
	if (rc == 0) {
		view->naming = naming_new(results, count);
		rc = view->naming != NULL ? naming_sides(view, files, names) : -ENOMEM;
	}
	if (rc == 0)
		rc = make_places(view);
	if (rc == 0) {
		view->rate = choose_rate(view);
		choose_points(view);
	}
	return rc;
}

void view_free(struct view *view)
{
	size_t i;

	for (i = 0; i < view->place_count; i++) {
		free((char **)view->places[i].set);
		free(view->places[i].points);
	}
	for (i = 0; i < view->text_count; i++)
		free(view->texts[i]);
	free(view->texts);
	naming_free(view->naming);
	free(view->places);
	free(view->sides);
	free(view->variants);
}
