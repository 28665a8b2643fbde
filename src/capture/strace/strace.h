/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read a trace that strace has written of a program and its children:
 *
 *     strace -f -ttt -T -y -s 0 -o FILE COMMAND
 *
 * -f and -y are needed for a program that forks, or opens files relative to
 * directories; without -ttt the operations have no times. source->directory is
 * absolute and has no symbolic links. The program began in
 * source->working_directory, or if that is NULL, in the directory.
 */
#ifndef CAPTURE_STRACE_STRACE_H
#define CAPTURE_STRACE_STRACE_H

#include "capture/model/recording.h"

source_reader strace_read;

/* Print the calls that the reader knows, as strace's option -e takes them:
 * "trace=?open,?openat,...". A machine may lack some. */
void strace_print_calls(FILE *stream);

/*
 * Merge traces that were made at the same time, such as those of strace -ff,
 * which has a file for each process. Read `count` files, and write their lines to
 * `merged` in the order of their times, as strace -f writes them. Lines without a
 * PID get that at the end of the file's name. Return 0, or -errno with `error`
 * set: -EINVAL with the place for a file that cannot be merged.
 */
int strace_merge(const char *const *names, size_t count, FILE *merged, struct error *error);

/*
 * Begin a trace: write the opens of our own standard descriptors that are files
 * below the directory `root`, a real path, to the empty file `trace`, for
 * commands inherit them. Return what strace_run() needs, or -errno.
 */
long strace_begin(const char *root, FILE *trace);

/*
 * Run a command, whose words end by NULL, under strace, which appends its
 * trace. Go to the beginning of the file. Set *result to the command's exit
 * status, as shells have it. Return 0, or -errno with `error` set.
 */
int strace_run(struct source *source, const char *const *words, FILE *trace, long begun,
	       int *result, struct error *error);

#endif
