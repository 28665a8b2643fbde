/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng: a trace-replay benchmark for file systems and file servers.
 *
 * throng reads a loadfile once and compiles it into a program. Options rewrite
 * the program, then N forked users replay it. Their statistics become a result,
 * and writers turn the result into text, JSON, CSV or HTML.
 *
 * The source directories, lowest layer first:
 *
 * - base/              code that all other directories use
 *     error            describe an error and its place; the first error wins
 *     message          write messages to stderr
 *     clock            read the monotonic clock, sleep until a given time
 *     units            parse and print numbers with units
 *     random           generate random numbers from a seed
 *     draw             draw numbers with a given distribution
 *     histogram        count durations in log-linear cells
 *     array            append to growing arrays
 *     intern           number keys, the same number for equal keys
 *     process          fork, wait for signals, run helper processes
 *     utf8             decode, encode and check UTF-8
 *     wildcard         match file names against DOS and shell patterns
 *     letter_case      names that differ only in the case of letters
 *     suggest          find the word that a misspelt word stands for
 *     open_flags       flags for opening a file
 *     smb2_level       information levels of SMB1 as classes of SMB2
 *     smb_request      fields of a recorded SMB request
 *     modes            variants of operations
 *     capability       capabilities that some targets lack
 *     direction        directions in which operations move data
 *     phases           phases of a measurement: warm-up, measure, ramp-down
 *     procedure        NFS procedures and their statuses
 *     nt_status        NT statuses of SMB and their errnos
 *     smb_client       clients that play on SMB shares
 *     layout           paths of the directories below a target
 *     packet           tbench's wire protocol
 *     network          parse and resolve addresses, set socket options
 * - program/           the compiled loadfile
 *     op               list of all operations
 *     formula          numbers that are computed while the load is played
 *     formula_print    print formulas as expressions
 *     outcome          list of all outcomes of operations
 *     program          data structure of a compiled loadfile
 *     modes            words of the native dialect for variants of operations
 *     recorded         recorded SMB requests of operations
 *     print            write a program as a native loadfile
 *     builder          build a program, operation by operation, and verify it
 *     flags            check the flags that an operation takes
 *     blocks           nest loops, mixes and branches while a program is built
 *     tables           tables of a program: labels, paths, texts, formulas
 *     variables        names of numbers, and the lines that can use them
 *     path             normalise and check paths of a loadfile
 *     path_policy      check what operations do to the run's own directories
 *     outside          list the names outside the users' directories
 *     phase            add a phase to a program
 *     handles          map recorded handle numbers to slots for open files
 *     setup            check and find the set-up, and let it flush its files
 *     strings          list the names that a random string can produce
 *     sum              add and multiply sizes without an overflow
 *     transform        rewrite a program for options that change the load
 *     times            compute how often each operation is played
 *     profile          compute totals of a program: operations, bytes, prologue
 *     composition      sizes and order of reads and writes, depth of the tree
 *     footprint        estimate the bytes in a user's files
 *     user_files       names and lengths of a user's files, for this estimate
 *     laid_out         find the bytes that a loop writes and then reads
 *     loads            the loads of a run, and which user plays which
 *     fit              skip or emulate operations that a target cannot play
 *     lost             names and handles that are missing because of that
 *     fidelity         compute how much of a load an SMB client sends as it was
 *                      recorded
 * - load/              reading loadfiles
 *     reader           read lines and words from plain or gzip text
 *     dialect          interface of a dialect, the format of a loadfile
 *     dialects         list of the dialects
 *     netbench         dialect of dbench, tbench, smbtorture: SMB requests
 *     nfs              dialect of dbench 5: NFSv3 calls
 *     smb              dialect of dbench 5: files opened by name
 *     native           throng's own dialect
 *     arguments        read the arguments of operations, for all dialects
 *     number           read the numbers and expressions in words of a line
 *     expression       parse expressions into formulas
 *     dollars          find random strings and variables in paths
 *     control          compile control lines: loops, delays, variables
 *     parameters       replace the parameters of a native load; IF and ELSE
 *     setting          parse values for the parameters of a load
 *     load             open a loadfile, find its dialect, compile it
 *     foreign          recognise loads of other programs
 *     library          find the loads that are installed with the program
 *     description      read what a load says about itself
 *     digest           compute the SHA-256 of a loadfile
 * - trace/             loads from traces of programs and from captures
 *     account          count what became of each call of the source
 *     tree             model of the recorded directory
 *     tree_sizes       sizes of the files in the model
 *     tree_nameless    files that a source names by handles
 *     recording        turn calls into operations
 *     recording_state  the state of a recording
 *     recording_names  operations on names, and failures
 *     recording_list   listings of directories
 *     recording_locks  locks on ranges of files
 *     recording_finish build the load with its set-up
 *     source           a trace or capture with one recording per client
 *     strace           read a trace by strace
 *     strace_line      parse its lines
 *     strace_clock     the times of lines
 *     strace_merge     merge the traces of several processes
 *     strace_process   descriptors and working directories of its processes
 *     strace_calls     the system calls and their meaning
 *     strace_names     calls on names
 *     strace_files     calls on open files
 *     strace_copy      mappings, copies and clones
 *     strace_async     requests to libaio and io_uring
 *     strace_place     paths and descriptors in arguments, and failures
 *     columns          read the fields that tshark prints of a capture
 *     capture          facts about the frames of a capture
 *     capture_feed     write a capture to tshark
 *     capture_ports    find SMB on other ports than 445
 *     smb2             read captures of SMB2 and SMB3
 *     smb2_frame       divide the fields of a frame among its messages
 *     smb2_calls       the calls of a capture, with their replies
 *     smb2_opens       what a client did with an open file
 *     smb2_convert     turn the calls into operations
 *     smb2_names       operations on names
 *     smb2_ioctl       copies by the server
 *     smb2_job         the conversion of one call
 *     nfs              read captures of NFS: RPC messages, calls and replies
 *     nfs_part         take the values of a call from the fields
 *     nfs_client       a client's files by their handles
 *     nfs_call         conversion of calls to operations
 *     nfs3             NFSv3 and its lock manager
 *     nfs4             compounds of NFSv4
 *     nfs4_operations  their operations
 *     nfs4_opens       open files and their stateids
 *     fio              iologs of fio
 *     tool             start strace and tshark
 *     tshark           extract the fields of a capture
 *     keys             keys of encrypted SMB sessions
 * - backend/           playing operations on one kind of target each
 *     backend          interface of a backend: its table of slots
 *     backends         table of engines: schemes, URL options, modules
 *     target           parse a target as the user names it
 *     target_part      part of target that the modules need as well
 *     account          read the names and passwords that users log in with
 *     posix            local directories
 *     posix_session    a user's state, and slots that other files implement
 *     posix_file       open files of a local directory
 *     posix_path       attributes, by path
 *     posix_probe      probe a local target
 *     posix_attribute  DOS attributes in an extended attribute, as in Samba
 *     posix_cache      drop files from the page cache
 *     dircache         keep directories of a local target open
 *     mount            find the file system of a path
 *     nfs_api          wrappers for differences between versions of libnfs
 *     nfs_url          parse the URL of an NFS target
 *     nfs_connect      connect a user: options, mount, root handle
 *     nfs_session      a user's state, paths and open files
 *     nfs_call         make one RPC call and wait for its answer
 *     nfs_rpc          procedures of NFSv3 as functions
 *     nfs_v3           NFSv3 engine
 *     nfs_v4           NFSv4 engine
 *     nfs_procedure    single NFSv3 calls, for loadfiles in the nfs dialect
 *     nfs_cache        handles by path, for these single calls
 *     nfs_uncommitted  write verifiers of data that is not committed yet
 *     nfs_locks        locks of NFSv3 (NLM)
 *     nfs_probe        probe an NFS target
 *     smb              SMB shares through libsmbclient: operations on paths
 *     smb_file         operations on open files
 *     smb_url          convert paths to the URLs that libsmbclient takes
 *     smb_session      a user's session: libsmbclient context and login
 *     smb_conf         write an smb.conf for libsmbclient
 *     smb_probe        probe an SMB target
 *     smb_common       SMB code without libsmbclient: URLs, names, messages
 *     smb_slots        slots of a session's open files
 *     smb2             SMB shares through a client of our own: SMB2 and SMB3
 *     smb2_file        operations on open files
 *     smb2_path        operations on paths
 *     smb2_list        listings of directories
 *     smb2_lock        locks on ranges of files
 *     smb2_space       allocate space, copy between files
 *     smb2_probe       probe an SMB target
 *     smb2_user        a user's state, paths and open files
 *     smb2_session     log in, connect to a share
 *     smb2_negotiate   negotiate the dialect and the algorithms
 *     smb2_connection  send requests, take replies, check their protection
 *     smb2_receive     receive messages, and data into the caller's buffer
 *     smb2_request     bodies of requests
 *     smb2_status      NT statuses in replies of SMB2
 *     smb2_wire        headers, compounds and credits; parse replies
 *     smb2_crypt       keys, signatures and encryption
 *     smb2_ntlm        log in with a password: NTLMv2
 *     smb2_kerberos    log in with a Kerberos ticket
 *     smb2_text        convert between UTF-8 and UTF-16
 *     smb2_bytes       little-endian numbers in messages
 *     tcp              the same load as packets of tbench's protocol
 *     null             do nothing, to measure the cost of throng itself
 * - verify/            comparing what is read with what was written
 *     arena            memory set aside for a map, handed out piece by piece
 *     content          the bytes that each write writes
 *     map              remember which write is valid where in a user's files
 *     catalog          names of these files
 *     track            follow operations on names
 *     effect           follow operations on the content of files
 *     compare          compare bytes that were read with the map
 *     difference       find out what wrong bytes look like
 *     verify           memory that the users of a point share
 *     verifier         a backend in front of another one, which verifies it
 *     read_back        read back a user's files at the end
 *     state            data structure of the state of a run, for throng verify
 *     state_line       lines of a state file as words
 *     state_read       read a state file
 *     state_take       take the state from the maps of users
 *     state_check      check the files on a target against a state
 *     state_compare    compare ranges of these files
 * - engine/            replaying a program
 *     stats            memory that the users of a point share with the parent
 *     seconds          sample what a point did in each second
 *     failure          describe a failed operation in words
 *     tally            sum up a point's statistics
 *     tally_phases     those of the phases of a load
 *     tally_pack       encode a tally as bytes, to send it
 *     capability       derive a target's capabilities from slots and probe
 *     barrier          let users begin the phases of a load together
 *     names            a user's paths, with random strings and variables
 *     bind             fill in a user's own names, offsets and data
 *     pace             compute when operations are due
 *     replay           replay loop of one user: control lines, checks, timing
 *     replay_state     state that replay and the next five files share
 *     files            play operations by calling a backend's slots
 *     calls            play the operations that are one call of a slot
 *     procedure        play or emulate single NFS procedures
 *     compat           leave out the operations that dbench leaves out
 *     exchange         play operations as requests and replies of given sizes
 *     setup            play the set-up before the start line, and flush it
 *     restore          restore the set-up between loops
 *     changes          list the names that a loop has changed
 *     snapshot         list the files that the set-up has left
 *     cold             drop the load's files from the page cache
 *     verification     prepare --verify, and let users read back their files
 *     user             life of a user's process
 *     tree             remove directory trees on any backend
 *     identity         identify a run, and check if it is still alive
 *     marker           read and write the file that names a directory's run
 *     leftovers        remove the files that a run made
 *     workdir          claim and clean up the directories of a run
 *     workdir_dbench   work directories without a marker, as dbench has them
 *     targets          probe, claim and clean up all targets of a run
 *     deadline         end operations over a network that take too long
 *     watchdog         find users that wait for each other or hang
 *     workers          fork, start, watch and reap the users of a point
 *     workers_plan     parameters of a point: users, load, targets
 *     workers_view     sample the state of a running point, once per second
 * - result/            measured data
 *     result           data structure of a result
 *     collect          convert tallies into figures of a result
 *     collect_verified bytes that --verify has compared
 *     variant          variants of a sweep: combinations of its axes' values
 *     warning          find reasons to distrust figures
 *     metric           find a figure by its name
 *     condition        parse and check conditions such as p99<50ms
 *     schema           one row per value: key, place, unit, bounds
 *     rows             macros for the rows of schema, and most of the rows
 *     rows_run         rows of the description of a run
 *     json             write a result file
 *     json_cursor      take values from a JSON file
 *     read             read a result file
 *     check            check that the values of a result file fit together
 * - stats/             statistics
 *     summary          summarise repeats to points, and points to a sweep
 *     usl              fit the Universal Scalability Law to the points
 *     ratio            confidence interval of new / base, and the verdict
 *     sequential       decide when enough pairs have been measured
 * - report/            results as text and for other programs
 *     text             tables and warnings for people
 *     text_phases      tables of the load's phases
 *     text_summary     spread, peaks, scaling law and limits, below the table
 *     text_loads       the figures of each load, if there are several
 *     text_rate        the rates that --find-rate has tried and found
 *     table            redraw the table of points on a terminal
 *     progress         progress line, once per second
 *     axes             columns for the axes of a sweep
 *     csv              CSV, a row per operation, point and repeat
 *     gobench          Go benchmark format, for benchstat
 *     dbench           output of dbench and tbench
 *     describe         describe a run in words: load, targets, machine
 *     smb_client       describe the client that plays on an SMB share
 *     reasons          merge the warnings of several points
 *     figure           figures as text, and tables of them
 *     naming           choose the names of several results
 *     rate             unit of throughput: MB/s or Mbit/s
 *     escape           escape text from outside for each output format
 *     markup           format numbers for HTML
 * - compare/           comparing two results
 *     comparable       check if two results can be compared
 *     comparison       compare two results, point by point
 *     summary          the answer in words
 *     formats          list of the output formats
 *     text             text for people
 *     markdown         GitHub-flavoured Markdown
 *     junit            JUnit XML
 *     github           annotations for GitHub Actions
 *     json             write a comparison as JSON, and read it again
 *     phrases          phrases that the formats share
 *     calibration      noise of a machine, from a target compared with itself
 * - page/              the HTML page
 *     html             write the page: page.html with its parts filled in
 *     page             data and functions that the parts share
 *     headline         part: the main figure or answer, at the top
 *     words            parts: warnings and configuration
 *     phases           part: the phases of the load as a table
 *     plots            parts: throughput and latency by number of users
 *     shares           part: each operation's share of the time
 *     time             part: throughput and latency over time
 *     tables           parts: points and operations as tables
 *     loads            part: the figures of each load, if there are several
 *     table            write a table from descriptions of its columns
 *     ranking          sort operations by their share of the time
 *     chart            draw charts in SVG
 *     scale            choose the ends and ticks of an axis
 * - job/               sequences of measurements
 *     settings         all settings of a run
 *     preset           named sets of settings
 *     sweep            measure point after point
 *     stage            claim and clean up the targets of a sweep's variants
 *     order            order of the points, given or random
 *     pairs            measure base against new, in pairs
 *     turns            measure with the user's commands around
 *     merge            add up results of several machines
 *     merge_tally      rebuild tallies from these results
 *     find_rate        search the highest rate that a target holds
 *     limits           conditions: --limit, --stop-when, --fail-if
 *     fitting          fit the load to its targets, and report differences
 *     recheck          check targets after a crash against a state file
 *     busy             measure how busy the machine is with other programs
 * - serve/             the server for tcp targets
 *     server           listen, and keep processes ready for connections
 *     connection       receive requests and send replies
 * - cli/               command line
 *     cli              exit codes and functions that subcommands share
 *     run              throng run, with run_options and run_targets
 *     run_variants     loads and targets for all combinations of --sweep
 *     resume           continue an interrupted sweep
 *     compare          throng compare, with compare_options; compare_explain
 *                      explains refusals
 *     measure_options  options that run and compare share
 *     label            check and record labels and notes
 *     live             progress display that run and compare share
 *     check            throng check
 *     check_graph      show what a load is made of
 *     record           throng record
 *     import           throng import
 *     inherited        standard input and output of a recorded command
 *     recorded_load    write the load of a recording, report on it
 *     report           throng report; report_comparison writes the page of a
 *                      stored comparison
 *     loads            throng loads
 *     serve            throng serve
 *     verify           throng verify
 *     version          throng --version
 *     option           one option: its row, parse and record its value
 *     options          options of a command line: read them, print help
 *     output           list of file formats; write files
 *     dbench           the same program called as dbench or tbench, with
 *                      dbench_options and dbench_target
 *     tbench_srv       the same program called as tbench_srv
 *     prepare          read the loads and describe the host, for run, compare
 *                      and dbench
 *     load_word        split FILE:WEIGHT, an argument of --loadfile
 */
#include "base/message.h"
#include "base/process.h"
#include "base/suggest.h"
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
	{"record", cli_record, "make a load of what a command does"},
	{"import", cli_import, "make loads of a trace or a capture"},
	{"loads", cli_loads, "list the loads of the library, or describe them"},
	{"serve", cli_serve, "run the server of tcp:// targets"},
	{"verify", cli_verify, "check what is left after a crash"},
	{"--version", cli_version, "show the version and the backends"},
	{NULL, NULL, NULL},
};

/* Called under one of these names, throng behaves as that program. */
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

static int refuse_subcommand(const char *word)
{
	struct suggestion suggestion = {.word = word};
	const struct subcommand *subcommand;
	struct error error = {0};

	for (subcommand = subcommands; subcommand->name != NULL; subcommand++)
		suggest_offer(&suggestion, subcommand->name);
	if (suggestion.nearest != NULL)
		error_set(&error, "\"%s\" is not a subcommand; did you mean "
			  "%s?", word, suggestion.nearest);
	else
		error_set(&error, "\"%s\" is not a subcommand; see --help",
			  word);
	return cli_refuse(&error);
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
	return refuse_subcommand(argv[1]);
}

int main(int argc, char **argv)
{
	struct error error = {0};
	bool lost;
	int rc;

	/* Find out if the terminal has UTF-8; keep the C locale otherwise. */
	setlocale(LC_CTYPE, "");
	rc = process_check_stack(&error) == 0
		     ? dispatch(argc, (const char **)argv)
		     : cli_refuse(&error);
	lost = fflush(stdout) != 0;

	/* If an earlier flush failed, this one had nothing left to write. */
	if (lost || ferror(stdout)) {
		error_set(&error, "cannot write to standard output: %s",
			  lost ? strerror(errno) : "some output was lost");
		message_error(&error);
		if (rc == EXIT_VALID)
			rc = EXIT_INVALID;
	}
	exit(rc);
}
