/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json_cursor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So much is shown of a text that was found. */
enum { FOUND_BYTES = 80 };

/* Room for the way to a place; no name of ours is long, nor is a way. */
enum { WAY_BYTES = 200 };

/* A file as far as it is not too large. */
struct input {
	FILE *stream;
	size_t left;
	bool too_large;
};

static size_t next_bytes(void *buffer, size_t size, void *data)
{
	struct input *input = data;
	size_t bytes = fread(buffer, 1, size, input->stream);

	if (bytes > input->left)
		input->too_large = true;
	if (input->too_large)
		return 0;
	input->left -= bytes;
	return bytes;
}

struct place place_open(const char *path, size_t bytes_max,
			struct error *error)
{
	struct place root = {.file = path, .error = error};
	struct input input = {fopen(path, "re"), bytes_max, false};
	json_error_t wrong;

	if (input.stream == NULL) {
		error_set(error, "open \"%s\": %s", path, strerror(errno));
		return root;
	}
	root.value = json_load_callback(next_bytes, &input,
					JSON_REJECT_DUPLICATES, &wrong);
	if (ferror(input.stream))
		error_set(error, "read \"%s\": %s", path, strerror(errno));
	else if (input.too_large)
		error_set(error, "\"%s\" is larger than %zu bytes, and no "
			  "result", path, bytes_max);
	else if (root.value == NULL)
		error_set_at(error, path, (unsigned)wrong.line,
			     (unsigned)wrong.column, "no JSON: %s",
			     wrong.text);
	fclose(input.stream);
	return root;
}

void place_close(struct place *root)
{
	json_decref(root->value);
}

struct place place_member(const struct place *place, const char *key)
{
	struct place member = *place;

	if (!json_is_object(place->value))
		place_refuse(place, "an object");
	member.in = place;
	member.key = key;
	member.value = json_object_get(place->value, key);
	return member;
}

struct place place_element(const struct place *place, size_t index)
{
	struct place element = *place;

	element.in = place;
	element.key = NULL;
	element.index = index;
	element.value = json_array_get(place->value, index);
	return element;
}

static void describe_way(const struct place *place, char way[WAY_BYTES])
{
	size_t length;

	if (place->in == NULL) {
		way[0] = '\0';
		return;
	}
	describe_way(place->in, way);
	length = strlen(way);
	if (place->key != NULL)
		snprintf(way + length, WAY_BYTES - length, "%s%s",
			 length > 0 ? "." : "", place->key);
	else
		snprintf(way + length, WAY_BYTES - length, "[%zu]",
			 place->index);
}

static void describe_value(const struct place *place, char found[FOUND_BYTES])
{
	char *text;

	switch (place->value == NULL ? -1 : (int)json_typeof(place->value)) {
	case -1:
		snprintf(found, FOUND_BYTES, "nothing");
		return;
	case JSON_OBJECT:
		snprintf(found, FOUND_BYTES, "an object");
		return;
	case JSON_ARRAY:
		snprintf(found, FOUND_BYTES, "a list of %zu",
			 json_array_size(place->value));
		return;
	}
	text = json_dumps(place->value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII |
					 JSON_REAL_PRECISION(15));
	snprintf(found, FOUND_BYTES, "%s", text != NULL ? text : "something");
	if (text != NULL && strlen(text) >= FOUND_BYTES)
		strcpy(found + FOUND_BYTES - 4, "...");
	free(text);
}

void place_refuse(const struct place *place, const char *expected, ...)
{
	char way[WAY_BYTES], found[FOUND_BYTES], wanted[128];
	va_list arguments;

	if (place->error->set)
		return;
	va_start(arguments, expected);
	vsnprintf(wanted, sizeof(wanted), expected, arguments);
	va_end(arguments);
	describe_way(place, way);
	describe_value(place, found);
	error_set_at(place->error, place->file, 0, 0,
		     "%s%sfound %s, expected %s", way,
		     way[0] != '\0' ? ": " : "", found, wanted);
}

size_t place_list(const struct place *place, size_t least, size_t most)
{
	size_t count = json_array_size(place->value);

	if (json_is_array(place->value) && count >= least && count <= most)
		return count;
	place_refuse(place, "a list of %zu to %zu", least, most);
	return 0;
}

char *place_text(const struct place *place)
{
	char *copy;

	if (!json_is_string(place->value)) {
		place_refuse(place, "a text");
		return NULL;
	}
	copy = strdup(json_string_value(place->value));
	if (copy == NULL)
		error_set(place->error, "out of memory");
	return copy;
}

bool place_truth(const struct place *place)
{
	if (!json_is_boolean(place->value))
		place_refuse(place, "true or false");
	return json_is_true(place->value);
}

uint64_t place_count(const struct place *place, uint64_t least, uint64_t most)
{
	json_int_t count = json_integer_value(place->value);

	if (json_is_integer(place->value) && count >= 0 &&
	    (uint64_t)count >= least && (uint64_t)count <= most)
		return (uint64_t)count;
	place_refuse(place, "a whole number from %llu to %llu",
		     (unsigned long long)least, (unsigned long long)most);
	return least;
}

double place_real(const struct place *place, double least, double most)
{
	double value = json_number_value(place->value);

	if (json_is_number(place->value) && value >= least && value <= most)
		return value;
	place_refuse(place, "a number from %g to %g", least, most);
	return least;
}

unsigned place_word(const struct place *place, const char *const *words)
{
	const char *text = json_string_value(place->value);
	char list[96] = "";
	unsigned i;

	for (i = 0; words[i] != NULL; i++) {
		if (text != NULL && strcmp(text, words[i]) == 0)
			return i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s\"%s\"", i > 0 ? " or " : "", words[i]);
	}
	place_refuse(place, "%s", list);
	return 0;
}
