/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/capability.h"

unsigned capability_of(const struct backend *backend,
		       const struct backend_facts *facts)
{
	const struct {
		bool has_slots;
		unsigned probed; /* the probe must have found these, too */
		enum capability capability;
	} table[] = {
		{backend->fsync != NULL, 0, CAP_FSYNC},
		{true, CAP_SYNC_OPENS, CAP_SYNC_OPENS},
		{backend->sync_parent != NULL || backend->durable_directories,
		 0, CAP_SYNC_PARENTS},
		{backend->lock != NULL && backend->unlock != NULL, CAP_LOCKS,
		 CAP_LOCKS},
		{backend->link != NULL, 0, CAP_LINKS},
		/* Don't let a load make links on a target that follows them: a
		 * link beside `clients` could lead to files of others. */
		{backend->symlink != NULL && backend->readlink != NULL,
		 CAP_LINK_CHECK, CAP_SYMLINKS},
		{backend->procedure != NULL, 0, CAP_PROCEDURES},
		{backend->procedure != NULL, CAP_LOCK_PROCEDURES,
		 CAP_LOCK_PROCEDURES},
	};
	unsigned able = 0;
	size_t i;

	/* Such a backend plays any operation as a request and a reply of the
	 * sizes that the operation would have (exchange.h). */
	if (backend->exchange != NULL)
		return CAP_ALL & ~(unsigned)CAP_SYNC_PARENTS;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].has_slots &&
		    (table[i].probed & ~facts->capabilities) == 0)
			able |= table[i].capability;
	return able;
}
