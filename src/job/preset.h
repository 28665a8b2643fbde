/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presets: named sets of points, times and repeats.
 */
#ifndef JOB_PRESET_H
#define JOB_PRESET_H

#include "job/settings.h"

/*
 * Fill in the settings of the preset `name`, or the defaults if it is NULL. The
 * list of user counts is freed and replaced. Return 0, or -errno with `error`
 * set.
 */
int preset_apply(const char *name, struct settings *settings, struct error *error);

#endif
