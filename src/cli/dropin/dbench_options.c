/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/dropin/dbench_options.h"

#include "base/random.h"
#include "base/units.h"
#include "cli/cli.h"
#include "program/program.h"
#include "target/account.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_TIME_S = 600,
	TIME_MAX_S = 30 * 24 * 3600,
	RATE_MAX_MB = 1000000,
};

/* The words of -B, in the order of enum dbench_backend. */
static const char *const backend_words[] = {"fileio", "sockio", "nfs", "smb", NULL};

static int invalid(struct error *error, const char *what, const char *text, const char *expected)
{
	error_set(error, "%s: the value of %s is \"%s\"; expected %s", strerror(EINVAL), what, text,
		  expected);
	return -EINVAL;
}

static int parse_number(const char *text, const char *what, uint64_t min, uint64_t max,
			uint64_t *number, struct error *error)
{
	struct error reason = {0};

	if (text == NULL || units_parse_count(text, what, min, max, number, &reason) == 0)
		return 0;
	error_set(error, "%s: %s", strerror(EINVAL), reason.text);
	return -EINVAL;
}

static int parse_times(struct dbench_options *options, struct error *error)
{
	struct settings *settings = &options->settings;
	uint64_t time_s = DEFAULT_TIME_S, warmup_s;
	int rc = parse_number(options->time, "--timelimit", 1, TIME_MAX_S, &time_s, error);

	/* Divide integers, as dbench does: a time of 4 s has no warm-up. */
	warmup_s = time_s / 5;
	if (rc == 0)
		rc = parse_number(options->warmup, "--warmup", 0, TIME_MAX_S, &warmup_s, error);
	settings->phases.time_ns = time_s * NS_PER_S;
	settings->phases.warmup_ns = warmup_s * NS_PER_S;
	settings->phases.loops = options->run_once != 0;
	return rc;
}

/* Parse --target-rate: MB/s, with decimals; 0: no limit. */
static int parse_rate(struct dbench_options *options, struct error *error)
{
	double rate;
	char *end;

	if (options->rate == NULL)
		return 0;
	rate = strtod(options->rate, &end);
	if (end == options->rate || *end != '\0' || !isfinite(rate) || rate < 0 ||
	    rate > RATE_MAX_MB)
		return invalid(error, "--target-rate", options->rate, "MB/s, such as 0.5 or 10");
	options->settings.bytes_per_s = (uint64_t)(rate * 1e6);
	return 0;
}

static int parse_backend(struct dbench_options *options, struct error *error)
{
	unsigned i;

	if (options->backend_word == NULL)
		return 0;
	for (i = 0; backend_words[i] != NULL; i++)
		if (strcmp(backend_words[i], options->backend_word) == 0)
			break;
	if (backend_words[i] == NULL)
		return invalid(error, "--backend", options->backend_word,
			       "fileio, sockio, nfs or smb");
	options->backend = (enum dbench_backend)i;
	return 0;
}

static int parse_transform(struct dbench_options *options, struct error *error)
{
	struct transform *transform = &options->settings.transform;

	*transform = (struct transform){
		.drop_lookups = options->no_resolve != 0,
		.sync_opens = options->sync != 0,
		.sync_parents = options->sync_dir != 0,
		.flush_writes = options->fsync != 0,
		.forgive = true,
		.pretend_io = options->fake_io != 0,
		.stat_first = options->stat_check != 0,
		.read_first = options->one_byte_write_fix != 0,
		.write_through = WRITE_THROUGH_IGNORE,
	};
	return parse_number(options->trunc_io, "--trunc-io", 1, PROGRAM_IO_BYTES_MAX,
			    &transform->io_bytes_cut, error);
}

/* Drop options about files: they don't change the packets that tbench sends. */
static void drop_file_options(struct transform *transform)
{
	*transform = (struct transform){
		.forgive = true,
		.write_through = WRITE_THROUGH_IGNORE,
	};
}

/* Parse the arguments NPROCS [SERVER]. */
static int parse_positionals(struct dbench_options *options, poptContext context,
			     struct error *error)
{
	const char *procs_text = poptGetArg(context), *server;
	uint64_t procs = 0, each = 1;
	int rc;

	if (procs_text == NULL) {
		error_set(error, "%s: expected NPROCS, the number of clients; see --help",
			  strerror(EINVAL));
		return -EINVAL;
	}
	rc = parse_number(procs_text, "NPROCS", 1, PROGRAM_USERS_MAX, &procs, error);
	if (rc == 0)
		rc = parse_number(options->clients_per_process, "--clients-per-process", 1,
				  PROGRAM_USERS_MAX / (procs > 0 ? procs : 1), &each, error);
	options->writer.procs = (unsigned)procs;
	options->writer.clients = options->user_count = (unsigned)(procs * each);
	server = poptGetArg(context);
	if (rc == 0 && server != NULL && poptPeekArg(context) != NULL)
		rc = invalid(error, "unexpected argument", poptPeekArg(context), "NPROCS [SERVER]");
	if (rc == 0 && server != NULL) {
		options->server_word = strdup(server);
		options->server = options->server_word;
	}
	return rc;
}

static void collect_settings(struct dbench_options *options)
{
	struct settings *settings = &options->settings;
	struct dbench_writer *writer = &options->writer;

	if (options->backend == DBENCH_SOCKIO)
		drop_file_options(&settings->transform);
	settings->user_counts = &options->user_count;
	settings->user_count_count = 1;
	settings->repeats = 1;
	settings->phases.from_start = true;
	settings->seed = random_seed();
	settings->keep = options->skip_cleanup != 0;
	settings->workdir = ".";
	settings->like_dbench = true;
	settings->use_existing = true;
	settings->service_times = true;
	settings->postpone = true;
	settings->quiet = true;
	settings->log_loops = options->show_execute_time != 0;
	settings->each_user = settings->user_operations = options->per_client_results != 0;
	settings->data = DATA_ZERO;
	writer->stream = stdout;
	writer->sync_open = options->sync != 0;
	writer->sync_dirs = options->sync_dir != 0;
	writer->machine_readable = options->machine_readable != 0;
	/* Only dbench 5 has these options, so a script that uses one expects
	 * the operation names of dbench 5. */
	writer->own_words = options->show_execute_time != 0 || options->run_once != 0 ||
			    options->warmup != NULL;
	writer->show_loops = options->show_execute_time != 0;
	writer->show_users = options->per_client_results != 0;
}

static const char dbench_examples[] = "  dbench -t 60 -D /srv/test 8\n"
				      "  dbench -s -c client.txt -D /srv/test 1\n";
static const char tbench_examples[] = "  tbench -t 60 8\n"
				      "  tbench -t 60 -c client.txt 8 localhost\n";

static int read_all(struct dbench_options *options, poptContext context)
{
	struct error error = {0};
	bool tbench = options->backend == DBENCH_SOCKIO;
	int value = cli_next_dbench_option(context, tbench ? tbench_examples : dbench_examples);

	if (value != 0)
		return value == CLI_HELP ? CLI_HELP : EXIT_INVALID;
	if (parse_times(options, &error) < 0 || parse_rate(options, &error) < 0 ||
	    parse_backend(options, &error) < 0 || parse_transform(options, &error) < 0 ||
	    parse_positionals(options, context, &error) < 0) {
		cli_refuse(&error);
		return EXIT_INVALID;
	}
	collect_settings(options);
	return EXIT_VALID;
}

#define ARGUMENT(member) .kind = POPT_ARG_STRING, .at = offsetof(struct dbench_options, member)
#define FLAG(member) .kind = POPT_ARG_NONE, .at = offsetof(struct dbench_options, member)

static const struct row {
	const char *name;
	char letter; /* 0: none */
	const char *help;
	const char *argument;    /* its name in help; NULL: none */
	const char *tbench_help; /* NULL: the same as `help` */
	unsigned kind;
	/* The place of the field, a char * or an int; 0: none, as the option
	 * has no effect. */
	size_t at;
} rows[] = {
	{"timelimit", 't', "Measured time (600)", "SEC", ARGUMENT(time)},
	{"loadfile", 'c', "Loadfile to replay (dbench's client.txt)", "FILE", ARGUMENT(loadfile)},
	{"directory", 'D', "Directory to replay in (.)", "DIR", ARGUMENT(directory)},
	{"tcp-options", 'T', "Socket options of tbench (TCP_NODELAY)", "LIST",
	 ARGUMENT(tcp_options)},
	{"target-rate", 'R', "Max throughput of a client, in MB/s", "RATE", ARGUMENT(rate)},
	{"sync", 's', "Open all files with O_SYNC", NULL, FLAG(sync)},
	{"sync-dir", 'S', "Flush a directory after each change to it", NULL, FLAG(sync_dir)},
	{"fsync", 'F', "Flush a file after each write", NULL, FLAG(fsync)},
	{"xattr", 'x', "Store DOS attributes as Samba does", NULL, FLAG(xattr)},
	{"backend", 'B', "fileio, sockio, nfs or smb (fileio)", "NAME",
	 .tbench_help = "fileio, sockio, nfs or smb (sockio)", ARGUMENT(backend_word)},
	{"server", 0, "Server of NFS or of tbench", "HOST", ARGUMENT(server_option)},
	{"export", 0, "Export of the NFS server", "PATH", ARGUMENT(export_path)},
	{"protocol", 0, "Transport of NFS: tcp", "NAME", ARGUMENT(protocol)},
	{"nfs", 0, "NFS server and export", "URL", ARGUMENT(nfs_url)},
	{"enable-nlm", 0, "No effect: NFS locks are always played", NULL, .kind = POPT_ARG_NONE},
	{"smb-share", 0, "SMB server and share", "//SERVER/SHARE", ARGUMENT(smb_share)},
	{"smb-user", 0, "SMB account; also DOMAIN/USER%PASS", "USER%PASS", ARGUMENT(smb_user)},
	{"warmup", 0, "Time before that, not counted (a fifth)", "SEC", ARGUMENT(warmup)},
	{"run-once", 0, "Play the load once instead of for a time", NULL, FLAG(run_once)},
	{"skip-cleanup", 0, "Don't remove the clients' files", NULL, FLAG(skip_cleanup)},
	{"clients-per-process", 0, "Multiply the number of clients by N (1)", "N",
	 ARGUMENT(clients_per_process)},
	{"per-client-results", 0, "Print figures of each client", NULL, FLAG(per_client_results)},
	{"machine-readable", 0, "Print lines for scripts", NULL, FLAG(machine_readable)},
	{"show-execute-time", 0, "Print how long each loop took", NULL, FLAG(show_execute_time)},
	{"no-resolve", 0, "Skip a file server's name look-ups", NULL, FLAG(no_resolve)},
	{"one-byte-write-fix", 0, "Skip one-byte writes that change nothing", NULL,
	 FLAG(one_byte_write_fix)},
	{"stat-check", 0, "Skip calls that stat shows to be pointless", NULL, FLAG(stat_check)},
	{"fake-io", 0, "Count reads and writes without doing them", NULL, FLAG(fake_io)},
	{"trunc-io", 0, "Cut reads and writes to BYTES", "BYTES", ARGUMENT(trunc_io)},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

int dbench_options_read(struct dbench_options *options, enum dbench_backend backend, int argc,
			const char **argv)
{
	static const struct poptOption help_rows[] = {CLI_DBENCH_HELP_ROWS, POPT_TABLEEND};
	struct poptOption table[ROWS + sizeof(help_rows) / sizeof(help_rows[0])];
	bool tbench = backend == DBENCH_SOCKIO;
	poptContext context;
	size_t i;
	int rc;

	*options = (struct dbench_options){.backend = backend};
	for (i = 0; i < ROWS; i++)
		table[i] = (struct poptOption){
			.longName = rows[i].name,
			.shortName = rows[i].letter,
			.argInfo = rows[i].kind,
			.arg = rows[i].at > 0 ? (char *)options + rows[i].at : NULL,
			.descrip = tbench && rows[i].tbench_help != NULL ? rows[i].tbench_help
									 : rows[i].help,
			.argDescrip = rows[i].argument,
		};
	memcpy(table + ROWS, help_rows, sizeof(help_rows));
	context = poptGetContext(argv[0], argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS] NPROCS [SERVER]");
	rc = read_all(options, context);
	poptFreeContext(context);
	return rc;
}

static int parse_and_free(char *url, struct target *target, struct error *error)
{
	int rc;

	if (url == NULL)
		return error_no_memory(error);
	rc = target_parse(url, target, error);
	free(url);
	return rc;
}

/* Make a URL, with brackets around an IPv6 address. Return an allocated text,
 * or NULL. */
static char *locate(const char *scheme, const char *host, const char *path)
{
	bool bare = strchr(host, ':') != strrchr(host, ':') && host[0] != '[';
	char *url;

	if (asprintf(&url, "%s://%s%s%s%s", scheme, bare ? "[" : "", host, bare ? "]" : "", path) <
	    0)
		return NULL;
	return url;
}

static int open_directory(const struct dbench_options *options, struct target *target,
			  struct error *error)
{
	const char *directory = options->directory != NULL ? options->directory : ".";
	char *path;
	int rc;

	/* Begin a relative path with "./", so that it never looks like a
	 * URL. */
	if (asprintf(&path, "%s%s", directory[0] == '/' ? "" : "./", directory) < 0)
		path = NULL;
	rc = parse_and_free(path, target, error);
	if (rc == 0 && options->xattr != 0)
		rc = target_set_option(target, "dos-attributes", "yes", "--xattr", error);
	return rc;
}

static int open_socket(const struct dbench_options *options, struct target *target,
		       struct error *error)
{
	const char *host = options->server;
	int rc;

	if (host == NULL)
		host = options->server_option;
	rc = parse_and_free(locate("tcp", host != NULL ? host : "localhost", ""), target, error);
	if (rc == 0 && options->tcp_options != NULL)
		rc = target_set_option(target, "options", options->tcp_options, "--tcp-options",
				       error);
	return rc;
}

/* The only NFS transport that libnfs has: refuse others. */
static const char only_protocol[] = "tcp";

static int open_nfs(const struct dbench_options *options, struct target *target,
		    struct error *error)
{
	const char *path = options->export_path, *host;

	if (options->nfs_url != NULL)
		return target_parse(options->nfs_url, target, error);
	if (options->protocol != NULL && strcmp(options->protocol, only_protocol) != 0) {
		error_set(error, "%s: --protocol: \"%s\" must be %s", strerror(EPROTONOSUPPORT),
			  options->protocol, only_protocol);
		return -EPROTONOSUPPORT;
	}
	host = options->server_option != NULL ? options->server_option : options->server;
	if (host == NULL || path == NULL || path[0] != '/') {
		error_set(error,
			  "%s: no NFS export given; expected --nfs=URL, or --server=HOST and "
			  "--export=/PATH",
			  strerror(EINVAL));
		return -EINVAL;
	}
	return parse_and_free(locate("nfs", host, path), target, error);
}

/* Set the target's account from `text`, "[DOMAIN/]USER[%PASSWORD]". Split the
 * text in place. */
static int give_account(char *text, struct target *target, struct error *error)
{
	char *percent = strchr(text, '%'), *slash;
	struct account account = {.domain = (char *)""};

	if (percent != NULL)
		*percent++ = '\0';
	slash = strchr(text, '/');
	if (slash != NULL) {
		*slash = '\0';
		account.domain = text;
		text = slash + 1;
	}
	account.user = text;
	account.password = percent;
	free(target->user);
	free(target->domain);
	target->user = strdup(account.user);
	target->domain = strdup(account.domain);
	if (target->user == NULL || target->domain == NULL)
		return error_no_memory(error);
	return percent != NULL ? account_give(target, &account, error)
			       : accounts_find(target, NULL, error);
}

static int open_smb(const struct dbench_options *options, struct target *target,
		    struct error *error)
{
	char *url, *user;
	int rc;

	if (options->smb_share == NULL || strncmp(options->smb_share, "//", 2) != 0) {
		error_set(error, "%s: no SMB share given; expected --smb-share=//SERVER/SHARE",
			  strerror(EINVAL));
		return -EINVAL;
	}
	if (asprintf(&url, "smb:%s", options->smb_share) < 0)
		url = NULL;
	rc = parse_and_free(url, target, error);
	if (rc < 0 || options->smb_user == NULL)
		return rc < 0 ? rc : accounts_find(target, NULL, error);
	user = strdup(options->smb_user);
	if (user == NULL)
		return error_no_memory(error);
	rc = give_account(user, target, error);
	explicit_bzero(user, strlen(options->smb_user));
	free(user);
	return rc;
}

int dbench_options_target(const struct dbench_options *options, struct target *target,
			  struct error *error)
{
	static int (*const openers[])(const struct dbench_options *options, struct target *target,
				      struct error *error) = {
		[DBENCH_FILEIO] = open_directory,
		[DBENCH_SOCKIO] = open_socket,
		[DBENCH_NFS] = open_nfs,
		[DBENCH_SMB] = open_smb,
	};
	int rc = openers[options->backend](options, target, error);

	if (rc == 0)
		target->timeout_s = TARGET_TIMEOUT_S;
	return rc;
}

void dbench_options_free(struct dbench_options *options)
{
	size_t i;

	if (options->smb_user != NULL)
		explicit_bzero(options->smb_user, strlen(options->smb_user));
	for (i = 0; i < ROWS; i++)
		if (rows[i].kind == POPT_ARG_STRING)
			free(*(char **)((char *)options + rows[i].at));
	free(options->server_word);
}
