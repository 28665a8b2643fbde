/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bare loop (bare.h) for libnfs. It calls the library's synchronous
 * functions.
 */
#include "bare.h"

#include "target/nfs/api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { DIRECTORY_MODE = 0755, FILE_MODE = 0644 };

static struct nfs_context *nfs;
static bool has_locks; /* the URL asks for NFSv4, which has locks */

/* Parse the URL. Disable the library's directory cache, as throng does. */
static struct nfs_url *parse(const char *text)
{
	struct nfs_url *url;
	char *whole;

	if (asprintf(&whole, "%s%cdircache=0", text, strchr(text, '?') != NULL ? '&' : '?') < 0)
		bare_die("out of memory");
	url = nfs_parse_url_dir(nfs, whole);
	if (url == NULL)
		bare_die("%s", nfs_get_error(nfs));
	free(whole);
	return url;
}

static void connect_to(const char *text)
{
	struct nfs_url *url;

	nfs = nfs_init_context();
	if (nfs == NULL)
		bare_die("out of memory");
	url = parse(text);
	if (nfs_mount(nfs, url->server, url->path) < 0)
		bare_die("%s", nfs_get_error(nfs));
	nfs_destroy_url(url);
	has_locks = strstr(text, "version=4") != NULL;
}

static void disconnect(void)
{
	nfs_destroy_context(nfs);
}

static const char *path_of(const char *text)
{
	char *path;

	if (asprintf(&path, "/%s", text) < 0)
		bare_die("out of memory");
	return path;
}

static bool can(const struct op *op)
{
	return has_locks || (op->kind != OP_LOCK && op->kind != OP_UNLOCK);
}

static int make_directory(const char *path)
{
	return nfs_mkdir2(nfs, path, DIRECTORY_MODE);
}

static int remove_directory(const char *path)
{
	return nfs_rmdir(nfs, path);
}

static int remove_file(const char *path)
{
	return nfs_unlink(nfs, path);
}

static void play_rename(const struct op *op)
{
	const char *from = bare.paths[op->path], *to = bare.paths[op->path2];
	struct nfs_stat_64 found;

	if ((op->flags & OP_NO_REPLACE) != 0 && nfs_lstat64(nfs, to, &found) != -ENOENT)
		return;
	nfs_rename(nfs, from, to);
}

static void play_list(const char *path)
{
	struct nfsdir *directory;

	if (nfs_opendir(nfs, path, &directory) < 0)
		return;
	while (nfs_readdir(nfs, directory) != NULL)
		;
	nfs_closedir(nfs, directory);
}

/* opendir reads the whole listing, so `visit` may remove entries. */
static void list(const char *text, bare_visit *visit)
{
	struct nfsdirent *entry;
	struct nfsdir *directory;

	if (nfs_opendir(nfs, path_of(text), &directory) < 0)
		return;
	while ((entry = nfs_readdir(nfs, directory)) != NULL)
		visit(text, entry->name, entry->type == NF3DIR);
	nfs_closedir(nfs, directory);
}

static bool open_directory(const char *path, uint64_t flags)
{
	struct nfs_stat_64 found;
	int rc;

	if ((flags & OPEN_CREATE) != 0) {
		rc = nfs_mkdir2(nfs, path, DIRECTORY_MODE);
		if (rc == 0)
			return true;
		if (rc != -EEXIST || (flags & OPEN_EXCLUSIVE) != 0)
			return false;
	}
	return nfs_lstat64(nfs, path, &found) == 0 && S_ISDIR(found.nfs_mode);
}

static int open_file(const char *path, uint64_t flags, struct nfsfh **file)
{
	static const int access[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
	int mode = access[flags & (OPEN_READ | OPEN_WRITE)];

	if ((flags & OPEN_CREATE) != 0)
		mode |= O_CREAT;
	if ((flags & OPEN_EXCLUSIVE) != 0)
		mode |= O_EXCL;
	if ((flags & OPEN_TRUNCATE) != 0)
		mode |= O_TRUNC;
	if ((flags & OPEN_WRITE_THROUGH) != 0)
		mode |= O_SYNC;
	return nfs_open2(nfs, path, mode, FILE_MODE, file);
}

static void play_open(const struct op *op)
{
	const char *path = bare.paths[op->path];
	struct nfsfh *file = NULL;
	int rc;

	if ((op->open_flags & OPEN_DIRECTORY) != 0) {
		if (open_directory(path, op->open_flags))
			bare_keep(op, NULL);
		return;
	}
	rc = open_file(path, op->open_flags, &file);
	if (rc == 0 || (rc == -EISDIR && (op->open_flags & OPEN_FILE) == 0))
		bare_keep(op, rc == 0 ? file : NULL);
}

static void close_handle(struct bare_handle *handle)
{
	if (handle->file != NULL)
		nfs_close(nfs, handle->file);
}

static void play_close(const struct op *op, struct bare_handle *handle)
{
	close_handle(handle);
	handle->open = false;
	if ((op->flags & OP_DELETE) == 0)
		return;
	if ((op->flags & OP_DIRECTORY) != 0)
		nfs_rmdir(nfs, bare.paths[op->path]);
	else
		nfs_unlink(nfs, bare.paths[op->path]);
}

static void play_read(const struct op *op, const struct bare_handle *handle)
{
	if (handle->file == NULL)
		return;
#ifdef LIBNFS_API_V2
	nfs_pread(nfs, handle->file, bare.read_buffer, op->size, op->offset);
#else
	nfs_pread(nfs, handle->file, op->offset, op->size, bare.read_buffer);
#endif
}

static void play_write(const struct op *op, const struct bare_handle *handle)
{
	if (handle->file == NULL)
		return;
#ifdef LIBNFS_API_V2
	nfs_pwrite(nfs, handle->file, bare.data, op->size, op->offset);
#else
	nfs_pwrite(nfs, handle->file, op->offset, op->size, bare.data);
#endif
}

static void play_fsync(const struct bare_handle *handle)
{
	if (handle->file != NULL)
		nfs_fsync(nfs, handle->file);
}

static int look_at(const struct bare_handle *handle, struct nfs_stat_64 *found)
{
	if (handle->file == NULL)
		return nfs_lstat64(nfs, handle->path, found);
	return nfs_fstat64(nfs, handle->file, found);
}

static void play_set_times(const struct bare_handle *handle)
{
	struct nfs_stat_64 found;
	struct timeval times[2];

	if (look_at(handle, &found) < 0)
		return;
	times[0] = (struct timeval){.tv_sec = (time_t)found.nfs_atime - 10};
	times[1] = (struct timeval){.tv_sec = (time_t)found.nfs_mtime - 12};
	nfs_utimes(nfs, handle->path, times);
}

static void play_lock(const struct op *op, const struct bare_handle *handle)
{
	struct nfs4_flock range = {
		.l_type = op->kind == OP_LOCK ? F_WRLCK : F_UNLCK,
		.l_whence = SEEK_SET,
		.l_start = op->offset,
		.l_len = op->size,
	};

	if (handle->file != NULL)
		nfs_fcntl(nfs, handle->file, NFS4_F_SETLK, &range);
}

static void play_named(const struct op *op)
{
	const char *path = op->path != OP_NONE ? bare.paths[op->path] : NULL;
	struct nfs_stat_64 found;
	struct statvfs space;

	switch (op->kind) {
	case OP_OPEN:
		play_open(op);
		break;
	case OP_STAT:
		nfs_lstat64(nfs, path, &found);
		break;
	case OP_LIST:
		play_list(bare.paths[op->path2]);
		break;
	case OP_UNLINK:
		nfs_unlink(nfs, path);
		break;
	case OP_STATVFS:
		nfs_statvfs(nfs, "/", &space);
		break;
	case OP_RENAME:
		play_rename(op);
		break;
	case OP_MKDIR:
		nfs_mkdir2(nfs, path, DIRECTORY_MODE);
		break;
	case OP_RMDIR:
		nfs_rmdir(nfs, path);
		break;
	case OP_DELTREE:
		bare_empty(bare.texts[op->path]);
		break;
	}
}

static void play_open_file(const struct op *op, struct bare_handle *handle)
{
	struct nfs_stat_64 found;

	if (!handle->open)
		return;
	switch (op->kind) {
	case OP_READ:
		play_read(op, handle);
		break;
	case OP_WRITE:
		play_write(op, handle);
		break;
	case OP_CLOSE:
		play_close(op, handle);
		break;
	case OP_FSTAT:
		look_at(handle, &found);
		break;
	case OP_SET_TIMES:
		play_set_times(handle);
		break;
	case OP_FSYNC:
		play_fsync(handle);
		break;
	case OP_LOCK:
	case OP_UNLOCK:
		play_lock(op, handle);
		break;
	}
}

static void play(const struct op *op)
{
	if (op->handle == OP_NONE || op->kind == OP_OPEN)
		play_named(op);
	else
		play_open_file(op, &bare.handles[op->handle]);
}

static const struct bare_library libnfs = {
	.connect = connect_to,
	.disconnect = disconnect,
	.path = path_of,
	.can = can,
	.play = play,
	.close = close_handle,
	.mkdir = make_directory,
	.rmdir = remove_directory,
	.unlink = remove_file,
	.list = list,
};

int main(int argc, char **argv)
{
	return bare_main(argc, argv, &libnfs);
}
