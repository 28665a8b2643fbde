/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The smb dialect, used by dbench 5. Its loads identify open files by their
 * paths and record only success or failure.
 */
#include "load/dialect.h"

#include "load/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum open_bit {
	OPEN_BIT_READ = 0x01,
	OPEN_BIT_WRITE = 0x02,
	OPEN_BIT_BOTH = 0x04,
	OPEN_BIT_CREATE = 0x08,
	OPEN_BIT_EXCLUSIVE = 0x10,
	OPEN_BIT_TRUNCATE = 0x20,
	OPEN_BIT_APPEND = 0x40,
	OPEN_BITS = 0x7f,
};

/* clang-format off */
static const struct spelling spellings[] = {
	{"OPEN", OP_OPEN, "pa", false},
	{"CLOSE", OP_CLOSE, "p", false},
	{"READ", OP_READ, "pos", false},
	{"WRITE", OP_WRITE, "pos", false},
	{"UNLINK", OP_UNLINK, "p", false},
	{"MKDIR", OP_MKDIR, "p", false},
	{"RMDIR", OP_RMDIR, "p", false},
	{"READDIR", OP_LIST, "p", false},
	{"Deltree", OP_DELTREE, "p", false},
	{NULL, 0, NULL, false},
};
/* clang-format on */

static unsigned match(const char *word)
{
	return dialect_match(spellings, word);
}

/* Parse the last word, the outcome. */
static int read_status(const struct line *line, outcome_set *accepts, struct error *error)
{
	unsigned last = line->word_count - 1;
	const char *text = line->words[last].text;

	if (strcmp(text, "SUCCESS") == 0) {
		*accepts = OUTCOME_BIT(OK);
	} else if (strcmp(text, "ERROR") == 0) {
		*accepts = OUTCOME_ANY_FAILURE;
	} else if (strcmp(text, "*") == 0) {
		*accepts = OUTCOME_ANY;
	} else {
		line_error(line, last, error,
			   "\"%s\" is not an outcome; expected SUCCESS, ERROR or *", text);
		return -EINVAL;
	}
	return 0;
}

/* Convert the bits of an OPEN to open flags. A file is opened for reading if
 * neither READ, WRITE nor BOTH is set. */
static uint64_t open_flags(uint64_t bits)
{
	uint64_t flags = OPEN_FILE;

	if ((bits & (OPEN_BIT_WRITE | OPEN_BIT_BOTH)) != 0)
		flags |= OPEN_WRITE;
	if ((bits & (OPEN_BIT_READ | OPEN_BIT_BOTH)) != 0 || (flags & OPEN_WRITE) == 0)
		flags |= OPEN_READ;
	if ((bits & OPEN_BIT_CREATE) != 0)
		flags |= OPEN_CREATE;
	if ((bits & OPEN_BIT_EXCLUSIVE) != 0)
		flags |= OPEN_EXCLUSIVE;
	if ((bits & OPEN_BIT_TRUNCATE) != 0)
		flags |= OPEN_TRUNCATE;
	if ((bits & OPEN_BIT_APPEND) != 0)
		flags |= OPEN_APPEND;
	return flags;
}

/* Set the path of a listing to a pattern that matches all names. */
static int match_all(struct builder *builder, const struct line *line, unsigned word, struct op *op,
		     struct error *error)
{
	struct error reason = {0};
	char *pattern;
	int rc;

	if (asprintf(&pattern, "%s/*", line->words[word].text) < 0)
		return error_no_memory(error);
	rc = builder_path(builder, pattern, false, line->number, &op->path, &reason);
	free(pattern);
	if (rc < 0)
		line_error(line, word, error, "%s", reason.text);
	op->max_entries = UINT32_MAX;
	return rc;
}

/* Use the number of an open file's path as the number of its handle, since
 * lines of this dialect name open files by their paths. */
static int use_handle(struct builder *builder, const struct line *line, unsigned word,
		      struct op *op, struct error *error)
{
	if (!builder_is_open(builder, op->path)) {
		line_error(line, word, error, "the file \"%s\" is not open at this line",
			   line->words[word].text);
		return -EINVAL;
	}
	op->handle = op->path;
	op->path = OP_NONE;
	return 0;
}

/* Complete an operation after its arguments were read. `word` is the index of
 * the path in line->words, `bits` has the flags of an OPEN. */
static int complete(struct builder *builder, const struct line *line, unsigned word, uint64_t bits,
		    struct op *op, struct error *error)
{
	switch (op->kind) {
	case OP_OPEN:
		if (bits > OPEN_BITS) {
			line_error(line, word + 1, error,
				   "the open flags 0x%" PRIx64 " are out of range (0 to 0x%x)",
				   bits, OPEN_BITS);
			return -EINVAL;
		}
		op->open_flags = open_flags(bits);
		op->handle = op->path;
		return 0;
	case OP_READ:
	case OP_WRITE:
		/* The dialect records no count, so expect all bytes to be
		 * moved. */
		if (op->accepts != OUTCOME_ANY)
			op->flags |= OP_COUNTED;
		op->expect = (uint32_t)op->size;
		return use_handle(builder, line, word, op, error);
	case OP_CLOSE:
		return use_handle(builder, line, word, op, error);
	case OP_LIST:
		return match_all(builder, line, word, op, error);
	default:
		return 0;
	}
}

static int compile(struct builder *builder, const struct line *line, unsigned first,
		   uint64_t due_ns, struct error *error)
{
	const struct spelling *spelling = dialect_find(spellings, line->words[first].text);
	struct arguments arguments = {0};
	struct op op = {
		.kind = (uint8_t)spelling->kind,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.line = line->number,
	};
	int rc;

	rc = read_status(line, &op.accepts, error);
	if (rc == 0)
		rc = arguments_read(builder, line, first + 1, spelling->shape, &op, &arguments,
				    error);
	if (rc == 0)
		rc = arguments_end(line, first, strlen(spelling->shape), spelling->word, error);
	if (rc == 0)
		rc = complete(builder, line, first + 1, arguments.a, &op, error);
	if (rc == 0 && op.kind == OP_MKDIR)
		dialect_accept_existing(builder, &op);
	if (rc == 0)
		rc = builder_label(builder, spelling->word, &op.label, error);
	if (rc == 0)
		rc = dialect_add(builder, line, first, &op, due_ns, error);
	return rc;
}

const struct dialect dialect_smb = {
	.name = "smb",
	.words = "OPEN, CLOSE, READ, WRITE, UNLINK, MKDIR, RMDIR, READDIR, Deltree",
	.outcome = "SUCCESS",
	.match = match,
	.compile = compile,
};
