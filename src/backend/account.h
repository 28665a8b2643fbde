/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who plays on a file server: names and passwords, from where they can be kept
 * out of sight.
 */
#ifndef BACKEND_ACCOUNT_H
#define BACKEND_ACCOUNT_H

#include "backend/target.h"
#include "base/error.h"

struct account {
	char *domain, *user, *password; /* "" is none */
};

/*
 * Fills target->accounts: one for each of the files (ended by NULL), which
 * are as smbclient's --authentication-file has them (username = X, password =
 * Y, domain = Z); else the URL's user. A password that is in none of them is
 * taken from the variable PASSWD, or asked for on the terminal. With the
 * target's options guest=yes or kerberos=yes none is needed. Targets whose
 * backend needs no account get none. Returns 0, or -EINVAL, -EACCES ... with
 * `error` set; a file that others can read is refused.
 *
 * To be called before anything is forked: PASSWD is taken out of the
 * environment, and the bytes of its value are overwritten. A process with a
 * password is not dumpable (prctl(2)), nor are its children.
 */
int accounts_find(struct target *target, const char *const *files,
		  struct error *error);

/*
 * Makes a copy of `account` the target's only one. Returns 0, or -ENOMEM with
 * `error` set.
 */
int account_give(struct target *target, const struct account *account,
		 struct error *error);

/*
 * The account of user `user` of the run; there must be one. Those who play on
 * a target get its accounts in turn.
 */
const struct account *account_of(const struct target *target, unsigned user);

/* Overwrites the passwords, then frees them all. */
void accounts_free(struct account *accounts, size_t count);

#endif
