/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/tool.h"

#include "base/message.h"
#include "base/process.h"
#include "capture/capture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a child that could not execute the tool, as in shells. */
enum { NOT_FOUND = 127 };

/* Number of bytes at the end of a tool's messages that an error quotes. */
enum { QUOTED = 400 };

const struct tool tool_strace = {
	.name = "strace",
	.package = "strace",
	.version_option = "-V",
	.needs_major = 5, /* has --seccomp-bpf */
	.needs_minor = 3,
};

const struct tool tool_tshark = {
	.name = "tshark",
	.package = "tshark",
	.version_option = "--version",
};

/* Execute the tool in the child. `output` is its standard output. */
static void become_tool(const char *const *arguments, int input, int output, int messages)
{
	if (input < 0)
		input = open("/dev/null", O_RDONLY);
	if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(messages, message_descriptor()) < 0)
		_exit(126);
	process_default_signals();
	execvp(arguments[0], (char *const *)arguments);
	_exit(NOT_FOUND);
}

int tool_start(struct tool_run *run, const struct tool *tool, const char *const *arguments,
	       int input, struct error *error)
{
	int ends[2] = {-1, -1};
	int rc = 0;

	*run = (struct tool_run){.tool = tool, .pid = -1};
	/* If our parent ignored SIGCHLD, we could not wait for the tool. */
	signal(SIGCHLD, SIG_DFL);
	run->messages = memfd_create(tool->name, MFD_CLOEXEC);
	if (run->messages < 0 || pipe2(ends, O_CLOEXEC) < 0)
		rc = -errno;
	else if ((run->output = fdopen(ends[0], "r")) == NULL)
		rc = -ENOMEM;
	else
		rc = run->pid = process_fork();
	if (rc == 0 && run->pid == 0)
		become_tool(arguments, input, ends[1], run->messages);
	if (ends[1] >= 0)
		close(ends[1]);
	if (rc >= 0)
		return 0;
	error_set(error, "cannot start %s: %s", tool->name, strerror(-rc));
	if (run->output != NULL)
		fclose(run->output);
	else if (ends[0] >= 0)
		close(ends[0]);
	if (run->messages >= 0)
		close(run->messages);
	return rc;
}

/* Describe in `error` how the tool has ended, with its last message. */
static void describe_end(const struct tool_run *run, int status, struct error *error)
{
	char text[QUOTED + 1], lead[TOOL_VERSION], *message = text, *next;
	off_t end = lseek(run->messages, 0, SEEK_END);
	ssize_t length = pread(run->messages, text, QUOTED, end > QUOTED ? end - QUOTED : 0);

	text[length > 0 ? length : 0] = '\0';
	snprintf(lead, sizeof(lead), "%s: ", run->tool->name);
	while ((next = strstr(message, lead)) != NULL)
		message = next + strlen(lead);
	for (next = message; *next != '\0'; next++)
		if (isspace((unsigned char)*next))
			*next = ' ';
	while (next > message && next[-1] == ' ')
		*--next = '\0';
	if (WIFSIGNALED(status))
		error_set(error, "%s was killed by signal %d (%s)", run->tool->name,
			  WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		error_set(error, "%s failed with status %d: %s", run->tool->name,
			  WEXITSTATUS(status), message);
}

int tool_finish(struct tool_run *run, struct error *error)
{
	bool ended = feof(run->output) != 0;
	int status = 0, rc = 0;

	fclose(run->output);
	if (!ended)
		kill(run->pid, SIGKILL);
	waitpid(run->pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
		error_set(error, "%s is not installed (Debian package %s)", run->tool->name,
			  run->tool->package);
		rc = -ENOENT;
	} else if (ended && status != 0) {
		describe_end(run, status, error);
		rc = -EIO;
	}
	close(run->messages);
	return rc;
}

/* Find the version in the first line that the tool prints. */
static void find_version(const char *line, char version[TOOL_VERSION])
{
	const char *digits = line + strcspn(line, "0123456789");

	snprintf(version, TOOL_VERSION, "%.*s", (int)strspn(digits, "0123456789."), digits);
}

int tool_version(const struct tool *tool, char version[TOOL_VERSION], struct error *error)
{
	const char *const arguments[] = {tool->name, tool->version_option, NULL};
	char line[256] = "", rest[256];
	unsigned major = 0, minor = 0;
	struct tool_run run;
	int rc = tool_start(&run, tool, arguments, -1, error);

	if (rc < 0)
		return rc;
	if (fgets(line, sizeof(line), run.output) != NULL)
		while (fgets(rest, sizeof(rest), run.output) != NULL)
			;
	rc = tool_finish(&run, error);
	find_version(line, version);
	if (rc < 0 || sscanf(version, "%u.%u", &major, &minor) < 1 || major > tool->needs_major ||
	    (major == tool->needs_major && minor >= tool->needs_minor))
		return rc;
	error_set(error, "%s %s is too old; %u.%u or later is needed", tool->name, version,
		  tool->needs_major, tool->needs_minor);
	return -EINVAL;
}

static void print_tool(const struct tool *tool, FILE *stream)
{
	char version[TOOL_VERSION];
	struct error error = {0};
	int rc = tool_version(tool, version, &error);

	fprintf(stream, "%-9s ", tool->name);
	if (rc == -ENOENT)
		fprintf(stream, "not found (Debian package %s)\n", tool->package);
	else
		fprintf(stream, "%s\n", rc < 0 ? error.text : version);
}

void capture_print_tools(FILE *stream)
{
	print_tool(&tool_strace, stream);
	print_tool(&tool_tshark, stream);
}
