/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads from recordings. This is the only header of the room that others
 * include; README.md describes what is inside.
 *
 * capture_import() or capture_record() fills a struct source, which has a
 * recording per client. recording_finish() makes a load of each; then
 * source_free() it all.
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "base/error.h"
#include "capture/model/conversion.h"
#include "program/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct source_client {
	char *name; /* such as an address and an account; "" if there is one */
	struct recording *recording;
};

/* The time that strace adds to a call, in nanoseconds; 0: unknown. */
struct trace_cost {
	double call_ns;
	double within_ns; /* the part of it that is within the call's duration */
};

/* The trace of a program, a capture, or an iolog. An all-zero struct is empty. */
struct source {
	/* Set before it is read. */
	const char *name;              /* of the input, for messages */
	const char *title;             /* such as "A trace by strace" */
	const char *directory;         /* the recorded directory, see each reader */
	const char *working_directory; /* strace: where the program began */
	const char *only;              /* only clients whose name contains this, or NULL */
	unsigned options;              /* for the recordings: enum recording_option */
	bool no_mmap;                  /* strace: drop mappings */
	bool local;                    /* strace: the trace is of this machine, so
					* symbolic links elsewhere can be followed */
	struct trace_cost cost;        /* strace: on an idle machine */
	bool keyed;                    /* keys were given to decrypt it */
	char *root;                    /* the memory of `directory`, or NULL */

	/* Set by the reader. */
	struct source_client *clients;
	size_t client_count;
	const char *call, *calls;   /* the source's words for one call and many */
	uint64_t call_count;        /* counted by the reader, for all clients */
	uint64_t first_ns, last_ns; /* when the first call began and the last
				     * one ended, on the source's clock */
	/* Texts for people about what is wrong with the source as a whole. */
	char **warnings;
	size_t warning_count;
};

enum capture_format {
	CAPTURE_STRACE,
	CAPTURE_SMB,
	CAPTURE_NFS,
	CAPTURE_FIO,
	CAPTURE_UNKNOWN, /* to be found out */
};

/* Files to import. */
struct capture_inputs {
	const char *const *names; /* "-" is standard input */
	size_t count;             /* traces by strace can be several */
	enum capture_format format;
	const char *directory;     /* the recorded directory, or NULL */
	const char *client;        /* only clients whose name contains this, or NULL */
	const char *keys, *keytab; /* files with keys to decrypt a capture, or NULL */
	uint16_t port;             /* of SMB, besides those that are found; or 0 */
	bool times;                /* operations keep their times */
	bool pauses;               /* tasks keep their pauses; not with `times` */
	bool no_mmap;              /* drop mappings of files */
};

/* Read the files. Return 0, or -errno with `error` set. */
int capture_import(struct source *source, const struct capture_inputs *inputs, struct error *error);

/* A command to record. */
struct capture_command {
	const char *const *words;      /* ended by NULL */
	const char *directory;         /* the recorded directory, a real path */
	const char *working_directory; /* where the command begins */
	const char *trace_name;        /* a file for strace's output, or NULL */
	bool times, pauses, no_mmap;   /* as for an import */
	/* Set by capture_record(). */
	FILE *trace;   /* strace's output, which the caller closes; or NULL */
	bool complete; /* the trace is, whatever happened then */
	int status;    /* the command's exit status, as shells have it */
};

/* Run the command under strace and read the trace. Return 0, or -errno with
 * `error` set. */
int capture_record(struct source *source, struct capture_command *command, struct error *error);

/* Measure what strace adds to a call. This runs programs. */
struct trace_cost capture_cost(void);

/* Print a line about each program that traces or decodes for this room: its
 * version, or why it cannot be used. */
void capture_print_tools(FILE *stream);

/* Return the conversion of a client's calls. */
struct conversion *recording_conversion(struct recording *recording);

/* Summary of a finished recording. */
struct recording_totals {
	uint64_t operations, read_bytes, written_bytes, names_changed;
	uint64_t setup_directories, setup_files, setup_bytes, unread_sizes;
	/* Streams of the load, and the max number of processes and threads that
	 * needed one at once. Both are 0 if the source has none. */
	uint64_t streams, tasks_max;
	/* Number of pauses, and their sum. */
	uint64_t pauses, paused_ns;
};

/*
 * Build the load: the set-up, SETUP restore, and the operations. Set *totals.
 * Return the program, or NULL with `error` set. `source` names the load in
 * messages.
 */
struct program *recording_finish(struct recording *recording, const char *source,
				 struct recording_totals *totals, struct error *error);

void source_free(struct source *source);

#endif
