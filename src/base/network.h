/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a client and a server over TCP have in common: addresses as people
 * write them, and options of sockets.
 */
#ifndef BASE_NETWORK_H
#define BASE_NETWORK_H

#include "base/error.h"

#include <netdb.h>
#include <stdint.h>
#include <sys/socket.h>

struct network_address {
	char host[256];
	char port[8];
};

/*
 * Takes HOST[:PORT] apart; an IPv6 address stands in brackets when a port
 * follows. Returns 0, or -EINVAL with `error` set.
 */
int network_parse(const char *text, const char *default_port,
		  struct network_address *address, struct error *error);

/*
 * The addresses of sockets that it stands for, to be freed with freeaddrinfo.
 * `flags` are getaddrinfo's; with AI_PASSIVE "*" is any address. Returns 0, or
 * -errno with `error` set.
 */
int network_resolve(const struct network_address *address, int flags,
		    struct addrinfo **list, struct error *error);

/* An address of a socket as people write it. Returns `text`. */
enum { NETWORK_TEXT = 80 };
char *network_print(const struct sockaddr *address, socklen_t bytes,
		    char text[NETWORK_TEXT]);

/* What sockets get where nobody says otherwise. */
#define NETWORK_OPTIONS "TCP_NODELAY"

/*
 * Sets options such as "TCP_NODELAY SO_SNDBUF=65536" (also with commas; in
 * the way of dbench's -T) on a socket. Returns 0, or -errno with `error` set.
 */
int network_set_options(int fd, const char *options, struct error *error);

/*
 * Limit how long one send or receive on the socket may wait, to the next
 * microsecond above; 0 is no limit. Return 0 or -errno.
 */
int network_set_timeout(int fd, uint64_t timeout_ns);

#endif
