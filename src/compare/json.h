/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read a comparison that comparison_json has stored, to judge it again. The file
 * is untrusted.
 */
#ifndef COMPARE_JSON_H
#define COMPARE_JSON_H

#include "compare/comparison.h"

/* A stored comparison, to be judged again. */
struct stored_comparison {
	struct result results[SIDES];
	char *names[SIDES];
	struct comparison_question question; /* its lists belong to this structure */
};

/* Check if the file contains a stored comparison, according to its schema. */
bool is_comparison(const char *path);

/*
 * Read the results and the question of a comparison from a file that
 * comparison_json wrote. The verdicts are not read. Return 0; or -EINVAL with
 * `error` set and nothing to free.
 */
int read_comparison(const char *path, struct stored_comparison *stored, struct error *error);

/* Free it. It may be all zeros or already freed. */
void stored_comparison_free(struct stored_comparison *stored);

#endif
