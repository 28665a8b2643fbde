/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the shell has opened as standard input, output and error of a
 * recorded command. The command's trace does not have these opens, so they are
 * written before it, in the form of strace's lines.
 */
#ifndef CLI_INHERITED_H
#define CLI_INHERITED_H

#include <stdio.h>

/*
 * Write the opens of our own standard descriptors that are files below the
 * directory `root`, a real path, to the empty file `trace`. Return the size of
 * these lines in bytes, or -errno.
 */
long inherited_write(const char *root, FILE *trace);

/* The trace has been appended to these lines: make them calls of the process that
 * its first line is of, at the time of that line. Go to the beginning of the
 * file. */
void inherited_assign(FILE *trace, long bytes);

#endif
