/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes of a traced program: their descriptors, working directories, and
 * the calls that they have not returned from. Threads are processes that share
 * these.
 */
#ifndef CAPTURE_STRACE_PROCESS_H
#define CAPTURE_STRACE_PROCESS_H

#include "base/intern.h"
#include "capture/model/recording.h"

/* An open file, which several descriptors can share. */
struct description {
	unsigned references;
	struct file *file; /* NULL: it is not followed */
	/* Why not: the row and the reason for calls that use it. */
	enum conversion_row row;
	const char *reason;
	char *path; /* of an O_PATH descriptor, absolute; else NULL */
	bool append;
	uint64_t position;
	/* The listing of a directory: none yet, begun, or at its end. */
	enum { SCAN_NONE, SCAN_BEGUN, SCAN_ENDED } scan;
	struct listing listing;
};

struct descriptor {
	int64_t number;
	bool close_on_exec;
	struct description *description;
};

/* A table of descriptors, ordered by their numbers. Only files in the recorded
 * directory are in it. */
struct descriptors {
	unsigned references;
	struct descriptor *list;
	size_t count, room;
};

struct working_directory {
	unsigned references;
	char *path; /* absolute */
};

/* A call that has begun, but has not returned yet. */
struct pending {
	char *text; /* its arguments; NULL: there is no such call */
	size_t bytes;
	const char *name;
	size_t name_bytes;
	uint64_t time_ns, line;
	/* The open file of the first argument when the call began, or NULL, and
	 * that descriptor's number. */
	struct description *description;
	int64_t descriptor;
	bool converted; /* an unlock, which takes effect at once */
};

struct process {
	uint32_t pid;
	uint32_t task; /* in the recording, or TASK_NONE before it begins */
	bool alive;
	struct descriptors *descriptors;
	struct working_directory *directory;
	struct pending pending;
	/* The time of the call that began it; 0: unknown, or it has made a call. */
	uint64_t born_ns;
	unsigned how;                   /* set of enum process_share */
	size_t first_birth, last_birth; /* plus 1; 0: none */
};

/* The return of a fork or clone in the parent: a process begins. */
struct birth {
	uint32_t parent;
	uint64_t line;
	size_t next; /* birth of the same PID, plus 1, or 0 */
};

struct processes {
	struct intern pids;
	struct process **list; /* by the number of the PID */
	size_t room;
	struct birth *births;
	size_t birth_count, birth_room;
	size_t living;           /* number of processes, */
	uint64_t living_pids;    /* and the sum of their PIDs */
	size_t descriptor_count; /* in all tables */
	bool failed;             /* out of memory, or too many descriptors */
	/* Called when the last reference to an open file goes. */
	void (*close)(void *context, struct description *description);
	void *context;
};

/* Max number of descriptors in all tables. */
enum { DESCRIPTORS_MAX = 1 << 22 };

/* Find or add a process. Return NULL if there is no memory. */
struct process *process_get(struct processes *processes, uint32_t pid);

/* Note that a call of `parent` in this line returns the PID of a new process. */
void process_note_birth(struct processes *processes, uint32_t child, uint32_t parent,
			uint64_t line);

/* Return the next birth of a process, or NULL. */
const struct birth *process_next_birth(const struct processes *processes,
				       const struct process *process);

/* Take it, if it is not after this line. Return false if there is none. */
bool process_take_birth(struct processes *processes, struct process *process, uint64_t last_line);

/* The things that a new process shares with its parent, and what else it is. */
enum process_share {
	PROCESS_SHARE_DESCRIPTORS = 1 << 0,
	PROCESS_SHARE_DIRECTORY = 1 << 1,
	PROCESS_THREAD = 1 << 2,
	PROCESS_VFORK = 1 << 3, /* its parent waits until it executes a program */
};

/* Begin the life of a process. Without parent, it has no descriptors, and begins
 * in `directory`. */
void process_start(struct processes *processes, struct process *process, struct process *parent,
		   unsigned share, const char *directory);

/* End it: close its descriptors. */
void process_end(struct processes *processes, struct process *process);

/* Give the process a table, or a working directory, of its own. */
void process_stop_sharing(struct processes *processes, struct process *process, unsigned share);

/* Execute a program: close the descriptors that are marked for this. */
void process_execute(struct processes *processes, struct process *process);

/* Another thread takes the PID of this process, which has ended. */
void process_supersede(struct processes *processes, struct process *process,
		       struct process *thread);

/* Return the only process that lives, or that with the PID 0 if there are others.
 * Return NULL if there is no memory. */
struct process *process_only(struct processes *processes);

void process_set_directory(struct processes *processes, struct process *process, const char *path);

/* Return a new open file with one reference, or NULL if there is no memory. */
struct description *description_new(struct processes *processes);
void description_release(struct processes *processes, struct description *description);

/* Return the descriptor with this number, or NULL. */
struct descriptor *descriptor_find(const struct process *process, int64_t number);

/* Let a descriptor refer to an open file, which gets a reference, instead of
 * what it referred to. */
void descriptor_set(struct processes *processes, struct process *process, int64_t number,
		    struct description *description, bool close_on_exec);

/* Close the descriptors `first` to `last`. */
void descriptor_close(struct processes *processes, struct process *process, int64_t first,
		      int64_t last);

void processes_free(struct processes *processes);

#endif
