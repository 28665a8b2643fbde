/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection of the server's: requests in, replies of the wanted size
 * out. What comes is untrusted.
 */
#ifndef SERVE_CONNECTION_H
#define SERVE_CONNECTION_H

#include "base/packet.h"

#include <stddef.h>

enum {
	/* What is received in one call: a small request is all of it. The
	 * rest of a larger one is not even copied. */
	PEER_RECEIVE_BYTES = 4096,
};

/* Of a process that serves one connection after the other. */
struct connection {
	unsigned char received[PEER_RECEIVE_BYTES];
	unsigned char reply[PACKET_BYTES_MAX];
	unsigned timeout_s; /* from a request's first byte to its last */
};

/* Fills the replies with what no compressor can shorten. */
void connection_prepare(struct connection *connection, unsigned timeout_s);

/*
 * Answers on the socket `fd`, whose time-out is the peer's, until the client
 * hangs up. Returns 0, or -errno with `*why` saying why the connection has to
 * be closed.
 */
int connection_answer(struct connection *connection, int fd, const char **why);

#endif
