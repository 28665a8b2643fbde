/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a report: one or several results, their names, and their points
 * side by side. Each section of a report is a function that takes a view and adds to a
 * document (sections.h).
 */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "doc/number.h"
#include "result/result.h"

/* A result, or a variant of the only result. */
struct view_side {
	const struct result *result;
	/* Its label; else, for several results, the name of its file without
	 * ".json" and, if that is enough to tell them apart, without directories;
	 * else a letter or a number. If labels are equal, none is used. Of a
	 * variant: its values. Not escaped. */
	const char *name;
	/* The same with at most 12 characters, for tables of text, and with at most 8,
	 * for charts: the name; or the file's or, of a variant, the values without the
	 * names of axes; or a letter or a number. */
	const char *brief, *mark;
	/* The valid point with the best throughput; or NULL. */
	const struct result_point *peak;
	/* The point whose operations and seconds are shown: with two results,
	 * that at the place where the slower one is fastest, if both are valid
	 * somewhere; else the peak. */
	const struct result_point *chosen;
};

/* A user count and the values of the axes of --sweep. */
struct view_place {
	unsigned users;
	/* As in struct result_point, but targets and long paths have short names, and
	 * the order is that of the axes of the first result. */
	char **set;
	size_t set_count;
	const struct result_point **points; /* one per side; NULL: it has none */
};

struct view {
	/* With one result that has several variants, the sides are its variants,
	 * and `whole` is this result. Otherwise the sides are the results. */
	const struct result *whole; /* the only result; or NULL */
	struct view_side *sides;
	size_t side_count;
	/* In the order of the first result that has them; user counts of one set
	 * ascend. */
	struct view_place *places;
	size_t place_count;
	const char **axes; /* of all places */
	size_t axis_count;
	const char **samples; /* names of --sample that any result has */
	size_t sample_count;
	enum figure rate;        /* mb_per_s; or ops_per_s if no bytes were moved */
	bool open_loop;          /* latencies are response times, in all results */
	struct naming *naming;   /* short names of values (naming.h) */
	struct result *variants; /* the sides' results, if they are variants */
	char **texts;            /* names made here */
	size_t text_count;
};

/*
 * Make a view of `count` > 0 results, which must outlive it. `files` are their files;
 * NULL: unknown. `names`, if not NULL, are used instead of labels: "base", "new".
 * Return 0 or -ENOMEM; call view_free in both cases.
 */
int view_make(struct view *view, const struct result *results, size_t count,
	      const char *const *files, const char *const *names);
void view_free(struct view *view);

/* Return whether the view has several results. */
static inline bool view_has_several(const struct view *view)
{
	return view->whole == NULL;
}

/* Numbers of points of a result: that are invalid, and that have warnings. */
struct view_state {
	size_t invalid, warned;
};
struct view_state view_state_of(const struct result *result);

/* Return the throughput of records (view->rate), or NAN. */
double view_rate(const struct view *view, const struct records *records);

/* Return the unit of the throughput. */
static inline const char *view_unit(const struct view *view)
{
	return view->rate == FIGURE_MB_PER_S ? number_rate_unit() : "ops/s";
}

/* Return the index of the side with the fastest peak; 0 if there is none. */
size_t view_best(const struct view *view);

/* Return the place of a point of a side. */
static inline const struct view_place *view_place_of(const struct view *view, size_t side,
						     const struct result_point *point)
{
	const struct view_place *place = view->places;

	while (place->points[side] != point)
		place++;
	return place;
}

/* Print "8 users, bs=4Ki". Return `text`. */
enum { VIEW_PLACE_TEXT = 320 };
char *view_print_place(const struct view_place *place, enum number_style style,
		       char text[VIEW_PLACE_TEXT]);

/* Return the total of a valid point; NULL: it is invalid, or `point` is NULL. */
static inline const struct record *view_total(const struct result_point *point)
{
	return point != NULL && result_is_valid(point) ? records_total(&point->records) : NULL;
}

/* The operations, phases or loads of points. */
struct view_parts {
	struct view_part {
		struct record_key key;
		double share; /* the sum of its shares of the time */
	} *list;
	size_t count;
};

/* Find the parts of points, which may be NULL or invalid: those whose keys are included;
 * NULL: the operations of all users, sorted by their shares, the largest first. Return 0
 * or -ENOMEM; the caller frees the list in both cases. */
typedef bool view_includes(const struct record_key *key);
int view_find_parts(struct view_parts *parts, const struct result_point *const *points,
		    size_t count, view_includes *includes);

#endif
