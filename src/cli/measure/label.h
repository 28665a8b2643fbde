/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names and notes that a user gives to results: --label, --note, the names of
 * the two sides of a comparison, and the commands of --sample with their names.
 */
#ifndef CLI_MEASURE_LABEL_H
#define CLI_MEASURE_LABEL_H

#include "base/error.h"
#include "result/result.h"

/*
 * Check the text of an option that names a result: it is not empty, shorter
 * than RESULT_LABEL, and has only characters that are safe to print. A `label`
 * of NULL is fine. Return 0, or -EINVAL with an `error` that names the option.
 */
int label_check(const char *option, const char *label, struct error *error);

/* Name a result. A `label` of NULL changes nothing. */
void label_record(const char *label, struct result_run *run);

/*
 * Check the texts of --note, ended by NULL: each is KEY=VALUE, with different
 * keys. `notes` may be NULL. Return 0, or -EINVAL with `error` set.
 */
int label_check_notes(const char *const *notes, struct error *error);

/* Add notes, which label_check_notes has accepted, to a result. */
void label_record_notes(const char *const *notes, struct result_run *run);

/* Do the same with the texts of --sample: NAME=CMD. */
int label_check_samples(const char *const *samples, struct error *error);
void label_record_samples(const char *const *samples, struct result_run *run);

#endif
