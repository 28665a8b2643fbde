/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The posix backend: a local directory, through system calls.
 */
#include "target/posix/dos_attribute.h"
#include "target/posix/mount.h"
#include "target/posix/page_cache.h"
#include "target/posix/session.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
	DIRECTORY_MODE = 0777,
	FILE_MODE = 0666,
};

static int posix_session_open(const struct target *target, unsigned user,
			      struct backend_session **session)
{
	struct backend_session *made = malloc(sizeof(*made));
	int rc;

	if (made == NULL)
		return -ENOMEM;
	made->dos_attributes = posix_wants_attributes(target);
	made->shares = false;
	made->wait = NULL;
	rc = dircache_open(target->path, &made->directories);
	if (rc < 0) {
		free(made);
		return rc;
	}
	*session = made;
	return 0;
}

static void posix_session_close(struct backend_session *session)
{
	dircache_close(session->directories);
	free(session);
}

static int posix_session_share(struct backend_session *session, struct fibers *fibers,
			       struct backend_session **another)
{
	struct backend_session *made = malloc(sizeof(*made));
	int rc;

	if (made == NULL)
		return -ENOMEM;
	session->shares = made->shares = true;
	made->wait = NULL;
	made->dos_attributes = session->dos_attributes;
	rc = dircache_share(session->directories, &made->directories);
	if (rc < 0) {
		free(made);
		return rc;
	}
	*another = made;
	return 0;
}

static int posix_enter(struct backend_session *session, const char *name)
{
	return dircache_enter(session->directories, name);
}

static int posix_path_make(struct backend_session *session, struct backend_path *path)
{
	return dircache_make(session->directories, path);
}

/*
 * Call `visit` for each entry of the directory `name` in `parent`. For a small
 * directory this takes the minimum of four system calls: openat, getdents64
 * twice, close.
 */
static int scan(struct backend_session *session, int parent, const char *name, backend_visit *visit,
		void *context)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool more = true;
	int rc = 0;

	if (fd < 0)
		return -errno;
	while (more) {
		ssize_t got = getdents64(fd, session->entries, sizeof(session->entries));
		ssize_t at = 0;

		if (got <= 0) {
			rc = got < 0 ? -errno : 0;
			break;
		}
		while (more && at < got) {
			const struct dirent64 *entry = (const void *)(session->entries + at);

			more = visit(context, entry->d_name,
				     entry->d_type == DT_DIR       ? ENTRY_DIRECTORY
				     : entry->d_type == DT_UNKNOWN ? ENTRY_UNKNOWN
								   : ENTRY_FILE);
			at += entry->d_reclen;
		}
	}
	close(fd);
	return rc;
}

static bool is_other_name(void *context, const char *name, enum backend_entry entry)
{
	return strcasecmp(name, context) != 0;
}

static int posix_resolve(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	char *wanted;
	struct stat attributes;
	int parent = dircache_locate(session->directories, path, &leaf);
	int rc;

	if (parent < 0)
		return parent;
	if (fstatat(parent, leaf, &attributes, AT_SYMLINK_NOFOLLOW) == 0) {
		if (session->dos_attributes)
			posix_attribute_read_at(parent, leaf);
		return 0;
	}
	rc = -errno;
	wanted = (char *)leaf; /* is_other_name only reads it */
	scan(session, parent, ".", is_other_name, wanted);
	return rc;
}

static int open_file(int parent, const char *leaf, uint64_t flags)
{
	static const int access[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
	int mode = access[flags & (OPEN_READ | OPEN_WRITE)];
	int fd;

	/* O_NONBLOCK: without it, open() would block if somebody has put a FIFO
	 * in place of the file. */
	mode |= O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	if ((flags & OPEN_CREATE) != 0)
		mode |= O_CREAT;
	if ((flags & OPEN_EXCLUSIVE) != 0)
		mode |= O_EXCL;
	if ((flags & OPEN_TRUNCATE) != 0)
		mode |= O_TRUNC;
	if ((flags & OPEN_APPEND) != 0)
		mode |= O_APPEND;
	if ((flags & OPEN_SYNC) != 0)
		mode |= O_SYNC;
	if ((flags & OPEN_DIRECT) != 0)
		mode |= O_DIRECT;
	if ((flags & OPEN_NOATIME) != 0)
		mode |= O_NOATIME;
	fd = openat(parent, leaf, mode, FILE_MODE);
	if (fd < 0 && errno == EISDIR && (flags & OPEN_FILE) == 0)
		fd = openat(parent, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

static int open_directory(int parent, const char *leaf, uint64_t flags)
{
	int fd;

	if ((flags & OPEN_CREATE) != 0 && mkdirat(parent, leaf, DIRECTORY_MODE) < 0 &&
	    (errno != EEXIST || (flags & OPEN_EXCLUSIVE) != 0))
		return -errno;
	fd = openat(parent, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

/*
 * Read the attributes of an opened file, as a file server does to put them into
 * its answer. Return 0, or -EISDIR if the file is a directory and
 * `directory_is_wrong` is set.
 */
static int check_opened(int fd, bool directory_is_wrong)
{
	struct stat attributes;

	if (fstat(fd, &attributes) == 0 && directory_is_wrong && S_ISDIR(attributes.st_mode))
		return -EISDIR;
	return 0;
}

static int64_t posix_open(struct backend_session *session, const struct backend_path *path,
			  uint64_t flags)
{
	/* With OPEN_FILE a directory must be refused, but open(2) refuses it
	 * only if it is opened for writing. */
	bool may_be_wrong = (flags & OPEN_FILE) != 0 && (flags & OPEN_WRITE) == 0;
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);
	int fd, rc;

	session->changed_bytes = 0;
	if (parent < 0)
		return parent;
	if ((flags & OPEN_DIRECTORY) != 0)
		fd = open_directory(parent, leaf, flags);
	else
		fd = open_file(parent, leaf, flags);
	if (fd < 0)
		return fd;
	if ((flags & OPEN_ATTRIBUTES) == 0 && !may_be_wrong)
		return fd;
	rc = check_opened(fd, may_be_wrong);
	/* File servers that store DOS attributes write them on open. */
	if (rc == 0 && session->dos_attributes)
		rc = posix_attribute_write(fd);
	if (rc == 0)
		return fd;
	session->changed_bytes = (flags & OPEN_TRUNCATE) != 0;
	close(fd);
	return rc;
}

static uint64_t posix_changed_bytes(const struct backend_session *session)
{
	return session->changed_bytes;
}

static int fstat_as_server(struct backend_session *session, int64_t handle)
{
	if (session->dos_attributes)
		posix_attribute_read((int)handle);
	return posix_fstat(session, handle);
}

static int posix_owner_of(struct backend_session *session, int64_t handle)
{
	struct stat found;

	if (fstat((int)handle, &found) < 0)
		return -errno;
	return found.st_uid == geteuid() ? OWNER_SELF : OWNER_OTHER;
}

static int set_times_as_server(struct backend_session *session, int64_t handle)
{
	int rc = posix_set_times(session, handle);

	if (rc < 0 || !session->dos_attributes)
		return rc;
	return posix_attribute_write((int)handle);
}

static int posix_stat(struct backend_session *session, const struct backend_path *path,
		      struct backend_attributes *attributes)
{
	const char *leaf;
	struct stat found;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	if (fstatat(parent, leaf, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	attributes->directory = S_ISDIR(found.st_mode);
	attributes->size_bytes = (uint64_t)found.st_size;
	return 0;
}

static int posix_unlink(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return unlinkat(parent, leaf, 0) < 0 ? -errno : 0;
}

/* Rename without replacing an existing file. On a file system that does not
 * support RENAME_NOREPLACE, this is not atomic. */
static int rename_if_absent(int from, const char *from_leaf, int to, const char *to_leaf)
{
	struct stat attributes;

	if (renameat2(from, from_leaf, to, to_leaf, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (fstatat(to, to_leaf, &attributes, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return renameat(from, from_leaf, to, to_leaf) < 0 ? -errno : 0;
}

static int posix_rename(struct backend_session *session, const struct backend_path *from,
			const struct backend_path *to, bool replace)
{
	const char *from_leaf, *to_leaf;
	int parents[2], rc;

	session->changed_bytes = 0;
	rc = dircache_locate_two(session->directories, from, &from_leaf, to, &to_leaf, parents);
	if (rc < 0)
		return rc;
	if (!replace)
		rc = rename_if_absent(parents[0], from_leaf, parents[1], to_leaf);
	else
		rc = renameat(parents[0], from_leaf, parents[1], to_leaf) < 0 ? -errno : 0;
	close(parents[0]);
	if (rc == 0) {
		dircache_forget(session->directories, from);
		dircache_forget(session->directories, to);
	}
	return rc;
}

static int posix_mkdir(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return mkdirat(parent, leaf, DIRECTORY_MODE) < 0 ? -errno : 0;
}

static int posix_rmdir(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	if (unlinkat(parent, leaf, AT_REMOVEDIR) < 0)
		return -errno;
	dircache_forget(session->directories, path);
	return 0;
}

static int posix_mount_of(struct backend_session *session, const struct backend_path *path,
			  uint64_t *mount)
{
	const char *leaf;
	struct statx found;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	if (statx(parent, leaf, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_MNT_ID, &found) < 0)
		return -errno;
	/* Before Linux 5.8 there is no mount ID. Use the device number instead,
	 * which is the same for all bind mounts of one device. */
	*mount = (found.stx_mask & STATX_MNT_ID) != 0
			 ? found.stx_mnt_id
			 : makedev(found.stx_dev_major, found.stx_dev_minor);
	return 0;
}

/* Open a file for locking. Return a descriptor or -errno. -EOPNOTSUPP means
 * that other machines might not see the lock. */
static int open_for_lock(struct backend_session *session, const struct backend_path *path,
			 int access)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);
	int fd;

	if (parent < 0)
		return parent;
	fd = openat(parent, leaf, access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (mount_is_local(fd))
		return fd;
	close(fd);
	return -EOPNOTSUPP;
}

/* Lock an open file, and check then that it is ours and was not removed before
 * it was locked. */
static int lock_own(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct stat found;

	if (fcntl(fd, F_OFD_SETLK, &whole) < 0)
		return errno == EACCES ? -EAGAIN : -errno;
	if (fstat(fd, &found) < 0)
		return -errno;
	if (found.st_nlink == 0)
		return -ENOENT;
	return found.st_uid == geteuid() ? 0 : -EPERM;
}

static int posix_hold(struct backend_session *session, const struct backend_path *path)
{
	int fd = open_for_lock(session, path, O_RDWR);
	int rc = fd < 0 ? fd : lock_own(fd);

	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return rc;
}

static int posix_is_held(struct backend_session *session, const struct backend_path *path)
{
	/* Query the lock instead of trying to take it: if we held the lock even
	 * for a moment, a process that wants it could fail to take it. */
	struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
	int fd = open_for_lock(session, path, O_RDONLY);
	int rc;

	if (fd < 0)
		return fd;
	rc = fcntl(fd, F_OFD_GETLK, &whole) < 0 ? -errno : whole.l_type != F_UNLCK;
	close(fd);
	return rc;
}

static int posix_sync_parent(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);
	int fd, rc;

	if (parent < 0)
		return parent;
	fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = fdatasync(fd) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

static int posix_statvfs(struct backend_session *session)
{
	struct statvfs space;

	return fstatvfs(dircache_root(session->directories), &space) < 0 ? -errno : 0;
}

static int posix_link(struct backend_session *session, const struct backend_path *path,
		      const struct backend_path *existing)
{
	const char *leaf, *existing_leaf;
	int parents[2], rc;

	rc = dircache_locate_two(session->directories, existing, &existing_leaf, path, &leaf,
				 parents);
	if (rc < 0)
		return rc;
	rc = linkat(parents[0], existing_leaf, parents[1], leaf, 0) < 0 ? -errno : 0;
	close(parents[0]);
	return rc;
}

static int posix_symlink(struct backend_session *session, const struct backend_path *path,
			 const char *text)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return symlinkat(text, parent, leaf) < 0 ? -errno : 0;
}

static int posix_readlink(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return readlinkat(parent, leaf, session->entries, sizeof(session->entries)) < 0 ? -errno
											: 0;
}

static int posix_list(struct backend_session *session, const struct backend_path *path,
		      backend_visit *visit, void *context)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return scan(session, parent, leaf, visit, context);
}

static int posix_drop_cache(struct backend_session *session, const struct backend_path *path,
			    uint64_t *steps)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return posix_cache_drop(parent, leaf, steps);
}

const struct backend backend_posix = {
	.answers = true,
	.library_version = gnu_get_libc_version,
	.probe = posix_probe,
	.session_open = posix_session_open,
	.session_close = posix_session_close,
	.session_share = posix_session_share,
	.on_wait = posix_on_wait,
	.enter = posix_enter,
	.path_make = posix_path_make,
	.resolve = posix_resolve,
	.open = posix_open,
	.close = posix_close,
	.read = posix_read,
	.write = posix_write,
	.changed_bytes = posix_changed_bytes,
	.fsync = posix_fsync,
	.fdatasync = posix_fdatasync,
	.truncate = posix_truncate,
	.allocate = posix_allocate,
	.copy = posix_copy,
	.clone = posix_clone,
	.sync_range = posix_sync_range,
	.lock = posix_lock,
	.unlock = posix_unlock,
	.lock_test = posix_lock_test,
	.fstat = fstat_as_server,
	.identify = posix_identify,
	.owner_of = posix_owner_of,
	.set_times = set_times_as_server,
	.stat = posix_stat,
	.unlink = posix_unlink,
	.rename = posix_rename,
	.swap = posix_swap,
	.access = posix_access,
	.chmod = posix_chmod,
	.chown = posix_chown,
	.set_path_times = posix_set_path_times,
	.xattr_get = posix_xattr_get,
	.xattr_set = posix_xattr_set,
	.xattr_list = posix_xattr_list,
	.xattr_remove = posix_xattr_remove,
	.mkdir = posix_mkdir,
	.rmdir = posix_rmdir,
	.mount_of = posix_mount_of,
	.hold = posix_hold,
	.is_held = posix_is_held,
	.sync_parent = posix_sync_parent,
	.statvfs = posix_statvfs,
	.link = posix_link,
	.symlink = posix_symlink,
	.readlink = posix_readlink,
	.drop_cache = posix_drop_cache,
	.list = posix_list,
};
