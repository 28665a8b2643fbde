/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code shared by TCP clients and servers: addresses as text, socket options.
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
 * Parse HOST[:PORT]. An IPv6 address needs brackets if a port follows. Return
 * 0, or -EINVAL with `error` set.
 */
int network_parse(const char *text, const char *default_port, struct network_address *address,
		  struct error *error);

/*
 * Look up an address. The caller frees the list with freeaddrinfo(). `flags`
 * are those of getaddrinfo(); with AI_PASSIVE the host "*" means any address.
 * Return 0, or -errno with `error` set.
 */
int network_resolve(const struct network_address *address, int flags, struct addrinfo **list,
		    struct error *error);

/* Print a socket address as HOST:PORT. Return `text`. */
enum { NETWORK_TEXT = 80 };
char *network_print(const struct sockaddr *address, socklen_t bytes, char text[NETWORK_TEXT]);

/* The socket options that are set if the user gives none. */
#define NETWORK_OPTIONS "TCP_NODELAY"

/*
 * Set options such as "TCP_NODELAY SO_SNDBUF=65536" on a socket. They are
 * separated by blanks or commas, as in dbench's -T. Return 0, or -errno with
 * `error` set.
 */
int network_set_options(int fd, const char *options, struct error *error);

/*
 * Limit the time that one send or receive on the socket may block. The limit is
 * rounded up to a microsecond; 0 means no limit. Return 0 or -errno.
 */
int network_set_timeout(int fd, uint64_t timeout_ns);

#endif
