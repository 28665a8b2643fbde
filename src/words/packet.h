/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tbench's wire protocol. A request states its own length and the length of
 * the reply that it wants. Numbers are big-endian.
 *
 *   request  4 bytes  length of the rest of the request
 *            4 bytes  length of the rest of the reply, after its first 4 bytes
 *            ...      any data
 *   reply    4 bytes  length of the rest of the reply
 *            4 bytes  the same length again
 *            ...      any data
 *
 * All sizes in this API are sizes of whole packets, including both length
 * fields.
 */
#ifndef WORDS_PACKET_H
#define WORDS_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum {
	PACKET_HEAD_BYTES = 8, /* the two lengths; the min size of a packet */
	PACKET_BYTES_MAX = 70000,
};

/* The port of tbench's servers. */
#define PACKET_PORT "7003"

/* Write the head of a request, or of a reply. */
void packet_put_request(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes,
			uint32_t reply_bytes);
void packet_put_reply(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes);

/* Check that `head` is the head of a reply of `bytes` bytes. Return 0 or
 * -EPROTO. */
int packet_check_reply(const unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes);

/* The state of a request that arrives in pieces of any size. Set it to all
 * zeros before each request. */
struct packet_reader {
	unsigned char head[PACKET_HEAD_BYTES];
	uint32_t head_bytes; /* number of bytes of the head received so far */
	/* The following are valid when the head is complete. */
	uint32_t reply_bytes;
	uint32_t left_bytes; /* bytes of the request yet to be received */
};

/*
 * Consume received data, at most up to the end of the request, and set *taken
 * to the number of bytes consumed. Return 1 if the request is complete, 0 if
 * more must be received, or -EPROTO if one of the request's two lengths is out
 * of bounds. Once the head is complete, the function only counts bytes and does
 * not read `data`, which may then be NULL.
 */
int packet_read(struct packet_reader *reader, const unsigned char *data, size_t size,
		size_t *taken);

#endif
