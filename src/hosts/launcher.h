/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launchers: programs such as ssh, srun and mpiexec that start throng on a host.
 * The launcher's standard input and output are the link to the host.
 */
#ifndef HOSTS_LAUNCHER_H
#define HOSTS_LAUNCHER_H

#include "base/error.h"
#include "hosts/link.h"

#include <sys/types.h>

enum { LAUNCHER_WORDS_MAX = 32, LAUNCHER_SAYS = 1024 };

/* How to start a program on a host. */
struct launcher {
	char *text;                      /* the words of --launcher, or the name of a known one */
	char *words[LAUNCHER_WORDS_MAX]; /* ended by NULL; %h stands for the host */
	bool has_host;                   /* %h is in one of them; else the host is appended */
};

/* A launcher that was started for one host. */
struct launched {
	pid_t pid;                /* 0: it has ended */
	int status;               /* as from waitpid, when it has ended */
	int err_fd;               /* what it writes to its standard error; -1: closed */
	char says[LAUNCHER_SAYS]; /* the end of that */
};

/*
 * Take the words of --launcher: ssh, srun, the name of an mpiexec or mpirun, or any
 * command. NULL: choose by the environment, srun in a Slurm job, mpiexec in a PBS or LSF
 * job, else ssh. An mpiexec is asked for its version, as each MPI has other options.
 * Return 0, or -errno with `error` set. Call launcher_free.
 */
int launcher_parse(const char *text, struct launcher *launcher, struct error *error);
void launcher_free(struct launcher *launcher);

/* Check if the launcher is ssh or srun, which pass on any number of bytes at once. */
bool launcher_is_plain(const struct launcher *launcher);

/*
 * Start `program` with the argument "host" on a host, in a process group of its own, so
 * that ^C is for us alone, and open the link to it. The kernel ends the launcher with
 * us. Return 0, or -errno with `error` set.
 */
int launcher_start(const struct launcher *launcher, const char *host, const char *program,
		   struct launched *launched, struct link *link, struct error *error);

/* Read what the launcher has written to its standard error, without waiting, and note
 * if it has ended. */
void launcher_look(struct launched *launched);

/* Copy the lines that it has written there to a text, in one line. */
void launcher_quote(const struct launched *launched, char text[LAUNCHER_SAYS]);

/* Send a signal to the launcher's process group, if it has not ended. */
void launcher_kill(const struct launched *launched, int number);

/* Close what is open. The launcher must have ended. */
void launcher_close(struct launched *launched);

#endif
