/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture as the input of tshark, which gets it through a pipe, altered in two
 * places.
 *
 * tshark has a list per file ID of SMB2, with an item per CLOSE, and looks
 * through it at each use. In compounds, the ID of related requests has all bits
 * set, so tshark's time would grow with the square of their number. Therefore
 * each of these CLOSEs gets an ID of its own: a number in the first four bytes,
 * which tshark's hash takes. smb2_calls_file_id() knows these IDs.
 *
 * tshark's option to decode another port than 445 as SMB loses messages of over
 * 128 KiB, so the ports of servers are changed to 445. A server's port is found
 * by the first SMB2 message on it. Packets before that keep their port.
 */
#ifndef CAPTURE_DECODE_FEED_H
#define CAPTURE_DECODE_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Is it pcap or pcapng? Others, such as compressed captures, are not altered. */
bool capture_is_plain(int capture);

/*
 * Start a process that writes a capture, from its beginning, to a pipe. Set
 * *feeder to the process, for capture_feed_finish(). A capture that is not plain
 * has no process. `port` is one that has SMB, or 0. Return a descriptor to read
 * from, or -errno.
 */
int capture_feed(int capture, uint16_t port, pid_t *feeder);

/* Wait for the end of the process, after the descriptor has been closed
 * everywhere. Return 0, or -EIO if it could not read the capture. */
int capture_feed_finish(pid_t feeder);

enum { CAPTURE_PORT_SMB = 445 };

/* A capture while its ports are altered. An all-zero struct is that of the
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
