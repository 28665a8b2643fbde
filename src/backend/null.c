/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The null backend: does nothing, and so measures the cost of throng itself.
 * This file is a good start for a new backend: copy it.
 */
#include "backend/backend.h"

#include <errno.h>
#include <string.h>

static const char *null_library_version(void)
{
	return PACKAGE_VERSION;
}

static int null_probe(const struct target *target,
		      struct backend_facts *facts, struct error *error)
{
	if (target->path[0] != '\0') {
		error_set(error, "%s: expected null: and nothing else",
			  target->url);
		return -EINVAL;
	}
	strcpy(facts->kind, "nothing is played");
	facts->free_bytes = UINT64_MAX;
	facts->in_memory = true;
	facts->capabilities = CAP_LOCKS | CAP_SYNC_OPENS |
			      CAP_LOCK_PROCEDURES | CAP_LINK_CHECK |
			      CAP_DEEP_PATHS;
	return 0;
}

static int null_session_open(const struct target *target, unsigned user,
			     struct backend_session **session)
{
	(void)target;
	(void)user;
	*session = NULL;
	return 0;
}

static void null_session_close(struct backend_session *session)
{
	(void)session;
}

static int64_t null_open(struct backend_session *session,
			 const struct backend_path *path, uint64_t flags)
{
	(void)session;
	(void)path;
	(void)flags;
	return 0;
}

static int64_t null_read(struct backend_session *session, int64_t handle,
			 void *buffer, size_t size, uint64_t offset)
{
	(void)session;
	(void)handle;
	(void)buffer;
	(void)offset;
	return (int64_t)size;
}

static int64_t null_write(struct backend_session *session, int64_t handle,
			  const void *data, size_t size, uint64_t offset)
{
	(void)session;
	(void)handle;
	(void)data;
	(void)offset;
	return (int64_t)size;
}

static int null_handle(struct backend_session *session, int64_t handle)
{
	(void)session;
	(void)handle;
	return 0;
}

static int null_range(struct backend_session *session, int64_t handle,
		      uint64_t offset, uint64_t length)
{
	(void)session;
	(void)handle;
	(void)offset;
	(void)length;
	return 0;
}

static int null_path(struct backend_session *session,
		     const struct backend_path *path)
{
	(void)session;
	(void)path;
	return 0;
}

static int null_stat(struct backend_session *session,
		     const struct backend_path *path,
		     struct backend_attributes *attributes)
{
	(void)session;
	(void)path;
	*attributes = (struct backend_attributes){0};
	return 0;
}

static int null_rename(struct backend_session *session,
		       const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	(void)session;
	(void)from;
	(void)to;
	(void)replace;
	return 0;
}

static int null_statvfs(struct backend_session *session)
{
	(void)session;
	return 0;
}

static int null_link(struct backend_session *session,
		     const struct backend_path *path,
		     const struct backend_path *existing)
{
	(void)session;
	(void)path;
	(void)existing;
	return 0;
}

static int null_symlink(struct backend_session *session,
			const struct backend_path *path, const char *text)
{
	(void)session;
	(void)path;
	(void)text;
	return 0;
}

static int64_t null_procedure(struct backend_session *session,
			      const struct backend_call *call)
{
	(void)session;
	return (int64_t)call->size;
}

static int null_list(struct backend_session *session,
		     const struct backend_path *path, backend_visit *visit,
		     void *context)
{
	(void)session;
	(void)path;
	(void)visit;
	(void)context;
	return 0;
}

const struct backend backend_null = {
	.answers = false,
	.library_version = null_library_version,
	.probe = null_probe,
	.session_open = null_session_open,
	.session_close = null_session_close,
	.open = null_open,
	.close = null_handle,
	.read = null_read,
	.write = null_write,
	.fsync = null_handle,
	.lock = null_range,
	.unlock = null_range,
	.fstat = null_handle,
	.set_times = null_handle,
	.stat = null_stat,
	.unlink = null_path,
	.rename = null_rename,
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
