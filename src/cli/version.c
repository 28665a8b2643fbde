/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "backend/backends.h"

#include <stdio.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

int cli_version(int argc, const char **argv)
{
	const struct backend *const *backend;

	(void)argc;
	(void)argv;
	printf("throng %s\n", PACKAGE_VERSION);
	printf("compiler  %s\n", COMPILER);
	for (backend = backends; *backend != NULL; backend++) {
		const char *const *scheme = (*backend)->schemes;

		printf("%-9s %s %s; plays", (*backend)->name,
		       (*backend)->library, (*backend)->library_version());
		for (; *scheme != NULL; scheme++)
			printf(" %s%s", **scheme != '\0' ? *scheme : "PATH",
			       **scheme != '\0' ? ":" : "");
		putchar('\n');
	}
	return EXIT_VALID;
}
