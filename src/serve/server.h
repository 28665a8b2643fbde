/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peer of tcp targets and of tbench: listens, and serves each connection
 * in a process of its own.
 *
 * The processes are there before the connections come and outlive them, so
 * that a client that opens thousands a second does not measure our forks. A
 * few more than needed wait; the last one that finds itself busy calls for
 * others. What a peak leaves behind ends when it has had nothing to do for the
 * time-out.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "base/error.h"

#include <stdbool.h>

enum {
	SERVER_ADDRESSES_MAX = 16,
	SERVER_CONNECTIONS = 4096, /* at once, unless somebody says otherwise */
	SERVER_CONNECTIONS_MAX = 100000,
	SERVER_TIMEOUT_S = 300,
	SERVER_TIMEOUT_MAX_S = 3600,
};

struct server_plan {
	/* HOST[:PORT] each; "*" is any address of this machine. NULL: the
	 * loopback addresses, on tbench's port. */
	const char *const *listen;
	unsigned listen_count;
	const char *options; /* of sockets (base/network.h) */
	unsigned connections; /* at once, on each address; others wait */
	/* How long a client may take from a request's first byte to its last,
	 * and over a reply; how long a process waits that is not needed. */
	unsigned timeout_s;
};

struct listener {
	int fd;
	unsigned char *states; /* one a process, shared by all of them */
	int *processes;        /* their ids; 0: none */
	bool told_full;        /* that all of them are busy */
	char name[80];         /* ADDRESS:PORT, for people */
};

struct server {
	struct listener listeners[SERVER_ADDRESSES_MAX];
	unsigned listener_count;
	unsigned connections;
};

/*
 * Listens. From here on SIGINT, SIGTERM and, unless it is ignored, SIGHUP are
 * waited for. Returns 0, or -errno with `error` set; freed with server_close
 * in any case.
 */
int server_open(struct server *server, const struct server_plan *plan,
		struct error *error);

/*
 * Serves until a signal says that it is enough. Returns 0, or -errno with
 * `error` set.
 */
int server_run(struct server *server, struct error *error);

/* Ends what is left of the processes. */
void server_close(struct server *server);

#endif
