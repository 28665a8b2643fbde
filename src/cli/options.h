/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of the command line, one row each.
 *
 * A row has an option's spelling, the values that it takes, the field that
 * they go into, and how a result records them. Reading, help, parsing,
 * recording and freeing follow from the row. Conflicts between options have
 * reasons and are code, which asks here which options were given.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "result/result.h"

#include <popt.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of values, and the types of the fields that they go into. */
enum option_kind {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char *; "yes" where it has no argument */
	OPTION_TEXTS,    /* const char *const *, ended by NULL: all of them */
	OPTION_COUNT,    /* unsigned or uint64_t, from min to max */
	OPTION_SIZE,     /* uint64_t: bytes, from min to max */
	OPTION_DURATION, /* uint64_t: nanoseconds, from min to max */
	OPTION_TIME,     /* uint64_t: nanoseconds since the epoch */
	OPTION_SHARE,    /* double, from share_min to below share_limit */
	OPTION_WORD,     /* bool or an enum: the index of one of the words */
};

enum option_flag {
	OPTION_SHOWS_DEFAULT = 1, /* help shows the value of the field */
	OPTION_STORED = 2,   /* does not change how things are measured, so it
			      * goes with stored results as well */
	OPTION_RUN_ONLY = 4, /* compare refuses it */
};

struct option_row {
	const char *name; /* "ramp-down"; NULL ends a list of rows */
	char letter;      /* 0: none */
	enum option_kind kind;
	const char *argument; /* its name in help; NULL: none is taken */
	/* Without the list of words and the default. NULL: help lists only the
	 * name of the option, which then has no letter. */
	const char *help;
	/* The field, by OPTION_AT; none: the texts are parsed elsewhere. */
	size_t at, bytes;
	uint64_t min, max;
	double share_min, share_limit;
	const char *const *words; /* of OPTION_WORD; ended by NULL */
	const char *ending; /* of a file's name: ".json"; NULL: any */
	unsigned flags;     /* of enum option_flag */
	/* The key among a result's options; NULL: not recorded there. The value
	 * is the text as given, or a size in bytes; a count of 0 asks for
	 * nothing and is not recorded. */
	const char *record;
	const char *record_as; /* the value instead of that */
	/* The field of struct result_run that has the value as well, of the
	 * same type, by OPTION_PLAN; 0: none. */
	size_t plan_at;
};

#define OPTION_AT(type, member) \
	.at = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)
#define OPTION_PLAN(member) .plan_at = offsetof(struct result_run, member)

struct option_group {
	const char *heading; /* in help; NULL: none */
	const struct option_row *rows; /* NULL ends a list of groups */
	void *values; /* the struct that has the rows' fields */
	bool of_run;  /* help refers to the help of run for these rows */
};

enum { OPTION_ARGUMENT = 16 };

/* An option, and the texts that it was given with. */
struct option {
	const struct option_row *row;
	void *field;
	bool of_run; /* as in its group */
	char *help;  /* NULL: only the name */
	char argument[OPTION_ARGUMENT]; /* "FILE..." if it may be repeated */
	/* One, but of OPTION_TEXTS; ended by NULL. NULL: not given. */
	const char **texts;
	size_t text_count;
};

/* A command line as it was read. */
struct options {
	struct option *list;
	size_t count;
	struct poptOption *table;
	poptContext context;
	const char **words; /* the other arguments; NULL ends them; or NULL */
	size_t word_count;
};

/*
 * Read a command line. Help shows argv[0] as the name of the program, followed
 * by `usage`, the options and the two lines of `examples`. The fields must have
 * their default values, and keep them until options_take. Returns EXIT_VALID;
 * CLI_HELP after printing help; or EXIT_REFUSED after a message. Call
 * options_free in any case.
 */
int options_read(struct options *options, const struct option_group *groups,
		 const char *usage, const char *examples, int argc,
		 const char **argv);

/*
 * Parse the options that were given into their fields. Texts belong to
 * `options`. Returns 0, or -EINVAL with `error` naming the option, its text and
 * what was expected.
 */
int options_take(const struct options *options, struct error *error);

/* Was the option --NAME given? */
bool options_given(const struct options *options, const char *name);

/* Return the text that --NAME was given with; NULL: it was not. */
const char *options_text(const struct options *options, const char *name);

/* Return all texts that --NAME was given with, ended by NULL; NULL: none. */
const char *const *options_texts(const struct options *options,
				 const char *name);

/*
 * Return the name of the first option given whose flags, as far as they are in
 * `mask`, are `flags`; NULL: none was.
 */
const char *options_find(const struct options *options, unsigned mask,
			 unsigned flags);

/* Note in a result the options that took effect, as their rows say. */
void options_record(const struct options *options, struct result_run *run);

void options_free(struct options *options);

#endif
