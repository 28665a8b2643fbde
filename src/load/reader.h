/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read lines and words from a text file, plain or gzip.
 */
#ifndef LOAD_READER_H
#define LOAD_READER_H

#include "base/error.h"

#include <stdint.h>

/* Max number of words per line; further words are dropped. */
enum { LINE_WORDS_MAX = 24 };

/*
 * Max length of a line without its end. Two paths and a text fit in it many
 * times over. The limit is needed because a megabyte of gzip can hold a line of
 * a gigabyte.
 */
enum { LINE_BYTES_MAX = 1 << 20 };

struct word {
	char *text; /* NUL-terminated, quotes removed */
	unsigned column; /* of its first character, from 1 */
	bool quoted;
	char *end; /* the place of its NUL */
	char end_was; /* the character that the NUL replaced */
};

/* A line, valid until the next one is read. */
struct line {
	const char *source;
	uint32_t number; /* from 1 */
	unsigned word_count;
	struct word words[LINE_WORDS_MAX];
};

struct reader;

/* Open a file. `source` is kept. Returns NULL with `error` set on failure. */
struct reader *reader_open(const char *source, struct error *error);

void reader_close(struct reader *reader);

/*
 * Read the next line that is neither blank nor a comment. Words are separated
 * by blanks; quotes keep blanks together. Returns 1, 0 at the end, or -errno
 * with `error` set: -EINVAL (a NUL byte or an unclosed quote; the next line can
 * be read), -EFBIG (the line is too long), -EIO (the file cannot be read) or
 * -ENOMEM.
 */
int reader_next(struct reader *reader, struct line *line, struct error *error);

/*
 * Return the rest of the line, from `word` on, as it is in the file. This
 * destroys those words.
 */
const char *line_rest(struct line *line, unsigned word);

/* Go back to the first line. Returns 0, or -errno with `error` set. */
int reader_rewind(struct reader *reader, struct error *error);

/* Set `error` to a message with the place of a word of the line. */
void line_error(const struct line *line, unsigned word, struct error *error,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
