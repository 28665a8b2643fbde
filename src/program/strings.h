/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random strings in a path's first component. Each name that they can produce
 * becomes a shared name, so that a run can check before the load which of them
 * exist, and afterwards remove those that did not.
 */
#ifndef PROGRAM_STRINGS_H
#define PROGRAM_STRINGS_H

#include "program/tables.h"

/* Max number of names, as each is looked up on the target. */
enum { STRINGS_NAMES_MAX = 1000 };

/*
 * Add these names to the shared names. Call this when the whole load is known.
 * Returns 0, or -EINVAL with `error` set (too many, or one is CLIENTS_NAME), or
 * -ENOMEM.
 */
int strings_spell(struct tables *tables, struct error *error);

#endif
