/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/mount.h"

#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

/* File systems by their magic number in statfs(2). */
static const struct {
	unsigned long magic;
	const char *type;
	bool local; /* no other machine can mount it */
} magics[] = {
	{BTRFS_SUPER_MAGIC, "btrfs", true},
	{EXT4_SUPER_MAGIC, "ext2/ext3/ext4", true},
	{F2FS_SUPER_MAGIC, "f2fs", true},
	{FUSE_SUPER_MAGIC, "fuse", false},
	{MSDOS_SUPER_MAGIC, "vfat", true},
	{NFS_SUPER_MAGIC, "nfs", false},
	/* A process that uses the overlay and one that uses the upper directory
	 * do not see each other's locks on a file. */
	{OVERLAYFS_SUPER_MAGIC, "overlay", false},
	{RAMFS_MAGIC, "ramfs", true},
	{SMB2_SUPER_MAGIC, "cifs", false},
	{TMPFS_MAGIC, "tmpfs", true},
	{XFS_SUPER_MAGIC, "xfs", true},
	/* linux/magic.h does not define these two numbers. */
	{0xca451a4e, "bcachefs", true},
	{0x2fc12fc1, "zfs", true},
};

static const char *type_by_magic(const char *path)
{
	struct statfs facts;
	size_t i;

	if (statfs(path, &facts) == 0)
		for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
			if (magics[i].magic == (unsigned long)facts.f_type)
				return magics[i].type;
	return "unknown file system";
}

/* Return the length of the mount point (0 for "/") if `path` is the mount point
 * or below it, otherwise -1. */
static int covers(const char *mount_point, const char *path)
{
	size_t length = strlen(mount_point);

	if (strcmp(mount_point, "/") == 0)
		return 0;
	if (strncmp(path, mount_point, length) == 0 &&
	    (path[length] == '/' || path[length] == '\0'))
		return (int)length;
	return -1;
}

void mount_type(const char *path, char *type, size_t size)
{
	char real[PATH_MAX];
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *mount;
	int longest = -1;

	/* Use this type if no mount point covers the path: in a chroot, the
	 * list does not contain the file system of the root directory. */
	snprintf(type, size, "%s", type_by_magic(path));
	if (mounts == NULL)
		return;
	if (realpath(path, real) == NULL)
		real[0] = '\0';
	while ((mount = getmntent(mounts)) != NULL) {
		int length = covers(mount->mnt_dir, real);

		/* If two mount points are the same, the later mount hides the
		 * earlier one. */
		if (length >= 0 && length >= longest) {
			snprintf(type, size, "%s", mount->mnt_type);
			longest = length;
		}
	}
	endmntent(mounts);
}

bool mount_is_local(int fd)
{
	struct statfs facts;
	size_t i;

	if (fstatfs(fd, &facts) < 0)
		return false;
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].magic == (unsigned long)facts.f_type)
			return magics[i].local;
	return false;
}
