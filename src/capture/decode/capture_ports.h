/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SMB on other ports than 445 in a capture. tshark's option to decode another port
 * as SMB loses messages of over 128 KiB, so the ports of servers in the capture
 * are changed to 445 before tshark sees it.
 *
 * A server's port is found by the first SMB2 message on it. Packets before that
 * keep their port.
 */
#ifndef CAPTURE_DECODE_CAPTURE_PORTS_H
#define CAPTURE_DECODE_CAPTURE_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CAPTURE_PORT_SMB = 445 };

/* A capture while its bytes are altered. An all-zero struct is that of the
 * beginning. */
struct capture_ports {
	bool started, next_generation, big_endian;
	uint64_t skip; /* bytes before the next record */
	/* Link types of the section's interfaces; pcap has one. */
	uint16_t links[64];
	size_t link_count;
	uint16_t servers[16]; /* ports */
	size_t server_count;
};

/* Add the port of a server. */
void capture_ports_add(struct capture_ports *ports, uint16_t port);

/*
 * Alter the next bytes of a capture: pcap or pcapng. Return the number of bytes
 * that are done; pass the others again with the bytes after them. `end`: there
 * are none, so all bytes are done.
 */
size_t capture_ports_alter(struct capture_ports *ports, unsigned char *bytes, size_t length,
			   bool end);

#endif
