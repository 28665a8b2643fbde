/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/capability.h"

unsigned capability_of(const struct backend *backend, const struct backend_facts *facts)
{
	const struct {
		bool has_slots;
		unsigned probed; /* the probe must have found these, too */
		enum capability capability;
	} table[] = {
		{backend->fsync != NULL && backend->fdatasync != NULL, 0, CAP_FSYNC},
		{true, CAP_SYNC_OPENS, CAP_SYNC_OPENS},
		{backend->sync_parent != NULL || backend->durable_directories, 0, CAP_SYNC_PARENTS},
		{backend->lock != NULL && backend->unlock != NULL, CAP_LOCKS, CAP_LOCKS},
		{backend->lock_test != NULL, CAP_LOCKS, CAP_LOCK_TEST},
		{backend->truncate != NULL, 0, CAP_TRUNCATE},
		{backend->allocate != NULL, CAP_ALLOCATE, CAP_ALLOCATE},
		{backend->copy != NULL, 0, CAP_COPY},
		{backend->clone != NULL, CAP_CLONE, CAP_CLONE},
		{backend->sync_range != NULL, 0, CAP_SYNC_RANGE},
		{backend->access != NULL, 0, CAP_ACCESS},
		{backend->chmod != NULL, 0, CAP_CHMOD},
		{backend->chown != NULL, 0, CAP_CHOWN},
		{backend->set_path_times != NULL, 0, CAP_PATH_TIMES},
		{backend->xattr_get != NULL && backend->xattr_set != NULL &&
			 backend->xattr_list != NULL && backend->xattr_remove != NULL,
		 CAP_XATTRS, CAP_XATTRS},
		{backend->swap != NULL, 0, CAP_SWAP},
		{true, CAP_DIRECT, CAP_DIRECT},
		{backend->link != NULL, CAP_LINKS, CAP_LINKS},
		/* Don't let a load make links on a target that follows them: a
		 * link beside `clients` could lead to files of others. */
		{backend->symlink != NULL && backend->readlink != NULL, CAP_LINK_CHECK,
		 CAP_SYMLINKS},
		{backend->procedure != NULL, 0, CAP_PROCEDURES},
		{backend->procedure != NULL, CAP_LOCK_PROCEDURES, CAP_LOCK_PROCEDURES},
	};
	unsigned able = 0;
	size_t i;

	/* Such a backend plays any operation as a request and a reply of the
	 * sizes that the operation would have (exchange.h). */
	if (backend->exchange != NULL)
		return CAP_ALL & ~(unsigned)CAP_SYNC_PARENTS;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].has_slots && (table[i].probed & ~facts->capabilities) == 0)
			able |= table[i].capability;
	return able;
}
