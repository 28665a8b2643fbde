/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The presets of --preset: each is a name for a list of options.
 */
#ifndef CLI_MEASURE_PRESETS_H
#define CLI_MEASURE_PRESETS_H

#include "cli/options.h"

/*
 * Add the options of the preset that `given` names, if any, before those of the
 * user. An option of the user replaces that of the preset, and those that it
 * contradicts are dropped. Return 0, or -errno with `error` set.
 */
int presets_apply(struct options *given, struct error *error);

/* Offer the names of all presets. */
void presets_offer(const struct completion *completion);

#endif
