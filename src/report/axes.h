/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns for the axes of a sweep (struct result_axis) in tables for people:
 * one per axis, after the column of user counts. Without axes there are none.
 */
#ifndef REPORT_AXES_H
#define REPORT_AXES_H

#include "result/result.h"

#include <stdio.h>

/* Return the width of all these columns, with a blank before each. */
unsigned axes_columns(const struct result_run *run);

/* Write the names of the axes. */
void axes_headings(const struct result_run *run, FILE *stream);

/* Write the values of a set, in the order of the run's axes. */
void axes_values(const struct result_run *run, char *const *set,
		 size_t set_count, FILE *stream);

#endif
