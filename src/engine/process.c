/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/process.h"

#include "base/clock.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void waited_for(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	/* It continues the process all the same. */
	sigaddset(set, SIGCONT);
	/* nohup(1) has it ignored; blocked, it would come all the same. */
	if (sigaction(SIGHUP, NULL, &hangup) == 0 &&
	    hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

void process_block_signals(void)
{
	sigset_t set;

	waited_for(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* An ignored SIGCHLD, which can be inherited, would never come. */
	signal(SIGCHLD, SIG_DFL);
	/* A reader that goes away must not keep the files from removal. */
	signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow further is a write that fails. */
	signal(SIGXFSZ, SIG_IGN);
}

int process_wait_signal(uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	sigset_t set;
	int number;

	waited_for(&set);
	number = sigtimedwait(&set, NULL, &timeout);
	return number > 0 ? number : 0;
}

bool process_is_interrupt(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

pid_t process_fork(void)
{
	pid_t parent = getpid();
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* It may have died before that. */
		if (getppid() != parent)
			_exit(1);
	}
	return child;
}

static int give_up(pid_t child, const char *doing, const char *why,
		   struct error *error, int rc)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	error_set(error, "%s: %s", doing, why);
	return rc;
}

/* Waits for the child; returns 0 with its status, or -errno, `error` set. */
static int finish(pid_t child, uint64_t deadline_ns, bool interruptible,
		  const char *doing, int *status, struct error *error)
{
	const uint64_t slice_ns = 20 * NS_PER_MS;
	uint64_t waited_ns = 0;

	while (waitpid(child, status, WNOHANG) == 0) {
		int number = process_wait_signal(slice_ns);

		if (number == 0)
			waited_ns += slice_ns;
		if (process_is_interrupt(number) && interruptible)
			return give_up(child, doing, "interrupted", error,
				       -EINTR);
		if (waited_ns > deadline_ns)
			return give_up(child, doing, "no answer", error,
				       -ETIMEDOUT);
	}
	if (WIFEXITED(*status))
		return 0;
	error_set(error, "%s: its process was killed by signal %d (%s)", doing,
		  WTERMSIG(*status), strsignal(WTERMSIG(*status)));
	return -ECHILD;
}

int process_call(int (*function)(void *shared), void *shared,
		 uint64_t deadline_ns, bool interruptible, const char *doing,
		 struct error *error)
{
	pid_t child = process_fork();
	int status, rc;

	if (child < 0) {
		error_set(error, "fork: %s", strerror(-child));
		return child;
	}
	if (child == 0)
		_exit(-function(shared) & 0xff);
	rc = finish(child, deadline_ns, interruptible, doing, &status, error);
	return rc < 0 ? rc : -WEXITSTATUS(status);
}

/* The command is nobody's terminal, and finds its signals as they were. */
static void become_command(const char *text)
{
	int null_fd = open("/dev/null", O_RDONLY);
	sigset_t none;

	if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 ||
	    dup2(message_descriptor(), STDOUT_FILENO) < 0)
		_exit(126);
	/* Where standard input was closed, it is that already. */
	if (null_fd != STDIN_FILENO)
		close(null_fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

int process_command(const char *text, const char *option, struct error *error)
{
	pid_t child = process_fork();
	int status, rc;

	if (child < 0) {
		error_set(error, "fork: %s", strerror(-child));
		return child;
	}
	if (child == 0)
		become_command(text);
	rc = finish(child, CLOCK_NEVER, true, option, &status, error);
	if (rc < 0 || WEXITSTATUS(status) == 0)
		return rc;
	error_set(error, "%s: \"%s\" ended with status %d", option, text,
		  WEXITSTATUS(status));
	return -ECHILD;
}

void *process_share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	return memory;
}

void process_unshare(void *memory, size_t bytes)
{
	if (memory != NULL)
		munmap(memory, bytes);
}
