/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng record: run a command under strace, and make a load of what it does with
 * the files below a directory.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/units.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recorded_load.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOWED_MAX = 10 /* the largest factor of a slow-down that is estimated */ };

/* The state of one `throng record`. */
struct record_run {
	struct options given;
	const char *directory, *output;
	char root[PATH_MAX];    /* the real path of the directory */
	char started[PATH_MAX]; /* the working directory */
	const char *name;       /* of the command, without its directory */
	char path[PATH_MAX];    /* of the loadfile */
	struct capture_command command;
	struct source source;
};

#define AT(member) OPTION_AT(struct record_run, member)

const struct option_row record_rows[] = {
	{"directory", 'd', OPTION_TEXT, "DIR", "Record the calls on files below DIR", AT(directory),
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"output", 'o', OPTION_TEXT, "FILE", "Write the load to FILE (default COMMAND.load)",
	 AT(output), .flags = OPTION_COMMON},
	{"times", 0, OPTION_FLAG, NULL, "Keep the times of operations, for --speed",
	 AT(command.times), .flags = OPTION_COMMON},
	{"pauses", 0, OPTION_FLAG, NULL, "Keep the pauses of each process, as SLEEP lines",
	 AT(command.pauses), .flags = OPTION_COMMON},
	{"no-mmap", 0, OPTION_FLAG, NULL, "Drop mappings of files instead of reading their range",
	 AT(command.no_mmap), .flags = OPTION_COMMON},
	{"keep-trace", 0, OPTION_TEXT, "FILE", "Keep the output of strace", AT(command.trace_name),
	 .flags = OPTION_COMMON},
	{.name = NULL},
};

static int parse(struct record_run *record, struct error *error)
{
	const char *command, *slash;
	struct stat st;

	if (options_parse(&record->given, error) < 0 ||
	    recorded_load_check_times(record->command.times, record->command.pauses, error) < 0)
		return -1;
	if (record->given.word_count == 0) {
		error_set(error, "record: expected a COMMAND; see --help");
		return -1;
	}
	if (realpath(record->directory, record->root) == NULL)
		error_set(error, "cannot open \"%s\": %s", record->directory, strerror(errno));
	else if (stat(record->root, &st) < 0 || !S_ISDIR(st.st_mode))
		error_set(error,
			  "\"%s\" is not a directory; give the directory that contains this file",
			  record->directory);
	else if (getcwd(record->started, sizeof(record->started)) == NULL)
		error_set(error, "cannot find the working directory: %s", strerror(errno));
	command = record->given.words[0];
	slash = strrchr(command, '/');
	record->name = slash != NULL ? slash + 1 : command;
	snprintf(record->path, sizeof(record->path), "%s%s",
		 record->output != NULL ? record->output : record->name,
		 record->output != NULL ? "" : ".load");
	if (record->command.trace_name != NULL &&
	    output_is_same(record->command.trace_name, record->path))
		error_set(error,
			  "\"%s\" is given as the file for the load and as the file for the trace; "
			  "choose two names",
			  record->command.trace_name);
	return error->set ? -1 : output_check_place(record->path, error);
}

/* Record the command and write the load. */
static int record_command(struct record_run *record, struct recorded_load *load,
			  struct error *error)
{
	struct capture_command *command = &record->command;

	command->words = record->given.words;
	command->directory = record->root;
	command->working_directory = record->started;
	if (capture_record(&record->source, command, error) < 0)
		return -1;
	load->source = &record->source;
	load->recording = record->source.clients[0].recording;
	load->path = record->path;
	load->summary = record->name;
	if (recorded_load_write(load) == 0)
		return 0;
	*error = load->error;
	return -1;
}

/*
 * Print about how much tracing has slowed the command down. The cost of a call is
 * measured with dd, afterwards, and differs by several times with what else the
 * machine does, so no more than a factor of 10 can be known.
 */
static void print_slowdown(const struct source *source, FILE *stream)
{
	double call_ns = source->cost.call_ns > 0 ? source->cost.call_ns : capture_cost().call_ns;
	double all_ns = (double)(source->last_ns - source->first_ns);
	double own_ns = all_ns - call_ns * (double)source->call_count;
	char text[UNITS_TEXT];

	if (call_ns <= 0)
		return;
	fprintf(stream, "slow-down    about %s per call, ", units_print_time(call_ns, text));
	if (own_ns > all_ns / SLOWED_MAX)
		fprintf(stream, "about %.2g times in all\n", all_ns / own_ns);
	else
		fprintf(stream, "more than %d times in all\n", SLOWED_MAX);
}

/* Print the report on standard error, because standard output is the
 * command's. */
static void print(const struct record_run *record, const struct recorded_load *load)
{
	const struct source *source = &record->source;
	FILE *stream = fdopen(dup(message_descriptor()), "w");
	char *title = NULL;
	size_t bytes, i;
	FILE *words = open_memstream(&title, &bytes);

	for (i = 0; words != NULL && i < record->given.word_count; i++)
		fprintf(words, "%s%s", i > 0 ? " " : "", record->given.words[i]);
	if (words != NULL)
		fclose(words);
	if (stream != NULL && title != NULL) {
		recorded_load_print_source(source, title, record->directory, stream);
		recorded_load_print(load, stream);
		print_slowdown(source, stream);
	}
	if (stream != NULL)
		fclose(stream);
	free(title);
	for (i = 0; i < source->warning_count; i++)
		message_warning("%s", source->warnings[i]);
}

/* Copy a file from its beginning. Return 0 or -errno. */
static int copy_file(FILE *from, FILE *to)
{
	char bytes[BUFSIZ];
	size_t count;

	errno = EIO;
	rewind(from);
	while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0)
		fwrite(bytes, 1, count, to);
	return ferror(from) || ferror(to) || fflush(to) != 0 ? -errno : 0;
}

/* The trace could not be made a load. Give its file a name, so that it can be
 * imported, and print that. */
static void save_trace(const struct record_run *record)
{
	const char *place = getenv("TMPDIR");
	char path[PATH_MAX];
	FILE *file = NULL;
	int rc, fd;

	if (record->command.trace_name != NULL) {
		message_note("the trace is in \"%s\"", record->command.trace_name);
		return;
	}
	snprintf(path, sizeof(path), "%s/throng-XXXXXX.strace",
		 place != NULL && place[0] != '\0' ? place : "/tmp");
	fd = mkstemps(path, (int)strlen(".strace"));
	if (fd >= 0)
		file = fdopen(fd, "w");
	rc = file != NULL ? copy_file(record->command.trace, file) : -errno;
	if (file != NULL)
		fclose(file);
	if (rc == 0) {
		message_note("the trace is kept in \"%s\", which throng import reads", path);
		return;
	}
	message_warning("cannot keep the trace in \"%s\": %s", path, strerror(-rc));
	if (fd >= 0)
		unlink(path);
}

/* Record and report; return the exit code. */
static int run(struct record_run *record)
{
	struct recorded_load load = {0};
	struct error error = {0};

	if (parse(record, &error) < 0 || record_command(record, &load, &error) < 0) {
		cli_refuse(&error);
		if (record->command.complete)
			save_trace(record);
		return EXIT_REFUSED;
	}
	print(record, &load);
	if (load.totals.operations > 0)
		return record->command.status;
	error_set(&error, "the command did no operations below \"%s\", so no load was written",
		  record->directory);
	return cli_refuse(&error);
}

int cli_record(int argc, const char **argv)
{
	struct record_run record = {.directory = "."};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = record_rows, .values = &record},
		{.rows = NULL},
	};
	int rc;

	argv[0] = "throng record"; /* for --help */
	rc = options_read(&record.given, groups, "[OPTIONS] -- COMMAND...",
			  "  throng record -- git clone -q --no-hardlinks /srv/project copy\n"
			  "  throng record -d /srv/data -o make.load -- make -j4\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = run(&record);
	if (record.command.trace != NULL)
		fclose(record.command.trace);
	source_free(&record.source);
	options_free(&record.given);
	return rc;
}
