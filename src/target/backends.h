/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of engines. An engine is an implementation of the interface in
 * backend.h; a row of the table describes it before it is loaded. A URL scheme
 * may have several engines, such as those for NFSv3 and NFSv4; an option in the
 * URL selects one. Only this table knows which engines were built and which are
 * in modules. A module is loaded when a target needs it, so that a local run
 * does not load the client libraries for file servers.
 *
 * Also what a target can play, which follows from its engine's slots and probe.
 */
#ifndef TARGET_BACKENDS_H
#define TARGET_BACKENDS_H

#include "target/backend.h"
#include "words/smb_client.h"

/* An option that a target's URL may have, as key=value. */
struct backend_option {
	const char *key;
	/* The allowed values, ended by NULL. If `values` itself is NULL, any
	 * text is allowed. */
	const char *const *values;
};

struct backend_row {
	/* The backend's name in --version and in results; all engines of one
	 * scheme have the same name. */
	const char *name;
	/* The URL schemes, ended by NULL; "" stands for a plain path. */
	const char *const *schemes;
	/* The syntax of the engine's targets; NULL: as in the row above. */
	const char *forms;
	/* The key of the option, one of `options`, that selects one of the
	 * scheme's engines, and the value that selects this engine. A target
	 * without the option gets the first of the scheme's engines that was
	 * built and has all options of the target. Both are NULL if the scheme
	 * has no such option. */
	const char *selector, *selected_by;
	/* The client of SMB that the engine is, whose name is selected_by. */
	enum smb_client client;
	/* The options that the engine's URLs may have, ended by a NULL key; or
	 * NULL. */
	const struct backend_option *options;
	/* URLs may also have other options, which the library interprets. */
	bool passes_options;
	const char *library; /* name of the library that the engine uses */
	bool built;
	const struct backend *built_in; /* NULL: the engine is in a module */
	/* The module is throng-MODULE.so; dlsym() of `symbol` gives its struct
	 * backend. */
	const char *module, *symbol;
};

/* All engines, ended by a NULL name. */
extern const struct backend_row backends[];

/* Check if the engine plays on targets with this URL scheme. */
bool backends_plays(const struct backend_row *row, const char *scheme);

/*
 * Return the engine of a URL scheme that the option value `selected_by`
 * selects. If `selected_by` is NULL, return the default: the scheme's first
 * engine that was built, or the first one if none was. Return NULL if there is
 * no such engine.
 */
const struct backend_row *backends_find(const char *scheme, const char *selected_by);

/* Return the name of the client that the row's engine is, as results have it,
 * or NULL if it is none of SMB. */
static inline const char *backends_client(const struct backend_row *row)
{
	return row->client != SMB_CLIENT_NONE ? row->selected_by : NULL;
}

/* Write the path of the module throng-NAME.so: in $THRONG_MODULES if it is set, else in
 * the build tree if it is there, else where it is installed. */
void backends_find_module(const char *name, char *path, size_t size);

/*
 * Return the slots of a row's engine, after loading its module if it has one.
 * Return NULL with `error` set if the engine was not built or its module
 * cannot be loaded.
 */
const struct backend *backends_load(const struct backend_row *row, struct error *error);

/* Return the capabilities of a target, a set of enum capability: those whose
 * slots the backend has and, where this is not enough, that the probe has found.
 * Operations without the capability that they need are left out (adapt/fit.h). */
unsigned backends_capabilities(const struct backend *backend, const struct backend_facts *facts);

#endif
