/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capabilities of a target, put together from its backend's slots and from
 * what probe found.
 */
#ifndef ENGINE_CAPABILITY_H
#define ENGINE_CAPABILITY_H

#include "backend/backend.h"

/* Return what operations may need of the target, enum capability as bits. */
unsigned capability_of(const struct backend *backend,
		       const struct backend_facts *facts);

#endif
