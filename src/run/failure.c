/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/failure.h"

#include "play/bind.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { ERROR_TEXT = 192 }; /* an errno and a reason */

/* Return the path of op `at`. If the op has a handle but no path, return the
 * path of the OPEN of that handle. */
static uint32_t path_of(const struct program *program, size_t at)
{
	const struct op *op = &program->ops[at];
	size_t i;

	if (op->path != OP_NONE || op->handle == OP_NONE)
		return op->path;
	for (i = at; i-- > 0;)
		if (program->ops[i].kind == OP_OPEN && program->ops[i].handle == op->handle)
			return program->ops[i].path;
	return OP_NONE;
}

/* Describe a failed call: its errno and, if the session was lost, the
 * reason. */
static char *describe_error(const struct stats_failure *failure, char *text, size_t size)
{
	bool known = failure->reason[0] != '\0';

	snprintf(text, size, "%s%s%s%s", strerror((int)-failure->returned), known ? " (" : "",
		 failure->reason, known ? ")" : "");
	return text;
}

/* Describe what was returned and what the load accepts. Many native loads are
 * no recordings. */
static void describe_outcome(const struct program *program, const struct op *op,
			     const struct stats_failure *failure, char *text, size_t size)
{
	int64_t returned = failure->returned;
	bool native = strcmp(program->dialect, "native") == 0;
	const char *word = native ? "expected" : "recorded";
	char accepted[OUTCOME_TEXT], error[ERROR_TEXT];

	outcome_print_set(op->accepts, accepted);
	if (returned < 0)
		snprintf(text, size, "%s; %s: %s", describe_error(failure, error, sizeof(error)),
			 word, accepted);
	else if (outcome_in(op->accepts, OUTCOME_OK) && (op->flags & OP_SIZED) != 0)
		snprintf(text, size, "%" PRId64 " bytes; %s: the whole size", returned, word);
	else if (outcome_in(op->accepts, OUTCOME_OK))
		snprintf(text, size, "%" PRId64 " %s; %s: %" PRIu32, returned,
			 op->kind == OP_LIST ? "entries" : "bytes", word, op->expect);
	else
		snprintf(text, size, "success; %s: %s", word, accepted);
}

/* Check if a path is outside the users' directories. */
static bool is_shared(const struct program *program, uint32_t path)
{
	return path != OP_NONE && program->paths[path].place == PATH_SHARED;
}

char *failure_describe(const struct program *program, const struct stats_failure *failure,
		       bool empty, char text[FAILURE_TEXT])
{
	const struct op *op;
	char path[PATH_MAX], outcome[OUTCOME_TEXT + ERROR_TEXT + 32], stream[PROGRAM_STREAM_TEXT];
	uint32_t number;

	if (failure->op == UINT32_MAX) {
		snprintf(text, FAILURE_TEXT, "user %u: cannot %s \"%s\": %s", failure->user,
			 failure->doing, failure->path,
			 describe_error(failure, outcome, sizeof(outcome)));
		return text;
	}
	op = &program->ops[failure->op];
	number = path_of(program, failure->op);
	snprintf(path, sizeof(path), "%s", failure->path);
	if (path[0] == '\0' && number != OP_NONE)
		names_plain(program, number, failure->user, path);
	describe_outcome(program, op, failure, outcome, sizeof(outcome));
	program_print_stream(program, failure->op, failure->lane, stream);
	snprintf(
		text, FAILURE_TEXT, "user %u%s: %s:%" PRIu32 ": %s \"%.512s\": %s%s", failure->user,
		stream, program->source, op->line, program->labels[op->label], path, outcome,
		empty && failure->returned == -ENOENT && is_shared(program, number)
			? " (a run begins with an empty directory; to play with existing data, use "
			  "--workdir .)"
			: "");
	return text;
}
