/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lies.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	MAX_BLOCK = 4096,       /* bytes of an exchanged block */
	MAX_KEPT = 64,          /* overwritten ranges that "stale" can return */
	MAX_KEPT_BYTES = 65536, /* bytes of such a range */
};

static uint64_t draw_state; /* 0: not yet seeded */

/* Ranges before they were overwritten. */
static struct kept {
	dev_t device;
	ino_t inode;
	off_t offset;
	size_t size;
	char data[MAX_KEPT_BYTES];
} kept[MAX_KEPT];
static size_t kept_count;

/* The contents of the file THRONG_TEST_CONTROL: lines, each ended by a NUL. */
static char control[2 * PATH_MAX];

const char *lies_setting(const char *variable)
{
	size_t length = strlen(variable);
	const char *line;

	for (line = control; *line != '\0'; line += strlen(line) + 1)
		if (strncmp(line, variable, length) == 0 && line[length] == '=')
			return line + length + 1;
	return getenv(variable);
}

int64_t lies_number(const char *variable, int64_t otherwise)
{
	const char *value = lies_setting(variable);

	return value != NULL ? atoll(value) : otherwise;
}

bool lies_read_control(void)
{
	const char *file = getenv("THRONG_TEST_CONTROL");
	char text[sizeof(control)] = {0}, *end;
	int fd;

	if (file == NULL)
		return false;
	fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		/* Two NULs remain at the end. */
		if (syscall(SYS_read, fd, text, sizeof(text) - 2) < 0)
			abort();
		close(fd);
	}
	for (end = text; (end = strchr(end, '\n')) != NULL; end++)
		*end = '\0';
	if (memcmp(text, control, sizeof(text)) == 0)
		return false;
	memcpy(control, text, sizeof(text));
	draw_state = 0;
	kept_count = 0;
	memset(kept, 0, sizeof(kept));
	return true;
}

ssize_t lies_read_file(int fd, void *data, size_t size, off_t offset)
{
	return syscall(SYS_pread64, fd, data, size, offset);
}

bool lies_is_zero(const char *data, size_t size)
{
	return size == 0 || (data[0] == 0 && memcmp(data, data + 1, size - 1) == 0);
}

/* Return a number from 0 to count - 1. */
static size_t draw(size_t count)
{
	uint64_t state = draw_state;

	if (state == 0)
		state = 1 + (uint64_t)lies_number("THRONG_TEST_SEED",
						  lies_number("THRONG_TEST_AFTER", 1));
	state = state * 6364136223846793005 + 1442695040888963407;
	draw_state = state;
	return (size_t)((state >> 33) % count);
}

/* Choose whole blocks of MIN_LIE bytes of the data. */
static void choose_blocks(struct io *io)
{
	size_t blocks = io->size / MIN_LIE;

	io->at = draw(blocks) * MIN_LIE;
	io->length = (1 + draw(blocks - io->at / MIN_LIE)) * MIN_LIE;
}

/* Replace the chosen blocks. Return false if that changes nothing. */
static bool replace(struct io *io, const char *data)
{
	if (memcmp(io->data + io->at, data, io->length) == 0)
		return false;
	memcpy(io->data + io->at, data, io->length);
	return true;
}

/* Replace the chosen blocks by data of another file or offset. */
static bool replace_from(struct io *io, int fd, off_t offset)
{
	char *data = malloc(io->length);
	bool done;

	if (data == NULL)
		abort();
	done = offset >= 0 && lies_read_file(fd, data, io->length, offset) == (ssize_t)io->length &&
	       !lies_is_zero(data, io->length) && replace(io, data);
	free(data);
	return done;
}

static bool flip_bit(struct io *io)
{
	io->at = draw(io->size);
	io->length = 1;
	io->data[io->at] ^= (char)(1 << draw(8));
	return true;
}

static bool put_zeros(struct io *io)
{
	choose_blocks(io);
	if (lies_is_zero(io->data + io->at, io->length))
		return false;
	memset(io->data + io->at, 0, io->length);
	return true;
}

/* Exchange two blocks of the data. */
static bool exchange(struct io *io)
{
	char block[MAX_BLOCK];
	size_t size = io->size >= 2 * MAX_BLOCK ? MAX_BLOCK : MIN_LIE;
	size_t blocks = io->size / size, first, second;

	if (blocks < 2)
		return false;
	first = draw(blocks - 1);
	second = first + 1 + draw(blocks - first - 1);
	io->at = first * size;
	io->length = size;
	memcpy(block, io->data + second * size, size);
	if (lies_is_zero(block, size) || lies_is_zero(io->data + io->at, size))
		return false;
	memcpy(io->data + second * size, io->data + io->at, size);
	return replace(io, block);
}

/* Return what is at another offset of the file. */
static bool misplace(struct io *io)
{
	off_t at;

	choose_blocks(io);
	at = io->offset + (off_t)io->at;
	return replace_from(io, io->fd, at + (off_t)io->size) ||
	       replace_from(io, io->fd, at - (off_t)io->size);
}

/* Return what is in the file of the same name of another user. */
static bool put_other_user(struct io *io)
{
	static const char parent[] = "/clients/client";
	char other[PATH_MAX + 32], *rest, *found = strstr(io->path, parent);
	bool done;
	long user;
	int fd;

	if (found == NULL)
		return false;
	user = strtol(found + strlen(parent), &rest, 10);
	snprintf(other, sizeof(other), "%.*s%s%ld%s", (int)(found - io->path), io->path, parent,
		 user ^ 1, rest);
	fd = (int)syscall(SYS_openat, AT_FDCWD, other, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	choose_blocks(io);
	done = replace_from(io, fd, io->offset + (off_t)io->at);
	close(fd);
	return done;
}

/* Keep what a write overwrites. */
static void keep_old(const struct io *io)
{
	struct kept *old = &kept[kept_count % MAX_KEPT];

	old->size = 0;
	if (io->size > sizeof(old->data) ||
	    lies_read_file(io->fd, old->data, io->size, io->offset) != (ssize_t)io->size ||
	    lies_is_zero(old->data, io->size))
		return;
	old->device = io->device;
	old->inode = io->inode;
	old->offset = io->offset;
	old->size = io->size;
	kept_count++;
}

/* Return what was there before the last overwrite. */
static bool put_old(struct io *io)
{
	off_t start, end;
	size_t i;

	for (i = 0; i < MAX_KEPT; i++) {
		struct kept *old = &kept[(kept_count + i) % MAX_KEPT];

		if (old->size == 0 || old->device != io->device || old->inode != io->inode)
			continue;
		start = old->offset > io->offset ? old->offset : io->offset;
		end = old->offset + (off_t)old->size;
		if (end > io->offset + (off_t)io->size)
			end = io->offset + (off_t)io->size;
		if (end - start < MIN_LIE)
			continue;
		io->at = (size_t)(start - io->offset);
		io->length = (size_t)(end - start);
		if (replace(io, old->data + (start - old->offset)))
			return true;
	}
	return false;
}

static bool drop(struct io *io)
{
	io->at = 0;
	io->length = io->size;
	return true;
}

static bool drop_half(struct io *io)
{
	io->at = io->size / 2;
	io->length = io->size - io->at;
	return io->length >= MIN_LIE;
}

/* Data that was never written to the files, in the order of the writes. */
struct held {
	struct held *next;
	dev_t device;
	ino_t inode;
	off_t offset;
	size_t size;
	char data[];
};
static struct held *first_held, **next_held = &first_held;

/* Keep the data in memory only, so that it is lost when the server is killed.
 * The file gets its length. */
static bool hold(struct io *io)
{
	struct held *held = malloc(sizeof(*held) + io->size);
	off_t end = io->offset + (off_t)io->size;

	if (held == NULL)
		abort();
	held->next = NULL;
	held->device = io->device;
	held->inode = io->inode;
	held->offset = io->offset;
	held->size = io->size;
	memcpy(held->data, io->data, io->size);
	*next_held = held;
	next_held = &held->next;
	if (end > io->file_size && syscall(SYS_ftruncate, io->fd, end) != 0)
		abort();
	return drop(io);
}

/* Complete what was read by the data that is held in memory. */
static bool add_held(struct io *io)
{
	const struct held *held;
	off_t start, end;

	for (held = first_held; held != NULL; held = held->next) {
		if (held->device != io->device || held->inode != io->inode)
			continue;
		start = held->offset > io->offset ? held->offset : io->offset;
		end = held->offset + (off_t)held->size;
		if (end > io->offset + (off_t)io->size)
			end = io->offset + (off_t)io->size;
		if (start < end)
			memcpy(io->data + (start - io->offset), held->data + (start - held->offset),
			       (size_t)(end - start));
	}
	return false;
}

const struct lie lies[] = {
	{.name = "bit", .read = flip_bit},
	{.name = "zeros", .read = put_zeros},
	{.name = "stale", .read = put_old, .watch = keep_old},
	{.name = "exchanged", .read = exchange},
	{.name = "misplaced", .read = misplace},
	{.name = "other-user", .read = put_other_user},
	{.name = "dropped", .write = drop},
	{.name = "short", .write = drop_half},
	{.name = "short-reads", .repeats = true, .halves = true},
	{.name = "refused", .refuses = true, .write = drop_half},
	{.name = "lost", .repeats = true, .read = add_held, .write = hold},
	{.name = "stall", .waits = true},
	{.name = "slow", .waits = true, .repeats = true},
	{.name = NULL},
};
