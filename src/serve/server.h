/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server for tcp targets and tbench. Each open connection has a process.
 *
 * Processes are forked before connections arrive, and are reused, so that a
 * client that opens thousands of connections per second does not measure our
 * forks. A few spare processes wait for connections. When the last spare
 * process becomes busy, it asks the parent to fork more. A process that is idle
 * for the time-out ends if there are enough other spare processes.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "base/error.h"

#include <stdbool.h>

enum {
	SERVER_ADDRESSES_MAX = 16,
	SERVER_CONNECTIONS = 4096, /* default max number of open connections */
	SERVER_CONNECTIONS_MAX = 100000,
	SERVER_TIMEOUT_S = 300,
	SERVER_TIMEOUT_MAX_S = 3600,
};

struct server_plan {
	/* The addresses to listen on, each as HOST[:PORT]; "*" means all
	 * addresses of this machine. If the list is empty, listen on the
	 * loopback addresses, on tbench's port. */
	const char *const *listen;
	unsigned listen_count;
	const char *options;  /* socket options (base/network.h) */
	unsigned connections; /* max number per address; others wait */
	/* Max time for a client to send a whole request, or to read a reply.
	 * Also the time after which an idle process ends. */
	unsigned timeout_s;
};

struct listener {
	int fd;
	unsigned char *states; /* state of each process, in shared memory */
	int *processes;        /* their process ids; 0: none */
	bool warned_full;      /* the warning about the limit was printed */
	char name[80];         /* ADDRESS:PORT, for messages */
};

struct server {
	struct listener listeners[SERVER_ADDRESSES_MAX];
	unsigned listener_count;
	unsigned connections;
};

/*
 * Start to listen. Block SIGINT, SIGTERM and, unless it is ignored, SIGHUP, for
 * server_run(). Return 0, or -errno with `error` set. Call server_close()
 * even after an error.
 */
int server_open(struct server *server, const struct server_plan *plan, struct error *error);

/* Serve until one of the signals arrives that server_open has blocked. Return
 * 0, or -errno with `error` set. */
int server_run(struct server *server, struct error *error);

/* End the remaining processes and stop listening. */
void server_close(struct server *server);

#endif
