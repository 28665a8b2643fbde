/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges over a connection to ourselves: the replies of the server lie ready
 * before the request is sent. */
#include "smb2.h"

#include "base/bytes.h"
#include "smb2client/exchange.h"
#include "smb2client/receive.h"

#include "base/clock.h"
#include "base/fibers.h"
#include "words/nt_status.h"

#include <errno.h>
#include <sys/socket.h>

enum {
	STATUS_IS_PENDING = 0x103,
	SESSION = 0x4711,
	DATA = 4096, /* bytes of a read */
	READ_DATA_AT = SMB2_HEADER_BYTES + 16,
	SIGNATURE_AT = 48,
	ECHO_BODY = 4,
};

struct scene {
	struct smb2_connection connection;
	struct smb2_exchange exchange;
	struct smb2_crypt crypt; /* of the server */
	int server;
};

static void open_scene(struct scene *scene)
{
	const struct smb2_keys keys = {
		.signing = "signing signing",
		.seal = "sealing sealing",
		.unseal = "sealing sealing",
	};
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	*scene = (struct scene){
		.connection =
			{
				.fd = fds[0],
				.timeout_ns = 60 * NS_PER_S,
				.step_ns = NS_PER_S,
				.looked_ns = clock_now_ns(),
				.stream.dialect = SMB3_11,
				.stream.credits = 100,
				.stream.session_id = SESSION,
				.in = malloc(SMB2_IN_BYTES),
			},
		.server = fds[1],
	};
	assert_int_equal(smb2_exchange_open(&scene->exchange, &scene->connection), 0);
	assert_int_equal(
		smb2_crypt_start(&scene->connection.crypt, SMB2_AES_CMAC, SMB2_AES128_GCM, &keys),
		0);
	assert_int_equal(smb2_crypt_start(&scene->crypt, SMB2_AES_CMAC, SMB2_AES128_GCM, &keys), 0);
}

static int set_up(void **state)
{
	struct scene *scene = malloc(sizeof(*scene));

	open_scene(scene);
	*state = scene;
	return 0;
}

static void close_scene(struct scene *scene)
{
	smb2_exchange_close(&scene->exchange);
	smb2_disconnect(&scene->connection);
	smb2_crypt_end(&scene->crypt);
	close(scene->server);
}

static int tear_down(void **state)
{
	close_scene(*state);
	free(*state);
	return 0;
}

static void start_again(struct scene *scene)
{
	close_scene(scene);
	open_scene(scene);
}

/* The reply of the server. */
struct answer {
	enum smb2_command command;
	uint64_t id;
	uint32_t status, flags;
	uint64_t async_id;
	uint16_t credits;
	bool is_signed;
	/* Change a byte of the reply after it has been protected. */
	size_t altered;
};

/* The last reply of a message ends with the message. */
static size_t put_answer(struct scene *scene, uint8_t *at, const struct answer *answer, bool last)
{
	bool reads = answer->command == SMB2_READ;
	size_t bytes = reads ? READ_DATA_AT + DATA : SMB2_HEADER_BYTES + ECHO_BODY;
	size_t size = last ? bytes : (bytes + 7) / 8 * 8;
	uint32_t flags = SMB2_FROM_SERVER | answer->flags | (answer->is_signed ? SMB2_SIGNED : 0);

	memset(at, 0, size);
	memcpy(at, "\xfeSMB", 4);
	put_le16(at + 4, SMB2_HEADER_BYTES);
	put_le32(at + 8, answer->status);
	put_le16(at + 12, (uint16_t)answer->command);
	put_le16(at + 14, answer->credits);
	put_le32(at + 16, flags);
	put_le32(at + 20, last ? 0 : (uint32_t)size);
	put_le64(at + 24, answer->id);
	put_le64(at + 32, answer->async_id);
	put_le64(at + 40, SESSION);
	put_le16(at + SMB2_HEADER_BYTES, reads ? 17 : ECHO_BODY);
	if (reads) {
		at[SMB2_HEADER_BYTES + 2] = READ_DATA_AT;
		put_le32(at + SMB2_HEADER_BYTES + 4, DATA);
		memset(at + READ_DATA_AT, 0x5a, DATA);
	}
	if (answer->is_signed)
		assert_int_equal(smb2_sign(&scene->crypt, at, size, NULL, 0, at + SIGNATURE_AT), 0);
	at[answer->altered] ^= answer->altered != 0;
	return size;
}

static void send_frame(struct scene *scene, const uint8_t *bytes, size_t size)
{
	uint32_t frame = htobe32((uint32_t)size);

	assert_int_equal(write(scene->server, &frame, sizeof(frame)), sizeof(frame));
	assert_int_equal(write(scene->server, bytes, size), size);
}

/* Let the server send a message with these replies. */
static void answer(struct scene *scene, const struct answer *answers, size_t count)
{
	uint8_t bytes[2 * (READ_DATA_AT + DATA)];
	size_t size = 0, i;

	for (i = 0; i < count; i++)
		size += put_answer(scene, bytes + size, &answers[i], i + 1 == count);
	send_frame(scene, bytes, size);
}

/* Let the server send a reply that is sealed. */
static void answer_sealed(struct scene *scene, const struct answer *one, bool altered)
{
	uint8_t bytes[SMB2_TRANSFORM_BYTES + READ_DATA_AT + DATA + SMB2_TAG_BYTES];
	size_t size = put_answer(scene, bytes + SMB2_TRANSFORM_BYTES, one, true);

	assert_int_equal(smb2_seal(&scene->crypt, bytes, size, NULL, 0, SESSION), 0);
	bytes[SMB2_TRANSFORM_BYTES + size - 1] ^= altered;
	send_frame(scene, bytes, SMB2_TRANSFORM_BYTES + size);
}

/* Send `count` ECHO requests in one message. */
static int exchange_echoes(struct scene *scene, unsigned count)
{
	smb2_connection_begin(&scene->exchange);
	while (count-- > 0)
		put_le16(smb2_request(&scene->exchange, SMB2_ECHO, 1, ECHO_BODY), ECHO_BODY);
	return smb2_connection_exchange(&scene->exchange, NULL, 0);
}

static int exchange_echo(struct scene *scene)
{
	return exchange_echoes(scene, 1);
}

/* Send an ECHO, and expect that its reply ends the connection. */
static void expect_broken(struct scene *scene, const char *cause)
{
	assert_int_equal(exchange_echo(scene), -ECONNABORTED);
	assert_int_equal(scene->connection.lost, -ECONNABORTED);
	assert_string_equal(scene->connection.cause, cause);
	/* Nothing is sent any more. */
	assert_int_equal(exchange_echo(scene), -ECONNABORTED);
}

static const struct answer bare = {.command = SMB2_ECHO},
			   trusted = {.command = SMB2_ECHO, .is_signed = true};

static void a_signed_session_accepts_signed_replies_only(void **state)
{
	static const size_t places[] = {
		8, 12, SIGNATURE_AT, SIGNATURE_AT + 15, SMB2_HEADER_BYTES + 2,
	};
	struct scene *scene = *state;
	struct answer altered = trusted;
	size_t i;

	scene->connection.sign = true;
	answer(scene, &trusted, 1);
	assert_int_equal(exchange_echo(scene), 0);
	start_again(scene);
	scene->connection.sign = true;
	answer(scene, &bare, 1);
	expect_broken(scene, "a reply is not signed");
	for (i = 0; i < LENGTH(places); i++) {
		start_again(scene);
		scene->connection.sign = true;
		altered.altered = places[i];
		answer(scene, &altered, 1);
		expect_broken(scene, "a reply has a wrong signature");
	}
}

static void a_session_without_signatures_checks_those_it_gets(void **state)
{
	struct scene *scene = *state;
	struct answer altered = trusted;

	answer(scene, &bare, 1);
	assert_int_equal(exchange_echo(scene), 0);
	altered.id = 1;
	altered.altered = SMB2_HEADER_BYTES + 2;
	answer(scene, &altered, 1);
	expect_broken(scene, "a reply has a wrong signature");
}

static void each_reply_of_a_compound_is_signed(void **state)
{
	struct scene *scene = *state;
	struct answer both[] = {trusted, trusted};

	both[1].id = 1;
	scene->connection.sign = true;
	answer(scene, both, 2);
	assert_int_equal(exchange_echoes(scene, 2), 0);
	start_again(scene);
	scene->connection.sign = true;
	both[1].is_signed = false;
	answer(scene, both, 2);
	assert_int_equal(exchange_echoes(scene, 2), -ECONNABORTED);
	assert_string_equal(scene->connection.cause, "a reply is not signed");
}

static void the_data_of_a_read_is_signed(void **state)
{
	static const struct answer read = {
		.command = SMB2_READ,
		.is_signed = true,
	};
	struct scene *scene = *state;
	struct answer altered = read;
	uint8_t data[DATA], wanted[DATA];
	bool alter;

	memset(wanted, 0x5a, DATA);
	altered.altered = READ_DATA_AT + DATA / 2;
	for (alter = false;; alter = true) {
		scene->connection.sign = true;
		answer(scene, alter ? &altered : &read, 1);
		smb2_connection_begin(&scene->exchange);
		smb2_request(&scene->exchange, SMB2_READ, 1, 49);
		scene->exchange.data = data;
		scene->exchange.data_max = DATA;
		assert_int_equal(smb2_connection_exchange(&scene->exchange, NULL, 0),
				 alter ? -ECONNABORTED : 0);
		if (alter)
			break;
		assert_memory_equal(data, wanted, DATA);
		start_again(scene);
	}
	assert_string_equal(scene->connection.cause, "a reply has a wrong signature");
}

/* Interim replies have no signature, and only they. */
static void an_interim_reply_answers_nothing(void **state)
{
	struct scene *scene = *state;
	struct answer interim = {
		.command = SMB2_ECHO,
		.status = STATUS_IS_PENDING,
		.flags = SMB2_ASYNC,
	};

	scene->connection.sign = true;
	answer(scene, &interim, 1);
	answer(scene, &trusted, 1);
	assert_int_equal(exchange_echo(scene), 0);
	assert_int_equal(scene->exchange.replies[0].status, 0);
	start_again(scene);
	scene->connection.sign = true;
	interim.flags = 0;
	answer(scene, &interim, 1);
	expect_broken(scene, "a reply is not signed");
}

static void a_sealed_session_accepts_sealed_replies_only(void **state)
{
	struct scene *scene = *state;

	scene->connection.seal = true;
	answer_sealed(scene, &bare, false);
	assert_int_equal(exchange_echo(scene), 0);
	start_again(scene);
	scene->connection.seal = true;
	answer(scene, &trusted, 1);
	expect_broken(scene, "a reply is not encrypted");
	start_again(scene);
	scene->connection.seal = true;
	answer_sealed(scene, &bare, true);
	expect_broken(scene, "a reply cannot be decrypted");
}

static void a_reply_answers_one_request(void **state)
{
	struct scene *scene = *state;
	struct answer wrong[] = {bare, bare};

	wrong[0].id = 1;
	answer(scene, &wrong[0], 1);
	expect_broken(scene, "a reply answers no request");
	start_again(scene);
	wrong[0] = (struct answer){.command = SMB2_FLUSH};
	answer(scene, &wrong[0], 1);
	expect_broken(scene, "a reply answers no request");
	/* A second reply to the same request. */
	start_again(scene);
	wrong[0] = bare;
	answer(scene, wrong, 2);
	assert_int_equal(shutdown(scene->server, SHUT_WR), 0);
	assert_int_equal(exchange_echoes(scene, 2), -ECONNABORTED);
	assert_string_equal(scene->connection.cause, "a reply answers no request");
}

/* Read the next request, which the client has sent. Return its size. */
static size_t receive_request(struct scene *scene, uint8_t *bytes, size_t max)
{
	uint32_t frame;

	assert_int_equal(recv(scene->server, &frame, sizeof(frame), MSG_DONTWAIT), sizeof(frame));
	frame = be32toh(frame);
	assert_true(frame <= max);
	assert_int_equal(recv(scene->server, bytes, frame, MSG_DONTWAIT), frame);
	return frame;
}

/* The server takes back an oplock of level II of this file. */
static void send_break(struct scene *scene, uint8_t file)
{
	uint8_t bytes[SMB2_HEADER_BYTES + 24] = {0xfe, 'S', 'M', 'B'};

	put_le16(bytes + 4, SMB2_HEADER_BYTES);
	put_le16(bytes + 12, SMB2_OPLOCK_BREAK);
	put_le32(bytes + 16, SMB2_FROM_SERVER);
	put_le64(bytes + 24, SMB2_UNSOLICITED);
	put_le16(bytes + SMB2_HEADER_BYTES, 24);
	bytes[SMB2_HEADER_BYTES + 2] = SMB2_OPLOCK_II;
	bytes[SMB2_HEADER_BYTES + 8] = file;
	send_frame(scene, bytes, sizeof(bytes));
}

/* Acknowledge breaks of files but those of number 9. */
static bool on_break(void *context, const struct smb2_break *broken)
{
	unsigned *breaks = context;

	(*breaks)++;
	return broken->id[0] != 9;
}

/* A break is acknowledged in the same exchange, before the reply, as the server
 * lets others wait for it. */
static void breaks_are_acknowledged_at_once(void **state)
{
	struct scene *scene = *state;
	struct answer later[] = {
		{.command = SMB2_OPLOCK_BREAK, .id = 1, .is_signed = true},
		{.command = SMB2_ECHO, .id = 2, .is_signed = true},
	};
	unsigned breaks = 0;
	uint8_t bytes[1024];
	size_t size;

	scene->connection.sign = true;
	scene->connection.on_break = on_break;
	scene->connection.context = &breaks;
	send_break(scene, 9);
	send_break(scene, 5);
	answer(scene, &trusted, 1);
	assert_int_equal(exchange_echo(scene), 0);
	assert_int_equal(breaks, 2);
	assert_int_equal(scene->connection.answer_count, 1);
	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(get_le16(bytes + 12), SMB2_ECHO);
	size = receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(get_le16(bytes + 12), SMB2_OPLOCK_BREAK);
	assert_int_equal(bytes[SMB2_HEADER_BYTES + 2], SMB2_OPLOCK_II);
	assert_int_equal(bytes[SMB2_HEADER_BYTES + 8], 5);
	assert_int_equal(smb2_check_signature(&scene->crypt, bytes, size, NULL, 0), 0);
	/* The reply to it comes with a later exchange, whose it is not. */
	answer(scene, later, 2);
	assert_int_equal(exchange_echo(scene), 0);
	assert_int_equal(scene->connection.answer_count, 0);
	/* There was only one. */
	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(get_le16(bytes + 12), SMB2_ECHO);
}

static void a_server_must_answer_acknowledgements(void **state)
{
	struct scene *scene = *state;
	unsigned breaks = 0, i;

	scene->connection.stream.credits = 1000;
	scene->connection.on_break = on_break;
	scene->connection.context = &breaks;
	for (i = 0; i <= SMB2_ANSWERS_MAX; i++)
		send_break(scene, 1);
	assert_int_equal(shutdown(scene->server, SHUT_WR), 0);
	expect_broken(scene, "the server does not answer acknowledgements of broken oplocks");
}

enum { WAITS = 2, ASYNC_ID = 0x12345 };

/* A client that waits for a lock. The server sends one of the `answers` during
 * each call from number WAITS on. */
struct waiter {
	struct scene *scene;
	bool leaves; /* in call number WAITS */
	struct answer answers[2];
	unsigned count, calls;
};

static bool on_wait(void *context)
{
	struct waiter *waiter = context;
	unsigned number = ++waiter->calls - WAITS;

	if (waiter->calls < WAITS)
		return true;
	if (number < waiter->count)
		answer(waiter->scene, &waiter->answers[number], 1);
	return !waiter->leaves;
}

/* Let the server have answered a lock with an interim reply, when no time is
 * left. Return the result of the exchange. */
static int wait_for_lock(struct scene *scene, struct waiter *waiter)
{
	const struct answer interim = {
		.command = SMB2_LOCK,
		.status = STATUS_IS_PENDING,
		.flags = SMB2_ASYNC,
		.async_id = ASYNC_ID,
	};

	waiter->scene = scene;
	scene->connection.timeout_ns = 1;
	scene->exchange.on_wait = on_wait;
	scene->exchange.waiter = waiter;
	scene->exchange.may_wait = true;
	answer(scene, &interim, 1);
	smb2_connection_begin(&scene->exchange);
	smb2_request(&scene->exchange, SMB2_LOCK, 1, 48);
	return smb2_connection_exchange(&scene->exchange, NULL, 0);
}

static const struct answer granted = {
	.command = SMB2_LOCK,
	.flags = SMB2_ASYNC,
	.is_signed = true,
	.async_id = ASYNC_ID,
};

static void a_lock_may_take_longer_than_the_timeout(void **state)
{
	struct waiter waiter = {.answers = {granted}, .count = 1};
	struct scene *scene = *state;
	uint8_t bytes[1024];

	scene->connection.sign = true;
	assert_int_equal(wait_for_lock(scene, &waiter), 0);
	assert_int_equal(waiter.calls, WAITS);
	assert_true(scene->exchange.may_wait);
	/* Nothing but the request was sent. */
	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(recv(scene->server, bytes, 1, MSG_DONTWAIT), -1);
}

static void a_second_interim_reply_does_not_end_the_wait(void **state)
{
	struct waiter waiter = {.answers = {granted, granted}, .count = 2};
	struct scene *scene = *state;

	waiter.answers[0].status = STATUS_IS_PENDING;
	assert_int_equal(wait_for_lock(scene, &waiter), 0);
	assert_int_equal(waiter.calls, WAITS + 1);
}

static void who_leaves_cancels_the_lock(void **state)
{
	struct waiter waiter = {
		.leaves = true,
		.answers = {granted},
		.count = 1,
	};
	struct scene *scene = *state;
	uint8_t bytes[1024];
	size_t size;

	scene->connection.sign = true;
	scene->connection.stream.credits = 1; /* for the lock */
	waiter.answers[0].status = NT_STATUS_CANCELLED;
	assert_int_equal(wait_for_lock(scene, &waiter), 0);
	assert_int_equal(scene->exchange.replies[0].status, NT_STATUS_CANCELLED);
	assert_false(scene->exchange.may_wait);
	assert_int_equal(scene->connection.stream.next_id, 1);
	assert_int_equal(scene->connection.stream.credits, 0);
	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(get_le16(bytes + 12), SMB2_LOCK);
	size = receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(size, SMB2_HEADER_BYTES + 4);
	assert_int_equal(get_le16(bytes + 6), 0); /* the charge */
	assert_int_equal(get_le16(bytes + 12), SMB2_CANCEL);
	assert_int_equal(get_le16(bytes + 14), 0); /* credits */
	assert_int_equal(get_le32(bytes + 16), SMB2_ASYNC | SMB2_SIGNED);
	assert_int_equal(get_le64(bytes + 24), 0); /* the lock's id */
	assert_int_equal(get_le64(bytes + 32), ASYNC_ID);
	assert_int_equal(get_le16(bytes + SMB2_HEADER_BYTES), 4);
	assert_int_equal(smb2_check_signature(&scene->crypt, bytes, size, NULL, 0), 0);
}

/* Interim replies after the cancellation do not give the server more time. */
static void a_cancellation_is_answered_in_time(void **state)
{
	struct waiter waiter = {
		.leaves = true,
		.answers = {granted},
		.count = 1,
	};
	struct scene *scene = *state;

	waiter.answers[0].status = STATUS_IS_PENDING;
	assert_int_equal(wait_for_lock(scene, &waiter), -ETIMEDOUT);
	assert_int_equal(waiter.calls, WAITS);
	assert_int_equal(scene->connection.lost, -ETIMEDOUT);
}

/* Other requests that get an interim reply have a deadline. */
static void only_a_lock_waits(void **state)
{
	const struct answer interim = {
		.command = SMB2_ECHO,
		.status = STATUS_IS_PENDING,
		.flags = SMB2_ASYNC,
	};
	struct waiter waiter = {0};
	struct scene *scene = *state;

	scene->connection.timeout_ns = 1;
	scene->exchange.on_wait = on_wait;
	scene->exchange.waiter = &waiter;
	answer(scene, &interim, 1);
	assert_int_equal(exchange_echo(scene), -ETIMEDOUT);
	assert_int_equal(waiter.calls, 0);
}

static void requests_are_protected(void **state)
{
	struct scene *scene = *state;
	uint8_t bytes[1024];
	size_t size;

	scene->connection.sign = true;
	answer(scene, &trusted, 1);
	assert_int_equal(exchange_echo(scene), 0);
	size = receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(size, SMB2_HEADER_BYTES + ECHO_BODY);
	assert_true((get_le32(bytes + 16) & SMB2_SIGNED) != 0);
	assert_int_equal(smb2_check_signature(&scene->crypt, bytes, size, NULL, 0), 0);
	start_again(scene);
	scene->connection.seal = true;
	answer_sealed(scene, &bare, false);
	assert_int_equal(exchange_echo(scene), 0);
	size = receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(smb2_unseal(&scene->crypt, bytes, size, NULL, 0, SESSION), 0);
	assert_int_equal(get_le16(bytes + SMB2_TRANSFORM_BYTES + 12), SMB2_ECHO);
}

enum { LANES = 3 };

/* Fibers that share a connection. Each sends a READ. */
struct lane {
	struct smb2_exchange exchange;
	unsigned credits; /* to wait for */
	int rc;
	uint8_t data[DATA];
};

static void read_data(void *context)
{
	struct lane *lane = context;
	struct smb2_data data;

	smb2_await_credits(&lane->exchange, lane->credits);
	smb2_connection_begin(&lane->exchange);
	smb2_request(&lane->exchange, SMB2_READ, 1, 49);
	lane->exchange.data = lane->data;
	lane->exchange.data_max = DATA;
	lane->rc = smb2_connection_exchange(&lane->exchange, NULL, 0);
	if (lane->rc < 0)
		return;
	assert_int_equal(smb2_parse_read(&lane->exchange.replies[0], &data), 0);
	if (lane->exchange.apart == 0)
		memcpy(lane->data, data.bytes, DATA);
}

/* Begin the fibers, the first one with `first`. end_lanes() frees them. */
static struct fibers *begin_lanes(struct scene *scene, struct lane lanes[LANES],
				  void (*first)(void *context))
{
	struct fibers *fibers = fibers_open(LANES);
	unsigned i;

	for (i = 0; i < LANES; i++) {
		lanes[i].rc = 1;
		lanes[i].credits = 2;
		assert_int_equal(smb2_exchange_open(&lanes[i].exchange, &scene->connection), 0);
		assert_int_equal(smb2_connection_share(&lanes[i].exchange, fibers), 0);
		assert_int_equal(fibers_begin(fibers, i == 0 ? first : read_data, &lanes[i]), 0);
	}
	return fibers;
}

static void end_lanes(struct scene *scene, struct fibers *fibers, struct lane lanes[LANES])
{
	unsigned i;

	fibers_join(fibers);
	fibers_close(fibers);
	scene->connection.fibers = NULL;
	for (i = 0; i < LANES; i++)
		smb2_exchange_close(&lanes[i].exchange);
}

/* Let the fibers run until all of them wait. */
static void run_lanes(struct fibers *fibers)
{
	unsigned i;

	/* One may wake the next. */
	for (i = 0; i < LANES; i++)
		fibers_sleep(fibers, NULL, 0);
}

/* Let the connection receive a message, and the fibers run. */
static void receive_and_run(struct scene *scene, struct fibers *fibers)
{
	assert_int_equal(smb2_take_input(&scene->connection, CLOCK_NEVER), 0);
	run_lanes(fibers);
}

static void each_fiber_gets_its_reply(void **state)
{
	static const struct answer interim = {
		.command = SMB2_READ,
		.status = STATUS_IS_PENDING,
		.flags = SMB2_ASYNC,
		.id = 1,
	};
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, read_data);
	uint8_t bytes[1024], wanted[DATA];
	unsigned i;

	scene->connection.sign = true;
	run_lanes(fibers);
	for (i = 0; i < LANES; i++) {
		receive_request(scene, bytes, sizeof(bytes));
		assert_int_equal(get_le64(bytes + 24), i);
	}
	/* The replies come in another order, and those of two in one message. */
	answer(scene, &interim, 1);
	answer(scene,
	       (struct answer[]){{.command = SMB2_READ, .id = 2, .is_signed = true},
				 {.command = SMB2_READ, .id = 0, .is_signed = true}},
	       2);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 1, .is_signed = true}, 1);
	end_lanes(scene, fibers, lanes);
	memset(wanted, 0x5a, DATA);
	for (i = 0; i < LANES; i++) {
		assert_int_equal(lanes[i].rc, 0);
		assert_memory_equal(lanes[i].data, wanted, DATA);
	}
}

static void a_lost_connection_ends_all_fibers(void **state)
{
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, read_data);
	unsigned i;

	run_lanes(fibers);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 1}, 1);
	assert_int_equal(shutdown(scene->server, SHUT_WR), 0);
	end_lanes(scene, fibers, lanes);
	for (i = 0; i < LANES; i++)
		assert_int_equal(lanes[i].rc, i == 1 ? 0 : -ECONNRESET);
}

static void a_silent_server_ends_all_fibers(void **state)
{
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, read_data);
	unsigned i;

	scene->connection.timeout_ns = NS_PER_MS;
	/* A fiber that sleeps for less does not put the time-out off. */
	while (scene->connection.lost == 0)
		fibers_sleep(fibers, NULL, clock_now_ns() + NS_PER_MS / 10);
	end_lanes(scene, fibers, lanes);
	for (i = 0; i < LANES; i++)
		assert_int_equal(lanes[i].rc, -ETIMEDOUT);
}

/* There are credits for two requests, if one is kept for an acknowledgement. */
static void fibers_wait_for_credits(void **state)
{
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, read_data);
	uint8_t bytes[1024];
	unsigned i;

	scene->connection.stream.credits = 3;
	run_lanes(fibers);
	receive_request(scene, bytes, sizeof(bytes));
	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(recv(scene->server, bytes, 1, MSG_DONTWAIT), -1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 1, .credits = 1}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 0}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 2}, 1);
	end_lanes(scene, fibers, lanes);
	for (i = 0; i < LANES; i++)
		assert_int_equal(lanes[i].rc, 0);
}

static void expect_no_request(struct scene *scene)
{
	char byte;

	assert_int_equal(recv(scene->server, &byte, 1, MSG_DONTWAIT), -1);
}

/* Let the server receive a READ with this ID. */
static void expect_read(struct scene *scene, uint64_t id)
{
	uint8_t bytes[1024];

	receive_request(scene, bytes, sizeof(bytes));
	assert_int_equal(get_le16(bytes + 12), SMB2_READ);
	assert_int_equal(get_le64(bytes + 24), id);
}

/* Small requests do not take the credits that an earlier large one waits for. */
static void fibers_get_credits_in_order(void **state)
{
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, read_data);
	unsigned i;

	scene->connection.stream.credits = 5;
	lanes[1].credits = 6;
	run_lanes(fibers);
	expect_read(scene, 0);
	expect_no_request(scene);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 0, .credits = 2}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 2}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 1}, 1);
	end_lanes(scene, fibers, lanes);
	for (i = 0; i < LANES; i++) {
		assert_int_equal(lanes[i].rc, 0);
		assert_int_equal(lanes[i].exchange.message.ids[0], i);
	}
}

enum { LONG = 300 << 10 }; /* bytes of a request, more than a socket takes at once */

/* Read all that the client has sent. Return its size. */
static size_t drain(struct scene *scene)
{
	char bytes[4096];
	size_t all = 0;
	ssize_t got;

	while ((got = recv(scene->server, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		all += (size_t)got;
	return all;
}

/* A server that sends a break before it reads the rest of a request. */
struct slow_server {
	struct scene *scene;
	size_t received;
};

static bool read_on_break(void *context, const struct smb2_break *broken)
{
	struct slow_server *server = context;

	server->received += drain(server->scene);
	assert_true(server->received < LONG);
	return true;
}

static void send_long(void *context)
{
	static const uint8_t data[LONG];
	struct lane *lane = context;
	uint8_t *body;

	smb2_connection_begin(&lane->exchange);
	body = smb2_request(&lane->exchange, SMB2_ECHO, 1, ECHO_BODY);
	put_le16(body, ECHO_BODY);
	lane->rc = smb2_connection_exchange(&lane->exchange, data, LONG);
}

/* A break that comes while a request is sent is acknowledged right after it. The
 * server may send nothing more before that. */
static void breaks_are_acknowledged_after_a_request(void **state)
{
	enum { REQUEST = SMB2_FRAME_BYTES + SMB2_HEADER_BYTES };
	struct scene *scene = *state;
	struct slow_server server = {scene, 0};
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, send_long);

	lanes[1].credits = lanes[2].credits = 200;
	scene->connection.on_break = read_on_break;
	scene->connection.context = &server;
	send_break(scene, 5);
	run_lanes(fibers);
	server.received += drain(scene);
	assert_int_equal(server.received, REQUEST + ECHO_BODY + LONG + REQUEST + 24);
	assert_int_equal(scene->connection.answer_count, 1);
	answer(scene, &(struct answer){.command = SMB2_ECHO, .credits = 200}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 2}, 1);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 3}, 1);
	end_lanes(scene, fibers, lanes);
	assert_int_equal(lanes[0].rc, 0);
}

static bool stay(void *context)
{
	return true;
}

static void lock_file(void *context)
{
	struct lane *lane = context;

	lane->exchange.on_wait = stay;
	lane->exchange.may_wait = true;
	smb2_connection_begin(&lane->exchange);
	smb2_request(&lane->exchange, SMB2_LOCK, 1, 48);
	lane->rc = smb2_connection_exchange(&lane->exchange, NULL, 0);
}

/* A lock may wait for what other fibers do, so they do not wait for its credits. */
static void a_waiting_lock_holds_up_nobody(void **state)
{
	struct answer lock = granted;
	struct scene *scene = *state;
	struct lane lanes[LANES];
	struct fibers *fibers = begin_lanes(scene, lanes, lock_file);
	uint8_t bytes[1024];
	unsigned i;

	scene->connection.stream.credits = 3;
	lanes[1].credits = lanes[2].credits = 9;
	run_lanes(fibers);
	receive_request(scene, bytes, sizeof(bytes));
	expect_no_request(scene);
	lock.status = STATUS_IS_PENDING;
	answer(scene, &lock, 1);
	receive_and_run(scene, fibers);
	expect_read(scene, 1);
	expect_no_request(scene);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 1}, 1);
	receive_and_run(scene, fibers);
	expect_read(scene, 2);
	answer(scene, &(struct answer){.command = SMB2_READ, .id = 2}, 1);
	answer(scene, &granted, 1);
	end_lanes(scene, fibers, lanes);
	for (i = 0; i < LANES; i++)
		assert_int_equal(lanes[i].rc, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_smb2_connection(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_signed_session_accepts_signed_replies_only),
		TEST(a_session_without_signatures_checks_those_it_gets),
		TEST(each_reply_of_a_compound_is_signed),
		TEST(the_data_of_a_read_is_signed),
		TEST(an_interim_reply_answers_nothing),
		TEST(a_sealed_session_accepts_sealed_replies_only),
		TEST(a_reply_answers_one_request),
		TEST(breaks_are_acknowledged_at_once),
		TEST(a_server_must_answer_acknowledgements),
		TEST(a_lock_may_take_longer_than_the_timeout),
		TEST(a_second_interim_reply_does_not_end_the_wait),
		TEST(who_leaves_cancels_the_lock),
		TEST(a_cancellation_is_answered_in_time),
		TEST(only_a_lock_waits),
		TEST(requests_are_protected),
		TEST(each_fiber_gets_its_reply),
		TEST(a_lost_connection_ends_all_fibers),
		TEST(a_silent_server_ends_all_fibers),
		TEST(fibers_wait_for_credits),
		TEST(fibers_get_credits_in_order),
		TEST(a_waiting_lock_holds_up_nobody),
		TEST(breaks_are_acknowledged_after_a_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
