/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random strings in the first component of a path. Every name that they can
 * produce becomes a shared name. Before the load, a run can thus check which of
 * these names exist; after the load, it removes the names that did not exist.
 */
#ifndef COMPILE_STRINGS_H
#define COMPILE_STRINGS_H

#include "compile/tables.h"

/* Max number of names. There is a limit because each name is looked up on the
 * target. */
enum { STRINGS_NAMES_MAX = 1000 };

/*
 * Add all names that random strings can produce to the shared names. Call this
 * after the last operation was added. Return 0, or -EINVAL with `error` set if
 * there are too many names or one is CLIENTS_NAME, or -ENOMEM.
 */
int strings_expand(struct tables *tables, struct error *error);

#endif
