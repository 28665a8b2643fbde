/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside comparison: a comparison as it is made, and whether it can be.
 */
#ifndef COMPARE_CHECK_H
#define COMPARE_CHECK_H

#include "compare/comparison.h"

struct making {
	struct comparison *comparison;
	const struct comparison_question *question;
	const struct result *results[SIDES];
	const char *names[SIDES]; /* for messages: never the same */
	struct error *error;
};

/*
 * Can the results be put beside each other? Gathers the comparison's warnings.
 * Returns 0, or -EINVAL with `error` set.
 */
int comparison_check(const struct making *making);

/* "user" or "users". */
static inline const char *users_word(unsigned users)
{
	return users == 1 ? "user" : "users";
}

#endif
