/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A target: where a load is played, as a person names it.
 *   PATH  file:///PATH  SCHEME://[[DOMAIN;]USER@]HOST[:PORT]/...[?key=value&...]
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
	char *url;    /* as given; shown to people, holds no secret */
	char *scheme; /* "" for a plain path */
	/* A path: the directory. A URL: what stands between "://" (without
	 * the user) and "?", as it was given. */
	char *path;
	char *domain, *user; /* of the URL, decoded; "" is none */
	/* The options that its engine declares, decoded; the one that chooses
	 * among engines is always there. */
	struct target_option *options;
	size_t option_count;
	char *passed; /* the others, "key=value&...", as given; "" is none */
	/* Who plays there (backend/account.h). Allocated; NULL: nobody in
	 * particular. */
	struct account *accounts;
	size_t account_count;
	/* Of the run's users, every so-manieth plays there; from 1. */
	unsigned stride;
	unsigned timeout_s; /* how long one operation may take */
	const struct backend_row *row; /* of its engine (backend/backends.h) */
	const struct backend *backend;
};

/* How long an operation may take unless somebody says otherwise. */
enum { TARGET_TIMEOUT_S = 20 };

/*
 * Takes a PATH or URL apart and loads its engine, chosen by scheme and
 * selecting option before any module is opened. Returns 0, or -EINVAL with
 * `error` set: nothing plays it, an option that its engine does not have, or a
 * password in it. Freed with target_free, also after a failure.
 */
int target_parse(const char *text, struct target *target,
		 struct error *error);

void target_free(struct target *target);

/* The value of an option, or NULL when it was not given. */
const char *target_option(const struct target *target, const char *key);

/*
 * Sets an option, as `?key=value` does; what was set before goes. `name` is
 * what the person wrote, for messages. Returns 0, or -EINVAL with `error` set.
 */
int target_set_option(struct target *target, const char *key,
		      const char *value, const char *name,
		      struct error *error);

/*
 * Decodes %XX in place. Returns 0, or -EINVAL: a % without two hexadecimal
 * digits behind it, or a NUL.
 */
int target_decode(char *text);

#endif
