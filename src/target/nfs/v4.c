/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots of the NFSv4 engine. They use libnfs' high-level functions and work
 * around their limits: libnfs cannot open directories, can set times
 * only by path, does not distinguish files from directories when it removes
 * them, and does not list "." and "..".
 */
#include "target/nfs/connect.h"
#include "target/nfs/session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int look(struct backend_session *session, const struct nfs_path *path,
		struct nfs_stat_64 *found)
{
	return NFS_PLAY(session, nfs_take_stat, found, nfs_lstat64_async, path->whole);
}

/* libnfs has no directory where paths begin, but puts one before each path. */
static int v4_enter(struct backend_session *session, const char *name)
{
	const struct backend_path path = {.text = name};
	const struct nfs_path *parts = nfs_path_of(session, &path);
	struct nfs_stat_64 found;
	int rc = parts != NULL ? look(session, parts, &found) : -ENOMEM;

	if (rc < 0)
		return rc;
	if (!S_ISDIR(found.nfs_mode))
		return S_ISLNK(found.nfs_mode) ? -ELOOP : -ENOTDIR;
	if (strlen(parts->whole) >= sizeof(session->shared->entered))
		return -ENAMETOOLONG;
	strcpy(session->shared->entered, parts->whole);
	return 0;
}

static int open_directory(struct backend_session *session, const struct nfs_path *path,
			  uint64_t flags)
{
	struct nfs_stat_64 found;
	int rc;

	if ((flags & OPEN_CREATE) != 0) {
		rc = NFS_PLAY(session, NULL, NULL, nfs_mkdir2_async, path->whole,
			      (int)(NFS_DIRECTORY_MODE & ~session->shared->umask));
		if (rc == 0)
			return 0;
		if (rc != -EEXIST || (flags & OPEN_EXCLUSIVE) != 0)
			return rc;
	}
	rc = look(session, path, &found);
	if (rc < 0)
		return rc;
	return S_ISDIR(found.nfs_mode) ? 0 : -ENOTDIR;
}

/* If the server grants too few rights, libnfs reports EINVAL; only the message of
 * its error, which the next one replaces, shows the real cause. */
static void opened(int status, struct nfs_context *nfs, void *result, void *private_data)
{
	if (status == -EINVAL && strstr(nfs_get_error(nfs), "Insufficient ACCESS") != NULL)
		status = -EACCES;
	nfs_answered(status, nfs, result, private_data);
}

static int open_as(struct backend_session *session, const struct nfs_path *path, int mode,
		   struct nfsfh **file)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_call *call = &session->call;

	if (nfs_call_begin(call, nfs, nfs_take_file, file) < 0)
		return nfs->broken;
	return nfs_call_finish(call, nfs_open2_async(nfs->context, path->whole, mode | O_NOFOLLOW,
						     (int)(NFS_FILE_MODE & ~session->shared->umask),
						     opened, call) == 0);
}

/* Truncate a file before it is opened for reading only. A truncation needs a
 * file that is open for writing, so this takes an extra open. */
static int truncate_file(struct backend_session *session, const struct nfs_path *path)
{
	struct nfsfh *file;
	int rc = open_as(session, path, O_WRONLY | O_TRUNC, &file);

	return rc < 0 ? rc : NFS_PLAY(session, NULL, NULL, nfs_close_async, file);
}

/*
 * Open a file. With OPEN_CREATE, first try to create the file exclusively, and
 * if it exists, open it with a second call. libnfs always creates files
 * exclusively, but sets their mode only if it is called with O_EXCL.
 */
static int open_file(struct backend_session *session, const struct nfs_path *path, uint64_t flags,
		     struct nfsfh **file)
{
	static const int access[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
	int mode = access[flags & (OPEN_READ | OPEN_WRITE)];

	if ((flags & OPEN_SYNC) != 0)
		mode |= O_SYNC;
	if ((flags & OPEN_CREATE) != 0) {
		int rc = open_as(session, path, mode | O_CREAT | O_EXCL, file);

		if ((flags & OPEN_EXCLUSIVE) != 0)
			return rc == -EISDIR ? -EEXIST : rc;
		if (rc != -EEXIST)
			return rc;
	}
	if ((flags & OPEN_TRUNCATE) != 0 && (flags & OPEN_WRITE) == 0) {
		int rc = truncate_file(session, path);

		if (rc < 0)
			return rc;
		session->changed_bytes = 1;
	} else if ((flags & OPEN_TRUNCATE) != 0) {
		mode |= O_TRUNC;
	}
	return open_as(session, path, mode, file);
}

static int64_t v4_open(struct backend_session *session, const struct backend_path *path,
		       uint64_t flags)
{
	const struct nfs_path *parts = nfs_path_of(session, path);
	bool directory = (flags & OPEN_DIRECTORY) != 0;
	struct nfs_file *file;
	int64_t handle;
	int rc;

	session->changed_bytes = 0;
	if (parts == NULL)
		return -ENOMEM;
	/* Allocate memory before the file is open: it may be short. */
	handle = nfs_file_take(session, flags);
	if (handle < 0)
		return handle;
	file = nfs_file_of(session, handle);
	rc = nfs_path_keep(&file->path, parts);
	if (rc == 0 && !directory) {
		rc = open_file(session, parts, flags, &file->file);
		directory = rc == -EISDIR && (flags & OPEN_FILE) == 0;
		if (directory)
			rc = 0;
	}
	if (rc == 0 && directory)
		rc = open_directory(session, parts, flags);
	file->directory = directory;
	if (rc < 0)
		nfs_file_give_back(session, handle);
	return rc < 0 ? rc : handle;
}

static int v4_close(struct backend_session *session, int64_t handle)
{
	struct nfs_file *file = nfs_file_of(session, handle);
	int rc = 0;

	if (!file->directory)
		rc = NFS_PLAY(session, NULL, NULL, nfs_close_async, file->file);
	nfs_file_give_back(session, handle);
	return rc;
}

static void take_read(struct nfs_call *call, const void *result)
{
	/* A server must not send more than was requested. */
	if ((size_t)call->rc > call->size)
		call->rc = -EREMOTEIO;
	else
		nfs_take_pread(result, call->buffer, call->rc);
}

static int read_part(struct backend_session *session, const struct nfs_file *file, char *bytes,
		     size_t size, uint64_t offset, bool *at_end)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_call *call = &session->call;

	(void)at_end; /* libnfs does not report the end of the file */
	if (nfs_call_begin(call, nfs, take_read, NULL) < 0)
		return nfs->broken;
	call->buffer = bytes;
	call->size = size;
	return nfs_call_finish(call, nfs_queue_pread(nfs->context, file->file, bytes, size, offset,
						     nfs_answered, call) == 0);
}

static int64_t v4_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
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

static int write_part(struct backend_session *session, const struct nfs_file *file, char *bytes,
		      size_t size, uint64_t offset, bool *at_end)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_call *call = &session->call;

	if (nfs_call_begin(call, nfs, NULL, NULL) < 0)
		return nfs->broken;
	return nfs_call_finish(call, nfs_queue_pwrite(nfs->context, file->file, bytes, size, offset,
						      nfs_answered, call) == 0);
}

static int size_of(struct backend_session *session, const struct nfs_file *file, uint64_t *bytes)
{
	struct nfs_stat_64 found;
	int rc = NFS_PLAY(session, nfs_take_stat, &found, nfs_fstat64_async, file->file);

	if (rc == 0)
		*bytes = found.nfs_size;
	return rc;
}

static int64_t v4_write(struct backend_session *session, int64_t handle, const void *data,
			size_t size, uint64_t offset)
{
	static const struct nfs_writer writer = {size_of, write_part};

	return nfs_file_write(session, handle, &writer, data, size, offset);
}

static int v4_fsync(struct backend_session *session, int64_t handle)
{
	const struct nfs_file *file = nfs_file_of(session, handle);

	if (file->directory)
		return 0; /* NFS servers sync each change of a directory */
	return NFS_PLAY(session, NULL, NULL, nfs_fsync_async, file->file);
}

static int look_at_file(struct backend_session *session, int64_t handle, struct nfs_stat_64 *found)
{
	const struct nfs_file *file = nfs_file_of(session, handle);

	if (file->directory)
		return look(session, file->path, found);
	return NFS_PLAY(session, nfs_take_stat, found, nfs_fstat64_async, file->file);
}

static int v4_fstat(struct backend_session *session, int64_t handle)
{
	struct nfs_stat_64 found;

	return look_at_file(session, handle, &found);
}

static int v4_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	struct nfs_stat_64 found;
	int rc = look_at_file(session, handle, &found);

	/* libnfs does not give the server's number of the file system, which
	 * NFSv3 does, but one that it makes of it. */
	if (rc == 0)
		*file = (struct backend_file){
			.id = found.nfs_ino,
			.size_bytes = found.nfs_size,
		};
	return rc;
}

static int v4_owner_of(struct backend_session *session, int64_t handle)
{
	struct nfs_stat_64 found;
	int rc = look_at_file(session, handle, &found);

	return rc < 0 ? rc : (int)nfs_session_owner(session, found.nfs_uid);
}

static int set_back(struct backend_session *session, const struct nfs_path *path,
		    const struct nfs_stat_64 *found)
{
	struct timeval times[2] = {
		{
			.tv_sec = (time_t)found->nfs_atime - ACCESS_TIME_BACK_S,
			.tv_usec = (suseconds_t)found->nfs_atime_nsec / 1000,
		},
		{
			.tv_sec = (time_t)found->nfs_mtime - MODIFY_TIME_BACK_S,
			.tv_usec = (suseconds_t)found->nfs_mtime_nsec / 1000,
		},
	};

	return NFS_PLAY(session, NULL, NULL, nfs_lutimes_async, path->whole, times);
}

static int v4_set_times(struct backend_session *session, int64_t handle)
{
	const struct nfs_file *file = nfs_file_of(session, handle);
	struct nfs_stat_64 found;
	int rc = look_at_file(session, handle, &found);

	return rc < 0 ? rc : set_back(session, file->path, &found);
}

static int v4_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	const struct nfs_file *file = nfs_file_of(session, handle);

	if ((file->flags & OPEN_WRITE) == 0 || file->directory)
		return -EINVAL;
	return NFS_PLAY(session, NULL, NULL, nfs_ftruncate_async, file->file, bytes);
}

/* Set or clear a lock. Fail if another process holds a conflicting lock, since
 * libnfs cannot wait for locks. */
static int set_lock(struct backend_session *session, int64_t handle, int type, uint64_t offset,
		    uint64_t length)
{
	const struct nfs_file *file = nfs_file_of(session, handle);
	struct nfs4_flock range = {
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = offset,
		.l_len = length,
	};

	if (file->directory)
		return -EBADF;
	return NFS_PLAY(session, NULL, NULL, nfs_fcntl_async, file->file, NFS4_F_SETLK, &range);
}

static int v4_lock(struct backend_session *session, int64_t handle, uint64_t offset,
		   uint64_t length, unsigned mode)
{
	return set_lock(session, handle, (mode & LOCK_SHARED) != 0 ? F_RDLCK : F_WRLCK, offset,
			length);
}

static int v4_unlock(struct backend_session *session, int64_t handle, uint64_t offset,
		     uint64_t length)
{
	return set_lock(session, handle, F_UNLCK, offset, length);
}

static int v4_stat(struct backend_session *session, const struct backend_path *path,
		   struct backend_attributes *attributes)
{
	const struct nfs_path *parts = nfs_path_of(session, path);
	struct nfs_stat_64 found;
	int rc = parts != NULL ? look(session, parts, &found) : -ENOMEM;

	if (rc < 0)
		return rc;
	attributes->directory = S_ISDIR(found.nfs_mode);
	attributes->size_bytes = found.nfs_size;
	return 0;
}

/* Get the path in both forms and the file's attributes. */
static int look_at(struct backend_session *session, const struct backend_path *path,
		   const struct nfs_path **parts, struct nfs_stat_64 *found)
{
	*parts = nfs_path_of(session, path);
	return *parts != NULL ? look(session, *parts, found) : -ENOMEM;
}

static int v4_set_path_times(struct backend_session *session, const struct backend_path *path)
{
	const struct nfs_path *parts;
	struct nfs_stat_64 found;
	int rc = look_at(session, path, &parts, &found);

	return rc < 0 ? rc : set_back(session, parts, &found);
}

/* libnfs' access follows links, so get the type of the file first. */
static int v4_access(struct backend_session *session, const struct backend_path *path,
		     unsigned rights)
{
	const struct nfs_path *parts;
	struct nfs_stat_64 found;
	int mode = 0;
	int rc = look_at(session, path, &parts, &found);

	/* A symbolic link itself grants all rights. */
	if (rc < 0 || rights == 0 || S_ISLNK(found.nfs_mode))
		return rc;
	if ((rights & ACCESS_READ) != 0)
		mode |= R_OK;
	if ((rights & ACCESS_WRITE) != 0)
		mode |= W_OK;
	if ((rights & ACCESS_EXECUTE) != 0)
		mode |= X_OK;
	return NFS_PLAY(session, NULL, NULL, nfs_access_async, parts->whole, mode);
}

static int v4_chmod(struct backend_session *session, const struct backend_path *path,
		    unsigned permissions)
{
	const struct nfs_path *parts;
	struct nfs_stat_64 found;
	int rc = look_at(session, path, &parts, &found);

	if (rc == 0 && S_ISLNK(found.nfs_mode))
		rc = -EOPNOTSUPP;
	return rc < 0 ? rc
		      : NFS_PLAY(session, NULL, NULL, nfs_lchmod_async, parts->whole,
				 (int)permissions);
}

/* Remove a file or, if `directory`, a directory. NFSv4 removes both with the
 * same operation, so check the type first. */
static int remove_one(struct backend_session *session, const struct backend_path *path,
		      bool directory)
{
	const struct nfs_path *parts = nfs_path_of(session, path);
	struct nfs_stat_64 found;
	int rc = parts != NULL ? look(session, parts, &found) : -ENOMEM;

	if (rc < 0)
		return rc;
	if (S_ISDIR(found.nfs_mode) != directory)
		return directory ? -ENOTDIR : -EISDIR;
	if (directory)
		return NFS_PLAY(session, NULL, NULL, nfs_rmdir_async, parts->whole);
	return NFS_PLAY(session, NULL, NULL, nfs_unlink_async, parts->whole);
}

static int v4_unlink(struct backend_session *session, const struct backend_path *path)
{
	return remove_one(session, path, false);
}

static int v4_rmdir(struct backend_session *session, const struct backend_path *path)
{
	return remove_one(session, path, true);
}

static int v4_rename(struct backend_session *session, const struct backend_path *from,
		     const struct backend_path *to, bool replace)
{
	const struct nfs_path *old = nfs_path_of(session, from);
	const struct nfs_path *new = nfs_path_of(session, to);
	struct nfs_stat_64 found;

	session->changed_bytes = 0;
	if (old == NULL || new == NULL)
		return -ENOMEM;
	if (!replace) {
		int rc = look(session, new, &found);

		if (rc != -ENOENT)
			return rc < 0 ? rc : -EEXIST;
	}
	return NFS_PLAY(session, NULL, NULL, nfs_rename_async, old->whole, new->whole);
}

static int v4_mkdir(struct backend_session *session, const struct backend_path *path)
{
	const struct nfs_path *parts = nfs_path_of(session, path);

	if (parts == NULL)
		return -ENOMEM;
	return NFS_PLAY(session, NULL, NULL, nfs_mkdir2_async, parts->whole,
			(int)(NFS_DIRECTORY_MODE & ~session->shared->umask));
}

static int v4_statvfs(struct backend_session *session)
{
	const struct backend_path root = {.text = ""};
	const struct nfs_path *parts = nfs_path_of(session, &root);

	if (parts == NULL)
		return -ENOMEM;
	return NFS_PLAY(session, NULL, NULL, nfs_statvfs_async, parts->whole);
}

static int v4_link(struct backend_session *session, const struct backend_path *path,
		   const struct backend_path *existing)
{
	const struct nfs_path *old = nfs_path_of(session, existing);
	const struct nfs_path *new = nfs_path_of(session, path);

	if (old == NULL || new == NULL)
		return -ENOMEM;
	return NFS_PLAY(session, NULL, NULL, nfs_link_async, old->whole, new->whole);
}

static int v4_symlink(struct backend_session *session, const struct backend_path *path,
		      const char *text)
{
	const struct nfs_path *parts = nfs_path_of(session, path);

	if (parts == NULL)
		return -ENOMEM;
	return NFS_PLAY(session, NULL, NULL, nfs_symlink_async, text, parts->whole);
}

static int v4_readlink(struct backend_session *session, const struct backend_path *path)
{
	const struct nfs_path *parts = nfs_path_of(session, path);

	if (parts == NULL)
		return -ENOMEM;
	return NFS_PLAY(session, NULL, NULL, nfs_readlink_async, parts->whole);
}

static void take_directory(struct nfs_call *call, const void *result)
{
	*(const struct nfsdir **)call->answer = result;
}

static int v4_list(struct backend_session *session, const struct backend_path *path,
		   backend_visit *visit, void *context)
{
	const struct nfs_path *parts = nfs_path_of(session, path);
	struct nfsdir *directory = NULL;
	struct nfsdirent *entry;
	bool more;
	int rc;

	if (parts == NULL)
		return -ENOMEM;
	rc = NFS_PLAY(session, take_directory, &directory, nfs_opendir_async, parts->whole);
	if (rc < 0)
		return rc;
	more = visit(context, ".", ENTRY_DIRECTORY) && visit(context, "..", ENTRY_DIRECTORY);
	while (more && (entry = nfs_readdir(session->shared->nfs.context, directory)) != NULL)
		more = visit(context, entry->name,
			     entry->type == NF3DIR ? ENTRY_DIRECTORY : ENTRY_FILE);
	nfs_closedir(session->shared->nfs.context, directory);
	return 0;
}

BACKEND_EXPORTED const struct backend backend_nfs4 = {
	.answers = true,
	.remote = true,
	/* RFC 7530, 1.4: a server makes changes durable before it replies. */
	.durable_directories = true,
	.takes_turns = true,
	/* libnfs ignores the write verifiers (RFC 7530, 16.36.4) in the
	 * answers to WRITE and to the COMMIT of nfs_fsync and nfs_close, and
	 * `committed` in those to WRITE. */
	.blind_commits = true,
	.library_version = nfs_library_version,
	.probe = nfs_probe_target,
	.session_open = nfs_session_open,
	.session_close = nfs_session_close,
	.session_share = nfs_session_share,
	.enter = v4_enter,
	.path_make = nfs_path_make,
	.open = v4_open,
	.close = v4_close,
	.read = v4_read,
	.write = v4_write,
	.changed_bytes = nfs_changed_bytes,
	.fsync = v4_fsync,
	.fdatasync = v4_fsync,
	.truncate = v4_truncate,
	.lock = v4_lock,
	.unlock = v4_unlock,
	.fstat = v4_fstat,
	.identify = v4_identify,
	.owner_of = v4_owner_of,
	.set_times = v4_set_times,
	.stat = v4_stat,
	.unlink = v4_unlink,
	.rename = v4_rename,
	.access = v4_access,
	.chmod = v4_chmod,
	.set_path_times = v4_set_path_times,
	.mkdir = v4_mkdir,
	.rmdir = v4_rmdir,
	.statvfs = v4_statvfs,
	.link = v4_link,
	.symlink = v4_symlink,
	.readlink = v4_readlink,
	.list = v4_list,
};
