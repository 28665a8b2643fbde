/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/sampler.h"

#include "base/process.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Interval at which the process looks at the state of the point. */
#define SLICE_NS (20 * NS_PER_MS)
/* How long to wait for the end of commands that were killed. */
#define KILL_NS NS_PER_S
/* Number of seconds to have room for if the length of the window is unknown, and
 * for its last loop. */
enum { UNKNOWN_S = 24 * 3600, LAST_LOOP_S = 12 * 3600 };
/* The part of a command's output that is kept, and of its errors. The rest is
 * read and forgotten: READ_MAX bytes at once and, after the command has ended, at
 * most DRAIN_MAX. */
enum { OUTPUT_KEPT = 4096, STDERR_KEPT = 256, READ_MAX = 64 << 10, DRAIN_MAX = 1 << 20 };

/* In the place of a second: none. */
#define NONE UINT64_MAX

#define WHITE_SPACE " \t\r\n\f\v"

/* The memory that is shared with the parent. */
struct sampler_memory {
	uint32_t over; /* not 0: the process must end */
	size_t room;   /* number of seconds; later ones are dropped */
	char reasons[SAMPLER_COMMANDS][SAMPLER_REASON];
	struct sampler_value values[]; /* `room` of each command */
};

/* The output of a command, from a pipe. */
struct stream {
	int fd; /* -1: closed */
	size_t length;
	char text[OUTPUT_KEPT + 1];
};

/* A command, and its process. */
struct job {
	const char *text;
	pid_t pid;       /* of the shell; 0: it does not run */
	bool abandoned;  /* it was killed, but has not ended yet */
	uint64_t second; /* of the window, in which it was started; NONE: not yet */
	struct stream output, errors;
	struct sampler_value *values;
	char *reason;
};

/* The state of the process. */
struct sampling {
	struct sampler_memory *memory;
	const struct stats_run *run;
	unsigned users;
	const char *const *variables;
	struct job jobs[SAMPLER_COMMANDS];
	size_t count;
	pid_t parent;
};

bool sampler_parse(const char *text, double *number)
{
	static const char digits[] = "0123456789";
	const char *word = text + strspn(text, WHITE_SPACE);
	size_t length;

	for (; *word != '\0'; word += length, word += strspn(word, WHITE_SPACE)) {
		const char *first = word + strspn(word, "+-");
		char *end;

		length = strcspn(word, WHITE_SPACE);
		/* strtod() also accepts hex, "inf" and "nan". */
		if (first - word > 1 || strchr(digits, first[first[0] == '.']) == NULL ||
		    first[first[0] == '.'] == '\0' || (first[0] == '0' && (first[1] | 32) == 'x'))
			continue;
		*number = strtod(word, &end);
		if (end + strspn(end, "%,;:") == word + length)
			return fabs(*number) <= SAMPLER_MAX;
	}
	return false;
}

static bool is_over(const struct sampling *sampling, uint64_t now_ns)
{
	const struct stats_run *run = sampling->run;

	return __atomic_load_n(&sampling->memory->over, __ATOMIC_ACQUIRE) != 0 ||
	       (__atomic_load_n(&run->start_ns, __ATOMIC_ACQUIRE) > 0 && now_ns >= run->stop_ns) ||
	       __atomic_load_n(&run->finished, __ATOMIC_ACQUIRE) == sampling->users ||
	       __atomic_load_n(&run->stop, __ATOMIC_RELAXED) != 0 ||
	       getppid() != sampling->parent || process_wait_signal(0) == SIGTERM;
}

/* Keep the first reason. Leave out what does not fit. */
static void __attribute__((format(printf, 2, 3))) explain(struct job *job, const char *format, ...)
{
	va_list arguments;

	if (job->reason[0] != '\0')
		return;
	va_start(arguments, format);
	vsnprintf(job->reason, SAMPLER_REASON, format, arguments);
	va_end(arguments);
	utf8_mask(job->reason);
}

/* Return the first line of what a command wrote that is not empty. */
static char *first_line(struct stream *stream)
{
	char *line = stream->text + strspn(stream->text, WHITE_SPACE);

	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

/* Return false if the command has failed or has printed no number. */
static bool judge(struct job *job, int status, double *number)
{
	const char *line;

	if (WIFSIGNALED(status)) {
		explain(job, "was killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status) != 0) {
		line = first_line(&job->errors);
		explain(job, "exited with status %d%s%s", WEXITSTATUS(status),
			line[0] != '\0' ? ": " : "", line);
	} else if (sampler_parse(job->output.text, number)) {
		return true;
	} else {
		line = first_line(&job->output);
		explain(job, line[0] != '\0' ? "printed no number: \"%.64s\"" : "printed nothing",
			line);
	}
	return false;
}

static void close_stream(struct stream *stream)
{
	if (stream->fd >= 0)
		close(stream->fd);
	stream->fd = -1;
}

/* Read what a command has written, without waiting for more; at most `max`
 * bytes. Keep the first `kept`. */
static void drain(struct stream *stream, size_t kept, size_t max)
{
	char buffer[16 << 10];
	size_t total = 0, i;

	while (stream->fd >= 0 && total < max) {
		ssize_t bytes = read(stream->fd, buffer, sizeof(buffer));

		if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (bytes <= 0) {
			close_stream(stream);
			return;
		}
		for (i = 0; i < (size_t)bytes && stream->length < kept; i++)
			stream->text[stream->length++] = buffer[i] != '\0' ? buffer[i] : ' ';
		stream->text[stream->length] = '\0';
		total += (size_t)bytes;
	}
}

static void drain_job(struct job *job, size_t max)
{
	drain(&job->output, OUTPUT_KEPT, max);
	drain(&job->errors, STDERR_KEPT, max);
}

/* Open a pipe into an empty stream. Return the end to write to, or -errno. */
static int open_stream(struct stream *stream)
{
	int fds[2];

	*stream = (struct stream){.fd = -1};
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	stream->fd = fds[0];
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	return fds[1];
}

static void start_job(struct job *job, const char *const *variables, uint64_t second)
{
	const int output_fd = open_stream(&job->output);
	const int errors_fd = open_stream(&job->errors);
	pid_t pid = output_fd < 0 ? output_fd : errors_fd;

	if (pid >= 0)
		pid = process_spawn(job->text, variables, output_fd, errors_fd);
	if (output_fd >= 0)
		close(output_fd);
	if (errors_fd >= 0)
		close(errors_fd);
	job->second = second;
	job->abandoned = false;
	job->pid = pid > 0 ? pid : 0;
	if (pid > 0)
		return;
	explain(job, "could not be started: %s", strerror(-pid));
	close_stream(&job->output);
	close_stream(&job->errors);
}

/* A shell has ended, but was not waited for. End the rest of its process group,
 * and keep its number. */
static void finish_job(struct sampling *sampling, struct job *job, int status)
{
	struct sampler_value value = {0};

	kill(-job->pid, SIGKILL);
	drain_job(job, DRAIN_MAX);
	if (!job->abandoned)
		value.known = judge(job, status, &value.number);
	if (value.known && job->second < sampling->memory->room)
		job->values[job->second] = value;
	close_stream(&job->output);
	close_stream(&job->errors);
	job->pid = 0;
}

/* Handle the shells that have ended. */
static void reap(struct sampling *sampling)
{
	siginfo_t info = {0};
	size_t i;
	int status;

	/* As long as the shell is a zombie, no other group can have its
	 * number. */
	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
		pid_t pid = info.si_pid;

		status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0)
						    : W_EXITCODE(0, info.si_status);
		for (i = 0; i < sampling->count; i++)
			if (sampling->jobs[i].pid == pid)
				finish_job(sampling, &sampling->jobs[i], status);
		waitpid(pid, NULL, WNOHANG);
		info.si_pid = 0;
	}
}

/* Kill a command that still runs. */
static void abandon(struct job *job)
{
	if (job->pid == 0 || job->abandoned)
		return;
	explain(job, "took longer than a second");
	kill(-job->pid, SIGKILL);
	job->abandoned = true;
	close_stream(&job->output);
	close_stream(&job->errors);
}

/* Wait until a command has written, or for `timeout_ns`. */
static void wait_for_output(struct sampling *sampling, uint64_t timeout_ns)
{
	const struct timespec timeout = {.tv_nsec = (long)timeout_ns};
	struct pollfd fds[2 * SAMPLER_COMMANDS];
	nfds_t count = 0;
	size_t i;

	for (i = 0; i < sampling->count; i++) {
		const struct job *job = &sampling->jobs[i];

		if (job->output.fd >= 0)
			fds[count++] = (struct pollfd){job->output.fd, POLLIN, 0};
		if (job->errors.fd >= 0)
			fds[count++] = (struct pollfd){job->errors.fd, POLLIN, 0};
	}
	ppoll(fds, count, &timeout, NULL);
	for (i = 0; i < sampling->count; i++)
		drain_job(&sampling->jobs[i], READ_MAX);
}

/* Start the commands of the current second, unless this was done. Return the time
 * until the next second begins, but at most SLICE_NS. */
static uint64_t begin_second(struct sampling *sampling, uint64_t now_ns)
{
	const struct stats_run *run = sampling->run;
	uint64_t second, left_ns;
	size_t i;

	if (__atomic_load_n(&run->start_ns, __ATOMIC_ACQUIRE) == 0)
		return SLICE_NS;
	if (now_ns < run->measure_ns) {
		left_ns = run->measure_ns - now_ns;
		return left_ns < SLICE_NS ? left_ns : SLICE_NS;
	}
	second = (now_ns - run->measure_ns) / NS_PER_S;
	for (i = 0; i < sampling->count; i++) {
		struct job *job = &sampling->jobs[i];

		if (second != job->second)
			abandon(job);
		/* Some processes cannot be killed while their disk or server
		 * hangs: don't start more of them. */
		if (second != job->second && job->pid == 0)
			start_job(job, sampling->variables, second);
	}
	left_ns = NS_PER_S - (now_ns - run->measure_ns) % NS_PER_S;
	return left_ns < SLICE_NS ? left_ns : SLICE_NS;
}

/* Kill the commands that still run, and wait until they have ended, unless that
 * takes too long. */
static void end(struct sampling *sampling)
{
	uint64_t end_ns = clock_now_ns() + KILL_NS;
	size_t i;

	for (i = 0; i < sampling->count; i++)
		abandon(&sampling->jobs[i]);
	do
		reap(sampling);
	while (waitpid(-1, NULL, WNOHANG) >= 0 && clock_now_ns() < end_ns && poll(NULL, 0, 1) == 0);
}

static void sample(struct sampling *sampling)
{
	uint64_t now_ns;

	/* Kill the commands when the parent dies, before this process ends. Don't be
	 * killed together with the parent's process group. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	for (now_ns = clock_now_ns(); !is_over(sampling, now_ns); now_ns = clock_now_ns()) {
		wait_for_output(sampling, begin_second(sampling, now_ns));
		reap(sampling);
	}
	end(sampling);
}

/* Return the number of seconds to have room for. */
static size_t seconds_max(const struct phases *phases)
{
	if (phases->loops > 0)
		return UNKNOWN_S;
	return (size_t)(phases->time_ns / NS_PER_S) + 1 + (phases->whole_loops ? LAST_LOOP_S : 0);
}

void sampler_start(struct sampler *sampler, const struct sampler_commands *commands,
		   const struct phases *phases, const struct stats_run *run, unsigned users)
{
	size_t room = seconds_max(phases), i;
	pid_t parent = getpid();
	struct sampling *sampling;

	*sampler = (struct sampler){0};
	if (commands->count == 0)
		return;
	sampler->bytes = sizeof(struct sampler_memory) +
			 commands->count * room * sizeof(struct sampler_value);
	sampler->memory = process_share(sampler->bytes);
	sampling = calloc(1, sizeof(*sampling));
	if (sampler->memory == NULL || sampling == NULL) {
		free(sampling);
		return;
	}
	sampler->memory->room = room;
	*sampling = (struct sampling){
		.memory = sampler->memory,
		.run = run,
		.users = users,
		.variables = commands->variables,
		.count = commands->count,
		.parent = parent,
	};
	for (i = 0; i < commands->count; i++) {
		struct job *job = &sampling->jobs[i];

		job->text = commands->texts[i];
		job->second = NONE;
		job->output.fd = job->errors.fd = -1;
		job->values = &sampler->memory->values[i * room];
		job->reason = sampler->memory->reasons[i];
	}
	sampler->pid = process_fork();
	if (sampler->pid == 0) {
		sample(sampling);
		_exit(0);
	}
	for (i = 0; i < commands->count && sampler->pid < 0; i++)
		explain(&sampling->jobs[i], "could not be started: %s", strerror(-sampler->pid));
	free(sampling);
}

void sampler_stop(struct sampler *sampler)
{
	if (sampler->memory == NULL || sampler->pid <= 0)
		return;
	__atomic_store_n(&sampler->memory->over, 1, __ATOMIC_RELEASE);
	/* If it has died, it may have been waited for already. */
	while (waitpid(sampler->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	sampler->pid = 0;
}

struct sampler_value sampler_value(const struct sampler *sampler, size_t command, uint64_t second)
{
	const struct sampler_memory *memory = sampler->memory;

	if (memory == NULL || second >= memory->room)
		return (struct sampler_value){0};
	return memory->values[command * memory->room + second];
}

const char *sampler_reason(const struct sampler *sampler, size_t command)
{
	if (sampler->memory == NULL)
		return "was not run: out of memory";
	if (sampler->memory->reasons[command][0] == '\0')
		return "was not run in time";
	return sampler->memory->reasons[command];
}

void sampler_close(struct sampler *sampler)
{
	sampler_stop(sampler);
	process_unshare(sampler->memory, sampler->bytes);
	*sampler = (struct sampler){0};
}
