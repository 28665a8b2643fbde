/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --hosts: let the users of `throng run` or `throng compare` play on other hosts.
 */
#ifndef CLI_MEASURE_ELSEWHERE_H
#define CLI_MEASURE_ELSEWHERE_H

#include "cli/measure/measure_options.h"
#include "hosts/hosts.h"
#include "hosts/reverse.h"
#include "sweep/steps.h"

/* The hosts of a run. */
struct elsewhere {
	char **names;
	struct launcher launcher;
	struct hosts *hosts; /* NULL: users play on this machine */
	struct reverse reverse;
};

/*
 * Check that this process is not one of several that mpiexec or srun have started: each
 * would be a run of its own, on the same targets. Return 0, or -EINVAL: with `error` set
 * on the first of them, on the others after some time, so that only one message is
 * printed.
 */
int elsewhere_check_ranks(int argc, const char **argv, struct error *error);

/*
 * If this process is one of several ranks, serve the run, or become its controller
 * (hosts/reverse.h). Refuse if that is not possible, as above. Return 1 if the caller has
 * to run; 0 if all is done, with the exit status in *status; or -errno.
 */
int elsewhere_enter_ranks(struct elsewhere *elsewhere, int argc, const char **argv, int *status,
			  struct error *error);

/*
 * Parse the names of the hosts that the options name, if any, and add the hosts to the
 * runs of all sides. Return 0, or -errno with `error` set. Call elsewhere_close even after
 * an error.
 */
int elsewhere_parse(struct elsewhere *elsewhere, const struct measure_options *measure,
		    const struct steps_side *sides, unsigned side_count, struct error *error);

/*
 * Start the hosts that the options name, if any, prepare all sides there, and describe the
 * hosts in their results. Return 0, or -errno with `error` set.
 */
int elsewhere_open(struct elsewhere *elsewhere, const struct measure_options *measure,
		   const struct steps_side *sides, unsigned side_count, int argc, const char **argv,
		   struct error *error);

/* Return where the users play. */
const struct venue *elsewhere_venue(const struct elsewhere *elsewhere);

void elsewhere_close(struct elsewhere *elsewhere);

#endif
