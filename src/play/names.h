/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's paths, and the parts of them that change while the load is played:
 * random strings and variables. All memory is allocated beforehand.
 */
#ifndef PLAY_NAMES_H
#define PLAY_NAMES_H

#include "program/program.h"
#include "target/backend.h"

/* Write the name of a user's directory, "client<N>", into `name`. */
enum { USER_NAME_MAX = 24 };
void names_of_user(unsigned user, char name[USER_NAME_MAX]);

/*
 * Write a path of the program as user `user` plays it. Random strings are left
 * as `$n`, and variables as `${name}`. `out` has room for PATH_MAX. Return the
 * length.
 */
size_t names_plain(const struct program *program, uint32_t path, unsigned user, char *out);

/* The sources of changing parts: first the variables, then the random
 * strings. */
enum { NAMES_SOURCES = PROGRAM_VARIABLES_MAX + PROGRAM_STRINGS };

struct names {
	/* The user's paths, by index into program->paths. */
	struct backend_path *paths;
	uint32_t *path_bytes; /* lengths of `paths`, in bytes */
	size_t path_count;
	/* The texts of `paths`. A block of their own for each of them would go
	 * into a hole in the memory that the users share, and so take a page of
	 * it from them. */
	char *texts;
	/* The parts of all varying paths. */
	struct name_part *parts;
	size_t part_count;
	/* By source: the indexes of the parts from which on paths change with
	 * it. */
	size_t *uses[NAMES_SOURCES];
	size_t use_counts[NAMES_SOURCES];
	/* Random strings, by slot; NULL: no path varies. */
	char (*strings)[PROGRAM_STRING_MAX];
	uint64_t variables[PROGRAM_VARIABLES_MAX];
};

/* Allocate a user's paths. All variables are 0. Return 0 or -ENOMEM; call
 * names_free in either case. */
int names_open(struct names *names, const struct program *program, unsigned user);
void names_free(struct names *names);

/* Update the paths that contain a variable or a random string, whose value has
 * changed. */
void names_update(struct names *names, unsigned source);

#endif
