/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/rpc.h"

#include <errno.h>
#include <string.h>

/* The callback for the answer to any NFSv3 call. Every NFSv3 result begins with
 * its status. */
static void answered(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	struct nfs_call *call = private_data;
	int error_number;

	nfs_call_answer(call, status == RPC_STATUS_TIMEOUT ? -ETIMEDOUT : -EIO);
	if (status != RPC_STATUS_SUCCESS)
		return;
	error_number = procedure_nfs_errno(*(const nfsstat3 *)result);
	call->rc = error_number < 0 ? -EREMOTEIO : -error_number;
	if (call->rc == 0 && call->take != NULL)
		call->take(call, result);
}

/* Call a procedure and wait for its answer. Its arguments are in the variable
 * `args` of the function that uses this macro. */
#define CALL(session, procedure, taker, result) \
	(nfs_session_begin(session, taker, result) < 0 \
		 ? (session)->shared->nfs.broken \
		 : nfs_call_finish(&(session)->call, \
				   NFS_QUEUE(nfs3_##procedure, (session)->shared->nfs.rpc, \
					     answered, &args, &(session)->call)))

static nfs_fh3 handle_of(const struct nfs_handle *handle)
{
	return (nfs_fh3){
		.data.data_len = handle->length,
		.data.data_val = (char *)handle->bytes, /* not modified */
	};
}

static diropargs3 entry_of(const struct nfs_handle *directory, const char *name)
{
	return (diropargs3){
		.dir = handle_of(directory), .name = (char *)name, /* not modified */
	};
}

static void take_attributes(struct nfs_attributes *attributes, const fattr3 *result)
{
	attributes->known = true;
	attributes->type = result->type;
	attributes->uid = result->uid;
	attributes->size = result->size;
	attributes->file_id = result->fileid;
	attributes->device = result->fsid;
	attributes->accessed = result->atime;
	attributes->modified = result->mtime;
}

static void take_found(struct nfs_found *found, const nfs_fh3 *handle,
		       const post_op_attr *attributes)
{
	found->handle.length = 0;
	if (handle != NULL && handle->data.data_len <= NFS_HANDLE_BYTES) {
		found->handle.length = handle->data.data_len;
		memcpy(found->handle.bytes, handle->data.data_val, found->handle.length);
	}
	found->attributes.known = false;
	if (attributes->attributes_follow)
		take_attributes(&found->attributes, &attributes->post_op_attr_u.attributes);
}

static void take_made(struct nfs_found *found, const post_op_fh3 *handle,
		      const post_op_attr *attributes)
{
	take_found(found, handle->handle_follows ? &handle->post_op_fh3_u.handle : NULL,
		   attributes);
}

static void take_getattr(struct nfs_call *call, const void *result)
{
	const GETATTR3res *res = result;

	take_attributes(call->answer, &res->GETATTR3res_u.resok.obj_attributes);
}

static void take_lookup(struct nfs_call *call, const void *result)
{
	const LOOKUP3resok *ok = &((const LOOKUP3res *)result)->LOOKUP3res_u.resok;

	take_found(call->answer, &ok->object, &ok->obj_attributes);
}

static void take_access(struct nfs_call *call, const void *result)
{
	const ACCESS3res *res = result;

	/* Drop undefined bits: bit 31 would make the result negative, which
	 * means a failure. */
	call->rc = (int)(res->ACCESS3res_u.resok.access & NFS_ALL_ACCESS);
}

static void take_create(struct nfs_call *call, const void *result)
{
	const CREATE3resok *ok = &((const CREATE3res *)result)->CREATE3res_u.resok;

	take_made(call->answer, &ok->obj, &ok->obj_attributes);
}

static void take_mkdir(struct nfs_call *call, const void *result)
{
	const MKDIR3resok *ok = &((const MKDIR3res *)result)->MKDIR3res_u.resok;

	take_made(call->answer, &ok->obj, &ok->obj_attributes);
}

static void take_symlink(struct nfs_call *call, const void *result)
{
	const SYMLINK3resok *ok = &((const SYMLINK3res *)result)->SYMLINK3res_u.resok;

	take_made(call->answer, &ok->obj, &ok->obj_attributes);
}

static void take_read(struct nfs_call *call, const void *result)
{
	const READ3resok *ok = &((const READ3res *)result)->READ3res_u.resok;

	/* A server must not send more than was requested. */
	if (ok->count > call->size || nfs_bytes_of_read3(ok) != ok->count) {
		call->rc = -EREMOTEIO;
		return;
	}
	nfs_take_read3(ok, call->buffer);
	call->rc = (int)ok->count;
	*(bool *)call->answer = ok->eof != 0;
}

/* The variables that take_write uses: the call's arguments, and the parts of
 * its answer other than the number of bytes. */
struct written {
	stable_how asked, committed;
	writeverf3 verifier;
};

static void take_write(struct nfs_call *call, const void *result)
{
	const WRITE3resok *ok = &((const WRITE3res *)result)->WRITE3res_u.resok;
	struct written *written = call->answer;

	/* RFC 1813, 3.3.7: the server must commit the data at least as it was
	 * asked to. */
	if (ok->count > call->size || ok->committed < written->asked || ok->committed > FILE_SYNC) {
		call->rc = -EREMOTEIO;
		return;
	}
	written->committed = ok->committed;
	memcpy(written->verifier, ok->verf, sizeof(ok->verf));
	call->rc = (int)ok->count;
}

static void take_commit(struct nfs_call *call, const void *result)
{
	const COMMIT3res *res = result;

	memcpy(call->answer, res->COMMIT3res_u.resok.verf, sizeof(writeverf3));
}

static void take_fsstat(struct nfs_call *call, const void *result)
{
	const FSSTAT3res *res = result;

	*(uint64_t *)call->answer = res->FSSTAT3res_u.resok.abytes;
}

int nfs_rpc_getattr(struct backend_session *session, const struct nfs_handle *file,
		    struct nfs_attributes *attributes)
{
	GETATTR3args args = {.object = handle_of(file)};

	return CALL(session, getattr, take_getattr, attributes);
}

int nfs_rpc_access(struct backend_session *session, const struct nfs_handle *file, uint32_t wanted)
{
	ACCESS3args args = {.object = handle_of(file), .access = wanted};

	return CALL(session, access, take_access, NULL);
}

int nfs_rpc_readlink(struct backend_session *session, const struct nfs_handle *link)
{
	READLINK3args args = {.symlink = handle_of(link)};

	return CALL(session, readlink, NULL, NULL);
}

int nfs_rpc_read(struct backend_session *session, const struct nfs_handle *file, void *buffer,
		 size_t size, uint64_t offset, bool *at_end)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_call *call = &session->call;
	READ3args args = {
		.file = handle_of(file),
		.offset = offset,
		.count = (count3)size,
	};

	if (nfs_call_begin(call, nfs, take_read, at_end) < 0)
		return nfs->broken;
	call->buffer = buffer;
	call->size = size;
	return nfs_call_finish(call, nfs_queue_read3(nfs->rpc, answered, &args, buffer, call));
}

int nfs_rpc_write(struct backend_session *session, const struct nfs_handle *file, const void *data,
		  size_t size, uint64_t offset, stable_how stable)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_call *call = &session->call;
	WRITE3args args = {
		.file = handle_of(file),
		.offset = offset,
		.count = (count3)size,
		.stable = stable,
		.data.data_len = (uint32_t)size,
		.data.data_val = (char *)data, /* not modified */
	};
	struct written written = {.asked = stable};
	int rc;

	if (nfs_call_begin(call, nfs, take_write, &written) < 0)
		return nfs->broken;
	call->size = size;
	rc = nfs_call_finish(call, NFS_QUEUE(nfs3_write, nfs->rpc, answered, &args, call));
	if (rc >= 0 && written.committed == UNSTABLE) {
		session->wrote_unstable = true;
		nfs_uncommitted_add(&session->shared->uncommitted, file, written.verifier);
	}
	return rc;
}

int nfs_rpc_commit(struct backend_session *session, const struct nfs_handle *file)
{
	/* Offset 0 and count 0 mean the whole file. */
	COMMIT3args args = {.file = handle_of(file)};
	struct nfs_uncommitted *uncommitted = &session->shared->uncommitted;
	writeverf3 verifier = {0};
	struct nfs_commit commit;
	int rc;

	nfs_commit_begin(uncommitted, &commit, file);
	rc = CALL(session, commit, take_commit, verifier);
	if (rc == 0)
		return nfs_commit_end(uncommitted, &commit, verifier);
	nfs_commit_fail(uncommitted, &commit);
	return rc;
}

int nfs_rpc_truncate(struct backend_session *session, const struct nfs_handle *file, uint64_t bytes)
{
	SETATTR3args args = {
		.object = handle_of(file),
		.new_attributes = {.size = {.set_it = 1}},
	};

	args.new_attributes.size.set_size3_u.size = bytes;
	return CALL(session, setattr, NULL, NULL);
}

int nfs_rpc_set_mode(struct backend_session *session, const struct nfs_handle *file,
		     uint32_t permissions)
{
	SETATTR3args args = {
		.object = handle_of(file),
		.new_attributes = {.mode = {.set_it = 1}},
	};

	args.new_attributes.mode.set_mode3_u.mode = permissions;
	return CALL(session, setattr, NULL, NULL);
}

int nfs_rpc_set_owner(struct backend_session *session, const struct nfs_handle *file, uint32_t uid,
		      uint32_t gid)
{
	SETATTR3args args = {.object = handle_of(file)};
	sattr3 *set = &args.new_attributes;

	set->uid.set_it = uid != UINT32_MAX;
	set->uid.set_uid3_u.uid = uid;
	set->gid.set_it = gid != UINT32_MAX;
	set->gid.set_gid3_u.gid = gid;
	return CALL(session, setattr, NULL, NULL);
}

int nfs_rpc_set_times(struct backend_session *session, const struct nfs_handle *file,
		      const nfstime3 *accessed, const nfstime3 *modified)
{
	SETATTR3args args = {.object = handle_of(file)};
	sattr3 *set = &args.new_attributes;

	set->atime.set_it = accessed != NULL ? SET_TO_CLIENT_TIME : DONT_CHANGE;
	if (accessed != NULL)
		set->atime.set_atime_u.atime = *accessed;
	set->mtime.set_it = modified != NULL ? SET_TO_CLIENT_TIME : SET_TO_SERVER_TIME;
	if (modified != NULL)
		set->mtime.set_mtime_u.mtime = *modified;
	return CALL(session, setattr, NULL, NULL);
}

int nfs_rpc_pathconf(struct backend_session *session, const struct nfs_handle *file)
{
	PATHCONF3args args = {.object = handle_of(file)};

	return CALL(session, pathconf, NULL, NULL);
}

int nfs_rpc_lookup(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name, struct nfs_found *found)
{
	LOOKUP3args args = {.what = entry_of(directory, name)};

	return CALL(session, lookup, take_lookup, found);
}

static sattr3 mode_of(const struct backend_session *session, uint32_t mode)
{
	return (sattr3){
		.mode.set_it = 1,
		.mode.set_mode3_u.mode = mode & ~session->shared->umask,
	};
}

int nfs_rpc_create(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name, enum nfs_create how, struct nfs_found *found)
{
	sattr3 attributes = mode_of(session, NFS_FILE_MODE);
	CREATE3args args = {.where = entry_of(directory, name)};

	args.how.mode = how == NFS_CREATE_NEW ? GUARDED : UNCHECKED;
	attributes.size.set_it = how == NFS_CREATE_TRUNCATE;
	args.how.createhow3_u.obj_attributes = attributes;
	return CALL(session, create, found != NULL ? take_create : NULL, found);
}

int nfs_rpc_mkdir(struct backend_session *session, const struct nfs_handle *directory,
		  const char *name, struct nfs_found *found)
{
	MKDIR3args args = {
		.where = entry_of(directory, name),
		.attributes = mode_of(session, NFS_DIRECTORY_MODE),
	};

	return CALL(session, mkdir, found != NULL ? take_mkdir : NULL, found);
}

int nfs_rpc_symlink(struct backend_session *session, const struct nfs_handle *directory,
		    const char *name, const char *text, struct nfs_found *found)
{
	SYMLINK3args args = {
		.where = entry_of(directory, name),
		.symlink =
			{
				.symlink_attributes = mode_of(session, NFS_DIRECTORY_MODE),
				.symlink_data = (char *)text, /* not modified */
			},
	};

	return CALL(session, symlink, found != NULL ? take_symlink : NULL, found);
}

int nfs_rpc_remove(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name)
{
	REMOVE3args args = {.object = entry_of(directory, name)};

	return CALL(session, remove, NULL, NULL);
}

int nfs_rpc_rmdir(struct backend_session *session, const struct nfs_handle *directory,
		  const char *name)
{
	RMDIR3args args = {.object = entry_of(directory, name)};

	return CALL(session, rmdir, NULL, NULL);
}

int nfs_rpc_rename(struct backend_session *session, const struct nfs_handle *from,
		   const char *from_name, const struct nfs_handle *to, const char *to_name)
{
	RENAME3args args = {
		.from = entry_of(from, from_name),
		.to = entry_of(to, to_name),
	};

	return CALL(session, rename, NULL, NULL);
}

int nfs_rpc_link(struct backend_session *session, const struct nfs_handle *file,
		 const struct nfs_handle *directory, const char *name)
{
	LINK3args args = {
		.file = handle_of(file),
		.link = entry_of(directory, name),
	};

	return CALL(session, link, NULL, NULL);
}

/* The variables that take_readdirplus fills in. */
struct listed {
	struct backend_session *session;
	struct nfs_listing *listing;
};

static char kind_of(const post_op_attr *attributes)
{
	if (!attributes->attributes_follow)
		return ENTRY_UNKNOWN;
	return attributes->post_op_attr_u.attributes.type == NF3DIR ? ENTRY_DIRECTORY : ENTRY_FILE;
}

/*
 * Keep the kind and the name of each entry, which need less room than the entry
 * in the answer. libnfs does not align entries in memory, so copy each before
 * accessing its fields.
 */
static void take_readdirplus(struct nfs_call *call, const void *result)
{
	const READDIRPLUS3resok *ok = &((const READDIRPLUS3res *)result)->READDIRPLUS3res_u.resok;
	struct listed *listed = call->answer;
	struct backend_session *session = listed->session;
	const void *next = ok->reply.entries;
	entryplus3 entry;

	session->entries_used = 0;
	memcpy(listed->listing->verifier, ok->cookieverf, sizeof(ok->cookieverf));
	listed->listing->ended = ok->reply.eof || next == NULL;
	for (; next != NULL; next = entry.nextentry) {
		char *kept = session->entries + session->entries_used;
		size_t size;

		memcpy(&entry, next, sizeof(entry));
		size = strlen(entry.name) + 1;
		/* No more room: the caller calls again for the other
		 * entries. */
		if (session->entries_used + size + 1 > NFS_ENTRIES_BYTES) {
			listed->listing->ended = false;
			break;
		}
		*kept = kind_of(&entry.name_attributes);
		memcpy(kept + 1, entry.name, size);
		session->entries_used += size + 1;
		listed->listing->cookie = entry.cookie;
	}
}

int nfs_rpc_readdirplus(struct backend_session *session, const struct nfs_handle *directory,
			struct nfs_listing *listing)
{
	struct listed listed = {session, listing};
	READDIRPLUS3args args = {
		.dir = handle_of(directory),
		.cookie = listing->cookie,
		.dircount = NFS_ENTRIES_BYTES / 4,
		.maxcount = NFS_ENTRIES_BYTES,
	};
	int rc;

	memcpy(args.cookieverf, listing->verifier, sizeof(args.cookieverf));
	rc = CALL(session, readdirplus, take_readdirplus, &listed);
	/* An answer without entries that is not the last one is an error: the
	 * caller would call again for ever. */
	if (rc == 0 && !listing->ended && session->entries_used == 0)
		rc = -EREMOTEIO;
	return rc;
}

int nfs_rpc_fsstat(struct backend_session *session, uint64_t *free_bytes)
{
	FSSTAT3args args = {.fsroot = handle_of(&session->shared->root)};

	return CALL(session, fsstat, take_fsstat, free_bytes);
}

int nfs_rpc_fsinfo(struct backend_session *session)
{
	FSINFO3args args = {.fsroot = handle_of(&session->shared->root)};

	return CALL(session, fsinfo, NULL, NULL);
}

int nfs_rpc_complete(struct backend_session *session, const struct nfs_handle *directory,
		     const char *name, struct nfs_found *found)
{
	int rc = 0;

	if (found->handle.length == 0)
		rc = nfs_rpc_lookup(session, directory, name, found);
	if (rc == 0 && !found->attributes.known)
		rc = nfs_rpc_getattr(session, &found->handle, &found->attributes);
	return rc;
}

int nfs_rpc_parent(struct backend_session *session, const struct nfs_path *path,
		   struct nfs_handle *directory, const char **leaf)
{
	struct nfs_found found = {.handle = session->shared->root};
	const char *name = path->text;
	unsigned left;

	for (left = path->components; left > 1; left--) {
		struct nfs_handle above = found.handle;
		int rc = nfs_rpc_lookup(session, &above, name, &found);

		if (rc < 0)
			return rc;
		name += strlen(name) + 1;
	}
	*directory = found.handle;
	*leaf = name;
	return 0;
}

int nfs_rpc_find(struct backend_session *session, const struct nfs_path *path,
		 struct nfs_found *found)
{
	struct nfs_handle directory;
	const char *leaf;
	int rc = nfs_rpc_parent(session, path, &directory, &leaf);

	if (rc < 0)
		return rc;
	found->attributes.known = false;
	if (path->components == 0)
		found->handle = directory;
	else
		rc = nfs_rpc_lookup(session, &directory, leaf, found);
	return rc < 0 ? rc : nfs_rpc_complete(session, &directory, leaf, found);
}
