/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names by which results, variants and the values of axes are told apart in a
 * report.
 */
#ifndef REPORT_NAMING_H
#define REPORT_NAMING_H

#include "report/view.h"

/* Short names of files, and of targets, loads and long paths that are values of axes. */
struct naming;

/* Make short names for the values that axes of the results have: "srv3/share" of
 * smb://u@srv3/share?version=3, the last component of a path, or as much as tells it
 * from the other values; and in the same way for the files of the results, unless they
 * are NULL. Return NULL if memory is short. All must outlive the names. */
struct naming *naming_new(const struct result *results, size_t count, const char *const *files);

/* Do the same for one run. */
struct naming *naming_of(const struct result_run *run);
void naming_free(struct naming *naming);

/* Return the short name of an axis' value; the value itself if it has none, or if
 * `naming` is NULL. */
const char *naming_value(const struct naming *naming, const char *axis, const char *value);

/* Check if the values of an axis are known without its name: targets and loads. */
bool naming_is_known(const char *axis);

/*
 * Fill in the names of the sides (struct view_side). `files` and `names` may be NULL,
 * as in view_make. Return 0 or -ENOMEM.
 */
int naming_sides(struct view *view, const char *const *files, const char *const *names);

/*
 * Check if a name fits into a narrow column or a chart: it has at most
 * `columns` characters, and all are printable ASCII.
 */
bool naming_is_short(const char *name, size_t columns);

#endif
