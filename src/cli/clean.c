/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng clean: list and remove what runs have left at a target.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "cli/options.h"
#include "doc/escape.h"
#include "sweep/clean.h"
#include "target/account.h"

#include <stdio.h>
#include <string.h>

enum { TIMEOUT_MAX_S = 24 * 3600 };

/* The state of one `throng clean`. */
struct cleaning {
	struct options given;
	bool all, force;
	unsigned timeout_s;
	const char *const *auth_files;
	struct target target;
	struct clean clean;
};

#define AT(member) OPTION_AT(struct cleaning, member)

const struct option_row clean_rows[] = {
	{"all", 0, OPTION_FLAG, NULL, "Remove what dead runs have left, except with --keep",
	 AT(all), .flags = OPTION_COMMON},
	{"force", 0, OPTION_FLAG, NULL, "Remove also a NAME whose run may be alive elsewhere",
	 AT(force), .flags = OPTION_COMMON},
	{"timeout", 0, OPTION_COUNT, "N", "Max time of an operation on a network", AT(timeout_s),
	 .min = 1, .max = TIMEOUT_MAX_S, .unit = " s",
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"auth-file", 0, OPTION_TEXTS, "FILE", "User, password and domain, as for smbclient -A",
	 AT(auth_files), .flags = OPTION_COMMON},
	{.name = NULL},
};

static int parse(struct cleaning *cleaning, struct error *error)
{
	const struct options *given = &cleaning->given;
	struct target *target = &cleaning->target;
	size_t i;

	if (options_parse(given, error) < 0)
		return -1;
	if (given->word_count == 0)
		error_set(error, "clean: expected a TARGET; see --help");
	if (cleaning->all && given->word_count > 1)
		error_set(error, "clean: --all cannot be combined with a NAME");
	if (cleaning->force && given->word_count < 2)
		error_set(error, "clean: --force needs the NAME of a run's directory");
	for (i = 1; i < given->word_count; i++)
		if (!run_name_is_valid(given->words[i]))
			error_set(error,
				  "clean: \"%s\" is not the name of a run's directory, such as "
				  "throng-7f3a9c2e",
				  given->words[i]);
	if (error->set || target_parse(given->words[0], target, error) < 0)
		return -1;
	target->timeout_s = cleaning->timeout_s;
	target->stride = 1;
	return accounts_find(target, cleaning->auth_files, error);
}

/* Print a text of a run file; anybody may have written it. */
static void print_text(const char *before, const char *text)
{
	if (text[0] == '\0')
		return;
	fputs(before, stdout);
	escape_text(text, stdout);
}

static void print_entry(const struct survey_entry *entry)
{
	const struct run_file *file = &entry->file;
	bool unfinished = entry->state != SURVEY_DAMAGED && !file->complete;
	char state[32];

	snprintf(state, sizeof(state), "%s%s%s", survey_states[entry->state],
		 file->kept ? ", kept" : "", unfinished ? ", unfinished" : "");
	printf("%s  %-10s", file->name, state);
	if (file->run.process > 0)
		printf("  process %d", (int)file->run.process);
	print_text(" on ", file->run.host);
	print_text(", since ", file->begun);
	print_text(", in ", file->workdir);
	putchar('\n');
}

/* Say so if there are more runs than are listed. Return if there are. */
static bool print_cut(const struct survey *survey)
{
	if (survey->cut)
		printf("there are more than %d runs; the others are not listed\n", SURVEY_RUNS_MAX);
	return survey->cut;
}

/* List the runs. */
static void print_list(const struct survey *survey)
{
	unsigned i;

	if (survey->count == 0)
		puts("no directories of runs");
	for (i = 0; i < survey->count; i++)
		print_entry(&survey->entries[i]);
	print_cut(survey);
}

/* Remove one run; return the exit code. */
static int remove_run(const struct cleaning *cleaning, const char *name)
{
	struct error error = {0};

	if (clean_remove(&cleaning->clean, name, cleaning->force, &error) == 0) {
		printf("removed %s\n", name);
		return EXIT_VALID;
	}
	message_error(&error);
	return EXIT_INVALID;
}

static bool is_doomed(const struct survey_entry *entry)
{
	return entry->state == SURVEY_DEAD && !entry->file.kept;
}

/* Remove all dead runs, and list the others. Return the exit code. */
static int remove_all(const struct cleaning *cleaning)
{
	const struct survey *survey = cleaning->clean.survey;
	struct error error = {0};
	int rc = EXIT_VALID;
	unsigned removed, i;

	do {
		removed = 0;
		for (i = 0; i < survey->count; i++) {
			if (!is_doomed(&survey->entries[i]))
				continue;
			if (remove_run(cleaning, survey->entries[i].file.name) == EXIT_VALID)
				removed++;
			else
				rc = EXIT_INVALID;
		}
		/* A list has up to SURVEY_RUNS_MAX runs. */
		if (survey->cut && removed > 0 && clean_list(&cleaning->clean, &error) < 0)
			return cli_refuse(&error);
	} while (survey->cut && removed > 0);
	for (i = 0; i < survey->count; i++)
		if (!is_doomed(&survey->entries[i]))
			print_entry(&survey->entries[i]);
	return print_cut(survey) ? EXIT_INVALID : rc;
}

static int clean(struct cleaning *cleaning)
{
	const struct options *given = &cleaning->given;
	struct error error = {0};
	int rc = EXIT_VALID;
	size_t i;

	if (clean_open(&cleaning->clean, &cleaning->target, &error) < 0)
		return cli_refuse(&error);
	/* Some targets cannot be listed. */
	if (given->word_count == 1 && clean_list(&cleaning->clean, &error) < 0)
		return cli_refuse(&error);
	if (cleaning->all)
		return remove_all(cleaning);
	if (given->word_count == 1)
		print_list(cleaning->clean.survey);
	for (i = 1; i < given->word_count; i++)
		if (remove_run(cleaning, given->words[i]) != EXIT_VALID)
			rc = EXIT_INVALID;
	return rc;
}

int cli_clean(int argc, const char **argv)
{
	struct cleaning cleaning = {.timeout_s = TARGET_TIMEOUT_S};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = clean_rows, .values = &cleaning},
		{.rows = NULL},
	};
	struct error error = {0};
	int rc;

	argv[0] = "throng clean"; /* for --help */
	rc = options_read(&cleaning.given, groups, "[OPTIONS] TARGET [NAME...]",
			  "  throng clean nfs://server/export\n"
			  "  throng clean --all /mnt/test\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = parse(&cleaning, &error) < 0 ? cli_refuse(&error) : clean(&cleaning);
	clean_close(&cleaning.clean);
	target_free(&cleaning.target);
	options_free(&cleaning.given);
	return rc;
}
