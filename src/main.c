/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng: a trace-replay benchmark for file systems and file servers.
 *
 * throng reads a loadfile once and compiles it into a program. Options rewrite
 * the program, then N forked users replay it. Their statistics become a result,
 * and writers turn the result into text, JSON, CSV or HTML.
 *
 * The rooms of src, roughly from lower to upper ones. tests/rules/layers has
 * whose headers each may include; being inside a room allows nothing.
 *
 * A point is one measurement with some number of users. A target is played by a
 * backend: a table of functions, called slots. A scheme of URLs may have
 * several backends, called engines.
 *
 * - base/              code that knows nothing of files and loads
 *     error            describe an error and its place; the first error wins
 *     message          write messages to stderr
 *     clock            read the monotonic clock, sleep until a given time
 *     units            parse and print numbers with units
 *     random           random numbers from a seed, with given distributions
 *     histogram        count durations in log-linear cells
 *     fibers           functions that take turns in one thread
 *     futex            sleep until another thread or process changes a word
 *     array            append to growing arrays
 *     bytes            little-endian numbers in buffers
 *     intern           number keys, the same number for equal keys
 *     process          fork, wait for signals, run helper processes
 *     utf8             decode, encode and check UTF-8
 *     wildcard         match file names against DOS and shell patterns
 *     letter_case      names that differ only in the case of letters
 *     suggest          find the word that a misspelt word stands for
 *     network          parse and resolve addresses, set socket options
 *     sum              add and multiply sizes without an overflow
 * - words/             words that loads, targets and results share
 *     operation        flags of opens, variants of operations, direction of
 *                      data
 *     procedure        NFS procedures and their statuses
 *     smb_request      recorded requests, and information levels of SMB1 in
 *                      SMB2
 *     smb_client       clients that play on SMB shares; words about their login
 *     nt_status        NT statuses of SMB and their errnos
 *     capability       capabilities that some targets lack
 *     phases           phases of a measurement: warm-up, measure, ramp-down
 *     layout           paths of the directories below a target
 *     packet           tbench's wire protocol
 * - program/           the compiled load as data: operations, paths, formulas
 *     op               operations, with a row per kind that has all that is
 *                      known of it
 *     formula          numbers that are computed while the load is played
 *     outcome          list of all outcomes of operations
 *     program          data structure of a compiled loadfile
 *     modes            words of the native dialect for variants of operations
 *     recorded         words for recorded SMB requests, and what they mean
 *     print            write a program as a native loadfile
 *     path             normalise and check paths of a loadfile
 * - compile/           build a program and check it, operation by operation
 *     builder          build a program, operation by operation, and verify it
 *     blocks           nest loops, mixes and branches while a program is built
 *     expression       parse expressions into formulas
 *     tables           tables of a program: labels, paths, texts, formulas
 *     variables        variables ($user, counters, LET), and where they are
 *                      valid
 *     path_policy      check what operations do to the run's own directories
 *     phase            add a phase to a program
 *     handles          map recorded handle numbers to slots for open files
 *     setup_block      check the set-up of a program that is being built
 *     stream           check its streams
 * - load/              read loadfiles
 *     reader           read lines and words from plain or gzip text
 *     dialect          interface of a dialect, the format of a loadfile
 *     dialects         list of the dialects; refuse loads for block devices
 *     netbench         dialect of dbench, tbench, smbtorture: SMB requests
 *     nfs              dialect of dbench 5: NFSv3 calls
 *     smb              dialect of dbench 5: files opened by name
 *     native           throng's own dialect
 *     arguments        read the arguments of operations, for all dialects
 *     number           read the numbers and expressions in words of a line
 *     dollars          find random strings and variables in paths
 *     control          compile control lines: loops, delays, variables
 *     parameters       replace the parameters of a native load; IF and ELSE
 *     unroll           read the lines of a REPEAT several times
 *     setting          parse values for the parameters of a load
 *     load             open a loadfile, find its dialect, compile it
 *     library          find the loads that are installed with the program
 *     description      read what a load says about itself
 * - study/             facts about a program: totals, sizes, order
 *     shared           list the names outside the users' directories, and tell if
 *                      a load changes them
 *     walk             visit the operations of a program one after the other,
 *                      with their rounds, files and set-up
 *     profile          compute totals of a program: operations, bytes, prologue
 *     composition      sizes and order of reads and writes, depth of the tree
 *     footprint        estimate the bytes in a user's files
 *     user_files       names and lengths of a user's files, for this estimate
 *     loads            the loads of a run, and which user plays which
 *     fidelity         compute how much of a load an SMB client sends as it was
 *                      recorded
 * - streams/           which operations of a load may be in flight together
 *     streams          derive the streams of a load, and what they wait for
 *     rules            what an operation uses, and so what it waits for
 *     resource         resources, and which streams have used them last
 *     name_tree        the names of a load, and the files that they name
 * - adapt/             rewrite a program for options and for its target
 *     transform        rewrite a program for options that change the load
 *     fit              skip, degrade or emulate what a target cannot play
 *     lost             names and handles that skipped operations would have
 *                      made
 *     setup_flush      let the set-up flush the files that it writes
 * - smb2client/        a client of SMB2 and SMB3 (smb2client/README.md)
 *     client           its only door: sessions and exchanges
 *     request          requests for files
 *     reply            replies to them; check their lengths
 *     text             convert between UTF-8 and UTF-16
 *     session          log in, connect to a share
 *     negotiate        negotiate the dialect and the algorithms
 *     ntlm             log in with a password: NTLMv2
 *     kerberos         log in with a Kerberos ticket
 *     connection       connect, protect and send messages
 *     exchange         messages and their replies, several in flight
 *     receive          receive messages, and data into the caller's buffer
 *     wire             headers, compounds, credits, replies to a login
 *     crypt            keys, signatures and encryption
 * - target/            a backend for each kind of target
 *     backend          interface of a backend: its table of slots
 *     backends         table of engines: schemes, URL options, modules; decide
 *                      from slots and probe what a target can play: adapt/fit
 *                      skips the rest
 *     target           parse a target as the user names it
 *     options          read the options of a target, also in modules
 *     account          read the names and passwords that users log in with
 *     smb_common       what both SMB engines share: URLs, names, messages
 *     smb_slots        numbers of the open files of an SMB session
 *     tcp              play operations as packets of tbench's protocol
 *     null             do nothing, to measure the cost of throng itself
 *     tree             remove directory trees on any backend
 * - target/posix/      local directories
 *     posix            the table of slots; sessions, opens, names
 *     session          a user's session: its state; slots of other files
 *     file             operations on open files: read, write, flush, lock
 *     path             attributes, by path
 *     probe            probe a local target
 *     dos_attribute    DOS attributes in an extended attribute, as in Samba
 *     page_cache       drop files from the page cache
 *     dircache         keep directories of a local target open
 *     mount            find the file system of a path
 * - target/nfs/        NFS exports, through libnfs
 *     v3               NFSv3 engine: its table of slots
 *     v4               NFSv4 engine: its table of slots
 *     session          a user's session: its state, paths and open files
 *     connect          connect a user: parse the URL, mount, root handle
 *     call             send one RPC and wait for the reply
 *     rpc              one function per procedure of NFSv3
 *     procedure        the slot for single procedures, for loads of the nfs
 *                      dialect
 *     cache            handles by path, for these single calls
 *     uncommitted      write verifiers of data that is not committed yet
 *     locks            locks of NFSv3 (NLM)
 *     probe            probe an NFS target
 *     api              wrappers for differences between versions of libnfs
 * - target/libsmbclient/ SMB shares, through libsmbclient: SMB1 to SMB3
 *     libsmbclient     the table of slots; operations on paths
 *     file             operations on open files
 *     url              convert paths to the URLs that libsmbclient takes
 *     session          a user's session: libsmbclient context and login; all
 *                      slots
 *     conf             write an smb.conf for libsmbclient
 *     probe            probe an SMB target
 * - target/smb2/       SMB shares, through our own client of SMB2 and SMB3
 *     smb2             the table of slots
 *     session          a user's session: its state, names of paths; all slots
 *     file             operations on open files
 *     lock             locks on ranges of files
 *     space            allocate space, copy between files
 *     path             operations on paths
 *     list             listings of directories
 *     probe            probe an SMB target
 * - verify/            compare what is read with what was written
 *     arena            memory set aside for a map, handed out piece by piece
 *     content          the bytes that each write writes
 *     map              where each write is valid in a user's files
 *     catalog          names of these files
 *     track            note in the map what operations do to names and content
 *     flight           operations of several lanes that overlap in time
 *     compare          compare bytes that were read with the map
 *     difference       find out what wrong bytes look like
 *     verify           what the users of a point share: maps, differences found
 *     verifier         a backend in front of another one, which verifies it
 *     verifier_state   what the files of the verifier share
 *     verifier_names   its slots for names
 *     verifier_procedures  its slot for NFS procedures
 *     read_back        read back a user's files at the end
 * - crash/             what must still be there after a crash
 *     state            data structure of the state of a run, for throng verify
 *     line             lines of a state file as words
 *     read             read a state file
 *     take             take the state from the maps of users
 *     check            check the files on a target against a state
 *     compare          compare ranges of these files
 * - measure/           memory in which users count what they do
 *     stats            counters that users share with the parent, and their
 *                      recorder
 *     seconds          sample what a point did in each second
 * - play/              one user, who replays a program on a target
 *     barrier          let users begin the phases of a load together
 *     lanes            play the streams of a load in threads
 *     names            a user's paths, with random strings and variables
 *     bind             fill in a user's own names, offsets and data
 *     pace             compute when operations are due
 *     replay           replay loop of one user: control lines, checks, timing
 *     replay_state     state of a replay, for the files that play operations
 *     files            play operations by calling a backend's slots
 *     procedure        play or emulate single NFS procedures
 *     exchange         play operations as requests and replies of given sizes
 *     setup            play the set-up before the start line, and flush it
 *     restore          restore the set-up between loops
 *     changes          note what a loop has changed
 *     snapshot         list the files that the set-up has left
 *     cold             drop the load's files from the page cache
 *     verification     prepare --verify, and let users read back their files
 *     user             life of a user's process
 *     plan             parameters of a point: users, load, targets
 * - workdir/           the directory of a run below a target
 *     identity         recognise a run, and judge whether it is alive
 *     run_file         the file that says which run made what
 *     rundir           claim a target, and enter the directory of a run
 *     remove           remove what a run has made at a target
 *     survey           what other runs have left at a target
 * - run/               the processes of a point, and the sum of what they did
 *     failure          describe a failed operation in words
 *     point            play one point: shared memory, users, tally
 *     sampler          run the commands of --sample once per second
 *     tally            the sums of a point: data structure, add two tallies
 *     tally_take       sum up a point from the memory of its users
 *     tally_pack       encode a tally as bytes, to send it
 *     targets          probe, claim and clean up all targets of a run
 *     watchdog         find users that wait for each other or hang, and end
 *                      operations over a network that take too long
 *     workers          fork, start, watch and reap the users of a point
 *     workers_view     sample the state of a running point, once per second
 * - capture/           loads from recordings (capture/README.md)
 *     capture          the only header of these rooms that others include
 *     import           find out the format of files to import, and read them
 *     record           list a directory, trace a command, read the trace
 *     fio              iologs of fio
 * - capture/model/     the recorded files, and operations on them
 *     conversion       count what became of each call of the source
 *     flight           how many calls were in flight at the same time
 *     tasks            the processes of a source, and the streams of its load
 *     tree             model of the recorded directory
 *     tree_sizes       sizes of the files in the model
 *     recording        turn the calls of a client into operations
 *     recording_state  the state of a recording
 *     recording_files  opens, operations on open files, listings
 *     recording_names  operations on names, and failures
 *     recording_finish build the load with its set-up
 * - capture/strace/    traces by strace
 *     trace            run a command under strace
 *     strace           read a trace by strace
 *     line             parse its lines, and their times
 *     merge            merge the traces of several processes
 *     process          descriptors and working directories of its processes
 *     calls            the system calls and their meaning
 *     names            calls on names
 *     files            calls on open files
 *     transfers        mappings, copies and clones, libaio and io_uring
 *     place            paths and descriptors in arguments, and failures
 * - capture/smb/       captures of SMB2 and SMB3
 *     smb2             read captures of SMB2 and SMB3
 *     frame            divide the fields of a frame among its messages
 *     calls            the calls of a capture, with their replies, and what a
 *                      client did with each open file
 *     convert          turn the calls into operations
 *     names            opens, operations on names, and listings
 * - capture/nfs/       captures of NFS
 *     nfs              read captures of NFS: RPC messages, calls and replies
 *     part             take the values of a call from the fields
 *     client           a client's files by their handles
 *     nfs3             NFSv3 and its lock manager
 *     nfs4             compounds of NFSv4
 *     nfs4_operations  their operations, and open files by their stateids
 * - capture/decode/    run strace and tshark, read fields of frames
 *     columns          read the fields that tshark prints of a capture
 *     feed             write a capture to tshark, with the ports that it knows
 *     tool             start strace and tshark
 *     tshark           extract the fields of a capture
 *     keys             keys of encrypted SMB sessions
 * - result/            the data of a measurement; its JSON files
 *     result           data structure of a result
 *     record           flat rows of figures: total, operations, phases, loads
 *     figures          the table of all figures
 *     combine          combine the repeats of a point; derive figures
 *     variant          variants of a sweep: combinations of its axes' values
 *     notice           warnings and reasons as data; their texts
 *     warning          find reasons to distrust figures
 *     condition        find figures by their names, and parse and check conditions
 *                      such as p99<50ms
 *     schema           one row per value: key, place, unit, bounds
 *     rows             macros for the rows of schema, and the rows
 *     json             write what rows describe as JSON
 *     read             read what rows describe from JSON
 *     json_cursor      split a JSON file, and take values from it
 *     lists            the lists of flat rows in a result file
 *     lists_write      write them
 *     lists_read       read them
 *     check            check that the values of a result file fit together
 * - stats/             statistics: spread, scaling law, verdicts
 *     summary          keep points, peak and law up to date; read a result file
 *     usl              fit the Universal Scalability Law to the points
 *     ratio            confidence interval of new / base, and the verdict
 *     sequential       decide when enough pairs have been measured
 * - doc/               documents for people: headings, facts, tables, charts
 *     doc              build a document, block by block
 *     tree             the blocks, as the renderers see them
 *     number           numbers as text: units, digits, typography
 *     records          tables of figures
 *     render           interface of the renderers
 *     text             render as text for terminals
 *     markdown         render as GitHub-flavoured Markdown
 *     html             render as an HTML page
 *     html_table       tables of a page
 *     svg              charts of a page: layout, axes, legend
 *     axis             scale and labels of an axis
 *     drawing          draw the marks of a chart
 *     scale            choose the ends and ticks of an axis
 *     escape           escape text from outside for each output format
 * - report/            the sections of reports
 *     sections         interface of the sections
 *     report           orders of the sections in text and Markdown
 *     page             their order in a page
 *     view             the results of a report, and their points side by side
 *     naming           choose the names of several results and of values
 *     labels           columns that name a point
 *     describe         describe a run in words: load, targets, machine
 *     notices          merge the notices of several points
 *     headline         section: the main figure, or how results compare
 *     standing         find the fastest result, if that can be told
 *     points           sections: points, other figures, changes
 *     operations       sections: operations, phases and loads of a point
 *     conclusions      section: peak, loop times, laws, limits, found rates
 *     live             the table of points while a sweep runs
 * - report/charts/     charts of results
 *     charts           throughput, latency, shares of the time
 *     lines            points of results as the lines of a chart
 *     seconds          throughput, latency and samples over time
 * - report/sides/      several results side by side
 *     sides            tables of all results, and the pivot
 *     trend            results in the order of time
 *     configuration    the configuration once, and what differs
 * - report/tables/     the tables of --table
 *     spec             parse what a table shows
 *     grid             the rows, columns and records of a table
 *     plot             draw a table as curves or bars
 *     tables           section: the tables
 * - compare/           compare two results
 *     comparable       check if two results can be compared
 *     comparison       compare two results, point by point
 *     summary          the answer in words
 *     sections         the comparison as a document
 *     operations       section: the operations that changed most
 *     junit            JUnit XML
 *     github           annotations for GitHub Actions
 *     json             write a comparison as JSON, and read it again
 *     phrases          phrases that the formats share
 *     calibration      noise of a machine, from a target compared with itself
 * - export/            the formats of -o
 *     formats          the table of all formats
 *     text             text and Markdown
 *     csv              CSV, a row per operation, point and repeat
 *     dbench           the last line of dbench 4.0, per point
 *     bencher          Bencher Metric Format
 *     benchmark        custom formats of github-action-benchmark
 *     otava            CSV of several results for Apache Otava
 *     prometheus       gauges for node_exporter's textfile collector
 *     values           the figures of --figures, for bencher and the like
 * - sweep/             many measurements: sweeps, pairs, searches for a rate
 *     settings         all settings of a run
 *     steps            take the steps that a plan chooses: the loop
 *     plan_order       the steps of a sweep, in given or random order
 *     plan_pairs       those of a comparison: base and new, in pairs
 *     plan_rate        those of a search for the highest rate that holds
 *     venue            play and clean up on this machine
 *     commands         run the user's commands around the turns of a run
 *     samples          run those of --sample during a measurement
 *     stage            claim and clean up the targets of a sweep's variants
 *     measure          make one measurement
 *     collect          convert tallies into records of a result
 *     limits           conditions: --limit, --stop-when, --fail-if
 *     fitting          ask targets for capabilities, fit the loads, note
 *                      differences
 *     clean            list and remove what runs have left at a target
 *     recheck          check targets after a crash against a state file
 *     busy             measure how busy the machine is with other programs
 * - hosts/             users on other hosts
 *     hosts            start and end throng on all hosts; claim targets there
 *     controller       the hosts as the controller knows them: messages, losses
 *     play             play a point: a common start, one tally
 *     meeting          users of different hosts meet before a phase of a load
 *     sharing          choose the users that play SETUP shared
 *     list             the list of --hosts
 *     launcher         start a program such as ssh for a host
 *     link             messages over two descriptors
 *     payload          the messages that are texts
 *     ranks            is this one of the processes of an mpiexec or srun?
 *     reverse          hosts that one mpiexec has started: the controller and
 *                      the wires are its ranks
 *     relay            relay the bytes of links between descriptors and ranks
 *     mpi              messages between ranks: a module per MPI
 *     wire             the process that a launcher starts on a host: forward
 *                      messages
 *     crew             the process that claims targets and forks users there
 * - serve/             the server for tcp targets
 *     server           listen, and keep processes ready for connections
 *     connection       receive requests and send replies
 * - cli/               the command line, and a file per subcommand
 *     cli              exit codes and functions that subcommands share
 *     check            throng check
 *     check_graph      show what a load is made of
 *     record           throng record
 *     import           throng import
 *     recorded_load    write the load of a recording, report on it
 *     report           throng report; report_comparison writes the page of a
 *                      stored comparison
 *     loads            throng loads
 *     serve            throng serve
 *     clean            throng clean
 *     verify           throng verify
 *     version          throng --version
 *     option           one option: its row, parse and record its value
 *     options          options of a command line: read them, print help
 *     completion       throng completion; candidates for its scripts
 *     output           list of file formats; write files
 * - cli/measure/       the subcommands that measure: run and compare
 *     run              throng run, with run_options
 *     run_variants     loads and targets for all combinations of --sweep
 *     run_targets      targets of run and compare: URLs, options, accounts
 *     resume           continue an interrupted sweep
 *     compare          throng compare, with compare_options
 *     compare_sides    loads and targets of base and new
 *     measure_options  options that run and compare share
 *     elsewhere        --hosts: what the hosts need
 *     host             throng host
 *     presets          the options that --preset NAME stands for
 *     label            check and record labels and notes
 *     live             progress display that run and compare share
 *     progress         progress line, once per second
 *     prepare          read the loads and describe the host, for run, compare
 *                      and dbench
 * - cli/dropin/        the program called as dbench, tbench, tbench_srv
 *     dbench           run as dbench or tbench
 *     dbench_options   their command line, as settings and a target
 *     dbench_output    their output, for the scripts that read it
 *     tbench_srv       serve as tbench_srv
 */
#include "base/message.h"
#include "base/process.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/completion.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct subcommand {
	const char *name;
	int (*run)(int argc, const char **argv); /* NULL: show help */
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
	{"clean", cli_clean, "list or remove what runs have left"},
	{"host", cli_host, "play for a run on other hosts; started by run --hosts"},
	{"completion", cli_completion, "print a script for completion in bash, zsh or fish"},
	{"help", NULL, "show the options of a subcommand"},
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
		fprintf(stream, "  %-10s %s\n", subcommand->name, subcommand->help);
	fputs("`throng help SUBCOMMAND' shows the usual options, SUBCOMMAND --help-all shows\n"
	      "all. throng(1) is the manual. Exit status: 0 valid, 1 invalid, 2 nothing was\n"
	      "measured, 3 regression or a limit not met, 4 inconclusive.\n",
	      stream);
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
		error_set(&error, "\"%s\" is not a subcommand; did you mean %s?", word,
			  suggestion.nearest);
	else
		error_set(&error, "\"%s\" is not a subcommand; see --help", word);
	return cli_refuse(&error);
}

static const struct subcommand *find_subcommand(const char *word)
{
	const struct subcommand *subcommand = subcommands;

	while (subcommand->name != NULL && strcmp(subcommand->name, word) != 0)
		subcommand++;
	return subcommand->name != NULL ? subcommand : NULL;
}

/* Do what --help does after the subcommand, if there is one. */
static int help(int argc, const char **argv)
{
	const char *words[] = {argv[1], "--help", NULL};
	const struct subcommand *subcommand;
	struct error error = {0};

	if (argc < 2)
		return usage(stdout);
	if (argc > 2) {
		error_set(&error, "help: expected one subcommand; see --help");
		return cli_refuse(&error);
	}
	subcommand = find_subcommand(argv[1]);
	if (subcommand == NULL)
		return refuse_subcommand(argv[1]);
	return subcommand->run != NULL ? subcommand->run(2, words) : usage(stdout);
}

/* List what may stand in place of the last word: a subcommand, or what it says. */
static int complete(int argc, const char **argv)
{
	const struct subcommand *subcommand = subcommands;

	if (argc > 3 && strcmp(argv[2], "help") != 0) {
		subcommand = find_subcommand(argv[2]);
		if (subcommand == NULL)
			return EXIT_REFUSED;
		argv[1] = argv[2];
		argv[2] = COMPLETE_OPTION;
		return subcommand->run(argc - 1, argv + 1);
	}
	puts("words");
	for (; subcommand->name != NULL; subcommand++)
		if (argc > 2 &&
		    strncmp(subcommand->name, argv[argc - 1], strlen(argv[argc - 1])) == 0)
			printf("%s\t%s\n", subcommand->name, subcommand->help);
	return EXIT_VALID;
}

static int dispatch(int argc, const char **argv)
{
	const struct subcommand *subcommand;
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	struct error error = {0};

	for (subcommand = names; argc > 0 && subcommand->name != NULL; subcommand++)
		if (strcmp(subcommand->name, slash != NULL ? slash + 1 : argv[0]) == 0)
			return subcommand->run(argc, argv);
	if (argc < 2) {
		error_set(&error, "expected a subcommand; see --help");
		return cli_refuse(&error);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return usage(stdout);
	if (strcmp(argv[1], COMPLETE_OPTION) == 0)
		return complete(argc, argv);
	subcommand = find_subcommand(argv[1]);
	if (subcommand == NULL)
		return refuse_subcommand(argv[1]);
	return (subcommand->run != NULL ? subcommand->run : help)(argc - 1, argv + 1);
}

/* Open the standard streams that are closed, or a file on a target could become
 * one of them. */
static void open_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= message_descriptor());
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct error error = {0};
	bool lost;
	int rc;

	open_standard_streams();
	/* Find out if the terminal has UTF-8; keep the C locale otherwise. */
	setlocale(LC_CTYPE, "");
	rc = process_check_stack(&error) == 0 ? dispatch(argc, (const char **)argv)
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
