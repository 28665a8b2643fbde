/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns for the axes of a sweep (struct result_axis) in tables for people:
 * one per axis, after the column of user counts. Without axes there are none.
 */
#ifndef TEXT_AXES_H
#define TEXT_AXES_H

#include "result/result.h"

#include <stdio.h>

/* Return the width of all these columns, with a blank before each. */
unsigned axes_columns(const struct result_run *run);

/* Write the names of the axes. */
void axes_headings(const struct result_run *run, FILE *stream);

/* Write the values of a set, in the order of the run's axes. */
void axes_values(const struct result_run *run, char *const *set, size_t set_count, FILE *stream);

/*
 * Return the name of a point's row in a table: its user count and its values.
 * If `point` is NULL, return the headings of these columns. The caller frees
 * the text, which is NULL if memory is short.
 */
char *axes_row_name(const struct result_run *run, const struct result_point *point);

#endif
