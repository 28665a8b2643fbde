/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forks, signals and helper processes. throng has no signal handlers: it blocks
 * the signals and waits for them. A helper process does work that must not
 * leave traces in the parent, such as threads or open files of a client
 * library.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Raise the limit of the stack's size (ulimit -s) if it is less than throng and
 * its client libraries may need. Return 0, or -EPERM with `error` set. */
int process_check_stack(struct error *error);

/*
 * Block the signals that process_wait_signal() waits for: SIGCHLD, SIGCONT,
 * SIGINT, SIGTERM, and SIGHUP unless it is ignored. Children inherit the
 * blocked signals, so only the parent reacts to an interrupt. Also ignore
 * SIGPIPE and SIGXFSZ. Call this before the first fork; a second call is
 * harmless.
 */
void process_block_signals(void);

/* Undo this in a child that will execute another program. Signals that our own
 * parent ignored stay so, except for SIGCHLD, SIGPIPE and SIGXFSZ. */
void process_default_signals(void);

/*
 * Wait up to `timeout_ns` for one of the signals that process_block_signals()
 * blocks. Return its number, or 0 after a timeout.
 */
int process_wait_signal(uint64_t timeout_ns);

/* Is this a signal that ends the run: SIGINT, SIGTERM or SIGHUP? */
bool process_is_interrupt(int number);

/*
 * Fork a child that the kernel kills when its parent dies for any reason.
 * Return the same as fork(2), but -errno instead of -1.
 */
pid_t process_fork(void);

/*
 * Call `function` in a helper process and wait until that process ends. Kill
 * the process when it has made no progress for `deadline_ns`, or, if
 * `interruptible`, on an interrupt. A change of *progress starts the deadline
 * again; if `progress` is NULL, the whole call must end within `deadline_ns`.
 * In any case, it must end within `total_ns` (CLOCK_NEVER: no limit). `shared`
 * and `progress` must be in shared memory. `doing` names the call in messages.
 *
 * Return what `function` returns, or -errno with `error` set: -EINTR after an
 * interrupt, -ETIMEDOUT after the deadline, -ECHILD if the process ended before
 * the function returned, for example because a library called exit().
 */
int process_call(int (*function)(void *shared), void *shared, uint64_t deadline_ns,
		 const uint64_t *progress, uint64_t total_ns, bool interruptible, const char *doing,
		 struct error *error);

/*
 * Run a user's command with sh -c in its own process group, and wait until the
 * shell ends. The command's input is /dev/null, its output goes to stderr, and
 * its background processes continue to run. It inherits the environment, and
 * gets the `variables`, texts "NAME=VALUE" ended by NULL; NULL: none. `option`
 * names the command in messages. Return 0, or -errno with `error` set if the
 * command failed, was interrupted, or took longer than `deadline_ns`.
 *
 * After an interrupt or a timeout the whole group gets SIGTERM, and SIGKILL
 * 2 seconds later. The same happens when the parent dies, even by SIGKILL. A
 * process of the command survives if it has left the group (setsid, a daemon)
 * or belongs to another user. The whole group survives if somebody uses SIGKILL
 * on the helper process that guards the group.
 */
int process_command(const char *text, const char *const *variables, const char *option,
		    uint64_t deadline_ns, struct error *error);

/*
 * Start a user's command as process_command() does, but with its output and its
 * errors in these descriptors, and without a guard: when this process dies, only
 * the shell is killed. Return the shell's PID, which is also that of its process
 * group, or -errno.
 */
pid_t process_spawn(const char *text, const char *const *variables, int output_fd, int error_fd);

/*
 * Send an open descriptor to the parent or to a helper process through a
 * socket pair (AF_UNIX). Return 0 or -errno.
 */
int process_send_descriptor(int socket_fd, int fd);

/*
 * Receive a descriptor that process_send_descriptor() has sent, without
 * waiting. Return the descriptor, or -1 if none has arrived.
 */
int process_receive_descriptor(int socket_fd);

/*
 * Allocate anonymous shared memory, set to zero. Return NULL on failure. Free
 * it with process_unshare().
 */
void *process_share(size_t bytes);
void process_unshare(void *memory, size_t bytes);

#endif
