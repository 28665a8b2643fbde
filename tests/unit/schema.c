/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of results against the JSON Schema that is installed with throng:
 * the same keys in the same places, of the same types, and as optional.
 */
#include "unit.h"

#include "result/schema.h"

#include <jansson.h>

static json_t *root;

/* Where in a result something is wrong. */
struct way {
	const struct way *in;
	const char *key;
};

static void print_way(const struct way *way, char text[200])
{
	size_t length;

	if (way == NULL) {
		text[0] = '\0';
		return;
	}
	print_way(way->in, text);
	length = strlen(text);
	snprintf(text + length, 200 - length, ".%s", way->key);
}

#define wrong(way, ...) \
	do { \
		char where[200], what[200]; \
		print_way(way, where); \
		snprintf(what, sizeof(what), __VA_ARGS__); \
		fail_msg("%s: %s", where, what); \
	} while (0)

/* Return what a part of the schema refers to, or NULL. */
static json_t *referred(const json_t *part)
{
	const char *name = json_string_value(json_object_get(part, "$ref"));

	if (name == NULL)
		return NULL;
	assert_int_equal(strncmp(name, "#/$defs/", 8), 0);
	return json_object_get(json_object_get(root, "$defs"), name + 8);
}

/* Return a keyword's value from the part or from what it refers to, or NULL. */
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
		found = json_object_get(json_object_get(part, "properties"),
					key);
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
		json_array_foreach(json_object_get(part, "required"), i, name)
			if (strcmp(json_string_value(name), key) == 0)
				return true;
	return false;
}

static void check_words(const struct way *way, const json_t *list,
			const char *const *words)
{
	size_t i;

	for (i = 0; words[i] != NULL; i++) {
		const char *word = json_string_value(json_array_get(list, i));

		if (word == NULL || strcmp(word, words[i]) != 0)
			wrong(way, "lacks the word %s", words[i]);
	}
	if (json_array_size(list) != i)
		wrong(way, "has words that the rows lack");
}

static const char *const types[] = {
	[SCHEMA_TEXT] = "string",    [SCHEMA_STAMP] = "string",
	[SCHEMA_TRUTH] = "boolean",  [SCHEMA_VALIDITY] = "boolean",
	[SCHEMA_COUNT] = "integer",  [SCHEMA_NUMBER] = "integer",
	[SCHEMA_REAL] = "number",    [SCHEMA_TIME] = "number",
	[SCHEMA_MEAN] = "number",    [SCHEMA_LIST] = "array",
	[SCHEMA_OBJECT] = "object",  [SCHEMA_COLUMNS] = "object",
	[SCHEMA_PAIRS] = "object",
};

static void check_object(const struct way *way, const struct schema_row *row,
			 const json_t *part);

static void check_value(const struct way *way, const struct schema_row *row,
			const json_t *part)
{
	const char *type = json_string_value(keyword(part, "type"));

	if (row->kind == SCHEMA_NAME) {
		if (strcmp(json_string_value(keyword(part, "const")),
			   row->words[0]) != 0)
			wrong(way, "is not %s", row->words[0]);
		return;
	}
	if (row->words != NULL) {
		check_words(way, keyword(part, "enum"), row->words);
		return;
	}
	if (type == NULL || strcmp(type, types[row->kind]) != 0)
		wrong(way, "is %s instead of %s", type, types[row->kind]);
	if (row->kind == SCHEMA_LIST)
		check_value(way, row->of, keyword(part, "items"));
	else if (row->kind == SCHEMA_OBJECT || row->kind == SCHEMA_COLUMNS)
		check_object(way, row, part);
}

static void check_column(const struct way *way, const json_t *list)
{
	if (strcmp(json_string_value(keyword(list, "type")), "array") != 0)
		wrong(way, "is not a list");
}

/* Return how many keys the row, which has members, writes into the object. */
static size_t check_members(const struct way *way,
			    const struct schema_row *row, const json_t *part)
{
	/* Nobody can say that of a part which may be missing. */
	bool certain = row->kind != SCHEMA_COLUMNS &&
		       (row->key != NULL || row->find == NULL);
	const struct schema_row *member;
	size_t count = 0;

	for (member = row->of; member->kind != SCHEMA_END; member++) {
		const struct way here = {way, member->key};
		const json_t *value;

		if (member->presence == SCHEMA_NEVER)
			continue;
		if (member->key == NULL) {
			count += check_members(way, member, part);
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
				       (member->presence == SCHEMA_ALWAYS &&
					member->find == NULL))
			wrong(&here, "is required, or is not, by mistake");
	}
	return count;
}

static void check_object(const struct way *way, const struct schema_row *row,
			 const json_t *part)
{
	size_t count = check_members(way, row, part);

	if (count != count_properties(part))
		wrong(way, "%zu keys in the rows, %zu in the schema", count,
		      count_properties(part));
}

static void the_schema_file_and_the_rows_have_the_same_keys(void **state)
{
	const char *srcdir = getenv("SRCDIR");
	const struct schema_row whole = {.kind = SCHEMA_OBJECT,
					 .of = schema_result};
	const struct way way = {NULL, "result"};
	char path[1000];

	(void)state;
	snprintf(path, sizeof(path), "%s/share/throng-results-1.schema.json",
		 srcdir != NULL ? srcdir : "..");
	root = json_load_file(path, 0, NULL);
	if (root == NULL)
		fail_msg("no JSON: %s", path);
	check_object(&way, &whole, root);
	json_decref(root);
}

/* Columns of CSV are counted from 1; four of them are no figures. */
static void columns_of_csv_have_a_number_each(void **state)
{
	struct schema_place places[SCHEMA_PLACES];
	size_t count = schema_list_columns(schema_figures, places), i;

	(void)state;
	assert_true(count >= 20);
	for (i = 0; i < count; i++)
		assert_int_equal(places[i].row->figure->column, i + 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_schema_file_and_the_rows_have_the_same_keys),
		cmocka_unit_test(columns_of_csv_have_a_number_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
