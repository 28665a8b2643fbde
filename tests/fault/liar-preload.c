/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that makes a target stall or lie, whether it is a
 * local path (preloaded into throng) or a file server (preloaded into smbd or
 * ganesha.nfsd). Only reads and writes of regular files with THRONG_TEST_PATH
 * (default: "/clients/client") in their paths are concerned.
 *
 * Variables of the environment:
 * - THRONG_TEST_LIE: a name in the table `lies` of lies.c. Without it, the
 *   library does nothing.
 * - THRONG_TEST_AFTER: number of the first call to lie about, from 1, per
 *   process. A call that the lie does not suit is let through, and the next one
 *   is tried.
 * - THRONG_TEST_AFTER_MS: for the lie "stall", the same as a time after the
 *   first read or write.
 * - THRONG_TEST_MS: how long a stall takes, or each call of a slow target.
 * - THRONG_TEST_SEED: choose the bytes of a call to lie about (default: the
 *   value of THRONG_TEST_AFTER).
 * - THRONG_TEST_LOG: a file for the lies, one line each: "LIE OFFSET LENGTH
 *   BEFORE PATH". BEFORE describes what is at this place of the file now if the
 *   lie kept data from it: data, zeros, end (of the file), or part (some of it
 *   is beyond the end); otherwise it is "-". The line of a stall has its start
 *   and length on the monotonic clock in ns instead of OFFSET and LENGTH.
 * - THRONG_TEST_CALLS: a file for the times of all calls, one line each: "BEGIN END"
 *   on the monotonic clock in ns.
 * - THRONG_TEST_CONTROL: a file with lines "VARIABLE=VALUE", which come before
 *   the variables above. It is read at each call. When it has changed, calls
 *   are counted anew. Thus one server can have many lies. Replace the file by
 *   renaming another one over it.
 *
 * Apart from "slow", "stall", "lost" and "short-reads", a lie happens once, in the
 * process that creates the log. Files are recognised by their inodes, so the loads
 * of tests with "stale" and "lost" must not remove files.
 */

/* Distributions set this. It makes read() and others inline functions, which we
 * cannot define. */
#undef _FORTIFY_SOURCE

#include "lies.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000LL

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int64_t calls; /* calls that the lie could suit */
static bool has_lied; /* in this process */
static int64_t first_call_ns;
static ino_t refused; /* the file whose next write is refused; 0: none */

static ssize_t write_file(int fd, const void *data, size_t size, off_t offset)
{
	return syscall(SYS_pwrite64, fd, data, size, offset);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec;
}

/* Append a line to the log. Return false if the lie must not happen, because it
 * has happened in another process. */
static bool write_log(const char *name, bool repeats, int64_t offset, int64_t length,
		      const char *before, const char *path)
{
	const char *file = lies_setting("THRONG_TEST_LOG");
	char line[PATH_MAX + 128];
	int size, fd;

	if (file == NULL)
		return true;
	fd = (int)syscall(SYS_openat, AT_FDCWD, file,
			  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (repeats ? 0 : O_EXCL), 0666);
	if (fd < 0)
		return false;
	size = snprintf(line, sizeof(line), "%s %lld %lld %s %s\n", name, (long long)offset,
			(long long)length, before, path);
	if (syscall(SYS_write, fd, line, size) != size)
		abort();
	close(fd);
	return true;
}

/* Log that a call began then and has just ended. */
static void log_call(int64_t begin)
{
	const char *file = lies_setting("THRONG_TEST_CALLS");
	int64_t end = now_ns();
	char line[64];
	int size, fd;

	if (file == NULL)
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			  0666);
	size = snprintf(line, sizeof(line), "%lld %lld\n", (long long)begin, (long long)end);
	if (fd < 0 || syscall(SYS_write, fd, line, size) != size)
		abort();
	close(fd);
}

/* Find out what the file contains where a lie keeps data from it. */
static const char *describe_before(const struct io *io)
{
	char *found = malloc(io->length);
	const char *before = "data";
	ssize_t got;

	if (found == NULL)
		abort();
	got = lies_read_file(io->fd, found, io->length, io->offset + (off_t)io->at);
	if (got <= 0)
		before = "end";
	else if ((size_t)got < io->length)
		before = "part";
	else if (lies_is_zero(found, io->length))
		before = "zeros";
	free(found);
	return before;
}

/* Return the lie that is wanted, or NULL. */
static const struct lie *find_lie(void)
{
	const struct lie *lie;
	const char *name;

	if (lies_read_control()) {
		calls = 0;
		has_lied = false;
		first_call_ns = 0;
		refused = 0;
	}
	name = lies_setting("THRONG_TEST_LIE");
	if (name == NULL)
		return NULL;
	for (lie = lies; lie->name != NULL; lie++)
		if (strcmp(lie->name, name) == 0)
			return lie;
	fprintf(stderr, "liar-preload: unknown lie \"%s\"\n", name);
	abort();
}

/* Fill in what the lies must know of a call. Return false if it is not one of
 * theirs. */
static bool describe(struct io *io, int fd, size_t size, off_t offset)
{
	const char *wanted = lies_setting("THRONG_TEST_PATH");
	struct stat facts;
	char link[64];
	ssize_t length;

	io->fd = fd;
	io->size = size;
	io->offset = offset;
	io->data = NULL;
	io->before = "-";
	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
		return false;
	io->device = facts.st_dev;
	io->inode = facts.st_ino;
	io->file_size = facts.st_size;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, io->path, sizeof(io->path) - 1);
	if (length < 0)
		return false;
	io->path[length] = '\0';
	return strstr(io->path, wanted != NULL ? wanted : "/clients/client") != NULL;
}

/* Count a call. Return whether it may be lied about. */
static bool is_due(const struct lie *lie)
{
	calls++;
	return (!has_lied || lie->repeats) && calls >= lies_number("THRONG_TEST_AFTER", 1);
}

static void sleep_until(int64_t ns)
{
	struct timespec until = {.tv_sec = ns / (1000 * NS_PER_MS),
				 .tv_nsec = ns % (1000 * NS_PER_MS)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		continue;
}

/* Make the target stall, or slow. The lock is held meanwhile, so the other
 * threads of a server stall as well, and a slow server serves one call at a
 * time. */
static void wait_before(const struct lie *lie, const struct io *io)
{
	int64_t start = now_ns();
	int64_t length = lies_number("THRONG_TEST_MS", 1000) * NS_PER_MS;

	if (first_call_ns == 0)
		first_call_ns = start;
	if (!is_due(lie) ||
	    start - first_call_ns < lies_number("THRONG_TEST_AFTER_MS", 0) * NS_PER_MS)
		return;
	has_lied = true;
	sleep_until(start + length);
	if (!lie->repeats)
		write_log(lie->name, true, start, now_ns() - start, "-", io->path);
}

/* Lie about data that was read. */
static void lie_about_read(const struct lie *lie, struct io *io, char *data)
{
	if (lie->read == NULL || (!lie->repeats && io->size < MIN_LIE))
		return;
	if (lie->write == NULL && !is_due(lie))
		return;
	io->data = malloc(io->size);
	if (io->data == NULL)
		abort();
	memcpy(io->data, data, io->size);
	if (lie->repeats) {
		lie->read(io);
		memcpy(data, io->data, io->size);
	} else if (lie->read(io)) {
		has_lied = true;
		if (write_log(lie->name, false, io->offset + (off_t)io->at, (int64_t)io->length,
			      "-", io->path))
			memcpy(data, io->data, io->size);
	}
	free(io->data);
}

/* Lie about a write. Return the number of bytes to write. */
static size_t lie_about_write(const struct lie *lie, struct io *io)
{
	if (lie->watch != NULL)
		lie->watch(io);
	if (lie->write == NULL || (!lie->repeats && io->size < MIN_LIE) || !is_due(lie) ||
	    !lie->write(io))
		return io->size;
	has_lied = true;
	io->before = describe_before(io);
	if (!write_log(lie->name, lie->repeats, io->offset + (off_t)io->at, (int64_t)io->length,
		       io->before, io->path))
		return io->size;
	return io->at;
}

/* Describe a call in *io, and wait if the lie says so. Return the lie, or NULL if
 * it does not concern this call. */
static const struct lie *begin_call(struct io *io, int fd, size_t size, off_t offset)
{
	const struct lie *lie = find_lie();

	if (lie == NULL || !describe(io, fd, size, offset))
		return NULL;
	if (lie->waits)
		wait_before(lie, io);
	return lie;
}

static ssize_t lying_read(int fd, void *data, size_t size, off_t offset)
{
	int64_t begin = now_ns();
	const struct lie *lie;
	struct io io;
	ssize_t got;

	pthread_mutex_lock(&mutex);
	lie = begin_call(&io, fd, size, offset);
	if (lie != NULL && lie->halves && size > MIN_LIE) {
		size -= size / 2 / MIN_LIE * MIN_LIE;
		write_log(lie->name, true, offset, (int64_t)size, "-", io.path);
	}
	got = lies_read_file(fd, data, size, offset);
	if (lie != NULL && got > 0) {
		io.size = (size_t)got;
		lie_about_read(lie, &io, data);
	}
	if (lie != NULL)
		log_call(begin);
	pthread_mutex_unlock(&mutex);
	return got;
}

/* Return whether a write is to be refused. */
static bool is_refused(const struct io *io)
{
	bool is = io->inode == refused;

	if (is)
		refused = 0;
	return is;
}

static ssize_t lying_write(int fd, const void *data, size_t size, off_t offset)
{
	int64_t begin = now_ns();
	const struct lie *lie;
	size_t rest = size;
	ssize_t put = 0;
	struct io io;
	bool refuses;

	pthread_mutex_lock(&mutex);
	lie = begin_call(&io, fd, size, offset);
	refuses = lie != NULL && is_refused(&io);
	if (lie != NULL && !refuses) {
		io.data = (char *)(uintptr_t)data;
		rest = lie_about_write(lie, &io);
	}
	if (!refuses && (rest > 0 || size == 0))
		put = write_file(fd, data, rest, offset);
	if (lie != NULL)
		log_call(begin);
	if (lie != NULL && lie->refuses && rest < size) {
		refused = io.inode;
		size = rest;
	}
	pthread_mutex_unlock(&mutex);
	if (refuses) {
		errno = EACCES;
		return -1;
	}
	return put == (ssize_t)rest ? (ssize_t)size : put;
}

/* Call the functions above with a single buffer, for vectors of any length. */
static ssize_t lying_vector(bool write, int fd, const struct iovec *parts, int count, off_t offset)
{
	size_t size = 0, done = 0, part;
	ssize_t moved;
	char *data;
	int i;

	for (i = 0; i < count; i++)
		size += parts[i].iov_len;
	data = malloc(size + 1);
	if (data == NULL)
		abort();
	for (i = 0; write && i < count; done += parts[i++].iov_len)
		memcpy(data + done, parts[i].iov_base, parts[i].iov_len);
	moved = write ? lying_write(fd, data, size, offset) : lying_read(fd, data, size, offset);
	for (i = 0, done = 0; !write && i < count && moved > (ssize_t)done; i++, done += part) {
		part = (size_t)moved - done;
		if (part > parts[i].iov_len)
			part = parts[i].iov_len;
		memcpy(parts[i].iov_base, data + done, part);
	}
	free(data);
	return moved;
}

/* With large files, some platforms call the functions by other names. */
ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
	return lying_read(fd, data, size, offset);
}

ssize_t pread64(int fd, void *data, size_t size, off64_t offset)
{
	return lying_read(fd, data, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	return lying_write(fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	return lying_write(fd, data, size, offset);
}

ssize_t preadv(int fd, const struct iovec *parts, int count, off_t offset)
{
	return lying_vector(false, fd, parts, count, offset);
}

ssize_t preadv64(int fd, const struct iovec *parts, int count, off64_t offset)
{
	return lying_vector(false, fd, parts, count, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
	return lying_vector(true, fd, parts, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset)
{
	return lying_vector(true, fd, parts, count, offset);
}

/* Open a library without RTLD_DEEPBIND, with which the modules of Ganesha would
 * not find the functions above. */
void *dlopen(const char *file, int flags)
{
	void *(*next)(const char *file, int flags);

	*(void **)&next = dlsym(RTLD_NEXT, "dlopen");
	return next(file, flags & ~RTLD_DEEPBIND);
}
