/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A TCP proxy on 127.0.0.1 that stands for a slow network: it delivers all bytes,
 * in both directions, US microseconds after it has received them.
 *
 *	delay PORT SERVER-PORT US
 *
 * The two directions do not wait for each other, and bytes do not wait for the
 * delivery of earlier bytes. bench/depth uses this program, because few kernels
 * of virtual machines have netem.
 */
#include "base/clock.h"

#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECES = 1024, PIECE_BYTES = 16384 };

/* Bytes that were received together. */
struct piece {
	uint64_t due_ns;
	size_t size, sent;
	char bytes[PIECE_BYTES];
};

/* One direction of a connection, with a ring of the pieces on their way. */
struct way {
	int from, to;
	bool ended; /* `from` will send nothing more */
	unsigned first, count;
	struct piece pieces[PIECES];
};

static uint64_t delay_ns;

static struct sockaddr_in address(const char *port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static int open_socket(void)
{
	int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0)
		err(1, "socket");
	return fd;
}

static void receive(struct way *way)
{
	struct piece *piece = &way->pieces[(way->first + way->count) % PIECES];
	ssize_t size;

	if (way->count == PIECES)
		return;
	size = recv(way->from, piece->bytes, PIECE_BYTES, MSG_DONTWAIT);
	if (size <= 0) {
		way->ended = true;
		return;
	}
	piece->due_ns = clock_now_ns() + delay_ns;
	piece->size = (size_t)size;
	piece->sent = 0;
	way->count++;
}

/* Send what is due, as far as the receiver takes it. */
static void deliver(struct way *way)
{
	while (way->count > 0) {
		struct piece *piece = &way->pieces[way->first];
		ssize_t sent;

		if (clock_now_ns() < piece->due_ns)
			return;
		sent = send(way->to, piece->bytes + piece->sent, piece->size - piece->sent,
			    MSG_DONTWAIT);
		if (sent < 0)
			return;
		piece->sent += (size_t)sent;
		if (piece->sent < piece->size)
			return;
		way->first = (way->first + 1) % PIECES;
		way->count--;
	}
}

/* Wait until a direction can do something. */
static void wait_for(struct way ways[2], struct pollfd fds[2])
{
	uint64_t now_ns = clock_now_ns(), until_ns = CLOCK_NEVER;
	struct timespec left;
	int i;

	for (i = 0; i < 2; i++) {
		const struct way *way = &ways[i];
		const struct piece *piece = &way->pieces[way->first];

		if (!way->ended && way->count < PIECES)
			fds[i].events |= POLLIN;
		if (way->count > 0 && piece->due_ns <= now_ns)
			fds[1 - i].events |= POLLOUT;
		else if (way->count > 0 && piece->due_ns < until_ns)
			until_ns = piece->due_ns;
	}
	left.tv_sec = (time_t)((until_ns - now_ns) / NS_PER_S);
	left.tv_nsec = (long)((until_ns - now_ns) % NS_PER_S);
	if (ppoll(fds, 2, until_ns == CLOCK_NEVER ? NULL : &left, NULL) < 0)
		err(1, "ppoll");
}

/* Pass bytes on until one side has ended and the other has received them all. */
static void serve(int client, const char *server_port)
{
	static struct way ways[2];
	struct sockaddr_in server = address(server_port);
	int on = 1, i, fd = open_socket();

	if (connect(fd, (struct sockaddr *)&server, sizeof(server)) < 0 ||
	    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		err(1, "port %s", server_port);
	ways[0].from = ways[1].to = client;
	ways[0].to = ways[1].from = fd;
	for (;;) {
		struct pollfd fds[2] = {{.fd = client}, {.fd = fd}};

		wait_for(ways, fds);
		for (i = 0; i < 2; i++) {
			if (fds[i].revents & (POLLIN | POLLHUP | POLLERR))
				receive(&ways[i]);
			deliver(&ways[i]);
			if (ways[i].ended && ways[i].count == 0)
				exit(0);
		}
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in own;
	int fd = open_socket();

	if (argc != 4)
		errx(2, "expected PORT SERVER-PORT US");
	own = address(argv[1]);
	delay_ns = (uint64_t)atoi(argv[3]) * NS_PER_US;
	if (bind(fd, (struct sockaddr *)&own, sizeof(own)) < 0 || listen(fd, 64) < 0)
		err(1, "port %s", argv[1]);
	clock_be_punctual();
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int client = accept(fd, NULL, NULL);

		if (client < 0)
			err(1, "accept");
		if (fork() == 0)
			serve(client, argv[2]);
		close(client);
	}
}
