/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The null backend: does nothing, and so measures the cost of throng itself.
 * This file is a good start for a new backend: copy it.
 */
#include "target/backend.h"

#include <errno.h>
#include <string.h>

static const char *null_library_version(void)
{
	return PACKAGE_VERSION;
}

static int null_probe(const struct target *target, struct backend_facts *facts, struct error *error)
{
	if (target->path[0] != '\0') {
		error_set(error, "%s: expected null: and nothing else", target->url);
		return -EINVAL;
	}
	strcpy(facts->kind, "nothing is played");
	facts->free_bytes = UINT64_MAX;
	facts->in_memory = true;
	facts->capabilities = CAP_ALL;
	return 0;
}

static int null_session_open(const struct target *target, unsigned user,
			     struct backend_session **session)
{
	*session = NULL;
	return 0;
}

static void null_session_close(struct backend_session *session)
{
}

static int null_session_share(struct backend_session *session, struct fibers *fibers,
			      struct backend_session **another)
{
	*another = NULL;
	return 0;
}

static int64_t null_open(struct backend_session *session, const struct backend_path *path,
			 uint64_t flags)
{
	return 0;
}

static int64_t null_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
			 uint64_t offset)
{
	return (int64_t)size;
}

static int64_t null_write(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	return (int64_t)size;
}

static int null_handle(struct backend_session *session, int64_t handle)
{
	return 0;
}

static int null_range(struct backend_session *session, int64_t handle, uint64_t offset,
		      uint64_t length)
{
	return 0;
}

static int null_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	return 0;
}

static int null_range_mode(struct backend_session *session, int64_t handle, uint64_t offset,
			   uint64_t length, unsigned mode)
{
	return 0;
}

static int64_t null_copy(struct backend_session *session, int64_t from, uint64_t from_offset,
			 int64_t to, uint64_t to_offset, uint64_t bytes)
{
	return (int64_t)bytes;
}

static int null_clone(struct backend_session *session, int64_t from, uint64_t from_offset,
		      int64_t to, uint64_t to_offset, uint64_t bytes)
{
	return 0;
}

static int null_path(struct backend_session *session, const struct backend_path *path)
{
	return 0;
}

static int null_stat(struct backend_session *session, const struct backend_path *path,
		     struct backend_attributes *attributes)
{
	*attributes = (struct backend_attributes){0};
	return 0;
}

static int null_rename(struct backend_session *session, const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	return 0;
}

static int null_swap(struct backend_session *session, const struct backend_path *one,
		     const struct backend_path *other)
{
	return 0;
}

static int null_path_mode(struct backend_session *session, const struct backend_path *path,
			  unsigned mode)
{
	return 0;
}

static int null_chown(struct backend_session *session, const struct backend_path *path,
		      uint32_t user_id, uint32_t group_id)
{
	return 0;
}

static int64_t null_xattr_get(struct backend_session *session, const struct backend_path *path,
			      const char *name, void *value, size_t size)
{
	return (int64_t)size;
}

static int null_xattr_set(struct backend_session *session, const struct backend_path *path,
			  const char *name, const void *value, size_t size)
{
	return 0;
}

static int64_t null_xattr_list(struct backend_session *session, const struct backend_path *path,
			       char *names, size_t size)
{
	return 0;
}

static int null_xattr_remove(struct backend_session *session, const struct backend_path *path,
			     const char *name)
{
	return 0;
}

static int null_statvfs(struct backend_session *session)
{
	return 0;
}

static int null_link(struct backend_session *session, const struct backend_path *path,
		     const struct backend_path *existing)
{
	return 0;
}

static int null_symlink(struct backend_session *session, const struct backend_path *path,
			const char *text)
{
	return 0;
}

static int64_t null_procedure(struct backend_session *session, const struct backend_call *call)
{
	return (int64_t)call->size;
}

static int null_list(struct backend_session *session, const struct backend_path *path,
		     backend_visit *visit, void *context)
{
	return 0;
}

const struct backend backend_null = {
	.answers = false,
	.library_version = null_library_version,
	.probe = null_probe,
	.session_open = null_session_open,
	.session_close = null_session_close,
	.session_share = null_session_share,
	.open = null_open,
	.close = null_handle,
	.read = null_read,
	.write = null_write,
	.fsync = null_handle,
	.fdatasync = null_handle,
	.truncate = null_truncate,
	.allocate = null_range_mode,
	.copy = null_copy,
	.clone = null_clone,
	.sync_range = null_range_mode,
	.lock = null_range_mode,
	.unlock = null_range,
	.lock_test = null_range_mode,
	.fstat = null_handle,
	.set_times = null_handle,
	.stat = null_stat,
	.unlink = null_path,
	.rename = null_rename,
	.swap = null_swap,
	.access = null_path_mode,
	.chmod = null_path_mode,
	.chown = null_chown,
	.set_path_times = null_path,
	.xattr_get = null_xattr_get,
	.xattr_set = null_xattr_set,
	.xattr_list = null_xattr_list,
	.xattr_remove = null_xattr_remove,
	.mkdir = null_path,
	.rmdir = null_path,
	.sync_parent = null_path,
	.statvfs = null_statvfs,
	.link = null_link,
	.symlink = null_symlink,
	.readlink = null_path,
	.procedure = null_procedure,
	.list = null_list,
};
