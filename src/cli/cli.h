/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands, and what they share: exit codes and the reading of options.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/error.h"

#include <popt.h>

enum exit_code {
	EXIT_VALID = 0,
	EXIT_INVALID = 1, /* a point is not valid */
	EXIT_REFUSED = 2, /* nothing was measured */
	EXIT_FAILED = 3,  /* a regression, or a limit that is not met */
	EXIT_INCONCLUSIVE = 4,
};

/* Subcommands: the arguments begin with the subcommand's own name. */
int cli_run(int argc, const char **argv);
int cli_compare(int argc, const char **argv);
int cli_check(int argc, const char **argv);
int cli_report(int argc, const char **argv);
int cli_serve(int argc, const char **argv);
int cli_version(int argc, const char **argv);

/* The same, called as the program of that name. */
int cli_dbench(int argc, const char **argv);
int cli_tbench(int argc, const char **argv);
int cli_tbench_srv(int argc, const char **argv);

/*
 * Reads the options of `table` up to the next one that has a value of its own
 * (popt's val, > 0) and returns that; 0 when all are read; EXIT_REFUSED
 * negated after a message on stderr. --help is in every table and prints
 * itself, as --usage does: CLI_HELP is then returned.
 */
enum { CLI_HELP = 1000, CLI_USAGE };
int cli_next_option(poptContext options);

/* The same under the other names: what is wrong is told in strerror's words,
 * too, for those who look for them. */
int cli_next_dbench_option(poptContext options);

/* The row for --help. */
#define CLI_HELP_ROW \
	{"help", 'h', POPT_ARG_NONE, NULL, CLI_HELP, \
	 "Show this help and exit", NULL}

/* The rows for it under the other names, as they have it there. */
#define CLI_DBENCH_HELP_ROWS \
	{"help", '?', POPT_ARG_NONE, NULL, CLI_HELP, \
	 "Show this help and exit", NULL}, \
	{"usage", '\0', POPT_ARG_NONE, NULL, CLI_USAGE, \
	 "Show the options in brief and exit", NULL}

/* Tells an error on stderr and returns EXIT_REFUSED. */
int cli_refuse(const struct error *error);

#endif
