/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/path.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

static bool is_component(const char *text, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* Return component number `index`, from 0, or "" if there are fewer. */
static const char *component(const char *normal, unsigned index, size_t *length)
{
	while (index-- > 0) {
		normal += strcspn(normal, "/");
		if (*normal == '/')
			normal++;
	}
	*length = strcspn(normal, "/");
	return normal;
}

/* Refuse CLIENTS_NAME with a letter in upper case. */
static int refuse_capitals(const char *normal, struct error *error)
{
	size_t length = strcspn(normal, "/");

	if (length != strlen(CLIENTS_NAME) || strncasecmp(normal, CLIENTS_NAME, length) != 0 ||
	    is_component(normal, length, CLIENTS_NAME))
		return 0;
	error_set(error,
		  "\"%.*s\" is the same directory as \"%s\" on servers that ignore case; write the "
		  "name in lower case",
		  (int)length, normal, CLIENTS_NAME);
	return -EINVAL;
}

/* Extra length of "client99999", the longest user name, over USER_NAME. */
enum { USER_NAME_GROWTH = 4 };

int path_normalise(const char *text, char normal[PROGRAM_PATH_MAX], struct error *error)
{
	size_t length = 0, growth = 0;

	for (;;) {
		size_t part, clients, needed;
		bool named;

		text += strspn(text, "/\\");
		part = strcspn(text, "/\\");
		if (part == 0)
			break;
		if (is_component(text, part, "..")) {
			error_set(error, "a path may not contain \"..\"");
			return -EINVAL;
		}
		if (is_component(text, part, ".")) {
			text += part;
			continue;
		}
		named = is_component(text, part, USER_NAME);
		clients = named && length == 0 ? strlen(CLIENTS_NAME) : 0;
		needed = part + clients + (length + clients > 0);
		growth += named ? USER_NAME_GROWTH : 0;
		if (length + needed + growth >= PROGRAM_PATH_MAX) {
			error_set(error, "the path is longer than %d bytes", PROGRAM_PATH_MAX - 1);
			return -EINVAL;
		}
		memcpy(normal + length, CLIENTS_NAME, clients);
		length += clients;
		if (length > 0)
			normal[length++] = '/';
		memcpy(normal + length, text, part);
		length += part;
		text += part;
	}
	normal[length] = '\0';
	if (refuse_capitals(normal, error) < 0)
		return -EINVAL;
	return (int)length;
}

enum path_place path_place(const char *normal)
{
	size_t length;
	const char *name = component(normal, 0, &length);

	if (length == 0)
		return PATH_TARGET;
	if (!is_component(name, length, CLIENTS_NAME))
		return PATH_SHARED;
	name = component(normal, 1, &length);
	if (length == 0)
		return PATH_CLIENTS;
	if (!is_component(name, length, USER_NAME))
		return PATH_OTHERS;
	component(normal, 2, &length);
	return length == 0 ? PATH_HOME : PATH_OWN;
}

size_t path_head(const char *normal)
{
	size_t length;
	const char *name = component(normal, 1, &length);

	return path_place(normal) == PATH_SHARED ? strcspn(normal, "/")
						 : (size_t)(name + length - normal);
}

size_t path_parent(const char *normal)
{
	const char *slash = strrchr(normal, '/');

	return slash == NULL ? 0 : (size_t)(slash - normal);
}

const char *path_leaf(const char *normal)
{
	const char *slash = strrchr(normal, '/');

	return slash == NULL ? normal : slash + 1;
}

unsigned path_strings(const char *normal, unsigned defined)
{
	unsigned strings = 0;

	if (defined == 0)
		return 0;
	for (; (normal = strchr(normal, '$')) != NULL; normal++)
		if (isdigit((unsigned char)normal[1]))
			strings |= 1u << (normal[1] - '0') & defined;
	return strings;
}

/* Return the max length of a path, for any user name, random strings and values
 * of variables. */
static size_t longest_length(const char *normal)
{
	size_t longest = strlen(normal), length;
	const char *next;

	for (next = normal; *next != '\0'; next += *next == '/') {
		length = strcspn(next, "/");
		if (is_component(next, length, USER_NAME))
			longest += USER_NAME_GROWTH;
		next += length;
	}
	for (next = normal; (next = strchr(next, '$')) != NULL; next++)
		if (isdigit((unsigned char)next[1]))
			longest += PROGRAM_STRING_MAX - 1 - strlen("$0");
		else if (next[1] == '{')
			longest += PROGRAM_DIGITS_MAX;
	return longest;
}

/* Is a string of `whole` used anywhere but at the start of a component? */
static bool any_inside_component(const char *normal, unsigned whole)
{
	const char *next = normal;

	for (; (next = strchr(next, '$')) != NULL; next++)
		if (isdigit((unsigned char)next[1]) && (whole & 1u << (next[1] - '0')) != 0 &&
		    next > normal && next[-1] != '/')
			return true;
	return false;
}

int path_check_strings(const char *normal, unsigned whole, struct error *error)
{
	const char *dollar = memchr(normal, '$', path_head(normal));

	if (path_place(normal) != PATH_SHARED && dollar != NULL &&
	    isdigit((unsigned char)dollar[1])) {
		error_set(error,
			  "the name after \"/%s/\" is the name of a user's directory, so the name "
			  "may not contain a random string; for the directory of the user who "
			  "plays the load, write /%s/%s1",
			  CLIENTS_NAME, CLIENTS_NAME, USER_STEM);
		return -EINVAL;
	}
	if (any_inside_component(normal, whole)) {
		error_set(error,
			  "the template of this random string begins with a slash, so use the "
			  "string only directly after a slash");
		return -EINVAL;
	}
	if (longest_length(normal) < PROGRAM_PATH_MAX)
		return 0;
	error_set(error,
		  "the path could become longer than %d bytes with the longest values of its "
		  "random strings and variables; shorten the path",
		  PROGRAM_PATH_MAX - 1);
	return -EINVAL;
}

int path_check_template(const char *template, struct error *error)
{
	const char *whole = template;
	bool only_periods = true;
	size_t length = 0;

	if (strpbrk(template, "/\\") != NULL) {
		error_set(error, "a random string may contain a slash only at its start");
		return -EINVAL;
	}
	while (*template != '\0') {
		const char *end = template + 1;

		if (*template == '[') {
			end = strchr(template, ']');
			if (end == NULL || end == template + 1) {
				error_set(error, "\"%s\": expected characters and ] after [",
					  template);
				return -EINVAL;
			}
			end++;
		}
		if (memchr(template, '.', (size_t)(end - template)) == NULL)
			only_periods = false;
		length++;
		template = end;
	}
	if (length >= PROGRAM_STRING_MAX) {
		error_set(error, "the random string is longer than %d bytes",
			  PROGRAM_STRING_MAX - 1);
		return -EINVAL;
	}
	if (only_periods) {
		error_set(
			error,
			"\"%s\" could become a string of periods only, such as \"..\"; add another "
			"character",
			whole);
		return -EINVAL;
	}
	return 0;
}

/*
 * Bit N of `from` is set if a name may begin with N bytes of CLIENTS_NAME.
 * Return the same for the name followed by one of `count` characters. Ignore
 * case, as some servers do.
 */
static unsigned spell_any(unsigned from, const char *any, size_t count)
{
	static const char clients[] = CLIENTS_NAME;
	unsigned ends = 0, i;

	for (; count > 0; any++, count--)
		for (i = 0; clients[i] != '\0'; i++)
			if ((from & 1u << i) != 0 && tolower((unsigned char)*any) == clients[i])
				ends |= 2u << i;
	return ends;
}

static unsigned spell_template(unsigned from, const char *template)
{
	while (*template != '\0' && from != 0) {
		const char *end = *template == '[' ? strchr(template, ']') : template + 1;

		if (*template == '[')
			from = spell_any(from, template + 1, (size_t)(end++ - template) - 1);
		else
			from = spell_any(from, template, 1);
		template = end;
	}
	return from;
}

void path_spell(struct path_spelling *spelling, unsigned slot, const char *template)
{
	unsigned i;

	for (i = 0; i < sizeof(CLIENTS_NAME); i++)
		spelling->ends[slot][i] |= (uint8_t)spell_template(1u << i, template);
}

bool path_may_be_clients(const char *normal, const struct path_spelling *spelling)
{
	unsigned from = 1, ends, i;

	/* Skip variables: their digits match nothing. */
	for (; *normal != '\0' && *normal != '/' && from != 0; normal++, from = ends) {
		ends = spell_any(from, normal, 1);
		if (*normal != '$' || !isdigit((unsigned char)normal[1]))
			continue;
		normal++;
		for (i = 0; i < sizeof(CLIENTS_NAME); i++)
			if ((from & 1u << i) != 0)
				ends |= spelling->ends[*normal - '0'][i];
	}
	return (from & 1u << strlen(CLIENTS_NAME)) != 0;
}
