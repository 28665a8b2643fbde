/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of backends; the only place that knows which were built, and which
 * are modules that are loaded when a target asks for them: a local run does
 * not carry the libraries of a file server's client.
 */
#ifndef BACKEND_BACKENDS_H
#define BACKEND_BACKENDS_H

#include "backend/backend.h"

/* A backend that may be there: its name and the URL schemes that it plays. */
struct backend_row {
	const char *name;
	const char *const *schemes; /* ended by NULL; "" is a plain path */
	const char *library;        /* what it plays with */
	bool built;
	const struct backend *built_in; /* NULL: a module */
};

/* All of them, ended by a NULL name. */
extern const struct backend_row backends[];

/*
 * The backend of a row, loaded if need be. Returns NULL with `error` set: it
 * was not built, or its module cannot be loaded.
 */
const struct backend *backends_load(const struct backend_row *row,
				    struct error *error);

/*
 * The backend that plays a URL scheme. Returns NULL; `error` is set when it is
 * known and cannot be had.
 */
const struct backend *backends_find(const char *scheme, struct error *error);

#endif
