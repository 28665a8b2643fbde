/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/page_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* Number of bytes to write to disk, and to look for in the page cache,
	 * in one step. */
	STEP_BYTES = 64 << 20,
	PAGE_BYTES_MIN = 4096,
	/* A page that was used just now by another processor is not dropped at
	 * once. */
	TRIES = 3,
};

/* Check if any page of a part of a file is in the page cache. */
static bool is_cached(int fd, off_t offset, size_t bytes)
{
	static unsigned char pages[STEP_BYTES / PAGE_BYTES_MIN];
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t count = (bytes + page_bytes - 1) / page_bytes, i;
	void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, offset);
	bool found = false;

	if (memory == MAP_FAILED)
		return false;
	if (mincore(memory, bytes, pages) == 0)
		for (i = 0; i < count; i++)
			found |= (pages[i] & 1) != 0;
	munmap(memory, bytes);
	return found;
}

/* Can the kernel tell us which pages of the file are cached? It reports all
 * pages of files that are neither ours nor writable. */
static bool can_look(int parent, const char *name, const struct stat *file)
{
	return file->st_uid == geteuid() || faccessat(parent, name, W_OK, AT_EACCESS) == 0;
}

static off_t step_at(off_t offset, off_t size)
{
	return size - offset < STEP_BYTES ? size - offset : STEP_BYTES;
}

/* Write a file to disk in steps, as a single fdatasync may take minutes. */
static int flush(int fd, off_t size, uint64_t *steps)
{
	off_t offset;

	for (offset = 0; offset < size; offset += STEP_BYTES) {
		sync_file_range(fd, offset, step_at(offset, size),
				SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					SYNC_FILE_RANGE_WAIT_AFTER);
		++*steps;
	}
	return fdatasync(fd) < 0 ? -errno : 0;
}

static int drop_pages(int fd, off_t size, bool looks, uint64_t *steps)
{
	int rc = flush(fd, size, steps);
	off_t offset;

	if (rc == 0)
		rc = -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	for (offset = 0; looks && rc == 0 && offset < size; offset += STEP_BYTES)
		if (is_cached(fd, offset, (size_t)step_at(offset, size)))
			rc = -EBUSY;
	++*steps;
	return rc;
}

static int drop_file(int parent, const char *name, const struct stat *file, uint64_t *steps)
{
	int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool looks = can_look(parent, name, file);
	int rc = -EBUSY, i;

	if (fd < 0)
		return -errno;
	for (i = 0; i < TRIES && rc == -EBUSY; i++)
		rc = drop_pages(fd, file->st_size, looks, steps);
	close(fd);
	return rc;
}

static int drop_at(int parent, const char *name, dev_t device, uint64_t *steps);

/* Drop the files below an open directory, and close it. */
static int drop_entries(int fd, dev_t device, uint64_t *steps)
{
	DIR *directory = fdopendir(fd);
	const struct dirent *entry;
	int rc = 0;

	if (directory == NULL) {
		rc = -errno;
		close(fd);
		return rc;
	}
	while (rc == 0) {
		errno = 0;
		/* cppcheck-suppress readdirCalled ; a user has one thread */
		entry = readdir(directory);
		if (entry == NULL) {
			rc = -errno;
			break;
		}
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		rc = drop_at(fd, entry->d_name, device, steps);
		if (rc == -ENOENT)
			rc = 0;
	}
	closedir(directory);
	return rc;
}

/* Drop a file or a directory on this device (0: on any). */
static int drop_at(int parent, const char *name, dev_t device, uint64_t *steps)
{
	struct stat found;
	int fd;

	if (fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (device != 0 && found.st_dev != device)
		return 0;
	if (S_ISREG(found.st_mode))
		return drop_file(parent, name, &found, steps);
	if (!S_ISDIR(found.st_mode))
		return 0;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return drop_entries(fd, found.st_dev, steps);
}

int posix_cache_drop(int parent, const char *name, uint64_t *steps)
{
	return drop_at(parent, name, 0, steps);
}
