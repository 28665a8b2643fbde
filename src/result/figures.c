/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/figures.h"

#include <string.h>

#define FIGURES_ROW(id, own_name, own_form, own_combine, ...) \
	[FIGURE_##id] = { \
		.name = (own_name), .form = (own_form), .combine = (own_combine), __VA_ARGS__},

const struct figure_info figures[FIGURES] = {FIGURES_LIST(FIGURES_ROW)};

/* The unit of each form, the end of the names that it has, and how many of it
 * are one second. */
static const struct form {
	const char *unit, *ending;
	double per_second;
} forms[] = {
	[FORM_COUNT] = {"", "", 0},        [FORM_BYTES] = {"bytes", "", 0},
	[FORM_MB_PER_S] = {"MB/s", "", 0}, [FORM_PER_S] = {"/s", "", 0},
	[FORM_S] = {"s", "_s", 1},         [FORM_MS] = {"ms", "_ms", 1e3},
	[FORM_US] = {"us", "_us", 1e6},    [FORM_SHARE] = {"", "_share", 0},
	[FORM_MEAN] = {"", "", 0},
};

static const struct form *form_of(enum figure figure)
{
	return &forms[figures[figure].form];
}

const char *figure_unit(enum figure figure)
{
	return form_of(figure)->unit;
}

double figure_per_second(enum figure figure)
{
	return form_of(figure)->per_second;
}

/* Return the length of the name without the end that its form has. */
static size_t stem_of(enum figure figure)
{
	const char *name = figures[figure].name, *ending = form_of(figure)->ending;
	size_t length = strlen(name), end = strlen(ending);

	return length > end && strcmp(name + length - end, ending) == 0 ? length - end : length;
}

size_t figure_stem(enum figure figure)
{
	const char *name = figures[figure].name;
	size_t length = stem_of(figure);
	enum figure other;

	for (other = 0; other < figure; other++)
		if (stem_of(other) == length && memcmp(figures[other].name, name, length) == 0)
			return strlen(name);
	return length;
}
