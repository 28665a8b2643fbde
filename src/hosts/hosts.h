/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run whose users play on many hosts, seen from the process that was started by hand:
 * the controller. For each host it starts a launcher (launcher.h), and sends what is to be
 * done to the crew there (crew.h). The sweep, the statistics and the result stay here:
 * the hosts are a venue (sweep/venue.h).
 *
 * All users start at one moment: before each point the clocks of the hosts are compared
 * with ours, and the start is sent to each in its own time. The difference is known to
 * within half the shortest round trip of a message.
 */
#ifndef HOSTS_HOSTS_H
#define HOSTS_HOSTS_H

#include "base/error.h"
#include "hosts/launcher.h"
#include "result/result.h"
#include "sweep/venue.h"

enum { HOSTS_MAX = 1024 };

/* The run that all hosts prepare. */
struct hosts_request {
	const struct launcher *launcher;
	const char *program; /* to run there */
	/* Links to the hosts if they were started already (reverse.h), else NULL. */
	const int *links;
	/* The command line, without options that are about other hosts. */
	int argc;
	const char *const *argv;
	uint64_t seed;
	/* The loadfiles: how the command line names them, and their paths. */
	struct hosts_load {
		char *word;
		const char *path;
	} *loads;
	size_t load_count;
	/* The targets, with the accounts that the hosts need. */
	const struct target **targets;
	size_t target_count;
	/* steps_hash() of the run, which must be the same everywhere. */
	uint64_t hash;
};

struct hosts;

/* Parse a list of hosts: h1,h2,h3 or @FILE, with a host per line, or slurm, for those of
 * the Slurm job that we are in. Return an allocated list that ends with NULL, or NULL with
 * `error` set. */
char **hosts_parse(const char *text, struct error *error);
void hosts_free_list(char **list);

/*
 * Start throng on all hosts, and prepare the run there. Return 0, or -errno with `error`
 * set, which names the host. Call hosts_close even after an error.
 */
int hosts_open(struct hosts **hosts, const char *const *names, const struct hosts_request *request,
	       struct error *error);

/* Describe the hosts of a run, which has their names. Return 0 or -ENOMEM. */
int hosts_describe(const struct hosts *hosts, struct result_run *run);

/* Return the venue, which is valid until hosts_close. */
const struct venue *hosts_venue(struct hosts *hosts);

/* End the crews, which remove what is left, and the launchers. */
void hosts_close(struct hosts *hosts);

#endif
