/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/network.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>

static int refuse(const char *text, struct error *error)
{
	error_set(error, "\"%s\" is not an address; expected HOST, HOST:PORT or [IPV6]:PORT", text);
	return -EINVAL;
}

int network_parse(const char *text, const char *default_port, struct network_address *address,
		  struct error *error)
{
	const char *host = text, *port = default_port, *end;
	uint64_t number;

	if (*text == '[') {
		host = text + 1;
		end = strchr(host, ']');
		if (end == NULL || (end[1] != ':' && end[1] != '\0'))
			return refuse(text, error);
		if (end[1] == ':')
			port = end + 2;
	} else {
		end = strchr(text, ':');
		/* Two colons without brackets mean IPv6 without a port. */
		if (end == NULL || strchr(end + 1, ':') != NULL)
			end = text + strlen(text);
		else
			port = end + 1;
	}
	if (end == host || (size_t)(end - host) >= sizeof(address->host))
		return refuse(text, error);
	if (units_parse_count(port, "port", 1, UINT16_MAX, &number, error) < 0)
		return -EINVAL;
	memcpy(address->host, host, (size_t)(end - host));
	address->host[end - host] = '\0';
	snprintf(address->port, sizeof(address->port), "%u", (unsigned)number);
	return 0;
}

int network_resolve(const struct network_address *address, int flags, struct addrinfo **list,
		    struct error *error)
{
	struct addrinfo hints = {
		.ai_flags = flags | AI_NUMERICSERV,
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};
	bool any = (flags & AI_PASSIVE) != 0 && strcmp(address->host, "*") == 0;
	int rc = getaddrinfo(any ? NULL : address->host, address->port, &hints, list);

	if (rc == 0)
		return 0;
	error_set(error, "cannot look up \"%s\": %s", address->host,
		  rc == EAI_SYSTEM ? strerror(errno) : gai_strerror(rc));
	return -EHOSTUNREACH;
}

char *network_print(const struct sockaddr *address, socklen_t bytes, char text[NETWORK_TEXT])
{
	char host[NETWORK_TEXT - 16], port[8];
	int rc = getnameinfo(address, bytes, host, sizeof(host), port, sizeof(port),
			     NI_NUMERICHOST | NI_NUMERICSERV);

	if (rc != 0)
		return strcpy(text, "an unknown address");
	snprintf(text, NETWORK_TEXT, address->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
		 port);
	return text;
}

/* The known socket options. If the user cannot give a value for an option,
 * `fixed` is the value to set; otherwise it is -1. */
static const struct socket_option {
	const char *name;
	int level, option, fixed;
} socket_options[] = {
	{"TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY, -1},
	{"SO_KEEPALIVE", SOL_SOCKET, SO_KEEPALIVE, -1},
	{"SO_REUSEADDR", SOL_SOCKET, SO_REUSEADDR, -1},
	{"SO_BROADCAST", SOL_SOCKET, SO_BROADCAST, -1},
	{"SO_SNDBUF", SOL_SOCKET, SO_SNDBUF, -1},
	{"SO_RCVBUF", SOL_SOCKET, SO_RCVBUF, -1},
	{"SO_RCVLOWAT", SOL_SOCKET, SO_RCVLOWAT, -1},
	{"IPTOS_LOWDELAY", IPPROTO_IP, IP_TOS, IPTOS_LOWDELAY},
	{"IPTOS_THROUGHPUT", IPPROTO_IP, IP_TOS, IPTOS_THROUGHPUT},
};

/* Set one option, "NAME" or "NAME=VALUE". Modifies `text`. */
static int set_option(int fd, char *text, struct error *error)
{
	const struct socket_option *known = socket_options;
	const struct socket_option *end = known +
					  sizeof(socket_options) / sizeof(socket_options[0]);
	char *value_text = strchr(text, '=');
	uint64_t number = 1;
	int value;

	if (value_text != NULL)
		*value_text++ = '\0';
	while (known < end && strcasecmp(known->name, text) != 0)
		known++;
	if (known == end || (known->fixed >= 0 && value_text != NULL)) {
		error_set(error,
			  known == end ? "unsupported socket option \"%s\"; expected TCP_NODELAY, "
					 "SO_KEEPALIVE, SO_REUSEADDR, SO_BROADCAST, "
					 "SO_SNDBUF=BYTES, SO_RCVBUF=BYTES, SO_RCVLOWAT=BYTES, "
					 "IPTOS_LOWDELAY or IPTOS_THROUGHPUT"
				       : "the socket option %s takes no value",
			  text);
		return -EINVAL;
	}
	if (value_text != NULL &&
	    units_parse_count(value_text, known->name, 0, INT_MAX, &number, error) < 0)
		return -EINVAL;
	value = known->fixed >= 0 ? known->fixed : (int)number;
	if (setsockopt(fd, known->level, known->option, &value, sizeof(value)) == 0)
		return 0;
	value = -errno;
	error_set(error, "cannot set socket option %s: %s", known->name, strerror(-value));
	return value;
}

int network_set_options(int fd, const char *options, struct error *error)
{
	char copy[512], *next = copy, *option;
	int rc;

	if (strlen(options) >= sizeof(copy)) {
		error_set(error, "the list of socket options is longer than %zu bytes",
			  sizeof(copy) - 1);
		return -EINVAL;
	}
	strcpy(copy, options);
	while ((option = strsep(&next, ", \t")) != NULL) {
		if (*option == '\0')
			continue;
		rc = set_option(fd, option, error);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int network_set_timeout(int fd, uint64_t timeout_ns)
{
	uint64_t timeout_us = (timeout_ns + NS_PER_US - 1) / NS_PER_US;
	struct timeval timeout = {
		.tv_sec = (time_t)(timeout_us / 1000000),
		.tv_usec = (suseconds_t)(timeout_us % 1000000),
	};

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) < 0)
		return -errno;
	return 0;
}
