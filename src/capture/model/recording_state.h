/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a recording, for the files that implement recording.h:
 * recording.c (calls), recording_files.c (open files, listings),
 * recording_names.c (operations on names), recording_finish.c (the load).
 */
#ifndef CAPTURE_MODEL_RECORDING_STATE_H
#define CAPTURE_MODEL_RECORDING_STATE_H

#include "capture/model/recording.h"
#include "capture/model/tasks.h"

/* A lock that a file holds, on the bytes before `to`. */
struct held_lock {
	uint64_t from, to;
	bool shared;
};

struct file {
	struct file *next, **link; /* in the list of open files */
	struct node *node;
	uint32_t handle;
	bool reads, writes; /* open for reading, for writing */
	bool append, delete_on_close;
	struct held_lock *locks;
	size_t lock_count;
};

/* An extended attribute. Sizes: -1 if it does not exist, ATTRIBUTE_UNKNOWN. */
enum { ATTRIBUTE_UNKNOWN = -2 };
struct attribute {
	struct node *node;
	int64_t bytes, before_bytes;
};

struct recording {
	unsigned options;
	bool failed; /* out of memory */
	struct conversion conversion;
	struct tree tree;

	/* The current call. */
	const char *label;
	uint64_t due_ns;
	bool outside; /* its path leads out of the directory */

	/* The operations. Their paths, texts, labels and requests are numbers
	 * in the tables below, their handles are those of files. */
	struct op *ops;
	uint64_t *dues;
	uint64_t *pauses; /* before each operation, in nanoseconds */
	size_t count, op_room, due_room, pause_room;
	struct idle idle; /* of a source without tasks */
	struct trace_cost cost;
	struct intern paths, texts, labels, requests;
	struct tasks tasks;

	struct intern attribute_names; /* number of the node, name */
	struct attribute *attributes;  /* by the number of the name */
	size_t attribute_room;

	struct file *files;
	uint32_t next_handle;
	struct listing listing; /* the last LIST */
	uint64_t read_bytes, written_bytes;
};

/* Can a load have this path, or the content of a symbolic link, in which only
 * names count? */
bool recording_can_spell(const char *path, bool content);

/* The reason to drop a call with a name that is impossible there. */
#define RECORDING_UNSPELLABLE "name that a loadfile cannot have"

/* Call tree_walk() for the current call. If a load cannot have the path, drop
 * the call and return -ENAMETOOLONG. */
int recording_walk(struct recording *recording, const char *path, unsigned how,
		   struct place *place);

/* Put the current call into the row DROPPED, or ELSEWHERE if its path leads out
 * of the directory. Return false. */
bool recording_drop(struct recording *recording, const char *reason);

/* The same for a failure that a replay cannot repeat. */
bool recording_drop_error(struct recording *recording, int error);

/* Append an operation whose paths and handles are set. Return true. */
bool recording_append(struct recording *recording, const struct op *op);

/* Check the bytes of a read against the model. A count that the model does not
 * expect is not compared in a replay. */
void recording_follow_read(struct recording *recording, struct node *node, struct op *op);

/* Set the numbers of a text or a path in the recording's tables. */
uint32_t recording_text(struct recording *recording, const char *text);
uint32_t recording_path(struct recording *recording, const char *path);

/* Set the number of the path of a place. */
bool recording_place_path(struct recording *recording, const struct place *place, uint32_t *number);

/* Follow and append an operation on names, other than OPEN and LIST. `op` has its
 * label, its request and the accepted outcomes. */
bool recording_add_names(struct recording *recording, const struct recorded *recorded,
			 struct op *op);

/* Follow and append an OPEN, or an operation on an open file. */
bool recording_add_open(struct recording *recording, const struct recorded *recorded, struct op *op,
			struct file **opened);
bool recording_add_on_file(struct recording *recording, const struct recorded *recorded,
			   struct op *op);

/* Follow and append a LIST, and set recording->listing. */
bool recording_add_list(struct recording *recording, const struct recorded *recorded,
			struct op *op);

/*
 * Check that a failed operation on a name fails in the model, too, and learn
 * from it. `makes`: the operation would have created the name. Set op->path.
 */
bool recording_explain(struct recording *recording, const struct recorded *recorded, unsigned how,
		       bool makes, struct op *op);

#endif
