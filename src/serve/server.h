/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server for tcp targets and tbench. Each open connection has a process.
 *
 * Processes are forked before connections arrive and outlive them, so that a
 * client that opens thousands of connections per second does not measure our
 * forks. A few spare processes wait; when the last of them becomes busy, it
 * asks the parent for more. Those that a peak leaves idle end after the
 * time-out.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "base/error.h"

#include <stdbool.h>

enum {
	SERVER_ADDRESSES_MAX = 16,
	SERVER_CONNECTIONS = 4096, /* default max at once */
	SERVER_CONNECTIONS_MAX = 100000,
	SERVER_TIMEOUT_S = 300,
	SERVER_TIMEOUT_MAX_S = 3600,
};

struct server_plan {
	/* Each is HOST[:PORT]; "*" is any address of this machine. NULL: the
	 * loopback addresses, on tbench's port. */
	const char *const *listen;
	unsigned listen_count;
	const char *options; /* socket options (base/network.h) */
	unsigned connections; /* max at once per address; others wait */
	/* Max time for a client to send a request, from first byte to last,
	 * and to read a reply; idle time after which a spare process ends. */
	unsigned timeout_s;
};

struct listener {
	int fd;
	unsigned char *states; /* one per process, in shared memory */
	int *processes;        /* their ids; 0: none */
	bool warned_full;      /* that all of them are busy */
	char name[80];         /* ADDRESS:PORT, for messages */
};

struct server {
	struct listener listeners[SERVER_ADDRESSES_MAX];
	unsigned listener_count;
	unsigned connections;
};

/*
 * Start to listen. Blocks SIGINT, SIGTERM and, unless it is ignored, SIGHUP,
 * for server_run(). Returns 0, or -errno with `error` set. Call server_close()
 * in any case.
 */
int server_open(struct server *server, const struct server_plan *plan,
		struct error *error);

/*
 * Serve until one of these signals arrives. Returns 0, or -errno with `error`
 * set.
 */
int server_run(struct server *server, struct error *error);

/* End the remaining processes and stop listening. */
void server_close(struct server *server);

#endif
