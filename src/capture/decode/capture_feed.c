/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/capture_feed.h"

#include "base/process.h"
#include "capture/decode/capture_ports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A request to CLOSE a file (MS-SMB2 2.2.1.2, 2.2.15). */
enum {
	COMMAND_AT = 12,
	FLAGS_AT = 16,
	FILE_ID_AT = 72,
	CLOSE_BYTES = 88,
	CLOSE = 6,
	IS_REPLY = 1 << 0,
	IS_RELATED = 1 << 2,
};

enum { BUFFER_BYTES = 256 << 10 };

bool capture_is_plain(int capture)
{
	static const uint32_t magics[] = {
		0xa1b2c3d4, 0xd4c3b2a1, /* pcap, of either byte order */
		0xa1b23c4d, 0x4d3cb2a1, /* with nanoseconds */
		0x0a0d0d0a,             /* pcapng */
	};
	uint32_t magic;
	size_t i;

	if (pread(capture, &magic, sizeof(magic), 0) != sizeof(magic))
		return false;
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magic == magics[i])
			return true;
	return false;
}

/* Number the related CLOSEs in the bytes. Packet boundaries do not matter: the
 * bytes that are replaced belong to no header of a packet. */
static void alter(unsigned char *bytes, size_t length, uint32_t *count)
{
	static const unsigned char header[] = {0xfe, 'S', 'M', 'B', 64, 0};
	unsigned char inherited[16], *at, *end = bytes + length;

	memset(inherited, 0xff, sizeof(inherited));
	for (at = bytes; (at = memmem(at, (size_t)(end - at), header, sizeof(header))) != NULL &&
			 end - at >= CLOSE_BYTES;
	     at += sizeof(header))
		if (at[COMMAND_AT] == CLOSE && at[COMMAND_AT + 1] == 0 &&
		    (at[FLAGS_AT] & (IS_REPLY | IS_RELATED)) == IS_RELATED &&
		    memcmp(at + FILE_ID_AT, inherited, sizeof(inherited)) == 0) {
			memcpy(at + FILE_ID_AT, count, sizeof(*count));
			++*count;
		}
}

static bool write_all(int output, const unsigned char *bytes, size_t length)
{
	ssize_t written;

	for (; length > 0; bytes += written, length -= (size_t)written) {
		written = write(output, bytes, length);
		if (written < 0)
			return false;
	}
	return true;
}

/* Copy the capture. Return whether it could be read. If tshark ends, the pipe
 * ends this process. */
static bool copy(int capture, uint16_t port, int output)
{
	static unsigned char buffer[BUFFER_BYTES];
	static struct capture_ports ports;
	uint32_t count = 0;
	size_t length = 0, ready = 0; /* ready: their ports have been altered */
	ssize_t got;

	if (port != 0)
		capture_ports_add(&ports, port);
	while ((got = read(capture, buffer + length, sizeof(buffer) - length)) > 0) {
		size_t done;

		length += (size_t)got;
		ready += capture_ports_alter(&ports, buffer + ready, length - ready, false);
		alter(buffer, ready, &count);
		/* The rest may be the beginning of a request. */
		done = ready < CLOSE_BYTES ? 0 : ready - CLOSE_BYTES + 1;
		if (!write_all(output, buffer, done))
			return false;
		length -= done;
		ready -= done;
		memmove(buffer, buffer + done, length);
	}
	capture_ports_alter(&ports, buffer + ready, length - ready, true);
	alter(buffer, length, &count);
	return got == 0 && write_all(output, buffer, length);
}

int capture_feed(int capture, uint16_t port, pid_t *feeder)
{
	int ends[2], rc;

	*feeder = -1;
	if (lseek(capture, 0, SEEK_SET) < 0)
		return -errno;
	if (!capture_is_plain(capture)) {
		rc = fcntl(capture, F_DUPFD_CLOEXEC, 0);
		return rc < 0 ? -errno : rc;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	rc = *feeder = process_fork();
	if (rc == 0) {
		close(ends[0]);
		process_default_signals();
		_exit(copy(capture, port, ends[1]) ? 0 : 1);
	}
	close(ends[1]);
	if (rc > 0)
		return ends[0];
	close(ends[0]);
	return rc;
}

int capture_feed_finish(pid_t feeder)
{
	int status = 0;

	if (feeder > 0)
		waitpid(feeder, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? -EIO : 0;
}
