/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes of the engine: signals are waited for, never handled; a helper
 * process does what must not leave a trace in the parent.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Blocks the signals that are waited for (SIGCHLD, SIGCONT, SIGINT, SIGTERM,
 * and SIGHUP unless it is ignored); children inherit it, so that the parent
 * alone decides what an interrupt means. Ignores SIGPIPE and SIGXFSZ. To be
 * called before the first fork; once more does no harm.
 */
void process_block_signals(void);

/*
 * Waits for one of them, at most `timeout_ns`. Returns its number, or 0 when
 * the time is over.
 */
int process_wait_signal(uint64_t timeout_ns);

/* Is it one that asks the run to end? */
bool process_is_interrupt(int number);

/*
 * Forks. The child is killed when its parent dies, however that happens.
 * Returns as fork(2) does, or -errno.
 */
pid_t process_fork(void);

/*
 * Calls `function` in a process of its own and waits until it ends. `shared`
 * must lie in memory that is shared between processes. The call is given up,
 * and the process killed, at an interrupt (with `interruptible`), or
 * `deadline_ns` nanoseconds after it began or after *progress last changed
 * (NULL: it has no progress to show; else in shared memory, too). Returns what `function` returns, or -errno with
 * `error` set: -EINTR or -ETIMEDOUT when it was given up, -ECHILD when its
 * process ended before the function returned, whatever its status (a library
 * may call exit). `doing` names it in messages.
 */
int process_call(int (*function)(void *shared), void *shared,
		 uint64_t deadline_ns, const uint64_t *progress,
		 bool interruptible, const char *doing, struct error *error);

/*
 * Runs a command of the user's by sh -c, in a process group of its own, and
 * waits until the shell ends: its input is /dev/null, its output goes to
 * stderr, and what it has put into the background stays. `option` is whose it
 * is. Returns 0, or -errno with `error` set: it failed, there was an
 * interrupt, or it took longer than `deadline_ns`.
 *
 * A command that is given up is ended with all of its group: SIGTERM, and
 * SIGKILL after 2 seconds. The same happens when the parent dies, even by
 * SIGKILL. A process that has left the group (setsid, a daemon) or belongs
 * to another user lives on, as does the group when SIGKILL hits the helper
 * process that guards it.
 */
int process_command(const char *text, const char *option, uint64_t deadline_ns,
		    struct error *error);

/*
 * Hand an open descriptor to the parent or to a helper process through a
 * socket pair (AF_UNIX). Returns 0 or -errno.
 */
int process_send_descriptor(int socket_fd, int fd);

/*
 * Take the descriptor that was handed over, without waiting. Returns it, or -1
 * when there is none.
 */
int process_receive_descriptor(int socket_fd);

/* Shared anonymous memory, all zeros; NULL: none. Freed by process_unshare. */
void *process_share(size_t bytes);
void process_unshare(void *memory, size_t bytes);

#endif
