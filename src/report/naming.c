/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/naming.h"

#include "base/array.h"
#include "result/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a mark, and number of letters. */
enum { MARK_COLUMNS = 8, LETTERS = 26 };

/* A path that is the value of an axis is shortened if it is at least this long. */
enum { LONG_PATH = 16 };

#define TARGET_AXIS "target"

/* The values of an axis that get short names. */
struct axis_names {
	const char *axis;
	const char **values; /* of all results, all different */
	char **names;        /* one per value; NULL: not made yet */
	size_t count;
};

struct naming {
	struct axis_names *list;
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

/* Check if another text has the same name. */
static bool is_taken(const char *const *texts, char *const *names, size_t count, size_t index)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(names[i], names[index]) == 0 && strcmp(texts[i], texts[index]) != 0)
			return true;
	return false;
}

/*
 * Give targets or files names as short as they can be if different texts are to
 * have different names. The elements of `names` must be NULL; the caller frees
 * them, also after an error. Return 0 or -ENOMEM.
 */
static int shorten(const char *const *texts, size_t count, char **names)
{
	unsigned *details = calloc(count + 1, sizeof(*details));
	bool differ = false;
	size_t i;

	while (details != NULL && !differ) {
		for (i = 0; i < count; i++) {
			free(names[i]);
			names[i] = make_name(texts[i], details[i] + 1);
			if (names[i] == NULL) {
				free(details);
				return -ENOMEM;
			}
		}
		differ = true;
		for (i = 0; i < count; i++)
			if (is_taken(texts, names, count, i)) {
				details[i]++;
				differ = false;
			}
	}
	free(details);
	return differ ? 0 : -ENOMEM;
}

static void free_texts(char **texts, size_t count)
{
	size_t i;

	for (i = 0; texts != NULL && i < count; i++)
		free(texts[i]);
	free(texts);
}

/* Return the index of a value, or the number of values if there is none. */
static size_t find_value(const struct axis_names *axis, const char *value)
{
	size_t i;

	for (i = 0; i < axis->count; i++)
		if (strcmp(axis->values[i], value) == 0)
			break;
	return i;
}

/* Add the values of an axis that a result has. */
static int add_values(struct axis_names *axis, const struct result_axis *from)
{
	size_t i;

	for (i = 0; i < from->value_count; i++)
		if (find_value(axis, from->values[i]) == axis->count &&
		    array_append(&axis->values, &axis->count, &from->values[i],
				 sizeof(from->values[i])) < 0)
			return -ENOMEM;
	return 0;
}

/* Check if an axis gets short names: its values are targets or long paths. */
static bool is_shortened(const struct result_axis *axis)
{
	size_t i;

	for (i = 0; i < axis->value_count; i++)
		if (strchr(axis->values[i], '/') != NULL && strlen(axis->values[i]) >= LONG_PATH)
			return true;
	return strcmp(axis->name, TARGET_AXIS) == 0;
}

static struct axis_names *find_axis(const struct naming *naming, const char *axis)
{
	size_t i;

	for (i = 0; i < naming->count; i++)
		if (strcmp(naming->list[i].axis, axis) == 0)
			return &naming->list[i];
	return NULL;
}

/* Collect the values of the axes. The second time, add those of other results, which
 * have only short paths. */
static int add_axes(struct naming *naming, const struct result_run *run)
{
	size_t i;

	for (i = 0; i < run->axis_count; i++) {
		const struct axis_names new = {.axis = run->axes[i].name};
		struct axis_names *axis = find_axis(naming, new.axis);

		if (axis == NULL && is_shortened(&run->axes[i])) {
			if (array_append(&naming->list, &naming->count, &new, sizeof(new)) < 0)
				return -ENOMEM;
			axis = &naming->list[naming->count - 1];
		}
		if (axis != NULL && add_values(axis, &run->axes[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

struct naming *naming_new(const struct result *results, size_t count)
{
	struct naming *naming = calloc(1, sizeof(*naming));
	int rc = naming != NULL ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < 2 * count && rc == 0; i++)
		rc = add_axes(naming, &results[i % count].run);
	for (i = 0; rc == 0 && i < naming->count; i++) {
		struct axis_names *axis = &naming->list[i];

		axis->names = calloc(axis->count + 1, sizeof(*axis->names));
		rc = axis->names != NULL ? shorten(axis->values, axis->count, axis->names)
					 : -ENOMEM;
	}
	if (rc == 0)
		return naming;
	naming_free(naming);
	return NULL;
}

struct naming *naming_of(const struct result_run *run)
{
	const struct result result = {.run = *run};

	return naming_new(&result, 1);
}

void naming_free(struct naming *naming)
{
	size_t i;

	for (i = 0; naming != NULL && i < naming->count; i++) {
		free_texts(naming->list[i].names, naming->list[i].count);
		free(naming->list[i].values);
	}
	if (naming != NULL)
		free(naming->list);
	free(naming);
}

const char *naming_value(const struct naming *naming, const char *axis, const char *value)
{
	const struct axis_names *found = naming != NULL ? find_axis(naming, axis) : NULL;
	size_t index = found != NULL ? find_value(found, value) : 0;

	return found != NULL && index < found->count ? found->names[index] : value;
}

/* Let the view own a text, and return it. Return NULL if memory is short, or if
 * `text` is NULL. */
static const char *own(struct view *view, char *text)
{
	if (text != NULL && array_append(&view->texts, &view->text_count, &text, sizeof(text)) == 0)
		return text;
	free(text);
	return NULL;
}

/* Return the letter of a side or, if there are too few, its number. */
static const char *letter_of(struct view *view, size_t side)
{
	char *text;
	int rc = side < LETTERS ? asprintf(&text, "%c", (char)('A' + side))
				: asprintf(&text, "%zu", side + 1);

	return rc < 0 ? NULL : own(view, text);
}

/*
 * Return the values of a variant, of those axes that have several: "bs=4Ki,
 * sync=no"; without the names of axes if they are `bare`. A target is known by its
 * value.
 */
static const char *print_values(struct view *view, size_t variant, bool bare)
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

		if (run->axes[i].value_count == 1)
			continue;
		fputs(between, stream);
		if (!bare && strcmp(axis, TARGET_AXIS) != 0)
			fprintf(stream, "%s=", axis);
		fputs(naming_value(view->naming, axis, variant_value(run, variant, i)), stream);
		between = ", ";
	}
	if (fclose(stream) == 0)
		return own(view, text);
	free(text);
	return NULL;
}

/* Check if all names are different, and none is empty. */
static bool do_differ(const char *const *names, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j <= i; j++)
			if (names[i][0] == '\0' || (j < i && strcmp(names[i], names[j]) == 0))
				return false;
	return true;
}

/* Check if all names fit into a chart. */
static bool are_short(const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!naming_is_short(names[i], MARK_COLUMNS))
			return false;
	return true;
}

/* Set the names of files, without ".json", and without directories unless these
 * tell them apart. */
static int name_files(struct view *view, const char *const *files, const char **names)
{
	static const char ending[] = ".json";
	const size_t count = view->side_count, ending_length = strlen(ending);
	char **stems = calloc(count, sizeof(*stems)), **made = calloc(count, sizeof(*made));
	int rc = stems != NULL && made != NULL ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < count && rc == 0; i++) {
		size_t length = strlen(files[i]);

		if (length > ending_length && files[i][length - ending_length - 1] != '/' &&
		    strcmp(files[i] + length - ending_length, ending) == 0)
			length -= ending_length;
		stems[i] = strndup(files[i], length);
		rc = stems[i] != NULL ? 0 : -ENOMEM;
	}
	if (rc == 0)
		rc = shorten((const char *const *)stems, count, made);
	for (i = 0; i < count && rc == 0; i++) {
		names[i] = own(view, made[i]);
		made[i] = NULL;
		rc = names[i] != NULL ? 0 : -ENOMEM;
	}
	free_texts(stems, count);
	free_texts(made, count);
	return rc;
}

/* Fill in the names of results: their labels; if they have none, or if labels are
 * equal, their files or `letters`. */
static int name_results(struct view *view, const char *const *files, const char **letters,
			const char **names)
{
	const size_t count = view->side_count;
	const char **stems = calloc(count, sizeof(*stems)), **defaults = letters;
	int rc = stems != NULL ? 0 : -ENOMEM;
	size_t i;

	if (rc == 0 && files != NULL && view_has_several(view)) {
		rc = name_files(view, files, stems);
		if (rc == 0 && do_differ(stems, count))
			defaults = stems;
	}
	for (i = 0; i < count && rc == 0; i++) {
		const char *label = view->sides[i].result->run.label;

		names[i] = label[0] != '\0' ? label : defaults[i];
	}
	if (rc == 0 && !do_differ(names, count))
		memcpy(names, defaults, count * sizeof(*names));
	free(stems);
	return rc;
}

/* Fill in the names of variants and, in `bare`, those without the names of axes. */
static int name_variants(struct view *view, const char **names, const char **bare)
{
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		names[i] = print_values(view, i, false);
		bare[i] = print_values(view, i, true);
		if (names[i] == NULL || bare[i] == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Choose names of the sides. `shorter` and `letters` are for their marks. */
static int choose(struct view *view, const char *const *files, const char **names,
		  const char **shorter, const char **letters)
{
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		letters[i] = letter_of(view, i);
		if (letters[i] == NULL)
			return -ENOMEM;
		shorter[i] = letters[i];
	}
	if (names[0] != NULL)
		return 0;
	return view->side_count > 1 && !view_has_several(view)
		       ? name_variants(view, names, shorter)
		       : name_results(view, files, letters, names);
}

int naming_sides(struct view *view, const char *const *files, const char *const *names)
{
	const size_t count = view->side_count;
	const char **lists = calloc(3 * count, sizeof(*lists)), **marks = lists;
	size_t i;
	int rc;

	if (lists == NULL)
		return -ENOMEM;
	if (names != NULL)
		memcpy(lists, names, count * sizeof(*lists));
	rc = choose(view, files, lists, lists + count, lists + 2 * count);
	/* The letters are always short and different. */
	while (rc == 0 && !(are_short(marks, count) && do_differ(marks, count)))
		marks += count;
	for (i = 0; i < count && rc == 0; i++) {
		view->sides[i].name = lists[i];
		view->sides[i].mark = marks[i];
	}
	free(lists);
	return rc;
}

bool naming_is_short(const char *name, size_t columns)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if (name[i] < ' ' || name[i] > '~')
			return false;
	return i <= columns;
}
