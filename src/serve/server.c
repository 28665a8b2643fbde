/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/server.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/network.h"
#include "serve/connection.h"
#include "words/packet.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BACKLOG = 4096,
	SPARE = 8, /* processes that wait for a connection */
};

/* Retry bind() for this time: a server that was just killed may still hold the
 * address. */
#define REBIND_NS (2 * NS_PER_S)
#define REBIND_STEP_NS (10 * NS_PER_MS)
#define ACCEPT_STEP_NS (50 * NS_PER_MS)

/* The state of a process. The process itself changes it. FREE means that there
 * is no process. */
enum state { FREE, WAITING, BUSY, LEAVING };

/* The state of a process's connection. It is filled before the first fork, so
 * that all processes share the pages of its reply. */
static struct connection connection;

/* Get the signals that the parent waits for. Children ask for more processes
 * with SIGUSR1. */
static void get_signals(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	/* Respect nohup(1): leave out SIGHUP if it is ignored, because
	 * sigwaitinfo() would return it nevertheless. */
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

static void block_signals(void)
{
	sigset_t set;

	get_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* If our parent ignored SIGCHLD, we have inherited that, and the signal
	 * would never arrive. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
}

/* Bind and listen. Wait a moment for an address that is in use. */
static int bind_socket(int fd, const struct addrinfo *info)
{
	uint64_t end_ns = clock_now_ns() + REBIND_NS;

	while (bind(fd, info->ai_addr, info->ai_addrlen) < 0) {
		if (errno != EADDRINUSE || clock_now_ns() > end_ns)
			return -errno;
		clock_sleep_until_ns(clock_now_ns() + REBIND_STEP_NS);
	}
	return listen(fd, BACKLOG) < 0 ? -errno : 0;
}

static int prepare_socket(int fd, const struct addrinfo *info, const struct server_plan *plan,
			  struct error *error)
{
	static const int yes = 1;
	int rc;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes)) < 0)
		return -errno;
	/* Make it possible to bind both "::" and "0.0.0.0" to the same port. */
	if (info->ai_family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes)) < 0)
		return -errno;
	/* Connections inherit the listening socket's options. */
	rc = network_set_options(fd, plan->options, error);
	if (rc == 0)
		rc = network_set_timeout(fd, plan->timeout_s * NS_PER_S);
	if (rc == 0)
		rc = bind_socket(fd, info);
	return rc;
}

static int allocate_states(struct listener *listener, unsigned connections)
{
	void *states = mmap(NULL, connections, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	if (states == MAP_FAILED)
		return -errno;
	listener->states = states;
	listener->processes = calloc(connections, sizeof(*listener->processes));
	return listener->processes != NULL ? 0 : -ENOMEM;
}

static int add_listener(struct server *server, const struct addrinfo *info,
			const struct server_plan *plan, struct error *error)
{
	struct listener *listener = &server->listeners[server->listener_count];
	int rc;

	if (server->listener_count == SERVER_ADDRESSES_MAX) {
		error_set(error, "cannot listen on more than %d addresses", SERVER_ADDRESSES_MAX);
		return -EINVAL;
	}
	network_print(info->ai_addr, info->ai_addrlen, listener->name);
	listener->fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener->fd < 0) {
		rc = -errno;
	} else {
		server->listener_count++;
		rc = prepare_socket(listener->fd, info, plan, error);
	}
	if (rc == 0)
		rc = allocate_states(listener, server->connections);
	if (rc < 0)
		error_set(error, "cannot listen on %s: %s", listener->name, strerror(-rc));
	return rc;
}

/* Check if this machine has IPv6. If not, only a host's IPv4 addresses are
 * used. */
static bool has_ipv6(void)
{
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in6 loopback = {
		.sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	bool has = fd >= 0 && bind(fd, (struct sockaddr *)&loopback, sizeof(loopback)) == 0;

	if (fd >= 0)
		close(fd);
	return has;
}

static int listen_on(struct server *server, const char *text, const struct server_plan *plan,
		     struct error *error)
{
	struct network_address address;
	struct addrinfo *list, *info;
	int rc = network_parse(text, PACKET_PORT, &address, error);

	if (rc == 0)
		rc = network_resolve(&address, AI_PASSIVE, &list, error);
	if (rc < 0)
		return rc;
	for (info = list; info != NULL && rc == 0; info = info->ai_next)
		if (info->ai_family != AF_INET6 || list->ai_next == NULL || has_ipv6())
			rc = add_listener(server, info, plan, error);
	freeaddrinfo(list);
	return rc;
}

int server_open(struct server *server, const struct server_plan *plan, struct error *error)
{
	unsigned i;
	int rc = 0;

	*server = (struct server){.connections = plan->connections};
	connection_prepare(&connection, plan->timeout_s);
	block_signals();
	for (i = 0; i < plan->listen_count && rc == 0; i++)
		rc = listen_on(server, plan->listen[i], plan, error);
	if (plan->listen_count > 0)
		return rc;
	rc = listen_on(server, "127.0.0.1", plan, error);
	if (rc == 0 && has_ipv6())
		rc = listen_on(server, "::1", plan, error);
	return rc;
}

static void serve_one(int fd, const struct sockaddr_storage *address, socklen_t bytes)
{
	char name[NETWORK_TEXT];
	const char *why = NULL;

	if (connection_answer(&connection, fd, &why) < 0)
		message_warning("%s: connection closed: %s",
				network_print((const struct sockaddr *)address, bytes, name), why);
	close(fd);
}

/* Return the number of processes in a state. */
static unsigned count_in(const struct listener *listener, enum state state, unsigned connections)
{
	unsigned i, count = 0;

	for (i = 0; i < connections; i++)
		count += __atomic_load_n(&listener->states[i], __ATOMIC_SEQ_CST) == state;
	return count;
}

/*
 * Check if enough other processes wait, so that this one can end. If two
 * processes check at the same time, both may stay.
 */
static bool is_surplus(const struct listener *listener, unsigned char *state, unsigned connections)
{
	__atomic_store_n(state, LEAVING, __ATOMIC_SEQ_CST);
	if (count_in(listener, WAITING, connections) >= SPARE)
		return true;
	__atomic_store_n(state, WAITING, __ATOMIC_SEQ_CST);
	return false;
}

/*
 * Serve one connection after the other. Return when no connection has come
 * within the socket's time-out and enough other processes wait.
 */
static void serve(const struct listener *listener, unsigned char *state, unsigned connections,
		  pid_t parent)
{
	for (;;) {
		struct sockaddr_storage address;
		socklen_t bytes = sizeof(address);
		int fd = accept4(listener->fd, (struct sockaddr *)&address, &bytes, SOCK_CLOEXEC);

		if (fd < 0) {
			if (errno == EAGAIN && is_surplus(listener, state, connections))
				return;
			/* The kernel is probably out of some resource: wait a
			 * moment, then retry. */
			if (errno != EAGAIN && errno != ECONNABORTED)
				clock_sleep_until_ns(clock_now_ns() + ACCEPT_STEP_NS);
			continue;
		}
		__atomic_store_n(state, BUSY, __ATOMIC_SEQ_CST);
		if (memchr(listener->states, WAITING, connections) == NULL)
			kill(parent, SIGUSR1);
		serve_one(fd, &address, bytes);
		__atomic_store_n(state, WAITING, __ATOMIC_SEQ_CST);
	}
}

/* Start a process. At least one state must be FREE. */
static int start_process(struct listener *listener, unsigned connections)
{
	unsigned char *state = memchr(listener->states, FREE, connections);
	pid_t parent = getpid(), child;

	*state = WAITING;
	child = fork();
	if (child < 0) {
		*state = FREE;
		return -errno;
	}
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* Exit if the parent died before the prctl(): no signal will
		 * come. */
		if (getppid() == parent)
			serve(listener, state, connections, parent);
		_exit(0);
	}
	listener->processes[state - listener->states] = child;
	return 0;
}

/* Start processes until there are enough spare ones. Return 0, or -errno if
 * there is no process at all. */
static int start_spares(struct listener *listener, unsigned connections)
{
	unsigned waiting = count_in(listener, WAITING, connections);
	unsigned room = count_in(listener, FREE, connections);
	int rc = 0;

	if (room == 0 && waiting == 0 && !listener->warned_full)
		message_warning("%s: all %u connections are in use; further clients wait",
				listener->name, connections);
	listener->warned_full |= room == 0 && waiting == 0;
	for (; waiting < SPARE && room > 0 && rc == 0; waiting++, room--)
		rc = start_process(listener, connections);
	if (rc < 0)
		message_warning(
			"%s: cannot fork a process for the next client: %s; some clients wait",
			listener->name, strerror(-rc));
	return rc < 0 && count_in(listener, FREE, connections) == connections ? rc : 0;
}

/* Reap the processes that have ended. */
static void reap(struct server *server)
{
	pid_t child;
	unsigned i, at;

	while ((child = waitpid(-1, NULL, WNOHANG)) > 0) {
		for (i = 0; i < server->listener_count; i++) {
			struct listener *listener = &server->listeners[i];

			for (at = 0; at < server->connections; at++) {
				if (listener->processes[at] != child)
					continue;
				listener->processes[at] = 0;
				listener->states[at] = FREE;
			}
		}
	}
}

int server_run(struct server *server, struct error *error)
{
	int number = 0, rc = 0;
	sigset_t set;
	unsigned i;

	get_signals(&set);
	while (number != SIGINT && number != SIGTERM && number != SIGHUP) {
		reap(server);
		for (i = 0; i < server->listener_count && rc == 0; i++)
			rc = start_spares(&server->listeners[i], server->connections);
		if (rc < 0) {
			error_set(error, "cannot fork a process for clients: %s", strerror(-rc));
			return rc;
		}
		number = sigwaitinfo(&set, NULL);
	}
	return 0;
}

static void close_listener(struct listener *listener, unsigned connections)
{
	unsigned i;

	for (i = 0; listener->processes != NULL && i < connections; i++)
		if (listener->processes[i] > 0)
			kill(listener->processes[i], SIGKILL);
	for (i = 0; listener->processes != NULL && i < connections; i++)
		if (listener->processes[i] > 0)
			waitpid(listener->processes[i], NULL, 0);
	free(listener->processes);
	if (listener->states != NULL)
		munmap(listener->states, connections);
	close(listener->fd);
}

void server_close(struct server *server)
{
	unsigned i;

	for (i = 0; i < server->listener_count; i++)
		close_listener(&server->listeners[i], server->connections);
	server->listener_count = 0;
}
