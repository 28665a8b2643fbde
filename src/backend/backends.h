/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of engines, a row each: all that is known of one before it is
 * opened. A scheme may have several engines, which an option of its URLs tells
 * apart. Only this list knows which were built, and which are in modules that
 * are loaded when a target asks for them: a local run does not carry the
 * libraries of a file server's client.
 */
#ifndef BACKEND_BACKENDS_H
#define BACKEND_BACKENDS_H

#include "backend/backend.h"

/* An option that a target's URL may have, as key=value. */
struct backend_option {
	const char *key;
	const char *const *values; /* ended by NULL; NULL: any text */
	/* The option of the command line that sets it on all targets of the
	 * scheme, its help and its argument. NULL: there is none; without an
	 * argument it sets "yes". */
	const char *flag, *help, *argument;
};

struct backend_row {
	/* For --version and results; engines of one scheme share it. */
	const char *name;
	const char *const *schemes; /* ended by NULL; "" is a plain path */
	/* How its targets are written; NULL: as in the row above. */
	const char *forms;
	/* The option that chooses among the engines of a scheme, one of
	 * `options`, and the value that chooses this one. Without the option
	 * the scheme's first row is chosen. NULL: there is no other. */
	const char *selector, *selected_by;
	/* The options of its URLs, ended by a NULL key; NULL: none. */
	const struct backend_option *options;
	/* Options that are not declared are left to its library. */
	bool passes_options;
	const char *library; /* what it plays with */
	bool built;
	const struct backend *built_in; /* NULL: in a module */
	/* The module throng-MODULE.so, and what its table is called there. */
	const char *module, *symbol;
};

/* All of them, ended by a NULL name. */
extern const struct backend_row backends[];

/*
 * Returns the engine of a URL scheme that `selected_by` chooses, or the first
 * one if that is NULL; NULL when there is none.
 */
const struct backend_row *backends_find(const char *scheme,
					const char *selected_by);

/*
 * Returns the option that the command line's option number `number`, from 0,
 * sets, and in *scheme its targets'; NULL when there are no more. Engines that
 * have a flag in common take its values from their own rows.
 */
const struct backend_option *backends_flag(size_t number, const char **scheme);

/*
 * Returns the table of a row, whose module is loaded if need be; or NULL with
 * `error` set: it was not built, or its module cannot be loaded.
 */
const struct backend *backends_load(const struct backend_row *row,
				    struct error *error);

#endif
