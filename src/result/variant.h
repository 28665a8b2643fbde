/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variants of a sweep: all combinations of the values of its axes
 * (struct result_axis). A sweep over user counts only has a single variant, with
 * an empty set.
 *
 * A set is a list of pairs: name, value, name, value ... Two sets are equal if
 * they have the same pairs in any order.
 */
#ifndef RESULT_VARIANT_H
#define RESULT_VARIANT_H

#include "result/result.h"

/* Max number of variants of a sweep. */
enum { VARIANTS_MAX = 1000 };

/* Return the planned number of variants: the product of the axes' numbers of
 * values, 1 without axes, or SIZE_MAX if there are more than VARIANTS_MAX. */
size_t variant_count(const struct result_run *run);

/* Return the value that an axis, by its index, has in a variant. */
const char *variant_value(const struct result_run *run, size_t variant, size_t axis);

/* Return the number that this value is: 4096 for "4Ki". Return NAN unless all
 * values of the axis are different numbers. */
double variant_number(const struct result_run *run, size_t variant, size_t axis);

/* Fill in the numbers of the axes, once. Return 0 or -ENOMEM. */
int variant_make_numbers(struct result_run *run);

/* Return the name of the variable that an axis "env:NAME" sets in the
 * environment of the commands --before and --after, or NULL if this is another
 * axis. */
const char *variant_variable(const char *axis);

/* Return the key of the URL option that an axis "url:KEY" sets for all targets, or
 * NULL if this is another axis. */
const char *variant_url_key(const char *axis);

/*
 * Fill in run->variants from run->axes, and the numbers of the axes. Of a variant
 * fill in the set only; the other members stay zero. Return 0 or -ENOMEM.
 */
int variant_make_all(struct result_run *run);

/* Copy the variant's set to *set and *count. Return 0 or -ENOMEM. */
int variant_copy_set(const struct result_variant *variant, char ***set, size_t *count);

/* Return the value of an axis in a set, or NULL if it has none. */
const char *variant_set_value(char *const *set, size_t count, const char *name);

/* Put the pairs of a set in the order of the run's axes. */
void variant_order_set(const struct result_run *run, char **set, size_t count);

/* Check if two sets are equal. */
bool variant_same_set(char *const *one, size_t one_count, char *const *other, size_t other_count);

/* Check if two sets are equal but for variables (variant_variable). */
bool variant_is_like(char *const *one, size_t one_count, char *const *other, size_t other_count);

/* Return the index of the run's variant with this set, or SIZE_MAX if there is
 * none. */
size_t variant_find(const struct result_run *run, char *const *set, size_t set_count);

/* Return the same; or else the index of the run's only variant whose set is like
 * this one. */
size_t variant_find_like(const struct result_run *run, char *const *set, size_t set_count);

/* Return a result's point with the same users as `like`, which may be a point of
 * another result, and with a set as variant_find_like finds it; or NULL. */
const struct result_point *variant_match(const struct result *result,
					 const struct result_point *like);

/*
 * Return the valid point with which the column `change` or, with `previous`,
 * `step` of the tables compares a point: that with the same users and the first
 * or the previous value of the last axis that has several values. Return NULL if
 * there is none, or if it is this point.
 */
const struct result_point *variant_base(const struct result *result,
					const struct result_point *point, bool previous);

/*
 * Return a view of the result as if it had only this variant and its points,
 * which keep the variant's index. The peak and the limits are not set. The view
 * shares all its memory with the result, so don't free it.
 */
struct result variant_result(const struct result *result, size_t variant);

/* Replace the description of a variant's targets, with the unsupported
 * operations, by a copy of another one's. Return 0 or -ENOMEM. */
int variant_copy_targets(struct result_variant *to, const struct result_variant *from);

/* Move the same description to a variant that has none. */
void variant_move_targets(struct result_variant *to, struct result_variant *from);

/* Free the same description. */
void variant_forget_targets(struct result_variant *variant);

/* Max size of the texts of the functions below. Longer ones are cut off. */
enum { VARIANT_TEXT = 256 };

/* Print a set as "bs=4Ki, sync=no", or "" if it is empty. Return `text`. */
char *variant_print(char *const *set, size_t count, char text[VARIANT_TEXT]);

/* Print a point's user count and set as "4 users, bs=4Ki". Return `text`. */
char *variant_print_point(const struct result_point *point, char text[VARIANT_TEXT]);

#endif
