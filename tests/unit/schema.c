/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare the rows of results with the JSON Schema that is installed with
 * throng: both have the same keys, types and optional keys.
 */
#include "unit.h"

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
static json_t *referred(const json_t *part)
{
	const char *name = json_string_value(json_object_get(part, "$ref"));

	if (name == NULL)
		return NULL;
	assert_int_equal(strncmp(name, "#/$defs/", 8), 0);
	return json_object_get(json_object_get(root, "$defs"), name + 8);
}

/* Return a keyword's value, following references, or NULL. */
static json_t *keyword(const json_t *part, const char *word)
{
	json_t *value = NULL;

	for (; part != NULL && value == NULL; part = referred(part))
		value = json_object_get(part, word);
	return value;
}

static json_t *property(const json_t *part, const char *key)
{
	json_t *found = NULL;

	for (; part != NULL && found == NULL; part = referred(part))
		found = json_object_get(json_object_get(part, "properties"), key);
	return found;
}

static size_t count_properties(const json_t *part)
{
	size_t count = 0;

	for (; part != NULL; part = referred(part))
		count += json_object_size(json_object_get(part, "properties"));
	return count;
}

static bool is_required(const json_t *part, const char *key)
{
	const json_t *name;
	size_t i;

	for (; part != NULL; part = referred(part))
		json_array_foreach(json_object_get(part, "required"), i,
				   name) if (strcmp(json_string_value(name), key) == 0) return true;
	return false;
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
	[SCHEMA_CHARS] = "string",
	[SCHEMA_TRUTH] = "boolean",  [SCHEMA_VALIDITY] = "boolean",
	[SCHEMA_COUNT] = "integer",  [SCHEMA_NUMBER] = "integer",
	[SCHEMA_REAL] = "number",    [SCHEMA_TIME] = "number",
	[SCHEMA_MEAN] = "number",    [SCHEMA_LIST] = "array",
	[SCHEMA_OBJECT] = "object",  [SCHEMA_COLUMNS] = "object",
	[SCHEMA_PAIRS] = "object",   [SCHEMA_NOTICES] = "array",
};
/* clang-format on */

static void check_object(const struct path *path, const struct schema_row *row, const json_t *part);

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
	const struct schema_row *member;
	size_t count = 0;

	for (member = row->of; member->kind != SCHEMA_END; member++) {
		const struct path here = {path, member->key};
		const json_t *value;

		if (member->presence == SCHEMA_NEVER)
			continue;
		if (member->key == NULL) {
			count += check_members(path, member, part);
			continue;
		}
		count++;
		value = property(part, member->key);
		if (value == NULL)
			wrong(&here, "the schema has no such key");
		if (row->kind == SCHEMA_COLUMNS)
			check_column(&here, value);
		else
			check_value(&here, member, value);
		if (certain && is_required(part, member->key) !=
				       (member->presence == SCHEMA_ALWAYS && member->find == NULL))
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

static void schema_file_and_rows_have_the_same_keys(void **state)
{
	const char *srcdir = getenv("SRCDIR");
	const struct schema_row whole = {.kind = SCHEMA_OBJECT, .of = schema_result};
	const struct path path = {NULL, "result"};
	char file[1000];

	snprintf(file, sizeof(file), "%s/share/throng-results-1.schema.json",
		 srcdir != NULL ? srcdir : "..");
	root = json_load_file(file, 0, NULL);
	if (root == NULL)
		fail_msg("cannot read %s", file);
	check_object(&path, &whole, root);
	json_decref(root);
}

/* The first four columns of CSV are not figures. */
static void csv_columns_are_numbered(void **state)
{
	struct schema_place places[SCHEMA_PLACES];
	size_t count = schema_list_columns(schema_figures, places), i;

	assert_true(count >= 20);
	for (i = 0; i < count; i++)
		assert_int_equal(places[i].row->figure->column, i + 5);
}

int unit_schema(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema_file_and_rows_have_the_same_keys),
		cmocka_unit_test(csv_columns_are_numbered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
