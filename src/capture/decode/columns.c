/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/columns.h"

#include "base/array.h"
#include "base/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A message of SMB or NFS has at most 16 MiB, and so have its fields. */
enum { LINE_BYTES_MAX = 32 << 20 };

void columns_open(struct columns *columns, FILE *stream, const char *source, size_t count)
{
	*columns = (struct columns){
		.stream = stream,
		.source = source,
		.count = count,
	};
}

static int refuse(const struct columns *columns, struct error *error, const char *text)
{
	error_set_at(error, columns->source, columns->number, 0, "%s", text);
	return -EINVAL;
}

/* Read a line without its newline, and end it by a NUL. Return 1, 0 at the end,
 * or -errno with `error` set. */
static int read_line(struct columns *columns, struct error *error)
{
	size_t length = 0;
	int c;

	columns->number++;
	while ((c = getc_unlocked(columns->stream)) != EOF && c != '\n') {
		if (c == '\0')
			return refuse(columns, error, "the line has a NUL byte; expected text");
		if (length == LINE_BYTES_MAX) {
			error_set_at(error, columns->source, columns->number, 0,
				     "the line is longer than %d MiB", LINE_BYTES_MAX >> 20);
			return -EINVAL;
		}
		if (array_grow(&columns->line, &columns->room, length + 2, 1) < 0)
			return error_no_memory(error);
		columns->line[length++] = (char)c;
	}
	if (c == EOF && ferror(columns->stream)) {
		int rc = errno != 0 ? -errno : -EIO;

		error_set(error, "cannot read \"%s\": %s", columns->source, strerror(-rc));
		return rc;
	}
	if (c == EOF)
		return length == 0 ? 0
				   : refuse(columns, error,
					    "the last line has no newline at its end, so the input "
					    "may be cut off");
	if (array_grow(&columns->line, &columns->room, 1, 1) < 0)
		return error_no_memory(error);
	columns->line[length] = '\0';
	return 1;
}

/* Divide the line into columns and values. Return the number of columns, of
 * which no more than columns->count are kept. */
static size_t divide(struct columns *columns)
{
	char *start = columns->line, *c = start;
	size_t count = 0;

	for (;; c++) {
		char end = *c;

		if (end == COLUMNS_AGGREGATOR)
			*c = '\0';
		if (end != '\0' && end != COLUMNS_SEPARATOR)
			continue;
		*c = '\0';
		if (count < columns->count) {
			columns->next[count] = c > start ? start : NULL;
			columns->end[count] = c;
		}
		count++;
		start = c + 1;
		if (end == '\0')
			return count;
	}
}

int columns_next(struct columns *columns, struct error *error)
{
	int rc = read_line(columns, error);
	size_t count;

	if (rc <= 0)
		return rc;
	count = divide(columns);
	if (count == columns->count)
		return 1;
	error_set_at(error, columns->source, columns->number, 0,
		     "the line has %zu columns; expected %zu", count, columns->count);
	return -EINVAL;
}

const char *columns_take(struct columns *columns, size_t column)
{
	char *value = columns->next[column];

	if (value != NULL) {
		char *end = value + strlen(value);

		columns->next[column] = end < columns->end[column] ? end + 1 : NULL;
	}
	return value;
}

const char *columns_peek(const struct columns *columns, size_t column)
{
	return columns->next[column];
}

size_t columns_left(const struct columns *columns, size_t column)
{
	const char *value = columns->next[column];
	size_t count = 0;

	if (value == NULL)
		return 0;
	for (count = 1; (value += strlen(value)) < columns->end[column]; count++)
		value++;
	return count;
}

bool columns_parse_number(const char *text, uint64_t *number)
{
	char *end;

	if (text == NULL || *text == '\0')
		return false;
	if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
		*number = *text == 'T';
		return true;
	}
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	return errno == 0 && *end == '\0';
}

bool columns_take_number(struct columns *columns, size_t column, uint64_t *number)
{
	return columns_parse_number(columns_take(columns, column), number);
}

void columns_close(struct columns *columns)
{
	free(columns->line);
	columns->line = NULL;
	columns->room = 0;
}

/* The headers of a frame and of a compound, with its names, are in this many bytes.
 * Renames by SMB2 and compounds of NFSv4 often need more than 512. */
enum { SNAP_LENGTH_MIN = 1024 };

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
			     "the line has no frame number or no time; expected all fields that "
			     "throng-import(1) lists");
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
			    "frames are cut after %u bytes; capture with a snap length of at least "
			    "%d bytes",
			    (unsigned)capture->cut_bytes, SNAP_LENGTH_MIN);
}
