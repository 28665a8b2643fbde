/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare the rows of results with the JSON Schema that is installed with
 * throng: both have the same keys, types and optional keys.
 */
#include "unit.h"

#include "result/figures.h"
#include "result/schema.h"

#include <jansson.h>

static json_t *root;

/* The keys that lead to a place in a result, for messages. */
struct path {
	const struct path *in;
	const char *key;
};

static void print_path(const struct path *path, char text[200])
{
	size_t length;

	if (path == NULL) {
		text[0] = '\0';
		return;
	}
	print_path(path->in, text);
	length = strlen(text);
	snprintf(text + length, 200 - length, ".%s", path->key);
}

#define wrong(path, ...) \
	do { \
		char where[200], what[200]; \
		print_path(path, where); \
		snprintf(what, sizeof(what), __VA_ARGS__); \
		fail_msg("%s: %s", where, what); \
	} while (0)

/* Return the part of the schema that "$ref" in `part` names, or NULL. */
static const json_t *referred(const json_t *part)
{
	const char *name = json_string_value(json_object_get(part, "$ref"));

	if (name == NULL)
		return NULL;
	assert_int_equal(strncmp(name, "#/$defs/", 8), 0);
	return json_object_get(json_object_get(root, "$defs"), name + 8);
}

/* Call `visit` for a part of the schema, that to which it refers, and those of
 * which it consists ("allOf"), until it returns a value. */
static json_t *search(const json_t *part, const char *name,
		      json_t *(*visit)(const json_t *part, const char *name))
{
	const json_t *list = json_object_get(part, "allOf");
	json_t *found = NULL;
	size_t i;

	if (part == NULL)
		return NULL;
	found = visit(part, name);
	if (found == NULL)
		found = search(referred(part), name, visit);
	for (i = 0; i < json_array_size(list) && found == NULL; i++)
		found = search(json_array_get(list, i), name, visit);
	return found;
}

static json_t *member(const json_t *part, const char *word)
{
	return json_object_get(part, word);
}

/* Return a keyword's value, or NULL. */
static json_t *keyword(const json_t *part, const char *word)
{
	return search(part, word, member);
}

static json_t *own_property(const json_t *part, const char *key)
{
	return json_object_get(json_object_get(part, "properties"), key);
}

static json_t *property(const json_t *part, const char *key)
{
	return search(part, key, own_property);
}

static size_t property_count;

static json_t *count_own(const json_t *part, const char *name)
{
	property_count += json_object_size(json_object_get(part, "properties"));
	return NULL;
}

static size_t count_properties(const json_t *part)
{
	property_count = 0;
	search(part, NULL, count_own);
	return property_count;
}

static json_t *own_requirement(const json_t *part, const char *key)
{
	json_t *name;
	size_t i;

	json_array_foreach(json_object_get(part, "required"), i,
			   name) if (strcmp(json_string_value(name), key) == 0) return name;
	return NULL;
}

static bool is_required(const json_t *part, const char *key)
{
	return search(part, key, own_requirement) != NULL;
}

static void check_words(const struct path *path, const json_t *list, const char *const *words)
{
	size_t i;

	for (i = 0; words[i] != NULL; i++) {
		const char *word = json_string_value(json_array_get(list, i));

		if (word == NULL || strcmp(word, words[i]) != 0)
			wrong(path, "lacks the word %s", words[i]);
	}
	if (json_array_size(list) != i)
		wrong(path, "has words that the rows lack");
}

/* clang-format off */
static const char *const types[] = {
	[SCHEMA_TEXT] = "string",    [SCHEMA_STAMP] = "string",
	[SCHEMA_CHARS] = "string",   [SCHEMA_TRUTH] = "boolean",
	[SCHEMA_COUNT] = "integer",  [SCHEMA_NUMBER] = "integer",
	[SCHEMA_SIZE] = "integer",   [SCHEMA_REAL] = "number",
	[SCHEMA_TIME] = "number",    [SCHEMA_LIST] = "array",
	[SCHEMA_OBJECT] = "object",  [SCHEMA_COLUMNS] = "object",
	[SCHEMA_PAIRS] = "object",   [SCHEMA_NOTICES] = "array",
	[SCHEMA_ROWS] = "array",
};
/* clang-format on */

static void check_object(const struct path *path, const struct schema_row *row, const json_t *part);
static void check_rows(const struct path *path, const char *list, const json_t *part);

static void check_value(const struct path *path, const struct schema_row *row, const json_t *part)
{
	const char *type = json_string_value(keyword(part, "type"));

	if (row->kind == SCHEMA_NAME) {
		if (strcmp(json_string_value(keyword(part, "const")), row->words[0]) != 0)
			wrong(path, "is not %s", row->words[0]);
		return;
	}
	if (row->words != NULL) {
		check_words(path, keyword(part, "enum"), row->words);
		return;
	}
	if (type == NULL || strcmp(type, types[row->kind]) != 0)
		wrong(path, "is %s instead of %s", type, types[row->kind]);
	if (row->kind == SCHEMA_LIST)
		check_value(path, row->of, keyword(part, "items"));
	else if (row->kind == SCHEMA_OBJECT || row->kind == SCHEMA_COLUMNS)
		check_object(path, row, part);
	else if (row->kind == SCHEMA_ROWS)
		check_rows(path, row->key, keyword(part, "items"));
}

static void check_column(const struct path *path, const json_t *list)
{
	if (strcmp(json_string_value(keyword(list, "type")), "array") != 0)
		wrong(path, "is not a list");
}

/* Check the members of a row against the schema. Return the number of keys that
 * the row writes into the object. */
static size_t check_members(const struct path *path, const struct schema_row *row,
			    const json_t *part)
{
	/* Keys of a part that may be absent as a whole are not required. */
	bool certain = row->kind != SCHEMA_COLUMNS && (row->key != NULL || row->find == NULL);
	const struct schema_row *at;
	size_t count = 0;

	for (at = row->of; at->kind != SCHEMA_END; at++) {
		const struct path here = {path, at->key};
		const json_t *value;

		if (at->key == NULL) {
			count += check_members(path, at, part);
			continue;
		}
		count++;
		value = property(part, at->key);
		if (value == NULL)
			wrong(&here, "the schema has no such key");
		if (row->kind == SCHEMA_COLUMNS)
			check_column(&here, value);
		else
			check_value(&here, at, value);
		if (certain && is_required(part, at->key) !=
				       (at->presence == SCHEMA_ALWAYS && at->find == NULL))
			wrong(&here, "is required in the schema only, or in the rows only");
	}
	return count;
}

static void check_object(const struct path *path, const struct schema_row *row, const json_t *part)
{
	size_t count = check_members(path, row, part);

	if (count != count_properties(part))
		wrong(path, "%zu keys in the rows, %zu in the schema", count,
		      count_properties(part));
}

/* A hook of rows that may be absent. */
static const void *sometimes(const void *record)
{
	return NULL;
}

/* The keys by which rows of lists belong to something. */
#define OF_REPEAT "users", "repeat"
#define OF_RECORD "scope", "host", "load", "user", "phase", "operation"

/* The lists of rows: the keys beside those of a table, the table, and if the rows
 * have figures. */
static const struct list {
	const char *name, *const *keys;
	const struct schema_row *rows;
	bool figures;
} lists[] = {
#define KEYS(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}
	{"figures", KEYS("name", "unit", "better", "combine"), NULL, false},
	{"measurements", KEYS(OF_REPEAT), schema_measurement, false},
	{"records", KEYS(OF_REPEAT, OF_RECORD, "valid", "direction"), NULL, true},
	{"points",
	 KEYS("users", "repeats", OF_RECORD, "valid", "direction", "mb_per_s_min", "mb_per_s_max",
	      "spread", "gain"),
	 schema_point, true},
	{"series", KEYS(OF_REPEAT), schema_series, false},
	{"samples", KEYS(OF_REPEAT, "name", "mean", "max", "values"), NULL, false},
	{"sample_points", KEYS("users", "name", "mean", "max"), NULL, false},
	{"histograms", KEYS(OF_REPEAT, OF_RECORD, "of"), schema_histogram, false},
	{"differences", KEYS(OF_REPEAT), schema_difference, false},
	{"rates", KEYS("users"), schema_rate, false},
	{"tries", KEYS("users"), schema_try, false},
#undef KEYS
};

/* Check that the rows have this key, which is not in a table. */
static void check_key(const struct path *path, const char *key, const json_t *part)
{
	const struct path here = {path, key};

	if (property(part, key) == NULL)
		wrong(&here, "the schema has no such key");
}

/* Check that the rows may have the figure. A count of a point may be the median
 * of two, so it need not be whole. */
static void check_figure(const struct path *path, enum figure figure, const json_t *part)
{
	const struct path here = {path, figures[figure].name};
	bool counts = figures[figure].form == FORM_COUNT || figures[figure].form == FORM_BYTES;
	const json_t *value = property(part, figures[figure].name);
	const char *type = json_string_value(keyword(value, "type"));

	if (value == NULL)
		wrong(&here, "the schema has no such figure");
	if (type == NULL ||
	    (strcmp(type, "number") != 0 && !(counts && strcmp(type, "integer") == 0)))
		wrong(&here, "is %s", type);
	if (is_required(part, figures[figure].name) &&
	    (figure >= FIGURES_OF_OPERATIONS || figures[figure].derived))
		wrong(&here, "is required, but not in all rows");
}

static void check_rows(const struct path *path, const char *name, const json_t *part)
{
	const struct list *list = lists;
	enum figure figure;
	size_t count = 0;

	while (strcmp(list->name, name) != 0)
		list++;
	for (; list->keys[count] != NULL; count++)
		check_key(path, list->keys[count], part);
	for (figure = 0; list->figures && figure < FIGURES; figure++, count++)
		check_figure(path, figure, part);
	/* Only totals of points have the keys of the table. */
	if (list->rows != NULL)
		count += check_members(path,
				       &(const struct schema_row){
					       .key = list->rows == schema_point ? NULL : name,
					       .of = list->rows,
					       .find = sometimes,
				       },
				       part);
	if (count != count_properties(part))
		wrong(path, "%zu keys in the rows, %zu in the schema", count,
		      count_properties(part));
}

static void schema_file_and_rows_have_the_same_keys(void **state)
{
	const char *srcdir = getenv("SRCDIR");
	const struct schema_row whole = {.kind = SCHEMA_OBJECT, .of = schema_result};
	const struct path path = {NULL, "result"};
	char file[1000];

	snprintf(file, sizeof(file), "%s/share/throng-results-2.schema.json",
		 srcdir != NULL ? srcdir : "..");
	root = json_load_file(file, 0, NULL);
	if (root == NULL)
		fail_msg("cannot read %s", file);
	check_object(&path, &whole, root);
	json_decref(root);
}

int unit_schema(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema_file_and_rows_have_the_same_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
