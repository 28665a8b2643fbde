/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A target: where a load is played, as a person names it.
 */
#ifndef BACKEND_TARGET_H
#define BACKEND_TARGET_H

#include "base/error.h"

struct backend;

struct target {
	char *url;    /* as given; shown to people */
	char *scheme; /* "" for a plain path */
	char *path;   /* file: the directory; otherwise what follows "://" */
	const struct backend *backend;
};

/*
 * Takes a PATH, a file:///PATH or a URL of another scheme apart and finds its
 * backend. Returns 0, or -EINVAL with `error` set: no backend plays it. Freed
 * with target_free, also after a failure.
 */
int target_parse(const char *text, struct target *target,
		 struct error *error);

void target_free(struct target *target);

#endif
