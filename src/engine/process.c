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

/*
 * Wait until the child has ended. It is given up at an interrupt (with
 * `interruptible`), or `deadline_ns` after it began or *progress last changed:
 * it is sent `ending`, which it obeys. Returns 0, -EINTR or -ETIMEDOUT.
 */
static int finish(pid_t child, uint64_t deadline_ns,
		  const uint64_t *progress, bool interruptible,
		  int ending, int *status)
{
	const uint64_t slice_ns = 20 * NS_PER_MS;
	uint64_t waited_ns = 0, seen = 0;
	int rc = 0;

	while (waitpid(child, status, WNOHANG) == 0) {
		int number = process_wait_signal(slice_ns);

		if (number == 0)
			waited_ns += slice_ns;
		if (progress != NULL && *progress != seen) {
			seen = *progress;
			waited_ns = 0;
		}
		if (process_is_interrupt(number) && interruptible)
			rc = -EINTR;
		else if (waited_ns > deadline_ns)
			rc = -ETIMEDOUT;
		if (rc == 0)
			continue;
		kill(child, ending);
		waitpid(child, status, 0);
		break;
	}
	return rc;
}

/* Says how a process ended that was to do something else. */
static int refuse_end(int status, const char *doing, struct error *error)
{
	if (WIFSIGNALED(status))
		error_set(error, "%s: its process was killed by signal %d (%s)",
			  doing, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		error_set(error, "%s: its process ended by itself with status "
			  "%d", doing, WEXITSTATUS(status));
	return -ECHILD;
}

/* A call in a process of its own. */
struct call {
	int (*function)(void *shared);
	void *shared;
	uint64_t deadline_ns;
	const uint64_t *progress; /* or NULL */
	bool interruptible;
	int ending; /* the signal that ends the process */
	const char *doing, *late; /* for messages; `late`: after the deadline */
};

/* A function's return, in shared memory. */
struct answer {
	bool returned; /* else a library has ended the process */
	int rc;
};

static int wait_for_answer(const struct call *call, pid_t child,
			   const struct answer *answer, struct error *error)
{
	int status = 0;
	int rc = finish(child, call->deadline_ns, call->progress,
			call->interruptible, 			call->ending, &status);

	if (rc < 0) {
		error_set(error, "%s: %s", call->doing,
			  rc == -EINTR ? "interrupted" : call->late);
		return rc;
	}
	return answer->returned ? answer->rc
				: refuse_end(status, call->doing, error);
}

static int make_call(const struct call *call, struct error *error)
{
	struct answer *answer = process_share(sizeof(*answer));
	pid_t child;
	int rc;

	if (answer == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	child = process_fork();
	if (child == 0) {
		answer->rc = call->function(call->shared);
		answer->returned = true;
		_exit(0);
	}
	rc = child;
	if (child < 0)
		error_set(error, "fork: %s", strerror(-child));
	else
		rc = wait_for_answer(call, child, answer, error);
	process_unshare(answer, sizeof(*answer));
	return rc;
}

int process_call(int (*function)(void *shared), void *shared,
		 uint64_t deadline_ns, const uint64_t *progress,
		 bool interruptible, const char *doing, struct error *error)
{
	const struct call call = {
		.function = function,
		.shared = shared,
		.deadline_ns = deadline_ns,
		.progress = progress,
		.interruptible = interruptible,
		.ending = SIGKILL,
		.doing = doing,
		.late = "no answer",
	};

	return make_call(&call, error);
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
	int status = 0, rc;

	if (child < 0) {
		error_set(error, "fork: %s", strerror(-child));
		return child;
	}
	if (child == 0)
		become_command(text);
	rc = finish(child, CLOCK_NEVER, NULL, true, SIGKILL, &status);
	if (rc < 0) {
		error_set(error, "%s: interrupted", option);
		return rc;
	}
	if (WIFSIGNALED(status))
		return refuse_end(status, option, error);
	if (WEXITSTATUS(status) == 0)
		return 0;
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
