/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/packet.h"

#include <errno.h>
#include <string.h>

/* Size of a length field. The length in the field does not include the field
 * itself. */
enum { LENGTH_BYTES = 4 };

static void put_length(unsigned char *out, uint32_t bytes)
{
	uint32_t length = bytes - LENGTH_BYTES;

	out[0] = (unsigned char)(length >> 24);
	out[1] = (unsigned char)(length >> 16);
	out[2] = (unsigned char)(length >> 8);
	out[3] = (unsigned char)length;
}

/* Read a length field. Return the size of the whole packet, or 0 if the size is
 * out of bounds. */
static uint32_t get_bytes(const unsigned char *in)
{
	uint32_t length = (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 |
			  in[3];

	if (length < PACKET_HEAD_BYTES - LENGTH_BYTES || length > PACKET_BYTES_MAX - LENGTH_BYTES)
		return 0;
	return length + LENGTH_BYTES;
}

void packet_put_request(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes, uint32_t reply_bytes)
{
	put_length(head, bytes);
	put_length(head + LENGTH_BYTES, reply_bytes);
}

void packet_put_reply(unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes)
{
	packet_put_request(head, bytes, bytes);
}

int packet_check_reply(const unsigned char head[PACKET_HEAD_BYTES], uint32_t bytes)
{
	return get_bytes(head) == bytes && get_bytes(head + LENGTH_BYTES) == bytes ? 0 : -EPROTO;
}

/* Decode a complete head. Return 0 or -EPROTO. */
static int read_head(struct packet_reader *reader)
{
	uint32_t bytes = get_bytes(reader->head);

	reader->reply_bytes = get_bytes(reader->head + LENGTH_BYTES);
	if (bytes == 0 || reader->reply_bytes == 0)
		return -EPROTO;
	reader->left_bytes = bytes - PACKET_HEAD_BYTES;
	return 0;
}

int packet_read(struct packet_reader *reader, const unsigned char *data, size_t size, size_t *taken)
{
	size_t part = PACKET_HEAD_BYTES - reader->head_bytes;

	if (part > size)
		part = size;
	*taken = part;
	if (part > 0) {
		memcpy(reader->head + reader->head_bytes, data, part);
		reader->head_bytes += (uint32_t)part;
		if (reader->head_bytes < PACKET_HEAD_BYTES)
			return 0;
		if (read_head(reader) < 0)
			return -EPROTO;
	} else if (reader->head_bytes < PACKET_HEAD_BYTES) {
		return 0;
	}
	part = size - *taken;
	if (part > reader->left_bytes)
		part = reader->left_bytes;
	*taken += part;
	reader->left_bytes -= (uint32_t)part;
	return reader->left_bytes == 0;
}
