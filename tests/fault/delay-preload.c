/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that makes a local target as slow as a file server: each
 * system call of a replay on a file or a name takes THRONG_TEST_DELAY_US
 * microseconds longer or, with THRONG_TEST_DELAY_SEED, every other call a random
 * time up to that. Random delays put the operations of several threads into another
 * order with each seed.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t delay_ns, seed;
static uint64_t threads; /* those that have drawn a delay */
static __thread uint64_t drawn;

__attribute__((constructor)) static void begin(void)
{
	const char *us = getenv("THRONG_TEST_DELAY_US");
	const char *random = getenv("THRONG_TEST_DELAY_SEED");

	delay_ns = us != NULL ? strtoull(us, NULL, 10) * 1000 : 0;
	seed = random != NULL ? strtoull(random, NULL, 10) + 1 : 0;
}

static void delay(void)
{
	uint64_t ns = delay_ns;
	struct timespec pause;

	if (seed != 0) {
		if (drawn == 0)
			drawn = seed * UINT64_C(0x9e3779b97f4a7c15) +
				__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
		drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		ns = drawn >> 63 != 0 ? (drawn >> 32) % (delay_ns + 1) : 0;
	}
	pause = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	if (ns > 0)
		nanosleep(&pause, NULL);
}

/* Define a function that delays the true one. */
#define DELAY(type, name, parameters, arguments) \
	type name parameters; \
	type name parameters \
	{ \
		static type(*true_##name) parameters; \
\
		if (true_##name == NULL) \
			true_##name = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
		delay(); \
		return true_##name arguments; \
	}

/* clang-format off */
DELAY(int, close, (int fd), (fd))
DELAY(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
DELAY(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
DELAY(ssize_t, pwrite, (int fd, const void *of, size_t size, off_t at), (fd, of, size, at))
DELAY(ssize_t, pwrite64, (int fd, const void *of, size_t size, off64_t at), (fd, of, size, at))
DELAY(int, fsync, (int fd), (fd))
DELAY(int, fdatasync, (int fd), (fd))
DELAY(int, ftruncate, (int fd, off_t size), (fd, size))
DELAY(int, ftruncate64, (int fd, off64_t size), (fd, size))
DELAY(int, fallocate, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size))
DELAY(int, fallocate64, (int fd, int mode, off64_t at, off64_t size), (fd, mode, at, size))
DELAY(int, sync_file_range, (int fd, off64_t at, off64_t size, unsigned flags),
      (fd, at, size, flags))
DELAY(int, futimens, (int fd, const struct timespec times[2]), (fd, times))
DELAY(int, fstat, (int fd, struct stat *to), (fd, to))
DELAY(int, fstat64, (int fd, struct stat64 *to), (fd, to))
DELAY(int, fstatat, (int fd, const char *path, struct stat *to, int flags),
      (fd, path, to, flags))
DELAY(int, fstatat64, (int fd, const char *path, struct stat64 *to, int flags),
      (fd, path, to, flags))
DELAY(int, faccessat, (int fd, const char *path, int mode, int flags), (fd, path, mode, flags))
DELAY(int, fchmodat, (int fd, const char *path, mode_t mode, int flags), (fd, path, mode, flags))
DELAY(int, utimensat, (int fd, const char *path, const struct timespec times[2], int flags),
      (fd, path, times, flags))
DELAY(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode))
DELAY(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
DELAY(int, renameat, (int fd, const char *path, int to, const char *name), (fd, path, to, name))
DELAY(int, renameat2, (int fd, const char *path, int to, const char *name, unsigned flags),
      (fd, path, to, name, flags))
DELAY(int, linkat, (int fd, const char *path, int to, const char *name, int flags),
      (fd, path, to, name, flags))
DELAY(int, symlinkat, (const char *path, int to, const char *name), (path, to, name))
DELAY(ssize_t, readlinkat, (int fd, const char *path, char *to, size_t size),
      (fd, path, to, size))
DELAY(ssize_t, getdents64, (int fd, void *to, size_t size), (fd, to, size))
/* clang-format on */

/* Define an openat, whose last argument may be absent. */
#define DELAY_OPEN(name) \
	int name(int fd, const char *path, int flags, ...) \
	{ \
		static int (*true_##name)(int, const char *, int, ...); \
		mode_t mode = 0; \
		va_list list; \
\
		if (true_##name == NULL) \
			true_##name = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, \
										  #name); \
		if ((flags & O_CREAT) != 0) { \
			va_start(list, flags); \
			mode = va_arg(list, mode_t); \
			va_end(list); \
		} \
		/* A directory is opened only to find what is in it. */ \
		if ((flags & O_PATH) == 0) \
			delay(); \
		return true_##name(fd, path, flags, mode); \
	}

DELAY_OPEN(openat)
DELAY_OPEN(openat64)
