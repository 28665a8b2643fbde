/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open a loadfile, detect its dialect, and compile it.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/error.h"
#include "load/setting.h"
#include "program/program.h"

/* The default memory limit for a load. A limit is needed, as a few megabytes of
 * gzip can expand to gigabytes of operations. */
#define LOAD_BYTES_MAX UINT64_C(1000000000)

struct load_options {
	/* Refuse a program that takes more than about this many bytes of
	 * memory; 0 means LOAD_BYTES_MAX. */
	uint64_t bytes_max;
	/* Values for parameters of the load, instead of their defaults. */
	const struct load_setting *settings;
	size_t setting_count;
	/* One element per setting. Set to true if the load has the parameter.
	 * NULL: refuse a load that does not have all of them. */
	bool *found;
};

/*
 * Compile the loadfile `path`, plain or gzip. Refuse it if it has no parameter
 * of a setting's name (but see `found`). `options` may be NULL: no settings,
 * and the default limit. Return the program, which the caller frees, or NULL
 * with all errors of the file in `errors`.
 */
struct program *load_file(const char *path, const struct load_options *options,
			  struct errors *errors);

enum { LOAD_DIGEST_TEXT = 65 };

/* Write the SHA-256 of a loadfile to `text` in hex, like sha256sum(1). Results
 * identify a loadfile by it. Return 0, or -errno with `error` set. */
int load_digest(const char *path, char text[LOAD_DIGEST_TEXT], struct error *error);

#endif
