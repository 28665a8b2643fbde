/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and words out of a text file, plain or gzip.
 */
#ifndef LOAD_READER_H
#define LOAD_READER_H

#include "base/error.h"

#include <stdint.h>

/* The most words of a line that are kept; a line with more has this many. */
enum { LINE_WORDS_MAX = 24 };

/*
 * The longest line, its end apart: two paths and a text fit in it many times
 * over. A megabyte of gzip can hold a line of a gigabyte.
 */
enum { LINE_BYTES_MAX = 1 << 20 };

struct word {
	char *text; /* NUL-terminated, quotes removed */
	unsigned column; /* of its first character, from 1 */
	bool quoted;
	char *end; /* where its NUL stands, and what stood there */
	char end_was;
};

/* A line, valid until the next one is read. */
struct line {
	const char *source;
	uint32_t number; /* from 1 */
	unsigned word_count;
	struct word words[LINE_WORDS_MAX];
};

struct reader;

/* Opens a file. Returns NULL with `error` set. `source` is kept. */
struct reader *reader_open(const char *source, struct error *error);

void reader_close(struct reader *reader);

/*
 * Reads the next line that is neither blank nor a comment. Returns 1, 0 at
 * the end, or -EINVAL, -EFBIG, -EIO or -ENOMEM with `error` set: a NUL byte, a
 * quote that is not closed; a line that is too long; a file that cannot be
 * read. After -EINVAL the next line can be read. Words are separated by blanks; quotes keep blanks together.
 */
int reader_next(struct reader *reader, struct line *line, struct error *error);

/*
 * The rest of the line as it stands in the file, from `word` on; the words
 * from there on are lost.
 */
const char *line_rest(struct line *line, unsigned word);

/* Goes back to the first line. Returns 0 or -errno with `error` set. */
int reader_rewind(struct reader *reader, struct error *error);

/* Sets `error` to a message with the place of a word of the line. */
void line_error(const struct line *line, unsigned word, struct error *error,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
