/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/ranks.h"

#include <stddef.h>
#include <stdlib.h>

/* Programs that start ranks, and the variables in which they give the number and the rank. */
static const struct starter {
	const char *size, *rank;
	const char *with; /* must be in the environment, too; NULL: nothing */
	struct ranks ranks;
} starters[] = {
	{"OMPI_COMM_WORLD_SIZE",
	 "OMPI_COMM_WORLD_RANK",
	 NULL,
	 {"mpiexec", "mpi-openmpi", "Open MPI", 0, 1}},
	/* Both are set by srun --mpi=pmi2, too. */
	{"PMI_SIZE", "PMI_RANK", "SLURM_STEP_NUM_TASKS", {"srun", "mpi-mpich", "MPICH", 0, 1}},
	{"PMI_SIZE", "PMI_RANK", NULL, {"mpiexec", "mpi-mpich", "MPICH", 0, 1}},
	{"SLURM_STEP_NUM_TASKS",
	 "PMIX_RANK",
	 "PMIX_RANK",
	 {"srun", "mpi-openmpi", "Open MPI", 0, 1}},
	{"SLURM_STEP_NUM_TASKS", "PMI_RANK", "PMI_RANK", {"srun", "mpi-mpich", "MPICH", 0, 1}},
	{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", NULL, {"srun", NULL, NULL, 0, 1}},
};

/* Return a number of the environment, or 0. */
static unsigned number_of(const char *name)
{
	const char *text = getenv(name);

	return text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
}

void ranks_find(struct ranks *ranks)
{
	size_t i;

	*ranks = (struct ranks){.size = 1};
	for (i = 0; i < sizeof(starters) / sizeof(starters[0]); i++) {
		const struct starter *starter = &starters[i];

		if (number_of(starter->size) < 2 ||
		    (starter->with != NULL && getenv(starter->with) == NULL))
			continue;
		*ranks = starter->ranks;
		ranks->rank = number_of(starter->rank);
		ranks->size = number_of(starter->size);
		return;
	}
}
