/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of the command line, one row each.
 *
 * A row has the name of an option, the values that it accepts, the field for
 * the value, and how a result records it. This is enough to print help, to
 * parse and record the value, and to free it. Subcommands use options_given and
 * options_find to check combinations of options.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "result/result.h"

#include <popt.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of values, and the types of their fields. */
enum option_kind {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char *; "yes" if the option has no argument */
	OPTION_TEXTS,    /* const char *const *: the texts of all uses of the
			  * option, ended by NULL */
	OPTION_COUNT,    /* unsigned or uint64_t, from min to max */
	OPTION_SIZE,     /* uint64_t: bytes, from min to max */
	OPTION_DURATION, /* uint64_t: nanoseconds, from min to max */
	OPTION_TIME,     /* uint64_t: nanoseconds since the epoch */
	OPTION_SHARE,    /* double, >= share_min and < share_limit */
	OPTION_WORD,     /* bool or an enum: the index of one of the words */
};

enum option_flag {
	OPTION_SHOWS_DEFAULT = 1, /* help shows the initial value */
	OPTION_STORED = 2,   /* also accepted with stored results, because it
			      * does not change how targets are measured */
	OPTION_RUN_ONLY = 4, /* `throng compare` refuses the option */
	OPTION_ALL = 8, /* all its texts hold, so a result records them as
			 * "a, b" and not as "a or b" */
	OPTION_SWEPT = 16, /* --sweep can vary the option */
};

struct option_row {
	const char *name; /* "ramp-down"; NULL ends a list of rows */
	char letter;      /* the short option, such as u; 0: none */
	enum option_kind kind;
	/* Name of its argument in help; NULL: it has none. */
	const char *argument;
	/* The description; help adds the list of words and the default. NULL:
	 * help shows only the option's name. The option must then have no
	 * letter. */
	const char *help;
	/* The place and size of the field; write them with OPTION_AT. If bytes
	 * is 0, there is no field, and other code parses the texts. */
	size_t at, bytes;
	uint64_t min, max;
	double share_min, share_limit;
	const char *const *words; /* the words of OPTION_WORD; ended by NULL */
	/* Required end of a file name: ".json"; NULL: any. */
	const char *ending;
	/* Hint for the message about another ending; NULL: none. */
	const char *ending_hint;
	unsigned flags; /* bits of enum option_flag */
	/* The key under which a result records the option; NULL: the option
	 * is not recorded. The recorded value is the text from the command
	 * line, or a size in bytes. A count of 0 has no effect and is not
	 * recorded. */
	const char *record;
	/* Text to record instead of the value; NULL: record the value. */
	const char *record_as;
	/* A field of struct result_run that is set to the same value, and has
	 * the same type. Write it with OPTION_PLAN. 0: none. */
	size_t plan_at;
};

#define OPTION_AT(type, member) \
	.at = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)
#define OPTION_PLAN(member) .plan_at = offsetof(struct result_run, member)

struct option_group {
	const char *heading;           /* its heading in help; NULL: none */
	const struct option_row *rows; /* NULL ends a list of groups */
	void *values; /* the struct that has the rows' fields */
	bool of_run;  /* help only refers to `throng run --help` */
};

enum { OPTION_ARGUMENT = 16 };

/* An option, and its texts on the command line. */
struct option {
	const struct option_row *row;
	void *field;
	bool of_run; /* of_run of its group */
	char *help;  /* NULL: help shows only the name */
	char argument[OPTION_ARGUMENT]; /* "FILE..." if it may be repeated */
	/* The last text, or all of them for OPTION_TEXTS; ended by NULL. NULL:
	 * the option was not given. */
	const char **texts;
	size_t text_count;
};

/* A command line, split into options and other arguments. */
struct options {
	struct option *list;
	size_t count;
	struct poptOption *table;
	poptContext context;
	const char **words; /* the other arguments, ended by NULL; or NULL */
	size_t word_count;
};

/*
 * Read a command line. Help shows argv[0] as the name of the program, followed
 * by `usage`, the options and the two lines of `examples`. Before the call, set
 * the fields to their default values; don't change them before options_parse.
 * Return EXIT_VALID; CLI_HELP after printing help; or EXIT_REFUSED after a
 * message. Call options_free even after an error.
 */
int options_read(struct options *options, const struct option_group *groups,
		 const char *usage, const char *examples, int argc,
		 const char **argv);

/*
 * Parse the options that were given, and set their fields. The fields may then
 * point to texts in `options`. Return 0, or -EINVAL with an `error` that names
 * the option, its text and what was expected.
 */
int options_parse(const struct options *options, struct error *error);

/* Check if the option --NAME was given. */
bool options_given(const struct options *options, const char *name);

/* Return the text of --NAME, or NULL if the option was not given. */
const char *options_text(const struct options *options, const char *name);

/* Return all texts of --NAME, ended by NULL; or NULL if it was not given. */
const char *const *options_texts(const struct options *options,
				 const char *name);

/* Check if there is an option --NAME, given or not, whose row has all of these
 * flags. */
bool options_is(const struct options *options, const char *name,
		unsigned flags);

/*
 * Set the field of the option --NAME, which must exist, in another struct of
 * the kind that its group's `values` point to. A flag takes yes or no. The
 * field may then point to `text`. Error messages name the option as
 * "CONTEXT NAME". Return 0, or -EINVAL with `error` set.
 */
int options_set(const struct options *options, const char *name,
		const char *text, const char *context, void *values,
		struct error *error);

/* Return the name of the first option that was given and whose row has
 * (row->flags & mask) == flags. Return NULL if there is no such option. */
const char *options_find(const struct options *options, unsigned mask,
			 unsigned flags);

/* Record the options in a result, as their rows require. */
void options_record(const struct options *options, struct result_run *run);

void options_free(struct options *options);

#endif
