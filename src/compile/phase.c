/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/phase.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The characters of a phase's name. */
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

static int check_name(const struct program *program, const char *name, struct error *error)
{
	size_t length = strlen(name), i;

	if (length == 0 || length > PROGRAM_LABEL_MAX || strspn(name, NAME_CHARACTERS) != length) {
		error_set(error,
			  "\"%.80s\" is not the name of a phase; expected 1 to %d of the "
			  "characters A-Z a-z 0-9 _ . -",
			  name, PROGRAM_LABEL_MAX);
		return -EINVAL;
	}
	for (i = 0; i < program->phase_count; i++) {
		if (strcmp(program->phases[i].name, name) != 0)
			continue;
		error_set(error,
			  "PHASE %s is already on line %" PRIu32
			  "; each phase needs a name of its own",
			  name, program->phases[i].line);
		return -EINVAL;
	}
	return 0;
}

int phase_add(struct program *program, struct op *op, bool plays, struct error *error)
{
	const struct program_phase *last = phase_last(program);
	struct program_phase phase = {
		.name = program->texts[op->text],
		.items = program->texts[op->expect],
		.line = op->line,
	};

	if (program->prologue) {
		error_set(error, "a load with a PROLOGUE cannot have a PHASE, because all loops of "
				 "a load with phases are counted; use SETUP instead of PROLOGUE");
		return -EINVAL;
	}
	if (check_name(program, phase.name, error) < 0)
		return -EINVAL;
	if (last != NULL && !plays) {
		error_set(error,
			  "the PHASE %s of line %" PRIu32
			  " has no operation; expected at least one before this line",
			  last->name, last->line);
		return -EINVAL;
	}
	if (program->phase_count == PROGRAM_PHASES_MAX) {
		error_set(error, "a load may not have more than %d phases", PROGRAM_PHASES_MAX);
		return -EINVAL;
	}
	op->number = program->phase_count;
	return array_append(&program->phases, &program->phase_count, &phase, sizeof(phase)) < 0
		       ? error_no_memory(error)
		       : 0;
}

/* Check if the op is counted under this word, which is its label or verb. */
static bool is_called(const struct program *program, const struct op *op, const char *word,
		      size_t length)
{
	const char *names[] = {program->labels[op->label], op_verb((enum op_kind)op->kind)};
	size_t i;

	for (i = 0; i < 2; i++)
		if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
			return true;
	return false;
}

/* Refuse a word that is none of the labels that the phase plays. */
static int refuse_item(const struct program *program, const struct program_phase *phase,
		       const bool plays[PROGRAM_LABELS_MAX], const char *word, size_t length,
		       struct error *error)
{
	char names[512] = "";
	size_t used = 0, i;

	for (i = 0; i < program->label_count && used < sizeof(names); i++)
		if (plays[i])
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 used > 0 ? ", " : "", program->labels[i]);
	error_set_at(error, program->source, phase->line, 0,
		     "PHASE %s: \"%.*s\" is not an operation of the phase; expected %s",
		     phase->name, (int)length, word, names);
	return -EINVAL;
}

/* Find the items of a phase, which is `count` ops long. */
static int find_items(const struct program *program, struct program_phase *phase,
		      const struct op *ops, size_t count, struct error *error)
{
	bool plays[PROGRAM_LABELS_MAX] = {false};
	const char *word = phase->items;
	size_t i;

	while (*word != '\0') {
		size_t length = strcspn(word, " ");
		bool found = false;

		for (i = 0; i < count; i++) {
			if (op_is_control(ops[i].kind))
				continue;
			plays[ops[i].label] = true;
			if (!is_called(program, &ops[i], word, length))
				continue;
			phase->counts[ops[i].label] = found = true;
		}
		if (!found)
			return refuse_item(program, phase, plays, word, length, error);
		word += length;
		word += *word == ' ';
	}
	return 0;
}

int phase_find_items(struct program *program, struct error *error)
{
	size_t at = 0, end;
	int rc = 0;

	for (; at < program->op_count && rc == 0; at = end) {
		const struct op *first = &program->ops[at];

		for (end = at + 1; end < program->op_count && program->ops[end].kind != OP_PHASE;)
			end++;
		if (first->kind == OP_PHASE)
			rc = find_items(program, &program->phases[first->number], first, end - at,
					error);
	}
	return rc;
}
