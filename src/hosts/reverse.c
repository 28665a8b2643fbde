/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/reverse.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "hosts/payload.h"
#include "hosts/relay.h"
#include "hosts/wire.h"
#include "target/backends.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time for all ranks to say where they are; for the hosts to end after the controller;
 * for MPI to end. */
#define MEET_NS (60 * NS_PER_S)
#define LEAVE_NS (5 * NS_PER_S)
enum { CLOSE_S = 10 };
/* Time for the last messages of rank 0 to reach the others. */
#define LAST_NS (200 * NS_PER_MS)
/* Pause between two looks of a rank that has nothing to do. */
#define SLEEP_NS (100 * NS_PER_MS)
/* Max number of processors that an affinity mask can name. */
enum { PROCESSORS_MAX = 8192 };

/* The first byte that a wire gets: serve. The first message of a rank: lead its host, or
 * sleep. The last one: leave MPI, or end without that, as a rank is lost. */
static const char lead[] = "L", rest[] = "S", leave[] = "E", lost[] = "X";

/* The processes of a rank. */
struct rank {
	void *module; /* has the table; never unloaded */
	const struct mpi *mpi;
	unsigned rank, size;
	pid_t wire, controller; /* 0: it has ended; the controller is rank 0's */
	int wire_fd, controller_fd;
	struct relay relay;
	bool all_leave;           /* no rank is lost: MPI can be left */
	struct machine *machines; /* of rank 0: where each rank is */
};

bool reverse_is_possible(const struct ranks *ranks)
{
	char path[PATH_MAX + 64];

	if (ranks->mpi == NULL)
		return false;
	backends_find_module(ranks->mpi, path, sizeof(path));
	return access(path, R_OK) == 0;
}

/*
 * The processes that a rank forks before it loads MPI, which does not like forks.
 */

/* Use all processors: mpiexec has bound the rank to one, and would so bind all users. */
static void unbind(void)
{
	cpu_set_t *all = CPU_ALLOC(PROCESSORS_MAX);
	size_t bytes = CPU_ALLOC_SIZE(PROCESSORS_MAX);

	if (all == NULL)
		return;
	memset(all, 0xff, bytes);
	sched_setaffinity(0, bytes, all);
	CPU_FREE(all);
}

/* Fork a process which survives when mpiexec kills this one, to clean up. */
static pid_t fork_survivor(void)
{
	const char *pmi = getenv("PMI_FD");
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	setsid();
	unbind();
	/* mpiexec waits for whoever has the descriptor. */
	if (pmi != NULL)
		close((int)strtol(pmi, NULL, 10));
	return 0;
}

/* Fork the wire. It begins when it gets a byte, and ends if there is none. */
static int fork_wire(struct rank *rank, int (*host)(int argc, const char **argv))
{
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	rank->wire = fork_survivor();
	if (rank->wire == 0) {
		close(pair[0]);
		if (read(pair[1], &byte, 1) != 1)
			_exit(0);
		dup2(pair[1], STDIN_FILENO);
		dup2(pair[1], STDOUT_FILENO);
		close(pair[1]);
		_exit(host(0, NULL));
	}
	close(pair[1]);
	rank->wire_fd = pair[0];
	return rank->wire < 0 ? -errno : 0;
}

/* Fork the controller. Return 1 there. */
static int fork_controller(struct rank *rank)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	rank->controller = fork_survivor();
	close(pair[rank->controller != 0 ? 1 : 0]);
	rank->controller_fd = pair[rank->controller != 0 ? 0 : 1];
	if (rank->controller == 0) {
		close(rank->wire_fd);
		wire_make_raw(STDOUT_FILENO);
	}
	return rank->controller == 0 ? 1 : rank->controller < 0 ? -errno : 0;
}

/* Give the controller a host. */
static int give_host(const struct rank *rank, const char *name, int fd)
{
	int rc = send(rank->controller_fd, name, strlen(name) + 1, 0) < 0 ? -errno : 0;

	if (rc == 0)
		rc = process_send_descriptor(rank->controller_fd, fd);
	close(fd);
	return rc;
}

/* Take the hosts, in the controller. If there are none, rank 0 says why. */
static int take_hosts(int fd, struct reverse *reverse)
{
	char *name, text[PAYLOAD_VALUE];
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	size_t count;
	ssize_t got;
	int link;

	while ((got = recv(fd, text, sizeof(text) - 1, 0)) > 0) {
		text[got] = '\0';
		poll(&ready, 1, -1);
		link = process_receive_descriptor(fd);
		name = strdup(text);
		count = reverse->count;
		if (link < 0 || name == NULL ||
		    array_append(&reverse->fds, &reverse->count, &link, sizeof(link)) < 0 ||
		    array_append(&reverse->names, &count, &name, sizeof(name)) < 0)
			break;
	}
	close(fd);
	name = NULL;
	count = reverse->count;
	if (got == 0 && count > 0 &&
	    array_append(&reverse->names, &count, &name, sizeof(name)) == 0)
		return 0;
	return -EIO;
}

/*
 * MPI.
 */

static int load(struct rank *rank, const struct ranks *ranks, struct error *error)
{
	char path[PATH_MAX + 64];

	backends_find_module(ranks->mpi, path, sizeof(path));
	rank->module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (rank->module != NULL)
		rank->mpi = dlsym(rank->module, MPI_TABLE);
	if (rank->mpi == NULL) {
		error_set(error, "cannot use %s: %s", ranks->mpi_name, dlerror());
		return -ENOENT;
	}
	if (rank->mpi->open(&rank->rank, &rank->size) < 0) {
		error_set(error, "MPI_Init of %s failed; see the messages of the MPI library",
			  ranks->mpi_name);
		return -EIO;
	}
	/* A library that does not know of what started it thinks that it is alone. */
	return rank->size == ranks->size && rank->rank == ranks->rank ? 0 : -ENXIO;
}

/* Send to a rank that reads. */
static void send_to(const struct rank *rank, unsigned to, const void *bytes, size_t count)
{
	uint64_t end_ns = clock_now_ns() + MEET_NS;

	while (rank->mpi->send(to, bytes, count) == 0 && clock_now_ns() < end_ns)
		clock_sleep_until_ns(clock_now_ns() + NS_PER_MS);
}

/* Wait for a message, which is ended by a NUL. Return its sender or -1. */
static int wait_for(const struct rank *rank, char bytes[MPI_BYTES + 1], uint64_t pause_ns,
		    uint64_t max_ns)
{
	uint64_t end_ns = clock_now_ns() + max_ns;
	size_t count = 0;
	int from;

	while ((from = rank->mpi->receive(bytes, &count)) < 0 && clock_now_ns() < end_ns)
		clock_sleep_until_ns(clock_now_ns() + pause_ns);
	bytes[count] = '\0';
	return from;
}

/* Return the lowest rank on the same machine. */
static unsigned leader_of(const struct rank *rank, unsigned number)
{
	const struct machine *machine = &rank->machines[number];
	unsigned i = 0;

	while (i < number &&
	       (machine->boot[0] == '\0' || strcmp(machine->boot, rank->machines[i].boot) != 0 ||
		strcmp(machine->network, rank->machines[i].network) != 0))
		i++;
	return i;
}

/* Find out where all ranks are, tell each what it is for, and give the controller its
 * hosts. */
static int meet(struct rank *rank, struct error *error)
{
	char bytes[MPI_BYTES + 1];
	unsigned i;
	int from, pair[2], rc;

	rank->machines = calloc(rank->size, sizeof(*rank->machines));
	if (rank->machines == NULL)
		return error_no_memory(error);
	machine_describe(&rank->machines[0]);
	for (i = 1; i < rank->size; i++) {
		from = wait_for(rank, bytes, NS_PER_MS, MEET_NS);
		if (from < 0) {
			error_set(error,
				  "not all of the %u MPI ranks answered within %u s; check the "
				  "network between the hosts",
				  rank->size, (unsigned)(MEET_NS / NS_PER_S));
			return -ETIMEDOUT;
		}
		machine_parse(bytes, &rank->machines[from]);
	}
	rc = send(rank->wire_fd, lead, 1, 0) < 0 ? -errno : 0;
	if (rc == 0)
		rc = give_host(rank, rank->machines[0].name, rank->wire_fd);
	rank->wire_fd = -1;
	for (i = 1; i < rank->size && rc == 0; i++) {
		bool leads = leader_of(rank, i) == i;

		send_to(rank, i, leads ? lead : rest, 1);
		if (!leads)
			continue;
		rc = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 ? -errno : 0;
		if (rc == 0)
			rc = give_host(rank, rank->machines[i].name, pair[1]);
		if (rc == 0)
			rc = relay_add(&rank->relay, i, pair[0]);
	}
	if (rc < 0)
		error_set(error, "cannot open connections to the hosts: %s", strerror(-rc));
	close(rank->controller_fd);
	return rc;
}

/* Let the other ranks end, and the messages about this reach them. */
static void dismiss(struct rank *rank)
{
	char bytes[MPI_BYTES + 1];
	unsigned i;

	rank->all_leave = relay_is_over(&rank->relay);
	for (i = 1; i < rank->size; i++)
		if (rank->all_leave)
			send_to(rank, i, leave, 1);
		else
			rank->mpi->send(i, lost, 1);
	if (!rank->all_leave)
		wait_for(rank, bytes, NS_PER_MS, LAST_NS);
}

/* Relay what the controller and the other hosts say, until all have ended. Return the
 * exit status of the controller. */
static int serve_controller(struct rank *rank)
{
	uint64_t end_ns = CLOCK_NEVER;
	int status = 0, number;

	while ((rank->controller > 0 || !relay_is_over(&rank->relay)) && clock_now_ns() < end_ns) {
		relay_step(&rank->relay);
		number = process_wait_signal(0);
		if (process_is_interrupt(number) && rank->controller > 0)
			kill(rank->controller, number);
		if (rank->controller > 0 && waitpid(rank->controller, &status, WNOHANG) > 0) {
			rank->controller = 0;
			end_ns = clock_now_ns() + LEAVE_NS;
		}
	}
	dismiss(rank);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

/* Relay what rank 0 and the wire say, or sleep. */
static void serve_rank_0(struct rank *rank)
{
	char bytes[MPI_BYTES + 1];
	struct payload text = {.bytes = 0};
	struct machine machine;
	uint64_t pause_ns;

	machine_describe(&machine);
	machine_print(&machine, &text);
	send_to(rank, 0, text.text, text.bytes);
	wait_for(rank, bytes, NS_PER_MS, CLOCK_NEVER / 2);
	if (bytes[0] != lead[0])
		close(rank->wire_fd);
	else if (send(rank->wire_fd, lead, 1, 0) < 0 ||
		 relay_add(&rank->relay, 0, rank->wire_fd) < 0)
		return;
	pause_ns = rank->relay.count > 0 ? NS_PER_MS : SLEEP_NS;
	while (!relay_is_over(&rank->relay) && rank->relay.list[0].last == 0) {
		relay_step(&rank->relay);
		/* mpiexec sends its signals to all: the controller decides. */
		process_wait_signal(0);
	}
	bytes[0] = rank->relay.count > 0 ? rank->relay.list[0].last : 0;
	if (bytes[0] == 0)
		wait_for(rank, bytes, pause_ns, CLOCK_NEVER / 2);
	rank->all_leave = bytes[0] == leave[0];
}

static int exit_status;

/* End although MPI waits for ranks that are gone. */
static void give_up(int number)
{
	(void)number;
	_exit(exit_status);
}

static void close_mpi(const struct rank *rank)
{
	sigset_t set;

	signal(SIGALRM, give_up);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm(CLOSE_S);
	rank->mpi->close();
	alarm(0);
}

int reverse_enter(const struct ranks *ranks, int (*host)(int argc, const char **argv),
		  struct reverse *reverse, int *status, struct error *error)
{
	struct rank rank = {.rank = ranks->rank};
	int rc = fork_wire(&rank, host);

	if (rc == 0 && ranks->rank == 0)
		rc = fork_controller(&rank);
	if (rc > 0) {
		reverse->ranks = ranks->size;
		rc = take_hosts(rank.controller_fd, reverse);
		return rc < 0 ? rc : 1;
	}
	if (rc < 0) {
		error_set(error, "cannot fork a process: %s", strerror(-rc));
		return rc;
	}
	process_block_signals();
	rc = load(&rank, ranks, error);
	rank.relay.mpi = rank.mpi;
	if (rc == 0 && rank.rank == 0)
		rc = meet(&rank, error);
	if (rc < 0)
		return rc;
	if (rank.rank == 0)
		exit_status = serve_controller(&rank);
	else
		serve_rank_0(&rank);
	*status = exit_status;
	if (!rank.all_leave)
		_exit(exit_status);
	close_mpi(&rank);
	relay_free(&rank.relay);
	free(rank.machines);
	return 0;
}

void reverse_free(struct reverse *reverse)
{
	size_t i;

	for (i = 0; i < reverse->count; i++)
		free(reverse->names[i]);
	free(reverse->names);
	free(reverse->fds);
	*reverse = (struct reverse){0};
}
