/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng --version: the version, the compiler, the backends and the tools.
 */
#include "cli/cli.h"

#include "capture/capture.h"
#include "target/backends.h"

#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_backend(const struct backend_row *row)
{
	const char *const *scheme = row->schemes;
	const char *client = backends_client(row);
	struct error error = {0};
	const struct backend *backend = backends_load(row, &error);

	printf("%-9s ", row->name);
	if (backend == NULL) {
		printf("absent%s%s: %s\n", client != NULL ? " with client=" : "",
		       client != NULL ? client : "", error.text);
		return;
	}
	printf("%s %s; targets:", row->library, backend->library_version());
	for (; *scheme != NULL; scheme++)
		printf(" %s%s", **scheme != '\0' ? *scheme : "PATH", **scheme != '\0' ? ":" : "");
	if (client != NULL)
		printf(" (client=%s%s)", client,
		       row == backends_find(row->schemes[0], NULL) ? ", the default" : "");
	putchar('\n');
}

int cli_version(int argc, const char **argv)
{
	const struct backend_row *row;

	printf("throng %s\n", PACKAGE_VERSION);
	printf("compiler  %s\n", COMPILER);
	/* Backends in the same module share a library: print one line for
	 * them. */
	for (row = backends; row->name != NULL; row++)
		if (row == backends || row->module == NULL || row[-1].module == NULL ||
		    strcmp(row->module, row[-1].module) != 0)
			print_backend(row);
	capture_print_tools(stdout);
	return EXIT_VALID;
}
