/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of --loadfile: FILE, or FILE:WEIGHT if the run has several loads.
 */
#ifndef CLI_MEASURE_LOAD_WORD_H
#define CLI_MEASURE_LOAD_WORD_H

#include "base/error.h"

#include <limits.h>

struct load_word {
	char file[PATH_MAX];
	unsigned weight; /* 1 if the word has none */
};

/*
 * Split a word. If there is a file with the whole word as its name, the word
 * has no weight. Return 0, or -EINVAL with `error` set if the weight is not
 * from 1 to LOADS_WEIGHT_MAX, or if the name is too long.
 */
int load_word_parse(const char *text, struct load_word *word, struct error *error);

#endif
