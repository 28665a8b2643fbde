/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/naming.h"

#include "base/array.h"
#include "result/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a name in a table of text and in a chart, and number of letters. */
enum { BRIEF_COLUMNS = 12, MARK_COLUMNS = 8, ALPHABET = 26 };

/* An axis gets short names if one of its values is a path of at least this length. */
enum { LONG_PATH = 16 };

/* With more detail, a name is the whole text: a path from a file may have any number of
 * components. */
enum { DETAIL_MAX = 16 };

/* The axes whose values are targets and loads; files are kept as if they were values,
 * too. */
#define TARGET_AXIS "target"
#define LOAD_AXIS "loadfile"
#define FILES_AXIS ""

/* A value of an axis that gets a short name. */
struct named {
	const char *axis, *value;
	unsigned detail; /* of the name (make_name) */
	char *name;
};

struct naming {
	struct named *list;
	size_t count;
};

/* Return a copy of the last `count` components of a path, or of the whole text, which
 * ends with the path, if there are no more. */
static char *copy_end(const char *text, const char *path, unsigned count)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0; start--)
		if (path[start - 1] == '/' && --count == 0)
			break;
	return start == 0 || start == end ? strdup(text) : strndup(path + start, end - start);
}

/*
 * Return the name of a target or file with this detail, from 1; NULL: memory is
 * short. Of a URL: the host and the path; then also its options; its user; all. Of
 * a path: as many components. A detail that is large enough gives the text itself.
 */
static char *make_name(const char *text, unsigned detail)
{
	const char *host = strstr(text, "://"), *user;
	size_t length;

	if (detail > DETAIL_MAX)
		return strdup(text);
	if (host == NULL || host[3] == '/')
		return copy_end(text, host != NULL ? host + 3 : text, detail);
	if (detail > 3)
		return strdup(text);
	host += 3;
	user = memchr(host, '@', strcspn(host, "/?"));
	if (user != NULL && detail < 3)
		host = user + 1;
	length = strcspn(host, detail == 1 ? "?" : "");
	while (detail == 1 && length > 1 && host[length - 1] == '/')
		length--;
	return strndup(host, length);
}

/* Check if another value of the axis has the same name. */
static bool is_taken(const struct naming *naming, const struct named *named)
{
	size_t i;

	for (i = 0; i < naming->count; i++)
		if (&naming->list[i] != named && strcmp(naming->list[i].axis, named->axis) == 0 &&
		    strcmp(naming->list[i].name, named->name) == 0)
			return true;
	return false;
}

/* Make names as short as they can be if different values are to have different names.
 * Return 0 or -ENOMEM. */
static int make_names(struct naming *naming)
{
	bool differ;
	size_t i;

	do {
		for (i = 0; i < naming->count; i++) {
			struct named *named = &naming->list[i];

			free(named->name);
			named->name = make_name(named->value, named->detail);
			if (named->name == NULL)
				return -ENOMEM;
		}
		differ = true;
		for (i = 0; i < naming->count; i++)
			if (is_taken(naming, &naming->list[i])) {
				naming->list[i].detail++;
				differ = false;
			}
	} while (!differ);
	return 0;
}

static const struct named *find(const struct naming *naming, const char *axis, const char *value)
{
	size_t i;

	for (i = 0; naming != NULL && i < naming->count; i++)
		if (strcmp(naming->list[i].axis, axis) == 0 &&
		    strcmp(naming->list[i].value, value) == 0)
			return &naming->list[i];
	return NULL;
}

/* Add the values that are missing. Return 0 or -ENOMEM. */
static int add_values(struct naming *naming, const char *axis, const char *const *values,
		      size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct named new = {.axis = axis, .value = values[i], .detail = 1};

		if (find(naming, axis, values[i]) == NULL &&
		    array_append(&naming->list, &naming->count, &new, sizeof(new)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool has_long_path(const struct result_axis *axis)
{
	size_t i;

	for (i = 0; i < axis->value_count; i++)
		if (strchr(axis->values[i], '/') != NULL && strlen(axis->values[i]) >= LONG_PATH)
			return true;
	return false;
}

/* Check if an axis gets short names. In some of the results, it may only have short
 * paths. */
static bool is_shortened(const struct result *results, size_t count, const char *axis)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < results[i].run.axis_count; j++)
			if (strcmp(results[i].run.axes[j].name, axis) == 0 &&
			    has_long_path(&results[i].run.axes[j]))
				return true;
	return naming_is_known(axis);
}

bool naming_is_known(const char *axis)
{
	return strcmp(axis, TARGET_AXIS) == 0 || strcmp(axis, LOAD_AXIS) == 0;
}

struct naming *naming_new(const struct result *results, size_t count, const char *const *files)
{
	struct naming *naming = calloc(1, sizeof(*naming));
	int rc = naming != NULL ? 0 : -ENOMEM;
	size_t i, j;

	if (rc == 0 && files != NULL)
		rc = add_values(naming, FILES_AXIS, files, count);
	for (i = 0; i < count; i++) {
		const struct result_run *run = &results[i].run;

		for (j = 0; rc == 0 && j < run->axis_count; j++)
			if (is_shortened(results, count, run->axes[j].name))
				rc = add_values(naming, run->axes[j].name,
						(const char *const *)run->axes[j].values,
						run->axes[j].value_count);
	}
	if (rc == 0)
		rc = make_names(naming);
	if (rc == 0)
		return naming;
	naming_free(naming);
	return NULL;
}

struct naming *naming_of(const struct result_run *run)
{
	const struct result result = {.run = *run};

	return naming_new(&result, 1, NULL);
}

void naming_free(struct naming *naming)
{
	size_t i;

	if (naming == NULL)
		return;
	for (i = 0; i < naming->count; i++)
		free(naming->list[i].name);
	free(naming->list);
	free(naming);
}

const char *naming_value(const struct naming *naming, const char *axis, const char *value)
{
	const struct named *named = find(naming, axis, value);

	return named != NULL ? named->name : value;
}

/* Return the letter of a side or, if there are too few, its number. */
static char *print_letter(size_t side)
{
	char *text;
	int rc = side < ALPHABET ? asprintf(&text, "%c", (char)('A' + side))
				 : asprintf(&text, "%zu", side + 1);

	return rc < 0 ? NULL : text;
}

/*
 * Return the values of a variant, of those axes that have several: "bs=4Ki,
 * sync=no"; without the names of axes if they are `bare`. A target and a load are
 * known by their values.
 */
static char *print_values(const struct view *view, size_t variant, bool bare)
{
	const struct result_run *run = &view->whole->run;
	const char *between = "";
	char *text = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	for (i = 0; i < run->axis_count; i++) {
		const char *axis = run->axes[i].name;
		const bool is_bare = bare || naming_is_known(axis);

		if (run->axes[i].value_count == 1)
			continue;
		fprintf(stream, "%s%s%s%s", between, is_bare ? "" : axis, is_bare ? "" : "=",
			naming_value(view->naming, axis, variant_value(run, variant, i)));
		between = ", ";
	}
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

/* Return the short name of a file, without ".json". */
static char *print_file(const struct view *view, const char *file)
{
	const char *name = naming_value(view->naming, FILES_AXIS, file);
	const char *dot = strrchr(name, '.');

	if (dot == NULL || dot == name || strcmp(dot, ".json") != 0)
		return strdup(name);
	return strndup(name, (size_t)(dot - name));
}

/* Check if names are all different, not empty and short. */
static bool are_usable(char *const *names, size_t count, size_t columns)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		if (names[i][0] == '\0' ||
		    (columns < SIZE_MAX && !naming_is_short(names[i], columns)))
			return false;
		for (j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				return false;
	}
	return true;
}

/* Return the first list of usable names. The last one, with the letters, always is. */
static char *const *choose(const struct view *view, size_t columns)
{
	char *const *names = view->texts;

	while (!are_usable(names, view->side_count, columns))
		names += view->side_count;
	return names;
}

/* Lists of names, from the best to the one that can always be used. */
enum { LABELS, FILES, LETTERS, LISTS };

/* Return the name of a side in a list: its label, or the values of a variant; its file,
 * or the values without the names of axes; its letter. If it has none, return that of
 * the next list. NULL: memory is short. */
static char *print_name(const struct view *view, const char *const *files, const char *const *names,
			size_t list, size_t side)
{
	const bool has_several = view_has_several(view);
	const char *label = names != NULL ? names[side] : view->sides[side].result->run.label;

	if (!has_several && view->side_count > 1 && list < LETTERS)
		return print_values(view, side, list > LABELS);
	if (list == LABELS && label[0] != '\0')
		return strdup(label);
	if (list < LETTERS && has_several && files != NULL)
		return print_file(view, files[side]);
	return print_letter(side);
}

int naming_sides(struct view *view, const char *const *files, const char *const *names)
{
	const size_t count = view->side_count;
	char *const *chosen, *const *brief, *const *marks;
	size_t i;

	for (i = 0; i < LISTS * count; i++) {
		char *text = print_name(view, files, names, i / count, i % count);

		if (text == NULL ||
		    array_append(&view->texts, &view->text_count, &text, sizeof(text)) < 0) {
			free(text);
			return -ENOMEM;
		}
	}
	chosen = choose(view, SIZE_MAX);
	brief = choose(view, BRIEF_COLUMNS);
	marks = choose(view, MARK_COLUMNS);
	for (i = 0; i < count; i++) {
		view->sides[i].name = chosen[i];
		view->sides[i].brief = brief[i];
		view->sides[i].mark = marks[i];
	}
	return 0;
}

bool naming_is_short(const char *name, size_t columns)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if (name[i] < ' ' || name[i] > '~')
			return false;
	return i <= columns;
}
