/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/launcher.h"

#include "base/message.h"
#include "base/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A launcher that has a name, and its words. The user's own ones never ask for
 * anything: there is nobody who could answer. */
static const struct known {
	const char *name, *words;
	const char *variable; /* is in the environment of its jobs; NULL: of none */
} known[] = {
	/* --overlap: the job's processors are those of the step that we are in.
	 * Without the other option, one task gets one processor. */
	{"srun", "srun -N1 -n1 --overlap --cpu-bind=none --quiet -w %h", "SLURM_JOB_ID"},
	{"mpiexec", NULL, "PBS_JOBID"},
	{"mpiexec", NULL, "LSB_JOBID"},
	{"ssh", "ssh -o BatchMode=yes -T %h", NULL},
};

/* The words after mpiexec or mpirun, by what its --version says. Open MPI would bind the
 * process, with all users, to one core. */
static const struct mpiexec {
	const char *says, *words;
} mpiexecs[] = {
	{"OpenRTE", "--bind-to none -n 1 -host %h"}, /* Open MPI 4 */
	{"Open MPI", "--bind-to none -n 1 -host %h"},
	{"HYDRA", "-bind-to none -n 1 -hosts %h"}, /* MPICH */
	{"", "-n 1 -host %h"},
};

enum { KNOWN = sizeof(known) / sizeof(known[0]), VERSION_BYTES = 4096 };

/* Return the last component of a path. */
static const char *name_of(const char *path)
{
	return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
}

/* Check if a text is the name of an mpiexec, such as mpiexec.mpich. */
static bool is_mpiexec(const char *text)
{
	const char *name = name_of(text);

	return (strncmp(name, "mpiexec", 7) == 0 || strncmp(name, "mpirun", 6) == 0) &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-")] == '\0';
}

/* Return the words for an mpiexec, allocated; or NULL if memory is short. */
static char *words_of_mpiexec(const char *name)
{
	const struct mpiexec *mpiexec = mpiexecs;
	char *command, *words, says[VERSION_BYTES] = "";
	FILE *pipe;

	if (asprintf(&command, "%s --version 2>/dev/null </dev/null", name) < 0)
		return NULL;
	pipe = popen(command, "re");
	free(command);
	if (pipe != NULL) {
		says[fread(says, 1, sizeof(says) - 1, pipe)] = '\0';
		pclose(pipe);
	}
	while (strstr(says, mpiexec->says) == NULL)
		mpiexec++;
	return asprintf(&words, "%s %s", name, mpiexec->words) < 0 ? NULL : words;
}

/* Return the words of a launcher, allocated; or NULL if memory is short. */
static char *words_of(const char *text)
{
	const char *words = text;
	size_t i;

	for (i = 0; i < KNOWN; i++) {
		if (text == NULL ? known[i].variable != NULL && getenv(known[i].variable) == NULL
				 : strcmp(text, known[i].name) != 0)
			continue;
		text = known[i].name;
		words = known[i].words;
		break;
	}
	return is_mpiexec(text) ? words_of_mpiexec(text) : strdup(words);
}

int launcher_parse(const char *text, struct launcher *launcher, struct error *error)
{
	char *word, *rest;
	size_t count = 0;

	*launcher = (struct launcher){.text = words_of(text)};
	if (launcher->text == NULL)
		return error_no_memory(error);
	for (word = strtok_r(launcher->text, " \t\n", &rest); word != NULL;
	     word = strtok_r(NULL, " \t\n", &rest)) {
		if (count == LAUNCHER_WORDS_MAX - 1) {
			error_set(error, "--launcher: the command has more than %d words",
				  LAUNCHER_WORDS_MAX - 1);
			return -E2BIG;
		}
		launcher->has_host |= strstr(word, "%h") != NULL;
		launcher->words[count++] = word;
	}
	if (count > 0)
		return 0;
	error_set(error, "--launcher: expected ssh, srun, mpiexec, or a command");
	return -EINVAL;
}

bool launcher_is_plain(const struct launcher *launcher)
{
	const char *name = name_of(launcher->words[0]);

	return strcmp(name, "ssh") == 0 || strcmp(name, "srun") == 0;
}

void launcher_free(struct launcher *launcher)
{
	free(launcher->text);
	*launcher = (struct launcher){0};
}

/* Return a copy of a word with the host in the place of %h, or NULL if memory is
 * short. */
static char *put_host(const char *word, const char *host)
{
	const char *at = strstr(word, "%h");
	char *text;

	if (at == NULL)
		return strdup(word);
	if (asprintf(&text, "%.*s%s%s", (int)(at - word), word, host, at + 2) < 0)
		return NULL;
	return text;
}

/* The pipes of a launcher: [0] is read from. */
struct pipes {
	int in[2], out[2], err[2];
};

static void close_pipes(const struct pipes *pipes)
{
	const int *fds = pipes->in;
	size_t i;

	for (i = 0; i < sizeof(*pipes) / sizeof(int); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Become the launcher. */
static void execute(const struct launcher *launcher, const char *host, const char *program,
		    const struct pipes *pipes)
{
	char *words[LAUNCHER_WORDS_MAX + 4];
	struct error error = {0};
	size_t count = 0, i;

	setpgid(0, 0);
	process_default_signals();
	for (i = 0; launcher->words[i] != NULL; i++)
		words[count++] = put_host(launcher->words[i], host);
	if (!launcher->has_host)
		words[count++] = strdup(host);
	words[count++] = strdup(program);
	words[count++] = strdup("host");
	words[count] = NULL;
	for (i = 0; i < count; i++)
		if (words[i] == NULL)
			_exit(127);
	dup2(pipes->in[0], STDIN_FILENO);
	dup2(pipes->out[1], STDOUT_FILENO);
	dup2(pipes->err[1], message_descriptor());
	execvp(words[0], words);
	error_set(&error, "cannot run %s: %s", words[0], strerror(errno));
	message_error(&error);
	_exit(127);
}

int launcher_start(const struct launcher *launcher, const char *host, const char *program,
		   struct launched *launched, struct link *link, struct error *error)
{
	struct pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
	pid_t pid = -1;

	*launched = (struct launched){.err_fd = -1};
	if (pipe2(pipes.in, O_CLOEXEC) == 0 && pipe2(pipes.out, O_CLOEXEC) == 0 &&
	    pipe2(pipes.err, O_CLOEXEC | O_NONBLOCK) == 0)
		pid = process_fork();
	if (pid == 0)
		execute(launcher, host, program, &pipes);
	if (pid < 0) {
		int rc = errno > 0 ? -errno : -EAGAIN;

		error_set(error, "%s: cannot start %s: %s", host, launcher->words[0],
			  strerror(-rc));
		close_pipes(&pipes);
		return rc;
	}
	setpgid(pid, pid);
	close(pipes.in[0]);
	close(pipes.out[1]);
	close(pipes.err[1]);
	launched->pid = pid;
	launched->err_fd = pipes.err[0];
	link_open(link, pipes.out[0], pipes.in[1]);
	return 0;
}

/* Keep the end of what it says. */
static void keep(struct launched *launched, const char *bytes, size_t count)
{
	size_t have = strlen(launched->says), room = sizeof(launched->says) - 1;

	if (count > room) {
		bytes += count - room;
		count = room;
	}
	if (have + count > room) {
		size_t drop = have + count - room;

		memmove(launched->says, launched->says + drop, have - drop + 1);
		have -= drop;
	}
	memcpy(launched->says + have, bytes, count);
	launched->says[have + count] = '\0';
}

void launcher_look(struct launched *launched)
{
	char bytes[LAUNCHER_SAYS];
	ssize_t got = 0;

	while (launched->err_fd >= 0 && (got = read(launched->err_fd, bytes, sizeof(bytes))) != 0) {
		if (got < 0)
			break;
		keep(launched, bytes, strnlen(bytes, (size_t)got));
	}
	if (launched->err_fd >= 0 && got == 0) {
		close(launched->err_fd);
		launched->err_fd = -1;
	}
	if (launched->pid > 0 && waitpid(launched->pid, &launched->status, WNOHANG) != 0)
		launched->pid = 0;
}

void launcher_quote(const struct launched *launched, char text[LAUNCHER_SAYS])
{
	const char *at = launched->says;
	size_t length = 0;

	text[0] = '\0';
	while (*at != '\0') {
		int bytes = (int)strcspn(at, "\r\n");
		const char *letter = at;

		while (letter < at + bytes && !isalnum((unsigned char)*letter))
			letter++;
		/* Leave out lines that only separate others. */
		if (letter < at + bytes && length < LAUNCHER_SAYS)
			length += (size_t)snprintf(text + length, LAUNCHER_SAYS - length, "%s%.*s",
						   length > 0 ? " / " : "", bytes, at);
		at += bytes + strspn(at + bytes, "\r\n");
	}
}

void launcher_kill(const struct launched *launched, int number)
{
	if (launched->pid > 0)
		kill(-launched->pid, number);
}

void launcher_close(struct launched *launched)
{
	if (launched->err_fd >= 0)
		close(launched->err_fd);
	launched->err_fd = -1;
}
