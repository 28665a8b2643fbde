/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports: the orders of their sections (sections.h).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "doc/doc.h"
#include "report/view.h"

/* Add a result as text shows it: all that throng run prints. `shows_operations`: with
 * the operations of each point. */
void report_text(struct doc *doc, const struct result *result, bool shows_operations);

/* Add the parts of it that throng run prints after the row of a measurement. Return
 * whether there are any. */
bool report_measured(struct doc *doc, const struct result_run *run, const struct records *records,
		     bool is_valid, bool shows_operations);

/* Add the parts that it prints at the end. */
void report_summary(struct doc *doc, const struct result *result);

/* Add several results side by side; with `shows_operations`, also the operations of
 * their chosen points. */
void report_several(struct doc *doc, const struct view *view, bool shows_operations);

#endif
