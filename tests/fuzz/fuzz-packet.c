/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the server's reader of packets. The first byte of the input is the size
 * of the pieces in which the rest is received. Received at once or in pieces,
 * the input must yield the same requests, all within bounds.
 */
#include "words/packet.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-packet: %s\n", what);
	abort();
}

/* The requests that were read: number, checksum, and where reading ended. */
struct outcome {
	uint64_t requests, sum;
	size_t end; /* offset of the error, or the size */
	uint32_t head_bytes, left_bytes;
};

static void check_reader(const struct packet_reader *reader)
{
	if (reader->head_bytes > PACKET_HEAD_BYTES)
		fail("a head is too long");
	if (reader->head_bytes < PACKET_HEAD_BYTES)
		return;
	if (reader->reply_bytes < PACKET_HEAD_BYTES || reader->reply_bytes > PACKET_BYTES_MAX)
		fail("the size of a reply is out of bounds");
	if (reader->left_bytes > PACKET_BYTES_MAX - PACKET_HEAD_BYTES)
		fail("the size of a request is out of bounds");
}

static struct outcome read_all(const uint8_t *data, size_t size, size_t piece)
{
	struct packet_reader reader = {0};
	struct outcome outcome = {0};
	size_t at = 0, end = 0, taken;

	while (at < size) {
		int rc;

		if (at == end)
			end = size - at > piece ? at + piece : size;
		rc = packet_read(&reader, data + at, end - at, &taken);
		if (taken > end - at || (taken == 0 && rc == 0))
			fail("packet_read took too much, or nothing");
		at += taken;
		if (rc < 0)
			break;
		check_reader(&reader);
		if (rc == 0 && at < end)
			fail("packet_read stopped before the end of a request");
		if (rc > 0) {
			outcome.requests++;
			outcome.sum = outcome.sum * 31 + reader.reply_bytes;
			reader = (struct packet_reader){0};
		}
	}
	outcome.end = at;
	outcome.head_bytes = reader.head_bytes;
	outcome.left_bytes = reader.left_bytes;
	return outcome;
}

/* Check that a request and a reply can be read as they were written. */
static void check_round_trip(uint32_t bytes, uint32_t reply_bytes)
{
	static const unsigned char nothing[PACKET_BYTES_MAX];
	unsigned char head[PACKET_HEAD_BYTES];
	struct packet_reader reader = {0};
	size_t taken;

	packet_put_request(head, bytes, reply_bytes);
	if (packet_read(&reader, head, sizeof(head), &taken) != (bytes == PACKET_HEAD_BYTES))
		fail("a head is read differently");
	if (bytes > PACKET_HEAD_BYTES &&
	    packet_read(&reader, nothing, sizeof(nothing), &taken) != 1)
		fail("a request does not end");
	if (reader.reply_bytes != reply_bytes)
		fail("the size of the reply is read differently");
	packet_put_reply(head, reply_bytes);
	if (packet_check_reply(head, reply_bytes) < 0)
		fail("a valid reply is refused");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint32_t range = PACKET_BYTES_MAX - PACKET_HEAD_BYTES + 1;
	struct outcome whole, pieces;
	size_t piece;

	if (size < 1)
		return 0;
	piece = (size_t)data[0] + 1;
	whole = read_all(data + 1, size - 1, size);
	pieces = read_all(data + 1, size - 1, piece);
	if (whole.requests != pieces.requests || whole.sum != pieces.sum ||
	    whole.end != pieces.end || whole.head_bytes != pieces.head_bytes ||
	    whole.left_bytes != pieces.left_bytes)
		fail("the pieces yield different requests");
	check_round_trip(PACKET_HEAD_BYTES + (uint32_t)(whole.sum % range),
			 PACKET_HEAD_BYTES + (uint32_t)(size * 7919 % range));
	return 0;
}
