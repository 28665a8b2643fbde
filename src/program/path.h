/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a loadfile's path means and where it may lead: the rules of
 * throng-loadfile(5), "Paths".
 */
#ifndef PROGRAM_PATH_H
#define PROGRAM_PATH_H

#include "base/error.h"
#include "program/program.h"

/*
 * Turns a path as a loadfile spells it into its components joined by '/':
 * both slashes separate, empty and "." components vanish, a leading USER_NAME
 * gets CLIENTS_NAME before it. Returns the length, or -EINVAL with `error`
 * set: "..", too long, throng's own marker, or CLIENTS_NAME in other case.
 */
int path_normalise(const char *text, char normal[PROGRAM_PATH_MAX],
		   struct error *error);

/* Where a normalised path lies. */
enum path_place path_place(const char *normal);

/* The length of the first component. */
size_t path_first_component(const char *normal);

/* The length of the parent's path: 0 when the parent is the target. */
size_t path_parent(const char *normal);

/* The last component. */
const char *path_leaf(const char *normal);

/*
 * Which of the random strings `defined` (bit n: slot n has been defined) does
 * the path use, as a set of bits?
 */
unsigned path_strings(const char *normal, unsigned defined);

/*
 * Verifies a normalised path that uses random strings. `whole` are those whose
 * template began with a slash, as a set of bits. Returns 0, or -EINVAL with
 * `error` set: one stands in the component that is to be a user's name, where
 * it could become throng's marker; or one of `whole` not at a component's
 * front; or the longest strings would make the path too long.
 */
int path_check_strings(const char *normal, unsigned whole,
		       struct error *error);

/*
 * Verifies a RANDOMSTRING template, such as "file[0123456789]"; each bracket
 * stands for one of the characters in it. Returns 0, or -EINVAL with `error`
 * set: unbalanced or empty brackets, too long, a character that separates
 * components, or one that can come out as nothing but periods: a component
 * with a random string in it can therefore never become "..".
 */
int path_check_template(const char *template, struct error *error);

#endif
