/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a trace by strace, and their times. All functions are linear in the
 * length of the line, and accept any bytes.
 */
#ifndef CAPTURE_STRACE_LINE_H
#define CAPTURE_STRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum strace_line_kind {
	STRACE_CALL,       /* a whole call */
	STRACE_UNFINISHED, /* the beginning of a call */
	STRACE_RESUMED,    /* the rest of it */
	STRACE_EXITED,     /* the process has ended */
	STRACE_SUPERSEDED, /* another thread of the process takes its PID */
	STRACE_NOTE,       /* a signal, a message of strace, a summary */
};

struct strace_line {
	enum strace_line_kind kind;
	uint32_t pid;     /* 0: the line has none */
	bool bracketed;   /* as [pid N], which lines of an only process lack */
	bool timed;       /* the line has a time: */
	bool of_day;      /* since midnight (-t, -tt) */
	uint64_t time_ns; /* as the line has it; see struct strace_clock */
	const char *name; /* of the call, not followed by a NUL */
	size_t name_bytes;
	/* After the opening parenthesis, or after "resumed>". Of an unfinished
	 * call, `rest_bytes` are arguments. */
	char *rest;
	size_t rest_bytes;
	uint32_t thread; /* SUPERSEDED: the PID that is given up */
};

/* Parse a line of `bytes` bytes that is followed by a NUL. Return false if it is
 * not a line of strace. */
bool strace_line_parse(char *text, size_t bytes, struct strace_line *line);

/* Is the time of a line that since the line before (-r)? */
bool strace_time_is_relative(const struct strace_line *line);

/* The clock of a trace, whose lines have times of several kinds. It begins as
 * zero. */
struct strace_clock {
	uint64_t now_ns; /* of the line before */
	uint64_t day_ns; /* when the current day began, if days are known */
};

/*
 * Return the time of the trace's next line in nanoseconds, or 0 if it has none:
 * since the epoch (-ttt), since the midnight before the trace (-t, -tt), or since
 * the trace began (-r; then lines have the time since the line before).
 */
uint64_t strace_clock_read(struct strace_clock *clock, const struct strace_line *line);

enum { STRACE_ARGUMENTS = 10 };

/* The arguments and the result of a call. */
struct strace_call {
	/* Missing arguments are "". */
	const char *arguments[STRACE_ARGUMENTS];
	bool cut; /* the trace ends before the call does */
	bool failed;
	int64_t result;    /* if it has not failed */
	const char *error; /* if it has failed: a name such as "ENOENT", or "?" if
			    * the result is unknown */
	const char *path;  /* "</path>" after the result, or NULL */
	uint64_t duration_ns;
};

/*
 * Parse what follows the opening parenthesis, and change it. With `cut`, the text
 * has only arguments, as the call did not return. Return false if the text is
 * malformed.
 */
bool strace_call_parse(char *text, bool cut, struct strace_call *call);

/* Find the end of a call's arguments, which is its closing parenthesis, and its
 * duration, in the text after the opening one. Return false if there is none. */
bool strace_call_end(char *text, char **end, uint64_t *duration_ns);

/* Copy the string "..." without its quotes and escapes. Return false if the
 * argument is not a whole string, or too long. */
bool strace_string(const char *argument, char *buffer, size_t size);

/* Copy the path of a descriptor, such as 3</path> or AT_FDCWD</path>. Set
 * *deleted if the trace says that it has been removed. Return false if there is
 * no absolute path, or it is too long. */
bool strace_annotation(const char *argument, char *buffer, size_t size, bool *deleted);

/* Is this a descriptor of something without a path, such as 3<pipe:[7]>? */
bool strace_is_other(const char *argument);

/* Return a number, or 0 if the argument is not one. Numbers are limited to the
 * range of int64_t. */
int64_t strace_number(const char *argument);

/* Does an argument such as O_RDWR|O_CREAT have this word? */
bool strace_has(const char *argument, const char *word);

/* Take the next element off a list such as [{a=1}, {a=2}]; *list begins after the
 * bracket. Return it, or NULL at the end of the list. */
const char *strace_next_element(char **list);

/* Return the text after `field` in a structure such as {st_mode=..., ...}, or
 * NULL if the argument is not a structure or does not have it. `field` includes
 * the equals sign. */
const char *strace_field(const char *argument, const char *field);

#endif
