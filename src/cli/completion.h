/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of command lines in shells. `throng --complete WORD...` lists what may
 * stand in place of the last word; the scripts of `throng completion SHELL` show it.
 *
 * The first line says what else may stand there: "files", "directories", "commands"
 * or "words" (nothing else). After a blank, it has the part of the word that precedes
 * the name of such a file. Each other line is a whole word, a tab and its help.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/options.h"

/* The option that asks for a list. Only main.c and the scripts use it. */
#define COMPLETE_OPTION "--complete"

/* The scripts (share/). */
extern const char completion_bash[], completion_zsh[], completion_fish[];

/* A word to complete. */
struct completion {
	const struct options *options; /* with the texts of earlier words */
	const char *word;
	const char *value;    /* the part of `word` that is the value of an option */
	const char *argument; /* the last earlier word that is no option, or NULL */
};

/* Print a candidate for the value, if it begins like it. `end` stands after it, such
 * as "=". */
void completion_offer(const struct completion *completion, const char *text, const char *end,
		      const char *help);

/* Offer the loads of the library. */
void completion_offer_loads(const struct completion *completion);

/* Offer the parameters of the loads of -c, each with "=". Without -c, the load is the
 * argument, as of `throng check`, or the default. */
void completion_offer_parameters(const struct completion *completion);

/*
 * List what may stand in place of the last of `words`, which NULL ends. `usage` names
 * the arguments of the subcommand that are no options.
 */
void completion_list(struct options *options, const char *usage, const char *const *words);

#endif
