/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Let the set-up flush the files that it writes. */
#ifndef ADAPT_SETUP_FLUSH_H
#define ADAPT_SETUP_FLUSH_H

#include "base/error.h"
#include "program/program.h"

/*
 * Let the set-up flush what it writes: each close of a file that it has written
 * gets the flag OP_FLUSH, and NFS writes become stable. Call this once, before
 * the program is played, and not before it is printed. Return 0, or -ENOMEM
 * with `error` set.
 */
int setup_flush(struct program *program, struct error *error);

#endif
