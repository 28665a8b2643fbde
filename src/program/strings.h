/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random strings in a path's first component: every name that they can make
 * there becomes a shared name, so that a run can look before it plays which
 * of them exist, and remove afterwards those that did not.
 */
#ifndef PROGRAM_STRINGS_H
#define PROGRAM_STRINGS_H

#include "program/tables.h"

/* The most names, as each of them is looked up on the target. */
enum { STRINGS_NAMES_MAX = 1000 };

/*
 * Notes them, once the whole load is known. Returns 0, or -EINVAL with `error`
 * set: too many; or one is that of the users' directories. Or -ENOMEM.
 */
int strings_spell(struct tables *tables, struct error *error);

#endif
