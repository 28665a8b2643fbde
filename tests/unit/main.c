/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run groups of unit tests, each in a process of its own, so that a crash, a
 * leak or a changed global of one does not affect the others.
 *
 *     units [NAME...]    run these groups, or all
 *     units --list       print the names of all
 *
 * A group is a file NAME.c in this folder with a function `int unit_NAME(void)`
 * that returns how many tests failed. To add one, add the file to `unit_files`
 * in Makefile.am, from which groups.h is made.
 *
 * The exit status is 0 if no group failed, 77 if all were skipped, 75 if a wait
 * ran out that a test declared, and otherwise the status of the first group that
 * failed: 1 after a failed test or a signal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	EXIT_USAGE = 2,
	EXIT_WAITED_IN_VAIN = 75,
	EXIT_SKIPPED = 77,
};

struct group {
	const char *name;
	int (*run)(void);
};

#define GROUP(name) int unit_##name(void);
#include "tests/unit/groups.h"
#undef GROUP

#define GROUP(name) {#name, unit_##name},
static const struct group groups[] = {
#include "tests/unit/groups.h"
};

enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

static const struct group *find_group(const char *name)
{
	size_t i;

	for (i = 0; i < GROUPS; i++) {
		if (strcmp(groups[i].name, name) == 0)
			return &groups[i];
	}
	return NULL;
}

/* Run a group in a child, and return its exit status, which is 1 for a signal.
 * On stderr, name a group that failed. After one that was skipped, its reason
 * stays the last line. */
static int run_group(const struct group *group)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		exit(group->run() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror(group->name);
		return EXIT_FAILURE;
	}
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "units: %s: killed by signal %d (%s)\n", group->name,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		return EXIT_FAILURE;
	}
	if (WEXITSTATUS(status) != EXIT_SUCCESS && WEXITSTATUS(status) != EXIT_SKIPPED)
		fprintf(stderr, "units: %s: exit status %d\n", group->name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

/* Return how much an exit status of a group matters for that of all. */
static int gravity(int status)
{
	switch (status) {
	case EXIT_SKIPPED:
		return 0;
	case EXIT_SUCCESS:
		return 1;
	case EXIT_WAITED_IN_VAIN:
		return 2;
	default:
		return 3;
	}
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? argc - 1 : GROUPS;
	int result = EXIT_SKIPPED, status, i;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (i = 0; i < GROUPS; i++)
			puts(groups[i].name);
		return EXIT_SUCCESS;
	}
	for (i = 1; i < argc; i++) {
		if (find_group(argv[i]) == NULL) {
			fprintf(stderr, "units: no such group: %s\n", argv[i]);
			return EXIT_USAGE;
		}
	}
	for (i = 0; i < count; i++) {
		status = run_group(argc > 1 ? find_group(argv[i + 1]) : &groups[i]);
		if (gravity(status) > gravity(result))
			result = status;
	}
	return result;
}
