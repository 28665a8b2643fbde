/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "base/network.h"
#include "serve/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { TIMEOUT_S = 2, SMALL = 4096 };

/* A connection, and the process that serves its other end. */
struct scene {
	struct connection *connection;
	int fd;
	pid_t server;
	struct {
		int rc;
		char why[128];
	} *end; /* the server's result, in shared memory */
};

static void set_small(int fd)
{
	static const int bytes = SMALL;

	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes,
				    sizeof(bytes)), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes,
				    sizeof(bytes)), 0);
}

static void serve(struct scene *scene, int fd)
{
	const char *why = "";

	scene->end->rc = connection_answer(scene->connection, fd, &why);
	snprintf(scene->end->why, sizeof(scene->end->why), "%s", why);
	_exit(0);
}

static int set_up(void **state)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t bytes = sizeof(address);
	struct scene *scene = calloc(1, sizeof(*scene));
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;

	scene->connection = malloc(sizeof(*scene->connection));
	connection_prepare(scene->connection, TIMEOUT_S);
	scene->end = mmap(NULL, sizeof(*scene->end), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	set_small(listener);
	assert_int_equal(bind(listener, (struct sockaddr *)&address,
			      sizeof(address)), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address,
				     &bytes), 0);
	scene->fd = socket(AF_INET, SOCK_STREAM, 0);
	set_small(scene->fd);
	assert_int_equal(connect(scene->fd, (struct sockaddr *)&address,
				 sizeof(address)), 0);
	fd = accept(listener, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(network_set_timeout(fd, TIMEOUT_S), 0);
	fflush(NULL);
	scene->server = fork();
	assert_true(scene->server >= 0);
	if (scene->server == 0) {
		close(scene->fd);
		serve(scene, fd);
	}
	close(fd);
	close(listener);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	kill(scene->server, SIGKILL);
	waitpid(scene->server, NULL, 0);
	close(scene->fd);
	munmap(scene->end, sizeof(*scene->end));
	free(scene->connection);
	free(scene);
	return 0;
}

static void ask(const struct scene *scene, uint32_t bytes,
		uint32_t reply_bytes)
{
	unsigned char head[PACKET_HEAD_BYTES];

	packet_put_request(head, bytes, reply_bytes);
	assert_int_equal(send(scene->fd, head, sizeof(head), MSG_NOSIGNAL),
			 sizeof(head));
}

static void nap(void)
{
	clock_sleep_until_ns(clock_now_ns() + 50 * NS_PER_MS);
}

static bool has_ended(const struct scene *scene)
{
	siginfo_t info = {0};

	waitid(P_PID, (id_t)scene->server, &info, WEXITED | WNOHANG | WNOWAIT);
	return info.si_pid != 0;
}

/*
 * Check that the server has ended the connection for the reason `why`. If the
 * machine stalled, it may look to the server as if the client had stalled. The
 * server then gives the reason `or_why` instead.
 */
static void expect_end(struct scene *scene, const char *why, const char *or_why)
{
	assert_true(has_ended(scene));
	assert_true(scene->end->rc < 0);
	if (strcmp(scene->end->why, or_why) != 0)
		assert_string_equal(scene->end->why, why);
}

static void a_request_in_drips_has_a_deadline(void **state)
{
	struct scene *scene = *state;
	unsigned i;

	ask(scene, PACKET_BYTES_MAX, PACKET_HEAD_BYTES);
	for (i = 0; i < 400 && !has_ended(scene); i++) {
		send(scene->fd, "", 1, MSG_NOSIGNAL);
		nap();
	}
	expect_end(scene, "client takes too long to send a request",
		   "client sent half a request");
}

static void a_reply_in_drips_has_a_deadline(void **state)
{
	struct scene *scene = *state;
	char drip[256];
	unsigned i;

	ask(scene, PACKET_HEAD_BYTES, PACKET_BYTES_MAX);
	for (i = 0; i < 400 && !has_ended(scene); i++) {
		recv(scene->fd, drip, sizeof(drip), MSG_DONTWAIT);
		nap();
	}
	expect_end(scene, "client takes too long to read a reply",
		   "client does not read replies");
}

static void idle_clients_have_no_deadline(void **state)
{
	const struct scene *scene = *state;
	unsigned char reply[PACKET_HEAD_BYTES];
	unsigned i;

	for (i = 0; i < 2; i++) {
		ask(scene, PACKET_HEAD_BYTES, PACKET_HEAD_BYTES);
		assert_int_equal(recv(scene->fd, reply, sizeof(reply),
				      MSG_WAITALL),
				 sizeof(reply));
		clock_sleep_until_ns(clock_now_ns() +
				     (TIMEOUT_S + 1) * NS_PER_S);
		assert_false(has_ended(scene));
	}
}

int unit_connection(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_request_in_drips_has_a_deadline, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_reply_in_drips_has_a_deadline, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			idle_clients_have_no_deadline, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
