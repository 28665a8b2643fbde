/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json_cursor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max bytes of a refused value that a message shows. */
enum { FOUND_BYTES = 80 };

/* Buffer size for a value's path; names are short and not deeply nested. */
enum { PATH_BYTES = 200 };

/* A file that is read up to a max size. */
struct input {
	FILE *stream;
	size_t left; /* bytes that may still be read */
	bool too_large;
	char first; /* the first byte; 0: none was read */
};

static size_t next_bytes(void *buffer, size_t size, void *data)
{
	struct input *input = data;
	size_t bytes = fread(buffer, 1, size, input->stream);

	if (bytes > 0 && input->first == '\0')
		input->first = *(const char *)buffer;
	if (bytes > input->left)
		input->too_large = true;
	if (input->too_large)
		return 0;
	input->left -= bytes;
	return bytes;
}

struct json_cursor json_cursor_open(const char *path, size_t bytes_max, struct error *error)
{
	struct json_cursor root = {.file = path, .error = error};
	struct input input = {.stream = fopen(path, "re"), .left = bytes_max};
	json_error_t wrong;

	if (input.stream == NULL) {
		error_set(error, "cannot open \"%s\": %s", path, strerror(errno));
		return root;
	}
	root.value = json_load_callback(next_bytes, &input, JSON_REJECT_DUPLICATES, &wrong);
	if (ferror(input.stream))
		error_set(error, "cannot read \"%s\": %s", path, strerror(errno));
	else if (input.too_large)
		error_set(error, "\"%s\" is too large for a result file: more than %zu bytes", path,
			  bytes_max);
	else if (root.value == NULL && input.first != '\0' &&
		 strchr("{[ \t\r\n", input.first) == NULL)
		error_set(error,
			  "\"%s\" is not a JSON result; expected the FILE.json that -o writes",
			  path);
	else if (root.value == NULL)
		error_set_at(error, path, (unsigned)wrong.line, (unsigned)wrong.column,
			     "not valid JSON: %s", wrong.text);
	fclose(input.stream);
	return root;
}

void json_cursor_close(struct json_cursor *root)
{
	json_decref(root->value);
}

struct json_cursor json_cursor_member(const struct json_cursor *cursor, const char *key)
{
	struct json_cursor member = *cursor;

	if (!json_is_object(cursor->value))
		json_cursor_refuse(cursor, "an object");
	member.in = cursor;
	member.key = key;
	member.value = json_object_get(cursor->value, key);
	return member;
}

struct json_cursor json_cursor_element(const struct json_cursor *cursor, size_t index)
{
	struct json_cursor element = *cursor;

	element.in = cursor;
	element.key = NULL;
	element.index = index;
	element.value = json_array_get(cursor->value, index);
	return element;
}

static void describe_path(const struct json_cursor *cursor, char path[PATH_BYTES])
{
	size_t length;

	if (cursor->in == NULL) {
		path[0] = '\0';
		return;
	}
	describe_path(cursor->in, path);
	length = strlen(path);
	if (cursor->key != NULL)
		snprintf(path + length, PATH_BYTES - length, "%s%s", length > 0 ? "." : "",
			 cursor->key);
	else
		snprintf(path + length, PATH_BYTES - length, "[%zu]", cursor->index);
}

static void describe_value(const struct json_cursor *cursor, char found[FOUND_BYTES])
{
	char *text;

	switch (cursor->value == NULL ? -1 : (int)json_typeof(cursor->value)) {
	case -1:
		snprintf(found, FOUND_BYTES, "nothing");
		return;
	case JSON_OBJECT:
		snprintf(found, FOUND_BYTES, "an object");
		return;
	case JSON_ARRAY:
		snprintf(found, FOUND_BYTES, "a list of length %zu",
			 json_array_size(cursor->value));
		return;
	}
	text = json_dumps(cursor->value,
			  JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
	snprintf(found, FOUND_BYTES, "%s", text != NULL ? text : "something");
	if (text != NULL && strlen(text) >= FOUND_BYTES)
		strcpy(found + FOUND_BYTES - 4, "...");
	free(text);
}

void json_cursor_refuse(const struct json_cursor *cursor, const char *expected, ...)
{
	char path[PATH_BYTES], found[FOUND_BYTES], wanted[128];
	va_list arguments;

	if (cursor->error->set)
		return;
	va_start(arguments, expected);
	vsnprintf(wanted, sizeof(wanted), expected, arguments);
	va_end(arguments);
	describe_path(cursor, path);
	describe_value(cursor, found);
	error_set_at(cursor->error, cursor->file, 0, 0, "%s%sfound %s, expected %s", path,
		     path[0] != '\0' ? ": " : "", found, wanted);
}

size_t json_cursor_list(const struct json_cursor *cursor, size_t min, size_t max)
{
	size_t count = json_array_size(cursor->value);

	if (json_is_array(cursor->value) && count >= min && count <= max)
		return count;
	if (min == max)
		json_cursor_refuse(cursor, "a list of length %zu", min);
	else
		json_cursor_refuse(cursor, "a list of length %zu to %zu", min, max);
	return 0;
}

char *json_cursor_text(const struct json_cursor *cursor)
{
	char *copy;

	if (!json_is_string(cursor->value)) {
		json_cursor_refuse(cursor, "a string");
		return NULL;
	}
	copy = strdup(json_string_value(cursor->value));
	if (copy == NULL)
		error_no_memory(cursor->error);
	return copy;
}

bool json_cursor_truth(const struct json_cursor *cursor)
{
	if (!json_is_boolean(cursor->value))
		json_cursor_refuse(cursor, "true or false");
	return json_is_true(cursor->value);
}

uint64_t json_cursor_count(const struct json_cursor *cursor, uint64_t min, uint64_t max)
{
	json_int_t count = json_integer_value(cursor->value);

	if (json_is_integer(cursor->value) && count >= 0 && (uint64_t)count >= min &&
	    (uint64_t)count <= max)
		return (uint64_t)count;
	json_cursor_refuse(cursor, "a whole number from %llu to %llu", (unsigned long long)min,
			   (unsigned long long)max);
	return min;
}

double json_cursor_real(const struct json_cursor *cursor, double min, double max)
{
	double value = json_number_value(cursor->value);

	if (json_is_number(cursor->value) && value >= min && value <= max)
		return value;
	json_cursor_refuse(cursor, "a number from %g to %g", min, max);
	return min;
}

unsigned json_cursor_word(const struct json_cursor *cursor, const char *const *words)
{
	const char *text = json_string_value(cursor->value);
	char list[96] = "";
	unsigned i;

	for (i = 0; words[i] != NULL; i++) {
		if (text != NULL && strcmp(text, words[i]) == 0)
			return i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s\"%s\"",
			 i > 0 ? " or " : "", words[i]);
	}
	json_cursor_refuse(cursor, "%s", list);
	return 0;
}
