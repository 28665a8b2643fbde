/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on paths of a local directory that change or check attributes.
 * None of them follows a symbolic link.
 */
#include "target/posix/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int posix_swap(struct backend_session *session, const struct backend_path *one,
	       const struct backend_path *other)
{
	const char *one_leaf, *other_leaf;
	int parents[2], rc;

	rc = dircache_locate_two(session->directories, one, &one_leaf, other, &other_leaf, parents);
	if (rc < 0)
		return rc;
	rc = renameat2(parents[0], one_leaf, parents[1], other_leaf, RENAME_EXCHANGE) < 0 ? -errno
											  : 0;
	close(parents[0]);
	if (rc == 0) {
		dircache_forget(session->directories, one);
		dircache_forget(session->directories, other);
	}
	return rc;
}

int posix_access(struct backend_session *session, const struct backend_path *path, unsigned rights)
{
	int mode = F_OK;
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	if ((rights & ACCESS_READ) != 0)
		mode |= R_OK;
	if ((rights & ACCESS_WRITE) != 0)
		mode |= W_OK;
	if ((rights & ACCESS_EXECUTE) != 0)
		mode |= X_OK;
	return faccessat(parent, leaf, mode, AT_EACCESS | AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

/* Before Linux 6.6, the C library needs three system calls for this. */
int posix_chmod(struct backend_session *session, const struct backend_path *path,
		unsigned permissions)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return fchmodat(parent, leaf, permissions, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

int posix_chown(struct backend_session *session, const struct backend_path *path, uint32_t user_id,
		uint32_t group_id)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	return fchownat(parent, leaf, user_id, group_id, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

int posix_set_path_times(struct backend_session *session, const struct backend_path *path)
{
	const char *leaf;
	struct stat attributes;
	struct timespec times[2];
	int parent = dircache_locate(session->directories, path, &leaf);

	if (parent < 0)
		return parent;
	if (fstatat(parent, leaf, &attributes, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	times[0] = attributes.st_atim;
	times[1] = attributes.st_mtim;
	times[0].tv_sec -= ACCESS_TIME_BACK_S;
	times[1].tv_sec -= MODIFY_TIME_BACK_S;
	return utimensat(parent, leaf, times, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

/* A path for the calls that take no descriptor of a directory: getxattrat(2)
 * and the like exist only since Linux 6.13. */
struct plain_path {
	char text[sizeof("/proc/self/fd//") + 10 + NAME_MAX];
};

/* Make the path of a file. Return 0 or -errno. */
static int locate_plain(struct backend_session *session, const struct backend_path *path,
			struct plain_path *plain)
{
	const char *leaf;
	int parent = dircache_locate(session->directories, path, &leaf);
	int length;

	if (parent < 0)
		return parent;
	length = snprintf(plain->text, sizeof(plain->text), "/proc/self/fd/%d/%s", parent, leaf);
	return length < (int)sizeof(plain->text) ? 0 : -ENAMETOOLONG;
}

int64_t posix_xattr_get(struct backend_session *session, const struct backend_path *path,
			const char *name, void *value, size_t size)
{
	struct plain_path plain;
	int rc = locate_plain(session, path, &plain);
	ssize_t got;

	if (rc < 0)
		return rc;
	got = lgetxattr(plain.text, name, value, size);
	return got < 0 ? -errno : got;
}

int posix_xattr_set(struct backend_session *session, const struct backend_path *path,
		    const char *name, const void *value, size_t size)
{
	struct plain_path plain;
	int rc = locate_plain(session, path, &plain);

	if (rc < 0)
		return rc;
	return lsetxattr(plain.text, name, value, size, 0) < 0 ? -errno : 0;
}

int64_t posix_xattr_list(struct backend_session *session, const struct backend_path *path,
			 char *names, size_t size)
{
	struct plain_path plain;
	int rc = locate_plain(session, path, &plain);
	ssize_t got;

	if (rc < 0)
		return rc;
	got = llistxattr(plain.text, names, size);
	return got < 0 ? -errno : got;
}

int posix_xattr_remove(struct backend_session *session, const struct backend_path *path,
		       const char *name)
{
	struct plain_path plain;
	int rc = locate_plain(session, path, &plain);

	if (rc < 0)
		return rc;
	return lremovexattr(plain.text, name) < 0 ? -errno : 0;
}
