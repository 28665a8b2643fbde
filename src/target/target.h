/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A target: the place where a load is played. Parse it as the user writes it:
 *  PATH  file:///PATH  SCHEME://[[DOMAIN;]USER@]HOST[:PORT]/...[?key=value&...]
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct account;
struct backend;
struct backend_row;

struct target_option {
	char *key, *value;
};

struct target {
	char *url;    /* as the user gave it; may be shown: it has no secrets */
	char *scheme; /* "" for a plain path */
	/* For a plain path or file:, the directory. For any other URL, the
	 * part after "://" and "USER@" and before "?", not decoded. */
	char *path;
	char *domain, *user; /* from the URL, decoded; "": not given */
	/* The options that the target's engine declares (target/backends.h),
	 * with decoded values. The option that selects the engine is always
	 * among them, even if the URL does not have it. */
	struct target_option *options;
	size_t option_count;
	/* All other options of the URL, "key=value&...", not decoded. The
	 * engine passes them to its library. */
	char *passed;
	/* The accounts to log in with (target/account.h). Allocated; NULL if
	 * the target needs none. */
	struct account *accounts;
	size_t account_count;
	/* Number of targets in the run, from 1: user N plays on target
	 * N % stride. */
	unsigned stride;
	unsigned timeout_s; /* max duration of an operation */
	/* The load changes nothing, so the probe must not write to the target
	 * either. */
	bool read_only;
	const struct backend_row *row; /* describes the target's engine */
	bool names_engine;             /* the URL selects the engine */
	const struct backend *backend; /* the slots of this engine */
};

/* The default of timeout_s. */
enum { TARGET_TIMEOUT_S = 20 };

/*
 * Parse a PATH or URL and load its engine (target/backends.h). Only the module
 * of this engine is loaded, if any. Return 0, or -EINVAL with `error` set if
 * no engine supports the scheme, the engine does not have an option that the
 * URL contains, or the URL contains a password. Free *target with target_free,
 * also after a failure.
 */
int target_parse(const char *text, struct target *target, struct error *error);

void target_free(struct target *target);

/* Buffer size for target_guess. */
enum { TARGET_GUESS = 128 };

/*
 * Guess what is meant by a text which is no existing path, such as
 * HOST:/EXPORT, as mount takes it, or //SERVER/SHARE. Return what to write,
 * ready for a message: " (for an NFS export, use nfs://HOST/EXPORT)", or "".
 */
const char *target_guess(const char *text, char guess[TARGET_GUESS]);

/*
 * Return the time that a process may take without progress before it is killed:
 * long enough for a client library to give up on a target that hangs, and for a
 * slow local operation.
 */
uint64_t target_deadline_ns(const struct target *target);

/* Buffer size for target_below. */
enum { TARGET_BELOW = 4352 };

/* Write the path or URL of `name` below the target, as the user would write it;
 * "" is the target itself. Return `text`. */
const char *target_below(const struct target *target, const char *name, char text[TARGET_BELOW]);

/* Return the value of an option, or NULL if it was not given. */
const char *target_option(const struct target *target, const char *key);

/* Is the value of an option "yes"? */
bool target_says_yes(const struct target *target, const char *key);

/*
 * Set an option as `?key=value` in the URL does, replacing an earlier value.
 * Error messages begin with `name`, the user's own word for the option or the
 * target. Return 0, or -EINVAL with `error` set.
 */
int target_set_option(struct target *target, const char *key, const char *value, const char *name,
		      struct error *error);

/*
 * Decode %XX in place. Return 0, or -EINVAL if a % is not followed by two
 * hexadecimal digits, or for %00.
 */
int target_decode(char *text);

#endif
