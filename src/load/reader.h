/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read a text file, plain or gzip, line by line, and split lines into words.
 */
#ifndef LOAD_READER_H
#define LOAD_READER_H

#include "base/error.h"

#include <stdint.h>

/* Max number of words per line. Further words are dropped. */
enum { LINE_WORDS_MAX = 24 };

/*
 * Max length of a line, without the newline. It is much more than any operation
 * needs. The limit is needed because a megabyte of gzip can expand to a line of
 * a gigabyte.
 */
enum { LINE_BYTES_MAX = 1 << 20 };

/*
 * Max length of all lines that are blank, comments or malformed, if they are
 * more than half of the text. A megabyte of gzip can also expand to a gigabyte
 * of blank lines.
 */
enum { IDLE_BYTES_MAX = 16 << 20 };

struct word {
	char *text;      /* NUL-terminated, quotes removed; it may be replaced */
	char *start;     /* of the word in the line, with its quote */
	unsigned column; /* column of its first character, from 1 */
	bool quoted;
	char *end;    /* the NUL at the end of `text` */
	char end_was; /* the character before the NUL replaced it */
};

/* A line. It is valid until the next one is read. */
struct line {
	const char *source;
	uint32_t number; /* line number, from 1 */
	unsigned word_count;
	struct word words[LINE_WORDS_MAX];
};

struct reader;

/* A place between two lines of the text. */
struct reader_mark {
	uint64_t offset; /* of the line after it, in bytes */
	uint32_t line_number;
	uint64_t read_bytes, used_bytes;
};

/*
 * Let the file `source` be the content of this descriptor from now on: a load that came
 * from another machine. Return 0 or -ENOMEM.
 */
int reader_provide(const char *source, int fd);

/* Check if the content of a file was provided. */
bool reader_is_provided(const char *source);

/* Open a file. `source` must stay valid. Return NULL with `error` set on
 * failure. */
struct reader *reader_open(const char *source, struct error *error);

void reader_close(struct reader *reader);

/*
 * Read the next line that is neither blank nor a comment. Words are separated
 * by blanks; a word in quotes may contain blanks. Return 1, or 0 at the end of
 * the file, or -errno with `error` set: -EINVAL (the line has a NUL byte or an
 * unclosed quote; the caller can continue with the next line), -EFBIG (the line
 * is too long, or there are too many lines without words), -EIO (the file cannot
 * be read) or -ENOMEM.
 */
int reader_next(struct reader *reader, struct line *line, struct error *error);

/*
 * Read the next line if it is a comment. Return 1 and set *text to what follows
 * `#` and a blank, which is valid until the next line is read, or 0 if the line
 * is not a comment or the file ends, or -errno with `error` set: -EFBIG, -EIO or
 * -ENOMEM. A line that is not a comment is lost; see reader_rewind().
 */
int reader_comment(struct reader *reader, const char **text, struct error *error);

/* Return the rest of the line after the first word, exactly as in the file.
 * This makes the other words invalid. */
const char *line_rest(struct line *line);

/* Remove the comment at the end of a line: the words from the first one on that
 * begins with `#`, except in a WRITEPATTERN, whose text may. */
void line_drop_comment(struct line *line);

/* Go back to the first line. Return 0, or -errno with `error` set. */
int reader_rewind(struct reader *reader, struct error *error);

/* Return the place after the current line. */
struct reader_mark reader_place(const struct reader *reader);

/*
 * Keep the text from here on in memory, so that reader_return() can go back to
 * any place in it, until reader_release(). At most KEPT_BYTES_MAX of text can be
 * kept; then reader_next() fails with -EFBIG.
 */
enum { KEPT_BYTES_MAX = 16 << 20 };
void reader_keep(struct reader *reader);
void reader_return(struct reader *reader, const struct reader_mark *mark);
void reader_release(struct reader *reader);

/* Set `error` to a message with the line's number and the column of a word.
 * Return -EINVAL. */
int line_error(const struct line *line, unsigned word, struct error *error, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
