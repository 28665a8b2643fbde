/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json.h"

#include "base/utf8.h"

#include <stdlib.h>

json_t *json_of_text(const char *text)
{
	char *copy = text != NULL ? utf8_copy(text) : NULL;
	json_t *value = copy != NULL ? json_string(copy) : NULL;

	free(copy);
	return value;
}

static json_t *made_json(const struct schema_row *row, const void *record)
{
	char *text = row->make(record);
	json_t *value = json_of_text(text);

	free(text);
	return value;
}

static json_t *count_json(uint64_t count)
{
	return json_integer(count < INT64_MAX ? (json_int_t)count : INT64_MAX);
}

/* Return the address of a row's OBJECT, or NULL if there is none. */
static const void *object_at(const struct schema_row *row, const void *record)
{
	const void *at = (const char *)record + row->offset;

	if (row->find != NULL)
		return row->find(record);
	return row->size > 0 ? *(const void *const *)at : at;
}

/* Return false if the file leaves out the value because it is unknown. */
static bool is_known(const struct schema_row *row, const void *record)
{
	const void *at = (const char *)record + row->offset;
	const char *text;
	size_t count;

	if (row->kind == SCHEMA_OBJECT)
		return object_at(row, record) != NULL;
	if (row->presence == SCHEMA_UNLESS_MAX)
		return *(const uint64_t *)at != UINT64_MAX;
	if (row->presence != SCHEMA_KNOWN)
		return true;
	switch (row->kind) {
	case SCHEMA_TEXT:
		text = *(char *const *)at;
		return text != NULL && text[0] != '\0';
	case SCHEMA_CHARS:
		return *(const char *)at != '\0';
	case SCHEMA_TRUTH:
		return *(const bool *)at;
	case SCHEMA_PAIRS:
	case SCHEMA_LIST:
	case SCHEMA_COLUMNS:
		schema_elements(row, record, &count);
		return count > 0;
	case SCHEMA_ROWS:
		return *(const size_t *)at > 0;
	default:
		return schema_number(row, at) > 0;
	}
}

/* Return false if the file leaves out the row because the measurement is not
 * valid. */
static bool is_written(const struct schema_row *row, bool valid)
{
	return row->presence != SCHEMA_IF_VALID || valid;
}

static json_t *value_json(const struct schema_row *row, const void *record, bool valid);

static json_t *list_json(const struct schema_row *row, const void *record, bool valid)
{
	json_t *list = json_array();
	size_t count, i;
	const char *elements = schema_elements(row, record, &count);

	for (i = 0; i < count; i++)
		json_array_append_new(list, value_json(row->of, elements + i * row->size, valid));
	return list;
}

static void set_columns(json_t *object, const struct schema_row *row, const void *record,
			bool valid)
{
	const struct schema_row *column;
	size_t count, i;
	const char *elements = schema_elements(row, record, &count);

	for (column = row->of; column->kind != SCHEMA_END; column++) {
		json_t *list;

		if (!is_written(column, valid))
			continue;
		list = json_array();
		for (i = 0; i < count; i++) {
			const char *element = elements + i * row->size;

			json_array_append_new(list, is_known(column, element)
							    ? value_json(column, element, valid)
							    : json_null());
		}
		json_object_set_new(object, column->key, list);
	}
}

static json_t *pairs_json(const struct schema_row *row, const void *record)
{
	json_t *object = json_object();
	size_t count, i;
	char **texts = (char **)schema_elements(row, record, &count);

	for (i = 0; i < count; i++)
		json_object_set_new(object, texts[2 * i], json_of_text(texts[2 * i + 1]));
	return object;
}

/* Write the members of an OBJECT, or the lists of COLUMNS. */
static void set_members(json_t *object, const struct schema_row *row, const void *record,
			bool valid)
{
	if (row->kind == SCHEMA_COLUMNS)
		set_columns(object, row, record, valid);
	else
		json_set_rows(object, row->of, object_at(row, record), valid);
}

/* Return a row's value, or NULL if there is none. */
static json_t *value_json(const struct schema_row *row, const void *record, bool valid)
{
	const void *at = (const char *)record + row->offset;
	json_t *object;

	switch (row->kind) {
	case SCHEMA_NAME:
		return json_string(row->words[0]);
	case SCHEMA_TEXT:
		return row->make != NULL ? made_json(row, record)
					 : json_of_text(*(char *const *)at);
	case SCHEMA_CHARS:
	case SCHEMA_STAMP:
		return json_of_text(at);
	case SCHEMA_TRUTH:
		return json_boolean(*(const bool *)at);
	case SCHEMA_EITHER:
		return json_string(row->words[*(const bool *)at]);
	case SCHEMA_WORD:
		return json_string(row->words[*(const unsigned *)at]);
	case SCHEMA_COUNT:
		return count_json(*(const uint64_t *)at);
	case SCHEMA_SIZE:
		return count_json(*(const size_t *)at);
	case SCHEMA_NUMBER:
		return json_integer(*(const unsigned *)at);
	case SCHEMA_REAL:
	case SCHEMA_TIME:
		return json_real(schema_shown(row, at));
	case SCHEMA_LIST:
		return list_json(row, record, valid);
	case SCHEMA_PAIRS:
		return pairs_json(row, record);
	case SCHEMA_OBJECT:
	case SCHEMA_COLUMNS:
		object = json_object();
		set_members(object, row, record, valid);
		return object;
	case SCHEMA_NOTICES:
		return notices_json(at);
	case SCHEMA_ROWS:
	case SCHEMA_END:
		break;
	}
	return NULL;
}

void json_set_rows(json_t *object, const struct schema_row *rows, const void *record, bool valid)
{
	for (; rows->kind != SCHEMA_END; rows++) {
		if (!is_written(rows, valid) || !is_known(rows, record))
			continue;
		if (rows->key == NULL)
			set_members(object, rows, record, valid);
		else
			json_object_set_new(object, rows->key, value_json(rows, record, valid));
	}
}

/* Check that a value contains no objects or lists. */
static bool is_flat(const json_t *value)
{
	const json_t *part;
	const char *key;
	size_t i;

	json_array_foreach(value, i,
			   part) if (json_is_object(part) || json_is_array(part)) return false;
	json_object_foreach((json_t *)value, key,
			    part) if (json_is_object(part) || json_is_array(part)) return false;
	return true;
}

static void print_value(const json_t *value, int depth, FILE *stream);

/* Write each element on a line of its own. Write keys as they are: all are
 * names in the schema, which need no escapes. */
static void print_parts(const json_t *value, int depth, FILE *stream)
{
	const char *comma = "";
	const json_t *part;
	const char *key;
	size_t i;

	fputc(json_is_object(value) ? '{' : '[', stream);
	json_array_foreach(value, i, part)
	{
		fprintf(stream, "%s\n%*s", comma, depth + 1, "");
		print_value(part, depth + 1, stream);
		comma = ",";
	}
	json_object_foreach((json_t *)value, key, part)
	{
		fprintf(stream, "%s\n%*s\"%s\": ", comma, depth + 1, "", key);
		print_value(part, depth + 1, stream);
		comma = ",";
	}
	fprintf(stream, "\n%*s%c", depth, "", json_is_object(value) ? '}' : ']');
}

/* Return the number of printable ASCII characters that the text begins with. */
static size_t plain_length(const char *text)
{
	size_t length = 0;

	while (text[length] >= ' ' && text[length] <= '~')
		length++;
	return length;
}

/* Write JSON on one line. Write characters that are not safe to print by their
 * numbers: the file may be shown on a terminal. */
static void print_line(const char *text, FILE *stream)
{
	uint32_t character;
	size_t length;

	for (; *text != '\0'; text += length) {
		length = plain_length(text);
		if (length > 0) {
			fwrite(text, 1, length, stream);
			continue;
		}
		length = utf8_decode(text, &character);
		if (utf8_is_plain(character)) {
			fwrite(text, 1, length, stream);
			continue;
		}
		/* A pair of surrogates. */
		if (character > 0xffff) {
			fprintf(stream, "\\u%04x", 0xd800 + ((character - 0x10000) >> 10));
			character = 0xdc00 + (character & 0x3ff);
		}
		fprintf(stream, "\\u%04x", character);
	}
}

/* Write a flat value on one line, to keep files short and readable. */
static void print_value(const json_t *value, int depth, FILE *stream)
{
	char *text;

	if (is_flat(value)) {
		text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(SCHEMA_DIGITS));
		if (text != NULL)
			print_line(text, stream);
		free(text);
	} else {
		print_parts(value, depth, stream);
	}
}

void json_list_add(struct json_list *list, json_t *row)
{
	char *text = json_dumps(row, JSON_REAL_PRECISION(SCHEMA_DIGITS));

	fprintf(list->stream, "%s\n%*s", list->count++ > 0 ? "," : "", list->depth + 1, "");
	if (text != NULL)
		print_line(text, list->stream);
	free(text);
	json_decref(row);
}

static void print_object(const struct schema_row *rows, const void *record, int depth,
			 FILE *stream);

static void print_row(const struct schema_row *row, const void *record, int depth, FILE *stream)
{
	struct json_list list = {.stream = stream, .depth = depth};
	json_t *value;

	if (row->kind == SCHEMA_ROWS) {
		fputc('[', stream);
		row->print(record, &list);
		if (list.count > 0)
			fprintf(stream, "\n%*s", depth, "");
		fputc(']', stream);
	} else if (schema_has_lists(row)) {
		print_object(row->of, object_at(row, record), depth, stream);
	} else {
		value = value_json(row, record, true);
		print_value(value, depth, stream);
		json_decref(value);
	}
}

/* Print an object row by row: a result may be too large to be in memory as JSON
 * as a whole. */
static void print_object(const struct schema_row *rows, const void *record, int depth, FILE *stream)
{
	const char *comma = "";

	fputc('{', stream);
	for (; rows->kind != SCHEMA_END; rows++) {
		if (!is_known(rows, record))
			continue;
		fprintf(stream, "%s\n%*s\"%s\": ", comma, depth + 1, "", rows->key);
		print_row(rows, record, depth + 1, stream);
		comma = ",";
	}
	fprintf(stream, "\n%*s}", depth, "");
}

void json_print(const struct schema_row *rows, const void *record, FILE *stream)
{
	print_object(rows, record, 0, stream);
	fputc('\n', stream);
}

int json_write(const struct result *results, size_t count, FILE *stream)
{
	json_print(schema_result, results, stream);
	return 0;
}
