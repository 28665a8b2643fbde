/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/capture.h"

#include "base/units.h"

#include <errno.h>

/* The headers of a frame and of a compound, with names, are in this many
 * bytes. */
enum { SNAP_LENGTH_MIN = 512 };

/* The columns of CAPTURE_FIELDS. */
enum {
	NUMBER,
	TIME,
	CAPTURED_LENGTH,
	LENGTH,
	SOURCE_4,
	DESTINATION_4,
	SOURCE_6,
	DESTINATION_6,
	TCP_STREAM,
	UDP_STREAM,
	LOST_SEGMENT,
	ACK_LOST_SEGMENT,
};

/* Return the last value of a column: a tunnel's frame has the inner address
 * after the outer one. */
static const char *take_last(struct columns *columns, size_t column)
{
	const char *value, *last = NULL;

	while ((value = columns_take(columns, column)) != NULL)
		last = value;
	return last;
}

static const char *take_address(struct columns *columns, size_t column_4, size_t column_6)
{
	const char *address = take_last(columns, column_4);

	if (address == NULL)
		address = take_last(columns, column_6);
	return address != NULL ? address : "";
}

static void count_frame(struct capture *capture, struct columns *columns, uint64_t time_ns,
			struct capture_frame *frame)
{
	uint64_t captured, length;

	if (capture->frames++ == 0)
		capture->first_ns = time_ns;
	if (time_ns > capture->last_ns)
		capture->last_ns = time_ns;
	if (columns_take(columns, LOST_SEGMENT) != NULL ||
	    columns_take(columns, ACK_LOST_SEGMENT) != NULL)
		capture->lost_segments++;
	if (columns_take_number(columns, CAPTURED_LENGTH, &captured) &&
	    columns_take_number(columns, LENGTH, &length) && captured < length) {
		frame->cut = true;
		capture->cut_frames++;
		if (captured > capture->cut_bytes)
			capture->cut_bytes = captured;
	}
}

int capture_frame_take(struct capture *capture, struct columns *columns,
		       struct capture_frame *frame, struct error *error)
{
	const char *time = columns_take(columns, TIME);
	struct error ignored = {0};
	uint64_t time_ns;

	*frame = (struct capture_frame){0};
	if (!columns_take_number(columns, NUMBER, &frame->number) || time == NULL ||
	    units_parse_time(time, "time", &time_ns, &ignored) < 0) {
		error_set_at(error, columns->source, columns->number, 0,
			     "not the fields of a capture: no number of a frame, or no time");
		return -EINVAL;
	}
	count_frame(capture, columns, time_ns, frame);
	if (time_ns > capture->first_ns)
		frame->time_ns = time_ns - capture->first_ns;
	frame->source = take_address(columns, SOURCE_4, SOURCE_6);
	frame->destination = take_address(columns, DESTINATION_4, DESTINATION_6);
	if (columns_take_number(columns, TCP_STREAM, &frame->stream))
		frame->stream *= 2;
	else if (columns_take_number(columns, UDP_STREAM, &frame->stream))
		frame->stream = 2 * frame->stream + 1;
	return 0;
}

void capture_finish(const struct capture *capture, struct source *source)
{
	char count[UNITS_TEXT];

	source->first_ns = capture->first_ns;
	source->last_ns = capture->last_ns;
	if (capture->lost_segments > 0)
		source_warn(source, "segments are missing in the capture at %s %s",
			    units_print_count(capture->lost_segments, count),
			    units_plural(capture->lost_segments, "place", "places"));
	if (capture->cut_frames > 0 && capture->cut_bytes < SNAP_LENGTH_MIN)
		source_warn(source,
			    "frames are cut at %u bytes; capture with a snap length of %d at least",
			    (unsigned)capture->cut_bytes, SNAP_LENGTH_MIN);
}
