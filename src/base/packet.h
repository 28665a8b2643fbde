/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wire of tbench: packets that have a size and say how large the answer
 * has to be. Numbers are big-endian.
 *
 *   request  4 bytes  length of what follows
 *            4 bytes  the same of the reply that is wanted
 *            ...      anything
 *   reply    4 bytes  length of what follows
 *            4 bytes  the same again
 *            ...      anything
 *
 * Sizes here are those of whole packets, the first length included.
 */
#ifndef BASE_PACKET_H
#define BASE_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum {
	PACKET_HEAD_BYTES = 8, /* what every packet has, and the least */
	PACKET_BYTES_MAX = 70000,
};

/* Where its servers listen. */
#define PACKET_PORT "7003"

/* Writes the head of a request, or of a reply. */
void packet_put_request(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes,
			uint32_t reply_bytes);
void packet_put_reply(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes);

/* Is it the head of a reply of `bytes`? Returns 0 or -EPROTO. */
int packet_check_reply(const unsigned char head[PACKET_HEAD_BYTES],
		       uint32_t bytes);

/* A request while it arrives, in whatever pieces; all zeros between two. */
struct packet_reader {
	unsigned char head[PACKET_HEAD_BYTES];
	uint32_t head_bytes;  /* so many of them are there */
	uint32_t reply_bytes; /* known with the head, as is what follows */
	uint32_t left_bytes;  /* of the packet, still to come */
};

/*
 * Takes in what has come, up to the end of the packet: `taken` bytes of the
 * `size` at `data`. Returns 1 when the packet is complete, 0 when there is
 * more to come, -EPROTO when one of its lengths is out of bounds. Behind the
 * head `data` is not looked at, and may be NULL.
 */
int packet_read(struct packet_reader *reader, const unsigned char *data,
		size_t size, size_t *taken);

#endif
