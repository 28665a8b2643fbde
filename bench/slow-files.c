/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file system (FUSE) that stands for a slow file server: it has the files of a
 * directory, and answers each request of the kernel US microseconds late. Requests
 * do not wait for each other.
 *
 *	slow-files US DIRECTORY MOUNT-POINT
 *
 * The kernel keeps names and attributes, as nothing else changes the directory. So
 * most calls are one request, whatever the depth of their paths. Unlike with
 * LD_PRELOAD, only calls on these files are slow, and strace sees it. bench/pauses
 * builds this program.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds for which the kernel keeps names and attributes. */
#define KEPT_S 1e6

static int top; /* the directory */
static struct timespec delay;

static int result(int rc)
{
	return rc < 0 ? -errno : rc;
}

/* Delay a request. Return the path as one below the directory. */
static const char *begin(const char *path)
{
	nanosleep(&delay, NULL);
	return path == NULL ? NULL : path[1] == '\0' ? "." : path + 1;
}

static int handle(const struct fuse_file_info *file)
{
	return (int)file->fh;
}

static void *slow_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	connection->max_background = UINT16_MAX;
	config->use_ino = 1;
	config->entry_timeout = config->attr_timeout = config->negative_timeout = KEPT_S;
	/* Remove open files, too: there would be other names in listings. */
	config->hard_remove = 1;
	config->nullpath_ok = 1;
	return NULL;
}

static int slow_getattr(const char *path, struct stat *to, struct fuse_file_info *file)
{
	path = begin(path);
	return result(file != NULL ? fstat(handle(file), to)
				   : fstatat(top, path, to, AT_SYMLINK_NOFOLLOW));
}

static int slow_readlink(const char *path, char *to, size_t size)
{
	ssize_t length = readlinkat(top, begin(path), to, size - 1);

	if (length < 0)
		return -errno;
	to[length] = '\0';
	return 0;
}

static int slow_mkdir(const char *path, mode_t mode)
{
	return result(mkdirat(top, begin(path), mode));
}

static int slow_unlink(const char *path)
{
	return result(unlinkat(top, begin(path), 0));
}

static int slow_rmdir(const char *path)
{
	return result(unlinkat(top, begin(path), AT_REMOVEDIR));
}

static int slow_symlink(const char *target, const char *path)
{
	return result(symlinkat(target, top, begin(path)));
}

static int slow_rename(const char *from, const char *to, unsigned flags)
{
	return result(renameat2(top, begin(from), top, to + 1, flags));
}

static int slow_link(const char *from, const char *to)
{
	return result(linkat(top, begin(from), top, to + 1, 0));
}

static int slow_chmod(const char *path, mode_t mode, struct fuse_file_info *file)
{
	path = begin(path);
	return result(file != NULL ? fchmod(handle(file), mode) : fchmodat(top, path, mode, 0));
}

static int slow_chown(const char *path, uid_t user, gid_t group, struct fuse_file_info *file)
{
	path = begin(path);
	return result(file != NULL ? fchown(handle(file), user, group)
				   : fchownat(top, path, user, group, AT_SYMLINK_NOFOLLOW));
}

static int slow_utimens(const char *path, const struct timespec times[2],
			struct fuse_file_info *file)
{
	path = begin(path);
	return result(file != NULL ? futimens(handle(file), times)
				   : utimensat(top, path, times, AT_SYMLINK_NOFOLLOW));
}

static int slow_create(const char *path, mode_t mode, struct fuse_file_info *file)
{
	int fd = openat(top, begin(path), file->flags | O_CREAT, mode);

	file->fh = (uint64_t)fd;
	return fd < 0 ? -errno : 0;
}

static int slow_open(const char *path, struct fuse_file_info *file)
{
	int fd = openat(top, begin(path), file->flags);

	file->fh = (uint64_t)fd;
	return fd < 0 ? -errno : 0;
}

static int slow_truncate(const char *path, off_t size, struct fuse_file_info *file)
{
	int fd, rc;

	path = begin(path);
	if (file != NULL)
		return result(ftruncate(handle(file), size));
	fd = openat(top, path, O_WRONLY);
	if (fd < 0)
		return -errno;
	rc = result(ftruncate(fd, size));
	close(fd);
	return rc;
}

static int slow_read(const char *path, char *to, size_t size, off_t at, struct fuse_file_info *file)
{
	begin(path);
	return result((int)pread(handle(file), to, size, at));
}

static int slow_write(const char *path, const char *from, size_t size, off_t at,
		      struct fuse_file_info *file)
{
	begin(path);
	return result((int)pwrite(handle(file), from, size, at));
}

static int slow_fallocate(const char *path, int mode, off_t at, off_t size,
			  struct fuse_file_info *file)
{
	begin(path);
	return result(fallocate(handle(file), mode, at, size));
}

static int slow_statfs(const char *path, struct statvfs *to)
{
	begin(path);
	return result(fstatvfs(top, to));
}

/* A close waits for this request. */
static int slow_flush(const char *path, struct fuse_file_info *file)
{
	(void)file;
	begin(path);
	return 0;
}

/* Nobody waits for this one. */
static int slow_release(const char *path, struct fuse_file_info *file)
{
	(void)path;
	return result(close(handle(file)));
}

static int slow_fsync(const char *path, int data_only, struct fuse_file_info *file)
{
	begin(path);
	return result(data_only ? fdatasync(handle(file)) : fsync(handle(file)));
}

static int slow_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at,
			struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	int fd = openat(handle(file), ".", O_RDONLY | O_DIRECTORY);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	(void)at;
	(void)flags;
	begin(path);
	if (directory == NULL)
		return -errno;
	while ((entry = readdir(directory)) != NULL) {
		struct stat st = {
			.st_ino = entry->d_ino,
			.st_mode = (mode_t)DTTOIF(entry->d_type),
		};

		if (fill(buffer, entry->d_name, &st, 0, 0) != 0)
			break;
	}
	closedir(directory);
	return 0;
}

static const struct fuse_operations operations = {
	.init = slow_init,
	.getattr = slow_getattr,
	.readlink = slow_readlink,
	.mkdir = slow_mkdir,
	.unlink = slow_unlink,
	.rmdir = slow_rmdir,
	.symlink = slow_symlink,
	.rename = slow_rename,
	.link = slow_link,
	.chmod = slow_chmod,
	.chown = slow_chown,
	.utimens = slow_utimens,
	.create = slow_create,
	.open = slow_open,
	.truncate = slow_truncate,
	.read = slow_read,
	.write = slow_write,
	.fallocate = slow_fallocate,
	.statfs = slow_statfs,
	.flush = slow_flush,
	.release = slow_release,
	.fsync = slow_fsync,
	.opendir = slow_open,
	.readdir = slow_readdir,
	.fsyncdir = slow_fsync,
	.releasedir = slow_release,
};

int main(int argc, char *argv[])
{
	/* By default, 10 requests can be in progress. */
	char *arguments[] = {argv[0],
			     "-f",
			     "-o",
			     "default_permissions,allow_other,max_threads=128,max_idle_threads=128",
			     argc == 4 ? argv[3] : NULL,
			     NULL};
	long us;

	if (argc != 4)
		errx(2, "usage: %s US DIRECTORY MOUNT-POINT", argv[0]);
	us = atol(argv[1]);
	delay = (struct timespec){us / 1000000, us % 1000000 * 1000};
	top = open(argv[2], O_PATH | O_DIRECTORY);
	if (top < 0)
		err(1, "%s", argv[2]);
	umask(0);
	return fuse_main(5, arguments, &operations, NULL);
}
