/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/session.h"

#include "target/nfs/cache.h"
#include "target/nfs/locks.h"
#include "target/nfs/rpc.h"

#include <errno.h>
#include <string.h>

/* The file or directory that a procedure works on, called the object. */
struct named {
	const struct nfs_path *path;
	size_t length;            /* length of path->whole */
	struct nfs_handle handle; /* the object's; set by find_object */
	/* Set by find_parent: the directory that contains the object, and the
	 * object's name in it. */
	struct nfs_handle directory;
	const char *leaf;
};

/* Get the handle of the file whose path consists of the first `components`
 * components of `path`. */
static int find(struct backend_session *session, const struct nfs_path *path, unsigned components,
		struct nfs_handle *handle)
{
	struct nfs_found found = {.handle = session->shared->root};
	const char *name = path->text;
	size_t length = 0;

	for (; components > 0; components--) {
		size_t name_length = strlen(name);
		const struct nfs_handle *known;

		length += 1 + name_length;
		known = nfs_cache_get(&session->shared->cache, path->whole, length);
		if (known != NULL) {
			found.handle = *known;
		} else {
			struct nfs_handle above = found.handle;
			int rc = nfs_rpc_lookup(session, &above, name, &found);

			if (rc < 0)
				return rc;
			nfs_cache_put(&session->shared->cache, path->whole, length, &found.handle);
		}
		name += name_length + 1;
	}
	*handle = found.handle;
	return 0;
}

static int set_path(struct backend_session *session, const struct backend_path *path,
		    struct named *named)
{
	named->path = nfs_path_of(session, path);
	if (named->path == NULL)
		return -ENOMEM;
	named->length = strlen(named->path->whole);
	return 0;
}

/* Find the object itself; its handle is usually in the cache. */
static int find_object(struct backend_session *session, const struct backend_path *path,
		       struct named *named)
{
	const struct nfs_handle *known;
	int rc = set_path(session, path, named);

	if (rc < 0)
		return rc;
	known = nfs_cache_get(&session->shared->cache, named->path->whole, named->length);
	if (known == NULL)
		return find(session, named->path, named->path->components, &named->handle);
	named->handle = *known;
	return 0;
}

/* Find the directory that contains the object. */
static int find_parent(struct backend_session *session, const struct backend_path *path,
		       struct named *named)
{
	unsigned components;
	int rc = set_path(session, path, named);

	if (rc < 0)
		return rc;
	components = named->path->components;
	named->leaf = strrchr(named->path->whole, '/') + 1;
	if (components == 0)
		named->leaf = "."; /* the target itself */
	return find(session, named->path, components > 0 ? components - 1 : 0, &named->directory);
}

static void forget(struct backend_session *session, const struct named *named)
{
	nfs_cache_drop(&session->shared->cache, named->path->whole, named->length);
}

static int list(struct backend_session *session, const struct nfs_handle *directory)
{
	struct nfs_listing listing = {.ended = false};
	int rc = 0;

	while (rc == 0 && !listing.ended)
		rc = nfs_rpc_readdirplus(session, directory, &listing);
	return rc;
}

static int64_t call_on(struct backend_session *session, const struct backend_call *call,
		       const struct nfs_handle *file)
{
	struct nfs_attributes attributes;
	bool at_end;
	int rc;

	switch (call->procedure) {
	case PROCEDURE_NFS_GETATTR:
		return nfs_rpc_getattr(session, file, &attributes);
	case PROCEDURE_NFS_SETATTR:
		return nfs_rpc_set_times(session, file, NULL, NULL);
	case PROCEDURE_NFS_ACCESS:
		rc = nfs_rpc_access(session, file, NFS_ALL_ACCESS);
		return rc < 0 ? rc : 0;
	case PROCEDURE_NFS_READLINK:
		return nfs_rpc_readlink(session, file);
	case PROCEDURE_NFS_READ:
		return nfs_rpc_read(session, file, call->buffer, call->size, call->offset, &at_end);
	case PROCEDURE_NFS_WRITE:
		session->wrote_unstable = false;
		session->changed_bytes = 0;
		return nfs_rpc_write(session, file, call->data, call->size, call->offset,
				     (stable_how)call->stable);
	case PROCEDURE_NFS_COMMIT:
		return nfs_rpc_commit(session, file);
	case PROCEDURE_NFS_READDIRPLUS:
		return list(session, file);
	case PROCEDURE_NFS_PATHCONF:
		return nfs_rpc_pathconf(session, file);
	default:
		return nfs_locks_call(session, call->procedure, file, call->offset, call->size);
	}
}

static int64_t call_on_file(struct backend_session *session, const struct backend_call *call)
{
	struct named file;
	int64_t rc = find_object(session, call->path, &file);

	if (rc < 0)
		return rc;
	rc = call_on(session, call, &file.handle);
	if (rc == -ESTALE)
		forget(session, &file);
	return rc;
}

static int call_to_make(struct backend_session *session, const struct backend_call *call)
{
	struct nfs_found found = {.handle = {.length = 0}};
	struct named made;
	int rc = find_parent(session, call->path, &made);

	if (rc < 0)
		return rc;
	switch (call->procedure) {
	case PROCEDURE_NFS_LOOKUP:
		rc = nfs_rpc_lookup(session, &made.directory, made.leaf, &found);
		break;
	case PROCEDURE_NFS_CREATE:
		rc = nfs_rpc_create(session, &made.directory, made.leaf, NFS_CREATE_KEEP, &found);
		break;
	case PROCEDURE_NFS_MKDIR:
		rc = nfs_rpc_mkdir(session, &made.directory, made.leaf, &found);
		break;
	default:
		rc = nfs_rpc_symlink(session, &made.directory, made.leaf, call->path2->text,
				     &found);
		break;
	}
	if (rc == 0)
		nfs_cache_put(&session->shared->cache, made.path->whole, made.length,
			      &found.handle);
	else if (rc == -ENOENT || rc == -ESTALE)
		forget(session, &made);
	return rc;
}

static int call_to_remove(struct backend_session *session, const struct backend_call *call)
{
	struct named gone;
	int rc = find_parent(session, call->path, &gone);

	if (rc < 0)
		return rc;
	if (call->procedure == PROCEDURE_NFS_RMDIR)
		rc = nfs_rpc_rmdir(session, &gone.directory, gone.leaf);
	else
		rc = nfs_rpc_remove(session, &gone.directory, gone.leaf);
	if (rc == 0 || rc == -ENOENT || rc == -ESTALE)
		forget(session, &gone);
	return rc;
}

static int call_to_rename(struct backend_session *session, const struct backend_call *call)
{
	struct nfs_handle moved = {.length = 0};
	const struct nfs_handle *known;
	struct named from, to;
	int rc = find_parent(session, call->path, &from);

	if (rc == 0)
		rc = find_parent(session, call->path2, &to);
	if (rc == 0)
		rc = nfs_rpc_rename(session, &from.directory, from.leaf, &to.directory, to.leaf);
	if (rc < 0)
		return rc;
	known = nfs_cache_get(&session->shared->cache, from.path->whole, from.length);
	if (known != NULL)
		moved = *known;
	nfs_cache_drop_tree(&session->shared->cache, from.path->whole);
	nfs_cache_drop_tree(&session->shared->cache, to.path->whole);
	nfs_cache_put(&session->shared->cache, to.path->whole, to.length, &moved);
	return 0;
}

static int call_to_link(struct backend_session *session, const struct backend_call *call)
{
	struct named existing, made;
	int rc = find_object(session, call->path2, &existing);

	if (rc == 0)
		rc = find_parent(session, call->path, &made);
	if (rc == 0)
		rc = nfs_rpc_link(session, &existing.handle, &made.directory, made.leaf);
	if (rc == 0) /* the link has the same handle as the existing file */
		nfs_cache_put(&session->shared->cache, made.path->whole, made.length,
			      &existing.handle);
	else if (rc == -ESTALE)
		forget(session, &existing);
	return rc;
}

int64_t nfs_procedure(struct backend_session *session, const struct backend_call *call)
{
	uint64_t free_bytes;

	switch (call->procedure) {
	case PROCEDURE_NFS_LOOKUP:
	case PROCEDURE_NFS_CREATE:
	case PROCEDURE_NFS_MKDIR:
	case PROCEDURE_NFS_SYMLINK:
		return call_to_make(session, call);
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		return call_to_remove(session, call);
	case PROCEDURE_NFS_RENAME:
		return call_to_rename(session, call);
	case PROCEDURE_NFS_LINK:
		return call_to_link(session, call);
	case PROCEDURE_NFS_FSSTAT:
		return nfs_rpc_fsstat(session, &free_bytes);
	case PROCEDURE_NFS_FSINFO:
		return nfs_rpc_fsinfo(session);
	default:
		return call_on_file(session, call);
	}
}
