/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/capability.h"

unsigned capability_of(const struct backend *backend,
		       const struct backend_facts *facts)
{
	const struct {
		bool has_slot;
		enum backend_lack lack; /* 0: none of its own */
		enum ability ability;
	} table[] = {
		{backend->fsync != NULL, 0, ABLE_FSYNC},
		{true, LACKS_SYNC_OPENS, ABLE_SYNC_OPENS},
		{backend->sync_parent != NULL || backend->durable_directories,
		 0, ABLE_SYNC_PARENTS},
		{backend->lock != NULL && backend->unlock != NULL, LACKS_LOCKS,
		 ABLE_LOCKS},
		{backend->link != NULL, 0, ABLE_LINKS},
		/* Where links are followed a load may not make any: one beside
		 * `clients` could lead to what is not the run's. */
		{backend->symlink != NULL && backend->readlink != NULL,
		 LACKS_LINK_CHECK, ABLE_SYMLINKS},
		{backend->procedure != NULL, LACKS_PROCEDURES,
		 ABLE_PROCEDURES},
		{backend->procedure != NULL,
		 LACKS_PROCEDURES | LACKS_LOCK_PROCEDURES,
		 ABLE_LOCK_PROCEDURES},
	};
	unsigned able = 0;
	size_t i;

	/* Whatever it is, it is so many bytes there and back. */
	if (backend->exchange != NULL)
		return ABLE_ALL & ~(unsigned)ABLE_SYNC_PARENTS;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].has_slot && (facts->lacks & table[i].lack) == 0)
			able |= table[i].ability;
	return able;
}
