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

#include "capture/model/source.h"

source_reader strace_read;

/* Print the calls that the reader knows, as strace's option -e takes them:
 * "trace=?open,?openat,...". A machine may lack some. */
void strace_print_calls(FILE *stream);

#endif
