/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/wire.h"

#include "base/message.h"
#include "base/process.h"
#include "hosts/payload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Longest wait for a message: signals are looked at between two. */
enum { WAIT_MS = 100 };

struct wire {
	struct link controller, crew;
	pid_t crew_pid;      /* 0: it has ended */
	struct payload view; /* the last state of the point, for BEAT */
	bool cleaned;        /* the crew has removed all files */
	bool ended;          /* END came: all is said */
	bool playing;        /* a point is played */
	bool leaving;        /* nothing is sent to the controller any more */
	uint64_t heard_ns;   /* when the controller was heard last */
};

/* Begin to leave: the crew sees the end of its link, and is interrupted if it plays. */
static void leave(struct wire *wire)
{
	wire->leaving = true;
	if (wire->crew.out_fd >= 0)
		shutdown(wire->crew.out_fd, SHUT_WR);
	if (wire->crew_pid > 0)
		kill(wire->crew_pid, SIGTERM);
}

/* Send a message to the controller. If it is gone, leave: there is nobody to send
 * anything to. */
static void send_up(struct wire *wire, const struct message *message)
{
	if (!wire->leaving && link_send(&wire->controller, message) < 0)
		leave(wire);
}

/* Do what the controller asks, or let the crew do it. */
static void obey(struct wire *wire, const struct message *message)
{
	struct message answer = {.type = MESSAGE_PONG};

	switch (message->type) {
	case MESSAGE_PING:
		answer.numbers[0] = message->numbers[0];
		answer.numbers[1] = clock_now_ns();
		send_up(wire, &answer);
		break;
	case MESSAGE_BEAT:
		answer = (struct message){.type = MESSAGE_BEAT,
					  .payload = wire->view.text,
					  .bytes = wire->view.bytes};
		send_up(wire, &answer);
		break;
	case MESSAGE_END:
		wire->ended = true;
		break;
	case MESSAGE_STOP:
		if (wire->crew_pid > 0)
			kill(wire->crew_pid, SIGTERM);
		/* fall through */
	default:
		wire->playing |= message->type == MESSAGE_POINT;
		if (wire->crew_pid > 0)
			link_send(&wire->crew, message);
		break;
	}
}

static void take_controller(struct wire *wire)
{
	struct message message;
	int filled = link_fill(&wire->controller), rc;

	while ((rc = link_next(&wire->controller, &message)) > 0) {
		wire->heard_ns = clock_now_ns();
		obey(wire, &message);
	}
	if ((filled < 0 || rc < 0) && !wire->leaving)
		leave(wire);
}

/* Note that the crew has ended. */
static void lose_crew(struct wire *wire)
{
	struct message lost = {.type = MESSAGE_LOST};
	int status = 0;

	waitpid(wire->crew_pid, &status, 0);
	wire->crew_pid = 0;
	link_close(&wire->crew);
	if (wire->cleaned)
		return;
	lost.numbers[0] = WIFSIGNALED(status) ? (uint64_t)WTERMSIG(status) : 0;
	lost.numbers[1] = WIFEXITED(status) ? (uint64_t)WEXITSTATUS(status) : 0;
	send_up(wire, &lost);
}

static void take_crew(struct wire *wire)
{
	struct message message;
	int filled = link_fill(&wire->crew);

	while (link_next(&wire->crew, &message) > 0) {
		if (message.type == MESSAGE_BEAT) {
			wire->view.bytes = message.bytes < PAYLOAD_BYTES ? message.bytes
									 : PAYLOAD_BYTES - 1;
			memcpy(wire->view.text, message.payload, wire->view.bytes);
			continue;
		}
		wire->cleaned |= message.type == MESSAGE_LEFT;
		wire->playing &= message.type != MESSAGE_ENDED;
		send_up(wire, &message);
	}
	if (filled < 0)
		lose_crew(wire);
}

static int fork_crew(struct wire *wire, int (*crew)(struct link *controller))
{
	const pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	wire->crew_pid = fork();
	if (wire->crew_pid < 0)
		return -errno;
	if (wire->crew_pid == 0) {
		struct link controller;
		int null = open("/dev/null", O_RDWR), fd;

		/* The launcher may kill its group, and waits for whoever has its
		 * descriptors. */
		setsid();
		/* If the wire is killed, the users must end. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		for (fd = 0; fd <= message_descriptor(); fd++)
			dup2(null, fd);
		close(null);
		close(pair[0]);
		link_open(&controller, pair[1], pair[1]);
		controller.greeted = true;
		_exit(crew(&controller));
	}
	close(pair[1]);
	link_open(&wire->crew, pair[0], pair[0]);
	wire->crew.greeted = true;
	return 0;
}

void wire_make_raw(int fd)
{
	struct termios modes;

	if (tcgetattr(fd, &modes) == 0) {
		cfmakeraw(&modes);
		tcsetattr(fd, TCSANOW, &modes);
	}
}

/* Make standard input and output the link to the controller. What a library prints must
 * not get between the messages. */
static void open_controller(struct wire *wire)
{
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, message_descriptor() + 1);

	dup2(message_descriptor(), STDOUT_FILENO);
	wire_make_raw(out);
	link_open(&wire->controller, STDIN_FILENO, out);
	wire->controller.greeted = true;
}

static void greet(struct wire *wire)
{
	struct payload text = {.bytes = 0};
	struct machine machine;
	struct message hello = {.type = MESSAGE_HELLO, .payload = text.text};

	machine_describe(&machine);
	machine_print(&machine, &text);
	hello.bytes = text.bytes;
	send_up(wire, &hello);
}

/* Wait for messages, and take them. */
static void look(struct wire *wire)
{
	struct pollfd fds[] = {
		{.fd = !wire->leaving ? wire->controller.in_fd : -1, .events = POLLIN},
		{.fd = !wire->leaving && wire->controller.unsent_bytes > 0 ? wire->controller.out_fd
									   : -1,
		 .events = POLLOUT},
		{.fd = wire->crew_pid > 0 ? wire->crew.in_fd : -1, .events = POLLIN},
	};

	if (wire->crew_pid > 0 && wire->crew.unsent_bytes > 0)
		fds[2].events |= POLLOUT;
	poll(fds, sizeof(fds) / sizeof(fds[0]), WAIT_MS);
	link_flush(&wire->controller);
	if (wire->crew_pid > 0)
		link_flush(&wire->crew);
	if (fds[0].revents != 0)
		take_controller(wire);
	if (fds[2].revents != 0)
		take_crew(wire);
}

/* Check if the controller is silent. Between two points, its commands may take any time
 * (--before). */
static bool is_silent(const struct wire *wire)
{
	return wire->playing && clock_now_ns() > wire->heard_ns + HOSTS_PATIENCE_NS;
}

int wire_main(int (*crew)(struct link *controller))
{
	struct wire wire = {.heard_ns = clock_now_ns()};

	process_block_signals();
	if (fork_crew(&wire, crew) < 0)
		return 1;
	open_controller(&wire);
	greet(&wire);
	while (wire.crew_pid > 0 || (!wire.ended && !wire.leaving)) {
		look(&wire);
		if (!wire.leaving &&
		    (process_is_interrupt(process_wait_signal(0)) || is_silent(&wire)))
			leave(&wire);
	}
	link_close(&wire.controller);
	link_close(&wire.crew);
	return wire.cleaned ? 0 : 1;
}
