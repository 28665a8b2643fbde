/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs that trace or decode for us, strace and tshark, as subprocesses.
 * They are looked for in PATH when they are needed.
 */
#ifndef CAPTURE_DECODE_TOOL_H
#define CAPTURE_DECODE_TOOL_H

#include "base/error.h"

#include <stdio.h>
#include <sys/types.h>

struct tool {
	const char *name;    /* of the program */
	const char *package; /* of Debian, which has it */
	const char *version_option;
	unsigned needs_major, needs_minor; /* the oldest version that will do */
};

extern const struct tool tool_strace, tool_tshark;

/*
 * Get the version of a tool, such as "6.1". Return 0, or -errno with `error`
 * set: -ENOENT if it is not installed, -EINVAL if it is too old.
 */
enum { TOOL_VERSION = 32 };
int tool_version(const struct tool *tool, char version[TOOL_VERSION], struct error *error);

/* A tool that is running. */
struct tool_run {
	const struct tool *tool;
	pid_t pid;
	FILE *output; /* its standard output */
	int messages; /* a file with its standard error */
};

/*
 * Start a tool. `arguments` begin with its name and end with NULL. `input` is a
 * descriptor for its standard input, or -1 for none. The kernel kills it when we
 * die. Return 0, or -errno with `error` set.
 */
int tool_start(struct tool_run *run, const struct tool *tool, const char *const *arguments,
	       int input, struct error *error);

/*
 * Close the output of a tool and wait for its end. If its output has not been
 * read to the end, kill it. Return 0, or -errno with `error` set if it has
 * failed: its last messages, or that it is not installed (-ENOENT).
 */
int tool_finish(struct tool_run *run, struct error *error);

#endif
