/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of a load as a tree, and the files that they name while the
 * operations are followed in the order of the load. A file keeps its number
 * when it is renamed, and has several names after a link.
 */
#ifndef STREAMS_NAME_TREE_H
#define STREAMS_NAME_TREE_H

#include "base/intern.h"
#include "program/program.h"

enum name_tree_existence { NAME_TREE_UNKNOWN, NAME_TREE_EXISTS, NAME_TREE_MISSING };

/* Numbers of nodes and files. */
#define NAME_TREE_ROOT 0u
#define NAME_TREE_NONE UINT32_MAX

struct name_tree_node {
	uint32_t parent; /* NAME_TREE_NONE: it is the root */
	uint32_t child, sibling;
	uint32_t file; /* NAME_TREE_NONE: not known yet */
	enum name_tree_existence existence;
	bool symlink; /* may be a symbolic link */
	/* Another name differs only in the case of letters. They are one on some
	 * targets, such as SMB shares, and two on others. */
	bool ambiguous;
};

struct name_tree_file {
	uint64_t bytes; /* its size, if known */
	bool known;
	bool locked; /* locks of it have been set */
	bool linked; /* it may have several names */
};

struct name_tree {
	struct intern texts;
	struct name_tree_node *nodes; /* by the number of the text; 0: the root, "" */
	size_t room;
	struct intern folded; /* the names in lower case */
	uint32_t *first;      /* the first node of each of these */
	size_t first_room;
	uint32_t *by_path;               /* nodes by the number of the program's path */
	size_t texts_max;                /* renames add no nodes beyond this number */
	char text[2 * PROGRAM_PATH_MAX]; /* for name_tree_renamed() */
	struct name_tree_file *files;
	size_t file_count, file_room;
};

/* Begin with the names in a program. Return 0 or -ENOMEM. Call name_tree_close()
 * even after an error. */
int name_tree_open(struct name_tree *names, const struct program *program);
void name_tree_close(struct name_tree *names);

/*
 * Return the node of a path; NAME_TREE_ROOT if the name is not known before the load
 * is played, because it has random strings or variables, is ambiguous, or may lead
 * through a symbolic link. `last`: the last component may be such a link.
 */
uint32_t name_tree_node(const struct name_tree *names, const struct program *program, uint32_t path,
			bool last);

/* Return the number of a node's file, or -ENOMEM. */
int64_t name_tree_file(struct name_tree *names, uint32_t node);

/* A new file has this name. Return its number, or -ENOMEM. */
int64_t name_tree_make(struct name_tree *names, uint32_t node);

/* The name is removed, and all names below it. */
void name_tree_remove(struct name_tree *names, uint32_t node);

/* Return the node of the name that `below`, which is `from` or below it, has after
 * a rename of `from` to `to`; NAME_TREE_ROOT if that is too long or ambiguous, or if
 * there are too many names; or -ENOMEM. */
int64_t name_tree_renamed(struct name_tree *names, uint32_t below, uint32_t from, uint32_t to);

/* Rename `from` to `to`, with all names below it. Return 0 or -ENOMEM. */
int name_tree_move(struct name_tree *names, uint32_t from, uint32_t to);

/* Let two names change places. Which names below them exist is no longer
 * known. */
void name_tree_swap(struct name_tree *names, uint32_t a, uint32_t b);

/* It is no longer known which names below the node exist. */
void name_tree_forget_below(struct name_tree *names, uint32_t node);

/* Is the node `top` or below it? */
bool name_tree_is_below(const struct name_tree *names, uint32_t node, uint32_t top);

#endif
