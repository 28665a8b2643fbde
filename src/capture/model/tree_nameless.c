/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that a source names by handles, before it looks them up. */
#include "capture/model/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of nodes whose place is not known, before their number. */
#define NAMELESS "handle-"

struct node *tree_nameless(struct tree *tree, enum node_kind kind)
{
	char name[32];
	struct place place;

	snprintf(name, sizeof(name), NAMELESS "%zu", tree->node_count);
	tree_look(tree, tree->root, name, &place);
	if (place.entry != NULL || !tree_learn(tree, &place, kind))
		return NULL;
	/* A listing of the root does not show this name. */
	tree->root->count--;
	place.node->nameless = true;
	return place.node;
}

static bool is_nameless(const struct tree *tree, const struct node *node)
{
	return node->nameless && node->before_directory == tree->root &&
	       strncmp(node->before_name, NAMELESS, strlen(NAMELESS)) == 0 &&
	       strtoul(node->before_name + strlen(NAMELESS), NULL, 10) == node->number;
}

/* Was the directory the node itself or below it, before the recording began? */
static bool was_below(const struct node *directory, const struct node *node)
{
	while (directory != NULL && directory != node)
		directory = directory->before_directory;
	return directory != NULL;
}

void tree_place(struct tree *tree, struct node *node, struct node *directory, const char *name)
{
	struct place place, old = {.entry = node->entry};

	tree_look(tree, directory, name, &place);
	if (!is_nameless(tree, node) || !place.unknown || tree_contains(node, directory) ||
	    was_below(directory, node))
		return;
	if (old.entry != NULL) {
		tree_unlink(&old);
		tree->root->count++;
	}
	tree_link(tree, &place, node);
	if (place.entry != NULL) {
		node->before_directory = directory;
		node->before_name = place.entry->name;
	}
}

bool tree_has_nameless(const struct tree *tree)
{
	size_t i;

	for (i = 0; i < tree->node_count; i++)
		if (is_nameless(tree, tree->nodes[i]))
			return true;
	return false;
}

struct node *tree_placed(struct tree *tree, const char *path, const char **rest)
{
	char *end;
	unsigned long number;

	if (strncmp(path, NAMELESS, strlen(NAMELESS)) != 0)
		return NULL;
	number = strtoul(path + strlen(NAMELESS), &end, 10);
	if (number == 0 || number >= tree->node_count || (*end != '/' && *end != '\0') ||
	    !tree->nodes[number]->nameless || is_nameless(tree, tree->nodes[number]))
		return NULL;
	*rest = end;
	return tree->nodes[number];
}
