/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "smb2client/receive.h"

#include "base/clock.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	DATA = 4096, /* bytes that the read asks for */
	SEALED_DATA_AT = SMB2_TRANSFORM_BYTES + SMB2_HEADER_BYTES + 16,
};

/* A connection to ourselves, which expects the sealed reply to a READ. */
struct scene {
	struct smb2_connection connection;
	int server;
	uint8_t data[DATA];
};

static void begin(struct scene *scene)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	*scene = (struct scene){
		.connection.fd = fds[0],
		.connection.step_ns = NS_PER_S / 8,
		.connection.looked_ns = clock_now_ns(),
		.connection.seal = true,
		.connection.in = malloc(SMB2_IN_BYTES),
		.server = fds[1],
	};
	assert_non_null(scene->connection.in);
	memset(scene->connection.in, 0xee, SMB2_IN_BYTES);
	smb2_expect_data(&scene->connection, scene->data, DATA);
}

static void end(struct scene *scene)
{
	close(scene->connection.fd);
	close(scene->server);
	free(scene->connection.in);
}

/* Write a message after `at`, which looks sealed, with this fill. Return the
 * place after it. */
static uint8_t *put_message(uint8_t *at, size_t bytes, uint8_t fill)
{
	const uint8_t front[] = {
		0, 0, (uint8_t)(bytes >> 8), (uint8_t)bytes, 0xfd, 'S', 'M', 'B',
	};
	size_t i;

	for (i = 0; i < bytes; i++)
		at[SMB2_FRAME_BYTES + i] = (uint8_t)(fill + i * 7);
	memcpy(at, front, sizeof(front));
	return at + SMB2_FRAME_BYTES + bytes;
}

static int64_t receive(struct scene *scene, uint8_t **message)
{
	return smb2_receive(&scene->connection, smb2_now_ns(&scene->connection) + NS_PER_S,
			    message);
}

/* The break of an oplock is as long as a reply with a few bytes of data. */
static void a_message_without_data_is_put_together(void **state)
{
	enum { BREAK = SEALED_DATA_AT + 8 };
	uint8_t sent[SMB2_FRAME_BYTES + BREAK], *message;
	struct scene scene;

	begin(&scene);
	put_message(sent, BREAK, 1);
	assert_int_equal(write(scene.server, sent, sizeof(sent)), sizeof(sent));
	assert_int_equal(receive(&scene, &message), BREAK);
	assert_int_equal(scene.connection.apart, 8);
	assert_memory_equal(scene.data, sent + sizeof(sent) - 8, 8);
	smb2_put_together(&scene.connection);
	assert_int_equal(scene.connection.apart, 0);
	assert_memory_equal(message, sent + SMB2_FRAME_BYTES, BREAK);
	end(&scene);
}

/* The data goes into the buffer of the read, and the connection's buffer has a
 * gap there: for all messages before the reply, and all ends of segments. */
static void data_is_received_after_other_messages(void **state)
{
	static const size_t firsts[] = {
		SMB2_TRANSFORM_BYTES + SMB2_HEADER_BYTES + 9, /* interim */
		SEALED_DATA_AT + 8,
		600,
		DATA + 2 * SEALED_DATA_AT,
	};
	enum { AFTER = 120 };
	uint8_t sent[4 * DATA], *message, *reply, *after, *all;
	struct scene scene;
	size_t i, cut;

	for (i = 0; i < LENGTH(firsts) * 40; i++) {
		size_t first = firsts[i / 40];
		size_t data = i % 2 == 0 ? DATA : DATA - 500;

		begin(&scene);
		reply = put_message(sent, first, 1);
		after = put_message(reply, SEALED_DATA_AT + data, 2);
		all = put_message(after, AFTER, 3);
		cut = i % 40 * (size_t)(all - sent) / 39;
		assert_int_equal(write(scene.server, sent, cut), cut);
		if (cut < SMB2_FRAME_BYTES + first) {
			assert_int_equal(
				write(scene.server, sent + cut, (size_t)(all - sent) - cut),
				all - sent - (ptrdiff_t)cut);
			cut = (size_t)(all - sent);
		}
		assert_int_equal(receive(&scene, &message), first);
		if (scene.connection.apart > 0)
			smb2_put_together(&scene.connection);
		assert_memory_equal(message, sent + SMB2_FRAME_BYTES, first);
		assert_int_equal(write(scene.server, sent + cut, (size_t)(all - sent) - cut),
				 all - sent - (ptrdiff_t)cut);
		assert_int_equal(receive(&scene, &message), SEALED_DATA_AT + data);
		assert_int_equal(scene.connection.apart, data);
		assert_memory_equal(message, reply + SMB2_FRAME_BYTES, SEALED_DATA_AT);
		assert_memory_equal(scene.data, after - data, data);
		/* The next exchange finds the message after it. */
		smb2_expect_no_data(&scene.connection);
		memset(scene.data, 0xdd, DATA);
		assert_int_equal(receive(&scene, &message), AFTER);
		assert_int_equal(scene.connection.apart, 0);
		assert_memory_equal(message, after + SMB2_FRAME_BYTES, AFTER);
		end(&scene);
	}
}

/*
 * Receive a message that a busy server sends after 50 ms, with a deadline in
 * 100 s. `away_ns` is the time for which the machine has stood still since that
 * deadline was set. Return what smb2_receive() returns.
 */
static int64_t receive_late(struct scene *scene, uint64_t away_ns, uint8_t **message)
{
	const struct timespec busy = {.tv_nsec = 50000000};
	struct smb2_connection *connection = &scene->connection;
	uint8_t sent[SMB2_FRAME_BYTES + SMB2_HEADER_BYTES];
	uint64_t deadline_ns;
	int64_t size;
	pid_t server;

	/* The machine may not have been up for so long. */
	connection->paused_ns -= away_ns;
	deadline_ns = smb2_now_ns(connection) + 100 * NS_PER_S;
	/* Move what has been until now back by this time. */
	connection->looked_ns -= away_ns;
	put_message(sent, SMB2_HEADER_BYTES, 1);
	server = fork();
	assert_true(server >= 0);
	if (server == 0) {
		nanosleep(&busy, NULL);
		_exit(write(scene->server, sent, sizeof(sent)) != sizeof(sent));
	}
	size = smb2_receive(connection, deadline_ns - away_ns, message);
	assert_int_equal(waitpid(server, NULL, 0), server);
	return size;
}

/* The server did not run either, so its reply may come after the deadline. */
static void a_standstill_does_not_count(void **state)
{
	struct scene scene;
	uint8_t *message;

	begin(&scene);
	assert_int_equal(receive_late(&scene, 1000 * NS_PER_S, &message), SMB2_HEADER_BYTES);
	end(&scene);
}

static void the_limit_of_a_call_is_not_the_deadline(void **state)
{
	const struct timeval limit = {.tv_usec = 1000};
	struct scene scene;
	uint8_t *message;

	begin(&scene);
	assert_int_equal(
		setsockopt(scene.connection.fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	assert_int_equal(receive_late(&scene, 0, &message), SMB2_HEADER_BYTES);
	end(&scene);
}

/* A server that sends a byte now and then does not put the deadline off. */
static void bytes_do_not_extend_the_deadline(void **state)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	struct scene scene;
	uint8_t *message;
	pid_t server;

	begin(&scene);
	server = fork();
	assert_true(server >= 0);
	if (server == 0) {
		close(scene.connection.fd);
		/* The first bytes announce a message of 1 MiB. */
		while (send(scene.server, "\0\20\0\0", 4, MSG_NOSIGNAL) > 0)
			nanosleep(&pause, NULL);
		_exit(0);
	}
	close(scene.server);
	scene.server = -1;
	assert_int_equal(receive(&scene, &message), -ETIMEDOUT);
	end(&scene);
	assert_int_equal(waitpid(server, NULL, 0), server);
}

int unit_smb2_receive(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_without_data_is_put_together),
		cmocka_unit_test(data_is_received_after_other_messages),
		cmocka_unit_test(a_standstill_does_not_count),
		cmocka_unit_test(the_limit_of_a_call_is_not_the_deadline),
		cmocka_unit_test(bytes_do_not_extend_the_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
