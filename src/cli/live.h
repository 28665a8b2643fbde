/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What subcommands that measure show while they do.
 */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "job/sweep.h"
#include "report/progress.h"
#include "result/result.h"

/* Warns of what the look found, on stderr. NULL: there is no live line. */
void live_warn(struct progress *progress, const struct workers_view *view);

/* The live line of a look at a running point, after its warning. */
void live_tick(struct progress *progress, const struct workers_view *view);

/* Tells on stderr what voids a repeat. */
void live_invalid(const struct result_repeat *repeat);

#endif
