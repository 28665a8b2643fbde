/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of how the NFSv3 engine finds out that a server has lost data: by how a
 * WRITE was committed, and by write verifiers.
 *
 * The engine ends a session whose connection breaks. So it talks to the server
 * through a relay, whose connection to the engine survives a restart of the
 * server, and which can change the end of a reply. The tests run on the target
 * in the environment variable THRONG_NFS3_URL, if it is set; its port is
 * THRONG_RELAY_PORT, and that of the server THRONG_NFS_PORT. When a file with
 * the name in THRONG_RESTART exists, the caller restarts the server and then
 * removes the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "target/backend.h"
#include "target/backends.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	REPLY_BYTES = 4 << 20,
	/* The ends of the replies to WRITE (count, committed, verifier) and to
	 * COMMIT (verifier). */
	VERIFIER_AT_END = 8,
	COMMITTED_AT_END = 12,
};

/* Values of stable_how in RFC 1813. */
enum { UNSTABLE, DATA_SYNC, FILE_SYNC };

/* Memory that the tests share with the relay. */
static struct relay {
	atomic_uint replies; /* number of replies forwarded */
	/* If `distance` is not 0, XOR the byte at this distance from the end
	 * of the next reply with `mask`. */
	atomic_uint distance, mask;
} *relay;

static struct target target;
static struct backend_session *session;

#define B(slot, ...) target.backend->slot(session, ##__VA_ARGS__)

static bool move_all(int from, int to, char *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t moved = from >= 0 ? recv(from, buffer + done, size - done, 0)
					  : send(to, buffer + done, size - done, MSG_NOSIGNAL);

		if (moved <= 0)
			return false;
		done += (size_t)moved;
	}
	return true;
}

/* Forward one reply, a record of one fragment (RFC 5531, 11). Return false at
 * the end of a connection. */
static bool forward_reply(int server, int client)
{
	static char reply[REPLY_BYTES];
	uint32_t mark;
	size_t size;

	if (!move_all(server, -1, reply, sizeof(mark)))
		return false;
	memcpy(&mark, reply, sizeof(mark));
	size = ntohl(mark) & 0x7fffffff;
	if (size > sizeof(reply) - sizeof(mark) ||
	    !move_all(server, -1, reply + sizeof(mark), size))
		return false;
	size += sizeof(mark);
	if (relay->distance > 0) {
		reply[size - relay->distance] ^= (char)relay->mask;
		relay->distance = 0;
	}
	relay->replies++;
	return move_all(-1, client, reply, size);
}

static int dial(unsigned port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool forward_calls(int client, int server)
{
	static char calls[REPLY_BYTES];
	ssize_t size = recv(client, calls, sizeof(calls), 0);

	return size > 0 && move_all(-1, server, calls, (size_t)size);
}

/* Connect to the server when the client sends something, and again when the
 * server has closed the connection. */
static void serve(int client, unsigned server_port)
{
	int server = -1;

	for (;;) {
		struct pollfd fds[2] = {
			{.fd = client, .events = POLLIN},
			{.fd = server, .events = POLLIN},
		};

		if (poll(fds, 2, -1) < 0)
			break;
		if (fds[1].revents != 0 && !forward_reply(server, client)) {
			close(server);
			server = -1;
			continue;
		}
		while (fds[0].revents != 0 && server < 0) {
			server = dial(server_port);
			if (server < 0)
				usleep(10000);
		}
		if (fds[0].revents != 0 && !forward_calls(client, server))
			break;
	}
	close(client);
	close(server);
}

static pid_t start_relay(unsigned port, unsigned server_port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int listener = socket(AF_INET, SOCK_STREAM, 0), client;
	pid_t pid;

	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 5) < 0)
		return -1;
	pid = fork();
	if (pid != 0) {
		close(listener);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while ((client = accept(listener, NULL, NULL)) >= 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve(client, server_port);
			_exit(0);
		}
		close(client);
	}
	_exit(1);
}

/* Change the next reply of the server. */
static void change_reply(unsigned distance_from_end, unsigned mask)
{
	relay->mask = mask;
	relay->distance = distance_from_end;
}

static void change_verifier(void)
{
	change_reply(VERIFIER_AT_END, 0x80);
}

/* Change how the next WRITE is committed. */
static void change_committed(unsigned from, unsigned to)
{
	/* The last byte of the four. */
	change_reply(COMMITTED_AT_END - 3, from ^ to);
}

static struct backend_path at(const char *name)
{
	return (struct backend_path){.text = name};
}

static int64_t open_file(uint64_t flags)
{
	struct backend_path path = at("t/file");
	int64_t handle = B(open, &path, flags | OPEN_CREATE | OPEN_READ | OPEN_WRITE);

	assert_true(handle >= 0);
	return handle;
}

static int64_t put(int64_t handle)
{
	return B(write, handle, "data", 4, 0);
}

static int64_t call(enum procedure procedure, const char *name)
{
	struct backend_path path = at(name);
	struct backend_call made = {
		.procedure = procedure,
		.path = &path,
		.data = "data",
		.size = 4,
	};

	return B(procedure, &made);
}

static void a_commit_makes_writes_durable(void **state)
{
	int64_t handle = open_file(0);

	assert_int_equal(put(handle), 4);
	assert_false(B(wrote_stable));
	assert_int_equal(B(fsync, handle), 0);
	assert_int_equal(put(handle), 4);
	assert_int_equal(B(close, handle), 0);
	handle = open_file(OPEN_SYNC);
	assert_int_equal(put(handle), 4);
	assert_true(B(wrote_stable));
	assert_int_equal(B(close, handle), 0);
}

static void a_write_less_stable_than_asked_for_fails(void **state)
{
	int64_t handle = open_file(OPEN_SYNC);

	change_committed(FILE_SYNC, UNSTABLE);
	assert_int_equal(put(handle), -EREMOTEIO);
	change_committed(FILE_SYNC, DATA_SYNC);
	assert_int_equal(put(handle), -EREMOTEIO);
	change_committed(FILE_SYNC, 9);
	assert_int_equal(put(handle), -EREMOTEIO);
	assert_int_equal(put(handle), 4);
	assert_int_equal(B(close, handle), 0);
}

static void a_write_that_the_server_commits_itself_is_durable(void **state)
{
	int64_t handle = open_file(0);
	unsigned replies;

	change_committed(UNSTABLE, DATA_SYNC);
	assert_int_equal(put(handle), 4);
	assert_true(B(wrote_stable));
	replies = relay->replies;
	assert_int_equal(B(close, handle), 0);
	assert_int_equal(relay->replies, replies); /* without a COMMIT */
}

static void a_commit_with_another_verifier_fails(void **state)
{
	int64_t handle = open_file(0);

	assert_int_equal(put(handle), 4);
	change_verifier();
	assert_int_equal(B(fsync, handle), -EIO);
	assert_int_equal(B(fsync, handle), 0);
	assert_int_equal(put(handle), 4);
	change_verifier();
	assert_int_equal(B(close, handle), -EIO);
}

static void a_commit_of_writes_that_disagree_fails(void **state)
{
	int64_t handle = open_file(0);

	change_verifier();
	assert_int_equal(put(handle), 4);
	assert_int_equal(put(handle), 4);
	assert_int_equal(B(fsync, handle), -EIO);
	assert_int_equal(B(close, handle), 0);
}

static void a_commit_is_for_all_open_files_of_a_file(void **state)
{
	int64_t one = open_file(0), other = open_file(0);

	assert_int_equal(put(one), 4);
	change_verifier();
	assert_int_equal(B(fsync, other), -EIO);
	assert_int_equal(B(close, one), 0);
	assert_int_equal(B(close, other), 0);
}

static void single_calls_have_verifiers(void **state)
{
	assert_int_equal(call(PROCEDURE_NFS_CREATE, "t/file"), 0);
	assert_int_equal(call(PROCEDURE_NFS_CREATE, "t/file2"), 0);
	assert_int_equal(call(PROCEDURE_NFS_WRITE, "t/file"), 4);
	assert_false(B(wrote_stable));
	change_committed(UNSTABLE, FILE_SYNC);
	assert_int_equal(call(PROCEDURE_NFS_WRITE, "t/file2"), 4);
	assert_true(B(wrote_stable));
	change_verifier();
	assert_int_equal(call(PROCEDURE_NFS_COMMIT, "t/file2"), 0);
	change_verifier();
	assert_int_equal(call(PROCEDURE_NFS_COMMIT, "t/file"), -EIO);
	assert_int_equal(call(PROCEDURE_NFS_COMMIT, "t/file"), 0);
	assert_int_equal(call(PROCEDURE_NFS_REMOVE, "t/file2"), 0);
}

static void a_restart_of_the_server_is_noticed(void **state)
{
	const char *name = getenv("THRONG_RESTART");
	int64_t handle = open_file(0), other;
	struct backend_path path = at("t/file2");

	other = B(open, &path, OPEN_CREATE | OPEN_WRITE);
	assert_true(other >= 0);
	assert_int_equal(B(write, other, "data", 4, 0), 4);
	assert_int_equal(B(fsync, other), 0);
	assert_int_equal(put(handle), 4);
	close(open(name, O_CREAT | O_WRONLY, 0600));
	while (access(name, F_OK) == 0)
		usleep(10000);
	assert_int_equal(B(fsync, handle), -EIO);
	/* The file that was committed before the restart lost nothing. */
	assert_int_equal(B(write, other, "data", 4, 4), 4);
	assert_int_equal(B(fsync, other), 0);
	assert_int_equal(B(close, other), 0);
	assert_int_equal(put(handle), 4);
	assert_int_equal(B(close, handle), 0);
	assert_int_equal(B(unlink, &path), 0);
}

static int enter(void **state)
{
	struct backend_path path = at("t");

	if (target.backend->session_open(&target, 0, &session) < 0)
		return -1;
	return B(mkdir, &path);
}

static int leave(void **state)
{
	struct backend_path path = at("t"), file = at("t/file");
	int rc = B(unlink, &file);

	if (rc == 0)
		rc = B(rmdir, &path);
	B(session_close);
	return rc;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

static unsigned port_in(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL ? (unsigned)strtoul(value, NULL, 10) : 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_commit_makes_writes_durable),
		TEST(a_write_less_stable_than_asked_for_fails),
		TEST(a_write_that_the_server_commits_itself_is_durable),
		TEST(a_commit_with_another_verifier_fails),
		TEST(a_commit_of_writes_that_disagree_fails),
		TEST(a_commit_is_for_all_open_files_of_a_file),
		TEST(single_calls_have_verifiers),
		TEST(a_restart_of_the_server_is_noticed),
	};
	const char *url = getenv("THRONG_NFS3_URL");
	struct error error = {0};
	pid_t pid;
	int failed;

	if (url == NULL)
		return 77;
	relay = mmap(NULL, sizeof(*relay), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	pid = start_relay(port_in("THRONG_RELAY_PORT"), port_in("THRONG_NFS_PORT"));
	if (relay == MAP_FAILED || pid < 0) {
		print_error("cannot start the relay\n");
		return 1;
	}
	if (target_parse(url, &target, &error) < 0) {
		print_error("%s\n", error.text);
		return 1;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	target_free(&target);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return failed > 0;
}
