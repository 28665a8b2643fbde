/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read-files KIND FILE...: read files, and print for each why it is refused, or
 * "FILE: read". tests/golden/results and tests/golden/comparisons have too many
 * to start throng for each. KIND is "result", "comparison", or "small" for JSON
 * of at most 1000 bytes.
 */
#include "compare/json.h"
#include "result/json_cursor.h"
#include "stats/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_one_result(const char *path, struct error *error)
{
	struct result result;

	if (summary_read(path, &result, error) == 0)
		result_free(&result);
}

static void read_one_comparison(const char *path, struct error *error)
{
	struct stored_comparison stored;

	if (read_comparison(path, &stored, error) == 0)
		stored_comparison_free(&stored);
}

static void read_one_small(const char *path, struct error *error)
{
	struct json_cursor root = json_cursor_open(path, 1000, error);

	json_cursor_close(&root);
}

static const struct {
	const char *kind;
	void (*read)(const char *path, struct error *error);
} readers[] = {
	{"result", read_one_result},
	{"comparison", read_one_comparison},
	{"small", read_one_small},
};

int main(int argc, char **argv)
{
	size_t reader = 0;
	int i;

	while (argc > 1 && strcmp(readers[reader].kind, argv[1]) != 0)
		if (++reader == sizeof(readers) / sizeof(readers[0]))
			return EXIT_FAILURE;
	for (i = 2; i < argc; i++) {
		char text[sizeof(struct error) + 1];
		struct error error = {0};

		readers[reader].read(argv[i], &error);
		if (error.set)
			puts(error_print(&error, text, sizeof(text)));
		else
			printf("%s: read\n", argv[i]);
	}
	return 0;
}
