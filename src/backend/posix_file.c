/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/posix_file.h"

#include "base/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int posix_close(struct backend_session *session, int64_t handle)
{
	(void)session;
	return close((int)handle) < 0 ? -errno : 0;
}

int64_t posix_read(struct backend_session *session, int64_t handle,
		   void *buffer, size_t size, uint64_t offset)
{
	ssize_t got = pread((int)handle, buffer, size, (off_t)offset);

	(void)session;
	return got < 0 ? -errno : got;
}

int64_t posix_write(struct backend_session *session, int64_t handle,
		    const void *data, size_t size, uint64_t offset)
{
	size_t done = 0;

	(void)session;
	/* After a short write, write the rest: if that is impossible, the next
	 * pwrite() returns the reason. */
	do {
		ssize_t put = pwrite((int)handle, (const char *)data + done,
				     size - done, (off_t)(offset + done));

		if (put < 0)
			return -errno;
		if (put == 0)
			break;
		done += (size_t)put;
	} while (done < size);
	return (int64_t)done;
}

int posix_fsync(struct backend_session *session, int64_t handle)
{
	(void)session;
	return fsync((int)handle) < 0 ? -errno : 0;
}

static int set_lock(int64_t handle, short type, uint64_t offset,
		    uint64_t length)
{
	struct flock range = {
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = (off_t)offset,
		.l_len = (off_t)length,
	};

	return fcntl((int)handle, F_SETLKW, &range) < 0 ? -errno : 0;
}

int posix_lock(struct backend_session *session, int64_t handle,
	       uint64_t offset, uint64_t length)
{
	(void)session;
	return set_lock(handle, F_WRLCK, offset, length);
}

int posix_unlock(struct backend_session *session, int64_t handle,
		 uint64_t offset, uint64_t length)
{
	(void)session;
	return set_lock(handle, F_UNLCK, offset, length);
}

int posix_fstat(struct backend_session *session, int64_t handle)
{
	struct stat attributes;

	(void)session;
	return fstat((int)handle, &attributes) < 0 ? -errno : 0;
}

int posix_set_times(struct backend_session *session, int64_t handle)
{
	struct stat attributes;
	struct timespec times[2];

	(void)session;
	if (fstat((int)handle, &attributes) < 0)
		return -errno;
	times[0] = attributes.st_atim;
	times[1] = attributes.st_mtim;
	times[0].tv_sec -= ACCESS_TIME_BACK_S;
	times[1].tv_sec -= MODIFY_TIME_BACK_S;
	return futimens((int)handle, times) < 0 ? -errno : 0;
}
