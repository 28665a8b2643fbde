/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/names.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a varying path. The parts of a path are consecutive. */
struct name_part {
	char *text;      /* a literal; NULL: the value of the source */
	uint32_t length; /* of the literal */
	uint32_t source;
	uint32_t path;
	uint32_t at; /* its current position in the path */
	bool last;   /* of this path */
};

void names_of_user(unsigned user, char name[USER_NAME_MAX])
{
	snprintf(name, USER_NAME_MAX, USER_STEM "%u", user);
}

size_t names_plain(const struct program *program, uint32_t path, unsigned user, char *out)
{
	const char *text = program->paths[path].text;
	char name[USER_NAME_MAX];
	size_t length = 0;

	names_of_user(user, name);
	while (*text != '\0') {
		size_t part = strcspn(text, "/");

		if (length > 0)
			out[length++] = '/';
		if (part == strlen(USER_NAME) && memcmp(text, USER_NAME, part) == 0) {
			strcpy(out + length, name);
			length += strlen(name);
		} else {
			memcpy(out + length, text, part);
			length += part;
		}
		text += part;
		text += *text == '/';
	}
	out[length] = '\0';
	return length;
}

/* Append a part to the current path. A part with a text is a literal. */
static int add_part(struct names *names, uint32_t path, const char *text, size_t length,
		    uint32_t source)
{
	struct name_part part = {
		.length = (uint32_t)length,
		.source = source,
		.path = path,
	};

	if (text != NULL && length == 0)
		return 0;
	if (text != NULL) {
		part.text = strndup(text, length);
		if (part.text == NULL)
			return -ENOMEM;
	}
	if (array_append(&names->parts, &names->part_count, &part, sizeof(part)) < 0) {
		free(part.text);
		return -ENOMEM;
	}
	return 0;
}

/* Find the next changing part of a path. Return its source, or -1. */
static int find_change(const struct program *program, bool references, const char *text,
		       const char **start, const char **end)
{
	const char *string = strchr(text, '$');
	int variable = references ? program_find_reference(program, text, start, end) : -1;

	while (string != NULL && !isdigit((unsigned char)string[1]))
		string = strchr(string + 1, '$');
	if (string == NULL || (variable >= 0 && *start < string))
		return variable;
	*start = string;
	*end = string + 2;
	return PROGRAM_VARIABLES_MAX + (string[1] - '0');
}

/* Split a path into its parts. */
static int split(struct names *names, const struct program *program, uint32_t path,
		 const char *text)
{
	bool references = program->paths[path].references;
	const char *start, *end;
	int source, rc = 0;

	while (rc == 0 && (source = find_change(program, references, text, &start, &end)) >= 0) {
		rc = add_part(names, path, text, (size_t)(start - text), 0);
		if (rc == 0)
			rc = add_part(names, path, NULL, 0, (uint32_t)source);
		text = end;
	}
	if (rc == 0)
		rc = add_part(names, path, text, strlen(text), 0);
	if (rc == 0 && names->part_count > 0)
		names->parts[names->part_count - 1].last = true;
	return rc;
}

/* Note for each source which parts of which paths depend on it first. */
static int find_uses(struct names *names)
{
	size_t i;

	for (i = 0; i < names->part_count; i++) {
		const struct name_part *part = &names->parts[i];
		size_t count = names->use_counts[part->source];
		const size_t *uses = names->uses[part->source];

		if (part->text != NULL ||
		    (count > 0 && names->parts[uses[count - 1]].path == part->path))
			continue;
		if (array_append(&names->uses[part->source], &names->use_counts[part->source], &i,
				 sizeof(i)) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Write a number in decimal. Return the position after it. */
static char *write_number(char *out, uint64_t number)
{
	char digits[PROGRAM_DIGITS_MAX], *next = digits + sizeof(digits);
	size_t length;

	do {
		*--next = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	length = (size_t)(digits + sizeof(digits) - next);
	memcpy(out, next, length);
	return out + length;
}

/* Write the value of a part. Return the position after it. */
static char *write_part(const struct names *names, const struct name_part *part, char *out)
{
	const char *text = part->text;
	size_t length = part->length;
	char literal[3] = "$0";

	if (text == NULL && part->source < PROGRAM_VARIABLES_MAX)
		return write_number(out, names->variables[part->source]);
	if (text == NULL) {
		unsigned slot = part->source - PROGRAM_VARIABLES_MAX;

		/* A string that has not been drawn yet stays as it is. */
		literal[1] = (char)('0' + slot);
		text = names->strings[slot][0] != '\0' ? names->strings[slot] : literal;
		length = strlen(text);
	}
	memcpy(out, text, length);
	return out + length;
}

/* Write a path from one of its parts on, whose position is known. */
static void write_from(struct names *names, struct name_part *part)
{
	char *text = (char *)names->paths[part->path].text;
	char *out = text + part->at;

	for (;; part++) {
		part->at = (uint32_t)(out - text);
		out = write_part(names, part, out);
		if (part->last)
			break;
	}
	*out = '\0';
	names->path_bytes[part->path] = (uint32_t)(out - text);
}

/* Return the room that a path needs. A varying path may get longer. */
static size_t room_for(const struct program *program, uint32_t path, unsigned user)
{
	char text[PATH_MAX];

	if (program->paths[path].varying)
		return PATH_MAX;
	return names_plain(program, path, user, text) + 1;
}

int names_open(struct names *names, const struct program *program, unsigned user)
{
	char text[PATH_MAX], *next;
	size_t first, bytes = 1;
	uint32_t i;

	*names = (struct names){.path_count = program->path_count};
	names->paths = calloc(program->path_count + 1, sizeof(*names->paths));
	names->path_bytes = calloc(program->path_count + 1, sizeof(*names->path_bytes));
	names->strings = calloc(PROGRAM_STRINGS, sizeof(*names->strings));
	if (names->paths == NULL || names->path_bytes == NULL || names->strings == NULL)
		return -ENOMEM;
	for (i = 0; i < program->path_count; i++)
		bytes += room_for(program, i, user);
	next = names->texts = malloc(bytes);
	if (next == NULL)
		return -ENOMEM;
	for (i = 0; i < program->path_count; i++) {
		size_t length = names_plain(program, i, user, text);

		memcpy(next, text, length + 1);
		names->paths[i].text = next;
		names->path_bytes[i] = (uint32_t)length;
		next += program->paths[i].varying ? PATH_MAX : length + 1;
		if (!program->paths[i].varying)
			continue;
		first = names->part_count;
		if (split(names, program, i, text) < 0)
			return -ENOMEM;
		write_from(names, &names->parts[first]);
	}
	return find_uses(names);
}

void names_free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->part_count; i++)
		free(names->parts[i].text);
	for (i = 0; i < NAMES_SOURCES; i++)
		free(names->uses[i]);
	free(names->parts);
	free(names->texts);
	free(names->paths);
	free(names->path_bytes);
	free(names->strings);
}

void names_update(struct names *names, unsigned source)
{
	size_t i;

	for (i = 0; i < names->use_counts[source]; i++)
		write_from(names, &names->parts[names->uses[source][i]]);
}
