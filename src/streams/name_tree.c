/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams/name_tree.h"

#include "base/array.h"
#include "base/letter_case.h"
#include "program/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Max number of names after renames, per name of the load. */
enum { TEXTS_PER_NAME = 8 };

/* Note if another name differs from that of a new node only in the case of letters.
 * Return 0 or -ENOMEM. */
static int compare_case(struct name_tree *names, uint32_t node)
{
	const char *text = names->texts.keys[node].bytes;
	size_t length = names->texts.keys[node].length, i;
	char folded[PROGRAM_PATH_MAX];
	int64_t number;
	int is_new;

	for (i = 0; i < length; i++)
		folded[i] = (char)letter_case_fold(text[i]);
	number = intern(&names->folded, folded, length, &is_new);
	if (number < 0 || array_grow(&names->first, &names->first_room, (size_t)number + 1,
				     sizeof(*names->first)) < 0)
		return -ENOMEM;
	if (is_new) {
		names->first[number] = node;
	} else {
		names->nodes[names->first[number]].ambiguous = true;
		names->nodes[node].ambiguous = true;
	}
	return 0;
}

/* Add the node of a name, and of the directories above it. Return its number or
 * -ENOMEM. */
static int64_t add(struct name_tree *names, const char *text, size_t length)
{
	int is_new;
	int64_t node = intern(&names->texts, text, length, &is_new), parent;
	char *copy;

	if (node < 0 || !is_new)
		return node;
	if (array_grow(&names->nodes, &names->room, (size_t)node + 1, sizeof(*names->nodes)) < 0)
		return -ENOMEM;
	names->nodes[node] = (struct name_tree_node){
		.parent = NAME_TREE_NONE,
		.child = NAME_TREE_NONE,
		.sibling = NAME_TREE_NONE,
		.file = NAME_TREE_NONE,
	};
	if (length == 0)
		return node;
	if (compare_case(names, (uint32_t)node) < 0)
		return -ENOMEM;
	copy = names->texts.keys[node].bytes;
	parent = add(names, copy, path_parent(copy));
	if (parent < 0)
		return parent;
	names->nodes[node].parent = (uint32_t)parent;
	names->nodes[node].sibling = names->nodes[parent].child;
	names->nodes[parent].child = (uint32_t)node;
	return node;
}

int name_tree_open(struct name_tree *names, const struct program *program)
{
	size_t i;

	*names = (struct name_tree){0};
	names->by_path = calloc(program->path_count + 1, sizeof(uint32_t));
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
			names->nodes[node].existence = NAME_TREE_MISSING;
	}
	/* A hostile load could rename many names to many others. */
	names->texts_max = TEXTS_PER_NAME * names->texts.count;
	return 0;
}

void name_tree_close(struct name_tree *names)
{
	intern_free(&names->texts);
	intern_free(&names->folded);
	free(names->first);
	free(names->nodes);
	free(names->by_path);
	free(names->files);
}

uint32_t name_tree_node(const struct name_tree *names, const struct program *program, uint32_t path,
			bool last)
{
	uint32_t node = names->by_path[path], at = node;

	if (program->paths[path].varying || program->paths[path].references)
		return NAME_TREE_ROOT;
	for (; at != NAME_TREE_ROOT; at = names->nodes[at].parent)
		if (names->nodes[at].ambiguous ||
		    (names->nodes[at].symlink && (at != node || last)))
			return NAME_TREE_ROOT;
	return node;
}

static int64_t new_file(struct name_tree *names)
{
	if (array_grow(&names->files, &names->file_room, names->file_count + 1,
		       sizeof(*names->files)) < 0)
		return -ENOMEM;
	names->files[names->file_count] = (struct name_tree_file){0};
	return (int64_t)names->file_count++;
}

int64_t name_tree_file(struct name_tree *names, uint32_t node)
{
	int64_t file = names->nodes[node].file;

	if (file != NAME_TREE_NONE)
		return file;
	file = new_file(names);
	if (file >= 0)
		names->nodes[node].file = (uint32_t)file;
	return file;
}

int64_t name_tree_make(struct name_tree *names, uint32_t node)
{
	names->nodes[node].file = NAME_TREE_NONE;
	names->nodes[node].existence = NAME_TREE_EXISTS;
	return name_tree_file(names, node);
}

void name_tree_remove(struct name_tree *names, uint32_t node)
{
	uint32_t child;

	names->nodes[node].file = NAME_TREE_NONE;
	names->nodes[node].existence = NAME_TREE_MISSING;
	names->nodes[node].symlink = false;
	for (child = names->nodes[node].child; child != NAME_TREE_NONE;
	     child = names->nodes[child].sibling)
		name_tree_remove(names, child);
}

int64_t name_tree_renamed(struct name_tree *names, uint32_t below, uint32_t from, uint32_t to)
{
	const char *rest = names->texts.keys[below].bytes + names->texts.keys[from].length;
	size_t length = names->texts.keys[to].length;
	char *text = names->text;
	int64_t node;

	memcpy(text, names->texts.keys[to].bytes, length);
	strcpy(text + length, rest);
	length = strlen(text);
	/* No operation can use a name that is too long. */
	if (length >= PROGRAM_PATH_MAX)
		return NAME_TREE_ROOT;
	node = intern_find(&names->texts, text, length);
	if (node < 0 && names->texts.count < names->texts_max)
		node = add(names, text, length);
	if (node == -ENOENT || (node >= 0 && names->nodes[node].ambiguous))
		return NAME_TREE_ROOT;
	return node;
}

/* The name `to` gets what `from` names. */
static void move_node(struct name_tree *names, uint32_t from, uint32_t to)
{
	const struct name_tree_node *old = &names->nodes[from];
	struct name_tree_node *new = &names->nodes[to];

	new->file = old->file;
	new->existence = old->existence;
	new->symlink = old->symlink;
}

/* Move the names below `from`, which is `top` or below it. */
static int move_below(struct name_tree *names, uint32_t from, uint32_t top, uint32_t to)
{
	uint32_t child;

	for (child = names->nodes[from].child; child != NAME_TREE_NONE;
	     child = names->nodes[child].sibling) {
		int64_t other = name_tree_renamed(names, child, top, to);

		if (other < 0)
			return -ENOMEM;
		if (other != NAME_TREE_ROOT)
			move_node(names, child, (uint32_t)other);
		if (move_below(names, child, top, to) < 0)
			return -ENOMEM;
	}
	return 0;
}

int name_tree_move(struct name_tree *names, uint32_t from, uint32_t to)
{
	int rc;

	if (name_tree_is_below(names, to, from) || name_tree_is_below(names, from, to))
		return 0;
	name_tree_remove(names, to);
	move_node(names, from, to);
	rc = move_below(names, from, from, to);
	name_tree_remove(names, from);
	return rc;
}

void name_tree_forget_below(struct name_tree *names, uint32_t node)
{
	uint32_t child;

	for (child = names->nodes[node].child; child != NAME_TREE_NONE;
	     child = names->nodes[child].sibling) {
		names->nodes[child].existence = NAME_TREE_UNKNOWN;
		name_tree_forget_below(names, child);
	}
}

void name_tree_swap(struct name_tree *names, uint32_t a, uint32_t b)
{
	struct name_tree_node was = names->nodes[a];

	move_node(names, b, a);
	names->nodes[b].file = was.file;
	names->nodes[b].existence = was.existence;
	names->nodes[b].symlink = was.symlink;
	name_tree_forget_below(names, a);
	name_tree_forget_below(names, b);
}

bool name_tree_is_below(const struct name_tree *names, uint32_t node, uint32_t top)
{
	while (node != top && node != NAME_TREE_ROOT)
		node = names->nodes[node].parent;
	return node == top;
}
