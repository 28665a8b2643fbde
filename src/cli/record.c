/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng record: run a command under strace, and make a load of what it does with
 * the files below a directory.
 */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "base/units.h"
#include "capture/decode/tool.h"
#include "capture/strace/strace.h"
#include "cli/inherited.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recorded_load.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	KILLED = 128,    /* plus the signal: a shell's status for such a command */
	PROBED = 2000,   /* calls that time_probe() makes */
	SLOWED_MAX = 10, /* the largest factor that is estimated */
};

/* The words before the calls to trace, the name of the trace, and the command. */
static const char *const strace_words[] = {
	"strace",
	"--seccomp-bpf",
	"-f",
	"-ttt",
	"-T",
	"-y",
	"-s",
	"0",
	"-A",
	"-e",
	"signal=none",
	"-e",
	"abbrev=!io_submit",
	"-e",
};

enum { STRACE_WORDS = sizeof(strace_words) / sizeof(strace_words[0]) };

/* The state of one `throng record`. */
struct record {
	struct options given;
	const char *directory, *output, *keep_trace;
	bool times, no_mmap;
	char root[PATH_MAX];    /* the real path of the directory */
	char started[PATH_MAX]; /* the working directory */
	const char *name;       /* of the command, without its directory */
	char path[PATH_MAX];    /* of the loadfile */
	FILE *trace;            /* strace's output */
	long inherited_bytes;   /* of the lines before that */
	bool traced;            /* the trace is complete */
	struct source source;
	int status; /* of the command, as shells have it */
};

#define AT(member) OPTION_AT(struct record, member)

static const struct option_row rows[] = {
	{"directory", 'd', OPTION_TEXT, "DIR", "Record the calls on files below DIR", AT(directory),
	 .flags = OPTION_SHOWS_DEFAULT},
	{"output", 'o', OPTION_TEXT, "FILE",
	 "Write the load to FILE (default: COMMAND's name and .load)", AT(output)},
	{"times", 0, OPTION_FLAG, NULL, "Keep the times of operations, for --speed", AT(times)},
	{"no-mmap", 0, OPTION_FLAG, NULL, "Drop mappings of files instead of reading their range",
	 AT(no_mmap)},
	{"keep-trace", 0, OPTION_TEXT, "FILE", "Keep the output of strace", AT(keep_trace)},
	{.name = NULL},
};

/* Files with several names. A file has the same number in both tables. */
struct links {
	struct intern inodes; /* device and inode */
	struct intern paths;  /* the path under which the file was added */
};

/* Return the path under which this file has been added, or NULL after keeping
 * `path` as such. */
static const char *find_link(struct links *links, const struct stat *st, const char *path)
{
	const uint64_t key[] = {st->st_dev, st->st_ino};
	int is_new;
	int64_t number = intern(&links->inodes, key, sizeof(key), &is_new);

	if (number >= 0 && !is_new)
		return links->paths.keys[number].bytes;
	intern(&links->paths, path, strlen(path), &is_new);
	return NULL;
}

static enum node_kind kind_of(mode_t mode)
{
	return S_ISREG(mode)   ? NODE_FILE
	       : S_ISDIR(mode) ? NODE_DIRECTORY
	       : S_ISLNK(mode) ? NODE_LINK
			       : NODE_OTHER;
}

static void add_entry(struct recording *recording, struct links *links, const FTSENT *entry,
		      const char *path)
{
	const struct stat *st = entry->fts_statp;
	char target[PATH_MAX];
	ssize_t length = -1;

	if (S_ISLNK(st->st_mode))
		length = readlink(entry->fts_accpath, target, sizeof(target) - 1);
	if (length >= 0)
		target[length] = '\0';
	recording_before(
		recording, path, kind_of(st->st_mode),
		S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0, length >= 0 ? target : NULL,
		S_ISREG(st->st_mode) && st->st_nlink > 1 ? find_link(links, st, path) : NULL);
}

static void warn_of_unlisted(struct recording *recording, const char *path, const FTSENT *entry,
			     const char *reason)
{
	message_warning("cannot list \"%s\": %s; its files are not known", entry->fts_path, reason);
	recording_not_listed(recording, path);
}

/* Add the files that exist before the command runs. */
static int walk(const struct record *record, struct recording *recording, struct error *error)
{
	char *const roots[] = {(char *)record->root, NULL};
	size_t skipped = strcmp(record->root, "/") == 0 ? 1 : strlen(record->root) + 1;
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_XDEV, NULL);
	struct links links = {0};
	FTSENT *entry;
	dev_t device = 0;

	while (fts != NULL && (errno = 0, entry = fts_read(fts)) != NULL) {
		const char *path = entry->fts_path + skipped;

		if (entry->fts_level == 0) {
			device = entry->fts_statp->st_dev;
			if (entry->fts_info == FTS_DNR)
				warn_of_unlisted(recording, "", entry, strerror(entry->fts_errno));
			continue;
		}
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS)
			warn_of_unlisted(recording, path, entry, strerror(entry->fts_errno));
		else if (entry->fts_info != FTS_DP)
			add_entry(recording, &links, entry, path);
		if (entry->fts_info == FTS_D && entry->fts_statp->st_dev != device)
			warn_of_unlisted(recording, path, entry, "another file system");
	}
	if (fts == NULL || errno != 0)
		error_set(error, "cannot list \"%s\": %s", record->root, strerror(errno));
	if (fts != NULL)
		fts_close(fts);
	intern_free(&links.inodes);
	intern_free(&links.paths);
	return error->set ? -EIO : 0;
}

/* Execute strace, which writes to the file `trace` and executes the command. */
static void become_strace(const char *trace, const char *const *command)
{
	const char **arguments, **next;
	char *calls = NULL;
	size_t words = 0, bytes;
	FILE *stream = open_memstream(&calls, &bytes);

	while (command[words] != NULL)
		words++;
	arguments = calloc(STRACE_WORDS + words + 5, sizeof(*arguments));
	if (arguments == NULL || stream == NULL)
		_exit(EXIT_REFUSED);
	strace_print_calls(stream);
	fclose(stream);
	memcpy(arguments, strace_words, sizeof(strace_words));
	next = arguments + STRACE_WORDS;
	*next++ = calls;
	*next++ = "-o";
	*next++ = trace;
	*next++ = "--";
	memcpy(next, command, words * sizeof(*arguments));
	process_default_signals();
	execvp(arguments[0], (char *const *)arguments);
	_exit(EXIT_REFUSED);
}

/* Return the process that the command began as, which the first line by strace
 * begins with; or 0 before there is a line. */
static pid_t traced_process(const struct record *record)
{
	char text[32] = "";

	if (pread(fileno(record->trace), text, sizeof(text) - 1, record->inherited_bytes) <= 0)
		return 0;
	return (pid_t)strtol(text, NULL, 10);
}

/* Return the exit status that shells have for a process. */
static int status_of(int status)
{
	return WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * Start strace and wait for its end. Pass SIGTERM and SIGHUP on to the command:
 * strace ignores them. The terminal sends SIGINT to all of us, and only the
 * command reacts. The process is between strace and the recorder, so that the
 * command gets SIGTERM even if the recorder is killed. If strace was killed, the
 * command's calls would fail.
 */
static void guard(const struct record *record, pid_t recorder)
{
	char path[64];
	pid_t strace;
	int status = 0;

	/* The descriptor itself must not be inherited by the command. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)recorder, fileno(record->trace));
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	strace = fork();
	if (strace == 0)
		become_strace(path, record->given.words);
	while (strace > 0 && waitpid(strace, &status, WNOHANG) == 0) {
		int number = process_wait_signal(NS_PER_S);
		pid_t command = traced_process(record);

		if ((number == SIGTERM || number == SIGHUP) && command > 0)
			kill(command, number);
	}
	_exit(strace < 0 ? EXIT_REFUSED : status_of(status));
}

/* Run the command under strace. Set its exit status. */
static int trace(struct record *record, struct error *error)
{
	pid_t recorder = getpid(), child;
	int status = 0;

	process_block_signals();
	child = process_fork();
	if (child == 0)
		guard(record, recorder);
	if (child < 0) {
		error_set(error, "cannot fork: %s", strerror(-child));
		return child;
	}
	while (waitpid(child, &status, WNOHANG) == 0) {
		int number = process_wait_signal(NS_PER_S);

		if (number == SIGTERM || number == SIGHUP)
			kill(child, number);
	}
	record->status = status_of(status);
	if (WIFSIGNALED(status))
		source_warn(&record->source,
			    "a process of throng was killed by signal %d: the load ends there",
			    WTERMSIG(status));
	if (traced_process(record) > 0)
		return 0;
	error_set(
		error,
		"strace has recorded nothing; it cannot start the command, or may not trace here");
	return -ECHILD;
}

/* Create the file for the trace: one that disappears when we end, or the one
 * that the user wants to keep. The command must not inherit it. */
static int open_trace(struct record *record, struct error *error)
{
	const char *name = record->keep_trace;

	record->trace = name != NULL ? fopen(name, "w+") : tmpfile();
	if (record->trace != NULL && fcntl(fileno(record->trace), F_SETFD, FD_CLOEXEC) == 0)
		record->inherited_bytes = inherited_write(record->root, record->trace);
	if (record->trace != NULL && record->inherited_bytes >= 0)
		return 0;
	error_set(error, "cannot write \"%s\": %s", name != NULL ? name : "a temporary file",
		  strerror(errno));
	return -EIO;
}

static int parse(struct record *record, struct error *error)
{
	char version[TOOL_VERSION];
	const char *command, *slash;
	struct stat st;

	if (options_parse(&record->given, error) < 0)
		return -1;
	if (record->given.word_count == 0) {
		error_set(error, "record: expected a COMMAND; see --help");
		return -1;
	}
	if (realpath(record->directory, record->root) == NULL)
		error_set(error, "cannot open \"%s\": %s", record->directory, strerror(errno));
	else if (stat(record->root, &st) < 0 || !S_ISDIR(st.st_mode))
		error_set(error, "\"%s\" is not a directory; record its directory",
			  record->directory);
	else if (getcwd(record->started, sizeof(record->started)) == NULL)
		error_set(error, "cannot find the working directory: %s", strerror(errno));
	command = record->given.words[0];
	slash = strrchr(command, '/');
	record->name = slash != NULL ? slash + 1 : command;
	snprintf(record->path, sizeof(record->path), "%s%s",
		 record->output != NULL ? record->output : record->name,
		 record->output != NULL ? "" : ".load");
	if (record->keep_trace != NULL && output_is_same(record->keep_trace, record->path))
		error_set(error, "\"%s\" is both the load and the trace to keep",
			  record->keep_trace);
	if (error->set || output_check_place(record->path, error) < 0 ||
	    tool_version(&tool_strace, version, error) < 0)
		return -1;
	return open_trace(record, error);
}

/* Record the command and write the load. */
static int record_command(struct record *record, struct recorded_load *load, struct error *error)
{
	struct source *source = &record->source;
	bool excluded;

	*source = (struct source){
		.name = record->keep_trace != NULL ? record->keep_trace : "the trace",
		.directory = record->root,
		.working_directory = record->started,
		.options = RECORDING_COMPLETE | RECORDING_POSIX_LOCKS |
			   (record->times ? RECORDING_TIMES : 0),
		.no_mmap = record->no_mmap,
		.local = true,
	};
	load->source = source;
	load->path = record->path;
	load->summary = record->name;
	load->recording = source_recording(source, "", &excluded);
	if (load->recording == NULL)
		return error_no_memory(error);
	if (walk(record, load->recording, error) < 0 || trace(record, error) < 0)
		return -1;
	inherited_assign(record->trace, record->inherited_bytes);
	record->traced = true;
	if (strace_read(source, record->trace, error) < 0)
		return -1;
	if (recorded_load_write(load) == 0)
		return 0;
	*error = load->error;
	return -1;
}

/* Run dd, which makes PROBED calls, and return the time that it takes. */
static uint64_t time_probe(bool traced)
{
	static const char *const probe[] = {
		"dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=1000", "status=none", NULL,
	};
	uint64_t start_ns = clock_now_ns();
	pid_t child = process_fork();

	if (child == 0 && traced)
		become_strace("/dev/null", probe);
	if (child == 0) {
		process_default_signals();
		execvp(probe[0], (char *const *)probe);
		_exit(EXIT_REFUSED);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	return clock_now_ns() - start_ns;
}

/*
 * Print about how much tracing has slowed the command down. The cost of a call is
 * measured with dd, afterwards, and differs by several times with what else the
 * machine does, so no more than a factor of 10 can be known.
 */
static void print_slowdown(const struct source *source, FILE *stream)
{
	double plain_ns = (double)time_probe(false);
	double call_ns = ((double)time_probe(true) - plain_ns) / PROBED;
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
static void print(const struct record *record, const struct recorded_load *load)
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
static void save_trace(const struct record *record)
{
	const char *place = getenv("TMPDIR");
	char path[PATH_MAX];
	FILE *file = NULL;
	int rc, fd;

	if (record->keep_trace != NULL) {
		message_note("the trace is in \"%s\"", record->keep_trace);
		return;
	}
	snprintf(path, sizeof(path), "%s/throng-XXXXXX.strace",
		 place != NULL && place[0] != '\0' ? place : "/tmp");
	fd = mkstemps(path, (int)strlen(".strace"));
	if (fd >= 0)
		file = fdopen(fd, "w");
	rc = file != NULL ? copy_file(record->trace, file) : -errno;
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
static int run(struct record *record)
{
	struct recorded_load load = {0};
	struct error error = {0};

	if (parse(record, &error) < 0 || record_command(record, &load, &error) < 0) {
		cli_refuse(&error);
		if (record->traced)
			save_trace(record);
		return EXIT_REFUSED;
	}
	print(record, &load);
	if (load.totals.operations > 0)
		return record->status;
	error_set(&error, "no operations below \"%s\", so no load was written", record->directory);
	return cli_refuse(&error);
}

int cli_record(int argc, const char **argv)
{
	struct record record = {.directory = "."};
	const struct option_group groups[] = {
		{.rows = rows, .values = &record},
		{.rows = NULL},
	};
	int rc;

	argv[0] = "throng record"; /* popt prints this in --help */
	rc = options_read(&record.given, groups, "[OPTIONS] -- COMMAND...",
			  "  throng record -- git clone -q --no-hardlinks /srv/project copy\n"
			  "  throng record -d /srv/data -o make.load -- make -j4\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = run(&record);
	if (record.trace != NULL)
		fclose(record.trace);
	source_free(&record.source);
	options_free(&record.given);
	return rc;
}
