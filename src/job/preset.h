/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presets: points, times, repeats and order under one name.
 */
#ifndef JOB_PRESET_H
#define JOB_PRESET_H

#include "job/settings.h"

/*
 * Fills in the settings that the preset `name` decides; NULL: what holds
 * without one. An allocated list of user counts replaces the one that is there.
 * Returns 0, or -errno with `error` set.
 */
int preset_apply(const char *name, struct settings *settings,
		 struct error *error);

#endif
