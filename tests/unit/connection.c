/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The deadlines of a connection of the server, and of one of a user of a tcp:
 * target, in simulated time. The peer is simulated as well: this file replaces
 * recv() and send() of the C library by functions that wait for it as the
 * kernel does, with the socket's time-outs.
 */
#include "unit.h"

#include "base/network.h"
#include "serve/connection.h"
#include "simulated.h"
#include "target/target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>

enum { TIMEOUT_S = 20, PEER_STEPS = 1200 };

#define BEGIN_NS (1000 * NS_PER_S)

/* The client sends bytes at a time. After the last step it hangs up. */
struct peer_step {
	uint64_t at_ns;
	const void *bytes; /* NULL: any */
	size_t size;
};

/* A client, and the state of the connection to it. */
struct peer {
	struct peer_step steps[PEER_STEPS];
	size_t count, done;
	size_t taken;      /* of the current step's bytes */
	size_t room;       /* bytes of a reply that the client will read at once */
	uint64_t pause_ns; /* before it reads as many again */
	bool is_deaf;      /* it reads no more after that */
	uint64_t sent;     /* bytes of replies */
	struct connection connection;
	int fd;
	const char *why;
};

/* The client of the connection that is tested; NULL: use the real functions. */
static struct peer *peer;

/* Return the time-out of the socket. */
static uint64_t timeout_ns(int fd, int option)
{
	struct timeval timeout;
	socklen_t size = sizeof(timeout);

	assert_int_equal(getsockopt(fd, SOL_SOCKET, option, &timeout, &size), 0);
	return (uint64_t)timeout.tv_sec * NS_PER_S + (uint64_t)timeout.tv_usec * NS_PER_US;
}

static void pass_until(uint64_t at_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (at_ns > now_ns)
		simulated_pass(at_ns - now_ns);
}

/* Take up to `size` bytes of the current step. */
static size_t take(void *buffer, size_t size)
{
	const struct peer_step *step = &peer->steps[peer->done];
	size_t part = step->size - peer->taken;

	if (part > size)
		part = size;
	if (buffer != NULL && step->bytes != NULL)
		memcpy(buffer, (const char *)step->bytes + peer->taken, part);
	peer->taken += part;
	if (peer->taken == step->size) {
		peer->done++;
		peer->taken = 0;
	}
	return part;
}

ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
	uint64_t end_ns;
	size_t got = 0;

	if (peer == NULL)
		return syscall(SYS_recvfrom, fd, buffer, size, flags, NULL, NULL);
	end_ns = clock_now_ns() + timeout_ns(fd, SO_RCVTIMEO);
	while (got < size && (got == 0 || (flags & MSG_WAITALL) != 0)) {
		const struct peer_step *step = &peer->steps[peer->done];

		if (peer->done == peer->count)
			break;
		if (step->at_ns > end_ns) {
			pass_until(end_ns);
			if (got > 0)
				break;
			errno = EAGAIN;
			return -1;
		}
		pass_until(step->at_ns);
		got += take((flags & MSG_TRUNC) != 0 ? NULL : (char *)buffer + got, size - got);
	}
	return (ssize_t)got;
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	size_t part;

	if (peer == NULL)
		return syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0);
	if (peer->is_deaf || peer->pause_ns > timeout_ns(fd, SO_SNDTIMEO)) {
		simulated_pass(timeout_ns(fd, SO_SNDTIMEO));
		errno = EAGAIN;
		return -1;
	}
	part = peer->room < size ? peer->room : size;
	if (part < size)
		simulated_pass(peer->pause_ns);
	peer->sent += part;
	return (ssize_t)part;
}

static int set_up(void **state)
{
	struct peer *made = calloc(1, sizeof(*made));

	made->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	made->room = SIZE_MAX;
	assert_int_equal(network_set_timeout(made->fd, TIMEOUT_S * NS_PER_S), 0);
	connection_prepare(&made->connection, TIMEOUT_S);
	simulated_begin(BEGIN_NS);
	*state = peer = made;
	return 0;
}

static int tear_down(void **state)
{
	peer = NULL;
	simulated_end();
	close(((struct peer *)*state)->fd);
	free(*state);
	return 0;
}

/* Let the client send bytes at a time in seconds. */
static void says(double at_s, const void *bytes, size_t size)
{
	assert_true(peer->count < PEER_STEPS);
	peer->steps[peer->count++] = (struct peer_step){
		BEGIN_NS + (uint64_t)(at_s * 1e9),
		bytes,
		size,
	};
}

/* Let it send the head of a request. */
static void asks(double at_s, uint32_t bytes, uint32_t reply_bytes)
{
	static unsigned char heads[4][PACKET_HEAD_BYTES];
	static unsigned next;
	unsigned char *head = heads[next++ % LENGTH(heads)];

	packet_put_request(head, bytes, reply_bytes);
	says(at_s, head, PACKET_HEAD_BYTES);
}

/* Serve the client until the connection ends. Return its result. */
static int serve(void)
{
	peer->why = "";
	return connection_answer(&peer->connection, peer->fd, &peer->why);
}

/* Serve the client, and expect that the server ends the connection for this
 * reason at this time, or up to a second later. */
static void expect_end(double at_s, const char *why)
{
	double end_s;

	assert_true(serve() < 0);
	assert_string_equal(peer->why, why);
	end_s = (double)(clock_now_ns() - BEGIN_NS) / 1e9;
	if (end_s < at_s || end_s > at_s + 1)
		fail_msg("end after %g s, not %g s", end_s, at_s);
}

/* A byte per second after the head never lets the socket time out. */
static void a_request_in_drips_has_a_deadline(void **state)
{
	unsigned i;

	asks(5, PACKET_BYTES_MAX, PACKET_HEAD_BYTES);
	for (i = 1; i < 1000; i++)
		says(5 + i, NULL, 1);
	expect_end(5 + TIMEOUT_S, "client takes too long to send a request");
	assert_int_equal(peer->sent, 0);
}

static void a_head_in_drips_has_a_deadline(void **state)
{
	unsigned i;

	for (i = 0; i < PACKET_HEAD_BYTES; i++)
		says(4 * i, "", 1);
	expect_end(TIMEOUT_S, "client takes too long to send a request");
}

static void half_a_request_has_a_deadline(void **state)
{
	asks(1, 2 * PACKET_HEAD_BYTES, PACKET_HEAD_BYTES);
	says(3000, NULL, PACKET_HEAD_BYTES);
	expect_end(1 + TIMEOUT_S, "client sent half a request");
}

/* The time-out counts from the beginning of the request. */
static void a_part_of_a_head_has_a_deadline(void **state)
{
	says(1, "", 1);
	says(TIMEOUT_S - 4, "", 1);
	says(3000, "", 1);
	expect_end(1 + TIMEOUT_S, "client sent half a request");
}

/* The deadline is that of a request. The next one has the full time-out, as has
 * the socket. */
static void each_request_has_its_own_deadline(void **state)
{
	unsigned char head[PACKET_HEAD_BYTES];
	unsigned i;

	packet_put_request(head, 16, PACKET_HEAD_BYTES);
	for (i = 0; i < 4; i++) {
		says(100 * i, head, 3);
		says(100 * i + 10, head + 3, 5);
		says(100 * i + TIMEOUT_S - 1, NULL, 8);
	}
	assert_int_equal(serve(), 0);
	assert_int_equal(peer->sent, 4 * PACKET_HEAD_BYTES);
	assert_int_equal(timeout_ns(peer->fd, SO_RCVTIMEO), TIMEOUT_S * NS_PER_S);
	assert_int_equal(timeout_ns(peer->fd, SO_SNDTIMEO), TIMEOUT_S * NS_PER_S);
}

static void idle_clients_have_no_deadline(void **state)
{
	unsigned i;

	for (i = 0; i < 3; i++)
		asks(3600 * i + 7, PACKET_HEAD_BYTES, PACKET_HEAD_BYTES);
	assert_int_equal(serve(), 0);
	assert_int_equal(peer->sent, 3 * PACKET_HEAD_BYTES);
	assert_string_equal(peer->why, "");
}

/* The client reads 100 bytes per second. */
static void a_reply_in_drips_has_a_deadline(void **state)
{
	asks(3, PACKET_HEAD_BYTES, PACKET_BYTES_MAX);
	peer->room = 100;
	peer->pause_ns = NS_PER_S;
	expect_end(3 + TIMEOUT_S + 1, "client takes too long to read a reply");
	assert_true(peer->sent < PACKET_BYTES_MAX);
}

static void a_slow_reply_may_take_its_time(void **state)
{
	asks(0, PACKET_HEAD_BYTES, PACKET_BYTES_MAX);
	peer->room = PACKET_BYTES_MAX / 10;
	peer->pause_ns = NS_PER_S;
	assert_int_equal(serve(), 0);
	assert_int_equal(peer->sent, PACKET_BYTES_MAX);
}

static void a_client_that_reads_nothing_is_left(void **state)
{
	asks(3, PACKET_HEAD_BYTES, PACKET_BYTES_MAX);
	peer->is_deaf = true;
	expect_end(3 + TIMEOUT_S, "client does not read replies");
}

static void a_client_may_hang_up_between_requests_only(void **state)
{
	asks(0, 100, PACKET_HEAD_BYTES);
	says(1, NULL, 50);
	expect_end(1, "client hung up in the middle of a request");
}

/* Connect a user of a tcp: target to a socket that listens. The server answers
 * the first packet, as `throng serve` does. */
static struct backend_session *connect_to(int fd, struct target *target)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);
	struct backend_session *session;
	struct error error = {0};
	char url[64];

	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	snprintf(url, sizeof(url), "tcp://127.0.0.1:%u", ntohs(address.sin_port));
	assert_int_equal(target_parse(url, target, &error), 0);
	target->timeout_s = TIMEOUT_S;
	asks(0, PACKET_HEAD_BYTES, PACKET_HEAD_BYTES);
	assert_int_equal(target->backend->session_open(target, 0, &session), 0);
	return session;
}

/* The time-out of a user is that of an exchange, not of each part of it. */
static void a_server_that_answers_in_drips_is_left(void **state)
{
	enum { BYTES = 1000 };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct target target;
	struct backend_session *session = connect_to(fd, &target);
	double end_s;
	unsigned i;

	asks(1, BYTES, BYTES);
	for (i = PACKET_HEAD_BYTES; i < BYTES; i++)
		says(i, NULL, 1);
	assert_int_equal(target.backend->exchange(session, PACKET_HEAD_BYTES, BYTES), -ETIMEDOUT);
	end_s = (double)(clock_now_ns() - BEGIN_NS) / 1e9;
	expect_near(end_s, TIMEOUT_S, 1.5);
	target.backend->session_close(session);
	target_free(&target);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_connection(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_request_in_drips_has_a_deadline),
		TEST(a_head_in_drips_has_a_deadline),
		TEST(half_a_request_has_a_deadline),
		TEST(a_part_of_a_head_has_a_deadline),
		TEST(each_request_has_its_own_deadline),
		TEST(idle_clients_have_no_deadline),
		TEST(a_reply_in_drips_has_a_deadline),
		TEST(a_slow_reply_may_take_its_time),
		TEST(a_client_that_reads_nothing_is_left),
		TEST(a_client_may_hang_up_between_requests_only),
		TEST(a_server_that_answers_in_drips_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
