/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/strings.h"

#include "program/path.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct expander {
	struct tables *tables;
	/*
	 * The distinct templates of each slot, as indexes into program->texts.
	 * There is room for one template more than the max number of names, so
	 * that note_name() notices that there are too many names.
	 */
	uint32_t texts[PROGRAM_STRINGS][STRINGS_NAMES_MAX + 1];
	size_t text_counts[PROGRAM_STRINGS];
	unsigned defined; /* the slots that have templates, one bit each */
	bool *done;       /* names already expanded, by index into program->shared */
	unsigned names;   /* number of names so far */
	bool changed;     /* the load changes the files of the current name */
	char name[PROGRAM_PATH_MAX];
	struct error reason; /* the error, without a line number */
};

/* Add expander->name, complete with `length` bytes, to the shared names. */
static int note_name(struct expander *expander, size_t length)
{
	struct error *error = &expander->reason;

	if (++expander->names > STRINGS_NAMES_MAX) {
		error_set(error,
			  "random strings in the first component of a path can produce more than "
			  "%d names",
			  STRINGS_NAMES_MAX);
		return -EINVAL;
	}
	expander->name[length] = '\0';
	/* Ignore case, as some servers do. */
	if (strcasecmp(expander->name, CLIENTS_NAME) == 0) {
		error_set(error,
			  "random strings in the first component of a path can produce \"%s\", "
			  "which is reserved for throng",
			  expander->name);
		return -EINVAL;
	}
	return tables_shared(expander->tables, expander->name, false, expander->changed, error);
}

static int expand(struct expander *expander, size_t length, const char *pattern, const char *rest);

/* Append each string of a slot to the name, then expand `rest`. */
static int expand_slot(struct expander *expander, size_t length, unsigned slot, const char *rest)
{
	char **texts = expander->tables->program->texts;
	size_t i;
	int rc = 0;

	for (i = 0; i < expander->text_counts[slot] && rc == 0; i++)
		rc = expand(expander, length, texts[expander->texts[slot][i]], rest);
	return rc;
}

/* Append every string of the pattern to the name, then expand `rest`, the
 * remainder of the path's component. */
static int expand(struct expander *expander, size_t length, const char *pattern, const char *rest)
{
	const char *end;
	int rc = 0;

	while (*pattern != '\0' && *pattern != '[')
		expander->name[length++] = *pattern++;
	if (*pattern == '[') {
		end = strchr(pattern, ']');
		while (++pattern < end && rc == 0) {
			expander->name[length] = *pattern;
			rc = expand(expander, length + 1, end + 1, rest);
		}
		return rc;
	}
	for (; *rest != '\0'; rest++) {
		/* Also keep the literal `$1` in the name, as it stays there
		 * until the string is first drawn. */
		if (*rest == '$' && isdigit((unsigned char)rest[1]))
			rc = expand_slot(expander, length, (unsigned)(rest[1] - '0'), rest + 2);
		if (rc < 0)
			return rc;
		expander->name[length++] = *rest;
	}
	return note_name(expander, length);
}

/* Find the templates of each slot. Return 0 or -ENOMEM. */
static int find_templates(struct expander *expander)
{
	const struct program *program = expander->tables->program;
	/* The slots that use each text, one bit each; by index into
	 * program->texts. */
	uint16_t *slots = calloc(program->text_count + 1, sizeof(*slots));
	size_t i;

	if (slots == NULL)
		return -ENOMEM;
	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];
		size_t *count;

		if (op->kind != OP_RANDOMSTRING || (slots[op->text] & 1u << op->number) != 0)
			continue;
		slots[op->text] |= (uint16_t)(1u << op->number);
		expander->defined |= 1u << op->number;
		count = &expander->text_counts[op->number];
		if (*count <= STRINGS_NAMES_MAX)
			expander->texts[op->number][(*count)++] = op->text;
	}
	free(slots);
	return 0;
}

static int expand_paths(struct expander *expander, struct error *error)
{
	struct program *program = expander->tables->program;
	char first[PROGRAM_PATH_MAX];
	int rc = 0;
	size_t i;

	for (i = 0; i < program->path_count && rc == 0; i++) {
		const struct program_path *path = &program->paths[i];
		size_t length = path_first_component(path->text);
		int64_t number;

		if (!path->varying || path->place != PATH_SHARED)
			continue;
		memcpy(first, path->text, length);
		first[length] = '\0';
		number = intern_find(&expander->tables->shared, first, length);
		if (path_strings(first, expander->defined) == 0 || number < 0 ||
		    expander->done[number])
			continue;
		expander->done[number] = true;
		expander->changed = program->shared[number].changed;
		rc = expand(expander, 0, "", first);
		if (rc < 0)
			error_set_at(error, program->source, path->line, 0, "%s",
				     expander->reason.text);
	}
	return rc;
}

int strings_expand(struct tables *tables, struct error *error)
{
	size_t shared_max = tables->program->shared_count + STRINGS_NAMES_MAX;
	struct expander *expander;
	int rc = -ENOMEM;

	if (tables->strings == 0)
		return 0;
	expander = calloc(1, sizeof(*expander));
	if (expander == NULL)
		return error_no_memory(error);
	expander->tables = tables;
	expander->done = calloc(shared_max, sizeof(*expander->done));
	if (expander->done != NULL && find_templates(expander) == 0)
		rc = expand_paths(expander, error);
	if (rc == -ENOMEM)
		error_no_memory(error);
	free(expander->done);
	free(expander);
	return rc;
}
