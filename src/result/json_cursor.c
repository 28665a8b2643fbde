/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json_cursor.h"

#include "base/array.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max bytes of a refused value that a message shows. */
enum { FOUND_BYTES = 80 };

/* A file is read in parts of at least this size. */
enum { READ_BYTES = 1 << 16 };

/* Buffer size for a value's path; names are short and not deeply nested. */
enum { PATH_BYTES = 200 };

/* Max number of members of an object that is not parsed. */
enum { MEMBERS_MAX = 1000 };

static bool is_blank(char character)
{
	return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

static void skip_blanks(struct json_text *text)
{
	while (text->at < text->end && is_blank(*text->at))
		text->at++;
}

struct json_text json_text_trim(struct json_text text)
{
	skip_blanks(&text);
	while (text.end > text.at && is_blank(text.end[-1]))
		text.end--;
	return text;
}

/* Skip a string, whose first quote is at text->at. Return false if it has no
 * end. */
static bool skip_string(struct json_text *text)
{
	for (text->at++; text->at < text->end && *text->at != '"'; text->at++)
		if (*text->at == '\\')
			text->at++;
	if (text->at >= text->end)
		return false;
	text->at++;
	return true;
}

/* Skip a list or an object with all that is in it. */
static bool skip_nested(struct json_text *text)
{
	size_t depth = 0;

	do {
		char character = *text->at;

		if (character == '"') {
			if (!skip_string(text))
				return false;
			continue;
		}
		depth += character == '[' || character == '{';
		depth -= character == ']' || character == '}';
		text->at++;
	} while (depth > 0 && text->at < text->end);
	return depth == 0;
}

/* Take a value of any kind off the text. Return false if there is none. */
static bool take_value(struct json_text *text, struct json_text *value)
{
	skip_blanks(text);
	value->at = text->at;
	if (text->at == text->end)
		return false;
	if (*text->at == '"') {
		if (!skip_string(text))
			return false;
	} else if (*text->at == '[' || *text->at == '{') {
		if (!skip_nested(text))
			return false;
	} else {
		while (text->at < text->end && !is_blank(*text->at) &&
		       strchr(",]}", *text->at) == NULL)
			text->at++;
	}
	value->end = text->at;
	skip_blanks(text);
	return value->end > value->at;
}

static bool take_character(struct json_text *text, char character)
{
	if (text->at == text->end || *text->at != character)
		return false;
	text->at++;
	skip_blanks(text);
	return true;
}

/* Skip what is before the next element: the opening bracket, or a comma. Return
 * 1, 0 at the closing bracket, or -EINVAL. */
static int begin(struct json_text *rest, char opening, char closing)
{
	bool first = take_character(rest, opening);

	if (take_character(rest, closing))
		return rest->at == rest->end ? 0 : -EINVAL;
	return first || take_character(rest, ',') ? 1 : -EINVAL;
}

int json_text_element(struct json_text *rest, struct json_text *element)
{
	int rc = begin(rest, '[', ']');

	if (rc <= 0)
		return rc;
	return take_value(rest, element) ? 1 : -EINVAL;
}

int json_text_member(struct json_text *rest, struct json_text *key, struct json_text *value)
{
	int rc = begin(rest, '{', '}');

	if (rc <= 0)
		return rc;
	if (rest->at == rest->end || *rest->at != '"' || !take_value(rest, key) ||
	    !take_character(rest, ':'))
		return -EINVAL;
	key->at++;
	key->end--;
	return take_value(rest, value) ? 1 : -EINVAL;
}

/* Read a whole file into memory, with a NUL after it. Return NULL with `error`
 * set on failure. */
static char *read_file(const char *path, size_t bytes_max, size_t *bytes, struct error *error)
{
	FILE *stream = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	*bytes = 0;
	if (stream == NULL) {
		error_set(error, "cannot open \"%s\": %s", path, strerror(errno));
		return NULL;
	}
	while (!error->set && !feof(stream)) {
		if (array_grow(&text, &room, *bytes + READ_BYTES, 1) < 0) {
			error_no_memory(error);
			break;
		}
		*bytes += fread(text + *bytes, 1, room - *bytes - 1, stream);
		if (ferror(stream))
			error_set(error, "cannot read \"%s\": %s", path, strerror(errno));
		else if (*bytes > bytes_max)
			error_set(error,
				  "\"%s\" is too large for a result file: more than %zu bytes",
				  path, bytes_max);
	}
	fclose(stream);
	if (!error->set) {
		text[*bytes] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

/* Set the error that the JSON is wrong at a place in the text of the file. */
static void refuse_text(const struct json_cursor *cursor, const char *at, const char *why)
{
	unsigned line = 1, column = 1;
	const char *text;

	while (cursor->in != NULL)
		cursor = cursor->in;
	for (text = cursor->text.at; text < at; text++) {
		column = *text == '\n' ? 1 : column + 1;
		line += *text == '\n';
	}
	error_set_at(cursor->error, cursor->file, line, column, "not valid JSON: %s", why);
}

struct json_cursor json_cursor_open(const char *path, size_t bytes_max, struct error *error)
{
	struct json_cursor root = {.file = path, .error = error};
	size_t bytes;

	root.content = read_file(path, bytes_max, &bytes, error);
	if (root.content == NULL)
		return root;
	root.text = json_text_trim((struct json_text){root.content, root.content + bytes});
	if (*root.text.at != '{' && *root.text.at != '[')
		error_set(error,
			  "\"%s\" is not a JSON result; expected the FILE.json that -o writes",
			  path);
	return root;
}

void json_cursor_close(struct json_cursor *root)
{
	free(root->content);
}

void json_cursor_parse(struct json_cursor *cursor)
{
	const struct json_text *text = &cursor->text;
	json_error_t wrong;

	if (cursor->value != NULL || text->at == NULL || cursor->error->set)
		return;
	cursor->value = json_loadb(text->at, (size_t)(text->end - text->at),
				   JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &wrong);
	if (cursor->value == NULL)
		refuse_text(cursor, text->at + wrong.position, wrong.text);
}

void json_cursor_release(struct json_cursor *cursor)
{
	if (cursor->text.at != NULL)
		json_decref(cursor->value);
}

static bool is_text(const struct json_text *text, const char *word, size_t length)
{
	return (size_t)(text->end - text->at) == length && memcmp(text->at, word, length) == 0;
}

static const struct json_member *find_member(const struct json_members *members, const char *key,
					     size_t length)
{
	size_t i;

	for (i = 0; i < members->count; i++)
		if (is_text(&members->list[i].key, key, length))
			return &members->list[i];
	return NULL;
}

struct json_members json_members_of(const struct json_cursor *object)
{
	struct json_members members = {0};
	struct json_text rest = object->text;
	struct json_member member;
	int rc;

	if (object->error->set)
		return members;
	if (rest.at == rest.end || *rest.at != '{') {
		json_cursor_refuse(object, "an object");
		return members;
	}
	while ((rc = json_text_member(&rest, &member.key, &member.value)) > 0) {
		if (find_member(&members, member.key.at,
				(size_t)(member.key.end - member.key.at)) != NULL) {
			refuse_text(object, member.key.at, "duplicate object key");
			return members;
		}
		if (members.count == MEMBERS_MAX) {
			refuse_text(object, member.key.at, "too many members");
			return members;
		}
		if (array_append(&members.list, &members.count, &member, sizeof(member)) < 0) {
			error_no_memory(object->error);
			return members;
		}
	}
	if (rc < 0)
		refuse_text(object, rest.at,
			    rest.at == rest.end ? "premature end of input" : "invalid token");
	return members;
}

void json_members_free(struct json_members *members)
{
	free(members->list);
}

struct json_cursor json_members_get(const struct json_members *members,
				    const struct json_cursor *object, const char *key)
{
	const struct json_member *member = find_member(members, key, strlen(key));
	struct json_cursor cursor = *object;

	cursor.in = object;
	cursor.key = key;
	cursor.text = member != NULL ? member->value : (struct json_text){NULL, NULL};
	return cursor;
}

/* Call `read` for each element of a list that is not parsed. */
static void each_text(const struct json_cursor *list, size_t max,
		      void (*read)(void *context, const struct json_cursor *element), void *context)
{
	struct json_text rest = list->text;
	struct json_cursor element = *list;
	int rc = 1;

	element.in = list;
	element.key = NULL;
	for (element.index = 0; !list->error->set; element.index++) {
		rc = json_text_element(&rest, &element.text);
		if (rc <= 0)
			break;
		if (element.index == max)
			json_cursor_refuse(list, "a list of at most %zu", max);
		element.value = NULL;
		json_cursor_parse(&element);
		if (element.value != NULL && !list->error->set)
			read(context, &element);
		json_cursor_release(&element);
	}
	if (rc < 0)
		refuse_text(list, rest.at, "invalid token");
}

void json_cursor_each(const struct json_cursor *list, size_t max,
		      void (*read)(void *context, const struct json_cursor *element), void *context)
{
	size_t count, i;

	if (list->value == NULL && list->text.at != NULL && *list->text.at == '[') {
		each_text(list, max, read, context);
		return;
	}
	count = json_cursor_list(list, 0, max);
	for (i = 0; i < count && !list->error->set; i++) {
		struct json_cursor element = json_cursor_element(list, i);

		read(context, &element);
	}
}

struct json_cursor json_cursor_member(const struct json_cursor *cursor, const char *key)
{
	struct json_cursor member = *cursor;

	if (!json_is_object(cursor->value))
		json_cursor_refuse(cursor, "an object");
	member.in = cursor;
	member.key = key;
	member.value = json_object_get(cursor->value, key);
	member.text = (struct json_text){NULL, NULL};
	return member;
}

struct json_cursor json_cursor_element(const struct json_cursor *cursor, size_t index)
{
	struct json_cursor element = *cursor;

	element.in = cursor;
	element.key = NULL;
	element.index = index;
	element.value = json_array_get(cursor->value, index);
	element.text = (struct json_text){NULL, NULL};
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

/* Describe a value that is not parsed. */
static const char *describe_text(const struct json_text *text)
{
	if (text->at == NULL)
		return "nothing";
	return *text->at == '[' ? "a list" : *text->at == '{' ? "an object" : "something else";
}

static void describe_value(const struct json_cursor *cursor, char found[FOUND_BYTES])
{
	char *text;

	switch (cursor->value == NULL ? -1 : (int)json_typeof(cursor->value)) {
	case -1:
		snprintf(found, FOUND_BYTES, "%s", describe_text(&cursor->text));
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
	else if (max == SIZE_MAX)
		json_cursor_refuse(cursor, "a list");
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
