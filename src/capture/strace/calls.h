/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The meaning of system calls, for the files that implement it: calls.c
 * (table of calls, processes), names.c, files.c (open files), transfers.c
 * (mappings, copies, libaio, io_uring), place.c (paths, descriptors, failures).
 */
#ifndef CAPTURE_STRACE_CALLS_H
#define CAPTURE_STRACE_CALLS_H

#include "capture/model/recording.h"
#include "capture/strace/line.h"
#include "capture/strace/process.h"

struct strace;

/* A system call. Positions of arguments count from 1; 0 means none. */
struct strace_row {
	const char *name;
	void (*handle)(struct strace *strace);
	uint8_t op; /* enum op_kind */
	union {
		uint8_t at[5];
		struct {
			/* or the directory that the path is relative to */
			uint8_t descriptor;
			uint8_t path, flags;
			uint8_t value, other; /* as the handler says */
		};
	};
	const char *reason; /* of a call that is dropped or approximated */
};

/* row->flags: the call does not follow a symbolic link. */
enum { NEVER_FOLLOWS = UINT8_MAX };

/* The state of a reader, and its current call. */
struct strace {
	struct source *source;
	struct recording *recording;
	struct processes processes;
	bool bracketed;           /* the trace has [pid N] if there are several processes */
	bool maps_shared;         /* a recorded file has been mapped for writing */
	uint64_t mapped_bytes;    /* of such files */
	uint64_t ring_requests;   /* to io_uring, by system calls */
	bool ring_polled;         /* others need no system call */
	uint64_t hidden_requests; /* to libaio, which the trace lacks */
	struct intern outside;    /* directories that are elsewhere */
	char **inside;            /* where they lead to in it, or NULL; by their number */
	size_t inside_room;

	struct process *process;
	const struct strace_row *row;
	struct strace_call call;
	struct pending begun; /* if the call did not return at once */
	uint64_t line;
	uint64_t raw_line; /* a line with numbers for flags, or 0 */
	/* A path of the call ends with a slash, which follows a link. */
	bool slash;
};

/* Return the row of a call, or NULL. */
const struct strace_row *strace_find_row(const char *name, size_t bytes);

/* Account for a call that has no row. */
void strace_unknown(struct strace *strace, const char *name, size_t bytes);

/* Is this the row of close(2), or of one of the calls that begin a process?
 * `row` may be NULL. */
bool strace_is_close(const struct strace_row *row);
bool strace_is_fork(const struct strace_row *row);

/* Does the current call take hardly any time? */
bool strace_is_quick(const struct strace *strace);

/* Begin a process by a call at `time_ns`, and end it at `time_ns` (0: unknown), as
 * process_start() and process_end() do, and as a task of the recording. */
void strace_start_process(struct strace *strace, struct process *process, struct process *parent,
			  unsigned share, const char *directory, uint64_t time_ns);

void strace_end_process(struct strace *strace, struct process *process, uint64_t time_ns);

/* Return the set of enum process_share that the flags of a clone ask for. */
unsigned strace_shared_with(const char *flags);

/* Return an argument by its position, "" if there is none. */
const char *strace_argument(const struct strace *strace, unsigned position);

/* Return the number that an argument is. */
int64_t strace_number_at(const struct strace *strace, unsigned position);

/* Has the call failed, as far as its result is known? */
bool strace_has_failed(const struct strace *strace);

/* Put the current call into a row of the conversion report. */
void strace_elsewhere(struct strace *strace);
void strace_merge_call(struct strace *strace, const char *reason);
void strace_approximate(struct strace *strace, const char *reason);
void strace_drop(struct strace *strace, const char *reason);

/* Set recorded->error. Return false if the call's failure cannot be played; then
 * its row is set. */
bool strace_outcome(struct strace *strace, struct recorded *recorded);

/* Add an operation with the call's outcome. */
bool strace_add(struct strace *strace, struct recorded *recorded);

/* Return the part of an absolute path below the recorded directory, or NULL if
 * it is not in it. */
const char *strace_below(const struct strace *strace, const char *absolute);

/* Let the absolute path of a symbolic link in the recorded directory be the
 * path that it leads to, if that is in the directory, too. */
void strace_resolve(const struct strace *strace, char absolute[TREE_PATH_MAX]);

/* Write the absolute path of the directory that paths are relative to: the one
 * in the argument at `position`, or the working directory if that is 0. Return
 * false if it is unknown. */
bool strace_directory(struct strace *strace, unsigned position, char absolute[TREE_PATH_MAX]);

/* Write the absolute path that the argument at `path` has, relative to the
 * directory in the argument at `directory`. Return false if it is unknown. */
bool strace_absolute(struct strace *strace, unsigned directory, unsigned path,
		     char absolute[TREE_PATH_MAX]);

/* The same for a path in the recorded directory, which it is relative to. Return
 * NULL if it is elsewhere; strace_path() then also sets the row. */
const char *strace_relative(struct strace *strace, unsigned directory, unsigned path,
			    char absolute[TREE_PATH_MAX]);
const char *strace_path(struct strace *strace, unsigned directory, unsigned path,
			char absolute[TREE_PATH_MAX]);

/* Return the open file of the descriptor at a position, or NULL. */
struct description *strace_description(struct strace *strace, unsigned position);

/* The same for a file that is followed; otherwise set the row. */
struct description *strace_file(struct strace *strace, unsigned position);

/* Move the position of an open file to the end of what a call has moved. */
void strace_advance(struct description *description, uint64_t end);

/* Handlers of calls on names. */
void strace_name(struct strace *strace);
void strace_names(struct strace *strace);
void strace_truncate(struct strace *strace);
void strace_mknod(struct strace *strace);
void strace_symlink(struct strace *strace);

/* Handlers of calls on open files. */
void strace_open(struct strace *strace);
void strace_close(struct strace *strace);
void strace_close_range(struct strace *strace);
void strace_dup(struct strace *strace);
void strace_fcntl(struct strace *strace);
void strace_flock(struct strace *strace);
void strace_data(struct strace *strace);
void strace_seek(struct strace *strace);
void strace_list(struct strace *strace);
void strace_range(struct strace *strace);
void strace_map(struct strace *strace);
void strace_copy(struct strace *strace);
void strace_ioctl(struct strace *strace);
void strace_submit(struct strace *strace);
void strace_ring(struct strace *strace);
void strace_ring_enter(struct strace *strace);

/* Warn of reads and writes that the trace does not show. */
void strace_warn_of_hidden(struct strace *strace);

#endif
