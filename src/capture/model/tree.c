/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/tree.h"

#include "base/array.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

enum { LINKS_MAX = 40, KEY_MAX = 2 * TREE_PATH_MAX };

static struct node *add_node(struct tree *tree, enum node_kind kind)
{
	struct node *node = calloc(1, sizeof(*node));

	if (node == NULL || array_grow(&tree->nodes, &tree->node_room, tree->node_count + 1,
				       sizeof(*tree->nodes)) < 0) {
		free(node);
		tree->failed = true;
		return NULL;
	}
	node->kind = kind;
	node->number = (uint32_t)tree->node_count;
	node->before_bytes = -1;
	tree->nodes[tree->node_count++] = node;
	return node;
}

int tree_init(struct tree *tree, bool fold_case, bool complete)
{
	*tree = (struct tree){.fold_case = fold_case};
	tree->root = add_node(tree, NODE_DIRECTORY);
	if (tree->root == NULL)
		return -ENOMEM;
	tree->root->before = true;
	tree->root->whole = complete;
	/* Without this locale only ASCII letters are folded. */
	tree->locale = fold_case ? newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) : (locale_t)0;
	return 0;
}

void tree_free(struct tree *tree)
{
	size_t i;

	for (i = 0; i < tree->node_count; i++) {
		free(tree->nodes[i]->target);
		free(tree->nodes[i]->ranges);
		free(tree->nodes[i]);
	}
	free(tree->nodes);
	for (i = 0; i < tree->names.count; i++) {
		if (tree->entries != NULL && tree->entries[i] != NULL)
			free((char *)tree->entries[i]->name);
		if (tree->entries != NULL)
			free(tree->entries[i]);
	}
	free(tree->entries);
	intern_free(&tree->names);
	if (tree->locale != (locale_t)0)
		freelocale(tree->locale);
}

/* Bytes that are not UTF-8 are these characters. */
enum { NOT_UTF8 = 0x110000 };

/* Take the first character of a name, in lower case. */
static uint32_t take_folded(const struct tree *tree, const char **name)
{
	uint32_t c;
	size_t length = utf8_decode(*name, &c);

	*name += length > 0 ? length : 1;
	if (length == 0)
		return NOT_UTF8 + c;
	if (length == 1)
		return (uint32_t)tolower((int)c);
	return tree->locale == (locale_t)0 ? c : (uint32_t)towlower_l((wint_t)c, tree->locale);
}

/* Write a name in lower case. Bytes that are not UTF-8 are kept. */
static size_t fold(const struct tree *tree, const char *name, char *to)
{
	char *start = to;

	while (*name != '\0') {
		uint32_t c = take_folded(tree, &name);

		if (c >= NOT_UTF8)
			*to++ = (char)(c - NOT_UTF8);
		else
			to += utf8_encode(to, c);
	}
	return (size_t)(to - start);
}

const char *path_below(const char *path, const char *directory, const struct tree *folded)
{
	if (*directory == '\0')
		return path;
	while (*directory != '\0')
		if (folded != NULL && folded->fold_case
			    ? take_folded(folded, &path) != take_folded(folded, &directory)
			    : *path++ != *directory++)
			return NULL;
	if (directory[-1] == '/')
		return path;
	if (*path == '/')
		return path + 1;
	return *path == '\0' ? path : NULL;
}

/* Write the key of a name. Return its length, or 0 if the name is too long. */
static size_t make_key(const struct tree *tree, const struct node *directory, const char *name,
		       char key[KEY_MAX])
{
	size_t length = strlen(name), number = sizeof(directory->number);

	if (length >= TREE_PATH_MAX)
		return 0;
	memcpy(key, &directory->number, number);
	if (tree->fold_case)
		return number + fold(tree, name, key + number);
	memcpy(key + number, name, length);
	return number + length;
}

static struct entry *find_entry(const struct tree *tree, const struct node *directory,
				const char *name)
{
	char key[KEY_MAX];
	size_t length = make_key(tree, directory, name, key);
	int64_t number = length > 0 ? intern_find(&tree->names, key, length) : -ENOENT;

	return number < 0 ? NULL : tree->entries[number];
}

static struct entry *new_entry(struct node *directory, const char *name)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (entry == NULL)
		return NULL;
	entry->directory = directory;
	entry->name = strdup(name);
	if (entry->name != NULL)
		return entry;
	free(entry);
	return NULL;
}

/* Find or add the entry of a name. Return NULL if the name is too long or there
 * is no memory. */
static struct entry *get_entry(struct tree *tree, struct node *directory, const char *name)
{
	char key[KEY_MAX];
	size_t length = make_key(tree, directory, name, key);
	int is_new;
	int64_t number;

	if (length == 0)
		return NULL;
	if (array_grow(&tree->entries, &tree->entry_room, tree->names.count + 1,
		       sizeof(*tree->entries)) < 0 ||
	    (number = intern(&tree->names, key, length, &is_new)) < 0) {
		tree->failed = true;
		return NULL;
	}
	if (is_new)
		tree->entries[number] = new_entry(directory, name);
	tree->failed |= tree->entries[number] == NULL;
	return tree->entries[number];
}

static void attach(struct entry *entry, struct node *node)
{
	struct node *directory = entry->directory;

	entry->node = node;
	entry->other = node->entry;
	entry->other_link = &node->entry;
	if (entry->other != NULL)
		entry->other->other_link = &entry->other;
	node->entry = entry;
	entry->previous = NULL;
	entry->next = directory->entries;
	if (entry->next != NULL)
		entry->next->previous = entry;
	directory->entries = entry;
	directory->count++;
}

static void detach(struct entry *entry)
{
	struct node *directory = entry->directory;

	*entry->other_link = entry->other;
	if (entry->other != NULL)
		entry->other->other_link = entry->other_link;
	if (entry->next != NULL)
		entry->next->previous = entry->previous;
	if (entry->previous != NULL)
		entry->previous->next = entry->next;
	else
		directory->entries = entry->next;
	entry->node = NULL;
	directory->count--;
}

void tree_look(struct tree *tree, struct node *directory, const char *name, struct place *place)
{
	place->directory = directory;
	place->name = name;
	place->entry = find_entry(tree, directory, name);
	place->node = place->entry != NULL ? place->entry->node : NULL;
	place->unknown = place->entry == NULL && directory->before &&
			 (!directory->whole || directory->invented != NULL);
}

/* A name in the directory has been learned, which is one of those that had to be
 * invented. */
static void replace_invented(struct node *directory)
{
	struct node *node = directory->invented;

	if (node == NULL)
		return;
	directory->invented = node->invented;
	node->invented = NULL;
	node->before = false;
	if (node->entry != NULL)
		detach(node->entry);
}

bool tree_learn(struct tree *tree, struct place *place, enum node_kind kind)
{
	struct entry *entry = get_entry(tree, place->directory, place->name);
	struct node *node = entry != NULL ? add_node(tree, kind) : NULL;

	if (node == NULL)
		return false;
	replace_invented(place->directory);
	place->directory->learned++;
	node->before = true;
	node->bytes = -1;
	node->before_directory = place->directory;
	node->before_name = entry->name;
	attach(entry, node);
	place->entry = entry;
	place->node = node;
	place->unknown = false;
	return true;
}

void tree_note_missing(struct tree *tree, struct place *place)
{
	if (place->directory != NULL && place->unknown)
		place->entry = get_entry(tree, place->directory, place->name);
	place->unknown = false;
}

void tree_link(struct tree *tree, struct place *place, struct node *node)
{
	place->entry = get_entry(tree, place->directory, place->name);
	if (place->entry == NULL || place->entry->node != NULL)
		return;
	attach(place->entry, node);
	place->node = node;
	place->unknown = false;
}

struct node *tree_make(struct tree *tree, struct place *place, enum node_kind kind)
{
	struct node *node = add_node(tree, kind);

	if (node == NULL)
		return NULL;
	node->whole = true;
	tree_link(tree, place, node);
	return node;
}

void tree_unlink(struct place *place)
{
	if (place->entry != NULL && place->entry->node != NULL)
		detach(place->entry);
	place->node = NULL;
}

bool tree_invent(struct tree *tree, struct node *directory, uint64_t count)
{
	struct node *invented = directory->invented;
	char name[32];
	struct place place;

	if (tree->invented > TREE_INVENTED_MAX || count > TREE_INVENTED_MAX - tree->invented)
		return false;
	directory->invented = NULL;
	while (count-- > 0) {
		do {
			snprintf(name, sizeof(name), "entry-%zu", ++tree->invented);
			tree_look(tree, directory, name, &place);
		} while (place.entry != NULL);
		if (!tree_learn(tree, &place, NODE_FILE))
			return false;
		place.node->invented = invented;
		invented = place.node;
	}
	directory->invented = invented;
	return true;
}

/*
 * Replace the path in place->link up to the component that is a symbolic link
 * by the link's content. `start` is where the component begins, `rest` what
 * follows it.
 */
static int follow_link(const struct tree *tree, const struct node *link, struct place *place,
		       size_t start, const char *rest)
{
	const char *target = link->target;
	char joined[2 * TREE_PATH_MAX];
	char *part, *save = NULL;
	size_t length = 0, size;

	if (target == NULL)
		return -ESTALE;
	if (target[0] == '/') {
		target = tree->path != NULL ? path_below(target, tree->path, NULL) : NULL;
		if (target == NULL)
			return -EXDEV;
		start = 0;
	}
	if ((size_t)snprintf(joined, sizeof(joined), "%.*s%s/%s", (int)start, place->link, target,
			     rest) >= sizeof(joined))
		return -ENAMETOOLONG;
	/* The result is built in place: it is not longer than what it is made
	 * of. */
	for (part = strtok_r(joined, "/", &save); part != NULL; part = strtok_r(NULL, "/", &save)) {
		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			if (length == 0)
				return -EXDEV;
			while (length > 0 && joined[--length] != '/')
				;
			continue;
		}
		size = strlen(part);
		if (length > 0)
			joined[length++] = '/';
		memmove(joined + length, part, size);
		length += size;
	}
	if (length >= TREE_PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(place->link, joined, length);
	place->link[length] = '\0';
	return 0;
}

/* Enter the directory at a place on the way. */
static int enter(struct tree *tree, unsigned how, struct place *place)
{
	if (place->node == NULL && place->unknown) {
		if ((how & WALK_LEARN) == 0)
			return -EAGAIN;
		if (!tree_learn(tree, place, NODE_DIRECTORY))
			return -ENOMEM;
	}
	if (place->node == NULL)
		return -ENOENT;
	/* Below a file, the path would have failed in another way. */
	if (place->node->kind == NODE_UNKNOWN && (how & (WALK_LEARN | WALK_MISSING)) != 0)
		place->node->kind = NODE_DIRECTORY;
	if (place->node->kind == NODE_UNKNOWN)
		return -EAGAIN;
	return place->node->kind == NODE_DIRECTORY ? 0 : -ENOTDIR;
}

int tree_walk(struct tree *tree, const char *path, unsigned how, struct place *place)
{
	struct node *directory = tree->root;
	unsigned links = 0;
	size_t start = 0;

	place->link[0] = '\0';
	if (strlen(path) >= sizeof(place->link))
		return -ENAMETOOLONG;
	strcpy(place->link, path);
	place->directory = NULL;
	place->name = "";
	place->entry = NULL;
	place->node = tree->root;
	place->unknown = false;
	while (place->link[start] != '\0') {
		char *name = place->link + start;
		size_t length = strcspn(name, "/");
		bool last = name[length] == '\0';
		int rc;

		name[length] = '\0';
		tree_look(tree, directory, name, place);
		if (place->node != NULL && place->node->kind == NODE_LINK &&
		    (!last || (how & WALK_FOLLOW) != 0)) {
			char rest[TREE_PATH_MAX];

			strcpy(rest, last ? "" : name + length + 1);
			if (++links > LINKS_MAX)
				return -ELOOP;
			rc = follow_link(tree, place->node, place, start, rest);
			if (rc < 0)
				return rc;
			directory = tree->root;
			start = 0;
			place->directory = NULL;
			place->node = tree->root;
			continue;
		}
		if (last)
			return 0;
		rc = enter(tree, how, place);
		name[length] = '/';
		if (rc < 0)
			return rc;
		directory = place->node;
		start += length + 1;
	}
	return 0;
}

struct node *tree_find(struct tree *tree, const char *path, bool follow)
{
	struct place place;

	return tree_walk(tree, path, follow ? WALK_FOLLOW : 0, &place) == 0 ? place.node : NULL;
}

struct node *tree_child(struct tree *tree, struct node *directory, const char *name)
{
	struct place place;

	tree_look(tree, directory, name, &place);
	return place.node;
}

bool tree_contains(const struct node *directory, const struct node *node)
{
	while (node != NULL && node != directory)
		node = node->entry != NULL ? node->entry->directory : NULL;
	return node != NULL;
}

/* Put a component in front of the path that begins at path[*at]. */
static bool put_component(char *path, size_t *at, const char *name)
{
	size_t length = strlen(name), slash = path[*at] != '\0';

	if (length + slash > *at)
		return false;
	if (slash)
		path[--*at] = '/';
	*at -= length;
	memcpy(path + *at, name, length);
	return true;
}

bool node_child_path(const struct node *directory, const char *name, char path[TREE_PATH_MAX])
{
	size_t at = TREE_PATH_MAX - 1;

	path[at] = '\0';
	if (name != NULL && !put_component(path, &at, name))
		return false;
	for (; directory->number != 0; directory = directory->entry->directory)
		if (directory->entry == NULL || !put_component(path, &at, directory->entry->name))
			return false;
	memmove(path, path + at, TREE_PATH_MAX - at);
	return true;
}

bool node_path(const struct node *node, char path[TREE_PATH_MAX])
{
	return node_child_path(node, NULL, path);
}

bool node_before_path(const struct node *node, char path[TREE_PATH_MAX])
{
	size_t at = TREE_PATH_MAX - 1;

	path[at] = '\0';
	for (; node->number != 0; node = node->before_directory)
		if (!node->before || !put_component(path, &at, node->before_name))
			return false;
	memmove(path, path + at, TREE_PATH_MAX - at);
	return true;
}

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
