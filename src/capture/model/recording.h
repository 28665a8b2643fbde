/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording: calls of a source (a traced program, a capture), turned into the
 * operations of a load.
 *
 * A reader of a source has a recording per client, and describes each call by a
 * struct recorded, in the order in which they took effect. recording_conversion()
 * has the current call. The recording follows the calls in a model of the
 * directory (tree.h): what existed before, of which size, under which name. It
 * appends an operation if the model can explain the call's outcome, and drops
 * the call by name if not; so what is appended can be played again. The set-up
 * of the load is what must have existed before.
 *
 * Paths are relative to the recorded directory, which is "". Components are
 * joined by '/'; none is empty, "." or "..".
 *
 * Functions return no errors of memory; recording_finish() reports them.
 */
#ifndef CAPTURE_MODEL_RECORDING_H
#define CAPTURE_MODEL_RECORDING_H

#include "capture/capture.h"
#include "capture/model/tree.h"
#include "words/smb_request.h"

/* An open file, as the source has opened it. */
struct file;

enum recording_option {
	RECORDING_FOLD_CASE = 1 << 0, /* case does not distinguish names */
	/* recording_before() adds all that existed before. */
	RECORDING_COMPLETE = 1 << 1,
	RECORDING_TIMES = 1 << 2, /* operations keep their times */
	/* A lock replaces those of the same process, as in POSIX. */
	RECORDING_POSIX_LOCKS = 1 << 3,
	/* A lock needs no access of the open, as in SMB. */
	RECORDING_FREE_LOCKS = 1 << 4,
	/* Pauses between the operations of a task become SLEEP lines. */
	RECORDING_PAUSES = 1 << 5,
	/* The source has no tasks: requests that were in flight at the same time
	 * get streams. */
	RECORDING_WINDOW = 1 << 6,
};

/* Return a new recording, or NULL if there is no memory. `options` is a set of
 * enum recording_option. */
struct recording *recording_new(unsigned options);
void recording_free(struct recording *recording);

/* Add a file that exists when the recording begins. `target` is the content of
 * a symbolic link, else NULL. Add a directory before the files in it. `link`: the
 * path of the same file under another name that has been added, or NULL. */
void recording_before(struct recording *recording, const char *path, enum node_kind kind,
		      uint64_t bytes, const char *target, const char *link);

/* The files in this directory, which has been added, are not known after all. */
void recording_not_listed(struct recording *recording, const char *path);

/*
 * Begin a call. Operations of this call are counted under the label `name`, such
 * as "openat", which must stay valid, and are due `time_ns` after the recording
 * began. `line` is where the source has the call.
 */
void recording_begin(struct recording *recording, const char *name, uint64_t time_ns,
		     uint64_t line);

/* Set when the current call began and ended, on the source's clock. Call this before
 * what the call did is added. */
void recording_time(struct recording *recording, uint64_t begin_ns, uint64_t end_ns);

/* Set what the tracer has added to each call: pauses are shorter by that. */
void recording_set_cost(struct recording *recording, const struct trace_cost *cost);

/*
 * The current call does so little that all its duration is the tracer's. From now on, a
 * stop for the tracer costs as much more as the last few such calls took more than
 * trace_cost.within_ns: other programs and other traced processes keep the tracer from
 * its work.
 */
void recording_learn_cost(struct recording *recording);

/* The current call has stopped its task for the tracer once more than other calls do. */
void recording_add_stop(struct recording *recording);

/* The tracer has delayed the current task by this time, too. `calls` limits this to the cost
 * of this number of calls; 0: there is no limit. */
void recording_add_cost(struct recording *recording, uint64_t cost_ns, unsigned calls);

/*
 * The tasks of a source: its processes and threads. Those that exist at the same
 * time get streams of their own in the load, as long as there are enough. A source
 * without tasks gets one stream, unless it has RECORDING_WINDOW.
 */
#define TASK_NONE UINT32_MAX

/* Begin a task; `parent` can be TASK_NONE. What its parent has done until now comes
 * before what the task does. Return its number. */
uint32_t recording_task_begin(struct recording *recording, uint32_t parent);

/* The operations that follow are of this task. */
void recording_task(struct recording *recording, uint32_t task);

/* The current call may have blocked the current task until another one went on. If the
 * task then waits for the end of another one, this has been a part of the wait. */
void recording_task_blocks(struct recording *recording);

/* The current task has waited for the end of this one. */
void recording_task_wait(struct recording *recording, uint32_t task);

/* A task exits at this time. Call this before what its end does, such as closing
 * files, and after it. */
void recording_task_exit(struct recording *recording, uint32_t task, uint64_t time_ns);

/* End a task. */
void recording_task_end(struct recording *recording, uint32_t task);

/* End the call. What follows is counted under the label `name`, but is not a
 * call, such as the end of a process, which closes files. */
void recording_continue(struct recording *recording, const char *name);

enum { RECORDED_UNKNOWN = -1 };

/*
 * An operation, as the source describes it. The kind selects the fields.
 *
 * op: the kind and those fields that the kind has: offset, size, expect, mode, flags,
 *     open_flags, stable, user_id, group_id, offset2, bytes. Handles, paths,
 *     texts, the label, and `accepts` are filled in. OP_COUNTED: expect is known.
 *     A LIST needs no max_entries.
 */
struct recorded {
	struct op op;
	/* 0 or an errno that has a name in throng-loadfile(5). */
	int error;
	/* The component of the path that has caused ENOENT or ENOTDIR. POSIX
	 * and NFS don't report it, but SMB does. Below a file, it reports
	 * ENOENT. */
	enum recorded_cause {
		RECORDED_BY_ANY,
		RECORDED_BY_PARENT, /* one before the last */
		RECORDED_BY_LAST,
	} cause;
	/* The name of a path operation. For LINK, the new one. */
	const char *path;
	/* RENAME: the new name; LINK: the existing one; SYMLINK: the content as
	 * the source has it, with dots and slashes. */
	const char *path2;
	bool follow; /* follow a symbolic link that is the last component */
	/* Operations on open files. COPY, CLONE: file2 is written to. */
	struct file *file, *file2;
	const char *text;                  /* XATTR_*: the attribute's name */
	const struct smb_request *request; /* NULL: none */
	/* Facts that the source has reported about the file, which hold after
	 * the operation. An OPEN that truncates has a size of 0. */
	enum node_kind kind; /* NODE_UNKNOWN: not reported */
	int64_t bytes;       /* size, or RECORDED_UNKNOWN */
	/* OPEN with OPEN_CREATE: 1 if the file was created, 0 if it existed,
	 * RECORDED_UNKNOWN if the source does not report it. */
	int created;
	/* LIST: the names that were found, without "." and "..", or NULL if the
	 * source has only their number, which is in op.expect ("." and ".."
	 * included). The path is the directory's; the pattern is in `text`, or
	 * NULL for all names. */
	const char *const *names;
	size_t name_count;
};

/* An all-unknown struct recorded of this kind. */
#define RECORDED(op_kind) \
	((struct recorded){ \
		.op.kind = (op_kind), .bytes = RECORDED_UNKNOWN, .created = RECORDED_UNKNOWN})

/*
 * Follow an operation and append it. Return true if it has been appended;
 * otherwise the current call has been dropped. For an OPEN that succeeds, the
 * file is then in *opened, and belongs to the recording; it is valid until its
 * CLOSE. `opened` may be NULL for other operations.
 *
 * An operation larger than PROGRAM_IO_BYTES_MAX becomes several.
 */
bool recording_add(struct recording *recording, const struct recorded *recorded,
		   struct file **opened);

/*
 * A listing takes one or more requests. After recording_add() of the first one,
 * keep what recording_listing() returns, add the parts that follow, if there are
 * any, and end it: only then is its number of entries compared with the model's
 * and, if they agree, expected in a replay. A listing that never ends stays
 * uncounted.
 */
struct listing {
	size_t op;         /* index of the LIST */
	struct node *node; /* NULL: no listing */
	uint64_t known;    /* names in the model at the first part */
	uint64_t learned;  /* names that had been learned by then */
	uint64_t entries;  /* listed so far, without "." and ".." */
	unsigned dots;     /* how many of "." and ".." the pattern matches */
	bool pattern;      /* not all names */
};
struct listing recording_listing(const struct recording *recording);
/* `entries` is the number of entries if `names` is NULL. */
void recording_list_more(struct recording *recording, struct listing *listing, uint64_t entries,
			 const char *const *names, size_t name_count);
void recording_list_end(struct recording *recording, struct listing *listing);

/* Return the model. Readers may look nodes up and ask for their paths. */
struct tree *recording_tree(struct recording *recording);

/* Return the node of an open file. node_path() has its current path. */
struct node *recording_node(const struct file *file);

/*
 * A reader of a source. It reads `stream` to its end and fills the recordings.
 * Return 0, or -errno with `error` set: -EINVAL with the place for an unreadable
 * source, -ENOMEM.
 */
typedef int source_reader(struct source *source, FILE *stream, struct error *error);

/* Return the recording of the client with this name, adding it if it is new.
 * Return NULL if there is no memory, or if `only` excludes the client (then
 * *excluded is set). */
struct recording *source_recording(struct source *source, const char *name, bool *excluded);

/* Add a warning, unless the source has the same one. */
void source_warn(struct source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
