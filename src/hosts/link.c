/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/link.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Max bytes that are kept for a peer that does not read, and that are skipped
 * before the first message. */
enum { UNSENT_MAX = 4 * MESSAGE_BYTES_MAX, NOISE_MAX = 1 << 20 };

/* Max length of the first line of a message, and of a read. */
enum { LINE_MAX_BYTES = 160, CHUNK = 1 << 16 };

#define MESSAGES_NAME(name) #name,
static const char *const names[] = {MESSAGES(MESSAGES_NAME)};

static void set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

void link_open(struct link *link, int in_fd, int out_fd)
{
	*link = (struct link){.in_fd = in_fd, .out_fd = out_fd};
	set_nonblocking(in_fd);
	set_nonblocking(out_fd);
}

void link_close(struct link *link)
{
	if (link->in_fd >= 0)
		close(link->in_fd);
	if (link->out_fd >= 0 && link->out_fd != link->in_fd)
		close(link->out_fd);
	free(link->received);
	free(link->unsent);
	*link = (struct link){.in_fd = -1, .out_fd = -1};
}

/* Keep bytes to send them. */
static int keep(struct link *link, const void *bytes, size_t count)
{
	if (count == 0)
		return 0;
	if (array_grow(&link->unsent, &link->unsent_room, link->unsent_bytes + count, 1) < 0)
		return -ENOMEM;
	memcpy(link->unsent + link->unsent_bytes, bytes, count);
	link->unsent_bytes += count;
	return 0;
}

int link_flush(struct link *link)
{
	while (link->sent < link->unsent_bytes) {
		ssize_t rc = write(link->out_fd, link->unsent + link->sent,
				   link->unsent_bytes - link->sent);

		if (rc < 0 && errno == EAGAIN)
			return 1;
		if (rc < 0 && errno != EINTR)
			return -errno;
		link->sent += rc > 0 ? (size_t)rc : 0;
	}
	link->sent = link->unsent_bytes = 0;
	return 0;
}

int link_send(struct link *link, const struct message *message)
{
	char line[LINE_MAX_BYTES];
	int length, rc;

	if (link->unsent_bytes - link->sent > UNSENT_MAX)
		return -ENOBUFS;
	if (message->bytes > MESSAGE_BYTES_MAX)
		return -EMSGSIZE;
	length = snprintf(line, sizeof(line),
			  "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n",
			  names[message->type], message->numbers[0], message->numbers[1],
			  message->numbers[2], message->numbers[3], message->bytes);
	rc = keep(link, line, (size_t)length);
	if (rc == 0)
		rc = keep(link, message->payload, message->bytes);
	if (rc == 0)
		rc = keep(link, "\n", 1);
	if (rc == 0)
		rc = link_flush(link);
	return rc < 0 ? rc : 0;
}

int link_fill(struct link *link)
{
	ssize_t rc;

	if (link->taken > 0) {
		link->have -= link->taken;
		memmove(link->received, link->received + link->taken, link->have);
		link->taken = 0;
	}
	do {
		/* One more, for the NUL after a payload. */
		if (array_grow(&link->received, &link->received_room, link->have + CHUNK + 1, 1) <
		    0)
			return -ENOMEM;
		rc = read(link->in_fd, link->received + link->have, CHUNK);
		if (rc == 0)
			return -EPIPE;
		if (rc > 0)
			link->have += (size_t)rc;
	} while (rc > 0 && link->have < 2 * MESSAGE_BYTES_MAX);
	return rc < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
}

/* Read a number of a message's line, and the character after it. */
static bool read_number(const char **at, char after, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*number = strtoull(*at, &end, 10);
	*at = end + 1;
	return errno == 0 && *end == after;
}

/* Read the line of a message, which ends with a newline. Return its length, or 0 if
 * it is none. */
static size_t read_line(const char *line, struct message *message)
{
	const char *at = line;
	uint64_t bytes;
	unsigned i;

	*message = (struct message){.type = MESSAGE_HELLO};
	while (message->type < MESSAGE_TYPES) {
		size_t length = strlen(names[message->type]);

		if (strncmp(at, names[message->type], length) == 0 && at[length] == ' ')
			break;
		message->type++;
	}
	if (message->type == MESSAGE_TYPES)
		return 0;
	at += strlen(names[message->type]) + 1;
	for (i = 0; i < MESSAGE_NUMBERS; i++)
		if (!read_number(&at, ' ', &message->numbers[i]))
			return 0;
	if (!read_number(&at, '\n', &bytes) || bytes > MESSAGE_BYTES_MAX)
		return 0;
	message->bytes = bytes;
	return (size_t)(at - line);
}

/* Skip the lines before the first message. Return whether it is there. */
static bool skip_noise(struct link *link)
{
	struct message message;
	const char *end;

	while (!link->greeted) {
		const char *begin = link->received + link->taken;
		size_t left = link->have - link->taken;

		end = left > 0 ? memchr(begin, '\n', left) : NULL;
		if (end == NULL)
			return false;
		link->greeted = read_line(begin, &message) > 0 && message.type == MESSAGE_HELLO;
		if (!link->greeted)
			link->taken += (size_t)(end - begin) + 1;
	}
	return true;
}

int link_next(struct link *link, struct message *message)
{
	size_t left, length;
	char *begin;

	if (link->received == NULL)
		return 0;
	link->received[link->have] = '\0';
	if (!skip_noise(link))
		return link->have - link->taken > NOISE_MAX ? -EPROTO : 0;
	begin = link->received + link->taken;
	left = link->have - link->taken;
	if (memchr(begin, '\n', left < LINE_MAX_BYTES ? left : LINE_MAX_BYTES) == NULL)
		return left < LINE_MAX_BYTES ? 0 : -EPROTO;
	length = read_line(begin, message);
	if (length == 0)
		return -EPROTO;
	if (left <= length + message->bytes)
		return 0;
	if (begin[length + message->bytes] != '\n')
		return -EPROTO;
	begin[length + message->bytes] = '\0';
	message->payload = begin + length;
	link->taken += length + message->bytes + 1;
	return 1;
}
