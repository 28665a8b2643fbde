/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of backends; the only place that knows which were built.
 */
#ifndef BACKEND_BACKENDS_H
#define BACKEND_BACKENDS_H

#include "backend/backend.h"

/* All backends, ended by NULL. */
extern const struct backend *const backends[];

/* The backend that plays a URL scheme, or NULL. */
const struct backend *backends_find(const char *scheme);

#endif
