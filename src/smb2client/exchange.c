/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/exchange.h"

#include "base/clock.h"
#include "base/fibers.h"
#include "smb2client/receive.h"
#include "words/nt_status.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* A request with the longest name, and with the data if it is
	 * sealed. */
	OUT_BYTES = SMB2_MESSAGE_MAX,
	CREDITS_MAX = 1 << 16, /* more are never needed */
};

int smb2_exchange_open(struct smb2_exchange *exchange, struct smb2_connection *connection)
{
	*exchange = (struct smb2_exchange){
		.connection = connection,
		.message = {.bytes = malloc(OUT_BYTES), .capacity = OUT_BYTES},
	};
	return exchange->message.bytes != NULL ? 0 : -ENOMEM;
}

void smb2_exchange_close(struct smb2_exchange *exchange)
{
	free(exchange->message.bytes);
	free(exchange->copies);
}

void smb2_connection_begin(struct smb2_exchange *exchange)
{
	exchange->data_max = 0;
	smb2_message_start(&exchange->message);
}

uint8_t *smb2_request(struct smb2_exchange *exchange, enum smb2_command command, unsigned charge,
		      size_t body_bytes)
{
	return smb2_message_part(&exchange->message, &exchange->connection->stream, command, charge,
				 body_bytes);
}

/* Find the exchange that a reply answers, and the number of its request. Return NULL
 * if there is none. */
static struct smb2_exchange *find_request(const struct smb2_connection *connection,
					  const struct smb2_reply *reply, unsigned *part)
{
	struct smb2_exchange *exchange = connection->in_flight;

	for (; exchange != NULL; exchange = exchange->next) {
		const struct smb2_message *message = &exchange->message;

		for (*part = 0; *part < message->parts; (*part)++)
			if (message->ids[*part] == reply->message_id &&
			    message->commands[*part] == reply->command &&
			    (exchange->answered & 1u << *part) == 0)
				return exchange;
	}
	return NULL;
}

/* Check the signature of a reply that was not sealed. Interim replies and
 * breaks of oplocks have none (3.2.5.1.3). */
static int check_protection(struct smb2_connection *connection, uint8_t *header,
			    const struct smb2_reply *reply)
{
	bool exempt = smb2_reply_is_interim(reply) || reply->message_id == SMB2_UNSOLICITED;

	if (connection->seal && !exempt)
		return smb2_broken(connection, "a reply is not encrypted");
	if (!connection->crypt.has_keys || exempt)
		return 0;
	if ((reply->flags & SMB2_SIGNED) == 0)
		return connection->sign ? smb2_broken(connection, "a reply is not signed") : 0;
	if (smb2_check_signature(&connection->crypt, header, reply->size - connection->apart,
				 connection->data, connection->apart) < 0)
		return smb2_broken(connection, "a reply has a wrong signature");
	return 0;
}

/* Take a message that answers no request. Note that it must be acknowledged if it is
 * the break of an oplock (3.2.5.19). */
static int take_break(struct smb2_connection *connection, const struct smb2_reply *reply)
{
	struct smb2_break broken;

	if (connection->on_break == NULL || smb2_parse_break(reply, &broken) < 0 ||
	    !connection->on_break(connection->context, &broken))
		return 0;
	if (connection->break_count + connection->answer_count == SMB2_ANSWERS_MAX)
		return smb2_broken(connection,
				   "the server does not answer acknowledgements of broken oplocks");
	connection->breaks[connection->break_count++] = broken;
	return 0;
}

/* Acknowledge breaks, but not inside a message that is being sent, nor without
 * credits that replies will bring. */
static int acknowledge(struct smb2_connection *connection)
{
	uint8_t bytes[SMB2_FRONT + SMB2_HEADER_BYTES + 64];
	struct smb2_message answer = {
		.bytes = bytes,
		.capacity = sizeof(bytes),
	};
	int rc = 0;

	while (rc == 0 && connection->break_count > 0 && !connection->sending) {
		if (connection->stream.credits == 0 && connection->fibers != NULL &&
		    connection->in_flight != NULL)
			return 0;
		smb2_message_start(&answer);
		smb2_put_break(&answer, &connection->stream,
			       &connection->breaks[--connection->break_count]);
		if (answer.full)
			return smb2_broken(connection, "the server grants too few credits");
		connection->answers[connection->answer_count++] = answer.ids[0];
		rc = smb2_send(connection, &answer, NULL, 0,
			       smb2_now_ns(connection) + connection->timeout_ns);
	}
	return rc;
}

/* Is this a reply to an acknowledgement? Whether the server accepts it does not
 * matter: the file may have been closed in the meantime. */
static bool take_answer(struct smb2_connection *connection, const struct smb2_reply *reply)
{
	unsigned i;

	for (i = 0; i < connection->answer_count; i++) {
		if (connection->answers[i] != reply->message_id ||
		    reply->command != SMB2_OPLOCK_BREAK)
			continue;
		if (!smb2_reply_is_interim(reply))
			connection->answers[i] = connection->answers[--connection->answer_count];
		return true;
	}
	return false;
}

/* Copy a reply, since fibers that run before its own may receive others. The data of
 * a READ goes where it is wanted. */
static int copy_reply(struct smb2_exchange *exchange, struct smb2_reply *reply)
{
	uint8_t *copy = exchange->copies + exchange->copied;
	size_t bytes = reply->size - exchange->apart;

	if (exchange->apart == 0 && exchange->data_max > 0 &&
	    smb2_is_data(reply->bytes, reply->size) &&
	    reply->size - SMB2_DATA_AT <= exchange->data_max) {
		bytes = SMB2_DATA_AT;
		exchange->apart = reply->size - bytes;
		memcpy(exchange->data, reply->bytes + bytes, exchange->apart);
	}
	if (bytes > SMB2_MESSAGE_MAX - exchange->copied)
		return smb2_broken(exchange->connection, "the replies are too long");
	memcpy(copy, reply->bytes, bytes);
	exchange->copied += bytes;
	reply->bytes = copy;
	return 0;
}

/* Take a final reply. */
static int take_final(struct smb2_exchange *exchange, unsigned part, const struct smb2_reply *reply)
{
	struct smb2_connection *connection = exchange->connection;
	int rc = 0;

	exchange->replies[part] = *reply;
	exchange->answered |= 1u << part;
	exchange->apart = connection->apart;
	if (exchange->copies != NULL)
		rc = copy_reply(exchange, &exchange->replies[part]);
	else
		connection->holds = true;
	if (connection->fibers != NULL)
		fibers_wake(connection->fibers, exchange);
	return rc;
}

/* May a message begin? Not if replies may bring the credits that it uses. Those of
 * requests that wait for another client may need this message first. */
static bool may_begin(const struct smb2_connection *connection, unsigned credits)
{
	const struct smb2_exchange *exchange = connection->in_flight;

	if (connection->stream.credits >= credits || exchange == NULL || connection->lost != 0)
		return true;
	while (exchange != NULL && exchange->deadline_ns == CLOCK_NEVER)
		exchange = exchange->next;
	return exchange == NULL && connection->stream.credits > 0;
}

/* Wake the first fiber that waits for credits, if its message may begin now. */
static void admit(struct smb2_connection *connection)
{
	const struct smb2_exchange *first = connection->waiting;

	if (first != NULL && may_begin(connection, first->credits))
		fibers_wake(connection->fibers, first);
}

static void take_credits(struct smb2_connection *connection, unsigned credits)
{
	connection->stream.credits += credits;
	if (connection->stream.credits > CREDITS_MAX)
		connection->stream.credits = CREDITS_MAX;
	admit(connection);
}

/* Note a reply. */
static int take_reply(struct smb2_connection *connection, const struct smb2_reply *reply)
{
	struct smb2_exchange *exchange;
	unsigned part;

	if (reply->message_id == SMB2_UNSOLICITED)
		return take_break(connection, reply);
	if (take_answer(connection, reply)) {
		take_credits(connection, reply->credits);
		return 0;
	}
	exchange = find_request(connection, reply, &part);
	if (exchange == NULL)
		return smb2_broken(connection, "a reply answers no request");
	take_credits(connection, reply->credits);
	if (!smb2_reply_is_interim(reply))
		return take_final(exchange, part, reply);
	exchange->pending = true;
	exchange->async_id = reply->async_id;
	if (exchange->may_wait && exchange->on_wait != NULL) {
		exchange->deadline_ns = CLOCK_NEVER;
		admit(connection);
	}
	if (connection->fibers != NULL)
		fibers_wake(connection->fibers, exchange);
	return 0;
}

/* Read all replies of a received message. */
static int take_message(struct smb2_connection *connection, uint8_t *message, size_t bytes)
{
	struct smb2_reply reply;
	bool sealed = smb2_is_sealed(message);
	size_t at = 0;
	int rc = 0;

	if (sealed) {
		rc = smb2_unseal(&connection->crypt, message, bytes - connection->apart,
				 connection->data, connection->apart,
				 connection->stream.session_id);
		if (rc < 0)
			return smb2_broken(connection, "a reply cannot be decrypted");
		message += SMB2_TRANSFORM_BYTES;
		bytes -= SMB2_TRANSFORM_BYTES;
		if (connection->apart > 0 && !smb2_is_data(message, bytes))
			smb2_put_together(connection);
	}
	while (rc == 0) {
		size_t start = at;
		int found = smb2_reply_next(message, bytes, &at, &reply);

		if (found < 0)
			return smb2_broken(connection, "a reply has an invalid header");
		if (found == 0)
			return 0;
		if (!sealed)
			rc = check_protection(connection, message + start, &reply);
		if (rc == 0)
			rc = take_reply(connection, &reply);
	}
	return rc;
}

/* Return a description of a status after which a session or its share cannot be
 * used any more, or NULL for all others (3.3.5.2.9, 3.3.5.2.11). */
static const char *loss_of(uint32_t status)
{
	switch (status) {
	case 0xc00000c9:
		return "the server has closed the share: NT_STATUS_NETWORK_NAME_DELETED";
	case 0xc0000203:
		return "the server has ended the session: NT_STATUS_USER_SESSION_DELETED";
	case 0xc000035c:
		return "the session has expired: NT_STATUS_NETWORK_SESSION_EXPIRED";
	default:
		return NULL;
	}
}

/* Check all replies. Note if a status says that the server has ended the session
 * or closed the share. */
static int check_replies(struct smb2_exchange *exchange)
{
	unsigned part;

	for (part = 0; part < exchange->message.parts; part++) {
		const struct smb2_reply *reply = &exchange->replies[part];

		if (smb2_reply_check(reply) < 0)
			return smb2_invalid(exchange->connection, reply->command);
		if (loss_of(reply->status) != NULL)
			smb2_lose(exchange->connection, nt_status_errno(reply->status),
				  loss_of(reply->status));
	}
	return 0;
}

/* Cancel the request that waits. The server then has the time-out to answer. */
static int cancel(struct smb2_exchange *exchange)
{
	struct smb2_connection *connection = exchange->connection;
	uint8_t bytes[SMB2_FRONT + SMB2_HEADER_BYTES + 64];
	struct smb2_message message = {
		.bytes = bytes,
		.capacity = sizeof(bytes),
	};

	exchange->may_wait = false;
	exchange->deadline_ns = smb2_now_ns(connection) + connection->timeout_ns;
	smb2_message_start(&message);
	smb2_put_cancel(&message, &connection->stream, exchange->message.ids[0],
			exchange->async_id);
	return smb2_send(connection, &message, NULL, 0, exchange->deadline_ns);
}

/* Return the earliest deadline of the exchanges in flight. */
static uint64_t first_deadline(const struct smb2_connection *connection)
{
	const struct smb2_exchange *exchange;
	uint64_t first_ns = CLOCK_NEVER;

	for (exchange = connection->in_flight; exchange != NULL; exchange = exchange->next)
		if (exchange->deadline_ns < first_ns)
			first_ns = exchange->deadline_ns;
	return first_ns;
}

/* Wait for bytes from the server until `until_ns`, or a part of this time. Return 1 if
 * there are any, 0 if not, or -errno. */
static int poll_input(struct smb2_connection *connection, uint64_t until_ns, uint64_t deadline_ns)
{
	struct pollfd poll_fd = {.fd = connection->fd, .events = POLLIN};
	uint64_t now_ns = clock_now_ns();
	uint64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec limit;
	int rc;

	if (connection->have > connection->used)
		return 1;
	if (wait_ns > connection->step_ns)
		wait_ns = connection->step_ns;
	limit = (struct timespec){
		.tv_sec = (time_t)(wait_ns / NS_PER_S),
		.tv_nsec = (long)(wait_ns % NS_PER_S),
	};
	rc = ppoll(&poll_fd, 1, &limit, NULL);
	if (rc < 0 && errno != EINTR)
		return smb2_lose_in_call(connection);
	if (rc <= 0 && smb2_now_ns(connection) >= deadline_ns)
		return smb2_lose(connection, -ETIMEDOUT, "the server does not answer");
	return rc > 0;
}

int smb2_take_input(struct smb2_connection *connection, uint64_t until_ns)
{
	struct smb2_exchange *only = connection->in_flight;
	uint64_t deadline_ns = first_deadline(connection);
	uint8_t *message;
	int64_t size;
	int rc;

	if (until_ns != CLOCK_NEVER) {
		rc = poll_input(connection, until_ns, deadline_ns);
		if (rc <= 0)
			return rc;
	}
	/* The server has the time-out to send all of what it has begun. */
	if (deadline_ns == CLOCK_NEVER)
		deadline_ns = smb2_now_ns(connection) + connection->timeout_ns;
	if (only != NULL && only->next == NULL && only->data_max > 0)
		smb2_expect_data(connection, only->data, only->data_max);
	size = smb2_receive(connection, deadline_ns, &message);
	if (size < 0)
		return (int)size;
	rc = take_message(connection, message, (size_t)size);
	smb2_expect_no_data(connection);
	return rc == 0 ? acknowledge(connection) : rc;
}

/* Receive while all fibers sleep. If the connection is lost, wake those that wait for
 * replies or credits. */
static void take_input_for_all(void *context, uint64_t until_ns)
{
	struct smb2_connection *connection = context;
	const struct smb2_exchange *exchange;

	if (connection->lost == 0 && connection->in_flight == NULL)
		clock_sleep_until_ns(until_ns);
	else if (connection->lost == 0)
		smb2_take_input(connection, until_ns);
	if (connection->lost == 0)
		return;
	for (exchange = connection->in_flight; exchange != NULL; exchange = exchange->next)
		fibers_wake(connection->fibers, exchange);
	admit(connection);
}

int smb2_connection_share(struct smb2_exchange *exchange, struct fibers *fibers)
{
	struct smb2_connection *connection = exchange->connection;

	if (exchange->copies == NULL)
		exchange->copies = malloc(SMB2_MESSAGE_MAX);
	if (exchange->copies == NULL)
		return -ENOMEM;
	connection->fibers = fibers;
	fibers_on_idle(fibers, take_input_for_all, connection);
	return 0;
}

/* Append an exchange to a list of the connection. */
static void append(struct smb2_exchange **list, struct smb2_exchange *exchange)
{
	while (*list != NULL)
		list = &(*list)->next;
	exchange->next = NULL;
	*list = exchange;
}

void smb2_await_credits(struct smb2_exchange *exchange, unsigned credits)
{
	struct smb2_connection *connection = exchange->connection;

	if (connection->fibers == NULL ||
	    (connection->waiting == NULL && may_begin(connection, credits)))
		return;
	exchange->credits = credits;
	append(&connection->waiting, exchange);
	do
		fibers_sleep(connection->fibers, exchange, CLOCK_NEVER);
	while (connection->waiting != exchange || !may_begin(connection, credits));
	connection->waiting = exchange->next;
	admit(connection);
}

static void remove_in_flight(struct smb2_exchange *exchange)
{
	struct smb2_connection *connection = exchange->connection;
	struct smb2_exchange **at = &connection->in_flight;

	while (*at != exchange)
		at = &(*at)->next;
	*at = exchange->next;
	admit(connection);
}

static bool is_answered(const struct smb2_exchange *exchange)
{
	return exchange->answered == (1u << exchange->message.parts) - 1;
}

/* Wait for replies. If the request waits for another client, and the caller must
 * leave, cancel it. */
static int wait_for_replies(struct smb2_exchange *exchange)
{
	struct smb2_connection *connection = exchange->connection;
	uint64_t until_ns = CLOCK_NEVER;
	int rc = 0;

	/* They have come while a message was sent. */
	if (connection->break_count > 0)
		rc = acknowledge(connection);
	if (rc < 0)
		return rc;
	if (exchange->pending && exchange->may_wait && exchange->on_wait != NULL) {
		if (!exchange->on_wait(exchange->waiter))
			return cancel(exchange);
		until_ns = clock_now_ns() + NS_PER_S / 10;
	}
	if (connection->fibers == NULL)
		return smb2_take_input(connection, until_ns);
	fibers_sleep(connection->fibers, exchange, until_ns);
	return is_answered(exchange) ? 0 : connection->lost;
}

int smb2_connection_exchange(struct smb2_exchange *exchange, const void *data, size_t bytes)
{
	struct smb2_connection *connection = exchange->connection;
	int rc;

	if (connection->lost != 0)
		return connection->lost;
	if (exchange->message.full)
		return smb2_broken(connection, "the server grants too few credits");
	exchange->deadline_ns = exchange->limit_ns;
	if (exchange->deadline_ns == 0)
		exchange->deadline_ns = smb2_now_ns(connection) + connection->timeout_ns;
	exchange->answered = 0;
	exchange->copied = 0;
	exchange->apart = 0;
	exchange->pending = false;
	connection->holds = false;
	append(&connection->in_flight, exchange);
	rc = smb2_send(connection, &exchange->message, data, bytes, exchange->deadline_ns);
	while (rc == 0 && !is_answered(exchange))
		rc = wait_for_replies(exchange);
	remove_in_flight(exchange);
	return rc == 0 ? check_replies(exchange) : rc;
}
