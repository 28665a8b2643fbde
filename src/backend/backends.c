/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/backends.h"

#include <string.h>

extern const struct backend backend_posix;
extern const struct backend backend_null;

const struct backend *const backends[] = {
	&backend_posix,
	&backend_null,
	NULL,
};

const struct backend *backends_find(const char *scheme)
{
	const struct backend *const *backend;
	const char *const *known;

	for (backend = backends; *backend != NULL; backend++)
		for (known = (*backend)->schemes; *known != NULL; known++)
			if (strcmp(*known, scheme) == 0)
				return *backend;
	return NULL;
}
