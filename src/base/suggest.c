/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Number of letters from which on one and two errors are near. */
enum { LETTERS_ONE = 3, LETTERS_TWO = 6 };

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Return the number of typing errors between two words of at most
 * SUGGEST_WORD_MAX letters: the optimal string alignment distance.
 */
static unsigned count_errors(const char *a, size_t a_length, const char *b, size_t b_length)
{
	/* Row i of the table is rows[i % 3]: only the last two are needed. */
	unsigned rows[3][SUGGEST_WORD_MAX + 1];
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (i = 1; i <= a_length; i++) {
		const unsigned *before = rows[(i + 1) % 3];
		const unsigned *last = rows[(i + 2) % 3];
		unsigned *row = rows[i % 3];

		row[0] = (unsigned)i;
		for (j = 1; j <= b_length; j++) {
			row[j] = smaller(last[j], row[j - 1]) + 1;
			row[j] = smaller(row[j], last[j - 1] + !same_letter(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void suggest_offer(struct suggestion *suggestion, const char *candidate)
{
	size_t length = strlen(suggestion->word);
	size_t candidate_length = strlen(candidate);
	unsigned near = length >= LETTERS_TWO ? 2 : length >= LETTERS_ONE ? 1 : 0;
	unsigned errors;

	if (length > SUGGEST_WORD_MAX || candidate_length > SUGGEST_WORD_MAX)
		return;
	errors = count_errors(suggestion->word, length, candidate, candidate_length);
	if (errors > near || (suggestion->nearest != NULL && errors >= suggestion->errors))
		return;
	suggestion->nearest = candidate;
	suggestion->errors = errors;
}
