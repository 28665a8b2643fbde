/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An option of the command line: a row that describes it, and its value.
 *
 * A row has the name of an option, the values that it accepts, the field for
 * the value, and how a result records it. This is enough to print help, to
 * parse and record the value, and to free it.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "base/error.h"
#include "result/result.h"

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
	OPTION_SHARE,    /* double, >= share_min and < share_limit */
	OPTION_NUMBER,   /* double, >= share_min and <= share_limit, such as
			  * 2.5 or 10k */
	OPTION_WORD,     /* bool or an enum: the index of one of the words */
};

enum option_flag {
	OPTION_SHOWS_DEFAULT = 1, /* help shows the initial value */
	OPTION_STORED = 2,        /* also accepted with stored results, because it
				   * does not change how targets are measured */
	OPTION_RUN_ONLY = 4,      /* `throng compare` refuses the option */
	OPTION_ALL = 8,           /* all its texts hold, so a result records them as
				   * "a, b" and not as "a or b" */
	OPTION_SWEPT = 16,        /* --sweep can vary the option */
	OPTION_ONCE = 32,         /* of OPTION_TEXTS: a second text is refused, so help
				   * does not show "..." */
	OPTION_COMMON = 64,       /* --help shows the option, and not only --help-all */
};

/* Parse the text of the option --NAME into `field`. Return 0, or -EINVAL with
 * `error` set. */
typedef int option_parser(const char *text, const char *name, void *field, struct error *error);

struct completion; /* cli/completion.h */
typedef void option_offer(const struct completion *completion);

struct option_row {
	const char *name; /* "ramp-down"; NULL ends a list of rows */
	char letter;      /* the short option, such as u; 0: none */
	enum option_kind kind;
	/* Name of its argument in help; NULL: it has none. */
	const char *argument;
	/* The description, in the rest of a line of 80 columns; help adds the
	 * list of words and the default. */
	const char *help;
	/* The place and size of the field; write them with OPTION_AT. If bytes
	 * is 0, there is no field, and other code parses the texts. */
	size_t at, bytes;
	uint64_t min, max;
	double share_min, share_limit;
	const char *unit;         /* of the default of OPTION_COUNT in help; or NULL */
	const char *infinite;     /* of OPTION_NUMBER, a word for INFINITY; or NULL */
	const char *const *words; /* the words of OPTION_WORD; ended by NULL */
	/* OPTION_TEXT: parses the text into the field, which may then have any type.
	 * NULL: the field points to the text. */
	option_parser *parse;
	/* Offers values to complete, besides `words` and files; or NULL. */
	option_offer *offer;
	/* Required end of a file name: ".json"; NULL: any. */
	const char *ending;
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

/* The options of the subcommands. run and compare share some of them. */
extern const struct option_row run_rows[], compare_rows[], sweep_rows[], load_rows[], target_rows[],
	check_rows[], report_rows[], record_rows[], import_rows[], loads_rows[], serve_rows[],
	verify_rows[], clean_rows[];

#define OPTION_AT(type, member) \
	.at = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)
#define OPTION_PLAN(member) .plan_at = offsetof(struct result_run, member)

enum { OPTION_ARGUMENT = 16 };

/* An option, and its texts on the command line. */
struct option {
	const struct option_row *row;
	void *field;
	bool refused; /* see struct option_group in options.h */
	char *help;
	char argument[OPTION_ARGUMENT]; /* "FILE..." if it may be repeated */
	/* The last text, or all of them for OPTION_TEXTS; ended by NULL. NULL:
	 * the option was not given. */
	const char **texts;
	size_t text_count;
	/* The number of the first of them that a preset has added. */
	size_t preset_count;
};

/* Return an allocated help text: the row's help, its words and its default.
 * Return NULL if memory is short. */
char *option_help(const struct option *option);

/*
 * Add an allocated text to an option's texts. An option of kind OPTION_TEXTS
 * keeps its earlier texts; for any other kind they are freed. Return 0, or
 * -ENOMEM also if `text` is NULL.
 */
int option_add_text(struct option *option, char *text);

/* Do the same with a text of a preset: it stands before those of the user. */
int option_add_preset(struct option *option, char *text);

void option_free_texts(struct option *option);

/*
 * Set an option's field from its text or texts. A flag's text is yes or no. The
 * field may then point to the texts. `name` is for messages. Return 0, or
 * -EINVAL with `error` set, or -ENOMEM.
 */
int option_parse(const struct option *option, const char *name, struct error *error);

/* Record the option in a result, as its row requires. */
void option_record(const struct option *option, struct result_run *run);

#endif
