/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks: the processes that one mpiexec or srun has started, all with the same command
 * line. Whatever started them has put their number into the environment.
 */
#ifndef HOSTS_RANKS_H
#define HOSTS_RANKS_H

/* The start of this process. */
struct ranks {
	const char *starter;  /* mpiexec or srun; it is also the name of a launcher */
	const char *mpi;      /* the module of the MPI that it belongs to; NULL: none */
	const char *mpi_name; /* the same for people */
	unsigned rank, size;  /* this process, and how many there are */
};

/* Find out what started this process. The size is 1 if it is alone. */
void ranks_find(struct ranks *ranks);

#endif
