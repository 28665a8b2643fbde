/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names by which several results are told apart in one report: their labels,
 * or letters, or "base" and "new".
 */
#ifndef REPORT_NAMING_H
#define REPORT_NAMING_H

#include "result/result.h"

/*
 * Name each result by its label or, if it has none, by its default, such as "A"
 * or "base". If two names would be equal, use the defaults for all results.
 * Labels are text from outside: escape them (escape.h).
 */
void naming_choose(const struct result *const *results, size_t count, const char *const *defaults,
		   const char **names);

/*
 * Check if a name fits into a narrow column or a chart: it has at most
 * `columns` characters, and all are printable ASCII.
 */
bool naming_is_short(const char *name, size_t columns);

#endif
