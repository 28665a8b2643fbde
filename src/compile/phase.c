/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/phase.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The characters of a phase's name. */
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

static int check_name(const struct program *program, const char *name, struct error *error)
{
	size_t length = strlen(name), i;

	if (length == 0 || length > PROGRAM_LABEL_MAX || strspn(name, NAME_CHARACTERS) != length) {
		error_set(error,
			  "the name of a phase has 1 to %d letters, digits, and any of _ . -",
			  PROGRAM_LABEL_MAX);
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
		.line = op->line,
	};

	if (program->prologue) {
		error_set(error, "a load with a PROLOGUE cannot have a PHASE: all of its loops "
				 "count (use a SETUP instead)");
		return -EINVAL;
	}
	if (check_name(program, phase.name, error) < 0)
		return -EINVAL;
	if (last != NULL && !plays) {
		error_set(error, "no operation between PHASE %s and PHASE %s", last->name,
			  phase.name);
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
