/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The accounts that users of a file server log in with. Passwords come from
 * places where others cannot read them.
 */
#ifndef BACKEND_ACCOUNT_H
#define BACKEND_ACCOUNT_H

#include "backend/target.h"
#include "base/error.h"

struct account {
	char *domain, *user, *password; /* "": none */
};

/*
 * Fill target->accounts with one account per file of `files` (ended by NULL),
 * or with the URL's user if there are no files. The files have the format of
 * smbclient's --authentication-file (username = X, password = Y, domain = Z). A
 * password that is missing there is taken from the environment variable PASSWD,
 * or read from the terminal. No password is needed with the target's options
 * guest=yes or kerberos=yes. A target whose backend needs no account gets none.
 * A file that others can read is refused. Returns 0, or -EINVAL, -EACCES ...
 * with `error` set.
 *
 * Call it before forking: it removes PASSWD from the environment and overwrites
 * its value. A process that holds a password is not dumpable (prctl(2)), nor
 * are its children.
 */
int accounts_find(struct target *target, const char *const *files,
		  struct error *error);

/*
 * Copy `account`, which becomes the target's only account. Returns 0, or
 * -ENOMEM with `error` set.
 */
int account_give(struct target *target, const struct account *account,
		 struct error *error);

/*
 * Return the account of user number `user` of the run. The target must have at
 * least one; its users get the accounts in turn.
 */
const struct account *account_of(const struct target *target, unsigned user);

/* Overwrite the passwords, then free all accounts. */
void accounts_free(struct account *accounts, size_t count);

#endif
