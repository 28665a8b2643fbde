/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/tables.h"

#include "base/array.h"
#include "program/path.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t tables_bytes(const struct tables *tables)
{
	/* Count each key twice, as the program has a copy of it. */
	return 2 * (intern_bytes(&tables->paths) +
		    intern_bytes(&tables->texts) +
		    intern_bytes(&tables->expressions) +
		    intern_bytes(&tables->labels) +
		    intern_bytes(&tables->shared));
}

void tables_free(struct tables *tables)
{
	intern_free(&tables->paths);
	intern_free(&tables->texts);
	intern_free(&tables->expressions);
	intern_free(&tables->labels);
	intern_free(&tables->shared);
}

int tables_label(struct tables *tables, const char *name, uint8_t *label,
		 struct error *error)
{
	struct program *program = tables->program;
	const char *next;
	int64_t number;
	int is_new;
	char *copy;

	if (strlen(name) > PROGRAM_LABEL_MAX) {
		error_set(error, "label \"%.40s...\" is longer than %d bytes",
			  name, PROGRAM_LABEL_MAX);
		return -EINVAL;
	}
	/* Refuse control characters, as labels are printed without escaping. */
	for (next = name; *next != '\0'; next++) {
		if (iscntrl((unsigned char)*next)) {
			error_set(error, "a label may not contain control "
				  "characters");
			return -EINVAL;
		}
	}
	number = intern(&tables->labels, name, strlen(name), &is_new);
	if (number < 0)
		return error_no_memory(error);
	if (number >= PROGRAM_LABELS_MAX) {
		error_set(error, "a load may not have more than %d labels",
			  PROGRAM_LABELS_MAX);
		return -EINVAL;
	}
	*label = (uint8_t)number;
	if (!is_new)
		return 0;
	copy = strdup(name);
	if (copy == NULL)
		return error_no_memory(error);
	if (array_append(&program->labels, &program->label_count, &copy,
			 sizeof(copy)) < 0) {
		free(copy);
		return error_no_memory(error);
	}
	return 0;
}

int tables_shared(struct tables *tables, const char *normal, bool pattern,
		  bool changed, struct error *error)
{
	struct program *program = tables->program;
	struct shared_name shared = {.changed = changed};
	size_t length = path_first_component(normal);
	int64_t number;
	int is_new;

	/* A pattern is not the name of a file, so it is not a shared name. */
	if (pattern && normal[length] == '\0')
		return 0;
	number = intern(&tables->shared, normal, length, &is_new);
	if (number < 0)
		return error_no_memory(error);
	if (!is_new) {
		program->shared[number].changed |= changed;
		return 0;
	}
	shared.name = strndup(normal, length);
	if (shared.name == NULL)
		return error_no_memory(error);
	if (array_append(&program->shared, &program->shared_count, &shared,
			 sizeof(shared)) < 0) {
		free(shared.name);
		return error_no_memory(error);
	}
	return 0;
}

int tables_path(struct tables *tables, const char *text, bool pattern,
		uint32_t line, uint32_t *path, struct error *error)
{
	struct program *program = tables->program;
	char normal[PROGRAM_PATH_MAX];
	struct program_path new_path = {.line = line};
	int length = path_normalise(text, normal, error);
	bool varying;
	int64_t number;
	int is_new;

	if (length < 0)
		return length;
	varying = path_strings(normal, tables->strings) != 0;
	if (varying && path_check_strings(normal, tables->whole, error) < 0)
		return -EINVAL;
	number = intern(&tables->paths, normal, (size_t)length, &is_new);
	if (number < 0)
		return error_no_memory(error);
	*path = (uint32_t)number;
	if (!is_new) {
		program->paths[number].varying |= varying;
		return 0;
	}
	new_path.place = path_place(normal);
	new_path.varying = varying;
	if (array_grow(&program->paths, &tables->path_room,
		       program->path_count + 1, sizeof(*program->paths)) < 0 ||
	    (new_path.text = strdup(normal)) == NULL)
		return error_no_memory(error);
	program->paths[program->path_count++] = new_path;
	if (new_path.place == PATH_SHARED)
		return tables_shared(tables, normal, pattern, false, error);
	return 0;
}

int tables_text(struct tables *tables, const char *text, uint32_t *number,
		struct error *error)
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
	if (array_append(&program->texts, &program->text_count, &copy,
			 sizeof(copy)) < 0) {
		free(copy);
		return error_no_memory(error);
	}
	return 0;
}

int tables_expression(struct tables *tables,
		      const struct expression *expression, uint32_t *number,
		      struct error *error)
{
	struct program *program = tables->program;
	struct expression key;
	int64_t index;
	int is_new;
	unsigned i;

	/* Zero the padding and unused terms, as keys are compared bytewise. */
	memset(&key, 0, sizeof(key));
	key.from_previous = expression->from_previous;
	key.terms = expression->terms;
	for (i = 0; i < expression->terms; i++) {
		key.term[i].action = expression->term[i].action;
		key.term[i].value = expression->term[i].value;
		if (strchr("%/", key.term[i].action) != NULL &&
		    key.term[i].value == 0) {
			error_set(error, "an offset cannot be divided or "
				  "aligned by 0");
			return -EINVAL;
		}
	}
	index = intern(&tables->expressions, &key, sizeof(key), &is_new);
	if (index < 0 ||
	    (is_new &&
	     array_append(&program->expressions, &program->expression_count,
			  &key, sizeof(key)) < 0))
		return error_no_memory(error);
	*number = (uint32_t)index;
	return 0;
}
