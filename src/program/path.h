/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normalise and check the paths of a loadfile, by the rules of
 * throng-loadfile(5), "Paths".
 */
#ifndef PROGRAM_PATH_H
#define PROGRAM_PATH_H

#include "base/error.h"
#include "program/program.h"

/*
 * Normalise a path to components joined by '/'. Slashes and backslashes
 * separate components. Empty components and "." are dropped. CLIENTS_NAME is
 * inserted before a leading USER_NAME. Return the length, or -EINVAL with
 * `error` set if the path contains "..", is too long, or begins with
 * CLIENTS_NAME in capitals.
 */
int path_normalise(const char *text, char normal[PROGRAM_PATH_MAX], struct error *error);

/* Return where a normalised path is. */
enum path_place path_place(const char *normal);

/* Return the length of the parent directory's path, or 0 if the parent is the
 * target. */
size_t path_parent(const char *normal);

/* Return the length of a normalised path's first component, and below
 * CLIENTS_NAME of its first two. */
size_t path_head(const char *normal);

/* Return the last component of a normalised path. */
const char *path_leaf(const char *normal);

/*
 * Return the random strings that the path uses, among the strings `defined`. In
 * both numbers, bit n stands for the string of slot n.
 */
unsigned path_strings(const char *normal, unsigned defined);

/*
 * Check a normalised path that uses random strings. `whole` has a bit set for
 * each string whose template began with a slash. Return 0, or -EINVAL with
 * `error` set if
 * - a name in CLIENTS_NAME uses a string, as it could become a user's directory,
 * - a string of `whole` is not at the start of a component, or
 * - the path would be too long with the longest strings.
 */
int path_check_strings(const char *normal, unsigned whole, struct error *error);

/*
 * Check a RANDOMSTRING template such as "file[0123456789]", where a pair of
 * brackets is replaced by one of the characters inside. Return 0, or -EINVAL
 * with `error` set if brackets are unbalanced or empty, if the template is too
 * long or contains a slash, or if each of its characters can be a period. The
 * last rule ensures that a component with a random string never becomes "..".
 */
int path_check_template(const char *template, struct error *error);

/* How random strings can continue CLIENTS_NAME, in any case: bit N of
 * ends[slot][M] is set if a string of the slot can be its bytes from M to N. */
struct path_spelling {
	uint8_t ends[PROGRAM_STRINGS][sizeof(CLIENTS_NAME)];
};

/* Add the strings of a checked template. */
void path_spell(struct path_spelling *spelling, unsigned slot, const char *template);

/*
 * Can the first component of a path with random strings become CLIENTS_NAME?
 * (If a string is used twice, it counts as if it could differ.)
 */
bool path_may_be_clients(const char *normal, const struct path_spelling *spelling);

#endif
