/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nfs dialect, used by dbench 5: calls of NFSv3 and of its lock manager,
 * and the server's statuses.
 */
#include "load/dialect.h"

#include "load/arguments.h"

#include <errno.h>
#include <string.h>

/* clang-format off */
static const struct spelling spellings[] = {
#define X(procedure, word, verb, class, shape, ...) \
	{word, OP_##procedure, shape, false},
	PROCEDURE_LIST(X)
#undef X
	{"Deltree", OP_DELTREE, "p", false},
	{NULL, 0, NULL, false},
};
/* clang-format on */

static unsigned match(const char *word)
{
	return dialect_match(spellings, word);
}

/*
 * Return the shape of an operation (the list of its arguments, arguments.h) in
 * this dialect. It differs from the shape in op.h for reads and writes, which
 * have no recorded size here, and for ACCESS3, which has the desired and the
 * granted access here (both are ignored).
 */
static const char *shape_of(const struct spelling *spelling)
{
	switch (spelling->kind) {
	case OP_NFS_READ:
		return "pos";
	case OP_NFS_WRITE:
		return "posy";
	case OP_NFS_ACCESS:
		return "pxx";
	default:
		return spelling->shape;
	}
}

/* Parse the last word, the server's status. */
static int read_status(const struct line *line, enum op_kind kind, outcome_set *accepts,
		       struct error *error)
{
	unsigned last = line->word_count - 1;
	const char *text = line->words[last].text;
	bool lock_manager = kind == OP_NLM_LOCK || kind == OP_NLM_UNLOCK || kind == OP_NLM_TEST;

	if (strcmp(text, "*") == 0) {
		*accepts = OUTCOME_ANY;
		return 0;
	}
	if (outcome_from_nfs_status(text, lock_manager, accepts) == 0)
		return 0;
	line_error(line, last, error,
		   "\"%s\" is not an outcome; expected a known %s status (0x...) or *", text,
		   lock_manager ? "NLM 4" : "NFSv3");
	return -EINVAL;
}

static int compile(struct builder *builder, const struct line *line, unsigned first,
		   uint64_t due_ns, struct error *error)
{
	const struct spelling *spelling = dialect_find(spellings, line->words[first].text);
	struct arguments unused = {0};
	struct op op = {
		.kind = (uint8_t)spelling->kind,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.line = line->number,
	};
	const char *shape = shape_of(spelling);
	int rc;

	rc = read_status(line, op.kind, &op.accepts, error);
	if (rc == 0)
		rc = arguments_read(builder, line, first + 1, shape, &op, &unused, error);
	if (rc == 0)
		rc = arguments_end(line, first, strlen(shape), spelling->word, error);
	if (rc < 0)
		return rc;
	/* Accept a Deltree of a missing directory, with which a load may
	 * begin. */
	if (op.kind == OP_DELTREE && outcome_in(op.accepts, OUTCOME_OK))
		op.accepts |= OUTCOME_BIT(NOT_FOUND);
	if (op.kind == OP_NFS_MKDIR)
		dialect_accept_existing(builder, &op);
	rc = builder_label(builder, spelling->word, &op.label, error);
	if (rc == 0)
		rc = dialect_add(builder, line, first, &op, due_ns, error);
	return rc;
}

const struct dialect dialect_nfs = {
	.name = "nfs",
#define X(procedure, word, ...) word ", "
	.words = PROCEDURE_LIST(X) "Deltree",
#undef X
	.outcome = "0x00000000",
	.match = match,
	.compile = compile,
};
