/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for unit tests of documents: check how they look.
 */
#ifndef TESTS_UNIT_DOC_H
#define TESTS_UNIT_DOC_H

#include "unit.h"

#include "doc/render.h"

/* Expect what a renderer wrote, and free it. */
static inline void expect_written(char *text, const char *wanted)
{
	assert_string_equal(text, wanted);
	free(text);
}

/* Check how a document looks as text; `follows`: after other text. */
static inline void expect_following(const struct doc *doc, bool follows, const char *wanted)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(doc_text(doc, follows, stream), 0);
	fclose(stream);
	expect_written(text, wanted);
}

static inline void expect_text(const struct doc *doc, const char *wanted)
{
	expect_following(doc, false, wanted);
}

static inline void expect_markdown(const struct doc *doc, const char *wanted)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(doc_markdown(doc, stream), 0);
	fclose(stream);
	expect_written(text, wanted);
}

#endif
