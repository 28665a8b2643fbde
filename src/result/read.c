/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/read.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Default bounds, for rows without bounds of their own. */
enum { FILE_BYTES_MAX = 256 << 20, LIST_MAX = 10 * 1000 * 1000 };
#define REAL_MAX 1e15
#define TIME_MAX_NS 1e18

static void read_text(const struct json_cursor *object, const struct schema_row *row, void *record);
static void read_value(const struct json_cursor *cursor, const struct schema_row *row, void *record,
		       bool valid);

static uint64_t read_count(const struct json_cursor *cursor, const struct schema_row *row,
			   uint64_t max)
{
	return json_cursor_count(cursor, (uint64_t)row->min,
				 row->max > 0 ? (uint64_t)row->max : max);
}

static double read_real(const struct json_cursor *cursor, const struct schema_row *row)
{
	double max = row->max > 0 ? row->max : REAL_MAX;
	double value = json_cursor_real(cursor, row->min, max);

	if (row->below && !(value < max))
		json_cursor_refuse(cursor, "a number below %g", max);
	return value;
}

static double read_ns(const struct json_cursor *cursor, const struct schema_row *row)
{
	return json_cursor_real(cursor, 0, TIME_MAX_NS / row->unit_ns) * row->unit_ns;
}

static void read_chars(const struct json_cursor *cursor, char *text, size_t size)
{
	const char *found = json_string_value(cursor->value);

	if (found != NULL && strlen(found) < size)
		strcpy(text, found);
	else
		json_cursor_refuse(cursor, "a string shorter than %zu bytes", size);
}

static void read_stamp(const struct json_cursor *cursor, char stamp[32])
{
	static const char form[] = "0000-00-00T00:00:00Z";
	const char *text = json_string_value(cursor->value);
	size_t i;

	for (i = 0; text != NULL && i < sizeof(form); i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
			text = NULL;
	if (text == NULL)
		json_cursor_refuse(cursor, "a time like 2026-01-31T23:59:59Z");
	else
		memcpy(stamp, text, sizeof(form));
}

/*
 * Allocate `count` elements, all zeros, and store them in the record. Return
 * NULL if memory is short or after an earlier error.
 */
static char *make_elements(const struct json_cursor *cursor, const struct schema_row *row,
			   void *record, size_t count)
{
	char *elements = NULL;

	if (!cursor->error->set) {
		/* Add one, because calloc may return NULL for 0 elements. */
		elements = calloc(count + 1, row->size);
		if (elements == NULL)
			error_no_memory(cursor->error);
	}
	*(char **)((char *)record + row->offset) = elements;
	*(size_t *)((char *)record + row->count_at) = elements != NULL ? count : 0;
	return elements;
}

static size_t list_max(const struct schema_row *row)
{
	return row->max > 0 ? (size_t)row->max : LIST_MAX;
}

static void read_list(const struct json_cursor *list, const struct schema_row *row, void *record,
		      bool valid)
{
	size_t count = json_cursor_list(list, (size_t)row->min, list_max(row));
	char *elements = make_elements(list, row, record, count);
	size_t i;

	for (i = 0; i < count && !list->error->set; i++) {
		struct json_cursor cursor = json_cursor_element(list, i);

		read_value(&cursor, row->of, elements + i * row->size, valid);
	}
	if (row->check != NULL && !list->error->set)
		row->check(list, record);
}

static void read_column(const struct json_cursor *list, const struct schema_row *column,
			char *element, size_t size, bool valid)
{
	size_t count = json_array_size(list->value), i;

	for (i = 0; i < count && !list->error->set; i++, element += size) {
		struct json_cursor cursor = json_cursor_element(list, i);

		if (column->presence != SCHEMA_KNOWN || !json_is_null(cursor.value))
			read_value(&cursor, column, element, valid);
	}
}

/* Read one list for each column. All must be as long as the first one. */
static void read_columns(const struct json_cursor *object, const struct schema_row *row,
			 void *record, bool valid)
{
	const struct schema_row *column = row->of;
	struct json_cursor list = json_cursor_member(object, column->key);
	size_t count = json_cursor_list(&list, 0, list_max(row));
	char *elements;

	for (; column->kind != SCHEMA_END; column++) {
		list = json_cursor_member(object, column->key);
		if (column->presence != SCHEMA_IF_VALID || valid)
			json_cursor_list(&list, count, count);
	}
	elements = make_elements(&list, row, record, count);
	for (column = row->of; column->kind != SCHEMA_END; column++) {
		list = json_cursor_member(object, column->key);
		if (column->presence != SCHEMA_IF_VALID || valid)
			read_column(&list, column, elements, row->size, valid);
	}
}

static void read_pairs(const struct json_cursor *object, const struct schema_row *row, void *record)
{
	size_t count = json_object_size(object->value);
	char **texts = (char **)make_elements(object, row, record, count);
	const char *key;
	json_t *value;

	if (!json_is_object(object->value))
		json_cursor_refuse(object, "an object");
	if (count > list_max(row))
		json_cursor_refuse(object, "an object of at most %zu members", list_max(row));
	if (texts == NULL)
		return;
	json_object_foreach(object->value, key, value)
	{
		struct json_cursor cursor = json_cursor_member(object, key);

		*texts = strdup(key);
		if (*texts++ == NULL)
			error_no_memory(object->error);
		*texts++ = json_cursor_text(&cursor);
	}
}

/* Read an object into the record, or into memory that the record points to. */
static void read_object(const struct json_cursor *object, const struct schema_row *row,
			void *record, bool valid)
{
	void *at = (char *)record + row->offset, *made;

	if (row->size > 0) {
		made = calloc(1, row->size);
		*(void **)at = made;
		if (made == NULL) {
			error_no_memory(object->error);
			return;
		}
		at = made;
	}
	if (object->text.at != NULL && object->value == NULL)
		read_text(object, row->of, at);
	else
		read_members(object, row->of, at, valid);
	if (row->check != NULL && !object->error->set)
		row->check(object, at);
}

/* Check the name of the schema. */
static void read_schema(const struct json_cursor *cursor, const char *const *words)
{
	const char *found = json_string_value(cursor->value);

	if (found != NULL && strcmp(found, "throng-results/1") == 0)
		error_set_at(
			cursor->error, cursor->file, 0, 0,
			"the file was written by an older version of throng (%s); measure again",
			found);
	else
		json_cursor_word(cursor, words);
}

/* Read a row's value into the record. */
static void read_value(const struct json_cursor *cursor, const struct schema_row *row, void *record,
		       bool valid)
{
	void *at = (char *)record + row->offset;

	switch (row->kind) {
	case SCHEMA_NAME:
		read_schema(cursor, row->words);
		break;
	case SCHEMA_TEXT:
		*(char **)at = json_cursor_text(cursor);
		break;
	case SCHEMA_CHARS:
		read_chars(cursor, at, row->size);
		break;
	case SCHEMA_STAMP:
		read_stamp(cursor, at);
		break;
	case SCHEMA_TRUTH:
		*(bool *)at = json_cursor_truth(cursor);
		break;
	case SCHEMA_EITHER:
		*(bool *)at = json_cursor_word(cursor, row->words) == 1;
		break;
	case SCHEMA_WORD:
		*(unsigned *)at = json_cursor_word(cursor, row->words);
		break;
	case SCHEMA_COUNT:
		*(uint64_t *)at = read_count(cursor, row, INT64_MAX);
		break;
	case SCHEMA_SIZE:
		*(size_t *)at = (size_t)read_count(cursor, row, LIST_MAX);
		break;
	case SCHEMA_NUMBER:
		*(unsigned *)at = (unsigned)read_count(cursor, row, UINT_MAX);
		break;
	case SCHEMA_TIME:
		*(uint64_t *)at = (uint64_t)llround(read_ns(cursor, row));
		break;
	case SCHEMA_REAL:
		*(double *)at = read_real(cursor, row);
		break;
	case SCHEMA_LIST:
		read_list(cursor, row, record, valid);
		break;
	case SCHEMA_COLUMNS:
		read_columns(cursor, row, record, valid);
		break;
	case SCHEMA_PAIRS:
		read_pairs(cursor, row, record);
		break;
	case SCHEMA_OBJECT:
		read_object(cursor, row, record, valid);
		break;
	case SCHEMA_NOTICES:
		notices_read(cursor, at);
		break;
	case SCHEMA_ROWS:
		row->read(cursor, record);
		break;
	case SCHEMA_END:
		break;
	}
}

/* Check if the reader has to look for the row in the file. */
static bool is_read(const struct schema_row *row, const void *record, bool valid)
{
	if (row->derived)
		return false;
	if (row->presence == SCHEMA_IF_VALID)
		return valid;
	/* Skip the row if find() returns NULL, unless the row is optional
	 * (SCHEMA_KNOWN): for such a row, find() may return NULL because the
	 * row has not been read yet. */
	return row->find == NULL || row->presence == SCHEMA_KNOWN || row->find(record) != NULL;
}

/* Check if the row is optional and the file does not have it. If so, set its
 * default. */
static bool is_left_out(const struct json_cursor *cursor, const struct schema_row *row,
			void *record)
{
	if (cursor->value != NULL || cursor->text.at != NULL)
		return false;
	if (row->presence == SCHEMA_UNLESS_MAX)
		*(uint64_t *)((char *)record + row->offset) = UINT64_MAX;
	return row->presence == SCHEMA_UNLESS_MAX || row->presence == SCHEMA_KNOWN;
}

void read_members(const struct json_cursor *object, const struct schema_row *row, void *record,
		  bool valid)
{
	if (!json_is_object(object->value))
		json_cursor_refuse(object, "an object");
	for (; row->kind != SCHEMA_END && !object->error->set; row++) {
		struct json_cursor cursor = *object;

		if (!is_read(row, record, valid))
			continue;
		if (row->key != NULL)
			cursor = json_cursor_member(object, row->key);
		if (!is_left_out(&cursor, row, record))
			read_value(&cursor, row, record, valid);
	}
}

/* Read the rows of an object that is not parsed, all of which have keys. Lists of
 * rows are parsed row by row. */
static void read_text(const struct json_cursor *object, const struct schema_row *row, void *record)
{
	struct json_members members = json_members_of(object);

	for (; row->kind != SCHEMA_END && !object->error->set; row++) {
		struct json_cursor cursor = json_members_get(&members, object, row->key);

		if (!is_read(row, record, true))
			continue;
		if (!schema_has_lists(row))
			json_cursor_parse(&cursor);
		if (!is_left_out(&cursor, row, record))
			read_value(&cursor, row, record, true);
		json_cursor_release(&cursor);
	}
	json_members_free(&members);
}

int read_rows(const char *path, const struct schema_row *rows, void *record, struct error *error)
{
	struct json_cursor root = json_cursor_open(path, FILE_BYTES_MAX, error);

	if (!error->set)
		read_text(&root, rows, record);
	json_cursor_close(&root);
	return error->set ? -EINVAL : 0;
}
