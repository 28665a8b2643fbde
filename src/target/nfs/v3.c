/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots of the NFSv3 engine. The protocol has no open files, only names and
 * handles, so this file implements open files.
 */
#include "target/nfs/connect.h"
#include "target/nfs/rpc.h"
#include "target/nfs/session.h"

#include <errno.h>
#include <string.h>

/* The location of a file: its parent directory, the last component of its path
 * ("" for the target itself), and its whole path. */
struct where {
	struct nfs_handle directory;
	const char *leaf, *whole;
};

static int locate(struct backend_session *session, const struct backend_path *path,
		  struct where *where)
{
	const struct nfs_path *parts = nfs_path_of(session, path);

	if (parts == NULL)
		return -ENOMEM;
	where->whole = parts->whole;
	return nfs_rpc_parent(session, parts, &where->directory, &where->leaf);
}

static int find(struct backend_session *session, const struct backend_path *path,
		struct nfs_found *found)
{
	const struct nfs_path *parts = nfs_path_of(session, path);

	if (parts == NULL)
		return -ENOMEM;
	return nfs_rpc_find(session, parts, found);
}

/* Get the handle and the attributes of the file or directory to open. */
static int find_leaf(struct backend_session *session, const struct where *where,
		     struct nfs_found *found)
{
	int rc = 0;

	found->attributes.known = false;
	if (where->leaf[0] == '\0')
		found->handle = where->directory;
	else
		rc = nfs_rpc_lookup(session, &where->directory, where->leaf, found);
	return rc < 0 ? rc : nfs_rpc_complete(session, &where->directory, where->leaf, found);
}

static int v3_enter(struct backend_session *session, const char *name)
{
	struct nfs_found found;
	int rc = nfs_rpc_lookup(session, &session->shared->root, name, &found);

	if (rc == 0)
		rc = nfs_rpc_complete(session, &session->shared->root, name, &found);
	if (rc < 0)
		return rc;
	if (found.attributes.type != NF3DIR)
		return found.attributes.type == NF3LNK ? -ELOOP : -ENOTDIR;
	session->shared->root = found.handle;
	nfs_cache_drop_tree(&session->shared->cache, "");
	return 0;
}

static int open_directory(struct backend_session *session, const struct where *where,
			  uint64_t flags, struct nfs_found *found)
{
	int rc;

	if ((flags & OPEN_CREATE) != 0) {
		rc = nfs_rpc_mkdir(session, &where->directory, where->leaf, found);
		if (rc == 0)
			return nfs_rpc_complete(session, &where->directory, where->leaf, found);
		if (rc != -EEXIST || (flags & OPEN_EXCLUSIVE) != 0)
			return rc;
	}
	rc = find_leaf(session, where, found);
	if (rc < 0)
		return rc;
	return found->attributes.type == NF3DIR ? 0 : -ENOTDIR;
}

/* Check if a file of this type may be opened with `flags`. */
static int check_kind(const struct nfs_found *found, uint64_t flags)
{
	if (found->attributes.type == NF3LNK)
		return -ELOOP;
	if (found->attributes.type == NF3DIR && (flags & OPEN_FILE) != 0)
		return -EISDIR;
	return 0;
}

static int open_existing(struct backend_session *session, const struct where *where, uint64_t flags,
			 struct nfs_found *found)
{
	uint32_t wanted = (flags & OPEN_WRITE) != 0 ? ACCESS3_MODIFY : 0;
	int rc = find_leaf(session, where, found);

	if (rc == 0)
		rc = check_kind(found, flags);
	if (rc < 0)
		return rc;
	if ((flags & (OPEN_READ | OPEN_WRITE)) != OPEN_WRITE)
		wanted |= ACCESS3_READ;
	if (found->attributes.type == NF3DIR)
		wanted = ACCESS3_READ;
	rc = nfs_rpc_access(session, &found->handle, wanted);
	if (rc < 0)
		return rc;
	if (((uint32_t)rc & wanted) != wanted)
		return -EACCES;
	if ((flags & OPEN_TRUNCATE) != 0 && found->attributes.type != NF3DIR)
		return nfs_rpc_truncate(session, &found->handle, 0);
	return 0;
}

static int open_file(struct backend_session *session, const struct where *where, uint64_t flags,
		     struct nfs_found *found)
{
	enum nfs_create how = (flags & OPEN_EXCLUSIVE) != 0  ? NFS_CREATE_NEW
			      : (flags & OPEN_TRUNCATE) != 0 ? NFS_CREATE_TRUNCATE
							     : NFS_CREATE_KEEP;
	int rc;

	if ((flags & OPEN_CREATE) == 0)
		return open_existing(session, where, flags, found);
	rc = nfs_rpc_create(session, &where->directory, where->leaf, how, found);
	session->changed_bytes = rc == 0 && how == NFS_CREATE_TRUNCATE;
	if (rc == 0)
		rc = nfs_rpc_complete(session, &where->directory, where->leaf, found);
	else if ((rc == -EEXIST || rc == -EISDIR || rc == -EINVAL) && how != NFS_CREATE_NEW) {
		/* The path may be a directory or a link, which check_kind
		 * reports. If it is a regular file, return the error that
		 * CREATE had. */
		int refused = rc;

		rc = find_leaf(session, where, found);
		if (rc == 0 && found->attributes.type == NF3REG)
			rc = refused;
	}
	return rc < 0 ? rc : check_kind(found, flags);
}

static int64_t v3_open(struct backend_session *session, const struct backend_path *path,
		       uint64_t flags)
{
	struct nfs_found found;
	struct nfs_file *file;
	struct where where;
	int64_t handle;
	int rc = locate(session, path, &where);

	session->changed_bytes = 0;
	if (rc == 0 && (flags & OPEN_DIRECTORY) != 0)
		rc = open_directory(session, &where, flags, &found);
	else if (rc == 0)
		rc = open_file(session, &where, flags, &found);
	if (rc < 0)
		return rc;
	handle = nfs_file_take(session, flags);
	if (handle < 0)
		return handle;
	file = nfs_file_of(session, handle);
	file->handle = found.handle;
	file->directory = found.attributes.type == NF3DIR;
	return handle;
}

/* On close, commit unstable writes, as all NFS clients do. */
static int v3_close(struct backend_session *session, int64_t handle)
{
	struct nfs_file *file = nfs_file_of(session, handle);
	int rc = file->dirty ? nfs_rpc_commit(session, &file->handle) : 0;

	nfs_file_give_back(session, handle);
	return rc;
}

static int read_part(struct backend_session *session, const struct nfs_file *file, char *bytes,
		     size_t size, uint64_t offset, bool *at_end)
{
	return nfs_rpc_read(session, &file->handle, bytes, size, offset, at_end);
}

static int64_t v3_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		       uint64_t offset)
{
	const struct nfs_file *file = nfs_file_of(session, handle);

	if ((file->flags & (OPEN_READ | OPEN_WRITE)) == OPEN_WRITE)
		return -EBADF;
	if (file->directory)
		return -EISDIR;
	return nfs_file_move(session, file, read_part, session->shared->read_max, buffer, size,
			     offset);
}

static stable_how stable_of(const struct nfs_file *file)
{
	return (file->flags & OPEN_SYNC) != 0 ? FILE_SYNC : UNSTABLE;
}

static int write_part(struct backend_session *session, const struct nfs_file *file, char *bytes,
		      size_t size, uint64_t offset, bool *at_end)
{
	return nfs_rpc_write(session, &file->handle, bytes, size, offset, stable_of(file));
}

static int size_of(struct backend_session *session, const struct nfs_file *file, uint64_t *bytes)
{
	struct nfs_attributes attributes;
	int rc = nfs_rpc_getattr(session, &file->handle, &attributes);

	if (rc == 0)
		*bytes = attributes.size;
	return rc;
}

static int64_t v3_write(struct backend_session *session, int64_t handle, const void *data,
			size_t size, uint64_t offset)
{
	static const struct nfs_writer writer = {size_of, write_part};

	return nfs_file_write(session, handle, &writer, data, size, offset);
}

static bool v3_wrote_stable(const struct backend_session *session)
{
	return !session->wrote_unstable;
}

static int v3_fsync(struct backend_session *session, int64_t handle)
{
	struct nfs_file *file = nfs_file_of(session, handle);
	bool dirty = file->dirty;
	int rc;

	if (file->directory)
		return 0; /* NFS servers sync each change of a directory */
	/* The COMMIT is not for what other sessions write meanwhile. */
	file->dirty = false;
	rc = nfs_rpc_commit(session, &file->handle);
	if (rc < 0 && dirty)
		file->dirty = true;
	return rc;
}

static int v3_fstat(struct backend_session *session, int64_t handle)
{
	struct nfs_attributes attributes;

	return nfs_rpc_getattr(session, &nfs_file_of(session, handle)->handle, &attributes);
}

static int v3_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	struct nfs_attributes attributes;
	int rc = nfs_rpc_getattr(session, &nfs_file_of(session, handle)->handle, &attributes);

	if (rc == 0)
		*file = (struct backend_file){
			.id = attributes.file_id,
			.size_bytes = attributes.size,
			.device = attributes.device,
		};
	return rc;
}

static int v3_owner_of(struct backend_session *session, int64_t handle)
{
	struct nfs_attributes attributes;
	int rc = nfs_rpc_getattr(session, &nfs_file_of(session, handle)->handle, &attributes);

	return rc < 0 ? rc : (int)nfs_session_owner(session, attributes.uid);
}

/* Set times back from the given attributes. */
static int set_back(struct backend_session *session, const struct nfs_handle *file,
		    struct nfs_attributes *attributes)
{
	attributes->accessed.seconds -= ACCESS_TIME_BACK_S;
	attributes->modified.seconds -= MODIFY_TIME_BACK_S;
	return nfs_rpc_set_times(session, file, &attributes->accessed, &attributes->modified);
}

static int v3_set_times(struct backend_session *session, int64_t handle)
{
	const struct nfs_handle *file = &nfs_file_of(session, handle)->handle;
	struct nfs_attributes attributes;
	int rc = nfs_rpc_getattr(session, file, &attributes);

	return rc < 0 ? rc : set_back(session, file, &attributes);
}

static int v3_set_path_times(struct backend_session *session, const struct backend_path *path)
{
	struct nfs_found found;
	int rc = find(session, path, &found);

	return rc < 0 ? rc : set_back(session, &found.handle, &found.attributes);
}

static int v3_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	const struct nfs_file *file = nfs_file_of(session, handle);

	if ((file->flags & OPEN_WRITE) == 0 || file->directory)
		return -EINVAL;
	return nfs_rpc_truncate(session, &file->handle, bytes);
}

/* Check rights as the Linux client does. */
static int v3_access(struct backend_session *session, const struct backend_path *path,
		     unsigned rights)
{
	struct nfs_found found;
	uint32_t wanted = 0;
	int rc = find(session, path, &found);

	/* A symbolic link itself grants all rights. */
	if (rc < 0 || rights == 0 || found.attributes.type == NF3LNK)
		return rc;
	if ((rights & ACCESS_READ) != 0)
		wanted |= ACCESS3_READ;
	if ((rights & ACCESS_WRITE) != 0)
		wanted |= ACCESS3_MODIFY | ACCESS3_EXTEND;
	if ((rights & ACCESS_EXECUTE) != 0)
		wanted |= found.attributes.type == NF3DIR ? ACCESS3_LOOKUP : ACCESS3_EXECUTE;
	rc = nfs_rpc_access(session, &found.handle, wanted);
	if (rc < 0)
		return rc;
	return ((uint32_t)rc & wanted) == wanted ? 0 : -EACCES;
}

static int v3_chmod(struct backend_session *session, const struct backend_path *path,
		    unsigned permissions)
{
	struct nfs_found found;
	int rc = find(session, path, &found);

	if (rc == 0 && found.attributes.type == NF3LNK)
		rc = -EOPNOTSUPP;
	return rc < 0 ? rc : nfs_rpc_set_mode(session, &found.handle, permissions);
}

static int v3_chown(struct backend_session *session, const struct backend_path *path,
		    uint32_t user_id, uint32_t group_id)
{
	struct nfs_found found;
	int rc = find(session, path, &found);

	return rc < 0 ? rc : nfs_rpc_set_owner(session, &found.handle, user_id, group_id);
}

static int v3_stat(struct backend_session *session, const struct backend_path *path,
		   struct backend_attributes *attributes)
{
	struct nfs_found found;
	int rc = find(session, path, &found);

	if (rc < 0)
		return rc;
	attributes->directory = found.attributes.type == NF3DIR;
	attributes->size_bytes = found.attributes.size;
	return 0;
}

static int v3_unlink(struct backend_session *session, const struct backend_path *path)
{
	struct where where;
	int rc = locate(session, path, &where);

	if (rc == 0)
		rc = nfs_rpc_remove(session, &where.directory, where.leaf);
	if (rc == 0)
		nfs_cache_drop(&session->shared->cache, where.whole, strlen(where.whole));
	return rc;
}

static int v3_rename(struct backend_session *session, const struct backend_path *from,
		     const struct backend_path *to, bool replace)
{
	struct where old, new;
	struct nfs_found found;
	int rc = locate(session, from, &old);

	session->changed_bytes = 0;
	if (rc == 0)
		rc = locate(session, to, &new);
	if (rc < 0)
		return rc;
	if (!replace) {
		rc = nfs_rpc_lookup(session, &new.directory, new.leaf, &found);
		if (rc != -ENOENT)
			return rc < 0 ? rc : -EEXIST;
	}
	rc = nfs_rpc_rename(session, &old.directory, old.leaf, &new.directory, new.leaf);
	if (rc == 0) {
		nfs_cache_drop_tree(&session->shared->cache, old.whole);
		nfs_cache_drop_tree(&session->shared->cache, new.whole);
	}
	return rc;
}

static int v3_mkdir(struct backend_session *session, const struct backend_path *path)
{
	struct where where;
	int rc = locate(session, path, &where);

	return rc < 0 ? rc : nfs_rpc_mkdir(session, &where.directory, where.leaf, NULL);
}

static int v3_rmdir(struct backend_session *session, const struct backend_path *path)
{
	struct where where;
	int rc = locate(session, path, &where);

	if (rc == 0)
		rc = nfs_rpc_rmdir(session, &where.directory, where.leaf);
	if (rc == 0)
		nfs_cache_drop(&session->shared->cache, where.whole, strlen(where.whole));
	return rc;
}

static int v3_statvfs(struct backend_session *session)
{
	uint64_t free_bytes;

	return nfs_rpc_fsstat(session, &free_bytes);
}

static int v3_link(struct backend_session *session, const struct backend_path *path,
		   const struct backend_path *existing)
{
	struct nfs_found found;
	struct where where;
	int rc = find(session, existing, &found);

	if (rc < 0)
		return rc;
	rc = locate(session, path, &where);
	return rc < 0 ? rc : nfs_rpc_link(session, &found.handle, &where.directory, where.leaf);
}

static int v3_symlink(struct backend_session *session, const struct backend_path *path,
		      const char *text)
{
	struct where where;
	int rc = locate(session, path, &where);

	return rc < 0 ? rc : nfs_rpc_symlink(session, &where.directory, where.leaf, text, NULL);
}

static int v3_readlink(struct backend_session *session, const struct backend_path *path)
{
	struct nfs_found found;
	int rc = find(session, path, &found);

	return rc < 0 ? rc : nfs_rpc_readlink(session, &found.handle);
}

/* Visit the entries of one answer. Set bit 0 of *dots if "." is among them,
 * and bit 1 if ".." is. Return false if `visit` has ended the listing. */
static bool visit_entries(const struct backend_session *session, unsigned *dots,
			  backend_visit *visit, void *context)
{
	size_t at = 0;

	while (at < session->entries_used) {
		const char *kept = session->entries + at, *name = kept + 1;

		if (name[0] == '.' && name[1] == '\0')
			*dots |= 1;
		if (name[0] == '.' && name[1] == '.' && name[2] == '\0')
			*dots |= 2;
		if (!visit(context, name, (enum backend_entry) * kept))
			return false;
		at += 2 + strlen(name);
	}
	return true;
}

static int v3_list(struct backend_session *session, const struct backend_path *path,
		   backend_visit *visit, void *context)
{
	struct nfs_listing listing = {.ended = false};
	struct nfs_found found;
	unsigned dots = 0;
	int rc = find(session, path, &found);

	while (rc == 0 && !listing.ended) {
		rc = nfs_rpc_readdirplus(session, &found.handle, &listing);
		if (rc == 0 && !visit_entries(session, &dots, visit, context))
			return 0;
	}
	/* Servers may leave out "." and "..": visit them then. */
	if (rc == 0 && (dots & 1) == 0 && !visit(context, ".", ENTRY_DIRECTORY))
		return 0;
	if (rc == 0 && (dots & 2) == 0)
		visit(context, "..", ENTRY_DIRECTORY);
	return rc;
}

BACKEND_EXPORTED const struct backend backend_nfs3 = {
	.answers = true,
	.remote = true,
	/* RFC 1813, 1.5: a server makes changes durable before it replies. */
	.durable_directories = true,
	.takes_turns = true,
	.library_version = nfs_library_version,
	.probe = nfs_probe_target,
	.session_open = nfs_session_open,
	.session_close = nfs_session_close,
	.session_share = nfs_session_share,
	.enter = v3_enter,
	.path_make = nfs_path_make,
	.open = v3_open,
	.close = v3_close,
	.read = v3_read,
	.write = v3_write,
	.changed_bytes = nfs_changed_bytes,
	.wrote_stable = v3_wrote_stable,
	.fsync = v3_fsync,
	.fdatasync = v3_fsync,
	.truncate = v3_truncate,
	.fstat = v3_fstat,
	.identify = v3_identify,
	.owner_of = v3_owner_of,
	.set_times = v3_set_times,
	.stat = v3_stat,
	.unlink = v3_unlink,
	.rename = v3_rename,
	.access = v3_access,
	.chmod = v3_chmod,
	.chown = v3_chown,
	.set_path_times = v3_set_path_times,
	.mkdir = v3_mkdir,
	.rmdir = v3_rmdir,
	.statvfs = v3_statvfs,
	.link = v3_link,
	.symlink = v3_symlink,
	.readlink = v3_readlink,
	.procedure = nfs_procedure,
	.list = v3_list,
};
