/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run a command under strace. The shell may have opened files as its standard
 * input, output and error. The trace does not have these opens, so they are
 * written before it, in the form of strace's lines.
 */
#include "capture/strace/strace.h"

#include "base/clock.h"
#include "base/process.h"
#include "capture/strace/line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOT_STARTED = 2, /* exit status if there is no strace */
	KILLED = 128,    /* plus the signal: a shell's status for such a command */
	STANDARD = 3,    /* number of standard descriptors */
	HEAD_BYTES = 40, /* room for a process and a time before a call */
	PROBED = 2000,   /* calls that time_probe() makes */
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

struct run {
	const char *const *words; /* of the command */
	FILE *trace;
	long inherited_bytes; /* of the lines before strace's */
};

/* Set the path of a standard descriptor. Return false if it is not of a file
 * below the directory. */
static bool find_inherited(int fd, const char *root, char path[PATH_MAX])
{
	char link[] = "/proc/self/fd/0";
	struct stat st;
	ssize_t length;

	link[sizeof(link) - 2] = (char)('0' + fd);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink == 0)
		return false;
	length = readlink(link, path, PATH_MAX - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	return path_below(path, root, NULL) != NULL;
}

/* Return another standard descriptor of the same open file, or -1. Two opens of a
 * file in the same way are not told apart. */
static int find_same(int fd)
{
	struct stat st, other;
	int earlier;

	for (earlier = 0; earlier < fd; earlier++)
		if (fstat(fd, &st) == 0 && fstat(earlier, &other) == 0 &&
		    st.st_dev == other.st_dev && st.st_ino == other.st_ino &&
		    fcntl(fd, F_GETFL) == fcntl(earlier, F_GETFL))
			return earlier;
	return -1;
}

/* Print a path as strace does. */
static void print_path(const char *path, FILE *stream)
{
	for (; *path != '\0'; path++) {
		unsigned char byte = (unsigned char)*path;

		if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
			fprintf(stream, "\\%03o", byte);
		else
			putc(byte, stream);
	}
}

static void print_open(int fd, const char *path, FILE *stream)
{
	static const char *const accesses[] = {
		[O_RDONLY] = "O_RDONLY",
		[O_WRONLY] = "O_WRONLY",
		[O_RDWR] = "O_RDWR",
		[O_ACCMODE] = "O_RDWR", /* for ioctl() alone */
	};
	int flags = fcntl(fd, F_GETFL);
	off_t position = lseek(fd, 0, SEEK_CUR);

	fprintf(stream, "%*sopenat(AT_FDCWD, \"", HEAD_BYTES, "");
	print_path(path, stream);
	fprintf(stream, "\", %s%s) = %d\n", accesses[flags & O_ACCMODE],
		(flags & O_APPEND) != 0 ? "|O_APPEND" : "", fd);
	if (position > 0)
		fprintf(stream, "%*slseek(%d, %jd, SEEK_SET) = %jd\n", HEAD_BYTES, "", fd,
			(intmax_t)position, (intmax_t)position);
}

/* Write the opens of our own standard descriptors that are files below the
 * directory `root`, a real path, to the empty file `trace`. Return the size of
 * these lines in bytes, or -errno. */
static long write_inherited(const char *root, FILE *trace)
{
	char path[PATH_MAX];
	int fd, same;

	for (fd = 0; fd < STANDARD; fd++) {
		if (!find_inherited(fd, root, path))
			continue;
		same = find_same(fd);
		if (same >= 0)
			fprintf(trace, "%*sdup2(%d, %d) = %d\n", HEAD_BYTES, "", same, fd, fd);
		else
			print_open(fd, path, trace);
	}
	return fflush(trace) == 0 && !ferror(trace) ? ftell(trace) : -errno;
}

/* The trace has been appended to these lines: make them calls of the process that
 * its first line is of, at the time of that line. Go to the beginning of the
 * file. */
static void assign_inherited(FILE *trace, long bytes)
{
	char first[HEAD_BYTES + 1], line[PATH_MAX * 4 + HEAD_BYTES * 2];
	long at = 0;
	size_t length;

	/* The line begins with the process, blanks, the time and a blank. */
	if (fseek(trace, bytes, SEEK_SET) != 0 || fgets(first, sizeof(first), trace) == NULL)
		first[0] = '\0';
	length = strspn(first, "0123456789");
	length += strspn(first + length, " ");
	length += strspn(first + length, "0123456789.");
	while (at < bytes && fseek(trace, at, SEEK_SET) == 0 &&
	       fgets(line, sizeof(line), trace) != NULL) {
		size_t next = strlen(line);

		fseek(trace, at, SEEK_SET);
		fwrite(first, 1, length, trace);
		at += (long)next;
	}
	rewind(trace);
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
		_exit(NOT_STARTED);
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
	_exit(NOT_STARTED);
}

/* Return the process that the command began as, which the first line by strace
 * begins with; or 0 before there is a line. */
static pid_t traced_process(const struct run *run)
{
	char text[32] = "";

	if (pread(fileno(run->trace), text, sizeof(text) - 1, run->inherited_bytes) <= 0)
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
static void guard(const struct run *run, pid_t recorder)
{
	char path[64];
	pid_t strace;
	int status = 0;

	/* The descriptor itself must not be inherited by the command. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)recorder, fileno(run->trace));
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	strace = fork();
	if (strace == 0)
		become_strace(path, run->words);
	while (strace > 0 && waitpid(strace, &status, WNOHANG) == 0) {
		int number = process_wait_signal(NS_PER_S);
		pid_t command = traced_process(run);

		if ((number == SIGTERM || number == SIGHUP) && command > 0)
			kill(command, number);
	}
	_exit(strace < 0 ? NOT_STARTED : status_of(status));
}

long strace_begin(const char *root, FILE *trace)
{
	/* The command must not inherit the file. */
	if (fcntl(fileno(trace), F_SETFD, FD_CLOEXEC) < 0)
		return -errno;
	return write_inherited(root, trace);
}

int strace_run(struct source *source, const char *const *words, FILE *trace, long begun,
	       int *result, struct error *error)
{
	const struct run run = {.words = words, .trace = trace, .inherited_bytes = begun};
	pid_t recorder = getpid(), child;
	int status = 0;

	process_block_signals();
	child = process_fork();
	if (child == 0)
		guard(&run, recorder);
	if (child < 0) {
		error_set(error, "cannot fork: %s", strerror(-child));
		return child;
	}
	while (waitpid(child, &status, WNOHANG) == 0) {
		int number = process_wait_signal(NS_PER_S);

		if (number == SIGTERM || number == SIGHUP)
			kill(child, number);
	}
	*result = status_of(status);
	if (WIFSIGNALED(status))
		source_warn(source,
			    "the process of throng that records was killed by signal %d, so the "
			    "recording ends at that time",
			    WTERMSIG(status));
	if (traced_process(&run) > 0) {
		assign_inherited(trace, begun);
		return 0;
	}
	error_set(error, "strace has recorded nothing: the command did not start, or tracing is "
			 "not permitted here (a container may forbid it)");
	return -ECHILD;
}

/* Run dd, which makes PROBED calls, and return the time that it takes. If `trace` is not
 * NULL, run it under strace, which writes to this file. */
static uint64_t time_probe(const char *trace)
{
	static const char *const probe[] = {
		"dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=1000", "status=none", NULL,
	};
	uint64_t start_ns = clock_now_ns();
	pid_t child = process_fork();

	if (child == 0 && trace != NULL)
		become_strace(trace, probe);
	if (child == 0) {
		process_default_signals();
		execvp(probe[0], (char *const *)probe);
		_exit(NOT_STARTED);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	return clock_now_ns() - start_ns;
}

/* Return the mean duration of the calls in a trace. */
static double mean_duration_ns(FILE *trace)
{
	char text[PATH_MAX], *end;
	struct strace_line line;
	uint64_t all_ns = 0, calls = 0, duration_ns;

	while (fgets(text, sizeof(text), trace) != NULL)
		if (strace_line_parse(text, strcspn(text, "\n"), &line) &&
		    line.kind == STRACE_CALL && strace_call_end(line.rest, &end, &duration_ns)) {
			all_ns += duration_ns;
			calls++;
		}
	return calls > 0 ? (double)all_ns / (double)calls : 0;
}

struct trace_cost capture_cost(void)
{
	struct trace_cost cost = {0};
	FILE *trace = tmpfile();
	char path[64];

	if (trace == NULL)
		return cost;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fileno(trace));
	cost.call_ns = -(double)time_probe(NULL);
	cost.call_ns = (cost.call_ns + (double)time_probe(path)) / PROBED;
	cost.within_ns = mean_duration_ns(trace);
	fclose(trace);
	if (cost.call_ns < cost.within_ns)
		cost = (struct trace_cost){0};
	return cost;
}
