/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/libsmbclient/session.h"

#include "base/clock.h"
#include "target/libsmbclient/url.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum {
	DIRECTORY_MODE = 0777,
	FILE_MODE = 0666,
	REQUEST_MIN = 4096, /* max size of a write that is never split */
};

/* Set the handle's URL. If path_make made the path, its URL lasts as long as
 * the session; otherwise copy the URL. */
static int keep_url(struct backend_session *session, int64_t handle,
		    const struct backend_path *path, const char *url)
{
	int rc = 0;

	if (path->made == NULL) {
		rc = smb_slot_keep(&session->slots, handle, url);
		url = session->slots.slots[handle].text;
	}
	session->handles[handle].url = url;
	return rc;
}

/*
 * Check in one round trip that `url` is a directory: try to open it as a file,
 * which the library refuses with EISDIR for a directory.
 */
static int verify_directory(struct backend_session *session, const char *url)
{
	SMBCFILE *file = session->open(session->context, url, O_RDONLY, 0);

	if (file == NULL)
		return errno == EISDIR ? 0 : smb_failed(session);
	session->close(session->context, file);
	return -ENOTDIR;
}

static int open_directory(struct backend_session *session, const char *url, uint64_t flags)
{
	int rc;

	if ((flags & OPEN_CREATE) == 0)
		return verify_directory(session, url);
	if (session->mkdir(session->context, url, DIRECTORY_MODE) == 0) {
		session->new_directories++;
		return 0;
	}
	rc = smb_failed(session);
	return rc == -EEXIST && (flags & OPEN_EXCLUSIVE) == 0 ? verify_directory(session, url) : rc;
}

static bool is_write_only(uint64_t flags)
{
	return (flags & (OPEN_READ | OPEN_WRITE)) == OPEN_WRITE;
}

/*
 * Open a file. If `url` is a directory and `flags` allow one, set *file to
 * NULL. Don't use O_APPEND for write-only handles: the library would ask for
 * the file's size through the handle and fail with ENXIO, because a write-only
 * handle may not read attributes. find_end() gets the size by name instead.
 */
static int open_file(struct backend_session *session, const char *url, uint64_t flags,
		     SMBCFILE **file)
{
	static const int access[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
	int mode = access[flags & (OPEN_READ | OPEN_WRITE)];
	bool creates = (flags & OPEN_CREATE) != 0;
	bool exclusive = creates && (flags & OPEN_EXCLUSIVE) != 0;

	if (creates)
		mode |= O_CREAT;
	if (exclusive)
		mode |= O_EXCL;
	if ((flags & OPEN_TRUNCATE) != 0)
		mode |= O_TRUNC;
	if ((flags & OPEN_APPEND) != 0 && !is_write_only(flags))
		mode |= O_APPEND;
	*file = session->open(session->context, url, mode, FILE_MODE);
	if (*file != NULL)
		return 0;
	if (errno != EISDIR)
		return smb_failed(session);
	if (exclusive)
		return -EEXIST;
	return (flags & OPEN_FILE) != 0 ? -EISDIR : 0;
}

static int stat_by_name(struct backend_session *session, const struct smb_handle *handle,
			struct stat *attributes)
{
	return session->stat(session->context, handle->url, attributes) < 0 ? smb_failed(session)
									    : 0;
}

/* Set handle->end to the size of a file that has just been opened to append. */
static int find_end(struct backend_session *session, struct smb_handle *handle)
{
	struct stat attributes;
	int rc;

	if (!handle->write_only) {
		/* The library's open has moved the position to the end. */
		handle->position = (uint64_t)session->lseek(session->context, handle->file, 0,
							    SEEK_CUR);
		handle->end = handle->position;
		return 0;
	}
	rc = stat_by_name(session, handle, &attributes);
	if (rc < 0)
		return rc;
	handle->end = (uint64_t)attributes.st_size;
	return 0;
}

int64_t smb_open(struct backend_session *session, const struct backend_path *path, uint64_t flags)
{
	int64_t index;
	struct smb_handle *handle;
	SMBCFILE *file = NULL;
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	session->changed_bytes = 0;
	if (rc < 0)
		return rc;
	index = smb_slot_find(&session->slots);
	if (index < 0)
		return index;
	handle = &session->handles[index];
	rc = keep_url(session, index, path, url);
	if (rc == 0)
		rc = (flags & OPEN_DIRECTORY) != 0 ? open_directory(session, url, flags)
						   : open_file(session, url, flags, &file);
	if (rc < 0)
		return rc;
	if (file != NULL)
		smb_know_file(session, path);
	smb_slot_take(&session->slots);
	handle->file = file;
	handle->position = 0;
	handle->write_only = is_write_only(flags);
	handle->read_only = (flags & OPEN_WRITE) == 0;
	handle->appends = file != NULL && (flags & OPEN_APPEND) != 0;
	if (handle->appends)
		rc = find_end(session, handle);
	if (rc < 0) {
		session->changed_bytes = (flags & OPEN_TRUNCATE) != 0;
		smb_close(session, index);
		return rc;
	}
	return index;
}

int smb_close(struct backend_session *session, int64_t handle)
{
	struct smb_handle *open = &session->handles[handle];
	SMBCFILE *file = open->file;

	open->file = NULL;
	smb_slot_release(&session->slots, handle);
	if (session->lost != 0)
		return session->lost;
	if (file != NULL && session->close(session->context, file) < 0)
		return smb_failed(session);
	return 0;
}

/* Set the position of the next read or write. This takes no round trip. */
static int seek_to(struct backend_session *session, struct smb_handle *handle, uint64_t offset)
{
	if (session->lost != 0)
		return session->lost;
	if (handle->file == NULL)
		return -EISDIR;
	if (handle->position == offset)
		return 0;
	if (offset > INT64_MAX)
		return -EINVAL;
	if (session->lseek(session->context, handle->file, (off_t)offset, SEEK_SET) < 0)
		return smb_failed(session);
	handle->position = offset;
	return 0;
}

/* One call is enough: the library splits large reads, and returns less than
 * `size` only at the end of the file. */
int64_t smb_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		 uint64_t offset)
{
	struct smb_handle *open = &session->handles[handle];
	int rc = open->write_only ? -EBADF : seek_to(session, open, offset);
	ssize_t got;

	if (rc < 0)
		return rc;
	got = session->read(session->context, open->file, buffer, size);
	if (got < 0)
		return smb_failed(session);
	open->position += (uint64_t)got;
	return got;
}

/*
 * One call is enough: the library writes all bytes or fails. If it fails, it does
 * not report how much it has written, except that each request takes
 * REQUEST_MIN bytes. It does not make the server append, so we keep track of the
 * end of a file that was opened to append.
 */
int64_t smb_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		  uint64_t offset)
{
	struct smb_handle *open = &session->handles[handle];
	int rc = open->read_only ? -EBADF
				 : seek_to(session, open, open->appends ? open->end : offset);
	ssize_t put;

	session->changed_bytes = 0;
	if (rc < 0)
		return rc;
	put = session->write(session->context, open->file, data, size);
	if (put < 0) {
		session->changed_bytes = size > REQUEST_MIN ? size : 0;
		return smb_failed(session);
	}
	open->position += (uint64_t)put;
	if (open->appends)
		open->end = open->position;
	return put;
}

uint64_t smb_changed_bytes(const struct backend_session *session)
{
	return session->changed_bytes;
}

/*
 * Get the attributes by seeking to the end of the file. This sends the same
 * request as the library's fstat, but takes less CPU time, because fstat parses
 * the URL first.
 */
int smb_fstat(struct backend_session *session, int64_t handle)
{
	struct smb_handle *open = &session->handles[handle];
	struct stat attributes;
	uint64_t start_ns;
	off_t end;

	if (session->lost != 0)
		return session->lost;
	if (open->file == NULL || open->write_only)
		return stat_by_name(session, open, &attributes);
	start_ns = clock_now_ns();
	end = session->lseek(session->context, open->file, 0, SEEK_END);
	if (end < 0)
		return smb_failed_without_reason(session, start_ns);
	open->position = (uint64_t)end;
	return 0;
}

int smb_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	struct smb_handle *open = &session->handles[handle];

	if (session->lost != 0)
		return session->lost;
	if (open->file == NULL || open->read_only || bytes > INT64_MAX)
		return -EINVAL;
	if (session->ftruncate(session->context, open->file, (off_t)bytes) < 0)
		return smb_failed(session);
	open->end = bytes;
	return 0;
}

static struct timeval earlier(const struct timespec *time, time_t seconds)
{
	return (struct timeval){
		.tv_sec = time->tv_sec - seconds,
		.tv_usec = time->tv_nsec / 1000,
	};
}

int smb_set_back(struct backend_session *session, const char *url, const struct stat *attributes)
{
	struct timeval times[2] = {
		earlier(&attributes->st_atim, ACCESS_TIME_BACK_S),
		earlier(&attributes->st_mtim, MODIFY_TIME_BACK_S),
	};

	return session->utimes(session->context, url, times) < 0 ? smb_failed(session) : 0;
}

/* Get the attributes with the library's fstat. */
static int stat_handle(struct backend_session *session, int64_t handle, struct stat *attributes)
{
	struct smb_handle *open = &session->handles[handle];
	uint64_t start_ns;

	if (session->lost != 0)
		return session->lost;
	start_ns = clock_now_ns();
	if (open->file == NULL || open->write_only)
		return stat_by_name(session, open, attributes);
	return session->fstat(session->context, open->file, attributes) < 0
		       ? smb_failed_without_reason(session, start_ns)
		       : 0;
}

/*
 * Check if the number of a directory is its own. If the server has none, the
 * library makes one of the name, which another directory may have later. So ask
 * again by another name of the directory, which takes one round trip.
 */
static bool has_own_number(struct backend_session *session, const char *url, ino_t number)
{
	char *other = session->plain_urls[SMB_SECOND_PATH];
	struct stat attributes;

	stpcpy(stpcpy(other, url), "/.");
	return session->stat(session->context, other, &attributes) == 0 &&
	       attributes.st_ino == number;
}

int smb_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	const struct smb_handle *open = &session->handles[handle];
	struct stat attributes;
	int rc = stat_handle(session, handle, &attributes);

	if (rc < 0)
		return rc;
	*file = (struct backend_file){
		.id = attributes.st_ino,
		.size_bytes = (uint64_t)attributes.st_size,
	};
	/* MS-FSCC 2.1.9: files that have no number of their own have this
	 * one. */
	if (file->id == UINT64_MAX ||
	    (open->file == NULL && !has_own_number(session, open->url, attributes.st_ino)))
		file->id = 0;
	return 0;
}

int smb_set_times(struct backend_session *session, int64_t handle)
{
	struct smb_handle *open = &session->handles[handle];
	struct stat attributes;
	int rc = stat_handle(session, handle, &attributes);

	return rc < 0 ? rc : smb_set_back(session, open->url, &attributes);
}
