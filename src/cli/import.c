/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng import: make loads of a trace by strace, a capture of SMB or NFS, or an
 * iolog of fio.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/units.h"
#include "capture/decode/feed.h"
#include "capture/decode/columns.h"
#include "capture/decode/tshark.h"
#include "capture/fio.h"
#include "capture/nfs/nfs.h"
#include "capture/smb/smb2.h"
#include "capture/strace/line.h"
#include "capture/strace/strace.h"
#include "cli/options.h"
#include "cli/recorded_load.h"
#include "report/escape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The formats, in the order of the words of --from. */
enum { FROM_STRACE, FROM_SMB, FROM_NFS, FROM_FIO, FROM_UNKNOWN };
static const char *const from_words[] = {"strace", "smb", "nfs", "fio", NULL};

static const struct tshark_protocol smb_protocol = {
	.fields = smb2_fields,
	.field_count = &smb2_field_count,
	.filter = smb2_filter,
	.read = smb2_read_capture,
};

static const struct tshark_protocol nfs_protocol = {
	.fields = nfs_fields,
	.field_count = &nfs_field_count,
	.filter = nfs_filter,
	.preferences = nfs_preferences,
	.read = nfs_read,
};

static const struct format {
	const char *title;                      /* in the comment of the load */
	source_reader *read;                    /* of text */
	const struct tshark_protocol *protocol; /* NULL: not of captures */
} formats[] = {
	[FROM_STRACE] = {"A trace by strace", strace_read, NULL},
	[FROM_SMB] = {"A capture of SMB", smb2_read_capture, &smb_protocol},
	[FROM_NFS] = {"A capture of NFS", nfs_read, &nfs_protocol},
	[FROM_FIO] = {"An iolog of fio", fio_read, NULL},
};

/* The state of one `throng import`. */
struct import {
	struct options given;
	const char *output, *directory, *client, *keys, *keytab;
	unsigned from, port;
	bool times, no_mmap, strict;
	const char *input; /* the name of the first file */
	const char *title; /* of all files, for messages */
	FILE *file;
	char *root;    /* the directory, without slashes at its end */
	bool captured; /* the file is a capture, and not text */
	struct source source;
	struct recorded_load *loads; /* by client; their paths are allocated */
};

#define AT(member) OPTION_AT(struct import, member)

static const struct option_row rows[] = {
	{"output", 'o', OPTION_TEXT, "PREFIX",
	 "Write PREFIX.load, or PREFIX.0.load ... of several clients; PREFIX may end in .load",
	 AT(output)},
	{"from", 0, OPTION_WORD, "FORMAT", "Format of FILE", AT(from), .words = from_words},
	{"directory", 'd', OPTION_TEXT, "DIR", "Import the calls on files below DIR",
	 AT(directory)},
	{"client", 0, OPTION_TEXT, "ADDR", "Import clients with ADDR in their names only",
	 AT(client)},
	{"keys", 0, OPTION_TEXT, "FILE", "Decrypt SMB with the session keys in FILE, or smbd's log",
	 AT(keys)},
	{"keytab", 0, OPTION_TEXT, "FILE", "Decrypt Kerberos with the keys in FILE", AT(keytab)},
	{"port", 0, OPTION_COUNT, "N", "TCP port of SMB in FILE, besides 445", AT(port), .min = 1,
	 .max = UINT16_MAX},
	{"times", 0, OPTION_FLAG, NULL, "Keep the times of operations, for --speed", AT(times)},
	{"no-mmap", 0, OPTION_FLAG, NULL, "Drop mappings of files instead of reading their range",
	 AT(no_mmap)},
	{"strict", 0, OPTION_FLAG, NULL, "Exit with status 1 if a call was dropped", AT(strict)},
	{.name = NULL},
};

/* Copy a pipe to a file that disappears when we end: tshark reads it twice. */
static FILE *copy(FILE *pipe)
{
	FILE *file = tmpfile();
	char bytes[BUFSIZ];
	size_t count;

	while (file != NULL && (count = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
		fwrite(bytes, 1, count, file);
	if (file != NULL && (ferror(pipe) || ferror(file) || fseek(file, 0, SEEK_SET) < 0)) {
		fclose(file);
		file = NULL;
	}
	fclose(pipe);
	return file;
}

static int open_input(struct import *import, struct error *error)
{
	bool piped = strcmp(import->input, "-") == 0;

	import->file = piped ? fdopen(dup(STDIN_FILENO), "r") : fopen(import->input, "re");
	if (import->file != NULL && fseek(import->file, 0, SEEK_SET) < 0)
		import->file = copy(import->file);
	if (import->file == NULL)
		error_set(error, "cannot read \"%s\": %s", import->input, strerror(errno));
	return import->file != NULL ? 0 : -EIO;
}

/* Merge several files, which have to be traces by strace. */
static int merge_inputs(struct import *import, struct error *error)
{
	if (import->from != FROM_UNKNOWN && import->from != FROM_STRACE) {
		error_set(error, "import: only traces by strace can be imported together");
		return -EINVAL;
	}
	import->from = FROM_STRACE;
	import->file = tmpfile();
	if (import->file == NULL) {
		error_set(error, "cannot create a temporary file: %s", strerror(errno));
		return -EIO;
	}
	if (strace_merge(import->given.words, import->given.word_count, import->file, error) < 0)
		return -EINVAL;
	rewind(import->file);
	return 0;
}

/* Does the first line have the fields of this protocol? */
static bool has_fields(const struct tshark_protocol *protocol, const char *line)
{
	size_t count = 1;

	for (; *line != '\0'; line++)
		count += *line == COLUMNS_SEPARATOR;
	return count == *protocol->field_count;
}

/* Guess the format of a text from its first line. */
static unsigned guess_text(char *line)
{
	struct strace_line parsed;

	if (strncmp(line, FIO_MAGIC, strlen(FIO_MAGIC)) == 0)
		return FROM_FIO;
	if (has_fields(&smb_protocol, line))
		return FROM_SMB;
	if (has_fields(&nfs_protocol, line))
		return FROM_NFS;
	return strace_line_parse(line, strlen(line), &parsed) ? FROM_STRACE : FROM_UNKNOWN;
}

/* Guess the format of a capture. SMB1 can be no more than the start of a
 * session, or announcements of hosts. */
static int guess_capture(struct import *import, const struct tshark_capture *capture,
			 struct error *error)
{
	unsigned found;
	int rc = tshark_find(capture, &found, error);

	if (rc < 0)
		return rc;
	if (found == 0) {
		error_set_at(error, capture->name, 0, 0, "the capture has neither SMB nor NFS%s",
			     capture_is_plain(fileno(capture->file))
				     ? ""
				     : " (SMB on other ports than 445 is found in pcap and pcapng "
				       "only; decompress it, or convert it with editcap)");
		return -EINVAL;
	}
	import->from = (found & TSHARK_SMB2) == 0 && (found & TSHARK_NFS) != 0 ? FROM_NFS
									       : FROM_SMB;
	if (import->from == FROM_SMB && (found & TSHARK_NFS) != 0)
		source_warn(&import->source,
			    "the capture has NFS, too; import it with --from nfs -o PREFIX");
	return 0;
}

/* Look at the beginning of the file. Set import->captured, and import->from if
 * it is unknown. */
static int recognise(struct import *import, const struct tshark_capture *capture,
		     struct error *error)
{
	char head[512], *line = NULL;
	size_t room = 0, bytes = fread(head, 1, sizeof(head), import->file);

	import->captured = memchr(head, '\0', bytes) != NULL;
	if (bytes == 0)
		error_set_at(error, import->input, 0, 0, "%s",
			     ferror(import->file) ? strerror(errno) : "the file is empty");
	rewind(import->file);
	if (error->set)
		return -EINVAL;
	if (import->from == FROM_UNKNOWN && import->captured)
		guess_capture(import, capture, error);
	else if (import->from == FROM_UNKNOWN && getline(&line, &room, import->file) > 0)
		import->from = guess_text(line);
	if (import->from == FROM_UNKNOWN)
		error_set_at(error, import->input, 1, 0,
			     "neither a trace, a capture, fields of one, nor an iolog; --from "
			     "names the format");
	free(line);
	rewind(import->file);
	return error->set ? -EINVAL : 0;
}

/* Prepare the recorded directory as readers want it. */
static int set_directory(struct import *import, struct error *error)
{
	const char *text = import->directory != NULL ? import->directory : "";
	bool local = formats[import->from].protocol == NULL;
	size_t length;

	text += local ? 0 : strspn(text, "/");
	import->root = strdup(text);
	if (import->root == NULL)
		return error_no_memory(error);
	length = strlen(text);
	while (length > 0 && text[length - 1] == '/')
		import->root[--length] = '\0';
	if (local && text[0] != '/' && text[0] != '\0')
		error_set(error,
			  "--directory \"%s\": expected an absolute path, as the recorded program "
			  "had it",
			  text);
	if (import->from == FROM_STRACE && text[0] == '\0')
		error_set(error, "import: expected --directory DIR, the directory in which the "
				 "program worked");
	import->source.directory = import->root;
	return error->set ? -EINVAL : 0;
}

static int read_source(struct import *import, const struct tshark_capture *capture,
		       struct error *error)
{
	const struct format *format = &formats[import->from];
	struct source *source = &import->source;

	source->name = import->title;
	source->only = import->client;
	source->no_mmap = import->no_mmap;
	source->keyed = import->keys != NULL || import->keytab != NULL;
	source->options = import->times ? RECORDING_TIMES : 0;
	if (format->protocol != NULL && import->captured)
		return tshark_read(format->protocol, capture, source, error);
	return format->read(source, import->file, error);
}

static bool has_operations(const struct source_client *client)
{
	struct call_account *account = recording_account(client->recording);

	account_end(account);
	return account->counts[ACCOUNT_CONVERTED] + account->counts[ACCOUNT_NEAR] > 0;
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
		load->summary = formats[import->from].title;
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

/* Does a client have no load, and only folded calls on files? Captures have many
 * such sessions: of failed logins, or of connections that share the load. */
static bool is_idle(const struct recorded_load *load)
{
	const uint64_t *counts = recording_account(load->recording)->counts;

	return load->totals.operations == 0 && !load->error.set && counts[ACCOUNT_CONVERTED] == 0 &&
	       counts[ACCOUNT_NEAR] == 0 && counts[ACCOUNT_DROPPED] == 0;
}

/* Print the clients, those that are idle in one line. */
static void print_clients(const struct import *import)
{
	const struct source *source = &import->source;
	char clients[UNITS_TEXT], calls[UNITS_TEXT];
	uint64_t idle = 0, folded = 0;
	size_t i;

	for (i = 0; i < source->client_count; i++) {
		const struct recorded_load *load = &import->loads[i];

		if (source->client_count > 1 && is_idle(load)) {
			idle++;
			folded += recording_account(load->recording)->counts[ACCOUNT_FOLDED];
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
		printf("others       %s %s without operations: %s %s, folded\n",
		       units_print_count(idle, clients), units_plural(idle, "client", "clients"),
		       units_print_count(folded, calls),
		       folded == 1 ? source->call : source->calls);
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

	recorded_load_print_source(source, import->title, source->directory, stdout);
	print_clients(import);
	for (i = 0; i < source->client_count; i++) {
		operations += import->loads[i].totals.operations;
		dropped = account_first_dropped(recording_account(source->clients[i].recording),
						&at);
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
		error_set_at(&error, import->title, 0, 0, "no operations, so no load was written");
	else if (import->strict && reason != NULL)
		error_set_at(&error, import->title, (unsigned)line, 0, "dropped first: %s", reason);
	if (error.set)
		message_error(&error);
	else if (!failed)
		return EXIT_VALID;
	return operations == 0 ? EXIT_REFUSED : EXIT_INVALID;
}

/* Check the options that only captures have. */
static int check_capture(const struct import *import, struct error *error)
{
	bool keyed = import->keys != NULL || import->keytab != NULL;

	if (keyed && !import->captured)
		error_set(error, "%s: \"%s\" is not a capture, and nothing else is decrypted",
			  import->keys != NULL ? "--keys" : "--keytab", import->input);
	if (import->port == 0)
		return error->set ? -EINVAL : 0;
	if (import->from != FROM_SMB || !import->captured)
		error_set(error, "--port: \"%s\" is not a capture of SMB", import->input);
	else if (!capture_is_plain(fileno(import->file)))
		error_set(error,
			  "--port: \"%s\" is neither pcap nor pcapng; decompress it, or convert it "
			  "with editcap",
			  import->input);
	return error->set ? -EINVAL : 0;
}

/* Read the file and write the loads. */
static int import_file(struct import *import, struct error *error)
{
	struct tshark_capture capture = {
		.name = import->input,
		.keys = import->keys,
		.keytab = import->keytab,
		.port = (uint16_t)import->port,
	};

	if (import->given.word_count > 1) {
		if (merge_inputs(import, error) < 0)
			return -1;
	} else if (open_input(import, error) < 0) {
		return -1;
	}
	capture.file = import->file;
	if (import->given.word_count == 1 && recognise(import, &capture, error) < 0)
		return -1;
	if (check_capture(import, error) < 0)
		return -1;
	if (set_directory(import, error) < 0 || read_source(import, &capture, error) < 0)
		return -1;
	return write_loads(import, error);
}

/* Run the subcommand; return the exit code. */
static int run(struct import *import)
{
	struct error error = {0};

	if (options_parse(&import->given, &error) == 0 && import->given.word_count == 0)
		error_set(&error, "import: expected a FILE, or - for standard input; see --help");
	/* tshark ignores a file that it cannot read. */
	if (import->keytab != NULL && access(import->keytab, R_OK) < 0)
		error_set(&error, "cannot read \"%s\": %s", import->keytab, strerror(errno));
	if (error.set)
		return cli_refuse(&error);
	import->input = import->given.words[0];
	import->title = import->given.word_count > 1 ? "the merged traces" : import->input;
	return import_file(import, &error) < 0 ? cli_refuse(&error) : print(import);
}

int cli_import(int argc, const char **argv)
{
	struct import import = {.from = FROM_UNKNOWN};
	const struct option_group groups[] = {
		{.rows = rows, .values = &import},
		{.rows = NULL},
	};
	size_t i;
	int rc;

	argv[0] = "throng import"; /* popt prints this in --help */
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
	if (import.file != NULL)
		fclose(import.file);
	free(import.root);
	source_free(&import.source);
	options_free(&import.given);
	return rc;
}
