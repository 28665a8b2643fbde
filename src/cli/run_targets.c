/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run_targets.h"

#include "backend/account.h"
#include "backend/backends.h"
#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room for the name of an option in messages, such as --smb-client. */
enum { NAME_BYTES = 64 };

/*
 * Set a URL option to the value from the command line, for all targets of the
 * option's scheme. `number` is its number in backends_flag. Refuse it if there
 * are no such targets, as it is probably a mistake. An option that selects the
 * engine has had its effect when the targets were parsed.
 */
static int set_option(struct run_targets *targets, unsigned number,
		      const char *value, struct error *error)
{
	const char *scheme;
	const struct backend_option *option = backends_flag(number, &scheme);
	char name[NAME_BYTES];
	unsigned i, set = 0;

	snprintf(name, sizeof(name), "--%s", option->flag);
	for (i = 0; i < targets->count; i++) {
		struct target *target = &targets->list[i];

		if (strcmp(target->scheme, scheme) != 0)
			continue;
		if (!backends_selects(scheme, option->key) &&
		    target_set_option(target, option->key, value, name,
				      error) < 0)
			return -EINVAL;
		set++;
	}
	if (set > 0)
		return 0;
	error_set(error, "%s: there is no %s: target", name, scheme);
	return -EINVAL;
}

/* Print only a note if --auth-file is of no use for a target: a script may use
 * the same options for all of its targets. */
int run_targets_find_accounts(struct run_targets *targets,
			      const struct measure_options *options,
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
			message_note("--auth-file is not used for %s, which "
				     "needs no account", target->url);
		rc = accounts_find(&targets->list[i], files, error);
	}
	return rc;
}

static int share_account(const struct target *from, struct target *target,
			 struct error *error)
{
	if (target->account_count > 0 || from->account_count == 0 ||
	    strcmp(from->url, target->url) != 0)
		return 0;
	return accounts_copy(target, from, error);
}

int run_targets_share_accounts(const struct run_targets *from,
			       struct run_targets *targets,
			       struct error *error)
{
	unsigned i, j;
	int rc = 0;

	for (i = 0; i < targets->count; i++)
		for (j = 0; j < from->count && rc == 0; j++)
			rc = share_account(&from->list[j], &targets->list[i],
					   error);
	return rc;
}

/* Refuse a number of users, which dbench takes before the directory. */
static int refuse_number(const char *text, struct error *error)
{
	if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' ||
	    access(text, F_OK) == 0)
		return 0;
	error_set(error, "\"%s\" is not a directory (for %s users, use -u "
		  "%s)", text, text, text);
	return -EINVAL;
}

/* The engines that options of the command line select. */
struct choices {
	struct target_choice list[MEASURE_URL_OPTIONS + 1];
	char names[MEASURE_URL_OPTIONS][NAME_BYTES];
};

static void list_choices(struct choices *choices,
			 const struct measure_options *options)
{
	const struct backend_option *option;
	const char *scheme;
	unsigned count = 0, i;

	*choices = (struct choices){0};
	for (i = 0; i < MEASURE_URL_OPTIONS &&
		    (option = backends_flag(i, &scheme)) != NULL; i++) {
		if (options->url_values[i] == NULL ||
		    !backends_selects(scheme, option->key))
			continue;
		snprintf(choices->names[count], NAME_BYTES, "--%s",
			 option->flag);
		choices->list[count] = (struct target_choice){
			.scheme = scheme,
			.value = options->url_values[i],
			.name = choices->names[count],
		};
		count++;
	}
}

int run_targets_open(struct run_targets *targets, const char *const *urls,
		     const struct measure_options *options,
		     struct error *error)
{
	struct choices choices;
	unsigned count = 0, i;
	int rc = 0;

	list_choices(&choices, options);
	while (urls[count] != NULL)
		count++;
	targets->list = calloc(count, sizeof(*targets->list));
	if (targets->list == NULL)
		return error_no_memory(error);
	for (i = 0; i < count && rc == 0; i++) {
		targets->count++;
		rc = refuse_number(urls[i], error);
		if (rc == 0)
			rc = target_parse_chosen(urls[i], choices.list,
						 &targets->list[i], error);
		targets->list[i].timeout_s = options->timeout_s;
		targets->list[i].stride = count;
	}
	for (i = 0; i < MEASURE_URL_OPTIONS && rc == 0; i++)
		if (options->url_values[i] != NULL)
			rc = set_option(targets, i, options->url_values[i],
					error);
	return rc;
}

int run_targets_describe(const struct run_targets *targets,
			 struct result_run *run, struct error *error)
{
	unsigned i;

	run->targets = calloc(targets->count, sizeof(*run->targets));
	if (run->targets == NULL)
		return error_no_memory(error);
	run->target_count = targets->count;
	for (i = 0; i < targets->count; i++) {
		const struct target *target = &targets->list[i];
		const char *client = backends_client(target->row);

		run->targets[i] = (struct result_target){
			.url = strdup(target->url),
			.library = strdup(target->row->library),
			.library_version =
				strdup(target->backend->library_version()),
			.kind = strdup("not contacted"),
			.protection = strdup(""),
			.client.name = client != NULL ? strdup(client) : NULL,
			.free_bytes = UINT64_MAX,
		};
	}
	return 0;
}

void run_targets_free(struct run_targets *targets)
{
	unsigned i;

	for (i = 0; i < targets->count; i++)
		target_free(&targets->list[i]);
	free(targets->list);
}
