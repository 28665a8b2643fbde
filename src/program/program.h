/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program: a compiled loadfile. It is built once (builder.h) and rewritten
 * for the options (transform.h) and for the targets (fit.h). From then on it is
 * read-only, and all users share it.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "base/clock.h"
#include "program/formula.h"
#include "program/op.h"
#include "words/layout.h"
#include "words/smb_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The path component that stands for the user's own directory. */
#define USER_NAME USER_STEM "1"

enum program_limit {
	/* Max size of a path, including the longest user name and a NUL. */
	PROGRAM_PATH_MAX = 4096 - 16,
	PROGRAM_IO_BYTES_MAX = 64 << 20,
	PROGRAM_COPY_BYTES = 128 << 10, /* read at a time, to write them */
	PROGRAM_LABELS_MAX = 250,
	PROGRAM_LABEL_MAX = 40, /* bytes */
	PROGRAM_LOOP_DEPTH = 16,
	PROGRAM_WEIGHTS_MAX = 1000000, /* of all branches of a MIX */
	PROGRAM_STRINGS = 10,          /* number of RANDOMSTRING slots */
	PROGRAM_STRING_MAX = 256,
	PROGRAM_PHASES_MAX = 64,
	PROGRAM_STREAMS_MAX = 64,
	PROGRAM_ATTRIBUTE_NAME_MAX = 255,       /* bytes, without the NUL */
	PROGRAM_ATTRIBUTE_BYTES_MAX = 64 << 10, /* an attribute's value */
	PROGRAM_DRAWS_MAX = 1000,               /* zipf() or shuffle() in a load */
	PROGRAM_VARIABLES_MAX = 64,
	PROGRAM_VARIABLE_NAME_MAX = 32, /* bytes */
	PROGRAM_DIGITS_MAX = 20,        /* digits of a variable's value */
	PROGRAM_USERS_MAX = 100000,
};

/* Where a path is. This decides what a load may do to it. */
enum path_place {
	PATH_TARGET,  /* the target itself */
	PATH_CLIENTS, /* the directory of the users' directories */
	PATH_HOME,    /* the user's own directory */
	PATH_OWN,     /* below the user's own directory */
	PATH_OTHERS,  /* elsewhere below CLIENTS_NAME */
	PATH_SHARED,  /* outside CLIENTS_NAME: the same for all users */
};

/*
 * A path relative to the target: components joined by '/', none of them empty,
 * "." or "..". An empty path is the target itself. When the program is played,
 * USER_NAME is replaced by the user's name, and, if `varying`, `$0` to `$9` by
 * random strings and, if `references`, `${name}` by the values of variables.
 */
struct program_path {
	char *text;
	enum path_place place;
	bool varying;
	/* `${name}` in the text is a variable; false: it is part of a name. */
	bool references;
	uint32_t line; /* the first line of the loadfile that uses it */
};

/* A number with a name, such as a loop's counter. */
struct variable {
	char *name;
	struct formula_range range; /* all values that it may have */
};

/* The first variables of each program. */
enum {
	VARIABLE_USER,  /* the user's number in the run, from 0 */
	VARIABLE_USERS, /* the number of users in the run */
	VARIABLE_LOOP,  /* the number of the load's current loop, from 0 */
	VARIABLES_PREDEFINED
};

/* A handle that the loadfile leaves open at its end. It is closed after each
 * loop of the load, unless the set-up has opened it. */
struct leftover {
	uint32_t handle;
	uint32_t path; /* the path to remove after the close, or OP_NONE */
	bool directory;
};

/* A phase: a part of the load that all users begin together (PHASE). */
struct program_phase {
	const char *name; /* one of program->texts */
	/* The operations that are its items, as in the loadfile, joined by
	 * blanks; "": none. One of program->texts. */
	const char *items;
	uint32_t line;
	bool counts[PROGRAM_LABELS_MAX]; /* by label: is it one of the items? */
};

/* When operations arrive at a rate. */
enum arrival {
	ARRIVAL_CONSTANT, /* at equal distances */
	ARRIVAL_POISSON,  /* at random times that do not depend on each other */
};

/* A rate that replaces the load's own time stamps and delays. */
struct program_rate {
	double per_s; /* operations per second; 0: there is no rate */
	bool total;   /* of all users together; false: of each */
	enum arrival arrival;
};

/* The latest due time, 32 years. A later time stamp is a mistake, and those that
 * --speed slows down end here. */
#define PROGRAM_DUE_MAX_NS (UINT64_C(1000000000) * NS_PER_S)

struct program {
	char *source; /* the loadfile's name, for messages */
	const char *dialect;
	/* Lines beginning with `#`, to be printed at the top; or NULL. */
	char *comment;

	struct op *ops;
	size_t op_count;
	/* Due time of each op, in ns since the loop began; CLOCK_NEVER for an
	 * op without a time stamp. NULL if no op has one. */
	uint64_t *due_ns;
	struct program_rate rate;

	struct program_path *paths;
	size_t path_count;
	char **labels; /* names under which operations are counted */
	size_t label_count;
	struct formula *formulas;
	size_t formula_count;
	struct variable *variables;
	size_t variable_count;
	/* The distributions that formulas draw from. A user has its own state
	 * of each shuffle. */
	struct zipf *zipfs;
	size_t zipf_count;
	struct shuffle *shuffles;
	size_t shuffle_count;
	/* Arguments of WRITEPATTERN and RANDOMSTRING; names of attributes and
	 * phases; the items of phases. */
	char **texts;
	size_t text_count;
	/* Recorded SMB requests. The first one has no fields: operations that
	 * were not recorded as SMB requests have it. */
	struct smb_request *requests;
	size_t request_count;
	struct program_phase *phases; /* in the order of the load */
	size_t phase_count;
	struct leftover *leftovers;
	size_t leftover_count;

	/* Users play the beginning of the first loop before the start line
	 * (profile.h). */
	bool prologue;
	uint32_t handle_count; /* number of handle slots per user */
	uint32_t every_count;  /* number of EVERY blocks */
	/* Set of the streams that have a STREAM line, one bit per stream. Lines
	 * before the first STREAM line belong to stream 0. */
	uint64_t streams;
	/* The max number of streams of a PARALLEL; 0: there is none. */
	unsigned parallel;
	uint32_t io_bytes_max;     /* max bytes moved by one operation */
	uint32_t user_awaited_max; /* max user number in a WAITSP */
	bool direct;               /* some file is opened with OPEN_DIRECT */
	bool copies_by_hand;       /* users read and write what OP_COPY copies */
	bool clones_by_copy;       /* OP_CLONE is played like OP_COPY */
};

void program_free(struct program *program);

/*
 * Print the program in the native dialect. Loading that text gives the same
 * program.
 */
void program_print(const struct program *program, FILE *stream);

/* Set where the control operations of blocks (LOOP, MIX, EVERY) continue, and
 * number the EVERY blocks. Call this when the positions of operations have
 * changed. */
void program_link_blocks(struct program *program);

/* Return the number of the variable with this name, or -ENOENT. */
int program_find_variable(const struct program *program, const char *name, size_t length);

/*
 * Find the first `${name}` of a variable in the text of a path with references.
 * Set *start to its dollar and *end to the character after it. Return the
 * variable's number, or -1 if there is none.
 */
int program_find_reference(const struct program *program, const char *text, const char **start,
			   const char **end);

/* Return the max size of a read or write, in bytes. */
uint64_t program_op_size_max(const struct program *program, const struct op *op);

/* Return the mean number of bytes that a read or write moves or, if this is not
 * recorded, asks for. A TRANSACT sends them. */
double program_op_bytes(const struct program *program, const struct op *op);

/* Return the number of rounds of a LOOP or MIX. */
struct formula_range program_rounds(const struct program *program, const struct op *op);

/* Check if operations have due times. */
static inline bool program_is_paced(const struct program *program)
{
	return program->rate.per_s > 0 || program->due_ns != NULL;
}

/* Write the stream of op `at` for a message: ", stream 3", or "" if the program has no
 * streams. In a PARALLEL, it is `lane`, the number of the one that plays the op;
 * PROGRAM_STREAMS_MAX: the user has no lanes. */
enum { PROGRAM_STREAM_TEXT = 16 };
void program_print_stream(const struct program *program, size_t at, unsigned lane,
			  char text[PROGRAM_STREAM_TEXT]);

/*
 * Print open flags as words of the native dialect, joined by commas. Return
 * `text`.
 */
enum { OPEN_FLAGS_TEXT = 128 };
char *program_print_open_flags(uint64_t flags, char text[OPEN_FLAGS_TEXT]);

/* Parse open flags as program_print_open_flags prints them. Return 0 or
 * -EINVAL. */
int program_parse_open_flags(const char *text, uint64_t *flags);

/* The native dialect's words for enum op_connection. */
extern const char *const program_connections[OP_CONNECTIONS];

/* The native dialect's words for enum op_setup; "" for OP_SETUP_EACH. */
extern const char *const program_setups[OP_SETUPS];

/* The native dialect's words for op.flags. In a line, they come before the
 * outcome. */
extern const struct op_flag_word {
	const char *word;
	enum op_flag flag;
} program_flag_words[];

#endif
