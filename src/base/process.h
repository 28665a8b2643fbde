/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forks, signals and helper processes. Signals are waited for, never handled.
 * A helper process does work that must not leave traces in the parent.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Block the signals that process_wait_signal() waits for: SIGCHLD, SIGCONT,
 * SIGINT, SIGTERM, and SIGHUP unless it is ignored. Children inherit this, so
 * only the parent reacts to an interrupt. Ignore SIGPIPE and SIGXFSZ. Call this
 * before the first fork; a second call is harmless.
 */
void process_block_signals(void);

/*
 * Wait for one of these signals, at most `timeout_ns`. Returns its number, or 0
 * after a timeout.
 */
int process_wait_signal(uint64_t timeout_ns);

/* Does this signal ask the run to end? */
bool process_is_interrupt(int number);

/*
 * Fork a child that is killed when its parent dies, however that happens.
 * Returns as fork(2) does, or -errno.
 */
pid_t process_fork(void);

/*
 * Call `function` in a helper process and wait until it ends. `shared` and
 * `progress` must lie in shared memory; `progress` may be NULL. The process is
 * killed on an interrupt (with `interruptible`), and when `deadline_ns` have
 * passed since the start or since the last change of *progress. Returns what
 * `function` returns, or -errno with `error` set: -EINTR or -ETIMEDOUT if it
 * was killed for that reason, -ECHILD if its process ended before the function
 * returned, whatever its status (a library may call exit). `doing` names the
 * call in messages.
 */
int process_call(int (*function)(void *shared), void *shared,
		 uint64_t deadline_ns, const uint64_t *progress,
		 bool interruptible, const char *doing, struct error *error);

/*
 * Run a user's command with sh -c in its own process group, and wait until the
 * shell ends. Its input is /dev/null, its output goes to stderr, and its
 * background processes stay. `option` names the command in messages. Returns 0,
 * or -errno with `error` set: the command failed, was interrupted, or took
 * longer than `deadline_ns`.
 *
 * After an interrupt or a timeout the whole group gets SIGTERM, and SIGKILL
 * 2 seconds later. The same happens when the parent dies, even by SIGKILL. A
 * process that has left the group (setsid, a daemon) or belongs to another user
 * survives. So does the group if SIGKILL hits the helper process that guards
 * it.
 */
int process_command(const char *text, const char *option, uint64_t deadline_ns,
		    struct error *error);

/*
 * Send an open descriptor to the parent or to a helper process through a
 * socket pair (AF_UNIX). Returns 0 or -errno.
 */
int process_send_descriptor(int socket_fd, int fd);

/*
 * Receive the descriptor that was sent, without waiting. Returns it, or -1 if
 * there is none.
 */
int process_receive_descriptor(int socket_fd);

/*
 * Allocate anonymous shared memory, all zeros, or return NULL. Free it with
 * process_unshare().
 */
void *process_share(size_t bytes);
void process_unshare(void *memory, size_t bytes);

#endif
