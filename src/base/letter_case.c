/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/letter_case.h"

#include <stddef.h>
#include <string.h>

bool letter_case_is_ascii(const char *path)
{
	while (*path != '\0' && (unsigned char)*path < 0x80)
		path++;
	return *path == '\0';
}

/* Return the number of bytes at the start of both paths that are the same. */
static size_t same_start(const char *one, const char *other)
{
	size_t i = 0;

	do {
		while (one[i] == other[i] && one[i] != '\0')
			i++;
	} while (one[i] != '\0' && letter_case_fold(one[i]) == letter_case_fold(other[i]) && ++i);
	return i;
}

bool letter_case_is_same(const char *one, const char *other)
{
	size_t i = same_start(one, other);

	return one[i] == other[i];
}

/* Return whether folding may add, remove or replace this byte. In a name with
 * other letters, an accent may be a character of its own after any letter or
 * sign. In an ASCII name, only those count that other characters become. */
static bool is_loose(unsigned char c, bool both)
{
	if (c >= 0x80)
		return true;
	if (both)
		return (c < '0' || c > '9') && c != '.' && c != '_' && c != '-';
	return strchr("fiklst;`", c) != NULL;
}

/* A component of a path. */
struct component {
	const char *text, *end;
};

static bool is_ascii(const struct component *component)
{
	const char *at;

	for (at = component->text; at < component->end; at++)
		if ((unsigned char)*at >= 0x80)
			return false;
	return true;
}

/* Return the next byte that folding keeps, or 0 at the end. */
static unsigned char next_firm(struct component *component, bool both)
{
	while (component->text < component->end) {
		unsigned char c = letter_case_fold(*component->text++);

		if (!is_loose(c, both))
			return c;
	}
	return 0;
}

/* Return whether two components may be one, of which one has other letters. */
static bool may_be_one(struct component one, struct component other)
{
	const bool both = !is_ascii(&one) && !is_ascii(&other);

	for (;;) {
		unsigned char c = next_firm(&one, both);

		if (c != next_firm(&other, both))
			return false;
		if (c == 0)
			return true;
	}
}

static struct component component_of(const char *path)
{
	return (struct component){path, strchrnul(path, '/')};
}

const char *letter_case_rest(const char *path, const char *top)
{
	for (;;) {
		size_t same = same_start(path, top);
		unsigned char next = (unsigned char)path[same];
		struct component one, other;

		if (top[same] == '\0' && (next == '\0' || next == '/'))
			return path + same;
		/* Folding leaves an ASCII character where it is. */
		if (next < 0x80 && (unsigned char)top[same] < 0x80)
			return NULL;
		while (same > 0 && path[same - 1] != '/')
			same--;
		one = component_of(path + same);
		other = component_of(top + same);
		if (!may_be_one(one, other))
			return NULL;
		path = one.end;
		top = other.end;
	}
}
