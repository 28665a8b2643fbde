/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/exchange.h"

/* The data that an operation carries. */
enum payload { NOTHING, SENDS, RECEIVES, ENTRIES, TRANSACTION };

enum {
	/* A path is sent as 16-bit characters, and relative to tbench's
	 * directory: "./clients/client0/file". */
	CHARACTER_BYTES = 2,
	PATH_PREFIX = 2,
	ENTRY_BYTES = 90, /* size of one entry in a listing */
};

/* Packet sizes without paths and payload, and the number of paths. */
struct shape {
	uint8_t request_bytes, reply_bytes, paths;
	enum payload payload;
};

/* clang-format off */
static const struct shape shapes[] = {
	[P_NONE] = {0, 0, 0, NOTHING},
	[P_OPEN] = {74, 87, 1, NOTHING},
	[P_CLOSE] = {47, 39, 0, NOTHING},
	[P_READ] = {59, 59, 0, RECEIVES},
	[P_WRITE] = {59, 55, 0, SENDS},
	[P_FLUSH] = {41, 39, 0, NOTHING},
	[P_RANGE] = {51, 39, 0, NOTHING},
	[P_NAME] = {43, 39, 1, NOTHING},
	[P_TWO_NAMES] = {47, 39, 2, NOTHING},
	[P_QUERY_PATH] = {55, 71, 1, NOTHING},
	[P_QUERY_FILE] = {59, 71, 0, NOTHING},
	[P_SET_PATH] = {67, 47, 1, NOTHING},
	[P_SET_FILE] = {71, 47, 0, NOTHING},
	[P_GET_VALUE] = {55, 71, 1, RECEIVES},
	[P_SET_VALUE] = {67, 47, 1, SENDS},
	[P_LIST] = {59, 39, 1, ENTRIES},
	[P_COPY] = {79, 39, 0, NOTHING},
	[P_TRANSACTION] = {8, 8, 0, TRANSACTION},
};
/* clang-format on */

static uint32_t path_bytes(const struct binding *binding, uint32_t path)
{
	return CHARACTER_BYTES * (PATH_PREFIX + binding->names.path_bytes[path]);
}

/*
 * Return the number of bytes that a read of `size` bytes receives: the recorded
 * number if it is valid (OP_COUNTED, without OP_SIZED) or if the read was
 * recorded as failed, otherwise the requested size.
 */
static uint32_t bytes_read(const struct op *op, uint64_t size)
{
	bool recorded = (op->flags & (OP_COUNTED | OP_SIZED)) == OP_COUNTED ||
			!outcome_in(op->accepts, OUTCOME_OK);

	return recorded ? op->expect : (uint32_t)size;
}

struct exchange exchange_of(struct binding *binding, const struct op *op)
{
	const struct shape *shape = &shapes[op_packet(op->kind)];
	struct exchange exchange = {
		.request_bytes = shape->request_bytes,
		.reply_bytes = shape->reply_bytes,
	};

	if (shape->paths > 0)
		exchange.request_bytes += path_bytes(binding, op->path);
	if (shape->paths > 1)
		exchange.request_bytes += path_bytes(binding, op->path2);
	switch (shape->payload) {
	case NOTHING:
		break;
	case RECEIVES:
		exchange.received_bytes = bytes_read(op, bind_size(binding, op));
		break;
	case ENTRIES:
		/* A server fills at most one packet per reply. */
		exchange.received_bytes = op->expect < EXCHANGE_DATA_MAX / ENTRY_BYTES
						  ? op->expect * ENTRY_BYTES
						  : EXCHANGE_DATA_MAX;
		break;
	case TRANSACTION:
		exchange.received_bytes = op->expect;
		/* fall through */
	case SENDS:
		exchange.sent_bytes = (uint32_t)bind_size(binding, op);
		break;
	}
	return exchange;
}

static uint32_t part_of(uint32_t bytes)
{
	return bytes < EXCHANGE_DATA_MAX ? bytes : EXCHANGE_DATA_MAX;
}

static int play_packets(struct replay *r, struct exchange left)
{
	int rc;

	if (left.request_bytes == 0)
		return 0;
	do {
		uint32_t sent = part_of(left.sent_bytes);
		uint32_t received = part_of(left.received_bytes);

		rc = r->backend->exchange(r->session, left.request_bytes + sent,
					  left.reply_bytes + received);
		left.sent_bytes -= sent;
		left.received_bytes -= received;
	} while (rc >= 0 && (left.sent_bytes > 0 || left.received_bytes > 0));
	return rc;
}

/* Play a transaction. Connecting and disconnecting are part of its time. */
static int play_transaction(struct replay *r, const struct op *op, const struct exchange *exchange)
{
	int rc;

	if (op->connection == OP_KEEP)
		return play_packets(r, *exchange);
	rc = r->backend->connect(r->session);
	if (rc >= 0)
		rc = play_packets(r, *exchange);
	if (rc >= 0)
		rc = r->backend->disconnect(r->session, op->connection == OP_RESETTING);
	return rc;
}

int64_t exchange_play(struct replay *r, const struct op *op)
{
	static const struct exchange flush = {.request_bytes = 41, .reply_bytes = 39};
	struct exchange exchange = exchange_of(&r->binding, op);
	int rc;

	if (op->kind == OP_TRANSACT)
		rc = play_transaction(r, op, &exchange);
	else
		rc = play_packets(r, exchange);
	if (rc >= 0 && (op->flags & OP_FLUSH) != 0)
		rc = play_packets(r, flush);
	if (rc < 0)
		return rc;
	if (op_class(op->kind) != OP_CLASS_DATA)
		return 0;
	return (int64_t)exchange.sent_bytes + exchange.received_bytes;
}
