/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/variant.h"

#include "base/units.h"
#include "result/schema.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t variant_count(const struct result_run *run)
{
	size_t count = 1, i;

	for (i = 0; i < run->axis_count; i++)
		if (__builtin_mul_overflow(count, run->axes[i].value_count, &count) ||
		    count > VARIANTS_MAX)
			return SIZE_MAX;
	return count;
}

/* Return which of its values an axis has in a variant. */
static size_t value_index(const struct result_run *run, size_t variant, size_t axis)
{
	size_t i;

	for (i = run->axis_count - 1; i > axis; i--)
		variant /= run->axes[i].value_count;
	return variant % run->axes[axis].value_count;
}

const char *variant_value(const struct result_run *run, size_t variant, size_t axis)
{
	return run->axes[axis].values[value_index(run, variant, axis)];
}

double variant_number(const struct result_run *run, size_t variant, size_t axis)
{
	const double *numbers = run->axes[axis].numbers;

	return numbers != NULL ? numbers[value_index(run, variant, axis)] : NAN;
}

/* Return the number that a text is, with or without a unit of bytes. Return NAN
 * if it is none, or if it cannot be told from the number: 5.10 may be a
 * version, and a file does not keep more than SCHEMA_DIGITS digits. */
static double number_of(const char *text)
{
	struct error ignored = {0};
	char written[32];
	uint64_t bytes;
	double number;

	if (units_parse_size(text, "", 0, INT64_MAX, &bytes, &ignored) == 0) {
		number = (double)bytes;
	} else {
		ignored.set = false;
		if (units_parse_number(text, "", &number, &ignored) < 0)
			return NAN;
	}
	snprintf(written, sizeof(written), "%.*g", SCHEMA_DIGITS, number);
	if (text[strspn(text, "0123456789.")] == '\0' && strcmp(written, text) != 0)
		return NAN;
	return isfinite(number) && strtod(written, NULL) == number ? number : NAN;
}

static bool are_different(const double *numbers, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j <= i; j++)
			if (isnan(numbers[i]) || (j < i && numbers[i] == numbers[j]))
				return false;
	return true;
}

int variant_make_numbers(struct result_run *run)
{
	size_t i, j;

	for (i = 0; i < run->axis_count; i++) {
		struct result_axis *axis = &run->axes[i];

		axis->numbers = calloc(axis->value_count, sizeof(*axis->numbers));
		if (axis->numbers == NULL)
			return -ENOMEM;
		for (j = 0; j < axis->value_count; j++)
			axis->numbers[j] = number_of(axis->values[j]);
		if (are_different(axis->numbers, axis->value_count))
			continue;
		free(axis->numbers);
		axis->numbers = NULL;
	}
	return 0;
}

/* Return the rest of a name with this prefix, or NULL. */
static const char *after(const char *prefix, const char *name)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

const char *variant_variable(const char *axis)
{
	return after("env:", axis);
}

const char *variant_url_key(const char *axis)
{
	return after("url:", axis);
}

/* Copy `count` pairs. Return NULL if memory is short. */
static char **copy_pairs(char *const *pairs, size_t count)
{
	char **copy = calloc(2 * count + 1, sizeof(*copy));
	size_t i;

	for (i = 0; copy != NULL && i < 2 * count; i++) {
		copy[i] = strdup(pairs[i]);
		if (copy[i] != NULL)
			continue;
		while (i > 0)
			free(copy[--i]);
		free(copy);
		return NULL;
	}
	return copy;
}

int variant_make_all(struct result_run *run)
{
	size_t count = variant_count(run), i, j;
	char **pairs = calloc(2 * run->axis_count + 1, sizeof(*pairs));
	int rc = variant_make_numbers(run);

	run->variants = calloc(count, sizeof(*run->variants));
	if (run->variants == NULL || pairs == NULL)
		rc = -ENOMEM;
	for (i = 0; i < count && rc == 0; i++) {
		struct result_variant *variant = &run->variants[i];

		for (j = 0; j < run->axis_count; j++) {
			pairs[2 * j] = run->axes[j].name;
			pairs[2 * j + 1] = (char *)variant_value(run, i, j);
		}
		variant->set = copy_pairs(pairs, run->axis_count);
		if (variant->set == NULL)
			rc = -ENOMEM;
		else
			variant->set_count = run->axis_count;
		run->variant_count++;
	}
	free(pairs);
	return rc;
}

int variant_copy_set(const struct result_variant *variant, char ***set, size_t *count)
{
	*set = copy_pairs(variant->set, variant->set_count);
	*count = *set != NULL ? variant->set_count : 0;
	return *set != NULL ? 0 : -ENOMEM;
}

const char *variant_set_value(char *const *set, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(set[2 * i], name) == 0)
			return set[2 * i + 1];
	return NULL;
}

void variant_order_set(const struct result_run *run, char **set, size_t count)
{
	size_t ordered = 0, i, j, k;

	for (i = 0; i < run->axis_count; i++)
		for (j = ordered; j < count; j++) {
			if (strcmp(set[2 * j], run->axes[i].name) != 0)
				continue;
			for (k = 0; k < 2; k++) {
				char *moved = set[2 * j + k];

				set[2 * j + k] = set[2 * ordered + k];
				set[2 * ordered + k] = moved;
			}
			ordered++;
			break;
		}
}

bool variant_same_set(char *const *one, size_t one_count, char *const *other, size_t other_count)
{
	size_t i;

	if (one_count != other_count)
		return false;
	for (i = 0; i < one_count; i++) {
		const char *value = variant_set_value(other, other_count, one[2 * i]);

		if (value == NULL || strcmp(value, one[2 * i + 1]) != 0)
			return false;
	}
	return true;
}

size_t variant_find(const struct result_run *run, char *const *set, size_t set_count)
{
	size_t i;

	for (i = 0; i < run->variant_count; i++)
		if (variant_same_set(run->variants[i].set, run->variants[i].set_count, set,
				     set_count))
			return i;
	return SIZE_MAX;
}

/* Check if each value in a set, except those of variables, is also in another
 * one. */
static bool is_within(char *const *one, size_t one_count, char *const *other, size_t other_count)
{
	size_t i;

	for (i = 0; i < one_count; i++) {
		const char *value = variant_set_value(other, other_count, one[2 * i]);

		if (variant_variable(one[2 * i]) == NULL &&
		    (value == NULL || strcmp(value, one[2 * i + 1]) != 0))
			return false;
	}
	return true;
}

bool variant_is_like(char *const *one, size_t one_count, char *const *other, size_t other_count)
{
	return is_within(one, one_count, other, other_count) &&
	       is_within(other, other_count, one, one_count);
}

size_t variant_find_like(const struct result_run *run, char *const *set, size_t set_count)
{
	size_t found = variant_find(run, set, set_count), likes = 0, i;

	if (found != SIZE_MAX)
		return found;
	for (i = 0; i < run->variant_count; i++) {
		const struct result_variant *like = &run->variants[i];

		if (!variant_is_like(like->set, like->set_count, set, set_count))
			continue;
		found = i;
		likes++;
	}
	return likes == 1 ? found : SIZE_MAX;
}

const struct result_point *variant_match(const struct result *result,
					 const struct result_point *like)
{
	size_t variant = variant_find_like(&result->run, like->set, like->set_count);

	return result_find_point(result, variant, like->users);
}

const struct result_point *variant_base(const struct result *result,
					const struct result_point *point, bool previous)
{
	const struct result_run *run = &result->run;
	size_t axis = run->axis_count, base = point->variant, index, i;

	while (axis > 0 && run->axes[axis - 1].value_count == 1)
		axis--;
	if (axis == 0)
		return NULL;
	/* The last axis changes first. */
	index = base % run->axes[axis - 1].value_count;
	base -= previous && index > 0 ? 1 : index;
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *other = &result->points[i];

		if (other != point && other->variant == base && other->users == point->users &&
		    result_is_valid(other))
			return other;
	}
	return NULL;
}

struct result variant_result(const struct result *result, size_t variant)
{
	struct result view = {.run = result->run, .peak = SIZE_MAX};
	size_t i;

	view.run.variants = &result->run.variants[variant];
	view.run.variant_count = 1;
	for (i = 0; i < result->point_count; i++) {
		if (result->points[i].variant != variant)
			continue;
		if (view.point_count++ == 0)
			view.points = &result->points[i];
	}
	return view;
}

/* Copy a text to *to; NULL stays NULL. Return -ENOMEM if memory is short. */
static int copy_text(char **to, const char *from)
{
	*to = from != NULL ? strdup(from) : NULL;
	return from != NULL && *to == NULL ? -ENOMEM : 0;
}

/* Copy a target with its texts. The copy can be freed even after an error. */
static int copy_target(struct result_target *to, const struct result_target *from)
{
	int rc;

	*to = *from;
	rc = copy_text(&to->url, from->url);
	rc |= copy_text(&to->backend, from->backend);
	rc |= copy_text(&to->library, from->library);
	rc |= copy_text(&to->library_version, from->library_version);
	rc |= copy_text(&to->kind, from->kind);
	rc |= copy_text(&to->protection, from->protection);
	rc |= copy_text(&to->client.name, from->client.name);
	rc |= copy_text(&to->client.algorithm, from->client.algorithm);
	rc |= copy_text(&to->directory, from->directory);
	return rc < 0 ? -ENOMEM : 0;
}

static int copy_unsupported(struct result_unsupported *to, const struct result_unsupported *from)
{
	int rc;

	*to = *from;
	rc = copy_text(&to->name, from->name);
	rc |= copy_text(&to->cannot, from->cannot);
	rc |= copy_text(&to->load, from->load);
	return rc < 0 ? -ENOMEM : 0;
}

int variant_copy_targets(struct result_variant *to, const struct result_variant *from)
{
	size_t i;
	int rc = 0;

	variant_forget_targets(to);
	to->targets = calloc(from->target_count + 1, sizeof(*to->targets));
	to->unsupported = calloc(from->unsupported_count + 1, sizeof(*to->unsupported));
	if (to->targets == NULL || to->unsupported == NULL)
		return -ENOMEM;
	to->target_count = from->target_count;
	to->unsupported_count = from->unsupported_count;
	for (i = 0; i < from->target_count; i++)
		rc |= copy_target(&to->targets[i], &from->targets[i]);
	for (i = 0; i < from->unsupported_count; i++)
		rc |= copy_unsupported(&to->unsupported[i], &from->unsupported[i]);
	return rc < 0 ? -ENOMEM : 0;
}

void variant_move_targets(struct result_variant *to, struct result_variant *from)
{
	to->targets = from->targets;
	to->target_count = from->target_count;
	to->unsupported = from->unsupported;
	to->unsupported_count = from->unsupported_count;
	from->targets = NULL;
	from->unsupported = NULL;
	from->target_count = from->unsupported_count = 0;
}

void variant_forget_targets(struct result_variant *variant)
{
	struct result_variant old = {0};

	variant_move_targets(&old, variant);
	schema_free(schema_variant, &old);
}

char *variant_print(char *const *set, size_t count, char text[VARIANT_TEXT])
{
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < count && length < VARIANT_TEXT; i++)
		length += (size_t)snprintf(text + length, VARIANT_TEXT - length, "%s%s=%s",
					   i > 0 ? ", " : "", set[2 * i], set[2 * i + 1]);
	return text;
}

char *variant_print_point(const struct result_point *point, char text[VARIANT_TEXT])
{
	char set[VARIANT_TEXT];

	snprintf(text, VARIANT_TEXT, "%u %s%s%.200s", point->users,
		 point->users == 1 ? "user" : "users", point->set_count > 0 ? ", " : "",
		 variant_print(point->set, point->set_count, set));
	return text;
}
