/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/run_targets.h"

#include "base/message.h"
#include "target/account.h"
#include "target/backends.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Print only a note if --auth-file is of no use for a target: a script may use
 * the same options for all of its targets. */
int run_targets_find_accounts(struct run_targets *targets, const struct measure_options *options,
			      struct error *error)
{
	const char *const *files = options->auth_files;
	unsigned i;
	int rc = 0;

	for (i = 0; i < targets->count && rc == 0; i++) {
		const struct target *target = &targets->list[i];

		if (target->account_count > 0)
			continue;
		if (files != NULL && !target->backend->needs_account)
			message_note("--auth-file is not used for %s, which needs no account",
				     target->url);
		rc = accounts_find(&targets->list[i], files, error);
	}
	return rc;
}

/* Check if the same account logs in to both targets. */
static bool same_login(const struct target *one, const struct target *other)
{
	static const char *const keys[] = {"guest", "kerberos", "nt-hash"};
	size_t length = strcspn(one->url, "?"), i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (target_says_yes(one, keys[i]) != target_says_yes(other, keys[i]))
			return false;
	return length == strcspn(other->url, "?") && strncmp(one->url, other->url, length) == 0;
}

static int share_account(const struct target *from, struct target *target, struct error *error)
{
	if (target->account_count > 0 || from->account_count == 0 || !same_login(from, target))
		return 0;
	return accounts_copy(target, from, error);
}

int run_targets_share_accounts(const struct run_targets *from, struct run_targets *targets,
			       struct error *error)
{
	unsigned i, j;
	int rc = 0;

	for (i = 0; i < targets->count; i++)
		for (j = 0; j < from->count && rc == 0; j++)
			rc = share_account(&from->list[j], &targets->list[i], error);
	return rc;
}

/* Refuse a number of users, which dbench takes before the directory. */
static int refuse_number(const char *text, struct error *error)
{
	if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || access(text, F_OK) == 0)
		return 0;
	error_set(error, "\"%s\" is not a directory (for %s users, use -u %s)", text, text, text);
	return -EINVAL;
}

/* Refuse two targets if their options select different clients for SMB, and
 * nobody has named one. */
static int check_clients(const struct target *one, const char *name, const struct target *two,
			 const char *other_name, struct error *error)
{
	const char *client = backends_client(one->row);
	const char *other_client = backends_client(two->row);

	if (client == NULL || other_client == NULL || one->row == two->row || one->names_engine ||
	    two->names_engine)
		return 0;
	error_set(error,
		  "%s would use the SMB client %s, but %s would use %s; choose one client with "
		  "client= in the URL",
		  name, client, other_name, other_client);
	return -EINVAL;
}

int run_targets_open(struct run_targets *targets, const char *const *urls,
		     const struct measure_options *options, struct error *error)
{
	unsigned count = 0, i;
	int rc = 0;

	while (urls[count] != NULL)
		count++;
	targets->list = calloc(count, sizeof(*targets->list));
	if (targets->list == NULL)
		return error_no_memory(error);
	for (i = 0; i < count && rc == 0; i++) {
		targets->count++;
		rc = refuse_number(urls[i], error);
		if (rc == 0)
			rc = target_parse(urls[i], &targets->list[i], error);
		targets->list[i].timeout_s = options->timeout_s;
		targets->list[i].stride = count;
		if (rc == 0)
			rc = check_clients(&targets->list[0], urls[0], &targets->list[i], urls[i],
					   error);
	}
	return rc;
}

int run_targets_check_clients(const struct run_targets *targets, const char *name,
			      const struct run_targets *other, const char *other_name,
			      struct error *error)
{
	unsigned i;
	int rc = 0;

	for (i = 0; i < targets->count && i < other->count && rc == 0; i++)
		rc = check_clients(&targets->list[i], name, &other->list[i], other_name, error);
	return rc;
}

void run_targets_free(struct run_targets *targets)
{
	unsigned i;

	for (i = 0; i < targets->count; i++)
		target_free(&targets->list[i]);
	free(targets->list);
}
