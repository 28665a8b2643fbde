/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/unroll.h"

#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Return how much text has been read so far. */
static struct unrolled text_so_far(const struct unroll *unroll)
{
	struct reader_mark here = reader_place(unroll->reader);

	return (struct unrolled){
		.lines = here.line_number + unroll->added.lines,
		.bytes = here.offset + unroll->added.bytes,
	};
}

static struct repeat *innermost(struct unroll *unroll)
{
	return &unroll->repeats[unroll->depth - 1];
}

int unroll_begin(struct unroll *unroll, uint64_t rounds, const char *name, struct error *error)
{
	struct repeat *repeat;
	int rc;

	if (unroll->depth == REPEATS_MAX) {
		unroll->ignored_ends++;
		error_set(error, "REPEATs are nested more than %d deep", REPEATS_MAX);
		return -EINVAL;
	}
	rc = parameters_begin_repeat(unroll->parameters, name, 1, error);
	if (rc == -ENOMEM)
		return rc;
	if (unroll->depth == 0)
		reader_keep(unroll->reader);
	repeat = &unroll->repeats[unroll->depth++];
	*repeat = (struct repeat){
		.start = reader_place(unroll->reader),
		.rounds = rc < 0 ? 1 : rounds,
		.round = 1,
		.blocks = builder_depth(unroll->builder),
		.setup = builder_setup_line(unroll->builder),
		.counts = rc == 0,
		.before = text_so_far(unroll),
	};
	return rc;
}

/* Check that the blocks, the set-up and IFs of a round have ended in it. */
static int check_nesting(struct unroll *unroll, struct error *error)
{
	const struct repeat *repeat = innermost(unroll);
	uint32_t setup = builder_setup_line(unroll->builder);
	int rc = repeat->counts ? parameters_check_repeat(unroll->parameters, error) : 0;

	if (builder_check_depth(unroll->builder, repeat->blocks, "ENDREPEAT", error) < 0)
		rc = -EINVAL;
	if (rc == 0 && setup != repeat->setup) {
		error_set(error,
			  setup > 0
				  ? "expected ENDSETUP before this ENDREPEAT, because the SETUP of "
				    "line %" PRIu32 " has not ended"
				  : "the SETUP of line %" PRIu32
				    " ended inside the REPEAT; expected ENDREPEAT before ENDSETUP",
			  setup > 0 ? setup : repeat->setup);
		return -EINVAL;
	}
	if (rc < 0 || builder_depth(unroll->builder) == repeat->blocks)
		return rc;
	error_set(error,
		  "the block that contains the REPEAT of line %" PRIu32
		  " ended inside the REPEAT; expected ENDREPEAT before the end of the block",
		  repeat->start.line_number);
	return -EINVAL;
}

/* Check that the rounds that are left, if they are as long as this one, do not
 * make the load too long. */
static int check_length(struct unroll *unroll, struct error *error)
{
	const struct repeat *repeat = innermost(unroll);
	struct unrolled now = text_so_far(unroll);
	uint64_t lines = now.lines - repeat->before.lines;
	uint64_t bytes = now.bytes - repeat->before.bytes;
	uint64_t left = repeat->rounds - repeat->round;
	char text[UNITS_TEXT];

	if (unroll->added.lines + lines * left <= UNROLLED_LINES_MAX &&
	    unroll->added.bytes + bytes * left <= UNROLLED_BYTES_MAX)
		return 0;
	error_set(
		error,
		"the REPEAT of line %" PRIu32 " would add %" PRIu64 " lines (%s) to the load, but "
		"all REPEATs together may add at most %d lines and %d MiB; use fewer rounds, or a "
		"LOOP",
		repeat->start.line_number, lines * left, units_print_bytes(bytes * left, text),
		UNROLLED_LINES_MAX, UNROLLED_BYTES_MAX >> 20);
	return -EINVAL;
}

static void leave(struct unroll *unroll)
{
	if (innermost(unroll)->counts)
		parameters_end_repeat(unroll->parameters);
	unroll->depth--;
	if (unroll->depth == 0)
		reader_release(unroll->reader);
}

/* Go back for another round. */
static void begin_round(struct unroll *unroll)
{
	struct repeat *repeat = innermost(unroll);
	struct reader_mark here = reader_place(unroll->reader);

	repeat->before = text_so_far(unroll);
	unroll->added.lines += here.line_number - repeat->start.line_number;
	unroll->added.bytes += here.offset - repeat->start.offset;
	repeat->round++;
	parameters_count_repeat(unroll->parameters, repeat->round);
	reader_return(unroll->reader, &repeat->start);
}

/* Is this the last round of the innermost block? */
static bool is_last_round(struct unroll *unroll)
{
	const struct repeat *repeat = innermost(unroll);

	return repeat->round == repeat->rounds ||
	       (unroll->wrong && unroll->added.lines >= UNROLLED_WRONG_LINES_MAX);
}

int unroll_end(struct unroll *unroll, struct error *error)
{
	int rc;

	if (unroll->ignored_ends > 0) {
		unroll->ignored_ends--;
		return 0;
	}
	if (unroll->depth == 0) {
		error_set(error,
			  "this ENDREPEAT has no REPEAT with a counter; expected REPEAT N NAME on "
			  "an earlier line (REPEAT N without a NAME repeats only the next line)");
		return -EINVAL;
	}
	rc = check_nesting(unroll, error);
	if (rc == 0)
		rc = check_length(unroll, error);
	if (rc < 0 || is_last_round(unroll))
		leave(unroll);
	else
		begin_round(unroll);
	return rc;
}

bool unroll_is_copy(const struct unroll *unroll)
{
	unsigned i;

	for (i = 0; i < unroll->depth; i++)
		if (unroll->repeats[i].round > 1)
			return true;
	return false;
}

void unroll_describe(const struct unroll *unroll, struct error *error)
{
	size_t used = strlen(error->text);
	unsigned i;

	for (i = 0; i < unroll->depth && used < sizeof(error->text); i++)
		used += (size_t)snprintf(error->text + used, sizeof(error->text) - used,
					 "%s%" PRIu64 " of the REPEAT of line %" PRIu32,
					 i == 0 ? " (in round " : ", ", unroll->repeats[i].round,
					 unroll->repeats[i].start.line_number);
	if (used < sizeof(error->text))
		snprintf(error->text + used, sizeof(error->text) - used, ")");
}

int unroll_finish(const struct unroll *unroll, const char *source, struct error *error)
{
	if (unroll->depth == 0)
		return 0;
	error_set_at(error, source, unroll->repeats[unroll->depth - 1].start.line_number, 0,
		     "this REPEAT has no ENDREPEAT; expected ENDREPEAT on a later line");
	return -EINVAL;
}
