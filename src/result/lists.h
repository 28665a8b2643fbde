/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lists of flat rows in a result file: a row has the keys that say what it
 * belongs to (users, set_NAME, repeat ...) beside its values, so that a data
 * frame needs no nesting. lists_write.c prints them, lists_read.c reads them.
 * The functions are hooks of the rows of kind SCHEMA_ROWS; `record` is a struct
 * result.
 */
#ifndef RESULT_LISTS_H
#define RESULT_LISTS_H

#include "result/json.h"
#include "result/json_cursor.h"

/* Buffer size for the key of an axis: "set_bs". */
enum { LISTS_KEY = 256 };

/* The words for enum direction. */
extern const char *const lists_directions[];

/* Print the key of an axis. Return `text`. */
char *lists_axis_key(const struct result_axis *axis, char text[LISTS_KEY]);

/* Describe each figure: its unit, how it combines, and, if tables show it, which
 * values are better. */
void lists_print_figures(const void *record, struct json_list *list);

/* A row per repeat. */
void lists_print_measurements(const void *record, struct json_list *list);
void lists_read_measurements(const struct json_cursor *list, void *record);

/* The records of the repeats, and those of the points. */
void lists_print_records(const void *record, struct json_list *list);
void lists_read_records(const struct json_cursor *list, void *record);
void lists_print_points(const void *record, struct json_list *list);

/* A row per repeat, with a list per column. */
void lists_print_series(const void *record, struct json_list *list);
void lists_read_series(const struct json_cursor *list, void *record);

/* A row per repeat and command of --sample, and one per point and command. */
void lists_print_samples(const void *record, struct json_list *list);
void lists_read_samples(const struct json_cursor *list, void *record);
void lists_print_sample_points(const void *record, struct json_list *list);

void lists_print_histograms(const void *record, struct json_list *list);
void lists_read_histograms(const struct json_cursor *list, void *record);

void lists_print_differences(const void *record, struct json_list *list);
void lists_read_differences(const struct json_cursor *list, void *record);

/* The rates that were found, and the steps of each search. */
void lists_print_rates(const void *record, struct json_list *list);
void lists_read_rates(const struct json_cursor *list, void *record);
void lists_print_tries(const void *record, struct json_list *list);
void lists_read_tries(const struct json_cursor *list, void *record);

#endif
