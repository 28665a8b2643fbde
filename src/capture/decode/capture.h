/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the frames of a capture that all protocols share. The columns of
 * a protocol (columns.h) begin with those of CAPTURE_FIELDS.
 */
#ifndef CAPTURE_DECODE_CAPTURE_H
#define CAPTURE_DECODE_CAPTURE_H

#include "capture/decode/columns.h"
#include "capture/model/source.h"

/* The names of the fields for tshark, and their number. */
#define CAPTURE_FIELDS \
	"frame.number", "frame.time_epoch", "frame.cap_len", "frame.len", "ip.src", "ip.dst", \
		"ipv6.src", "ipv6.dst", "tcp.stream", "udp.stream", "tcp.analysis.lost_segment", \
		"tcp.analysis.ack_lost_segment"
enum { CAPTURE_COLUMNS = 12 };

struct capture_frame {
	uint64_t number;
	uint64_t time_ns; /* since the first frame */
	/* Addresses, valid until columns_next(); "" if there are none. */
	const char *source, *destination;
	uint64_t stream; /* number of the connection, TCP or UDP */
	bool cut;        /* the capture has only the beginning of the frame */
};

/* Totals of a capture. An all-zero struct is that of an empty one. */
struct capture {
	uint64_t frames, lost_segments, cut_frames;
	uint64_t cut_bytes;         /* the captured length of cut frames, max */
	uint64_t first_ns, last_ns; /* on the clock of the capture */
};

/* Take the first columns of a line. Return 0, or -EINVAL with `error` set. */
int capture_frame_take(struct capture *capture, struct columns *columns,
		       struct capture_frame *frame, struct error *error);

/* Set the source's times, and warn of lost and cut frames. Call this at the end
 * of the capture. */
void capture_finish(const struct capture *capture, struct source *source);

#endif
