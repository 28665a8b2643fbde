/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/reader.h"

#include "base/array.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { BUFFER_START = 256 << 10 };

struct reader {
	const char *source;
	gzFile file;
	char *buffer;
	size_t room;      /* size of buffer, of which one byte is for a NUL */
	size_t next, end; /* unread bytes: buffer[next] to buffer[end - 1] */
	uint64_t offset;  /* of buffer[0] in the text */
	/* While text is kept, from this offset on, the buffer is not changed, and
	 * the current line is a copy. */
	bool keeping;
	uint64_t kept_from;
	char *copy;
	size_t copy_room;
	bool at_end; /* the whole file is read */
	uint32_t line_number;
	/* Bytes of all lines so far, and of those that had words. */
	uint64_t read_bytes, used_bytes;
	/* The current line. */
	char *raw;
	size_t raw_length;
};

/* Files whose content was provided. */
static struct provided {
	char *source;
	int fd;
} *provided;
static size_t provided_count;

int reader_provide(const char *source, int fd)
{
	const struct provided added = {strdup(source), fd};

	if (added.source != NULL &&
	    array_append(&provided, &provided_count, &added, sizeof(added)) == 0)
		return 0;
	free(added.source);
	return -ENOMEM;
}

static const struct provided *find_provided(const char *source)
{
	size_t i;

	for (i = 0; i < provided_count; i++)
		if (strcmp(provided[i].source, source) == 0)
			return &provided[i];
	return NULL;
}

bool reader_is_provided(const char *source)
{
	return find_provided(source) != NULL;
}

/* Open the file, or what was provided for it, from the beginning. */
static gzFile open_file(const char *source)
{
	const struct provided *found = find_provided(source);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", found != NULL ? found->fd : -1);
	return gzopen(found != NULL ? path : source, "rb");
}

static int refuse_rereading(const char *source, struct error *error)
{
	error_set_at(
		error, source, 0, 0,
		"expected a regular file, not a pipe, because throng reads the loadfile twice");
	return -ESPIPE;
}

/* Refuse a pipe before gzopen() blocks until somebody writes to it. */
static int refuse_pipe(const char *source, struct error *error)
{
	struct stat about;

	if (stat(source, &about) < 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
		return 0;
	return refuse_rereading(source, error);
}

struct reader *reader_open(const char *source, struct error *error)
{
	struct reader *reader;

	if (refuse_pipe(source, error) < 0)
		return NULL;
	reader = calloc(1, sizeof(*reader));
	if (reader == NULL)
		goto no_memory;
	reader->source = source;
	reader->room = BUFFER_START;
	reader->buffer = malloc(reader->room);
	if (reader->buffer == NULL)
		goto no_memory;
	errno = 0;
	reader->file = open_file(source);
	if (reader->file == NULL) {
		error_set_at(error, source, 0, 0, "cannot open: %s",
			     strerror(errno != 0 ? errno : ENOMEM));
		reader_close(reader);
		return NULL;
	}
	gzbuffer(reader->file, BUFFER_START);
	return reader;

no_memory:
	error_no_memory(error);
	reader_close(reader);
	return NULL;
}

void reader_close(struct reader *reader)
{
	if (reader == NULL)
		return;
	if (reader->file != NULL)
		gzclose(reader->file);
	free(reader->buffer);
	free(reader->copy);
	free(reader);
}

int reader_rewind(struct reader *reader, struct error *error)
{
	reader->next = reader->end = 0;
	reader->offset = 0;
	reader->keeping = false;
	reader->at_end = false;
	reader->line_number = 0;
	reader->read_bytes = reader->used_bytes = 0;
	if (gzrewind(reader->file) == 0)
		return 0;
	return refuse_rereading(reader->source, error);
}

/* Return why a read failed: zlib's message, without the file's name at its
 * start. */
static const char *failure(struct reader *reader)
{
	size_t length = strlen(reader->source);
	const char *text;
	int code;

	text = gzerror(reader->file, &code);
	if (code == Z_ERRNO)
		return strerror(errno);
	if (strncmp(text, reader->source, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	return text;
}

/* Move the bytes that are kept or unread to the start of the buffer and read
 * more. */
static int refill(struct reader *reader, struct error *error)
{
	size_t first = reader->keeping ? (size_t)(reader->kept_from - reader->offset)
				       : reader->next;
	size_t left = reader->end - first;
	int got, code;

	if (reader->keeping && left > KEPT_BYTES_MAX) {
		error_set_at(error, reader->source, reader->line_number, 0,
			     "the REPEAT around this line has more than %d MiB of text; repeat "
			     "fewer lines",
			     KEPT_BYTES_MAX >> 20);
		return -EFBIG;
	}
	memmove(reader->buffer, reader->buffer + first, left);
	reader->offset += first;
	reader->next -= first;
	reader->end = left;
	if (array_grow(&reader->buffer, &reader->room, left + 2, 1) < 0)
		return error_no_memory(error);
	got = gzread(reader->file, reader->buffer + left, (unsigned)(reader->room - left - 1));
	if (got > 0) {
		reader->end += (size_t)got;
		return 0;
	}
	reader->at_end = true;
	/* gzread() does not report that a gzip file is truncated, so ask
	 * gzerror(). */
	gzerror(reader->file, &code);
	if (got == 0 && (code == Z_OK || code == Z_STREAM_END))
		return 0;
	error_set_at(error, reader->source, reader->line_number, 0, "cannot read: %s",
		     failure(reader));
	return -EIO;
}

static int refuse_length(struct reader *reader, struct error *error)
{
	error_set_at(error, reader->source, reader->line_number + 1, 0,
		     "the line is longer than %d MiB; expected an operation", LINE_BYTES_MAX >> 20);
	return -EFBIG;
}

/* Read a line and replace its newline by a NUL. Return 1, or 0 at the end of
 * the file, or -errno. */
static int next_raw(struct reader *reader, struct error *error)
{
	size_t scanned = 0;
	char *start, *newline;
	int rc;

	for (;;) {
		start = reader->buffer + reader->next;
		newline = memchr(start + scanned, '\n', reader->end - reader->next - scanned);
		if (newline != NULL)
			break;
		scanned = reader->end - reader->next;
		if (reader->at_end) {
			if (scanned == 0)
				return 0;
			newline = start + scanned;
			break;
		}
		if (scanned > LINE_BYTES_MAX)
			return refuse_length(reader, error);
		rc = refill(reader, error);
		if (rc < 0)
			return rc;
	}
	if (newline - start > LINE_BYTES_MAX)
		return refuse_length(reader, error);
	reader->raw_length = (size_t)(newline - start);
	if (reader->keeping) {
		if (array_grow(&reader->copy, &reader->copy_room, reader->raw_length + 1, 1) < 0)
			return error_no_memory(error);
		newline = reader->copy + reader->raw_length;
		start = memcpy(reader->copy, start, reader->raw_length);
	}
	*newline = '\0';
	reader->raw = start;
	reader->next += reader->raw_length + 1;
	if (reader->next > reader->end)
		reader->next = reader->end;
	reader->line_number++;
	reader->read_bytes += reader->raw_length + 1;
	/* Remove all carriage returns: if only one were removed, each round of
	 * loading and printing a WRITEPATTERN would lose one more. */
	while (reader->raw_length > 0 && start[reader->raw_length - 1] == '\r')
		start[--reader->raw_length] = '\0';
	return 1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int line_error(const struct line *line, unsigned word, struct error *error, const char *format, ...)
{
	char text[sizeof(error->text)];
	va_list arguments;
	unsigned column;

	if (word < line->word_count)
		column = line->words[word].column;
	else
		column = line->words[line->word_count - 1].column;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	error_set_at(error, line->source, line->number, column, "%s", text);
	return -EINVAL;
}

/* Split the raw line into words, in place. Return 0, or -EINVAL with `error`
 * set. */
static int split(struct reader *reader, struct line *line, struct error *error)
{
	char *next = reader->raw;

	for (line->word_count = 0; line->word_count < LINE_WORDS_MAX; line->word_count++) {
		struct word *word = &line->words[line->word_count];

		while (is_blank(*next))
			next++;
		if (*next == '\0')
			return 0;
		word->column = (unsigned)(next - reader->raw) + 1;
		word->start = next;
		word->quoted = *next == '"';
		if (word->quoted) {
			word->text = ++next;
			while (*next != '"' && *next != '\0')
				next++;
			if (*next == '\0' || (next[1] != '\0' && !is_blank(next[1]))) {
				error_set_at(error, reader->source, reader->line_number,
					     word->column,
					     *next == '\0' ? "the quoted text has no closing \""
							   : "expected a blank or the end of the "
							     "line after the closing \"");
				return -EINVAL;
			}
		} else {
			word->text = next;
			while (!is_blank(*next) && *next != '\0')
				next++;
		}
		word->end = next;
		word->end_was = *next;
		if (*next != '\0')
			*next++ = '\0';
	}
	return 0;
}

/* Refuse lines without words that are too large a part of the text. */
static int check_idle(const struct reader *reader, struct error *error)
{
	uint64_t idle_bytes = reader->read_bytes - reader->used_bytes;

	if (idle_bytes <= IDLE_BYTES_MAX || idle_bytes <= reader->used_bytes)
		return 0;
	error_set_at(error, reader->source, reader->line_number, 0,
		     "up to this line, the file has more than %d MiB of blank lines and comments, "
		     "and fewer bytes of operations; delete comments",
		     IDLE_BYTES_MAX >> 20);
	return -EFBIG;
}

int reader_next(struct reader *reader, struct line *line, struct error *error)
{
	const char *start;
	int rc;

	do {
		rc = check_idle(reader, error);
		if (rc < 0)
			return rc;
		rc = next_raw(reader, error);
		if (rc <= 0)
			return rc;
		start = reader->raw;
		while (is_blank(*start))
			start++;
		if (strlen(start) + (size_t)(start - reader->raw) != reader->raw_length) {
			error_set_at(error, reader->source, reader->line_number,
				     (unsigned)strlen(reader->raw) + 1,
				     "the line contains a NUL byte; expected text or gzip");
			return -EINVAL;
		}
	} while (*start == '\0' || *start == '#');
	line->source = reader->source;
	line->number = reader->line_number;
	reader->used_bytes += reader->raw_length + 1;
	rc = split(reader, line, error);
	return rc < 0 ? rc : 1;
}

int reader_comment(struct reader *reader, const char **text, struct error *error)
{
	int rc = next_raw(reader, error);

	if (rc <= 0 || reader->raw[0] != '#')
		return rc < 0 ? rc : 0;
	*text = reader->raw + (reader->raw[1] == ' ' ? 2 : 1);
	return 1;
}

struct reader_mark reader_place(const struct reader *reader)
{
	return (struct reader_mark){
		.offset = reader->offset + reader->next,
		.line_number = reader->line_number,
		.read_bytes = reader->read_bytes,
		.used_bytes = reader->used_bytes,
	};
}

void reader_keep(struct reader *reader)
{
	reader->keeping = true;
	reader->kept_from = reader->offset + reader->next;
}

void reader_return(struct reader *reader, const struct reader_mark *mark)
{
	reader->next = (size_t)(mark->offset - reader->offset);
	reader->line_number = mark->line_number;
	reader->read_bytes = mark->read_bytes;
	reader->used_bytes = mark->used_bytes;
}

void reader_release(struct reader *reader)
{
	reader->keeping = false;
}

const char *line_rest(struct line *line)
{
	unsigned i;

	for (i = 1; i < line->word_count; i++)
		*line->words[i].end = line->words[i].end_was;
	return line->words[1].start;
}

void line_drop_comment(struct line *line)
{
	unsigned i;

	if (strcmp(line->words[0].text, "WRITEPATTERN") == 0)
		return;
	for (i = 1; i < line->word_count; i++)
		if (line->words[i].text[0] == '#' && !line->words[i].quoted)
			line->word_count = i;
}
