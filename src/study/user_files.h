/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's files during a walk through a program (footprint.h): their names
 * and their lengths. Paths are numbers of the program's paths; sums stop growing
 * at SUM_MAX (sum.h).
 */
#ifndef STUDY_USER_FILES_H
#define STUDY_USER_FILES_H

#include "program/program.h"

/*
 * A file. For a varying path, this struct stands for all files that the path
 * can name. Its index is the number of its path, or the number of one of its
 * paths if the file has several names.
 */
struct user_file {
	uint64_t length;
	uint64_t written; /* bytes written since it was empty; less than
			   * `length` if it has holes */
	/* Bytes of the file without its holes. If the struct stands for several
	 * files, the number for the largest of them. */
	uint64_t held;
	uint64_t drawn; /* number of files that it stands for */
	uint64_t apart; /* number of files that have become others' */
	uint64_t bytes; /* its share of user_files.total */
	uint32_t names; /* number of its names (hard links) */
	/* The ops that last emptied the file, removed it, and began to write to
	 * it. Ops are counted from 1; 0: none. */
	size_t emptied, removed, begun;
};

/* Max number of varying paths that are compared with fixed ones. */
enum { USER_FILES_VARYING = 64 };

struct user_files {
	const struct program *program;
	struct user_file *list;
	uint32_t *named; /* index into `list`, by path */
	bool *met;       /* the path has been used, by path */
	uint32_t *spare; /* a stack of unused indexes of files */
	size_t spare_count;
	uint64_t total; /* bytes in all files */
	size_t now;     /* number of the current op, from 1; the caller's */
	/* The parts of names that change: first the variables, then the random
	 * strings. */
	struct {
		size_t drawn;   /* the op that last changed it; 0: none */
		uint64_t names; /* number of its possible values */
	} parts[PROGRAM_VARIABLES_MAX + PROGRAM_STRINGS];
	unsigned defined; /* slots of the strings drawn so far, one bit each */
	/* The first varying paths that files were written to. */
	uint32_t varying[USER_FILES_VARYING];
	size_t varying_count;
};

/* Begin without any file. Return 0 or -ENOMEM. Call user_files_close even after
 * an error. */
int user_files_open(struct user_files *files, const struct program *program);

void user_files_close(struct user_files *files);

/*
 * Return the file of a path, which may be empty or not exist. The first time, it
 * may be one of those that a varying path has made: f0, after f$f in a loop.
 */
struct user_file *user_files_find(struct user_files *files, uint32_t path);

/* Let a control op change the names that contain its variable or string. */
void user_files_change_names(struct user_files *files, const struct op *op);

/*
 * Return the number of the op that last changed the name of the path (0: none).
 * Set *names to the number of names that the path can have.
 */
size_t user_files_last_change(const struct user_files *files, uint32_t path, uint64_t *names);

/*
 * Begin to write to a path. Return true if this is a new file, because its name
 * has changed since the last write.
 */
bool user_files_begin(struct user_files *files, uint32_t path);

/* Let a file stand for `count` more files, if the path can have that many
 * names. */
void user_files_add_names(struct user_files *files, uint32_t path, struct user_file *file,
			  uint64_t count);

/* Write `size` more bytes to a file, and extend it to at least `end`. */
void user_files_write(struct user_files *files, struct user_file *file, uint64_t size,
		      uint64_t end);

/* Cut or extend a file. */
void user_files_truncate(struct user_files *files, struct user_file *file, uint64_t length);

/* Remove the file of a path. Do nothing if the name of the path has changed
 * since the file was written: now the path names another file. */
void user_files_unlink(struct user_files *files, uint32_t path);

/* Make the path one more name of the file at `existing`. */
void user_files_link(struct user_files *files, uint32_t path, uint32_t existing);

void user_files_rename(struct user_files *files, uint32_t from, uint32_t to);

/* Exchange the files of two paths. */
void user_files_swap(struct user_files *files, uint32_t a, uint32_t b);

/* Remove all files below the directory `top`. */
void user_files_remove_tree(struct user_files *files, const char *top);

#endif
