/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations for main.c and the subcommands: their functions, their exit
 * codes, and how they read options with popt.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/error.h"

#include <popt.h>
#include <stdio.h>

enum exit_code {
	EXIT_VALID = 0,
	EXIT_INVALID = 1, /* a point is invalid */
	EXIT_REFUSED = 2, /* nothing was measured */
	EXIT_FAILED = 3,  /* a regression, or a --fail-if condition holds */
	EXIT_INCONCLUSIVE = 4,
};

/* The subcommands. argv[0] is the name of the subcommand. They return an exit
 * code. */
int cli_run(int argc, const char **argv);
int cli_host(int argc, const char **argv);
int cli_record(int argc, const char **argv);
int cli_import(int argc, const char **argv);
int cli_compare(int argc, const char **argv);
int cli_check(int argc, const char **argv);
int cli_report(int argc, const char **argv);
int cli_loads(int argc, const char **argv);
int cli_serve(int argc, const char **argv);
int cli_verify(int argc, const char **argv);
int cli_clean(int argc, const char **argv);
int cli_completion(int argc, const char **argv);
int cli_version(int argc, const char **argv);

/* If throng is started under the name of one of these programs, it runs as that
 * program. */
int cli_dbench(int argc, const char **argv);
int cli_tbench(int argc, const char **argv);
int cli_tbench_srv(int argc, const char **argv);

/* Values of the rows in popt's tables for --help, --help-all and --usage. */
enum { CLI_HELP = 1000, CLI_HELP_ALL, CLI_USAGE };

/*
 * Read options up to the next one whose row has a value (popt's val, > 0), and
 * return this value. Return 0 at the end of the options, and -EXIT_REFUSED after
 * a message on stderr. `table` is the table of `options`: for an unknown option,
 * the message names the subcommands that have it, or an option with a similar name.
 */
int cli_next_option(poptContext options, const struct poptOption *table);

/*
 * Do the same for dbench, tbench and tbench_srv, but suggest nothing. Messages
 * begin with the text of strerror(EINVAL), for which scripts search. Return
 * CLI_HELP after printing the text for --help, which ends with `examples`, or
 * for --usage.
 */
int cli_next_dbench_option(poptContext options, const char *examples);

/* Print the end of a help text: the examples, one indented line each. */
void cli_print_examples(const char *examples);

/* The rows of --help and --help-all in popt's table. */
/* clang-format off */
#define CLI_HELP_ROWS \
	{"help", 'h', POPT_ARG_NONE, NULL, CLI_HELP, NULL, NULL}, \
	{"help-all", '\0', POPT_ARG_NONE, NULL, CLI_HELP_ALL, NULL, NULL}

/* The rows of --help and --usage in popt's table, for dbench, tbench and
 * tbench_srv. */
#define CLI_DBENCH_HELP_ROWS \
	{"help", '?', POPT_ARG_NONE, NULL, CLI_HELP, \
	 "Show this help and exit", NULL}, \
	{"usage", '\0', POPT_ARG_NONE, NULL, CLI_USAGE, \
	 "Show the options in brief and exit", NULL}
/* clang-format on */

/*
 * Print a text that a program may read on stdout, such as a load. Only for a
 * terminal, replace what is not safe to print.
 */
void cli_print(void (*print)(const void *what, FILE *stream), const void *what);

/* Print an error on stderr; return EXIT_REFUSED. */
int cli_refuse(const struct error *error);

#endif
