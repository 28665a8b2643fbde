/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection of the server: it receives requests, and sends replies of the
 * requested sizes. The client is untrusted.
 */
#ifndef SERVE_CONNECTION_H
#define SERVE_CONNECTION_H

#include "base/packet.h"

#include <stddef.h>

enum {
	/* Max bytes received in one call, enough for small requests. The rest
	 * of a larger request is discarded without a copy. */
	CONNECTION_RECEIVE_BYTES = 4096,
};

/* Reused by a process for one connection after the other. */
struct connection {
	unsigned char received[CONNECTION_RECEIVE_BYTES];
	unsigned char reply[PACKET_BYTES_MAX];
	unsigned timeout_s; /* from a request's first byte to its last */
};

/* Fill the reply with incompressible data. */
void connection_prepare(struct connection *connection, unsigned timeout_s);

/*
 * Answer requests on the socket `fd` until the client hangs up. The socket's
 * time-out must be `timeout_s`. Returns 0, or -errno with the reason why the
 * connection must be closed in *why.
 */
int connection_answer(struct connection *connection, int fd, const char **why);

#endif
