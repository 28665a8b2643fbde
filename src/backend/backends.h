/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of engines: one row describes an engine before it is loaded. A
 * scheme may have several engines; an option in its URLs selects one. Only
 * this table knows which engines were built and which are in modules. A module
 * is loaded when a target needs it, so that a local run does not load the
 * libraries of a file server's client.
 */
#ifndef BACKEND_BACKENDS_H
#define BACKEND_BACKENDS_H

#include "backend/backend.h"

/* An option that a target's URL may have, as key=value. */
struct backend_option {
	const char *key;
	const char *const *values; /* ended by NULL; NULL: any text */
	/* The command-line option that sets it for all targets of the scheme
	 * (NULL: none), its help (NULL: --help lists it by name only) and its
	 * argument. Without an argument the option sets "yes". */
	const char *flag, *help, *argument;
};

struct backend_row {
	/* For --version and results; engines of one scheme share it. */
	const char *name;
	const char *const *schemes; /* ended by NULL; "" is a plain path */
	/* The syntax of its targets; NULL: as in the row above. */
	const char *forms;
	/* The option, one of `options`, that selects one of a scheme's engines,
	 * and the value that selects this one. Without the option, the scheme's
	 * first row is used. NULL: the scheme has no other engine. */
	const char *selector, *selected_by;
	/* The options of its URLs, ended by a NULL key; NULL: none. */
	const struct backend_option *options;
	/* Undeclared options are passed to the library. */
	bool passes_options;
	const char *library; /* its name */
	bool built;
	const struct backend *built_in; /* NULL: in a module */
	/* The module throng-MODULE.so, and the symbol of its table there. */
	const char *module, *symbol;
};

/* All engines, ended by a NULL name. */
extern const struct backend_row backends[];

/*
 * Return the engine of a URL scheme that `selected_by` selects, or the first
 * one if that is NULL. Returns NULL if there is none.
 */
const struct backend_row *backends_find(const char *scheme,
					const char *selected_by);

/*
 * Return the option with the number-th command-line flag, from 0, and set
 * *scheme to the scheme of its targets. Returns NULL if there are no more. A
 * flag that several engines share is returned once; each engine checks the
 * value by its own row.
 */
const struct backend_option *backends_flag(size_t number, const char **scheme);

/*
 * Return the slots of a row's engine, after loading its module if it has one.
 * Returns NULL with `error` set if it was not built or its module cannot be
 * loaded.
 */
const struct backend *backends_load(const struct backend_row *row,
				    struct error *error);

#endif
