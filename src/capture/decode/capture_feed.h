/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture as the input of tshark.
 *
 * tshark has a list per file ID of SMB2, with an item per CLOSE, and looks
 * through it at each use. In compounds, the ID of related requests has all bits
 * set, so tshark's time would grow with the square of their number. Therefore
 * each of these CLOSEs gets an ID of its own: a number in the first four bytes,
 * which tshark's hash takes. smb2_calls_file_id() knows these IDs.
 */
#ifndef CAPTURE_DECODE_CAPTURE_FEED_H
#define CAPTURE_DECODE_CAPTURE_FEED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Is it pcap or pcapng? Others, such as compressed captures, are not altered. */
bool capture_is_plain(int capture);

/*
 * Start a process that writes a capture, from its beginning, to a pipe. Set
 * *feeder to the process, for capture_feed_finish(). A capture that is not plain
 * has no process. SMB on other ports than 445 gets that port (capture_ports.h);
 * `port` is one of them, or 0. Return a descriptor to read from, or -errno.
 */
int capture_feed(int capture, uint16_t port, pid_t *feeder);

/* Wait for the end of the process, after the descriptor has been closed
 * everywhere. Return 0, or -EIO if it could not read the capture. */
int capture_feed_finish(pid_t feeder);

#endif
