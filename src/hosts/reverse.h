/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run whose hosts were started by one mpiexec or srun, instead of by the controller. The
 * first rank on each machine serves as the wire there (wire.h), the others sleep. Rank 0
 * forks the controller, whose links to other hosts go through rank 0, by MPI.
 *
 * MPI ends all ranks, with the controller, if one dies: --hosts is better then.
 */
#ifndef HOSTS_REVERSE_H
#define HOSTS_REVERSE_H

#include "base/error.h"
#include "hosts/ranks.h"

#include <stdbool.h>
#include <stddef.h>

/* The hosts, with a link to each: all that the controller gets. */
struct reverse {
	unsigned ranks; /* 0: we were not started so */
	char **names;   /* ended by NULL */
	int *fds;
	size_t count;
};

/* Check if there is a module for the MPI that started the ranks. */
bool reverse_is_possible(const struct ranks *ranks);

/*
 * Do what this rank has to do; `host` is the main function of the wire. Return 1 in the
 * controller, with `reverse` set; 0 at the end of any other process, with its exit status
 * in *status; or -errno, with `error` set unless another process of this rank says why.
 * -ENXIO: MPI does not find the other ranks.
 */
int reverse_enter(const struct ranks *ranks, int (*host)(int argc, const char **argv),
		  struct reverse *reverse, int *status, struct error *error);

void reverse_free(struct reverse *reverse);

#endif
