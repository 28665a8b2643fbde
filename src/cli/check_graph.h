/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of `throng check --graph`: tables with bars that show what a load
 * is made of.
 */
#ifndef CLI_CHECK_GRAPH_H
#define CLI_CHECK_GRAPH_H

#include "base/error.h"
#include "study/profile.h"

/* Print the tables: at most 60 lines with 80 columns. Return 0, or -ENOMEM with
 * `error` set. */
int check_graph(const struct program *program, struct profile *profile, struct error *error);

#endif
