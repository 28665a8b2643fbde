/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities of a target, derived from the slots that its backend
 * implements (backend.h) and from the results of its probe.
 */
#ifndef RUN_CAPABILITY_H
#define RUN_CAPABILITY_H

#include "target/backend.h"

/* Return the capabilities of the target, a set of enum capability bits. */
unsigned capability_of(const struct backend *backend, const struct backend_facts *facts);

#endif
