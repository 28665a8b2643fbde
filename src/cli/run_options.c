/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run_options.h"

#include "base/message.h"
#include "base/random.h"
#include "base/units.h"
#include "backend/target.h"
#include "cli/cli.h"
#include "result/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_NS (30 * 24 * 3600 * NS_PER_S)
#define DEFAULT_TIME_NS (10 * NS_PER_S)
#define LEAST_CAP_BYTES 512

/* The longest that one operation may hang. */
#define TIMEOUT_MAX_S 3600

/* Options that may be given several times. */
enum { OPTION_OUTPUT = 1, OPTION_AUTH_FILE };

enum { SMB_CONF, SMB_DIALECT, SMB_ENCRYPT, SMB_SIGN, SMB_GUEST, SMB_KERBEROS,
       TCP_OPTIONS };
const struct run_url_option run_url_options[RUN_URL_OPTIONS] = {
	[SMB_CONF] = {"smb-conf", "smb", "conf"},
	[SMB_DIALECT] = {"smb-dialect", "smb", "dialect"},
	[SMB_ENCRYPT] = {"smb-encrypt", "smb", "encrypt"},
	[SMB_SIGN] = {"smb-sign", "smb", "sign"},
	[SMB_GUEST] = {"smb-guest", "smb", "guest"},
	[SMB_KERBEROS] = {"smb-kerberos", "smb", "kerberos"},
	[TCP_OPTIONS] = {"tcp-options", "tcp", "options"},
};

/* The words that an option takes; their order is that of its enum. */
static const char *const data_words[] = {"random", "zero", "pattern", NULL};
static const char *const write_through_words[] = {"honor", "ignore", "always",
						  NULL};

static int parse_word(const char *text, const char *option,
		      const char *const *words, unsigned *index,
		      struct error *error)
{
	for (*index = 0; words[*index] != NULL; (*index)++)
		if (strcmp(words[*index], text) == 0)
			return 0;
	error_set(error, "%s: \"%s\" is not %s, %s or %s", option, text,
		  words[0], words[1], words[2]);
	return -EINVAL;
}

/* Appends a word, which is then the list's, to a list that NULL ends. */
static int append(char ***list, char *word, struct error *error)
{
	size_t count = 0;
	char **larger;

	while (*list != NULL && (*list)[count] != NULL)
		count++;
	larger = reallocarray(*list, count + 2, sizeof(*larger));
	if (larger == NULL || word == NULL) {
		error_set(error, "out of memory");
		free(word);
		return -ENOMEM;
	}
	larger[count] = word;
	larger[count + 1] = NULL;
	*list = larger;
	return 0;
}

static void free_list(char **list)
{
	char **word;

	for (word = list; word != NULL && *word != NULL; word++)
		free(*word);
	free(list);
}

/* -o FILE: the ending picks the format, and must be known. */
static int add_output(struct settings *settings, char *path,
		      struct error *error)
{
	if (output_find(path, error) == NULL) {
		free(path);
		return -EINVAL;
	}
	return append(&settings->outputs, path, error);
}

static int parse_times(struct run_options *options, struct error *error)
{
	struct settings *settings = &options->settings;
	int rc = 0;

	settings->time_ns = DEFAULT_TIME_NS;
	if (options->loops != NULL &&
	    (options->time != NULL || options->warmup != NULL)) {
		error_set(error, "--loops does not go with --time or "
			  "--warmup: it counts all of so many loops");
		return -EINVAL;
	}
	if (options->time != NULL)
		rc = units_parse_duration(options->time, "--time", NS_PER_MS,
					  TIME_MAX_NS, &settings->time_ns,
					  error);
	settings->warmup_ns = settings->time_ns / 5;
	if (rc == 0 && options->warmup != NULL)
		rc = units_parse_duration(options->warmup, "--warmup", 0,
					  TIME_MAX_NS, &settings->warmup_ns,
					  error);
	if (rc == 0 && options->loops != NULL)
		rc = units_parse_count(options->loops, "--loops", 1,
				       UINT32_MAX, &settings->loops, error);
	return rc;
}

static int parse_words(struct run_options *options, struct error *error)
{
	struct settings *settings = &options->settings;
	unsigned word;

	if (options->data != NULL) {
		if (parse_word(options->data, "--data", data_words, &word,
			       error) < 0)
			return -EINVAL;
		settings->data = (enum data_kind)word;
		/* Without --data a load's WRITEPATTERN lines hold. */
		settings->transform.drop_patterns =
			settings->data != DATA_PATTERN;
	}
	if (options->write_through != NULL) {
		if (parse_word(options->write_through, "--write-through",
			       write_through_words, &word, error) < 0)
			return -EINVAL;
		settings->transform.write_through = (enum write_through)word;
	}
	return 0;
}

static int parse_timeout(struct run_options *options, struct error *error)
{
	uint64_t timeout_s = TARGET_TIMEOUT_S;
	int rc = 0;

	if (options->timeout != NULL)
		rc = units_parse_count(options->timeout, "--timeout", 1,
				       TIMEOUT_MAX_S, &timeout_s, error);
	options->settings.timeout_s = (unsigned)timeout_s;
	return rc;
}

static int parse_values(struct run_options *options, struct error *error)
{
	struct settings *settings = &options->settings;
	struct transform *transform = &settings->transform;
	int rc = settings_parse_users(
		options->users != NULL ? options->users : "1",
		&settings->user_counts, &settings->user_count_count, error);

	if (rc == 0)
		rc = parse_times(options, error);
	if (rc == 0)
		rc = parse_words(options, error);
	settings->seed = random_seed();
	if (rc == 0 && options->seed != NULL)
		rc = units_parse_count(options->seed, "--seed", 0, INT64_MAX,
				       &settings->seed, error);
	if (rc == 0 && options->max_errors != NULL)
		rc = units_parse_count(options->max_errors, "--max-errors", 0,
				       INT64_MAX,
				       &settings->mismatches_allowed, error);
	if (rc == 0 && options->cap_io != NULL)
		rc = units_parse_size(options->cap_io, "--cap-io",
				      LEAST_CAP_BYTES, PROGRAM_IO_BYTES_MAX,
				      &transform->io_bytes_max, error);
	if (rc == 0)
		rc = parse_timeout(options, error);
	settings->loadfile = options->loadfile;
	settings->repeats = 1;
	settings->strict = options->strict != 0;
	settings->from_start = options->from_start != 0;
	settings->keep = options->keep != 0;
	settings->use_existing = options->use_existing != 0;
	transform->drop_lookups = options->no_resolve != 0;
	transform->sync_opens = options->sync != 0;
	transform->sync_parents = options->sync_dirs != 0;
	transform->flush_writes = options->fsync != 0;
	return rc;
}

static int take_targets(struct run_options *options, poptContext context,
			struct error *error)
{
	const char *target;

	while ((target = poptGetArg(context)) != NULL)
		if (append(&options->settings.targets, strdup(target),
			   error) < 0)
			return -ENOMEM;
	if (options->settings.targets != NULL)
		return 0;
	error_set(error, "run: expected a TARGET, a PATH or a URL; see --help");
	return -EINVAL;
}

/* An option without an argument stands for "yes". */
static int take_switches(struct run_options *options, struct error *error)
{
	if (options->smb_guest != 0)
		options->url_values[SMB_GUEST] = strdup("yes");
	if (options->smb_kerberos != 0)
		options->url_values[SMB_KERBEROS] = strdup("yes");
	if ((options->smb_guest == 0 ||
	     options->url_values[SMB_GUEST] != NULL) &&
	    (options->smb_kerberos == 0 ||
	     options->url_values[SMB_KERBEROS] != NULL))
		return 0;
	error_set(error, "out of memory");
	return -ENOMEM;
}

static int read_all(struct run_options *options, poptContext context)
{
	struct error error = {0};
	int value;

	while ((value = cli_next_option(context)) == OPTION_OUTPUT ||
	       value == OPTION_AUTH_FILE) {
		char *word = poptGetOptArg(context);
		int rc = value == OPTION_OUTPUT
				 ? add_output(&options->settings, word, &error)
				 : append(&options->settings.auth_files, word,
					  &error);

		if (rc < 0)
			return cli_refuse(&error);
	}
	if (value != 0)
		return value == CLI_HELP ? CLI_HELP : -value;
	if (take_targets(options, context, &error) < 0 ||
	    take_switches(options, &error) < 0 ||
	    parse_values(options, &error) < 0)
		return cli_refuse(&error);
	return EXIT_VALID;
}

int run_options_read(struct run_options *options, int argc, const char **argv)
{
	struct run_options *o = options;
	struct poptOption table[] = {
		{"loadfile", 'c', POPT_ARG_STRING, &o->loadfile, 0,
		 "What to replay; without it the built-in load", "FILE"},
		{"users", 'u', POPT_ARG_STRING, &o->users, 0,
		 "User counts: 8 or 1,2,4 or 1-64x2 or 4-60+4 (1)", "LIST"},
		{"time", 't', POPT_ARG_STRING, &o->time, 0,
		 "Measured time of each point (10)", "SEC"},
		{"warmup", '\0', POPT_ARG_STRING, &o->warmup, 0,
		 "Time before it, not counted (a fifth of --time)", "SEC"},
		{"loops", '\0', POPT_ARG_STRING, &o->loops, 0,
		 "Play so many whole loops and count all of them", "N"},
		{"from-start", '\0', POPT_ARG_NONE, &o->from_start, 0,
		 "Count from the load's first operation, not from the end "
		 "of its prologue", NULL},
		{"seed", '\0', POPT_ARG_STRING, &o->seed, 0,
		 "For everything random (random)", "N"},
		{"output", 'o', POPT_ARG_STRING, NULL, OPTION_OUTPUT,
		 "Write the result to FILE, whose ending picks the format; "
		 "may be repeated", "FILE"},
		{"operations", '\0', POPT_ARG_NONE, &o->show_operations, 0,
		 "Show a table of operations after each point", NULL},
		{"max-errors", '\0', POPT_ARG_STRING, &o->max_errors, 0,
		 "How many mismatches to go on through (0)", "N"},
		{"keep", '\0', POPT_ARG_NONE, &o->keep, 0,
		 "Leave the users' files behind", NULL},
		{"use-existing", '\0', POPT_ARG_NONE, &o->use_existing, 0,
		 "The load may change what exists outside clients/", NULL},
		{"data", '\0', POPT_ARG_STRING, &o->data, 0,
		 "What is written: random, zero or pattern (random)", "KIND"},
		{"no-resolve", '\0', POPT_ARG_NONE, &o->no_resolve, 0,
		 "Do not play a file server's name look-ups", NULL},
		{"sync", 's', POPT_ARG_NONE, &o->sync, 0,
		 "Open all files with O_SYNC", NULL},
		{"sync-dirs", 'S', POPT_ARG_NONE, &o->sync_dirs, 0,
		 "Flush the directory after mkdir, rmdir, unlink and rename",
		 NULL},
		{"fsync", 'F', POPT_ARG_NONE, &o->fsync, 0,
		 "Flush the file after each write", NULL},
		{"write-through", '\0', POPT_ARG_STRING, &o->write_through, 0,
		 "Recorded write-through: honor, ignore or always (honor)",
		 "HOW"},
		{"cap-io", '\0', POPT_ARG_STRING, &o->cap_io, 0,
		 "Split larger reads and writes into parts of SIZE", "SIZE"},
		{"strict", '\0', POPT_ARG_NONE, &o->strict, 0,
		 "Refuse a load that a target cannot play whole", NULL},
		{"timeout", '\0', POPT_ARG_STRING, &o->timeout, 0,
		 "How long an operation over a network may hang (20)", "SEC"},
		{"auth-file", '\0', POPT_ARG_STRING, NULL, OPTION_AUTH_FILE,
		 "User, password and domain, as smbclient has them; may be "
		 "repeated, to spread the users", "FILE"},
		{"smb-dialect", '\0', POPT_ARG_STRING,
		 &o->url_values[SMB_DIALECT], 0,
		 "SMB2_02 to SMB3_11, or NT1 (the highest from SMB2 on)",
		 "NAME"},
		{"smb-encrypt", '\0', POPT_ARG_STRING,
		 &o->url_values[SMB_ENCRYPT], 0,
		 "Encryption: off, request or require (off)", "HOW"},
		{"smb-sign", '\0', POPT_ARG_STRING, &o->url_values[SMB_SIGN],
		 0, "Signing: off, request or require (what the server "
		 "demands)", "HOW"},
		{"smb-kerberos", '\0', POPT_ARG_NONE, &o->smb_kerberos, 0,
		 "Log in with a Kerberos ticket", NULL},
		{"smb-guest", '\0', POPT_ARG_NONE, &o->smb_guest, 0,
		 "Log in as a guest, without a password", NULL},
		{"smb-conf", '\0', POPT_ARG_STRING, &o->url_values[SMB_CONF],
		 0, "An smb.conf for the client, instead of throng's own",
		 "FILE"},
		{"tcp-options", '\0', POPT_ARG_STRING,
		 &o->url_values[TCP_OPTIONS], 0,
		 "Options of tcp: sockets (TCP_NODELAY)", "LIST"},
		CLI_HELP_ROW,
		POPT_TABLEEND,
	};
	poptContext context;
	int rc;

	*options = (struct run_options){0};
	context = poptGetContext("throng", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS] TARGET...");
	rc = read_all(options, context);
	poptFreeContext(context);
	return rc;
}

void run_options_free(struct run_options *options)
{
	unsigned i;

	free_list(options->settings.outputs);
	free_list(options->settings.targets);
	free_list(options->settings.auth_files);
	for (i = 0; i < RUN_URL_OPTIONS; i++)
		free(options->url_values[i]);
	free(options->settings.user_counts);
	free(options->loadfile);
	free(options->users);
	free(options->time);
	free(options->warmup);
	free(options->loops);
	free(options->seed);
	free(options->max_errors);
	free(options->data);
	free(options->write_through);
	free(options->cap_io);
	free(options->timeout);
}

void run_options_record(const struct run_options *options,
			struct result_run *run)
{
	const struct transform *transform = &options->settings.transform;
	unsigned i;

	if (options->data != NULL)
		result_add_option(run, "data", "%s", options->data);
	if (transform->drop_lookups)
		result_add_option(run, "resolve", "no");
	if (transform->sync_opens)
		result_add_option(run, "sync", "yes");
	if (transform->sync_parents)
		result_add_option(run, "sync_dirs", "yes");
	if (transform->flush_writes)
		result_add_option(run, "fsync", "yes");
	if (options->write_through != NULL)
		result_add_option(run, "write_through", "%s",
				  options->write_through);
	if (transform->io_bytes_max > 0)
		result_add_option(run, "cap_io", "%llu",
				  (unsigned long long)transform->io_bytes_max);
	if (options->settings.mismatches_allowed > 0)
		result_add_option(run, "max_errors", "%s",
				  options->max_errors);
	if (options->strict != 0)
		result_add_option(run, "strict", "yes");
	if (options->timeout != NULL)
		result_add_option(run, "timeout", "%s", options->timeout);
	for (i = 0; i < RUN_URL_OPTIONS; i++)
		if (options->url_values[i] != NULL)
			result_add_option(run, run_url_options[i].name, "%s",
					  options->url_values[i]);
}
