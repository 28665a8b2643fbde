/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bare loop (bare.h) for libsmbclient. It lets throng's smb backend open
 * the session, so that dialect, signing and encryption are the same as in
 * throng. After that, the loop makes the same library calls as the backend;
 * src/target/libsmbclient/libsmbclient.c explains them.
 */
#include "bare.h"

#include "target/account.h"
#include "target/backends.h"
#include "target/libsmbclient/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { DIRECTORY_MODE = 0777, FILE_MODE = 0666 };

static struct target target;
static struct backend_session *smb;
static SMBCCTX *context;

static void connect_to(const char *url)
{
	struct error error = {0};
	int rc;

	if (target_parse(url, &target, &error) < 0 || accounts_find(&target, NULL, &error) < 0)
		bare_die("%s", error.text);
	if (target.row->client != SMB_CLIENT_LIBRARY)
		bare_die("not an SMB target with client=libsmbclient: %s", url);
	rc = target.backend->session_open(&target, 0, &smb);
	if (rc < 0)
		bare_die("%s: %s", url, strerror(-rc));
	context = smb->context;
}

static void disconnect(void)
{
	target.backend->session_close(smb);
	target_free(&target);
}

static const char *path_of(const char *text)
{
	struct backend_path path = {.text = text};
	const struct smb_made *made;

	if (target.backend->path_make(smb, &path) < 0)
		bare_die("out of memory");
	made = path.made;
	return made->url;
}

static bool can(const struct op *op)
{
	return op->kind != OP_FSYNC && op->kind != OP_LOCK && op->kind != OP_UNLOCK;
}

/*
 * The library's unlink removes directories as well. The backend first checks
 * that the name is not a directory. This loop need not check, because the
 * recording unlinks only files that it has opened before.
 */
static int remove_file(const char *url)
{
	return smb->unlink(context, url);
}

/*
 * Prepare the rename of `from` to `to`. The name `to` is taken by a file or
 * directory with the attributes `there`. Return false if the rename must not be
 * called.
 */
static bool make_way(const char *from, const char *to, const struct stat *there, bool replace)
{
	struct stat attributes;

	if (smb->stat(context, from, &attributes) != 0 || strcmp(from, to) == 0)
		return false;
	if (there->st_ino == attributes.st_ino)
		return true;
	if (!replace || S_ISDIR(there->st_mode) != S_ISDIR(attributes.st_mode))
		return false;
	return !S_ISDIR(there->st_mode) || smb->rmdir(context, to) == 0;
}

static void play_rename(const struct op *op)
{
	const char *from = bare.paths[op->path], *to = bare.paths[op->path2];
	struct stat there;

	if (smb->stat(context, to, &there) == 0) {
		if (!make_way(from, to, &there, (op->flags & OP_NO_REPLACE) == 0))
			return;
	} else if (errno != ENOENT) {
		return;
	}
	smb->rename(context, from, context, to);
}

static int make_directory(const char *url)
{
	return smb->mkdir(context, url, DIRECTORY_MODE);
}

static int remove_directory(const char *url)
{
	return smb->rmdir(context, url);
}

static void play_list(const char *url)
{
	SMBCFILE *directory = smb->opendir(context, url);

	if (directory == NULL)
		return;
	while (smb->readdirplus(context, directory) != NULL)
		;
	smb->closedir(context, directory);
}

/* opendir reads the whole listing, so `visit` may remove entries. */
static void list(const char *text, bare_visit *visit)
{
	SMBCFILE *directory = smb->opendir(context, path_of(text));
	const struct libsmb_file_info *entry;

	if (directory == NULL)
		return;
	while ((entry = smb->readdirplus(context, directory)) != NULL)
		visit(text, entry->name, (entry->attrs & SMBC_DOS_MODE_DIRECTORY) != 0);
	smb->closedir(context, directory);
}

static bool is_directory(const char *url)
{
	SMBCFILE *file = smb->open(context, url, O_RDONLY, 0);

	if (file == NULL)
		return errno == EISDIR;
	smb->close(context, file);
	return false;
}

static bool open_directory(const char *url, uint64_t flags)
{
	if ((flags & OPEN_CREATE) == 0)
		return is_directory(url);
	if (smb->mkdir(context, url, DIRECTORY_MODE) == 0)
		return true;
	return errno == EEXIST && (flags & OPEN_EXCLUSIVE) == 0 && is_directory(url);
}

static SMBCFILE *open_file(const char *url, uint64_t flags)
{
	static const int access[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
	int mode = access[flags & (OPEN_READ | OPEN_WRITE)];

	if ((flags & OPEN_CREATE) != 0)
		mode |= O_CREAT;
	if ((flags & OPEN_EXCLUSIVE) != 0)
		mode |= O_EXCL;
	if ((flags & OPEN_TRUNCATE) != 0)
		mode |= O_TRUNC;
	return smb->open(context, url, mode, FILE_MODE);
}

static void play_open(const struct op *op)
{
	const char *url = bare.paths[op->path];
	SMBCFILE *file;

	if ((op->open_flags & OPEN_DIRECTORY) != 0) {
		if (open_directory(url, op->open_flags))
			bare_keep(op, NULL);
		return;
	}
	file = open_file(url, op->open_flags);
	if (file != NULL || (errno == EISDIR && (op->open_flags & OPEN_FILE) == 0))
		bare_keep(op, file);
}

static void close_handle(struct bare_handle *handle)
{
	if (handle->file != NULL)
		smb->close(context, handle->file);
}

static void play_close(const struct op *op, struct bare_handle *handle)
{
	close_handle(handle);
	handle->open = false;
	if ((op->flags & OP_DELETE) == 0)
		return;
	if ((op->flags & OP_DIRECTORY) != 0)
		smb->rmdir(context, bare.paths[op->path]);
	else
		smb->unlink(context, bare.paths[op->path]);
}

static void seek_to(struct bare_handle *handle, uint64_t offset)
{
	if (handle->position != offset)
		smb->lseek(context, handle->file, (off_t)offset, SEEK_SET);
	handle->position = offset;
}

static void play_read(const struct op *op, struct bare_handle *handle)
{
	ssize_t got;

	if (handle->file == NULL)
		return;
	seek_to(handle, op->offset);
	got = smb->read(context, handle->file, bare.read_buffer, op->size);
	if (got > 0)
		handle->position += (uint64_t)got;
}

static void play_write(const struct op *op, struct bare_handle *handle)
{
	ssize_t put;

	if (handle->file == NULL)
		return;
	seek_to(handle, op->offset);
	put = smb->write(context, handle->file, bare.data, op->size);
	if (put > 0)
		handle->position += (uint64_t)put;
}

static void play_fstat(struct bare_handle *handle)
{
	struct stat attributes;
	off_t end;

	if (handle->file == NULL) {
		smb->stat(context, handle->path, &attributes);
		return;
	}
	end = smb->lseek(context, handle->file, 0, SEEK_END);
	if (end >= 0)
		handle->position = (uint64_t)end;
}

static void play_set_times(const struct bare_handle *handle)
{
	struct stat attributes;
	struct timeval times[2];
	int rc = handle->file != NULL ? smb->fstat(context, handle->file, &attributes)
				      : smb->stat(context, handle->path, &attributes);

	if (rc < 0)
		return;
	times[0] = (struct timeval){.tv_sec = attributes.st_atime - 10};
	times[1] = (struct timeval){.tv_sec = attributes.st_mtime - 12};
	smb->utimes(context, handle->path, times);
}

static void play_named(const struct op *op)
{
	const char *url = op->path != OP_NONE ? bare.paths[op->path] : NULL;
	struct statvfs space;
	struct stat attributes;

	switch (op->kind) {
	case OP_OPEN:
		play_open(op);
		break;
	case OP_STAT:
		smb->stat(context, url, &attributes);
		break;
	case OP_LIST:
		play_list(bare.paths[op->path2]);
		break;
	case OP_UNLINK:
		smb->unlink(context, url);
		break;
	case OP_STATVFS:
		smb->fstatvfs(context, smb->root, &space);
		break;
	case OP_RENAME:
		play_rename(op);
		break;
	case OP_MKDIR:
		smb->mkdir(context, url, DIRECTORY_MODE);
		break;
	case OP_RMDIR:
		smb->rmdir(context, url);
		break;
	case OP_DELTREE:
		bare_empty(bare.texts[op->path]);
		break;
	}
}

static void play_open_file(const struct op *op, struct bare_handle *handle)
{
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
		play_fstat(handle);
		break;
	case OP_SET_TIMES:
		play_set_times(handle);
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

static const struct bare_library libsmbclient = {
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
	return bare_main(argc, argv, &libsmbclient);
}
