/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that makes a local target ignore the case of letters,
 * as vfat or a directory of ext4 with casefold: of ASCII letters, and of Latin
 * ones in UTF-8 up to U+00DE. It concerns names relative to an open directory.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Write the name in lower case to `folded`. Return the name to use. */
static const char *fold(int directory, const char *name, char folded[PATH_MAX])
{
	size_t i;

	if (directory == AT_FDCWD || name[0] == '/')
		return name;
	for (i = 0; name[i] != '\0' && i + 1 < PATH_MAX; i++) {
		unsigned char c = (unsigned char)name[i];
		bool latin = i > 0 && (unsigned char)name[i - 1] == 0xc3 && c >= 0x80 &&
			     c <= 0x9e && c != 0x97;

		folded[i] = (char)((c >= 'A' && c <= 'Z') || latin ? c + 0x20 : c);
	}
	folded[i] = '\0';
	return folded;
}

int openat(int directory, const char *name, int flags, ...)
{
	char folded[PATH_MAX];
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return (int)syscall(SYS_openat, directory, fold(directory, name, folded),
			    flags | O_LARGEFILE, mode);
}

int openat64(int directory, const char *name, int flags, ...) __attribute__((alias("openat")));

int unlinkat(int directory, const char *name, int flags)
{
	char folded[PATH_MAX];

	return (int)syscall(SYS_unlinkat, directory, fold(directory, name, folded), flags);
}

int mkdirat(int directory, const char *name, mode_t mode)
{
	char folded[PATH_MAX];

	return (int)syscall(SYS_mkdirat, directory, fold(directory, name, folded), mode);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
	char folded[2][PATH_MAX];

	return (int)syscall(SYS_renameat2, from, fold(from, old, folded[0]), to,
			    fold(to, new, folded[1]), flags);
}

int renameat(int from, const char *old, int to, const char *new)
{
	return renameat2(from, old, to, new, 0);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
	char folded[2][PATH_MAX];

	return (int)syscall(SYS_linkat, from, fold(from, old, folded[0]), to,
			    fold(to, new, folded[1]), flags);
}

int fstatat(int directory, const char *name, struct stat *found, int flags)
{
	int (*next)(int directory, const char *name, struct stat *found, int flags);
	char folded[PATH_MAX];

	*(void **)&next = dlsym(RTLD_NEXT, "fstatat");
	return next(directory, fold(directory, name, folded), found, flags);
}

int fstatat64(int directory, const char *name, struct stat64 *found, int flags)
	__attribute__((alias("fstatat")));
