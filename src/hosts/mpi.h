/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between the ranks of an mpiexec or srun, by MPI. The table of functions is in
 * a module (mpi.c), of which there is one per MPI: throng itself needs none. No function
 * but open and close waits.
 */
#ifndef HOSTS_MPI_H
#define HOSTS_MPI_H

#include <stddef.h>

/* Max bytes of a message. */
enum { MPI_BYTES = 32 << 10 };

/* The name of the table in a module. */
#define MPI_TABLE "throng_mpi"

struct mpi {
	/* Meet the other ranks. Return 0 or -1. */
	int (*open)(unsigned *rank, unsigned *size);
	/* Send bytes, which may be none, to a rank. Return 1, or 0 if the message before
	 * is still under way. */
	int (*send)(unsigned rank, const void *bytes, size_t count);
	/* Take the next message into a buffer of MPI_BYTES. Return its sender, or -1 if
	 * none has come. */
	int (*receive)(void *bytes, size_t *count);
	/* Leave the other ranks, after all have agreed to. */
	void (*close)(void);
};

#endif
