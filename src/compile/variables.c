/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/variables.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t variables_name_length(const char *text)
{
	size_t length = 0;

	if (isdigit((unsigned char)text[0]))
		return 0;
	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

bool variables_is_name(const char *text, size_t length)
{
	return length > 0 && variables_name_length(text) == length &&
	       length <= PROGRAM_VARIABLE_NAME_MAX;
}

int variables_find(const struct variables *variables, const char *name, size_t length)
{
	int number = program_find_variable(variables->program, name, length);

	return number >= 0 && !variables->states[number].visible ? -ENOENT : number;
}

/* Add a variable. Return its number, or -EINVAL with `error` set, or
 * -ENOMEM. */
static int add(struct variables *variables, const char *name, const struct formula_range *range,
	       struct error *error)
{
	struct program *program = variables->program;
	struct variable added = {.range = *range};

	if (!variables_is_name(name, strlen(name))) {
		error_set(error,
			  "\"%s\" is not the name of a variable; expected at most %d letters, "
			  "digits and underscores, and no digit at the start",
			  name, PROGRAM_VARIABLE_NAME_MAX);
		return -EINVAL;
	}
	if (program->variable_count == PROGRAM_VARIABLES_MAX) {
		error_set(error, "a load may not have more than %d variables",
			  PROGRAM_VARIABLES_MAX);
		return -EINVAL;
	}
	added.name = strdup(name);
	if (added.name == NULL || array_append(&program->variables, &program->variable_count,
					       &added, sizeof(added)) < 0) {
		free(added.name);
		return error_no_memory(error);
	}
	return (int)program->variable_count - 1;
}

/* Make a variable visible. Return its number. */
static int set_range(struct variables *variables, int number, const struct formula_range *range,
		     unsigned depth, uint32_t line)
{
	struct formula_range *all = &variables->program->variables[number].range;

	variables->states[number].visible = true;
	variables->states[number].depth = depth;
	variables->states[number].range = *range;
	variables->states[number].line = line;
	if (range->min < all->min)
		all->min = range->min;
	if (range->max > all->max)
		all->max = range->max;
	return number;
}

int variables_declare(struct variables *variables, const char *name,
		      const struct formula_range *range, unsigned depth, bool counter,
		      uint32_t line, struct error *error)
{
	int number = program_find_variable(variables->program, name, strlen(name));

	if (number < 0)
		number = add(variables, name, range, error);
	if (number < 0)
		return number;
	if (variables->states[number].visible) {
		const struct formula_range *first = &variables->states[number].range;
		/* In an inner block, the LET may not be played, or be played
		 * before lines above it are played again. */
		bool inner = depth > variables->states[number].depth;

		if (counter || number < VARIABLES_PREDEFINED) {
			error_set(error, "$%s has a value already; choose another name", name);
			return -EINVAL;
		}
		if (!inner)
			return set_range(variables, number, range, depth, line);
		if (range->min >= first->min && range->max <= first->max)
			return number;
		error_set(error,
			  "$%s may become %" PRIu64
			  " on this line, but the first LET of $%s, on line %" PRIu32
			  ", sets the range from %" PRIu64 " to %" PRIu64
			  "; limit the value with min() and max(), or widen the range in the first "
			  "LET",
			  name, range->max > first->max ? range->max : range->min, name,
			  variables->states[number].line, first->min, first->max);
		return -EINVAL;
	}
	return set_range(variables, number, range, depth, line);
}

int variables_open(struct variables *variables, struct program *program)
{
	static const struct {
		const char *name;
		struct formula_range range;
	} rows[VARIABLES_PREDEFINED] = {
		/* The means are those of times.h. */
		[VARIABLE_USER] = {"user", {0, PROGRAM_USERS_MAX - 1, 0}},
		[VARIABLE_USERS] = {"users", {1, PROGRAM_USERS_MAX, 1}},
		[VARIABLE_LOOP] = {"loop", {0, UINT32_MAX, 0}},
	};
	struct error unused = {0};
	int i;

	variables->program = program;
	for (i = 0; i < VARIABLES_PREDEFINED; i++)
		if (variables_declare(variables, rows[i].name, &rows[i].range, 0, true, 0,
				      &unused) < 0)
			return -ENOMEM;
	return 0;
}

void variables_leave(struct variables *variables, unsigned depth)
{
	size_t i;

	for (i = 0; i < variables->program->variable_count; i++)
		if (variables->states[i].depth > depth)
			variables->states[i].visible = false;
}

void variables_hide(struct variables *variables)
{
	size_t i;

	for (i = VARIABLES_PREDEFINED; i < variables->program->variable_count; i++)
		variables->states[i].visible = false;
}

/* Is the variable of a step also that of a step before it? */
static bool is_repeated(const struct formula *formula, uint64_t step)
{
	uint64_t i;

	for (i = 0; i < step; i++)
		if (formula->steps[i].action == FORMULA_VARIABLE &&
		    formula->steps[i].value == formula->steps[step].value)
			return true;
	return false;
}

void variables_explain(const struct variables *variables, const struct formula *formula,
		       struct error *error)
{
	size_t used = strlen(error->text);
	uint64_t i;

	for (i = 0; i < formula->count && used < sizeof(error->text); i++) {
		uint64_t number = formula->steps[i].value;
		uint32_t line;

		if (formula->steps[i].action != FORMULA_VARIABLE || is_repeated(formula, i))
			continue;
		line = variables->states[number].line;
		used += (size_t)snprintf(error->text + used, sizeof(error->text) - used,
					 "; $%s is %" PRIu64 " to %" PRIu64,
					 variables->program->variables[number].name,
					 variables->states[number].range.min,
					 variables->states[number].range.max);
		if (line > 0 && used < sizeof(error->text))
			used += (size_t)snprintf(error->text + used, sizeof(error->text) - used,
						 " (line %" PRIu32 ")", line);
	}
}

int variables_find_range(const struct variables *variables, struct formula *formula,
			 struct error *error)
{
	struct formula_range ranges[PROGRAM_VARIABLES_MAX];
	struct formula_bounds bounds = {
		.variables = ranges,
		.zipfs = variables->program->zipfs,
		.shuffles = variables->program->shuffles,
	};
	size_t i;

	for (i = 0; i < variables->program->variable_count; i++)
		ranges[i] = variables->states[i].range;
	return formula_find_range(formula, &bounds, error);
}
