/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A target: the place where a load is played. The user writes it as
 *  PATH  file:///PATH  SCHEME://[[DOMAIN;]USER@]HOST[:PORT]/...[?key=value&...]
 */
#ifndef BACKEND_TARGET_H
#define BACKEND_TARGET_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct account;
struct backend;
struct backend_row;

struct target_option {
	char *key, *value;
};

struct target {
	char *url;    /* as given; shown to the user, holds no secret */
	char *scheme; /* "" for a plain path */
	/* The directory; in a URL, the part after "://" and the user and
	 * before "?", as given. */
	char *path;
	char *domain, *user; /* of the URL, decoded; "": none */
	/* The options that its engine declares, decoded. The option that
	 * selects the engine is always set. */
	struct target_option *options;
	size_t option_count;
	char *passed; /* the others, "key=value&...", as given; "": none */
	/* The accounts to log in with (backend/account.h). Allocated; NULL if
	 * the target needs none. */
	struct account *accounts;
	size_t account_count;
	/* Number of targets in the run, from 1: user N plays on target
	 * N % stride. */
	unsigned stride;
	unsigned timeout_s; /* max duration of an operation */
	const struct backend_row *row; /* of its engine (backend/backends.h) */
	const struct backend *backend;
};

/* The default of timeout_s. */
enum { TARGET_TIMEOUT_S = 20 };

/*
 * Parse a PATH or URL and load its engine, which the scheme and the selecting
 * option determine before any module is opened. Returns 0, or -EINVAL with
 * `error` set if no engine plays it, the engine does not have one of its
 * options, or it holds a password. Free with target_free, also after a
 * failure.
 */
int target_parse(const char *text, struct target *target,
		 struct error *error);

void target_free(struct target *target);

/* Return the value of an option, or NULL if it was not given. */
const char *target_option(const struct target *target, const char *key);

/*
 * Set an option as `?key=value` does; replaces an earlier value. Messages begin
 * with `name`, the user's own word. Returns 0, or -EINVAL with `error` set.
 */
int target_set_option(struct target *target, const char *key,
		      const char *value, const char *name,
		      struct error *error);

/*
 * Decode %XX in place. Returns 0, or -EINVAL for a % without two hexadecimal
 * digits after it, or for a NUL.
 */
int target_decode(char *text);

#endif
