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
 * Normalise a path to components joined by '/'. Both slashes separate, empty
 * and "." components are dropped, and a leading USER_NAME gets CLIENTS_NAME
 * before it. Returns the length, or -EINVAL with `error` set: "..", too long, a
 * file reserved for throng, or CLIENTS_NAME in other case.
 */
int path_normalise(const char *text, char normal[PROGRAM_PATH_MAX],
		   struct error *error);

/* Return the location of a normalised path. */
enum path_place path_place(const char *normal);

/* Return the length of the first component. */
size_t path_first_component(const char *normal);

/* Return the length of the parent's path: 0 if the parent is the target. */
size_t path_parent(const char *normal);

/* Return the last component. */
const char *path_leaf(const char *normal);

/*
 * Return those of the random strings `defined` that the path uses. Both are
 * sets of bits: bit n is slot n.
 */
unsigned path_strings(const char *normal, unsigned defined);

/*
 * Check a normalised path that uses random strings. `whole` are those whose
 * template began with a slash, as a set of bits. Returns 0, or -EINVAL with
 * `error` set: a string in the name of a user's directory, where it could
 * become throng's marker; a string of `whole` that does not start a component;
 * or a path that would be too long with the longest strings.
 */
int path_check_strings(const char *normal, unsigned whole,
		       struct error *error);

/*
 * Check a RANDOMSTRING template such as "file[0123456789]", where a bracket
 * stands for one of the characters in it. Returns 0, or -EINVAL with `error`
 * set: unbalanced or empty brackets, too long, a slash, or a template that can
 * produce nothing but periods. A component with a random string in it can
 * therefore never become "..".
 */
int path_check_template(const char *template, struct error *error);

#endif
