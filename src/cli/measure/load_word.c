/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/load_word.h"

#include "base/units.h"
#include "load/library.h"
#include "study/loads.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Room for the beginning of a message. */
enum { WHAT_BYTES = 128 };

/* Return the colon before the weight, or NULL if the word has no weight. */
static const char *find_colon(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (colon == NULL || colon == text || colon[1] == '\0' ||
	    colon[1 + strspn(colon + 1, "0123456789")] != '\0' || access(text, F_OK) == 0)
		return NULL;
	return colon;
}

/* Refuse "FILE:WEIGHT" with a weight that is not a whole number. Any other name
 * with a colon may be the name of a file. */
static int check_weight(const char *text, const struct load_word *word, struct error *error)
{
	const char *colon = strrchr(text, ':');
	struct error ignored = {0};
	char name[sizeof(word->file)], path[PATH_MAX];

	if (colon == NULL || colon == text || access(text, F_OK) == 0)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(colon - text), text);
	if (access(name, F_OK) < 0 && library_find(name, path, &ignored) < 0)
		return 0;
	error_set(
		error,
		"--loadfile: the weight in \"%s\" is not a whole number; expected for example %s:2",
		text, name);
	return -EINVAL;
}

int load_word_parse(const char *text, struct load_word *word, struct error *error)
{
	const char *colon = find_colon(text);
	size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
	uint64_t weight = 1;
	char what[WHAT_BYTES];

	if (length >= sizeof(word->file)) {
		error_set(error, "--loadfile: \"%.60s...\" is too long", text);
		return -EINVAL;
	}
	if (colon == NULL && check_weight(text, word, error) < 0)
		return -EINVAL;
	snprintf(what, sizeof(what), "--loadfile: the weight of \"%.80s\"", text);
	if (colon != NULL &&
	    units_parse_count(colon + 1, what, 1, LOADS_WEIGHT_MAX, &weight, error) < 0)
		return -EINVAL;
	memcpy(word->file, text, length);
	word->file[length] = '\0';
	word->weight = (unsigned)weight;
	return 0;
}
