/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/process.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time between SIGTERM and SIGKILL for a command. */
#define COMMAND_GRACE_NS (2 * NS_PER_S)

/* Fill the set of signals that process_wait_signal() waits for. */
static void fill_waited_signals(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	/* SIGCONT continues a stopped process even if it is blocked. */
	sigaddset(set, SIGCONT);
	/* nohup(1) makes us ignore SIGHUP. Don't wait for it then, because
	 * sigtimedwait() returns blocked signals even if they are ignored. */
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

/* The size that the stack may have, at least: 1 MiB. The largest frames need
 * 0.2 MB. */
enum { STACK_BYTES_MIN = 1 << 20 };

int process_check_stack(struct error *error)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= STACK_BYTES_MIN)
		return 0;
	limit.rlim_cur = STACK_BYTES_MIN;
	if (limit.rlim_max < STACK_BYTES_MIN)
		limit.rlim_max = STACK_BYTES_MIN;
	if (setrlimit(RLIMIT_STACK, &limit) == 0)
		return 0;
	error_set(error, "the stack is limited to less than %d KiB; raise the limit (ulimit -s %d)",
		  STACK_BYTES_MIN >> 10, STACK_BYTES_MIN >> 10);
	return -EPERM;
}

void process_block_signals(void)
{
	sigset_t set;

	fill_waited_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* If our parent ignores SIGCHLD, we inherit that, and SIGCHLD would
	 * never arrive here. */
	signal(SIGCHLD, SIG_DFL);
	/* A write to a closed pipe must not kill us before the clean-up. */
	signal(SIGPIPE, SIG_IGN);
	/* A write beyond the file size limit must fail with EFBIG and not kill
	 * us. */
	signal(SIGXFSZ, SIG_IGN);
}

void process_default_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

int process_wait_signal(uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	sigset_t set;
	int number;

	fill_waited_signals(&set);
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
		/* If the parent died before the prctl(), no signal will come:
		 * exit. */
		if (getppid() != parent)
			_exit(1);
	}
	return child;
}

/* A call of a function in a helper process (see process_call). */
struct call {
	int (*function)(void *shared);
	void *shared;
	uint64_t deadline_ns, total_ns;
	const uint64_t *progress; /* may be NULL */
	bool interruptible;
	int end_signal;      /* the signal that ends the helper process */
	const char *doing;   /* names the call in messages */
	const char *late;    /* the message if the deadline is missed */
	const char *endless; /* the message if the call takes total_ns */
};

/*
 * Wait until the child has ended. On an interrupt (if call->interruptible) or
 * after a deadline, send it call->end_signal, which must end it. The first
 * deadline starts again at each change of *progress. Return 0, or -EINTR or
 * -ETIMEDOUT with *why set.
 */
static int wait_for_end(const struct call *call, pid_t child, int *status, const char **why)
{
	const uint64_t slice_ns = 20 * NS_PER_MS;
	uint64_t waited_ns = 0, total_ns = 0, seen = 0;

	*why = NULL;
	while (waitpid(child, status, WNOHANG) == 0) {
		int number = process_wait_signal(slice_ns);
		bool interrupted = process_is_interrupt(number) && call->interruptible;

		if (number == 0) {
			waited_ns += slice_ns;
			total_ns += slice_ns;
		}
		if (call->progress != NULL && *call->progress != seen) {
			seen = *call->progress;
			waited_ns = 0;
		}
		if (interrupted)
			*why = "interrupted";
		else if (waited_ns > call->deadline_ns)
			*why = call->late;
		else if (total_ns > call->total_ns)
			*why = call->endless;
		if (*why == NULL)
			continue;
		kill(child, call->end_signal);
		waitpid(child, status, 0);
		return interrupted ? -EINTR : -ETIMEDOUT;
	}
	return 0;
}

/* Describe in `error` how a helper process ended early. Return -ECHILD. */
static int describe_end(int status, const char *doing, struct error *error)
{
	if (WIFSIGNALED(status))
		error_set(error, "the helper process for %s was killed by signal %d (%s)", doing,
			  WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		error_set(error, "the helper process for %s exited with status %d", doing,
			  WEXITSTATUS(status));
	return -ECHILD;
}

/* The function's return value, in shared memory. */
struct answer {
	bool returned; /* false: a library ended the process */
	int rc;
};

static int wait_for_answer(const struct call *call, pid_t child, const struct answer *answer,
			   struct error *error)
{
	const char *why;
	int status = 0;
	int rc = wait_for_end(call, child, &status, &why);

	if (rc < 0) {
		error_set(error, "%s: %s", call->doing, why);
		return rc;
	}
	return answer->returned ? answer->rc : describe_end(status, call->doing, error);
}

static int make_call(const struct call *call, struct error *error)
{
	struct answer *answer = process_share(sizeof(*answer));
	pid_t child;
	int rc;

	if (answer == NULL)
		return error_no_memory(error);
	child = process_fork();
	if (child == 0) {
		answer->rc = call->function(call->shared);
		answer->returned = true;
		_exit(0);
	}
	rc = child;
	if (child < 0)
		error_set(error, "cannot fork a helper process for %s: %s", call->doing,
			  strerror(-child));
	else
		rc = wait_for_answer(call, child, answer, error);
	process_unshare(answer, sizeof(*answer));
	return rc;
}

int process_call(int (*function)(void *shared), void *shared, uint64_t deadline_ns,
		 const uint64_t *progress, uint64_t total_ns, bool interruptible, const char *doing,
		 struct error *error)
{
	char late[64], endless[64], duration[UNITS_TEXT];
	const struct call call = {
		.function = function,
		.shared = shared,
		.deadline_ns = deadline_ns,
		.total_ns = total_ns,
		.progress = progress,
		.interruptible = interruptible,
		.end_signal = SIGKILL,
		.doing = doing,
		.late = late,
		.endless = endless,
	};

	snprintf(late, sizeof(late), "no answer for %s",
		 units_print_duration(deadline_ns, duration));
	snprintf(endless, sizeof(endless), "no end after %s",
		 units_print_duration(total_ns, duration));
	return make_call(&call, error);
}

/*
 * Execute a command in a shell, without input, with default signals, in its own
 * process group. Ignore SIGTTIN and SIGTTOU: they would stop the command, a
 * background process, when it uses the terminal, and nobody would continue it.
 */
static void become_command(const char *text, const char *const *variables, int output_fd,
			   int error_fd)
{
	int null_fd = open("/dev/null", O_RDONLY);

	if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 || dup2(output_fd, STDOUT_FILENO) < 0 ||
	    dup2(error_fd, message_descriptor()) < 0)
		_exit(126);
	/* If standard input was closed, open() has returned descriptor 0
	 * itself: keep it. */
	if (null_fd != STDIN_FILENO)
		close(null_fd);
	setpgid(0, 0);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	process_default_signals();
	for (; variables != NULL && *variables != NULL; variables++)
		putenv((char *)*variables);
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

pid_t process_spawn(const char *text, const char *const *variables, int output_fd, int error_fd)
{
	pid_t shell = process_fork();

	if (shell == 0)
		become_command(text, variables, output_fd, error_fd);
	/* The shell makes the same call, as either process may run first. */
	if (shell > 0)
		setpgid(shell, shell);
	return shell;
}

/* End the process group of a shell. The shell must not have been reaped. */
static void end_group(pid_t shell, int *status)
{
	uint64_t end_ns = clock_now_ns() + COMMAND_GRACE_NS;

	kill(-shell, SIGTERM);
	/* Also continue stopped processes: they act on SIGTERM only then. */
	kill(-shell, SIGCONT);
	while (clock_now_ns() < end_ns && kill(-shell, 0) == 0) {
		process_wait_signal(20 * NS_PER_MS);
		waitpid(shell, status, WNOHANG);
	}
	kill(-shell, SIGKILL);
}

/* A command and the exit status of its shell, in shared memory. */
struct command {
	const char *text;
	const char *const *variables; /* as in process_command */
	int status;                   /* from waitpid() */
};

/*
 * Run a command and guard its process group: end the group on SIGTERM. The
 * parent sends SIGTERM, or the kernel does when the parent dies. The guard has
 * a process group of its own, so that signals to the groups of the parent and
 * the command do not reach it.
 */
static int guard(void *shared)
{
	struct command *command = shared;
	pid_t shell;

	setpgid(0, 0);
	/*
	 * process_fork() has asked the kernel to send SIGKILL when the parent
	 * dies. Ask for SIGTERM instead, so that this process can end the group
	 * first.
	 */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	shell = process_spawn(command->text, command->variables, message_descriptor(),
			      message_descriptor());
	if (shell < 0)
		return shell;
	while (waitpid(shell, &command->status, WNOHANG) == 0)
		if (process_wait_signal(NS_PER_S) == SIGTERM)
			end_group(shell, &command->status);
	return 0;
}

/* Check that a command succeeded. Return 0, or -ECHILD with `error` set. */
static int check_command(const struct command *command, const char *option, struct error *error)
{
	int status = command->status;

	if (WIFSIGNALED(status))
		error_set(error, "%s: the command \"%s\" was killed by signal %d (%s)", option,
			  command->text, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == 0)
		return 0;
	else
		error_set(error, "%s: the command \"%s\" exited with status %d", option,
			  command->text, WEXITSTATUS(status));
	return -ECHILD;
}

int process_command(const char *text, const char *const *variables, const char *option,
		    uint64_t deadline_ns, struct error *error)
{
	struct command *command = process_share(sizeof(*command));
	char late[sizeof(error->text)];
	const struct call call = {
		.function = guard,
		.shared = command,
		.deadline_ns = deadline_ns,
		.total_ns = CLOCK_NEVER,
		.interruptible = true,
		.end_signal = SIGTERM,
		.doing = option,
		.late = late,
	};
	int rc;

	if (command == NULL)
		return error_no_memory(error);
	command->text = text;
	command->variables = variables;
	snprintf(late, sizeof(late), "\"%s\" did not end within %" PRIu64 " s and was killed", text,
		 deadline_ns / NS_PER_S);
	rc = make_call(&call, error);
	if (rc == 0)
		rc = check_command(command, option, error);
	else
		error_set(error, "%s: cannot run the command \"%s\": %s", option, text,
			  strerror(-rc));
	process_unshare(command, sizeof(*command));
	return rc;
}

/* A control message with room for one descriptor. */
union descriptor_message {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int process_send_descriptor(int socket_fd, int fd)
{
	union descriptor_message control = {0};
	struct iovec byte = {.iov_base = "", .iov_len = 1};
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(socket_fd, &message, 0) < 0 ? -errno : 0;
}

int process_receive_descriptor(int socket_fd)
{
	union descriptor_message control = {0};
	char byte;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;
	int fd = -1;

	if (recvmsg(socket_fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

void *process_share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	return memory;
}

void process_unshare(void *memory, size_t bytes)
{
	if (memory != NULL)
		munmap(memory, bytes);
}
