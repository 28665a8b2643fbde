/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/wildcard.h"

#include <ctype.h>
#include <string.h>

bool wildcard_is_pattern(const char *text)
{
	return strpbrk(text, "*?<>\"") != NULL;
}

/*
 * The pattern as a nondeterministic automaton. It is in state i if the first i
 * characters of the pattern match the part of the name read so far.
 */
struct automaton {
	const char *pattern;
	size_t length;
	bool states[WILDCARD_PATTERN_MAX + 1];
};

/*
 * Add the states that are reached by stepping over pattern characters that can
 * match the empty string here. `next` is the next character of the name, or NUL
 * at the end of the name.
 */
static void skip_empty(struct automaton *a, char next)
{
	size_t i;

	for (i = 0; i < a->length; i++) {
		char c = a->pattern[i];

		if (!a->states[i])
			continue;
		if (c == '*' || c == '<' || (c == '"' && next == '\0') ||
		    (c == '>' && (next == '\0' || next == '.')))
			a->states[i + 1] = true;
	}
}

static bool same_letter(char a, char b)
{
	return a == b || tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Advance by one character of the name, `next`. `last_period` is true if this
 * character is the name's last period. */
static void read_character(struct automaton *a, char next, bool last_period)
{
	size_t i;

	/* Update the states from the last to the first: the new state i depends
	 * on the old states i and i - 1. */
	for (i = a->length + 1; i-- > 0;) {
		bool reached = false;

		if (i < a->length && a->states[i])
			reached = a->pattern[i] == '*' || (a->pattern[i] == '<' && !last_period);
		if (!reached && i > 0 && a->states[i - 1]) {
			char c = a->pattern[i - 1];

			reached = c == '?' || (c == '>' && next != '.') ||
				  (c == '"' && next == '.') || same_letter(c, next);
		}
		a->states[i] = reached;
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
	a.states[0] = true;
	for (next = name; *next != '\0'; next++) {
		skip_empty(&a, *next);
		read_character(&a, *next, next == last_period);
	}
	skip_empty(&a, '\0');
	return a.states[a.length];
}
