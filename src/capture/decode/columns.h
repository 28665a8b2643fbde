/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text that `tshark -T fields` prints of a capture: a line per frame, a
 * column per field. A column has the values of all messages in the frame, in
 * their order; readers take them one after the other, because each kind of
 * message has a fixed number of values of each field. The first columns have
 * facts about the frame, and are the same for all protocols.
 */
#ifndef CAPTURE_DECODE_COLUMNS_H
#define CAPTURE_DECODE_COLUMNS_H

#include "base/error.h"
#include "capture/model/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Between columns, and between the values of a column. No name in a capture
 * contains them. */
#define COLUMNS_SEPARATOR '\t'
#define COLUMNS_AGGREGATOR '\x02'

enum { COLUMNS_MAX = 96 };

struct columns {
	FILE *stream;
	const char *source; /* for messages */
	size_t count;       /* columns */
	char *line;
	size_t room;
	unsigned number; /* of the line, from 1 */
	/* The next value of each column, or NULL, and the end of its last one.
	 * Values end by a NUL, and the next one follows at once. */
	char *next[COLUMNS_MAX], *end[COLUMNS_MAX];
};

/* Begin to read lines of `count` columns. */
void columns_open(struct columns *columns, FILE *stream, const char *source, size_t count);

/* Read the next line. Return 1, 0 at the end, or -errno with `error` set, for
 * example if the line has another number of columns. */
int columns_next(struct columns *columns, struct error *error);

/* Take the next value of a column. Return NULL after the last one. The value is
 * valid until columns_next(). */
const char *columns_take(struct columns *columns, size_t column);

/* Return the next value of a column without taking it. */
const char *columns_peek(const struct columns *columns, size_t column);

/* Return the number of values left in a column. */
size_t columns_left(const struct columns *columns, size_t column);

/*
 * Parse a number, decimal or hexadecimal after 0x; "True" is 1 and "False" 0.
 * Return false if `text` is NULL or not a number.
 */
bool columns_parse_number(const char *text, uint64_t *number);

/* Take the next value and parse it as a number. */
bool columns_take_number(struct columns *columns, size_t column, uint64_t *number);

void columns_close(struct columns *columns);

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
