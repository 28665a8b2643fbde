/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The identity of a run, by which another process, possibly in another
 * namespace or on another machine, recognises it and judges whether it is
 * still alive.
 */
#ifndef WORKDIR_IDENTITY_H
#define WORKDIR_IDENTITY_H

#include <stdint.h>
#include <sys/types.h>

enum {
	IDENTITY_ID_SIZE = 33, /* 128 bits in hexadecimal, and a NUL */
	IDENTITY_HASH_BYTES = 16,
	IDENTITY_WORD_SIZE = 256 /* size of `host`, `machine` and `boot` */
};

struct identity {
	char id[IDENTITY_ID_SIZE]; /* random, differs from run to run */
	char host[IDENTITY_WORD_SIZE];
	/* A hash of the id of the installation (machine-id(5)), and the id of
	 * its current boot; "": unknown. */
	char machine[IDENTITY_WORD_SIZE], boot[IDENTITY_WORD_SIZE];
	uint64_t pid_namespace; /* inode of the PID namespace; 0: unknown */
	/* The time namespace in which `started` was read; 0: unknown, or the
	 * kernel has no time namespaces. */
	uint64_t time_namespace;
	pid_t process; /* PID in pid_namespace */
	/* Start time of `process`, in clock ticks since boot; 0: unknown. */
	uint64_t started;
};

enum identity_state { IDENTITY_ALIVE, IDENTITY_DEAD, IDENTITY_UNKNOWN };

/* Fill in the identity of a new run of this process. Return 0 or -errno. */
int identity_make(struct identity *identity);

/*
 * Judge on behalf of the run `self` whether another run is alive. We cannot see
 * the processes of another PID namespace or machine, so the state of a run
 * there is IDENTITY_UNKNOWN. But whatever its namespace, a run on this machine
 * is dead if the machine has been rebooted since.
 */
enum identity_state identity_state(const struct identity *run, const struct identity *self);

#endif
