/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/relay.h"

#include "base/array.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* After traffic, look for more without a pause for the time that a round trip takes, so
 * that clocks are compared well; and each millisecond for the time that an answer takes. */
#define SPIN_NS (2 * NS_PER_MS)
#define AWAKE_NS (100 * NS_PER_MS)
enum { AWAKE_MS = 1, IDLE_MS = 10 };

/* Max bytes that are kept for a process that does not read. */
enum { UNWRITTEN_MAX = 64 << 20 };

int relay_add(struct relay *relay, unsigned rank, int fd)
{
	struct relayed link = {.rank = rank, .fd = fd, .unsent = malloc(MPI_BYTES)};

	if (link.unsent == NULL ||
	    array_append(&relay->list, &relay->count, &link, sizeof(link)) < 0) {
		free(link.unsent);
		close(fd);
		return -ENOMEM;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return 0;
}

/* Pass on what the descriptor gives. Return whether there was something. */
static bool pass_to_rank(struct relay *relay, struct relayed *link)
{
	bool busy = false;

	if (link->unsent_bytes == 0 && !link->read_end) {
		ssize_t rc = read(link->fd, link->unsent, MPI_BYTES);

		link->read_end = rc == 0 || (rc < 0 && errno != EAGAIN && errno != EINTR);
		link->unsent_bytes = rc > 0 ? (size_t)rc : 0;
	}
	if (link->unsent_bytes > 0 &&
	    relay->mpi->send(link->rank, link->unsent, link->unsent_bytes) > 0) {
		link->unsent_bytes = 0;
		busy = true;
	}
	if (link->read_end && !link->sent_end && link->unsent_bytes == 0)
		link->sent_end = relay->mpi->send(link->rank, "", 0) > 0;
	return busy;
}

/* Pass on what the rank has sent. */
static void pass_to_descriptor(struct relayed *link)
{
	ssize_t rc;

	if (link->unwritten_bytes > 0) {
		rc = write(link->fd, link->unwritten, link->unwritten_bytes);
		/* If nobody reads any more, there is no use for it. */
		if (rc < 0)
			rc = errno == EAGAIN || errno == EINTR ? 0 : (ssize_t)link->unwritten_bytes;
		link->unwritten_bytes -= (size_t)rc;
		memmove(link->unwritten, link->unwritten + rc, link->unwritten_bytes);
	}
	if (link->got_end && !link->wrote_end && link->unwritten_bytes == 0) {
		shutdown(link->fd, SHUT_WR);
		link->wrote_end = true;
	}
}

/* Take a message of a rank. */
static void take(struct relay *relay, unsigned rank, const char *bytes, size_t count)
{
	struct relayed *link = relay->list;

	while (link < relay->list + relay->count && link->rank != rank)
		link++;
	if (link == relay->list + relay->count)
		return;
	if (link->got_end) {
		link->last = count > 0 ? bytes[0] : '\0';
		return;
	}
	if (count == 0 || link->unwritten_bytes > UNWRITTEN_MAX ||
	    array_grow(&link->unwritten, &link->room, link->unwritten_bytes + count, 1) < 0) {
		link->got_end = true;
		return;
	}
	memcpy(link->unwritten + link->unwritten_bytes, bytes, count);
	link->unwritten_bytes += count;
}

/* Wait until a descriptor is ready, but no longer than MPI can be left alone. */
static void wait_for_bytes(const struct relay *relay)
{
	uint64_t idle_ns = clock_now_ns() - relay->busy_ns;
	struct pollfd *fds = calloc(relay->count + 1, sizeof(*fds));
	size_t i;

	for (i = 0; fds != NULL && i < relay->count; i++) {
		const struct relayed *link = &relay->list[i];

		fds[i].fd = link->sent_end && link->wrote_end ? -1 : link->fd;
		if (link->unsent_bytes == 0 && !link->read_end)
			fds[i].events |= POLLIN;
		if (link->unwritten_bytes > 0)
			fds[i].events |= POLLOUT;
		if (fds[i].events == 0)
			fds[i].fd = -1;
	}
	poll(fds, fds != NULL ? relay->count : 0,
	     idle_ns < SPIN_NS    ? 0
	     : idle_ns < AWAKE_NS ? AWAKE_MS
				  : IDLE_MS);
	free(fds);
}

void relay_step(struct relay *relay)
{
	char bytes[MPI_BYTES];
	size_t count, i;
	bool busy = false;
	int rank;

	wait_for_bytes(relay);
	while ((rank = relay->mpi->receive(bytes, &count)) >= 0) {
		take(relay, (unsigned)rank, bytes, count);
		busy = true;
	}
	for (i = 0; i < relay->count; i++) {
		busy |= pass_to_rank(relay, &relay->list[i]);
		pass_to_descriptor(&relay->list[i]);
	}
	if (busy)
		relay->busy_ns = clock_now_ns();
}

bool relay_is_over(const struct relay *relay)
{
	size_t i;

	for (i = 0; i < relay->count; i++)
		if (!relay->list[i].sent_end || !relay->list[i].wrote_end)
			return false;
	return true;
}

void relay_free(struct relay *relay)
{
	size_t i;

	for (i = 0; i < relay->count; i++) {
		close(relay->list[i].fd);
		free(relay->list[i].unsent);
		free(relay->list[i].unwritten);
	}
	free(relay->list);
}
