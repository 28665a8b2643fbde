/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/inherited.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	STANDARD = 3,    /* number of standard descriptors */
	HEAD_BYTES = 40, /* room for a process and a time before a call */
};

/* Set the path of a standard descriptor. Return false if it is not of a file
 * below the directory. */
static bool find_path(int fd, const char *root, char path[PATH_MAX])
{
	char link[] = "/proc/self/fd/0";
	size_t bytes = strlen(root);
	struct stat st;
	ssize_t length;

	link[sizeof(link) - 2] = (char)('0' + fd);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink == 0)
		return false;
	length = readlink(link, path, PATH_MAX - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	return strncmp(path, root, bytes) == 0 && (path[bytes] == '/' || bytes == 1);
}

/* Return another standard descriptor of the same open file, or -1. Two opens of a
 * file in the same way are not told apart. */
static int find_same(int fd)
{
	struct stat st, other;
	int earlier;

	for (earlier = 0; earlier < fd; earlier++)
		if (fstat(fd, &st) == 0 && fstat(earlier, &other) == 0 &&
		    st.st_dev == other.st_dev && st.st_ino == other.st_ino &&
		    fcntl(fd, F_GETFL) == fcntl(earlier, F_GETFL))
			return earlier;
	return -1;
}

/* Print a path as strace does. */
static void print_path(const char *path, FILE *stream)
{
	for (; *path != '\0'; path++) {
		unsigned char byte = (unsigned char)*path;

		if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
			fprintf(stream, "\\%03o", byte);
		else
			putc(byte, stream);
	}
}

static void print_open(int fd, const char *path, FILE *stream)
{
	static const char *const accesses[] = {
		[O_RDONLY] = "O_RDONLY",
		[O_WRONLY] = "O_WRONLY",
		[O_RDWR] = "O_RDWR",
		[O_ACCMODE] = "O_RDWR", /* for ioctl() alone */
	};
	int flags = fcntl(fd, F_GETFL);
	off_t position = lseek(fd, 0, SEEK_CUR);

	fprintf(stream, "%*sopenat(AT_FDCWD, \"", HEAD_BYTES, "");
	print_path(path, stream);
	fprintf(stream, "\", %s%s) = %d\n", accesses[flags & O_ACCMODE],
		(flags & O_APPEND) != 0 ? "|O_APPEND" : "", fd);
	if (position > 0)
		fprintf(stream, "%*slseek(%d, %jd, SEEK_SET) = %jd\n", HEAD_BYTES, "", fd,
			(intmax_t)position, (intmax_t)position);
}

long inherited_write(const char *root, FILE *trace)
{
	char path[PATH_MAX];
	int fd, same;

	for (fd = 0; fd < STANDARD; fd++) {
		if (!find_path(fd, root, path))
			continue;
		same = find_same(fd);
		if (same >= 0)
			fprintf(trace, "%*sdup2(%d, %d) = %d\n", HEAD_BYTES, "", same, fd, fd);
		else
			print_open(fd, path, trace);
	}
	return fflush(trace) == 0 && !ferror(trace) ? ftell(trace) : -errno;
}

void inherited_assign(FILE *trace, long bytes)
{
	char first[HEAD_BYTES + 1], line[PATH_MAX * 4 + HEAD_BYTES * 2];
	long at = 0;
	size_t length;

	/* The line begins with the process, blanks, the time and a blank. */
	if (fseek(trace, bytes, SEEK_SET) != 0 || fgets(first, sizeof(first), trace) == NULL)
		first[0] = '\0';
	length = strspn(first, "0123456789");
	length += strspn(first + length, " ");
	length += strspn(first + length, "0123456789.");
	while (at < bytes && fseek(trace, at, SEEK_SET) == 0 &&
	       fgets(line, sizeof(line), trace) != NULL) {
		size_t next = strlen(line);

		fseek(trace, at, SEEK_SET);
		fwrite(first, 1, length, trace);
		at += (long)next;
	}
	rewind(trace);
}
