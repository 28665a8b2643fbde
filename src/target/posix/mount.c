/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/mount.h"

#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

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

/* The mount of a path. */
struct found_mount {
	char type[64];
	/* An overlay: the directory that it writes to, and whether it never
	 * flushes. */
	char upper[PATH_MAX];
	bool is_volatile;
};

static void take_mount(const struct mntent *mount, struct found_mount *found)
{
	const char *upper = hasmntopt(mount, "upperdir");

	*found = (struct found_mount){
		.is_volatile = hasmntopt(mount, "volatile") != NULL ||
			       hasmntopt(mount, "fsync=volatile") != NULL,
	};
	snprintf(found->type, sizeof(found->type), "%s", mount->mnt_type);
	if (upper != NULL && (upper = strchr(upper, '=')) != NULL)
		snprintf(found->upper, sizeof(found->upper), "%.*s", (int)strcspn(upper + 1, ","),
			 upper + 1);
}

static void find_mount(const char *path, struct found_mount *found)
{
	char real[PATH_MAX];
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *mount;
	int longest = -1;

	/* Use this type if no mount point covers the path: in a chroot, the
	 * list does not contain the file system of the root directory. */
	*found = (struct found_mount){.is_volatile = false};
	snprintf(found->type, sizeof(found->type), "%s", type_by_magic(path));
	if (mounts == NULL)
		return;
	if (realpath(path, real) == NULL)
		real[0] = '\0';
	while ((mount = getmntent(mounts)) != NULL) {
		int length = covers(mount->mnt_dir, real);

		/* If two mount points are the same, the later mount hides the
		 * earlier one. */
		if (length >= 0 && length >= longest) {
			take_mount(mount, found);
			longest = length;
		}
	}
	endmntent(mounts);
}

void mount_type(const char *path, char *type, size_t size)
{
	struct found_mount found;

	find_mount(path, &found);
	snprintf(type, size, "%s", found.type);
}

static bool type_flushes_names(const char *type)
{
	static const char *const types[] = {
		"ext3",
		"ext4",
		"xfs",
		"btrfs",
		"f2fs",
		"nfs",
		"nfs4",
		"cifs",
		"smb3",
		/* They lose nothing, or all. */
		"tmpfs",
		"ramfs",
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

bool mount_flushes_names(const char *path)
{
	struct found_mount found;

	find_mount(path, &found);
	if (strcmp(found.type, "overlay") != 0)
		return type_flushes_names(found.type);
	/* The root of a container does not show its upper directory; it is on
	 * ext4, xfs or btrfs then. */
	return !found.is_volatile &&
	       (access(found.upper, F_OK) < 0 || mount_flushes_names(found.upper));
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
