/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The accounts with which simulated users log in to a file server. Passwords
 * are never taken from a place where other people could read them, such as the
 * command line.
 */
#ifndef TARGET_ACCOUNT_H
#define TARGET_ACCOUNT_H

#include "base/error.h"
#include "target/target.h"

struct account {
	char *domain, *user, *password; /* "" where there is none */
};

/*
 * Fill target->accounts with one account per file of `files` (ended by NULL),
 * or with the URL's user if there are no files. The files have the format of
 * smbclient's --authentication-file (username = X, password = Y, domain = Z). A
 * file that others can read is refused. If a file or the URL gives no password,
 * the password is taken from the environment variable PASSWD, or read from the
 * terminal. No password is needed with the target's options guest=yes or
 * kerberos=yes. A target whose backend needs no account gets none. Return 0,
 * or -EINVAL, -EACCES ... with `error` set.
 *
 * Call this before forking: the function removes PASSWD from the environment
 * and overwrites its value. A process that holds a password is not dumpable
 * (prctl(2)), nor are its children.
 */
int accounts_find(struct target *target, const char *const *files, struct error *error);

/* Let accounts_find() use a copy of this account, besides others of the same target, which
 * came from another process. Return 0, or -ENOMEM with `error` set. */
int account_provide(const char *url, const struct account *account, struct error *error);

/*
 * Give the target a copy of `account` as its only account. Return 0, or
 * -ENOMEM with `error` set.
 */
int account_give(struct target *target, const struct account *account, struct error *error);

/* Give the target, which has no accounts, copies of those of `from`. Return 0,
 * or -ENOMEM with `error` set. */
int accounts_copy(struct target *target, const struct target *from, struct error *error);

/*
 * Return the account of user number `user` of the run. The target must have at
 * least one account. The users of the target get its accounts in turn.
 */
const struct account *account_of(const struct target *target, unsigned user);

/* Overwrite the passwords, then free all accounts. */
void accounts_free(struct account *accounts, size_t count);

#endif
