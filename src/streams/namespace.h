/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of a load as a tree, and the files that they name while the
 * operations are followed in the order of the load. A file keeps its number
 * when it is renamed, and has several names after a link.
 */
#ifndef STREAMS_NAMESPACE_H
#define STREAMS_NAMESPACE_H

#include "base/intern.h"
#include "program/program.h"

enum namespace_existence { NAMESPACE_UNKNOWN, NAMESPACE_EXISTS, NAMESPACE_MISSING };

/* Numbers of nodes and files. */
#define NAMESPACE_ROOT 0u
#define NAMESPACE_NONE UINT32_MAX

struct namespace_node {
	uint32_t parent; /* NAMESPACE_NONE: it is the root */
	uint32_t child, sibling;
	uint32_t file; /* NAMESPACE_NONE: not known yet */
	enum namespace_existence existence;
	bool symlink; /* may be a symbolic link */
};

struct namespace_file {
	uint64_t bytes; /* its size, if known */
	bool known;
	bool locked; /* locks of it have been set */
};

struct namespace
{
	struct intern texts;
	struct namespace_node *nodes; /* by the number of the text; 0: the root, "" */
	size_t room;
	uint32_t *by_path; /* nodes by the number of the program's path */
	struct namespace_file *files;
	size_t file_count, file_room;
};

/* Begin with the names in a program. Return 0 or -ENOMEM. Call namespace_close()
 * even after an error. */
int namespace_open(struct namespace *names, const struct program *program);
void namespace_close(struct namespace *names);

/*
 * Return the node of a path; NAMESPACE_ROOT if the name is not known before the load
 * is played, because it has random strings or variables, or may lead through a
 * symbolic link. `last`: the last component may be such a link.
 */
uint32_t namespace_node(const struct namespace *names, const struct program *program, uint32_t path,
			bool last);

/* Return the number of a node's file, or -ENOMEM. */
int64_t namespace_file(struct namespace *names, uint32_t node);

/* A new file has this name. Return its number, or -ENOMEM. */
int64_t namespace_make(struct namespace *names, uint32_t node);

/* The name is removed, and all names below it. */
void namespace_remove(struct namespace *names, uint32_t node);

/* Return the node of the name that `below`, which is `from` or below it, has after
 * a rename of `from` to `to`; NAMESPACE_ROOT if that is too long; or -ENOMEM. */
int64_t namespace_renamed(struct namespace *names, uint32_t below, uint32_t from, uint32_t to);

/* Rename `from` to `to`, with all names below it. Return 0 or -ENOMEM. */
int namespace_move(struct namespace *names, uint32_t from, uint32_t to);

/* Let two names change places. Which names below them exist is no longer
 * known. */
void namespace_swap(struct namespace *names, uint32_t a, uint32_t b);

/* It is no longer known which names below the node exist. */
void namespace_forget_below(struct namespace *names, uint32_t node);

/* Is the node `top` or below it? */
bool namespace_is_below(const struct namespace *names, uint32_t node, uint32_t top);

#endif
