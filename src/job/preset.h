/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans: points, times, repeats and order under one name.
 */
#ifndef JOB_PRESET_H
#define JOB_PRESET_H

#include "job/settings.h"

/*
 * Fills in the settings that the plan `name` decides; NULL: what holds
 * without one. The list of user counts is allocated. Returns 0, or -errno
 * with `error` set.
 */
int plan_apply(const char *name, struct settings *settings,
	       struct error *error);

#endif
