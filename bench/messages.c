/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that records the SMB2 messages of the built-in SMB
 * client for bench/bare-packets: each process writes the file
 * THRONG_MESSAGES.PID. For each message that it sends, the file has a struct
 * bare_record with `data_bytes` set, and the message without the data that
 * follows its last request. For each call that receives bytes, it has a record
 * and these bytes. The messages must be neither signed nor encrypted.
 */
#define _GNU_SOURCE
#include "messages.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t (*true_sendmsg)(int, const struct msghdr *, int);
static ssize_t (*true_readv)(int, const struct iovec *, int);
static pid_t owner; /* of `out` */
static int out = -1;

__attribute__((constructor)) static void find(void)
{
	true_sendmsg = dlsym(RTLD_NEXT, "sendmsg");
	true_readv = dlsym(RTLD_NEXT, "readv");
}

static void put(const void *data, size_t bytes)
{
	if (write(out, data, bytes) != (ssize_t)bytes)
		abort();
}

/* Make sure that `out` is this process' own file. */
static void open_out(void)
{
	const char *prefix = getenv("THRONG_MESSAGES");
	char path[4096];

	if (owner == getpid())
		return;
	if (out >= 0)
		close(out);
	snprintf(path, sizeof(path), "%s.%d", prefix, (int)getpid());
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out < 0)
		abort();
	owner = getpid();
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	struct bare_record record = {.sent = 1};
	const struct iovec *head = message->msg_iov;

	if (head->iov_len > 8 && memcmp((const char *)head->iov_base + 4, "\xfeSMB", 4) == 0) {
		open_out();
		record.bytes = (uint32_t)head->iov_len;
		if (message->msg_iovlen > 1)
			record.data_bytes = (uint32_t)head[1].iov_len;
		put(&record, sizeof(record));
		put(head->iov_base, head->iov_len);
	}
	return true_sendmsg(fd, message, flags);
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
	ssize_t got = true_readv(fd, parts, count);
	struct bare_record record = {.sent = 0};
	size_t left;

	if (got <= 0 || owner != getpid())
		return got;
	record.bytes = (uint32_t)got;
	put(&record, sizeof(record));
	for (left = record.bytes; left > 0; parts++) {
		size_t bytes = parts->iov_len < left ? parts->iov_len : left;

		put(parts->iov_base, bytes);
		left -= bytes;
	}
	return got;
}
