/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for all unit tests: cmocka and the headers that it needs, comparison
 * of doubles, and functions that load programs from strings.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "load/load.h"
#include "result/notice.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { NAME_BYTES = 32 };

/* Check that two doubles are equal within a tolerance; cmocka can only compare
 * floats. Two NANs are equal, and so are two infinities of the same sign. */
static inline void expect_near(double value, double wanted, double tolerance)
{
	if ((isnan(value) && isnan(wanted)) || value == wanted)
		return;
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%.17g instead of %.17g", value, wanted);
}

/* Check the text of a notice. */
static inline void expect_notice(const struct notice *notice, const char *wanted)
{
	char *text = notice_text(notice);

	assert_string_equal(text, wanted);
	free(text);
}

/* Create a memory file with `text`. Set `name` to its path in /proc, and return
 * its descriptor. */
static inline int file_of(const void *text, size_t bytes, char name[NAME_BYTES])
{
	int fd = memfd_create("load", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, bytes), bytes);
	snprintf(name, NAME_BYTES, "/proc/self/fd/%d", fd);
	return fd;
}

/* Load a text. If it is refused, return NULL with its errors in `errors`. */
static inline struct program *try_load(const char *text, struct errors *errors)
{
	char name[NAME_BYTES];
	int fd = file_of(text, strlen(text), name);
	struct program *program;

	*errors = (struct errors){0};
	program = load_file(name, NULL, errors);
	close(fd);
	return program;
}

/* Load a text, and fail the test if it is refused. */
static inline struct program *load_text(const char *text)
{
	struct errors errors;
	struct program *program = try_load(text, &errors);

	if (program == NULL)
		fail_msg("line %u: %s\nin: %s", errors.kept[0].line, errors.kept[0].text, text);
	return program;
}

/* Return the output of program_print(); the caller frees it. */
static inline char *printed(const struct program *program)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	program_print(program, stream);
	fclose(stream);
	return text;
}

#endif
