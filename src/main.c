/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng: a trace-replay benchmark for file systems and file servers.
 *
 * A loadfile is read once and compiled into a program; options rewrite it;
 * N forked users replay it; their statistics become a result, and writers
 * turn that into text and JSON. The rooms, from the ground up:
 *
 * - base/       what everything stands on
 *     error       what went wrong, and where; first error wins
 *     message     the only writer to stderr
 *     clock       monotonic nanoseconds, sleeping until a time
 *     units       numbers with units, parsed and printed
 *     random      a small seeded generator
 *     histogram   log-linear, fixed size, no pointers inside
 *     array       arrays that grow
 *     intern      keys to numbers
 *     process     forks, signals, helper processes
 *     utf8        texts of any bytes, as UTF-8
 *     wildcard    DOS and shell patterns against names
 *     open_flags  how a file is opened
 *     capability  what a target may or may not be able to do
 *     phases      the phases of a measurement, as planned
 *     procedure   the procedures of NFS and their statuses
 *     layout      the directories below a target
 *     packet      the wire of tbench
 *     network     addresses and options of sockets
 * - program/    the compiled loadfile
 *     op          the one list of operations
 *     outcome     the one list of outcomes
 *     program     the program itself; print writes it in the native dialect
 *     builder     builds and verifies it, with tables (paths, labels ...),
 *                 path (what a path means), path_policy (what may be done
 *                 where), handles (numbers to slots) and strings (names that
 *                 random strings make)
 *     transform   options that change the load, as rewrites
 *     profile     what a program amounts to; its prologue; footprint: the
 *                 bytes that its files hold
 *     fit         which operations of it the targets can play
 * - load/       loadfiles
 *     reader      lines and words out of plain or gzip text
 *     dialect     what a dialect is; dialects lists them: netbench, nfs,
 *                 smb, native
 *     arguments   words as arguments, shared by the dialects
 *     load        opens a loadfile, lets the dialects bid, common lines;
 *                 foreign recognises other programs' loads
 *     builtin     where the installed built-in load is
 *     digest      the SHA-256 of a loadfile
 * - backend/    one file per kind of target, behind one table of slots
 *     target      a target as the user names it, with target_part (the part
 *                 that modules need)
 *     account     the names and passwords that users log in with
 *     backends    the engines, a row each: schemes, options, modules
 *     posix       a local directory, with dircache (directories kept open),
 *                 posix_file (open files), posix_attribute (DOS attributes)
 *                 and mount (which file system)
 *     nfs         an NFS export, through libnfs (nfs_api): nfs_call waits
 *                 for one call; nfs_session has a user's state, paths and
 *                 open files; nfs_connect mounts what nfs_url says; the
 *                 engines are nfs_v3 (with nfs_rpc) and nfs_v4;
 *                 nfs_procedure plays single calls, with nfs_cache (handles
 *                 by path) and nfs_locks (NLM); nfs_probe
 *     smb         an SMB share, through libsmbclient: calls on names;
 *                 smb_file (open files), smb_url (paths as URLs),
 *                 smb_session (context and login), smb_conf (a configuration
 *                 of our own) and smb_probe; smb_common is without that
 *                 library: URLs, names, options, messages
 *     tcp         packets of tbench's protocol
 *     null        does nothing: measures the cost of throng itself
 * - engine/     replaying
 *     stats       the shared memory of a point
 *     seconds     what a point did in each second
 *     failure     a failed operation in words
 *     tally       the sums of a point, to be sent (tally_pack) and added
 *     capability  what a target can do: its slots and its probe
 *     bind        the program as one user sees it
 *     pace        when the next operation is due
 *     replay      one user's loop, with control lines, time stamps and rates;
 *                 replay_state is what it shares with the players:
 *     files       operations as a backend's slots: the one switch over them
 *     procedure   operations that are NFS procedures, or their emulation
 *     compat      operations that dbench leaves out
 *     exchange    operations as requests and replies of some size
 *     user        the life of one user, in its process
 *     tree        recursive removal, on top of any backend
 *     identity    which run it is, and whether another one is alive
 *     marker      which run a directory belongs to, and what it made
 *     leftovers   removing what a run made
 *     workdir     whose directory it is: claim, clean-up; workdir_dbench does
 *                 without a marker, as dbench does
 *     targets     probes, claims and cleans up the targets of a run
 *     deadline    operations over a network that take too long
 *     watchdog    users that wait for each other, operations that hang
 *     workers     the users of a point: start line, watch, reap;
 *                 workers_plan is what they do, and where
 * - result/     what was measured, as plain data
 *     result      the structure; collect reads tallies into it
 *     warning     reasons not to trust a point
 *     metric      a figure by its name
 *     condition   what a figure is to be: the limits' one grammar
 *     schema      the one description of a result, in rows: json writes them,
 *                 read reads them through a json_cursor, with check for what
 *                 must fit together
 * - stats/      statistics of results
 *     summary     from repeats to a point, from points to the peak
 *     usl         the scaling law that the points follow
 *     ratio       the interval of new / base, and the verdict
 *     sequential  after which pair to stop
 * - report/     results for people and other programs
 *     text        the tables, with text_summary (what follows from the
 *                 points); table grows on a terminal; progress is the live
 *                 line
 *     csv         one row per point and repeat
 *     gobench     the Go benchmark format
 *     dbench      what dbench and tbench print
 *     describe    a run in words; reasons merges those of its points
 *     escape      texts from outside, for each family of formats
 *     markup      numbers inside HTML
 * - compare/    two results beside each other
 *     comparable  can they be compared?
 *     comparison  the comparison; summary puts the answer in words; formats
 *                 lists text, markdown, junit, github and json, which share
 *                 phrases
 *     calibration the noise of a machine, by a target compared with itself
 * - page/       the HTML page
 *     html        fills the skeleton page.html with the parts; page is what
 *                 they share: headline, words (reasons and configuration),
 *                 plots (throughput and latency), shares, time and tables
 *     table       writes a table from columns and rows; ranking: operations,
 *                 most time first
 *     chart       draws in SVG; scale: where a value is on an axis
 * - job/        what to measure
 *     settings    what to do; preset: settings under one name
 *     sweep       point after point, in some order; pairs: base against new
 *     merge       results of several machines, added up
 *     limits      how many users are enough
 *     fitting     the load to its targets
 *     busy        how busy the machine is with something else
 * - serve/      the peer of tcp targets
 *     server      listens; its processes, one per connection
 *     connection  packets in, packets out
 * - cli/        one file per subcommand
 *     run         with run_options, run_targets and resume
 *     compare     with compare_options; both share measure_options and live
 *                 (the display while it runs)
 *     check, serve, version, and report with report_comparison
 *     options     a row per option: its help, parsing and recording
 *     output      the list of file formats; writes files
 *     dbench      with dbench_options and dbench_target, and tbench_srv: the
 *                 program by its other names; prepare is what they share
 */
#include "base/message.h"
#include "cli/cli.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct subcommand {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *help;
} subcommands[] = {
	{"run", cli_run, "replay a load against a target"},
	{"compare", cli_compare, "check if a new target is slower"},
	{"check", cli_check, "validate and describe loadfiles"},
	{"report", cli_report, "print results, or write them in other formats"},
	{"serve", cli_serve, "run the server of tcp:// targets"},
	{"--version", cli_version, "show the version and the backends"},
	{NULL, NULL, NULL},
};

/* The names under which it is somebody else. */
static const struct subcommand names[] = {
	{"dbench", cli_dbench, NULL},
	{"tbench", cli_tbench, NULL},
	{"tbench_srv", cli_tbench_srv, NULL},
	{NULL, NULL, NULL},
};

static int usage(FILE *stream)
{
	const struct subcommand *subcommand;

	fputs("Usage: throng SUBCOMMAND [OPTIONS] ...\n", stream);
	for (subcommand = subcommands; subcommand->name != NULL; subcommand++)
		fprintf(stream, "  %-10s %s\n", subcommand->name,
			subcommand->help);
	fputs("`throng SUBCOMMAND --help' describes the options; throng(1) is "
	      "the manual.\n", stream);
	cli_print_examples("  throng run -u 1-64x2 /srv/test\n"
			   "  throng compare --base /srv/old --new /srv/new\n");
	return EXIT_VALID;
}

static int dispatch(int argc, const char **argv)
{
	const struct subcommand *subcommand;
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	struct error error = {0};

	for (subcommand = names; argc > 0 && subcommand->name != NULL;
	     subcommand++)
		if (strcmp(subcommand->name,
			   slash != NULL ? slash + 1 : argv[0]) == 0)
			return subcommand->run(argc, argv);
	if (argc < 2) {
		error_set(&error, "expected a subcommand; see --help");
		return cli_refuse(&error);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return usage(stdout);
	for (subcommand = subcommands; subcommand->name != NULL; subcommand++)
		if (strcmp(subcommand->name, argv[1]) == 0)
			return subcommand->run(argc - 1, argv + 1);
	error_set(&error, "\"%s\" is not a subcommand; see --help", argv[1]);
	return cli_refuse(&error);
}

int main(int argc, char **argv)
{
	struct error error = {0};
	bool lost;
	int rc;

	/* Which characters a terminal has, and nothing else of the locale. */
	setlocale(LC_CTYPE, "");
	rc = dispatch(argc, (const char **)argv);
	lost = fflush(stdout) != 0;

	/* An earlier flush may have failed, and left nothing to do. */
	if (lost || ferror(stdout)) {
		error_set(&error, "write to standard output: %s",
			  lost ? strerror(errno) : "something was lost");
		message_error(&error);
		if (rc == EXIT_VALID)
			rc = EXIT_INVALID;
	}
	exit(rc);
}
