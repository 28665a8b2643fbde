/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find the word that a misspelt word probably stands for, for messages such as
 * `"wirte" is not an operation; did you mean write?`.
 *
 * A candidate is near if it differs only in ASCII case, or by one typing error:
 * a letter too many, too few or wrong, or two neighbours in the wrong order. In
 * a word of at least 6 letters, two errors are near too. Words of fewer than 3
 * letters are near only to themselves in another case.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

/* Max length of a word that can be near another one. */
enum { SUGGEST_WORD_MAX = 63 };

/* The nearest candidate so far. Start with {.word = WORD}. */
struct suggestion {
	const char *word;    /* the misspelt word */
	const char *nearest; /* NULL: no candidate was near */
	unsigned errors;     /* typing errors between the two */
};

/* Offer a candidate, which must stay valid. Among equally near ones the first
 * counts. */
void suggest_offer(struct suggestion *suggestion, const char *candidate);

#endif
