/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams/namespace.h"

#include "base/array.h"
#include "program/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Add the node of a name, and of the directories above it. Return its number or
 * -ENOMEM. */
static int64_t add(struct namespace *names, const char *text, size_t length)
{
	int is_new;
	int64_t node = intern(&names->texts, text, length, &is_new), parent;
	char *copy;

	if (node < 0 || !is_new)
		return node;
	if (array_grow(&names->nodes, &names->room, (size_t)node + 1, sizeof(*names->nodes)) < 0)
		return -ENOMEM;
	names->nodes[node] = (struct namespace_node){
		.parent = NAMESPACE_NONE,
		.child = NAMESPACE_NONE,
		.sibling = NAMESPACE_NONE,
		.file = NAMESPACE_NONE,
	};
	if (length == 0)
		return node;
	copy = names->texts.keys[node].bytes;
	parent = add(names, copy, path_parent(copy));
	if (parent < 0)
		return parent;
	names->nodes[node].parent = (uint32_t)parent;
	names->nodes[node].sibling = names->nodes[parent].child;
	names->nodes[parent].child = (uint32_t)node;
	return node;
}

int namespace_open(struct namespace *names, const struct program *program)
{
	size_t i;

	*names = (struct namespace){.by_path = calloc(program->path_count + 1, sizeof(uint32_t))};
	if (names->by_path == NULL || add(names, "", 0) < 0)
		return -ENOMEM;
	for (i = 0; i < program->path_count; i++) {
		const char *text = program->paths[i].text;
		int64_t node = add(names, text, strlen(text));

		if (node < 0)
			return -ENOMEM;
		names->by_path[i] = (uint32_t)node;
		/* A user's directory is empty at first. */
		if (program->paths[i].place == PATH_OWN)
			names->nodes[node].existence = NAMESPACE_MISSING;
	}
	return 0;
}

void namespace_close(struct namespace *names)
{
	intern_free(&names->texts);
	free(names->nodes);
	free(names->by_path);
	free(names->files);
}

uint32_t namespace_node(const struct namespace *names, const struct program *program, uint32_t path,
			bool last)
{
	uint32_t node = names->by_path[path], at = node;

	if (program->paths[path].varying || program->paths[path].references)
		return NAMESPACE_ROOT;
	for (; at != NAMESPACE_ROOT; at = names->nodes[at].parent)
		if (names->nodes[at].symlink && (at != node || last))
			return NAMESPACE_ROOT;
	return node;
}

static int64_t new_file(struct namespace *names)
{
	if (array_grow(&names->files, &names->file_room, names->file_count + 1,
		       sizeof(*names->files)) < 0)
		return -ENOMEM;
	names->files[names->file_count] = (struct namespace_file){0};
	return (int64_t)names->file_count++;
}

int64_t namespace_file(struct namespace *names, uint32_t node)
{
	int64_t file = names->nodes[node].file;

	if (file != NAMESPACE_NONE)
		return file;
	file = new_file(names);
	if (file >= 0)
		names->nodes[node].file = (uint32_t)file;
	return file;
}

int64_t namespace_make(struct namespace *names, uint32_t node)
{
	names->nodes[node].file = NAMESPACE_NONE;
	names->nodes[node].existence = NAMESPACE_EXISTS;
	return namespace_file(names, node);
}

void namespace_remove(struct namespace *names, uint32_t node)
{
	uint32_t child;

	names->nodes[node].file = NAMESPACE_NONE;
	names->nodes[node].existence = NAMESPACE_MISSING;
	names->nodes[node].symlink = false;
	for (child = names->nodes[node].child; child != NAMESPACE_NONE;
	     child = names->nodes[child].sibling)
		namespace_remove(names, child);
}

int64_t namespace_renamed(struct namespace *names, uint32_t below, uint32_t from, uint32_t to)
{
	const char *rest = names->texts.keys[below].bytes + names->texts.keys[from].length;
	size_t length = names->texts.keys[to].length;
	char text[2 * PROGRAM_PATH_MAX];

	memcpy(text, names->texts.keys[to].bytes, length);
	strcpy(text + length, rest);
	/* No operation can use a name that is too long. */
	if (strlen(text) >= PROGRAM_PATH_MAX)
		return NAMESPACE_ROOT;
	return add(names, text, strlen(text));
}

/* The name `to` gets what `from` names. */
static void move_node(struct namespace *names, uint32_t from, uint32_t to)
{
	const struct namespace_node *old = &names->nodes[from];
	struct namespace_node *new = &names->nodes[to];

	new->file = old->file;
	new->existence = old->existence;
	new->symlink = old->symlink;
}

/* Move the names below `from`, which is `top` or below it. */
static int move_below(struct namespace *names, uint32_t from, uint32_t top, uint32_t to)
{
	uint32_t child;

	for (child = names->nodes[from].child; child != NAMESPACE_NONE;
	     child = names->nodes[child].sibling) {
		int64_t other = namespace_renamed(names, child, top, to);

		if (other < 0)
			return -ENOMEM;
		if (other != NAMESPACE_ROOT)
			move_node(names, child, (uint32_t)other);
		if (move_below(names, child, top, to) < 0)
			return -ENOMEM;
	}
	return 0;
}

int namespace_move(struct namespace *names, uint32_t from, uint32_t to)
{
	int rc;

	if (namespace_is_below(names, to, from) || namespace_is_below(names, from, to))
		return 0;
	namespace_remove(names, to);
	move_node(names, from, to);
	rc = move_below(names, from, from, to);
	namespace_remove(names, from);
	return rc;
}

void namespace_forget_below(struct namespace *names, uint32_t node)
{
	uint32_t child;

	for (child = names->nodes[node].child; child != NAMESPACE_NONE;
	     child = names->nodes[child].sibling) {
		names->nodes[child].existence = NAMESPACE_UNKNOWN;
		namespace_forget_below(names, child);
	}
}

void namespace_swap(struct namespace *names, uint32_t a, uint32_t b)
{
	struct namespace_node was = names->nodes[a];

	move_node(names, b, a);
	names->nodes[b].file = was.file;
	names->nodes[b].existence = was.existence;
	names->nodes[b].symlink = was.symlink;
	namespace_forget_below(names, a);
	namespace_forget_below(names, b);
}

bool namespace_is_below(const struct namespace *names, uint32_t node, uint32_t top)
{
	while (node != top && node != NAMESPACE_ROOT)
		node = names->nodes[node].parent;
	return node == top;
}
