/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng import: make loads of a trace by strace, a capture of SMB or NFS, or an
 * iolog of fio.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/units.h"
#include "cli/options.h"
#include "cli/recorded_load.h"
#include "doc/escape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum capture_format. */
static const char *const from_words[] = {"strace", "smb", "nfs", "fio", NULL};

/* The state of one `throng import`. */
struct import {
	struct options given;
	const char *output, *directory, *client, *keys, *keytab;
	unsigned from, port;
	bool times, pauses, no_mmap, strict;
	const char *input; /* the name of the first file */
	struct source source;
	struct recorded_load *loads; /* by client; their paths are allocated */
};

#define AT(member) OPTION_AT(struct import, member)

const struct option_row import_rows[] = {
	{"output", 'o', OPTION_TEXT, "PREFIX",
	 "Write PREFIX.load, or PREFIX.0.load ... of more clients", AT(output),
	 .flags = OPTION_COMMON},
	{"from", 0, OPTION_WORD, "FORMAT", "Format of FILE", AT(from), .words = from_words,
	 .flags = OPTION_COMMON},
	{"directory", 'd', OPTION_TEXT, "DIR", "Import the calls on files below DIR", AT(directory),
	 .flags = OPTION_COMMON},
	{"client", 0, OPTION_TEXT, "ADDR", "Import clients with ADDR in their names only",
	 AT(client), .flags = OPTION_COMMON},
	{"keys", 0, OPTION_TEXT, "FILE", "Decrypt SMB with the session keys in FILE, or smbd's log",
	 AT(keys), .flags = OPTION_COMMON},
	{"keytab", 0, OPTION_TEXT, "FILE", "Decrypt Kerberos with the keys in FILE", AT(keytab),
	 .flags = OPTION_COMMON},
	{"port", 0, OPTION_COUNT, "N", "TCP port of SMB in FILE, besides 445", AT(port), .min = 1,
	 .max = UINT16_MAX, .flags = OPTION_COMMON},
	{"times", 0, OPTION_FLAG, NULL, "Keep the times of operations, for --speed", AT(times),
	 .flags = OPTION_COMMON},
	{"pauses", 0, OPTION_FLAG, NULL, "Keep the pauses of each process, as SLEEP lines",
	 AT(pauses), .flags = OPTION_COMMON},
	{"no-mmap", 0, OPTION_FLAG, NULL, "Drop mappings of files instead of reading their range",
	 AT(no_mmap), .flags = OPTION_COMMON},
	{"strict", 0, OPTION_FLAG, NULL, "Exit with status 1 if a call was dropped", AT(strict),
	 .flags = OPTION_COMMON},
	{.name = NULL},
};

static bool has_operations(const struct source_client *client)
{
	const struct conversion *conversion = recording_conversion(client->recording);

	return conversion->counts[CONVERSION_CONVERTED] +
		       conversion->counts[CONVERSION_APPROXIMATED] >
	       0;
}

/* Choose the name of a load: PREFIX.load, or PREFIX.NUMBER.load. */
static char *load_path(const struct import *import, size_t number, bool several)
{
	const char *prefix = import->output, *slash, *dot;
	char *path = NULL, digits[32] = "";
	size_t length;

	if (prefix != NULL) {
		length = strlen(prefix);
		dot = strrchr(prefix, '.');
		if (dot != NULL && dot > prefix && dot[-1] != '/' && strcmp(dot, ".load") == 0)
			length -= strlen(dot);
	} else {
		slash = strrchr(import->input, '/');
		prefix = strcmp(import->input, "-") == 0 ? "import"
			 : slash != NULL                 ? slash + 1
							 : import->input;
		dot = strrchr(prefix, '.');
		length = dot != NULL && dot > prefix ? (size_t)(dot - prefix) : strlen(prefix);
	}
	if (several)
		snprintf(digits, sizeof(digits), ".%zu", number);
	if (asprintf(&path, "%.*s%s.load", (int)length, prefix, digits) < 0)
		return NULL;
	return path;
}

/* Write the loads of all clients. A client without operations has none. Fail if
 * there is a load that cannot be written, and none that can. */
static int write_loads(struct import *import, struct error *error)
{
	const struct source *source = &import->source;
	size_t busy = 0, number = 0, written = 0, i;
	const struct error *first = NULL;

	import->loads = calloc(source->client_count + 1, sizeof(*import->loads));
	if (import->loads == NULL)
		return error_no_memory(error);
	for (i = 0; i < source->client_count; i++)
		busy += has_operations(&source->clients[i]);
	for (i = 0; i < source->client_count; i++) {
		struct recorded_load *load = &import->loads[i];

		load->source = source;
		load->recording = source->clients[i].recording;
		load->inputs = import->given.words;
		load->summary = source->title;
		load->path = load_path(import, number, busy > 1);
		if (load->path == NULL)
			return error_no_memory(error);
		if (recorded_load_write(load) < 0 && first == NULL)
			first = &load->error;
		number += load->totals.operations > 0;
		written += load->totals.operations > 0 && !load->error.set;
	}
	if (first == NULL || written > 0)
		return 0;
	*error = *first;
	return -EINVAL;
}

/* Does a client have no load, and only merged calls on files? Captures have many
 * such sessions: of failed logins, or of connections that share the load. */
static bool is_idle(const struct recorded_load *load)
{
	const uint64_t *counts = recording_conversion(load->recording)->counts;

	return load->totals.operations == 0 && !load->error.set &&
	       counts[CONVERSION_CONVERTED] == 0 && counts[CONVERSION_APPROXIMATED] == 0 &&
	       counts[CONVERSION_DROPPED] == 0;
}

/* Print the clients, those that are idle in one line. */
static void print_clients(const struct import *import)
{
	const struct source *source = &import->source;
	char clients[UNITS_TEXT], calls[UNITS_TEXT];
	uint64_t idle = 0, merged = 0;
	size_t i;

	for (i = 0; i < source->client_count; i++) {
		const struct recorded_load *load = &import->loads[i];

		if (source->client_count > 1 && is_idle(load)) {
			idle++;
			merged += recording_conversion(load->recording)->counts[CONVERSION_MERGED];
			continue;
		}
		if (source->clients[i].name[0] != '\0') {
			fputs("client       ", stdout);
			escape_text(source->clients[i].name, stdout);
			putchar('\n');
		}
		recorded_load_print(load, stdout);
	}
	if (idle > 0)
		printf("others       %s %s without operations: %s %s, merged\n",
		       units_print_count(idle, clients), units_plural(idle, "client", "clients"),
		       units_print_count(merged, calls),
		       merged == 1 ? source->call : source->calls);
}

/* Print the report. Return the exit code. */
static int print(const struct import *import)
{
	const struct source *source = &import->source;
	const char *reason = NULL, *dropped;
	struct error error = {0};
	uint64_t line = 0, at = 0, operations = 0;
	bool failed = false;
	size_t i;

	recorded_load_print_source(source, source->name, source->directory, stdout);
	print_clients(import);
	for (i = 0; i < source->client_count; i++) {
		operations += import->loads[i].totals.operations;
		dropped = conversion_first_dropped(
			recording_conversion(source->clients[i].recording), &at);
		if (dropped != NULL && (reason == NULL || at < line)) {
			reason = dropped;
			line = at;
		}
	}
	for (i = 0; i < source->warning_count; i++)
		message_warning("%s", source->warnings[i]);
	for (i = 0; i < source->client_count; i++) {
		if (!import->loads[i].error.set)
			continue;
		message_error(&import->loads[i].error);
		failed = true;
	}
	if (operations == 0)
		error_set_at(&error, source->name, 0, 0,
			     "the input has no operations on files, so no load was written");
	else if (import->strict && reason != NULL)
		error_set_at(&error, source->name, (unsigned)line, 0,
			     "--strict: a call was dropped from the load: %s", reason);
	if (error.set)
		message_error(&error);
	else if (!failed)
		return EXIT_VALID;
	return operations == 0 ? EXIT_REFUSED : EXIT_INVALID;
}

static int import_files(struct import *import, struct error *error)
{
	const struct capture_inputs inputs = {
		.names = import->given.words,
		.count = import->given.word_count,
		.format = (enum capture_format)import->from,
		.directory = import->directory,
		.client = import->client,
		.keys = import->keys,
		.keytab = import->keytab,
		.port = (uint16_t)import->port,
		.times = import->times,
		.pauses = import->pauses,
		.no_mmap = import->no_mmap,
	};

	import->input = inputs.names[0];
	return capture_import(&import->source, &inputs, error);
}

/* Run the subcommand; return the exit code. */
static int run(struct import *import)
{
	struct error error = {0};

	if (options_parse(&import->given, &error) == 0 && import->given.word_count == 0)
		error_set(&error, "import: expected a FILE, or - for standard input; see --help");
	recorded_load_check_times(import->times, import->pauses, &error);
	if (error.set || import_files(import, &error) < 0 || write_loads(import, &error) < 0)
		return cli_refuse(&error);
	return print(import);
}

int cli_import(int argc, const char **argv)
{
	struct import import = {.from = CAPTURE_UNKNOWN};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = import_rows, .values = &import},
		{.rows = NULL},
	};
	size_t i;
	int rc;

	argv[0] = "throng import"; /* for --help */
	rc = options_read(&import.given, groups, "[OPTIONS] FILE...|-",
			  "  throng import -d /srv/data git.strace\n"
			  "  throng import --keys log.smbd office.pcap\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = run(&import);
	for (i = 0; import.loads != NULL && i < import.source.client_count; i++)
		free((char *)import.loads[i].path);
	free(import.loads);
	source_free(&import.source);
	options_free(&import.given);
	return rc;
}
