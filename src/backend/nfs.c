/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An NFS export, through libnfs: the slots, each of which is NFSv3's or
 * NFSv4's.
 */
#include "backend/backend.h"

#include "backend/nfs_procedure.h"
#include "backend/nfs_session.h"

#include <errno.h>

static const char *library_version(void)
{
	return NFS_VERSION;
}

static int session_open(const struct target *target, unsigned user,
			struct backend_session **session)
{
	char words[1]; /* probe is who tells them */

	return nfs_session_open(target, user, session, words, sizeof(words));
}

#define PASS_ON(slot, ...) session->slots->slot(session, ##__VA_ARGS__)

static int64_t open_either(struct backend_session *session,
			   const struct backend_path *path, uint64_t flags)
{
	return PASS_ON(open, path, flags);
}

static int close_either(struct backend_session *session, int64_t handle)
{
	return PASS_ON(close, handle);
}

static int64_t read_either(struct backend_session *session, int64_t handle,
			   void *buffer, size_t size, uint64_t offset)
{
	return PASS_ON(read, handle, buffer, size, offset);
}

static int64_t write_either(struct backend_session *session, int64_t handle,
			    const void *data, size_t size, uint64_t offset)
{
	return PASS_ON(write, handle, data, size, offset);
}

static int fsync_either(struct backend_session *session, int64_t handle)
{
	return PASS_ON(fsync, handle);
}

/* NFSv3 leaves locks to NLM, where those of a dead process stay. */
static int lock_either(struct backend_session *session, int64_t handle,
		       uint64_t offset, uint64_t length)
{
	if (session->slots->lock == NULL)
		return -ENOTSUP;
	return PASS_ON(lock, handle, offset, length);
}

static int unlock_either(struct backend_session *session, int64_t handle,
			 uint64_t offset, uint64_t length)
{
	if (session->slots->unlock == NULL)
		return -ENOTSUP;
	return PASS_ON(unlock, handle, offset, length);
}

static int fstat_either(struct backend_session *session, int64_t handle)
{
	return PASS_ON(fstat, handle);
}

static int owner_of_either(struct backend_session *session, int64_t handle)
{
	return PASS_ON(owner_of, handle);
}

static int set_times_either(struct backend_session *session, int64_t handle)
{
	return PASS_ON(set_times, handle);
}

static int stat_either(struct backend_session *session,
		       const struct backend_path *path,
		       struct backend_attributes *attributes)
{
	return PASS_ON(stat, path, attributes);
}

static int unlink_either(struct backend_session *session,
			 const struct backend_path *path)
{
	return PASS_ON(unlink, path);
}

static int rename_either(struct backend_session *session,
			 const struct backend_path *from,
			 const struct backend_path *to, bool replace)
{
	return PASS_ON(rename, from, to, replace);
}

static int mkdir_either(struct backend_session *session,
			const struct backend_path *path)
{
	return PASS_ON(mkdir, path);
}

static int rmdir_either(struct backend_session *session,
			const struct backend_path *path)
{
	return PASS_ON(rmdir, path);
}

static int statvfs_either(struct backend_session *session)
{
	return PASS_ON(statvfs);
}

static int link_either(struct backend_session *session,
		       const struct backend_path *path,
		       const struct backend_path *existing)
{
	return PASS_ON(link, path, existing);
}

static int symlink_either(struct backend_session *session,
			  const struct backend_path *path, const char *text)
{
	return PASS_ON(symlink, path, text);
}

static int readlink_either(struct backend_session *session,
			   const struct backend_path *path)
{
	return PASS_ON(readlink, path);
}

static int list_either(struct backend_session *session,
		       const struct backend_path *path, backend_visit *visit,
		       void *context)
{
	return PASS_ON(list, path, visit, context);
}

static int64_t procedure(struct backend_session *session,
			 const struct backend_call *call)
{
	return session->version == 3 ? nfs_procedure(session, call) : -ENOTSUP;
}

const struct backend backend_nfs = {
	.name = "nfs",
	.answers = true,
	.remote = true,
	/* RFC 1813, 1.5 and RFC 7530, 1.4: a server replies when it is so. */
	.durable_directories = true,
	.passes_options = true,
	.library = "libnfs",
	.library_version = library_version,
	.probe = nfs_probe_target,
	.session_open = session_open,
	.session_close = nfs_session_close,
	.path_make = nfs_path_make,
	.open = open_either,
	.close = close_either,
	.read = read_either,
	.write = write_either,
	.fsync = fsync_either,
	.lock = lock_either,
	.unlock = unlock_either,
	.fstat = fstat_either,
	.owner_of = owner_of_either,
	.set_times = set_times_either,
	.stat = stat_either,
	.unlink = unlink_either,
	.rename = rename_either,
	.mkdir = mkdir_either,
	.rmdir = rmdir_either,
	.statvfs = statvfs_either,
	.link = link_either,
	.symlink = symlink_either,
	.readlink = readlink_either,
	.procedure = procedure,
	.list = list_either,
};
