/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "load/reader.h"

#include <errno.h>
#include <zlib.h>

/* A memory file with a text, and a reader of it. */
struct source {
	char name[NAME_BYTES];
	int fd;
	struct reader *reader;
};

static void open_source(struct source *source, const void *text, size_t bytes)
{
	struct error error = {0};

	source->fd = file_of(text, bytes, source->name);
	source->reader = reader_open(source->name, &error);
	if (source->reader == NULL)
		fail_msg("%s", error.text);
}

static void close_source(struct source *source)
{
	reader_close(source->reader);
	close(source->fd);
}

static void expect_words(const struct line *line, unsigned number, const char *const *words)
{
	unsigned i;

	assert_int_equal(line->number, number);
	for (i = 0; words[i] != NULL; i++) {
		assert_in_range(i, 0, line->word_count - 1);
		assert_string_equal(line->words[i].text, words[i]);
	}
	assert_int_equal(line->word_count, i);
}

static void lines_are_split_into_words(void **state)
{
	static const char text[] = "# comment\n"
				   "\n"
				   "one two\tthree  four \n"
				   "   \t\n"
				   "  \"with blanks\" \"\" x\"y\r\n"
				   "  # another\n"
				   "#\n"
				   "last";
	struct source source;
	struct error error = {0};
	struct line line;

	open_source(&source, text, sizeof(text) - 1);
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	expect_words(&line, 3, (const char *const[]){"one", "two", "three", "four", NULL});
	assert_int_equal(line.words[0].column, 1);
	assert_int_equal(line.words[2].column, 9);
	assert_int_equal(line.words[3].column, 16);
	assert_string_equal(line.source, source.name);
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	expect_words(&line, 5, (const char *const[]){"with blanks", "", "x\"y", NULL});
	assert_int_equal(line.words[0].column, 3);
	assert_true(line.words[0].quoted);
	assert_true(line.words[1].quoted);
	assert_false(line.words[2].quoted);
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	expect_words(&line, 8, (const char *const[]){"last", NULL});
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	assert_false(error.set);
	close_source(&source);
}

static void a_wrong_line_does_not_end_the_reading(void **state)
{
#define UNCLOSED "the quoted text has no closing \""
#define RUNS_ON "expected a blank or the end of the line after the closing \""
#define NUL_BYTE "the line contains a NUL byte; expected text or gzip"
	static const struct {
		const char *text;
		size_t bytes;
		unsigned column;
		const char *refusal;
	} rows[] = {
		{"a \"b\nnext", 9, 3, UNCLOSED},   {"a \"b\"c\nnext", 11, 3, RUNS_ON},
		{"a \"\nnext", 8, 3, UNCLOSED},    {"a\0b\nnext", 8, 2, NUL_BYTE},
		{"\0\nnext", 6, 1, NUL_BYTE},      {"#\0\nnext", 7, 2, NUL_BYTE},
		{" ab \0\nnext", 10, 5, NUL_BYTE},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0}, none = {0};
		struct source source;
		struct line line;

		open_source(&source, rows[i].text, rows[i].bytes);
		assert_int_equal(reader_next(source.reader, &line, &error), -EINVAL);
		assert_string_equal(error.text, rows[i].refusal);
		assert_string_equal(error.source, source.name);
		assert_int_equal(error.line, 1);
		assert_int_equal(error.column, rows[i].column);
		assert_int_equal(reader_next(source.reader, &line, &none), 1);
		expect_words(&line, 2, (const char *const[]){"next", NULL});
		close_source(&source);
	}
}

static void lines_may_be_longer_than_any_buffer(void **state)
{
	static const size_t lengths[] = {
		1000, (256 << 10) - 2, (256 << 10) - 1, 256 << 10, (512 << 10) - 1, LINE_BYTES_MAX,
	};
	char *text = malloc(LINE_BYTES_MAX + 10);
	size_t i;

	for (i = 0; i < LENGTH(lengths); i++) {
		struct error error = {0};
		struct source source;
		struct line line;

		memset(text, 'x', lengths[i]);
		text[lengths[i] / 2] = ' ';
		memcpy(text + lengths[i], "\nend\n", 5);
		open_source(&source, text, lengths[i] + 5);
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
		assert_int_equal(line.word_count, 2);
		assert_int_equal(strlen(line.words[0].text), lengths[i] / 2);
		assert_int_equal(strlen(line.words[1].text), lengths[i] - lengths[i] / 2 - 1);
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
		expect_words(&line, 2, (const char *const[]){"end", NULL});
		assert_int_equal(reader_next(source.reader, &line, &error), 0);
		close_source(&source);
	}
	free(text);
}

static void an_endless_line_is_refused(void **state)
{
	static const size_t lengths[] = {
		LINE_BYTES_MAX + 1,
		2 * LINE_BYTES_MAX,
		5 * LINE_BYTES_MAX,
	};
	char *text = malloc(5 * LINE_BYTES_MAX + 10);
	size_t i;

	for (i = 0; i < LENGTH(lengths); i++) {
		struct error error = {0};
		struct source source;
		struct line line;

		memcpy(text, "one\n", 4);
		memset(text + 4, 'x', lengths[i]);
		memcpy(text + 4 + lengths[i], "\nend\n", 5);
		open_source(&source, text, lengths[i] + 9);
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
		assert_int_equal(reader_next(source.reader, &line, &error), -EFBIG);
		assert_string_equal(error.text,
				    "the line is longer than 1 MiB; expected an operation");
		assert_int_equal(error.line, 2);
		close_source(&source);
	}
	free(text);
}

static void text_without_operations_is_bounded(void **state)
{
	static const char kinds[] = {'\r', ' ', '#', '\0'};
	enum { BYTES = 1 << 10, ALL = IDLE_BYTES_MAX + BYTES };
	char *text = malloc(ALL);
	size_t i, at;

	for (i = 0; i < sizeof(kinds); i++) {
		struct error error = {0};
		struct source source;
		struct line line;
		int rc;

		memset(text, kinds[i], ALL);
		for (at = BYTES; at <= ALL; at += BYTES)
			text[at - 1] = '\n';
		/* With more than that, the end is not reached. */
		open_source(&source, text, ALL);
		do {
			error = (struct error){0};
			rc = reader_next(source.reader, &line, &error);
		} while (rc == -EINVAL);
		assert_int_equal(rc, -EFBIG);
		assert_string_equal(error.text,
				    "up to this line, the file has more than 16 MiB of blank lines "
				    "and comments, and fewer bytes of operations; delete comments");
		close_source(&source);
		/* With less, it is, and again. */
		open_source(&source, text, ALL - BYTES);
		for (at = 0; at < 2; at++) {
			do {
				error = (struct error){0};
				rc = reader_next(source.reader, &line, &error);
			} while (rc == -EINVAL);
			assert_int_equal(rc, 0);
			assert_int_equal(reader_rewind(source.reader, &error), 0);
		}
		close_source(&source);
	}
	free(text);
}

/* A large load may have a comment at each operation. */
static void comments_may_be_as_long_as_the_rest(void **state)
{
	enum { LINES = IDLE_BYTES_MAX / 256 };
	char *text = malloc((LINES + 1) * 600), *at = text;
	struct error error = {0};
	struct source source;
	struct line line;
	unsigned i;

	for (i = 0; i <= LINES; i++)
		at += sprintf(at, "%-280c\n#%-279c\n", 'x', 'y');
	open_source(&source, text, (size_t)(at - text));
	for (i = 0; i <= LINES; i++)
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	close_source(&source);
	free(text);
}

static void many_lines_keep_their_numbers(void **state)
{
	enum { LINES = 100000 };
	char *text = malloc(LINES * 16);
	struct error error = {0};
	struct source source;
	struct line line;
	size_t length = 0;
	unsigned i;

	for (i = 1; i <= LINES; i++)
		length += (size_t)sprintf(text + length, "line %u\n", i);
	open_source(&source, text, length);
	for (i = 1; i <= LINES; i++) {
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
		assert_int_equal(line.number, i);
		assert_int_equal(strtoul(line.words[1].text, NULL, 10), i);
	}
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	/* Start again at the first line. */
	assert_int_equal(reader_rewind(source.reader, &error), 0);
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	expect_words(&line, 1, (const char *const[]){"line", "1", NULL});
	close_source(&source);
	free(text);
}

static void the_rest_of_a_line_is_unchanged(void **state)
{
	static const struct {
		const char *text, *rest;
	} rows[] = {
		{"W  some   text here", "some   text here"},
		{"W \"quoted text\" and more ", "\"quoted text\" and more "},
		{"W one", "one"},
		{"W a b c d e f g h i j k l m n o p q r s t u v w x y z",
		 "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		struct source source;
		struct line line;

		open_source(&source, rows[i].text, strlen(rows[i].text));
		assert_int_equal(reader_next(source.reader, &line, &error), 1);
		assert_in_range(line.word_count, 2, LINE_WORDS_MAX);
		assert_string_equal(line_rest(&line), rows[i].rest);
		close_source(&source);
	}
}

/* Compress a text with gzip. Return the compressed length. */
static size_t compress_text(const char *text, unsigned char *out, size_t room)
{
	z_stream stream = {
		.next_in = (unsigned char *)text,
		.avail_in = (unsigned)strlen(text),
		.next_out = out,
		.avail_out = (unsigned)room,
	};

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	return stream.total_out;
}

/* Read the lines up to the end, whose numbers begin at `first`, and whose second
 * word is their number. */
static void expect_lines(struct source *source, unsigned first, unsigned count)
{
	struct error error = {0};
	struct line line;
	unsigned i;

	for (i = first; i < first + count; i++) {
		char number[16];

		assert_int_equal(reader_next(source->reader, &line, &error), 1);
		snprintf(number, sizeof(number), "%u", i);
		expect_words(&line, i, (const char *const[]){"line", number, "a b", NULL});
		assert_string_equal(line_rest(&line) + strlen(number), " \"a b\"");
	}
}

/* The lines are longer than the buffer at first. */
static void kept_lines_are_read_again(void **state)
{
	enum { LINES = 60000 };
	struct source source;
	struct reader_mark outer, inner;
	struct error error = {0};
	struct line line;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	unsigned i;

	for (i = 1; i <= LINES; i++)
		fprintf(stream, "%sline %u \"a b\"", i > 1 ? "\n" : "", i);
	fclose(stream);
	open_source(&source, text, bytes);
	expect_lines(&source, 1, 20000);
	reader_keep(source.reader);
	outer = reader_place(source.reader);
	expect_lines(&source, 20001, 10);
	inner = reader_place(source.reader);
	expect_lines(&source, 20011, LINES - 20010);
	for (i = 0; i < 2; i++) {
		reader_return(source.reader, &inner);
		expect_lines(&source, 20011, 20000);
	}
	reader_return(source.reader, &outer);
	expect_lines(&source, 20001, 10);
	reader_release(source.reader);
	expect_lines(&source, 20011, LINES - 20010);
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	close_source(&source);
	free(text);
}

static void gzip_is_read_like_plain_text(void **state)
{
	unsigned char packed[200];
	size_t bytes = compress_text("one two\nthree\n", packed, sizeof(packed));
	struct error error = {0};
	struct source source;
	struct line line;

	open_source(&source, packed, bytes);
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	expect_words(&line, 1, (const char *const[]){"one", "two", NULL});
	assert_int_equal(reader_next(source.reader, &line, &error), 1);
	assert_int_equal(reader_next(source.reader, &line, &error), 0);
	close_source(&source);
}

static void a_damaged_archive_is_an_error(void **state)
{
	unsigned char packed[200];
	size_t bytes = compress_text("one two\nthree\n", packed, sizeof(packed));
	unsigned round;

	for (round = 0; round < 2; round++) {
		struct error error = {0};
		struct source source;
		struct line line;
		int rc;

		/* Damage the checksum, or restore it and cut off the end. */
		packed[bytes - 8] ^= 1;
		open_source(&source, packed, round == 0 ? bytes : bytes - 4);
		while ((rc = reader_next(source.reader, &line, &error)) == 1)
			;
		assert_int_equal(rc, -EIO);
		assert_string_equal(error.source, source.name);
		assert_string_equal(error.text, round == 0 ? "cannot read: incorrect data check"
							   : "cannot read: unexpected end of file");
		close_source(&source);
	}
}

static void a_file_that_cannot_be_opened_is_reported(void **state)
{
	struct error error = {0};

	assert_null(reader_open("/proc/self/fd/no such", &error));
	assert_string_equal(error.source, "/proc/self/fd/no such");
	assert_string_equal(error.text, "cannot open: No such file or directory");
	reader_close(NULL);
}

static void pipes_are_refused(void **state)
{
	struct error error = {0};
	char name[NAME_BYTES];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	assert_null(reader_open(name, &error));
	assert_string_equal(
		error.text,
		"expected a regular file, not a pipe, because throng reads the loadfile twice");
	close(ends[0]);
	close(ends[1]);
}

static void errors_point_at_the_word_or_the_last_one(void **state)
{
	struct error error = {0}, beyond = {0};
	struct source source;
	struct line line;

	open_source(&source, "one two three", 13);
	reader_next(source.reader, &line, &error);
	line_error(&line, 1, &error, "not %d", 2);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 5);
	assert_string_equal(error.text, "not 2");
	line_error(&line, 7, &beyond, "missing");
	assert_int_equal(beyond.column, 9);
	close_source(&source);
}

int unit_reader(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_split_into_words),
		cmocka_unit_test(a_wrong_line_does_not_end_the_reading),
		cmocka_unit_test(lines_may_be_longer_than_any_buffer),
		cmocka_unit_test(an_endless_line_is_refused),
		cmocka_unit_test(text_without_operations_is_bounded),
		cmocka_unit_test(comments_may_be_as_long_as_the_rest),
		cmocka_unit_test(many_lines_keep_their_numbers),
		cmocka_unit_test(the_rest_of_a_line_is_unchanged),
		cmocka_unit_test(kept_lines_are_read_again),
		cmocka_unit_test(gzip_is_read_like_plain_text),
		cmocka_unit_test(a_damaged_archive_is_an_error),
		cmocka_unit_test(a_file_that_cannot_be_opened_is_reported),
		cmocka_unit_test(pipes_are_refused),
		cmocka_unit_test(errors_point_at_the_word_or_the_last_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
