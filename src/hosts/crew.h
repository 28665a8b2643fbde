/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The crew: the process of a host that claims targets and forks users, as the
 * controller asks. It parses the same command line as the controller, and measures
 * nothing by itself.
 */
#ifndef HOSTS_CREW_H
#define HOSTS_CREW_H

#include "base/error.h"
#include "hosts/link.h"
#include "sweep/steps.h"

/* The command line of the controller, and what is not in it. */
struct crew_command {
	int argc;
	const char **argv;
	uint64_t seed;
};

/* Prepare the sides, variants and settings of a command line, without any plan. The loads
 * were given to load/reader.h, the accounts to target/account.h. Return 0, or -errno with `error` set. */
typedef int crew_prepare(const struct crew_command *command, struct steps *steps,
			 struct error *error);

/* Do what the controller asks until its link ends. Return the exit status. */
int crew_main(struct link *controller, crew_prepare *prepare);

#endif
