/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/session.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* How long to sleep between two tries to get a lock, at first and at most. */
#define LOCK_NAP_NS (50 * NS_PER_US)
#define LOCK_NAP_MAX_NS (10 * NS_PER_MS)

int posix_close(struct backend_session *session, int64_t handle)
{
	return close((int)handle) < 0 ? -errno : 0;
}

int64_t posix_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		   uint64_t offset)
{
	ssize_t got = pread((int)handle, buffer, size, (off_t)offset);

	return got < 0 ? -errno : got;
}

int64_t posix_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		    uint64_t offset)
{
	size_t done = 0;

	/* After a short write, write the rest: if that is impossible, the next
	 * pwrite() returns the reason. */
	do {
		ssize_t put = pwrite((int)handle, (const char *)data + done, size - done,
				     (off_t)(offset + done));

		if (put < 0) {
			session->changed_bytes = done;
			return -errno;
		}
		if (put == 0)
			break;
		done += (size_t)put;
	} while (done < size);
	return (int64_t)done;
}

int posix_fsync(struct backend_session *session, int64_t handle)
{
	return fsync((int)handle) < 0 ? -errno : 0;
}

int posix_fdatasync(struct backend_session *session, int64_t handle)
{
	return fdatasync((int)handle) < 0 ? -errno : 0;
}

int posix_truncate(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	return ftruncate((int)handle, (off_t)bytes) < 0 ? -errno : 0;
}

int posix_allocate(struct backend_session *session, int64_t handle, uint64_t offset,
		   uint64_t length, unsigned mode)
{
	int flags = 0;

	session->changed_bytes = 0;
	if ((mode & ALLOCATE_KEEP_SIZE) != 0)
		flags |= FALLOC_FL_KEEP_SIZE;
	/* The kernel accepts FALLOC_FL_PUNCH_HOLE only together with
	 * FALLOC_FL_KEEP_SIZE. */
	if ((mode & ALLOCATE_PUNCH_HOLE) != 0)
		flags |= FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	if ((mode & ALLOCATE_ZERO) != 0)
		flags |= FALLOC_FL_ZERO_RANGE;
	return fallocate((int)handle, flags, (off_t)offset, (off_t)length) < 0 ? -errno : 0;
}

int64_t posix_copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		   uint64_t to_offset, uint64_t bytes)
{
	off_t from_at = (off_t)from_offset, to_at = (off_t)to_offset;
	uint64_t done = 0;

	/* The kernel copies at most 2 GiB in one call. */
	while (done < bytes) {
		ssize_t part = copy_file_range((int)from, &from_at, (int)to, &to_at, bytes - done,
					       0);

		if (part < 0) {
			session->changed_bytes = done;
			return -errno;
		}
		if (part == 0)
			break;
		done += (uint64_t)part;
	}
	return (int64_t)done;
}

int posix_clone(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		uint64_t to_offset, uint64_t bytes)
{
	struct file_clone_range range = {
		.src_fd = from,
		.src_offset = from_offset,
		.src_length = bytes,
		.dest_offset = to_offset,
	};

	return ioctl((int)to, FICLONERANGE, &range) < 0 ? -errno : 0;
}

int posix_sync_range(struct backend_session *session, int64_t handle, uint64_t offset,
		     uint64_t length, unsigned mode)
{
	unsigned flags = SYNC_FILE_RANGE_WRITE;

	if ((mode & SYNC_RANGE_WAIT) != 0)
		flags |= SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
	return sync_file_range((int)handle, (off_t)offset, (off_t)length, flags) < 0 ? -errno : 0;
}

/* Set, clear or test a lock. A test sets range->l_type. Locks of open file
 * descriptions (F_OFD_*) are those of a handle, others those of the process. */
static int call_lock(int64_t handle, int command, struct flock *range)
{
	if (fcntl((int)handle, command, range) == 0)
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}

static struct flock range_of(short type, uint64_t offset, uint64_t length)
{
	return (struct flock){
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = (off_t)offset,
		.l_len = (off_t)length,
	};
}

/* Try to get a lock until `session->wait` gives up. A system call that waits would
 * not return if another thread of the user has the lock, and has left. */
static int wait_for_lock(struct backend_session *session, int64_t handle, struct flock *range)
{
	uint64_t nap_ns = LOCK_NAP_NS;
	int rc;

	while ((rc = call_lock(handle, F_OFD_SETLK, range)) == -EAGAIN) {
		if (session->wait != NULL && !session->wait(session->wait_context))
			return -ECANCELED;
		clock_sleep_until_ns(clock_now_ns() + nap_ns);
		if (nap_ns < LOCK_NAP_MAX_NS)
			nap_ns *= 2;
	}
	return rc;
}

void posix_on_wait(struct backend_session *session, backend_wait *wait, void *context)
{
	session->wait = wait;
	session->wait_context = context;
}

static short type_of(unsigned mode)
{
	return (mode & LOCK_SHARED) != 0 ? F_RDLCK : F_WRLCK;
}

int posix_lock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
	       unsigned mode)
{
	struct flock range = range_of(type_of(mode), offset, length);

	if ((mode & LOCK_TRY) != 0)
		return call_lock(handle, session->shares ? F_OFD_SETLK : F_SETLK, &range);
	return session->shares ? wait_for_lock(session, handle, &range)
			       : call_lock(handle, F_SETLKW, &range);
}

int posix_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length)
{
	struct flock range = range_of(F_UNLCK, offset, length);

	return call_lock(handle, session->shares ? F_OFD_SETLK : F_SETLK, &range);
}

int posix_lock_test(struct backend_session *session, int64_t handle, uint64_t offset,
		    uint64_t length, unsigned mode)
{
	struct flock range = range_of(type_of(mode), offset, length);
	int rc = call_lock(handle, session->shares ? F_OFD_GETLK : F_GETLK, &range);

	if (rc < 0)
		return rc;
	return range.l_type == F_UNLCK ? 0 : -EAGAIN;
}

int posix_fstat(struct backend_session *session, int64_t handle)
{
	struct stat attributes;

	return fstat((int)handle, &attributes) < 0 ? -errno : 0;
}

int posix_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	struct statx attributes;

	if (statx((int)handle, "", AT_EMPTY_PATH, STATX_INO | STATX_SIZE | STATX_BTIME,
		  &attributes) < 0)
		return -errno;
	*file = (struct backend_file){
		.id = attributes.stx_ino,
		.size_bytes = attributes.stx_size,
		.device = makedev(attributes.stx_dev_major, attributes.stx_dev_minor),
	};
	if ((attributes.stx_mask & STATX_BTIME) != 0)
		file->generation = (uint64_t)attributes.stx_btime.tv_sec * NS_PER_S +
				   attributes.stx_btime.tv_nsec;
	return 0;
}

int posix_set_times(struct backend_session *session, int64_t handle)
{
	struct stat attributes;
	struct timespec times[2];

	if (fstat((int)handle, &attributes) < 0)
		return -errno;
	times[0] = attributes.st_atim;
	times[1] = attributes.st_mtim;
	times[0].tv_sec -= ACCESS_TIME_BACK_S;
	times[1].tv_sec -= MODIFY_TIME_BACK_S;
	return futimens((int)handle, times) < 0 ? -errno : 0;
}
