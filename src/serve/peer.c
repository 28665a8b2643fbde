/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/peer.h"

#include "base/random.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

void peer_prepare(struct peer *peer)
{
	struct random random;

	random_start(&random, 0, UINT64_MAX);
	random_fill(&random, peer->reply, sizeof(peer->reply));
}

static int send_reply(struct peer *peer, int fd, uint32_t bytes,
		      const char **why)
{
	uint32_t sent = 0;

	packet_put_reply(peer->reply, bytes);
	while (sent < bytes) {
		ssize_t part = send(fd, peer->reply + sent, bytes - sent,
				    MSG_NOSIGNAL);

		/* By having been stopped and continued. */
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0) {
			*why = errno == EAGAIN ? "it reads no replies"
					       : strerror(errno);
			return -errno;
		}
		sent += (uint32_t)part;
	}
	return 0;
}

/* Answers what is complete in the bytes that have come. */
static int take(struct peer *peer, int fd, struct packet_reader *reader,
		size_t size, const char **why)
{
	size_t at = 0, taken;

	while (at < size) {
		int rc = packet_read(reader, peer->received + at, size - at,
				     &taken);

		at += taken;
		if (rc < 0)
			*why = "it does not speak tbench's protocol";
		if (rc > 0) {
			rc = send_reply(peer, fd, reader->reply_bytes, why);
			*reader = (struct packet_reader){0};
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Of a request whose head is known the rest is thrown away uncopied. */
static ssize_t receive(struct peer *peer, int fd,
		       const struct packet_reader *reader)
{
	if (reader->left_bytes == 0)
		return recv(fd, peer->received, sizeof(peer->received), 0);
	/* cppcheck-suppress nullPointer ; nothing is written there */
	return recv(fd, NULL, reader->left_bytes, MSG_WAITALL | MSG_TRUNC);
}

int peer_answer(struct peer *peer, int fd, const char **why)
{
	struct packet_reader reader = {0};

	for (;;) {
		ssize_t part = receive(peer, fd, &reader);
		bool between = reader.head_bytes == 0;
		int rc;

		if (part > 0) {
			rc = take(peer, fd, &reader, (size_t)part, why);
			if (rc < 0)
				return rc;
		} else if (between && (part == 0 || errno == ECONNRESET)) {
			return 0;
		} else if (part == 0) {
			*why = "it hangs up in the middle of a request";
			return -ECONNRESET;
		} else if (errno != EINTR && (!between || errno != EAGAIN)) {
			*why = errno == EAGAIN ? "it sends half a request"
					       : strerror(errno);
			return -errno;
		}
	}
}
