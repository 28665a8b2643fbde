/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tbench's wire protocol. A request gives its own length and the length of the
 * reply. Numbers are big-endian.
 *
 *   request  4 bytes  length of the rest of the request
 *            4 bytes  length of the rest of the reply, after its first 4 bytes
 *            ...      any data
 *   reply    4 bytes  length of the rest of the reply
 *            4 bytes  the same again
 *            ...      any data
 *
 * Sizes in this API are those of whole packets, including the first length.
 */
#ifndef BASE_PACKET_H
#define BASE_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum {
	PACKET_HEAD_BYTES = 8, /* the two lengths, and the min packet size */
	PACKET_BYTES_MAX = 70000,
};

/* The port of tbench's servers. */
#define PACKET_PORT "7003"

/* Write the head of a request, or of a reply. */
void packet_put_request(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes,
			uint32_t reply_bytes);
void packet_put_reply(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes);

/* Check the head of a reply of `bytes` bytes. Returns 0 or -EPROTO. */
int packet_check_reply(const unsigned char head[PACKET_HEAD_BYTES],
		       uint32_t bytes);

/* A request that arrives in pieces of any size. All zeros between requests. */
struct packet_reader {
	unsigned char head[PACKET_HEAD_BYTES];
	uint32_t head_bytes; /* number of bytes of the head received */
	/* Both known once the head is complete: */
	uint32_t reply_bytes;
	uint32_t left_bytes; /* of the request, still to come */
};

/*
 * Read received data, up to the end of the request: *taken of the `size` bytes
 * at `data`. Returns 1 when the request is complete, 0 when more has to come,
 * -EPROTO when one of its lengths is out of bounds. `data` after the head is
 * not accessed; it may be NULL.
 */
int packet_read(struct packet_reader *reader, const unsigned char *data,
		size_t size, size_t *taken);

#endif
