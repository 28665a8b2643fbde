/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tcp backend: plays operations as request and reply packets of tbench's
 * protocol. The server is `throng serve` or tbench_srv.
 */
#include "target/backend.h"

#include "base/clock.h"
#include "base/network.h"
#include "base/random.h"
#include "words/packet.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If an exchange takes several calls of send and recv, and has taken this long,
 * limit each further call to the time that is left. */
#define LATE_NS (100 * NS_PER_MS)
/* If the server refuses a connection, it may still be starting: retry for
 * PATIENCE_NS, every RETRY_NS. */
#define PATIENCE_NS (5 * NS_PER_S)
#define RETRY_NS (20 * NS_PER_MS)

enum {
	/* The first recv of a reply copies up to this many bytes, including the
	 * head of the packet; the rest is discarded without copying. */
	PEEK_BYTES = 1024,
};

struct backend_session {
	int fd; /* the connection in use */
	/* While a second connection is in use (slot connect): the session's own
	 * connection. Otherwise -1. */
	int own;
	struct sockaddr_storage peer;
	socklen_t peer_bytes;
	const char *options;
	unsigned timeout_s;
	uint64_t begin_ns; /* when the current exchange began */
	bool late;         /* the socket's timeout was reduced to the time left */
	unsigned char request[PACKET_BYTES_MAX];
	unsigned char reply[PEEK_BYTES];
};

static const char *tcp_library_version(void)
{
	return PACKAGE_VERSION;
}

/*
 * Return the -errno of a failed socket call, or 0 if the call must be repeated
 * because of EINTR: on a socket with a timeout, a call fails with EINTR if the
 * process is stopped and continued during the call.
 */
static int failure(void)
{
	if (errno == EINTR)
		return 0;
	return errno == EAGAIN || errno == EINPROGRESS ? -ETIMEDOUT : -errno;
}

/* Wait until the connection is established after connect() has failed with
 * EINTR. Return 0 or -errno. */
static int await_connection(int fd, unsigned timeout_s)
{
	struct pollfd waiting = {.fd = fd, .events = POLLOUT};
	socklen_t bytes = sizeof(int);
	int rc, error_number;

	do {
		rc = poll(&waiting, 1, (int)timeout_s * 1000);
	} while (rc < 0 && errno == EINTR);
	if (rc == 0)
		return -ETIMEDOUT;
	if (rc < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error_number, &bytes) < 0)
		return -errno;
	return -error_number;
}

/* Connect a socket to the session's peer. Return the socket or -errno. */
static int connect_once(const struct backend_session *s, struct error *error)
{
	int fd = socket(s->peer.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int rc;

	if (fd < 0)
		return -errno;
	rc = network_set_options(fd, s->options, error);
	if (rc == 0)
		rc = network_set_timeout(fd, s->timeout_s * NS_PER_S);
	if (rc == 0 && connect(fd, (const struct sockaddr *)&s->peer, s->peer_bytes) < 0)
		rc = errno == EINTR ? await_connection(fd, s->timeout_s) : failure();
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

/*
 * Try each address of the list; the first that accepts becomes the session's
 * peer. Return the socket or -errno. If the addresses fail with different
 * errors, return -ECONNREFUSED if it is among them, so that the caller
 * retries: the server may start soon. (A machine without IPv6 may resolve
 * localhost to both ::1, which fails in another way, and 127.0.0.1.)
 */
static int connect_any(struct backend_session *s, const struct addrinfo *list, struct error *error)
{
	int rc = -EHOSTUNREACH;

	for (; list != NULL && !error->set; list = list->ai_next) {
		int fd;

		memcpy(&s->peer, list->ai_addr, list->ai_addrlen);
		s->peer_bytes = list->ai_addrlen;
		fd = connect_once(s, error);
		if (fd >= 0)
			return fd;
		if (rc != -ECONNREFUSED)
			rc = fd;
	}
	return rc;
}

static int parse_peer(const struct target *target, struct network_address *address,
		      struct error *error)
{
	size_t length = strcspn(target->path, "/");
	char text[300];

	if (target->user[0] != '\0' || length >= sizeof(text) ||
	    strcmp(target->path + length, "/") > 0) {
		error_set(error, "%s: expected tcp://HOST[:PORT] and nothing else", target->url);
		return -EINVAL;
	}
	memcpy(text, target->path, length);
	text[length] = '\0';
	if (target_decode(text) < 0 || network_parse(text, PACKET_PORT, address, error) < 0) {
		error_set(error, "%s: expected tcp://HOST[:PORT]", target->url);
		return -EINVAL;
	}
	return 0;
}

static int find_peer(const struct target *target, struct addrinfo **list, struct error *error)
{
	struct network_address address;

	if (parse_peer(target, &address, error) < 0)
		return -EINVAL;
	return network_resolve(&address, 0, list, error);
}

/* Report that no connection was made. The user may not know the port, and may
 * not have started a server. */
static void refuse_connection(const struct target *target, int rc, struct error *error)
{
	struct network_address address;
	struct error ignored = {0};

	if (rc == -ECONNREFUSED && parse_peer(target, &address, &ignored) == 0)
		error_set(error,
			  "cannot connect to %s, port %s: %s (is throng serve running there?)",
			  target->url, address.port, strerror(-rc));
	else
		error_set(error, "cannot connect to %s: %s", target->url, strerror(-rc));
}

static int open_connection(const struct target *target, struct backend_session *s,
			   struct error *error)
{
	uint64_t end_ns = clock_now_ns() + PATIENCE_NS;
	struct addrinfo *list;
	int rc = find_peer(target, &list, error);

	if (rc < 0)
		return rc;
	for (;;) {
		rc = connect_any(s, list, error);
		if (rc != -ECONNREFUSED || clock_now_ns() > end_ns)
			break;
		clock_sleep_until_ns(clock_now_ns() + RETRY_NS);
	}
	freeaddrinfo(list);
	s->fd = rc;
	return rc < 0 ? rc : 0;
}

/* After a part of an exchange, limit the next socket call to the time that is
 * left. Return 0, -ETIMEDOUT if there is none, or another -errno. */
static int wait_less(struct backend_session *s)
{
	uint64_t timeout_ns = s->timeout_s * NS_PER_S;
	uint64_t passed_ns = clock_now_ns() - s->begin_ns;

	if (passed_ns < LATE_NS)
		return 0;
	if (passed_ns >= timeout_ns)
		return -ETIMEDOUT;
	s->late = true;
	return network_set_timeout(s->fd, timeout_ns - passed_ns);
}

/*
 * Convert `part`, the result of a send or recv of `bytes` bytes, to the number
 * of bytes moved, 0 if the call was interrupted, or -errno. An interrupted call
 * means that the user process was stopped (SIGSTOP) and continued: start its
 * timeout again.
 */
static ssize_t moved(struct backend_session *s, ssize_t part, size_t bytes)
{
	int rc = 0;

	if (part < 0) {
		rc = failure();
		s->begin_ns = clock_now_ns();
		return rc;
	}
	if ((size_t)part < bytes)
		rc = wait_less(s);
	return rc < 0 ? rc : part;
}

static int send_request(struct backend_session *s, uint32_t bytes)
{
	uint32_t sent = 0;

	while (sent < bytes) {
		ssize_t part = moved(s, send(s->fd, s->request + sent, bytes - sent, MSG_NOSIGNAL),
				     bytes - sent);

		if (part < 0)
			return (int)part;
		sent += (uint32_t)part;
	}
	return 0;
}

/* Convert the result of a recv as moved() does. If `part` is 0, the server has
 * closed the connection: return -ECONNRESET. */
static ssize_t received(struct backend_session *s, ssize_t part, size_t bytes)
{
	return part != 0 ? moved(s, part, bytes) : -ECONNRESET;
}

static int receive_reply(struct backend_session *s, uint32_t bytes)
{
	uint32_t first = bytes < PEEK_BYTES ? bytes : PEEK_BYTES, got = 0;
	ssize_t part;
	int rc;

	while (got < PACKET_HEAD_BYTES) {
		part = received(s, recv(s->fd, s->reply + got, first - got, 0), first - got);
		if (part < 0)
			return (int)part;
		got += (uint32_t)part;
	}
	rc = packet_check_reply(s->reply, bytes);
	while (rc == 0 && got < bytes) {
		/* cppcheck-suppress nullPointer ; MSG_TRUNC writes nothing */
		part = received(s, recv(s->fd, NULL, bytes - got, MSG_WAITALL | MSG_TRUNC),
				bytes - got);
		if (part < 0)
			return (int)part;
		got += (uint32_t)part;
	}
	return rc;
}

static int tcp_exchange(struct backend_session *s, uint32_t request_bytes, uint32_t reply_bytes)
{
	int rc;

	if (request_bytes > PACKET_BYTES_MAX || reply_bytes > PACKET_BYTES_MAX)
		return -EMSGSIZE;
	packet_put_request(s->request, request_bytes, reply_bytes);
	s->begin_ns = clock_now_ns();
	rc = send_request(s, request_bytes);
	if (rc == 0)
		rc = receive_reply(s, reply_bytes);
	if (rc == 0 && s->late) {
		s->late = false;
		rc = network_set_timeout(s->fd, s->timeout_s * NS_PER_S);
	}
	return rc;
}

static int tcp_connect(struct backend_session *s)
{
	struct error error = {0};
	int fd = connect_once(s, &error);

	if (fd < 0)
		return fd;
	s->own = s->fd;
	s->fd = fd;
	return 0;
}

/* Shut down our side of the connection, and wait until the peer does so. */
static int shut_down(int fd)
{
	char byte;
	ssize_t part;
	int rc;

	if (shutdown(fd, SHUT_WR) < 0)
		return -errno;
	do {
		part = recv(fd, &byte, 1, 0);
		rc = part < 0 ? failure() : 0;
	} while (part < 0 && rc == 0);
	return part > 0 ? -EPROTO : rc;
}

static int tcp_disconnect(struct backend_session *s, bool reset)
{
	static const struct linger at_once = {.l_onoff = 1};
	int rc = 0;

	if (!reset)
		rc = shut_down(s->fd);
	else if (setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) < 0)
		rc = -errno;
	close(s->fd);
	s->fd = s->own;
	s->own = -1;
	return rc;
}

static void tcp_session_close(struct backend_session *s)
{
	if (s->own >= 0)
		close(s->own);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

/* Connect, and exchange one packet without data, as tbench does. */
static int start(const struct target *target, struct backend_session *s, struct error *error)
{
	const char *options = target_option(target, "options");
	int rc;

	s->fd = -1;
	s->own = -1;
	s->options = options != NULL ? options : NETWORK_OPTIONS;
	s->timeout_s = target->timeout_s;
	rc = open_connection(target, s, error);
	if (rc < 0) {
		refuse_connection(target, rc, error);
		return rc;
	}
	rc = tcp_exchange(s, PACKET_HEAD_BYTES, PACKET_HEAD_BYTES);
	if (rc < 0)
		error_set(error, "%s: the server is neither `throng serve` nor tbench_srv: %s",
			  target->url,
			  rc == -ECONNRESET ? "the server closed the connection" : strerror(-rc));
	return rc;
}

static int tcp_session_open(const struct target *target, unsigned user,
			    struct backend_session **session)
{
	struct backend_session *s = calloc(1, sizeof(*s));
	struct error error = {0};
	struct random random;
	int rc;

	if (s == NULL)
		return -ENOMEM;
	/* Random bytes, so that nothing on the network can compress them. */
	random_start(&random, 0, user);
	random_fill(&random, s->request, sizeof(s->request));
	rc = start(target, s, &error);
	if (rc < 0) {
		tcp_session_close(s);
		return rc;
	}
	*session = s;
	return 0;
}

static int tcp_probe(const struct target *target, struct backend_facts *facts, struct error *error)
{
	struct backend_session *s = calloc(1, sizeof(*s));
	int rc;

	if (s == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	rc = start(target, s, error);
	strcpy(facts->kind, s->peer.ss_family == AF_INET6 ? "TCP over IPv6" : "TCP over IPv4");
	facts->free_bytes = UINT64_MAX;
	facts->in_memory = true;
	tcp_session_close(s);
	return rc;
}

const struct backend backend_tcp = {
	.answers = false,
	.remote = true,
	.library_version = tcp_library_version,
	.probe = tcp_probe,
	.session_open = tcp_session_open,
	.session_close = tcp_session_close,
	.exchange = tcp_exchange,
	.connect = tcp_connect,
	.disconnect = tcp_disconnect,
};
