/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presets: named sets of points, times and repeats.
 */
#ifndef JOB_PRESET_H
#define JOB_PRESET_H

#include "job/settings.h"

/*
 * Fill in the settings of the preset `name`; NULL: the defaults. An allocated
 * list of user counts replaces the one that is there. Return 0, or -errno with
 * `error` set.
 */
int preset_apply(const char *name, struct settings *settings,
		 struct error *error);

#endif
