/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of a recorded directory: its files now, and those that must have
 * existed before the recording began. A source mentions only some files, so the
 * model learns: a file that is opened without having been created existed
 * before; a read that ends early shows its size.
 *
 * Memory that runs out sets tree->failed; then results are of no use.
 */
#ifndef CAPTURE_MODEL_TREE_H
#define CAPTURE_MODEL_TREE_H

#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TREE_PATH_MAX = 4096,
	/* Max number of entries whose names a listing did not show, for all
	 * listings. */
	TREE_INVENTED_MAX = 1 << 20,
	/* Max number of ranges of a file that are read. Ranges that are close
	 * to each other become one. */
	NODE_RANGES_MAX = 64,
};

enum node_kind {
	NODE_UNKNOWN, /* exists; its kind has not been seen */
	NODE_FILE,
	NODE_DIRECTORY,
	NODE_LINK,  /* symbolic link */
	NODE_OTHER, /* a device, socket or pipe */
};

/* A name in a directory. */
struct entry {
	struct node *directory;
	struct node *node;             /* NULL: there is no such name now */
	const char *name;              /* as first spelled */
	struct entry *next, *previous; /* existing names in the directory */
	struct entry *other;           /* another name of the same node */
	struct entry **other_link;     /* the pointer to this entry in that list */
};

/* A file. Sizes are in bytes; -1 means unknown. */
struct node {
	enum node_kind kind;
	uint32_t number; /* of the node, from 0 */
	bool before;     /* existed before the recording began */
	bool maybe;      /* created, or had existed before without being read */
	bool laid_out;   /* in the set-up */
	bool whole;      /* directory: all its names are known */
	bool truncated;
	bool nameless;         /* made by tree_nameless() */
	struct entry *entry;   /* its first name, or NULL if it has none */
	struct entry *entries; /* directory: existing names */
	uint64_t count;        /* directory: number of existing names */
	uint64_t learned;      /* directory: names that tree_learn() added */
	/* Directory: the last entry that tree_invent() added and that no learned
	 * name has replaced; entry: the one before. */
	struct node *invented;
	char *target; /* of a symbolic link, or NULL */
	/* Where it was before. */
	struct node *before_directory;
	const char *before_name;
	struct node *before_link; /* same file as this node, in the set-up */
	int64_t before_bytes;     /* size before */
	int64_t before_least;     /* it had at least this size */
	int64_t bytes;            /* size now */
	int64_t least;            /* it has at least this size now */
	int64_t written_end;      /* end of the writes while the size was unknown */
	int64_t appended;         /* bytes that were appended meanwhile */
	/* The ranges of its initial data that are read, in order. */
	struct node_range {
		int64_t from, to;
	} *ranges;
	size_t range_count, range_room;
};

struct tree {
	bool fold_case, failed;
	struct node *root;   /* the recorded directory */
	struct node **nodes; /* in the order in which they became known */
	size_t node_count, node_room;
	struct intern names;    /* number of the directory, folded name */
	struct entry **entries; /* by the number of the name */
	size_t entry_room;
	size_t invented;
	void *locale; /* to fold names */
	/* Absolute path of the root, for the contents of symbolic links, or
	 * NULL. The caller owns it. */
	const char *path;
};

/* `complete`: all that exists before is added by tree_learn(). Return 0 or
 * -ENOMEM. */
int tree_init(struct tree *tree, bool fold_case, bool complete);
void tree_free(struct tree *tree);

/* The last component of a path. */
struct place {
	struct node *directory;
	const char *name;         /* valid as long as the path, or until the next walk
				   * if a symbolic link was followed */
	struct entry *entry;      /* NULL: the model knows nothing about the name */
	struct node *node;        /* NULL: missing or unknown */
	bool unknown;             /* it may exist */
	char link[TREE_PATH_MAX]; /* the path after symbolic links */
};

enum walk {
	WALK_FOLLOW = 1 << 0,  /* follow a symbolic link at the end */
	WALK_LEARN = 1 << 1,   /* unknown directories on the way must exist */
	WALK_MISSING = 1 << 2, /* the path did not exist: no file was on the way */
};

/*
 * Walk to a path. Return 0 if its directory exists; the root is a place
 * without directory. Otherwise return -ENOENT or -ENOTDIR, -ELOOP, -EXDEV for a
 * link that leaves the tree, -ESTALE for one of unknown content, or -EAGAIN if a
 * directory on the way is unknown. In these cases place->link is the path, as
 * far as links could be followed.
 */
int tree_walk(struct tree *tree, const char *path, unsigned how, struct place *place);

/* Return the part of a path below a directory, or NULL if it is not there. The
 * directory is "", "/", or has no slash at its end. Names are compared as in
 * `folded`; NULL: all their bytes count. */
const char *path_below(const char *path, const char *directory, const struct tree *folded);

/* Look a name up in a directory. `name` stays in use as long as the place. */
void tree_look(struct tree *tree, struct node *directory, const char *name, struct place *place);

/* The name at an unknown place existed before. Set place->node. Return false if
 * there is no memory. */
bool tree_learn(struct tree *tree, struct place *place, enum node_kind kind);

/* There is no such name at this place now. */
void tree_note_missing(struct tree *tree, struct place *place);

/* Create a node at a place that is missing or unknown. */
struct node *tree_make(struct tree *tree, struct place *place, enum node_kind kind);

/* Give a node a further name, or remove the name of a place. */
void tree_link(struct tree *tree, struct place *place, struct node *node);
void tree_unlink(struct place *place);

/* Add names that nothing is known about to a directory that existed before. A
 * name that is learned later replaces one of them. Return false if these are too
 * many. */
bool tree_invent(struct tree *tree, struct node *directory, uint64_t count);

/* Find a path that the model knows to exist, without changing the model. Return
 * NULL if the path is unknown or missing. */
struct node *tree_find(struct tree *tree, const char *path, bool follow);

/* Return a child of a directory that the model knows, or NULL. */
struct node *tree_child(struct tree *tree, struct node *directory, const char *name);

/* Is the directory the node itself or above it? */
bool tree_contains(const struct node *directory, const struct node *node);

/* Write the current path of a node. Return false if it has been removed or the
 * path is too long. */
bool node_path(const struct node *node, char path[TREE_PATH_MAX]);

/* The same for a name in a directory, or the directory itself if `name` is
 * NULL. */
bool node_child_path(const struct node *directory, const char *name, char path[TREE_PATH_MAX]);

/* The same for the place before the recording began. */
bool node_before_path(const struct node *node, char path[TREE_PATH_MAX]);

/* The source has reported the node's current kind and size; bytes is -1 if it
 * has not reported the size. */
void node_report(struct node *node, enum node_kind kind, int64_t bytes);

/*
 * A read has returned `got` bytes. Return false if the model knows better: then
 * a replay would return another number.
 */
bool node_read(struct node *node, uint64_t offset, uint64_t size, uint64_t got);

/* Return the node's size now, or the least that it can be. */
int64_t node_end(const struct node *node);

/* Bytes have been written, or the size has been set. */
void node_write(struct node *node, uint64_t offset, uint64_t bytes);
void node_truncate(struct node *node, uint64_t bytes);

/*
 * For sources that name files by handles: return a new node whose name is not
 * known yet, which existed before. It gets a name of its own at the root.
 */
struct node *tree_nameless(struct tree *tree, enum node_kind kind);

/*
 * The source has looked `node` up as `name` in `directory`. If the node was
 * nameless and the name may have existed before, the node gets this place, also
 * in operations that have been appended. Otherwise nothing changes: a name that
 * the model cannot explain would be missing in a replay.
 */
void tree_place(struct tree *tree, struct node *node, struct node *directory, const char *name);

/* Does the root have nodes whose name is still unknown? */
bool tree_has_nameless(const struct tree *tree);

/* If the first component of a path is the name of a node that was nameless and
 * has been placed since, return that node and set *rest to the part after the
 * component. Otherwise return NULL. */
struct node *tree_placed(struct tree *tree, const char *path, const char **rest);

#endif
