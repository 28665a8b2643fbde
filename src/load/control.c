/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/control.h"

#include "compile/tables.h"
#include "load/dialect.h"
#include "load/number.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The highest sequence point. Users publish their point plus one in 32 bits. */
#define POINT_MAX (UINT32_MAX - 1)

struct control {
	struct builder *builder;
	struct unroll *unroll;
	struct line *line;
	bool native;
	uint64_t *repeat;
	struct error *error;
};

struct control_line {
	const char *word;
	unsigned arguments; /* their number */
	/* Another argument, which may follow in the native dialect, or several
	 * of PHASE; NULL: none. */
	const char *optional;
	enum op_kind kind; /* OP_KINDS: the line adds no operation */
	int (*compile)(struct control *control, struct op *op);
	bool native;    /* only the native dialect has it */
	bool free_text; /* the rest of the line is one argument */
};

/* Return a word of the line. */
static struct operand operand(const struct control *control, unsigned word)
{
	return (struct operand){control->builder, control->line, word, control->native,
				control->error};
}

static int compile_nothing(struct control *control, struct op *op)
{
	return 0;
}

static int compile_repeat(struct control *control, struct op *op)
{
	struct error reason = {0};
	uint64_t rounds = 1;
	int rc, begun;

	if (control->line->word_count < 3)
		return number_constant(operand(control, 1), 1, UINT32_MAX, control->repeat);
	rc = number_constant(operand(control, 1), 1, UNROLLED_LINES_MAX, &rounds);
	if (rc == -ENOMEM)
		return rc;
	begun = unroll_begin(control->unroll, rc < 0 ? 1 : rounds, control->line->words[2].text,
			     &reason);
	return rc < 0 ? rc : operand_report(operand(control, 2), begun, &reason);
}

static int compile_endrepeat(struct control *control, struct op *op)
{
	struct error reason = {0};
	int rc = unroll_end(control->unroll, &reason);

	return operand_report(operand(control, 0), rc, &reason);
}

/* Read a number of rounds, which may vary and be 0 in the native dialect. */
static int compile_rounds(struct control *control, struct op *op)
{
	return number_varying(operand(control, 1), control->native ? 0 : 1, UINT32_MAX, OP_SIZED,
			      op, &op->count);
}

static int declare(struct control *control, unsigned word, bool counter,
		   const struct formula_range *range, struct op *op)
{
	const char *name = control->line->words[word].text;
	const char *kind = parameters_kind(control->unroll->parameters, name);
	struct error reason = {0};
	int rc;

	/* The value of the parameter would replace each use of the variable. */
	if (kind != NULL)
		return operand_error(operand(control, word),
				     "the name $%s is already the name of %s; choose another name",
				     name, kind);
	rc = builder_declare(control->builder, name, counter, range, op->line, &op->variable,
			     &reason);
	return operand_report(operand(control, word), rc, &reason);
}

/* Declare the counter of a block, if it has one. `rc` says if its rounds are valid. */
static int declare_counter(struct control *control, struct op *op, int rc)
{
	struct formula_range range = {0};
	struct error ignored = {0}, *error = control->error;

	if (control->line->word_count < 3)
		return rc;
	if (rc == -EINVAL) {
		/* Otherwise each use of the counter would be an error. */
		control->error = &ignored;
		declare(control, 2, true, &range, op);
		control->error = error;
	}
	if (rc < 0)
		return rc;
	range = program_rounds(builder_tables(control->builder)->program, op);
	range.min = 0;
	range.max -= range.max > 0;
	range.mean = range.mean > 1 ? (range.mean - 1) / 2 : 0;
	return declare(control, 2, true, &range, op);
}

static int compile_loop(struct control *control, struct op *op)
{
	return declare_counter(control, op, compile_rounds(control, op));
}

static int compile_parallel(struct control *control, struct op *op)
{
	return declare_counter(
		control, op,
		number_constant(operand(control, 1), 1, PROGRAM_STREAMS_MAX, &op->count));
}

static int compile_every(struct control *control, struct op *op)
{
	return number_constant(operand(control, 1), 0, UINT32_MAX, &op->count);
}

static int compile_end(struct control *control, struct op *op)
{
	struct error reason = {0};
	int rc = builder_end_branch(control->builder, &reason);

	return operand_report(operand(control, 0), rc, &reason);
}

static int compile_let(struct control *control, struct op *op)
{
	struct formula_range range;
	int rc = number_varying(operand(control, 2), 0, UINT64_MAX, OP_COMPUTED, op, &op->offset);

	if (rc < 0)
		return rc;
	range = formula_fixed(op->offset);
	if ((op->flags & OP_COMPUTED) != 0)
		range = builder_tables(control->builder)->program->formulas[op->offset].range;
	return declare(control, 1, false, &range, op);
}

/* Read a delay in microseconds. */
static int compile_sleep(struct control *control, struct op *op)
{
	int rc = number_varying(operand(control, 1), 0, UINT32_MAX, OP_COMPUTED, op, &op->offset);

	if (rc == 0 && (op->flags & OP_COMPUTED) == 0)
		op->sleep_ns = op->offset * NS_PER_US;
	return rc;
}

static int compile_setsp(struct control *control, struct op *op)
{
	return number_plain(operand(control, 1), 0, POINT_MAX, &op->number);
}

static int compile_waitsp(struct control *control, struct op *op)
{
	uint64_t user;
	int rc = number_plain(operand(control, 1), 0, PROGRAM_USERS_MAX - 1, &user);

	op->user = (uint32_t)user;
	if (rc < 0)
		return rc;
	return number_plain(operand(control, 2), 0, POINT_MAX, &op->number);
}

static int compile_writepattern(struct control *control, struct op *op)
{
	return builder_text(control->builder, line_rest(control->line), &op->text, control->error);
}

static int compile_randomstring(struct control *control, struct op *op)
{
	const char *text = control->line->words[2].text;
	int rc = number_plain(operand(control, 1), 0, PROGRAM_STRINGS - 1, &op->number);

	if (rc < 0)
		return rc;
	/* The native dialect could not have it: without quotes around it, it is
	 * a comment. */
	if (text[0] == '#' && strchr(text, '"') != NULL) {
		operand_error(operand(control, 2),
			      "a random string that begins with # cannot contain a quote");
		return -EINVAL;
	}
	return builder_text(control->builder, text, &op->text, control->error);
}

/* Read the operations that are the items of a phase, from word 2 on. */
static int compile_items(struct control *control, struct op *op)
{
	const struct line *line = control->line;
	char text[LINE_WORDS_MAX * (PROGRAM_LABEL_MAX + 1)] = "";
	size_t used = 0;
	unsigned i;

	/* The reader has dropped the words after these. */
	if (line->word_count == LINE_WORDS_MAX)
		return operand_error(operand(control, LINE_WORDS_MAX - 1),
				     "a PHASE cannot name more than %d operations",
				     LINE_WORDS_MAX - 3);
	for (i = 2; i < line->word_count; i++) {
		const char *word = line->words[i].text;
		size_t length = strlen(word);

		if (length == 0 || length > PROGRAM_LABEL_MAX || strcspn(word, " \t") < length)
			return operand_error(operand(control, i),
					     "\"%s\" is not the name of an operation; expected 1 "
					     "to %d characters without blanks",
					     word, PROGRAM_LABEL_MAX);
		used += (size_t)sprintf(text + used, "%s%s", i > 2 ? " " : "", word);
	}
	return builder_text(control->builder, text, &op->expect, control->error);
}

static int compile_phase(struct control *control, struct op *op)
{
	int rc = builder_text(control->builder, control->line->words[1].text, &op->text,
			      control->error);

	return rc == 0 ? compile_items(control, op) : rc;
}

static int compile_setup(struct control *control, struct op *op)
{
	const struct line *line = control->line;
	const char *kind = line->word_count > 1 ? line->words[1].text : "";

	for (op->number = 0; op->number < OP_SETUPS; op->number++)
		if (strcmp(kind, program_setups[op->number]) == 0)
			return 0;
	return operand_error(operand(control, 1),
			     "\"%s\" is not a kind of SETUP; expected shared or restore", kind);
}

static int compile_stream(struct control *control, struct op *op)
{
	return number_plain(operand(control, 1), 0, PROGRAM_STREAMS_MAX - 1, &op->number);
}

static int compile_prologue(struct control *control, struct op *op)
{
	struct error reason = {0};
	int rc = builder_prologue(control->builder, &reason);

	return operand_report(operand(control, 0), rc, &reason);
}

static const struct control_line lines[] = {
	{"REPEAT", 1, "the name of a counter", OP_KINDS, compile_repeat, false, false},
	{"ENDREPEAT", 0, NULL, OP_KINDS, compile_endrepeat, true, false},
	{"LOOP", 1, "the name of a counter", OP_LOOP, compile_loop, false, false},
	{"ENDLOOP", 0, NULL, OP_ENDLOOP, compile_nothing, false, false},
	{"PARALLEL", 1, "the name of a counter", OP_PARALLEL, compile_parallel, true, false},
	{"ENDPARALLEL", 0, NULL, OP_ENDPARALLEL, compile_nothing, true, false},
	{"SLEEP", 1, NULL, OP_SLEEP, compile_sleep, false, false},
	{"SETSP", 1, NULL, OP_SETSP, compile_setsp, false, false},
	{"WAITSP", 2, NULL, OP_WAITSP, compile_waitsp, false, false},
	{"WRITEPATTERN", 1, NULL, OP_WRITEPATTERN, compile_writepattern, false, true},
	{"RANDOMSTRING", 2, NULL, OP_RANDOMSTRING, compile_randomstring, false, false},
	{"PHASE", 1, "the operations that are its items", OP_PHASE, compile_phase, true, false},
	{"LET", 2, NULL, OP_LET, compile_let, true, false},
	{"MIX", 1, NULL, OP_MIX, compile_rounds, true, false},
	{"ENDMIX", 0, NULL, OP_ENDMIX, compile_nothing, true, false},
	{"EVERY", 1, NULL, OP_EVERY, compile_every, true, false},
	{"ENDEVERY", 0, NULL, OP_ENDEVERY, compile_nothing, true, false},
	{"END", 0, NULL, OP_KINDS, compile_end, true, false},
	{"STREAM", 1, NULL, OP_STREAM, compile_stream, true, false},
	{"AFTER", 1, NULL, OP_AFTER, compile_stream, true, false},
	{"PROLOGUE", 0, NULL, OP_KINDS, compile_prologue, true, false},
	{"SETUP", 0, "shared or restore", OP_SETUP, compile_setup, true, false},
	{"ENDSETUP", 0, NULL, OP_ENDSETUP, compile_nothing, true, false},
};

const struct control_line *control_find(const char *word, bool native)
{
	size_t i;

	/* Compare one letter first: this is called for every line. */
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].word[0] == word[0] && strcmp(lines[i].word, word) == 0 &&
		    (native || !lines[i].native))
			return &lines[i];
	return NULL;
}

void control_suggest(struct suggestion *suggestion)
{
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		suggest_offer(suggestion, lines[i].word);
}

/* Check the number of arguments. */
static int check_arguments(const struct control_line *expected, const struct control *control)
{
	static const char *const counts[] = {
		"no argument",
		"one argument",
		"two arguments",
	};
	unsigned given = control->line->word_count - 1;
	const char *optional = control->native ? expected->optional : NULL;

	if (expected->free_text ? given > 0
				: given >= expected->arguments &&
					  (given <= expected->arguments + (optional != NULL) ||
					   expected->kind == OP_PHASE))
		return 0;
	line_error(control->line, 0, control->error, "%s takes %s%s%s", expected->word,
		   expected->free_text ? "a text" : counts[expected->arguments],
		   optional == NULL           ? ""
		   : expected->arguments == 0 ? ", or "
					      : " and optionally ",
		   optional != NULL ? optional : "");
	return -EINVAL;
}

int control_compile(const struct control_line *expected, struct builder *builder,
		    struct unroll *unroll, struct line *line, uint64_t *repeat, struct error *error)
{
	struct control control = {
		.builder = builder,
		.unroll = unroll,
		.line = line,
		.native = unroll != NULL,
		.repeat = repeat,
		.error = error,
	};
	struct op op = {
		.kind = (uint8_t)expected->kind,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.variable = OP_NONE,
		.line = line->number,
	};
	int rc = check_arguments(expected, &control);

	if (rc == 0)
		rc = expected->compile(&control, &op);
	if (rc == 0 && expected->kind != OP_KINDS)
		rc = dialect_add(builder, line, 0, &op, CLOCK_NEVER, error);
	/* Otherwise its end would be an error. */
	if (rc == -EINVAL && (op_begins_block((enum op_kind)op.kind) || op.kind == OP_SETUP))
		builder_begin_refused(builder, expected->kind, line->number);
	return rc;
}
