/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection of the server: receive requests, and send replies of the
 * requested sizes. The client is not trusted.
 */
#ifndef SERVE_CONNECTION_H
#define SERVE_CONNECTION_H

#include "words/packet.h"

#include <stddef.h>

enum {
	/* Max bytes per receive call, enough for small requests. The rest of a
	 * larger request is discarded without copying it. */
	CONNECTION_RECEIVE_BYTES = 4096,
};

/*
 * The state of a connection. A process uses it again for its next connection.
 */
struct connection {
	unsigned char received[CONNECTION_RECEIVE_BYTES];
	unsigned char reply[PACKET_BYTES_MAX];
	unsigned timeout_s; /* max time to receive a request or send a reply */
};

/* Set the time-out, and fill the reply with incompressible data. */
void connection_prepare(struct connection *connection, unsigned timeout_s);

/*
 * Answer requests on the socket `fd` until the client hangs up. The socket's
 * time-out must be `timeout_s`. Return 0, or -errno with the reason in *why; in
 * both cases the caller closes the connection.
 */
int connection_answer(struct connection *connection, int fd, const char **why);

#endif
