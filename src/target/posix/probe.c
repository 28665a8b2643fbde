/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/session.h"

#include "target/posix/dos_attribute.h"
#include "target/posix/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Does the result of a call show that the file system does not support it? A
 * full disk, for example, does not show this. */
static bool is_unsupported(int rc)
{
	return rc < 0 &&
	       (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == ENOTTY);
}

/* Try the calls that some file systems lack on two files without names. Return
 * the capabilities that they lack. */
static unsigned try_files(int one, int other)
{
	unsigned lacks = 0;

	if (is_unsupported(fsetxattr(one, "user.throng", "", 0, 0)))
		lacks |= CAP_XATTRS;
	if (is_unsupported(fallocate(one, FALLOC_FL_KEEP_SIZE, 0, 4096)))
		lacks |= CAP_ALLOCATE;
	if (is_unsupported(ioctl(other, FICLONE, one)))
		lacks |= CAP_CLONE;
	if (is_unsupported(fcntl(one, F_SETFL, O_DIRECT)))
		lacks |= CAP_DIRECT;
	return lacks;
}

/* Find the capabilities that depend on the file system. */
static unsigned find_capabilities(const struct target *target)
{
	const int mode = O_TMPFILE | O_RDWR | O_CLOEXEC;
	unsigned found = CAP_XATTRS | CAP_ALLOCATE | CAP_CLONE | CAP_DIRECT;
	int one = target->read_only ? -1 : open(target->path, mode, 0600);
	int other = target->read_only ? -1 : open(target->path, mode, 0600);

	/* If the file system has no O_TMPFILE, we cannot check. Operations that
	 * do not work then fail when they are played. */
	if (one >= 0 && other >= 0)
		found &= ~try_files(one, other);
	if (one >= 0)
		close(one);
	if (other >= 0)
		close(other);
	return found;
}

bool posix_wants_attributes(const struct target *target)
{
	const char *value = target_option(target, "dos-attributes");

	return value != NULL && strcmp(value, "yes") == 0;
}

int posix_probe(const struct target *target, struct backend_facts *facts, struct error *error)
{
	struct statvfs space;
	char guess[TARGET_GUESS];
	int fd = open(target->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0) {
		rc = -errno;
		error_set(error, "cannot open \"%s\": %s%s", target->path, strerror(-rc),
			  rc == -ENOENT ? target_guess(target->url, guess) : "");
		return rc;
	}
	if (faccessat(fd, ".", (target->read_only ? R_OK : W_OK) | X_OK, AT_EACCESS) < 0) {
		rc = -errno;
		error_set(error, "cannot %s \"%s\": %s", target->read_only ? "read" : "write to",
			  target->path, strerror(errno));
	}
	if (rc == 0 && posix_wants_attributes(target) && !target->read_only)
		rc = posix_attribute_probe(target->path);
	if (rc < 0)
		error_set(error, "cannot set an extended attribute in \"%s\": %s", target->path,
			  strerror(-rc));
	facts->free_bytes = UINT64_MAX;
	if (fstatvfs(fd, &space) == 0)
		facts->free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
	close(fd);
	facts->capabilities = CAP_LINKS | CAP_LOCKS | CAP_SYNC_OPENS | CAP_LINK_CHECK |
			      CAP_DEEP_PATHS | find_capabilities(target);
	mount_type(target->path, facts->kind, sizeof(facts->kind));
	facts->flushes_names = mount_flushes_names(target->path);
	facts->in_memory = strcmp(facts->kind, "tmpfs") == 0 || strcmp(facts->kind, "ramfs") == 0;
	/* ZFS has a cache of its own, the ARC. */
	facts->droppable = !facts->in_memory && strcmp(facts->kind, "zfs") != 0;
	return rc;
}
