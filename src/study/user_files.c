/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/user_files.h"

#include "base/sum.h"
#include "program/path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Max bytes of one file, or of all files that a varying path names. */
#define FILE_MAX (UINT64_C(1) << 40)

int user_files_open(struct user_files *files, const struct program *program)
{
	size_t room = program->path_count + 1;
	uint32_t i;

	*files = (struct user_files){
		.program = program,
		.list = calloc(room, sizeof(*files->list)),
		.named = calloc(room, sizeof(uint32_t)),
		.met = calloc(room, sizeof(bool)),
		.spare = calloc(room, sizeof(uint32_t)),
	};
	if (files->list == NULL || files->named == NULL || files->met == NULL ||
	    files->spare == NULL)
		return -ENOMEM;
	for (i = 0; i < program->path_count; i++) {
		files->named[i] = i;
		files->list[i].names = files->list[i].drawn = 1;
	}
	/* These have one value per user and loop of the load. */
	for (i = 0; i < VARIABLES_PREDEFINED; i++)
		files->parts[i].names = 1;
	return 0;
}

void user_files_close(struct user_files *files)
{
	free(files->list);
	free(files->named);
	free(files->met);
	free(files->spare);
}

/* Recompute a file's share of files->total. */
static void update(struct user_files *files, struct user_file *file)
{
	uint64_t held = file->length < file->written ? file->length : file->written;
	uint64_t bytes;

	if (held > file->held || file->drawn == 1)
		file->held = held;
	bytes = sum_multiply(file->held, file->drawn);
	if (bytes > FILE_MAX)
		bytes = FILE_MAX;
	files->total += bytes - file->bytes;
	file->bytes = bytes;
}

/* Check if a path with variables can have this name. Numbers that depend on the
 * user or on the run are not known. */
static bool can_be(const struct program *program, const char *varying, const char *name)
{
	const char *start, *end;
	int variable;

	while ((variable = program_find_reference(program, varying, &start, &end)) >= 0) {
		size_t length = (size_t)(start - varying);
		size_t digits;
		uint64_t value;

		if (variable < VARIABLES_PREDEFINED || strncmp(varying, name, length) != 0)
			return false;
		name += length;
		digits = strspn(name, "0123456789");
		value = strtoull(name, NULL, 10);
		if (digits == 0 || (*name == '0' && digits > 1) ||
		    value < program->variables[variable].range.min ||
		    value > program->variables[variable].range.max)
			return false;
		name += digits;
		varying = end;
	}
	return strcmp(varying, name) == 0;
}

/* If the file of a fixed path is one of those of a varying path, set it apart
 * from them. */
static void set_apart(struct user_files *files, uint32_t path)
{
	const struct program_path *paths = files->program->paths;
	struct user_file *file = &files->list[files->named[path]];
	size_t i;

	for (i = 0; i < files->varying_count; i++) {
		uint32_t number = files->varying[i];
		struct user_file *all = &files->list[files->named[number]];

		if (all->drawn == 0 || all->held == 0 || !paths[number].references ||
		    !can_be(files->program, paths[number].text, paths[path].text))
			continue;
		file->length = all->held;
		file->written = all->held;
		update(files, file);
		all->drawn--;
		all->apart++;
		update(files, all);
		return;
	}
}

struct user_file *user_files_find(struct user_files *files, uint32_t path)
{
	if (!files->met[path]) {
		files->met[path] = true;
		if (!files->program->paths[path].varying)
			set_apart(files, path);
	}
	return &files->list[files->named[path]];
}

/* Return the number of strings that a RANDOMSTRING template can produce. */
static uint64_t count_strings(const char *template)
{
	uint64_t strings = 1;

	for (; (template = strchr(template, '[')) != NULL; template ++) {
		bool seen[UCHAR_MAX + 1] = {false};
		uint64_t choices = 0;

		for (template ++; *template != ']'; template ++) {
			choices += !seen[(unsigned char)*template];
			seen[(unsigned char)*template] = true;
		}
		strings = sum_multiply(strings, choices);
	}
	return strings;
}

void user_files_change_names(struct user_files *files, const struct op *op)
{
	const struct program *program = files->program;
	size_t part = op->variable;
	uint64_t names;

	if (op->kind == OP_RANDOMSTRING) {
		part = PROGRAM_VARIABLES_MAX + op->number;
		names = count_strings(program->texts[op->text]);
		files->defined |= 1u << op->number;
	} else {
		struct formula_range range = program->variables[op->variable].range;

		names = sum_add(range.max - range.min, 1);
	}
	/* Count the change for the first operation of the block, which comes
	 * after the LOOP. */
	files->parts[part].drawn = files->now + 1;
	files->parts[part].names = names;
}

/* Update the results of user_files_last_change() by one part of the name. */
static void take_part(const struct user_files *files, size_t part, size_t *last, uint64_t *names)
{
	*names = sum_multiply(*names, files->parts[part].names);
	if (files->parts[part].drawn > *last)
		*last = files->parts[part].drawn;
}

size_t user_files_last_change(const struct user_files *files, uint32_t path, uint64_t *names)
{
	const struct program_path *place = &files->program->paths[path];
	const char *start, *next = place->text;
	unsigned used, i;
	size_t last = 0;
	int variable;

	*names = 1;
	if (!place->varying)
		return 0;
	used = path_strings(place->text, files->defined);
	for (i = 0; i < PROGRAM_STRINGS; i++)
		if ((used >> i & 1) != 0)
			take_part(files, PROGRAM_VARIABLES_MAX + i, &last, names);
	while (place->references &&
	       (variable = program_find_reference(files->program, next, &start, &next)) >= 0)
		take_part(files, (size_t)variable, &last, names);
	return last;
}

/* Has the name of the path changed since a file was begun there? */
static bool is_another(const struct user_files *files, uint32_t path, const struct user_file *file)
{
	uint64_t names;

	return user_files_last_change(files, path, &names) > file->begun;
}

bool user_files_begin(struct user_files *files, uint32_t path)
{
	struct user_file *file = user_files_find(files, path);
	bool another = is_another(files, path, file);

	if (files->program->paths[path].varying && file->begun == 0 &&
	    files->varying_count < USER_FILES_VARYING)
		files->varying[files->varying_count++] = path;
	file->begun = files->now;
	if (!another)
		return false;
	file->length = file->written = 0;
	if (file->held > 0)
		user_files_add_names(files, path, file, 1);
	return true;
}

void user_files_add_names(struct user_files *files, uint32_t path, struct user_file *file,
			  uint64_t count)
{
	uint64_t possible;

	user_files_last_change(files, path, &possible);
	possible = possible > file->apart ? possible - file->apart : 0;
	file->drawn = sum_add(file->drawn, count);
	if (file->drawn > possible)
		file->drawn = possible;
	update(files, file);
}

void user_files_write(struct user_files *files, struct user_file *file, uint64_t size, uint64_t end)
{
	file->written = sum_add(file->written, size);
	if (end > file->length)
		file->length = end;
	update(files, file);
}

void user_files_truncate(struct user_files *files, struct user_file *file, uint64_t length)
{
	if (length == 0)
		file->emptied = files->now;
	file->length = length < SUM_MAX ? length : SUM_MAX;
	if (file->written > file->length)
		file->written = file->length;
	update(files, file);
}

/* Remove a name, and the file if this was its last name. */
static void remove_name(struct user_files *files, uint32_t path)
{
	struct user_file *file = user_files_find(files, path);

	if (file->names == 1) {
		file->removed = files->now;
		if (file->drawn > 1)
			file->drawn--;
		user_files_truncate(files, file, 0);
		return;
	}
	file->names--;
	files->named[path] = files->spare[--files->spare_count];
	*user_files_find(files, path) = (struct user_file){
		.drawn = 1,
		.names = 1,
		.emptied = files->now,
		.removed = files->now,
	};
}

void user_files_unlink(struct user_files *files, uint32_t path)
{
	if (!is_another(files, path, user_files_find(files, path)))
		remove_name(files, path);
}

void user_files_link(struct user_files *files, uint32_t path, uint32_t existing)
{
	if (files->named[path] == files->named[existing])
		return;
	user_files_find(files, existing);
	remove_name(files, path);
	files->spare[files->spare_count++] = files->named[path];
	files->named[path] = files->named[existing];
	user_files_find(files, path)->names++;
}

void user_files_rename(struct user_files *files, uint32_t from, uint32_t to)
{
	/* rename(2) does nothing if both names are the same file. */
	if (files->named[from] == files->named[to])
		return;
	user_files_link(files, to, from);
	remove_name(files, from);
}

void user_files_swap(struct user_files *files, uint32_t a, uint32_t b)
{
	uint32_t swapped = files->named[a];

	user_files_find(files, a);
	user_files_find(files, b);
	files->named[a] = files->named[b];
	files->named[b] = swapped;
}

void user_files_remove_tree(struct user_files *files, const char *top)
{
	const struct program *program = files->program;
	size_t length = strlen(top);
	uint32_t i;

	for (i = 0; i < program->path_count; i++) {
		if (strncmp(program->paths[i].text, top, length) != 0 ||
		    program->paths[i].text[length] != '/')
			continue;
		/* This removes all files of a path with random strings, not
		 * just one. */
		user_files_find(files, i)->drawn = 1;
		remove_name(files, i);
	}
}
