/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of a command line: read them into the fields that the rows of
 * option.h name, and print the help. Subcommands use options_given and
 * options_find to check combinations of options.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/option.h"

#include <popt.h>

struct option_group {
	const char *heading;           /* its heading in help; NULL: none */
	const struct option_row *rows; /* NULL ends a list of groups */
	void *values;                  /* the struct that has the rows' fields */
	unsigned refused;              /* rows with one of these flags are not in help */
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
 * Read a command line. --help shows argv[0] as the name of the program, followed
 * by `usage`, the common options and the two lines of `examples`, unless that is
 * NULL; --help-all shows all options. --complete lists words, see completion.h.
 * Before the call, set the fields to their default values; don't change them
 * before options_parse. Return EXIT_VALID; CLI_HELP after printing help; or
 * EXIT_REFUSED after a message. Call options_free even after an error.
 */
int options_read(struct options *options, const struct option_group *groups, const char *usage,
		 const char *examples, int argc, const char **argv);

/*
 * Parse the options that were given, and set their fields. The fields may then
 * point to texts in `options`. Return 0, or -EINVAL with an `error` that names
 * the option, its text and what was expected.
 */
int options_parse(const struct options *options, struct error *error);

/* Check if an option of a preset, with this text, gives way to the options that
 * the user has given. */
typedef bool options_gives_way(const struct options *options, const char *name, const char *text);

/*
 * Add the options in `line`, which is read as a shell does, except those that
 * give way. They stand before those of the user. Return 0, or -ENOMEM, or
 * -EINVAL if the line has anything but options.
 */
int options_add_preset(struct options *options, const char *line, options_gives_way *gives_way);

/* Check if the user gave the option --NAME; a preset does not count. */
bool options_given(const struct options *options, const char *name);

/* Return the text of --NAME, from the user or a preset, or NULL if there is none. */
const char *options_text(const struct options *options, const char *name);

/* Return all these texts of --NAME, ended by NULL; or NULL if there is none. */
const char *const *options_texts(const struct options *options, const char *name);

/* Check if there is an option --NAME, given or not, that --sweep can vary. */
bool options_swept(const struct options *options, const char *name);

/*
 * Set the field of the option --NAME, which must exist, in another struct of
 * the kind that its group's `values` point to. A flag takes yes or no. The
 * field may then point to `text`. Error messages name the option as
 * "CONTEXT NAME". Return 0, or -EINVAL with `error` set.
 */
int options_set(const struct options *options, const char *name, const char *text,
		const char *context, void *values, struct error *error);

/* Return the name of the first option that was given and whose row has
 * (row->flags & mask) == flags. Return NULL if there is no such option. */
const char *options_find(const struct options *options, unsigned mask, unsigned flags);

/* Record the options in a result, as their rows require. */
void options_record(const struct options *options, struct result_run *run);

void options_free(struct options *options);

#endif
