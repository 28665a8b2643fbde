/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/tables.h"

#include "base/array.h"
#include "program/path.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

size_t tables_bytes(const struct tables *tables)
{
	/* Count each key twice, as the program has a copy of it. */
	return 2 * (intern_bytes(&tables->paths) + intern_bytes(&tables->texts) +
		    intern_bytes(&tables->formulas) + intern_bytes(&tables->labels) +
		    intern_bytes(&tables->requests)) +
	       tables->program->formula_count * sizeof(struct formula);
}

void tables_free(struct tables *tables)
{
	intern_free(&tables->paths);
	intern_free(&tables->texts);
	intern_free(&tables->formulas);
	intern_free(&tables->labels);
	intern_free(&tables->requests);
}

int tables_label(struct tables *tables, const char *name, uint8_t *label, struct error *error)
{
	struct program *program = tables->program;
	const char *next;
	int64_t number;
	int is_new;
	char *copy;

	if (strlen(name) > PROGRAM_LABEL_MAX) {
		error_set(error, "label \"%.40s...\" is longer than %d bytes", name,
			  PROGRAM_LABEL_MAX);
		return -EINVAL;
	}
	/* Refuse control characters: in all outputs, a label is on one line. */
	for (next = name; *next != '\0'; next++) {
		if (iscntrl((unsigned char)*next)) {
			error_set(error, "a label may not contain control characters");
			return -EINVAL;
		}
	}
	number = intern(&tables->labels, name, strlen(name), &is_new);
	if (number < 0)
		return error_no_memory(error);
	if (number >= PROGRAM_LABELS_MAX) {
		error_set(error, "a load may not have more than %d labels", PROGRAM_LABELS_MAX);
		return -EINVAL;
	}
	*label = (uint8_t)number;
	if (!is_new)
		return 0;
	copy = strdup(name);
	if (copy == NULL)
		return error_no_memory(error);
	if (array_append(&program->labels, &program->label_count, &copy, sizeof(copy)) < 0) {
		free(copy);
		return error_no_memory(error);
	}
	return 0;
}

/* Check a path that contains variables. Return 0, or -EINVAL with `error`
 * set. */
static int check_references(const char *normal, struct error *error)
{
	const char *first = strstr(normal, "${");

	if (path_place(normal) == PATH_SHARED || first == NULL ||
	    (size_t)(first - normal) >= path_head(normal))
		return 0;
	error_set(error,
		  "the name after \"/%s/\" is the name of a user's directory, so the name may not "
		  "contain a variable; for the directory of the user who plays the load, write "
		  "/%s/%s1",
		  CLIENTS_NAME, CLIENTS_NAME, USER_STEM);
	return -EINVAL;
}

/* Add a new path, which is already normalised. */
static int add_path(struct tables *tables, const char *normal, const struct program_path *path,
		    struct error *error)
{
	struct program *program = tables->program;
	struct program_path added = *path;

	if (array_grow(&program->paths, &tables->path_room, program->path_count + 1,
		       sizeof(*program->paths)) < 0 ||
	    (added.text = strdup(normal)) == NULL)
		return error_no_memory(error);
	added.place = path_place(normal);
	program->paths[program->path_count++] = added;
	return 0;
}

int tables_path(struct tables *tables, const char *text, bool references, uint32_t line,
		uint32_t *path, struct error *error)
{
	/* The key of a path with references ends with a newline, which no path
	 * contains. */
	char normal[PROGRAM_PATH_MAX + 1];
	struct program_path new_path = {
		.references = references,
		.line = line,
	};
	int length = path_normalise(text, normal, error);
	int64_t number;
	int is_new;

	if (length < 0)
		return length;
	new_path.varying = new_path.references || path_strings(normal, tables->strings) != 0;
	if (new_path.varying && path_check_strings(normal, tables->whole, error) < 0)
		return -EINVAL;
	if (new_path.references) {
		if (check_references(normal, error) < 0)
			return -EINVAL;
		normal[length++] = '\n';
	}
	number = intern(&tables->paths, normal, (size_t)length, &is_new);
	if (number < 0)
		return error_no_memory(error);
	*path = (uint32_t)number;
	if (!is_new) {
		tables->program->paths[number].varying |= new_path.varying;
		return 0;
	}
	if (new_path.references)
		normal[length - 1] = '\0';
	return add_path(tables, normal, &new_path, error);
}

int tables_check_strings(const struct tables *tables, struct error *error)
{
	const struct program *program = tables->program;
	size_t i;

	for (i = 0; i < program->path_count; i++) {
		const struct program_path *path = &program->paths[i];

		if (!path->varying || path->place != PATH_SHARED ||
		    !path_may_be_clients(path->text, &tables->spelling))
			continue;
		error_set_at(
			error, program->source, path->line, 0,
			"the random strings in \"/%s\" could make this path begin with \"/%s\", "
			"where users have their own directories; change the random strings",
			path->text, CLIENTS_NAME);
		return -EINVAL;
	}
	return 0;
}

int tables_text(struct tables *tables, const char *text, uint32_t *number, struct error *error)
{
	struct program *program = tables->program;
	int is_new;
	int64_t index = intern(&tables->texts, text, strlen(text), &is_new);
	char *copy;

	if (index < 0)
		return error_no_memory(error);
	*number = (uint32_t)index;
	if (!is_new)
		return 0;
	copy = strdup(text);
	if (copy == NULL)
		return error_no_memory(error);
	if (array_append(&program->texts, &program->text_count, &copy, sizeof(copy)) < 0) {
		free(copy);
		return error_no_memory(error);
	}
	return 0;
}

int tables_formula(struct tables *tables, const struct formula *formula, uint32_t *number,
		   struct error *error)
{
	struct program *program = tables->program;
	/* Steps after the last one may be uninitialised. */
	size_t bytes = offsetof(struct formula, steps) + formula->count * sizeof(formula->steps[0]);
	int is_new;
	int64_t index = intern(&tables->formulas, formula, bytes, &is_new);

	if (index < 0 || (is_new && array_append(&program->formulas, &program->formula_count,
						 formula, sizeof(*formula)) < 0))
		return error_no_memory(error);
	*number = (uint32_t)index;
	return 0;
}

int tables_request(struct tables *tables, const struct smb_request *request, uint32_t *number,
		   struct error *error)
{
	struct program *program = tables->program;
	int is_new;
	int64_t index = intern(&tables->requests, request, sizeof(*request), &is_new);

	if (index < 0 || array_grow(&program->requests, &tables->request_room, (size_t)index + 1,
				    sizeof(*request)) < 0)
		return error_no_memory(error);
	*number = (uint32_t)index;
	if (is_new)
		program->requests[program->request_count++] = *request;
	return 0;
}

int64_t tables_zipf(struct tables *tables, uint64_t count, double exponent)
{
	struct program *program = tables->program;
	struct zipf zipf = {0};
	size_t i;

	for (i = 0; i < program->zipf_count; i++)
		if (program->zipfs[i].count == count && program->zipfs[i].exponent == exponent)
			return (int64_t)i;
	if (program->zipf_count == PROGRAM_DRAWS_MAX)
		return -E2BIG;
	zipf_prepare(&zipf, count, exponent);
	return array_append(&program->zipfs, &program->zipf_count, &zipf, sizeof(zipf)) < 0
		       ? -ENOMEM
		       : (int64_t)i;
}

int64_t tables_shuffle(struct tables *tables, uint64_t count)
{
	struct program *program = tables->program;
	struct shuffle shuffle = {0};

	if (program->shuffle_count == PROGRAM_DRAWS_MAX)
		return -E2BIG;
	shuffle_prepare(&shuffle, count);
	return array_append(&program->shuffles, &program->shuffle_count, &shuffle,
			    sizeof(shuffle)) < 0
		       ? -ENOMEM
		       : (int64_t)program->shuffle_count - 1;
}
