/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read-files result|comparison FILE...: read files of this kind, and print for
 * each why it is refused, or "FILE: read". tests/golden/results and
 * tests/golden/comparisons have too many to start throng for each.
 */
#include "compare/json.h"
#include "result/read.h"

#include <stdio.h>
#include <string.h>

static void read_one(bool compares, const char *path, struct error *error)
{
	struct result results[SIDES] = {0};
	struct read_question asked = {0};

	if (!compares && read_result(path, &results[BASE], error) == 0)
		result_free(&results[BASE]);
	if (compares && read_comparison(path, results, &asked, error) == 0) {
		result_free(&results[BASE]);
		result_free(&results[NEW]);
		read_question_free(&asked);
	}
}

int main(int argc, char **argv)
{
	int i;

	for (i = 2; i < argc; i++) {
		char text[sizeof(struct error) + 1];
		struct error error = {0};

		read_one(strcmp(argv[1], "comparison") == 0, argv[i], &error);
		if (error.set)
			puts(error_print(&error, text, sizeof(text)));
		else
			printf("%s: read\n", argv[i]);
	}
	return 0;
}
