/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiled loadfile: built once (builder.h), rewritten by options
 * (transform.h), then only read, by all users at once.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "base/clock.h"
#include "base/layout.h"
#include "program/op.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What stands for the user's own name as a component of a path. */
#define USER_NAME USER_STEM "1"

enum program_limit {
	/* The longest path, NUL included, with the longest of user names. */
	PROGRAM_PATH_MAX = 4096 - 16,
	PROGRAM_IO_BYTES_MAX = 64 << 20,
	PROGRAM_LABELS_MAX = 250,
	PROGRAM_LABEL_MAX = 40, /* bytes */
	PROGRAM_LOOP_DEPTH = 16,
	PROGRAM_TERMS_MAX = 8,
	PROGRAM_STRINGS = 10, /* RANDOMSTRING slots */
	PROGRAM_STRING_MAX = 256,
	PROGRAM_USERS_MAX = 100000,
};

/* Where a path lies, which decides what may be done to it. */
enum path_place {
	PATH_TARGET,  /* the target itself */
	PATH_CLIENTS, /* the directory of the users' directories */
	PATH_HOME,    /* the user's own directory */
	PATH_OWN,     /* below it */
	PATH_OTHERS,  /* elsewhere below clients */
	PATH_SHARED,  /* outside: the same for all users */
};

/*
 * A path relative to the target: components joined by '/', none of them
 * empty, "." or ".."; "" is the target itself. USER_NAME stands for the
 * user's name, `$0` to `$9` for random strings where `varying`.
 */
struct program_path {
	char *text;
	enum path_place place;
	bool varying;
	uint32_t line; /* where it was first met */
};

/*
 * How an offset is worked out: a random number, or the offset of the
 * operation before, then the terms from left to right.
 */
struct expression {
	bool from_previous;
	unsigned terms;
	struct term {
		/* '%' modulo, '/' align down, '+' add, 'u' add the user's
		 * number, 'n' add the number of users */
		char action;
		uint64_t value;
	} term[PROGRAM_TERMS_MAX];
};

/* A handle that the loadfile leaves open at its end. */
struct leftover {
	uint32_t handle;
	uint32_t path; /* to be removed with it, or OP_NONE */
	bool directory;
};

/* A first component outside CLIENTS_NAME, shared by all users. */
struct shared_name {
	char *name;
	bool changed; /* the load writes, makes or removes there */
};

struct program {
	char *source; /* the loadfile's name, for messages */
	const char *dialect;

	struct op *ops;
	size_t op_count;
	/* When each op is due, in ns since its loop began, or NULL when the
	 * loadfile has no time stamps; CLOCK_NEVER for an op without one. */
	uint64_t *due_ns;

	struct program_path *paths;
	size_t path_count;
	char **labels; /* words under which operations are counted */
	size_t label_count;
	struct expression *expressions;
	size_t expression_count;
	char **texts; /* WRITEPATTERN and RANDOMSTRING */
	size_t text_count;
	struct leftover *leftovers;
	size_t leftover_count;
	struct shared_name *shared;
	size_t shared_count;

	uint32_t handle_count;     /* slots a user needs */
	uint32_t io_bytes_max;     /* the most that one operation moves */
	uint32_t user_awaited_max; /* the greatest user of a WAITSP */
};

void program_free(struct program *program);

/*
 * Writes the program in the native dialect: loading that text gives the same
 * program again.
 */
void program_print(const struct program *program, FILE *stream);

/* The native dialect's words for open flags, joined by commas, and back. */
enum { OPEN_FLAGS_TEXT = 128 };
char *program_print_open_flags(uint64_t flags, char text[OPEN_FLAGS_TEXT]);
int program_parse_open_flags(const char *text, uint64_t *flags);

/* The native dialect's words for enum op_connection. */
extern const char *const program_connections[OP_CONNECTIONS];

/* The native dialect's words for op.flags that stand before the outcome. */
extern const struct op_flag_word {
	const char *word;
	enum op_flag flag;
} program_flag_words[];

#endif
