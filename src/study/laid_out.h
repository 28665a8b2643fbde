/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find out how much of a load only lays out files: the bytes that a loop writes
 * to files before it reads them. In a load without a set-up, these writes are
 * measured together with the reads.
 */
#ifndef STUDY_LAID_OUT_H
#define STUDY_LAID_OUT_H

#include "program/program.h"

/*
 * Set *bytes to the number of bytes per loop that are written to files which
 * the load reads later. The totals of the loops must not overflow (profile.h).
 * Return 0 or -ENOMEM.
 */
int laid_out_find(const struct program *program, uint64_t *bytes);

#endif
