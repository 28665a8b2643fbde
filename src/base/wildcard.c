/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/wildcard.h"

#include <ctype.h>
#include <string.h>

bool wildcard_is_pattern(const char *text)
{
	return strpbrk(text, "*?<>\"") != NULL;
}

/*
 * The pattern is run as a nondeterministic automaton: places[i] is true if the
 * first i characters of the pattern match the part of the name read so far.
 */
struct automaton {
	const char *pattern;
	size_t length;
	bool places[WILDCARD_PATTERN_MAX + 1];
};

/*
 * Step over pattern characters that can match nothing. `next` is the next
 * character of the name, or NUL at its end.
 */
static void skip_empty(struct automaton *a, char next)
{
	size_t i;

	for (i = 0; i < a->length; i++) {
		char c = a->pattern[i];

		if (!a->places[i])
			continue;
		if (c == '*' || c == '<' || (c == '"' && next == '\0') ||
		    (c == '>' && (next == '\0' || next == '.')))
			a->places[i + 1] = true;
	}
}

static bool same_letter(char a, char b)
{
	return a == b ||
	       tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Read one character of the name. `last_period`: it is the last period. */
static void read_character(struct automaton *a, char next, bool last_period)
{
	size_t i;

	/* Backwards, since a place depends on itself and the one before. */
	for (i = a->length + 1; i-- > 0;) {
		bool stays = false;

		if (i < a->length && a->places[i])
			stays = a->pattern[i] == '*' ||
				(a->pattern[i] == '<' && !last_period);
		if (!stays && i > 0 && a->places[i - 1]) {
			char c = a->pattern[i - 1];

			stays = c == '?' || (c == '>' && next != '.') ||
				(c == '"' && next == '.') ||
				same_letter(c, next);
		}
		a->places[i] = stays;
	}
}

bool wildcard_match(const char *pattern, const char *name)
{
	struct automaton a = {.pattern = pattern, .length = strlen(pattern)};
	const char *last_period = strrchr(name, '.');
	const char *next;

	if (strcmp(pattern, "*") == 0)
		return true;
	if (a.length > WILDCARD_PATTERN_MAX)
		return false;
	a.places[0] = true;
	for (next = name; *next != '\0'; next++) {
		skip_empty(&a, *next);
		read_character(&a, *next, next == last_period);
	}
	skip_empty(&a, '\0');
	return a.places[a.length];
}
