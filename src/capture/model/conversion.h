/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversion report of a recording: what became of each call of the source.
 * Every call is counted once, so the rows sum to the number of calls.
 *
 * A call begins with conversion_begin() and ends when the next one begins. In
 * between, conversion_set() may be called several times; the last row in the
 * order of enum conversion_row wins. A call without any is converted.
 */
#ifndef CAPTURE_MODEL_CONVERSION_H
#define CAPTURE_MODEL_CONVERSION_H

#include "base/intern.h"
#include "capture/model/flight.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum conversion_row {
	CONVERSION_ELSEWHERE,    /* not about the recorded directory */
	CONVERSION_MERGED,       /* part of another call's operation */
	CONVERSION_CONVERTED,    /* an operation of the same effect */
	CONVERSION_APPROXIMATED, /* an operation of a similar effect */
	CONVERSION_DROPPED,      /* no operation */
	CONVERSION_ROWS
};

struct conversion {
	uint64_t counts[CONVERSION_ROWS];
	/* The reasons: one character for the row, then the text. */
	struct intern reasons;
	uint64_t *reason_counts; /* by the number of the reason */
	size_t reason_room;
	uint64_t *reason_lines; /* where the first of its calls is */
	size_t line_room;
	/* The current call. */
	bool began, decided;
	enum conversion_row row;
	uint64_t line;
	uint64_t begin_ns, end_ns; /* 0: not known when it ended */
	char reason[128];
	bool failed; /* out of memory */
	/* The calls that are not ELSEWHERE. */
	struct flight flight;
};

/* Begin to count a call, which is in this line, frame or record of the source.
 * End the call before it. */
void conversion_begin(struct conversion *conversion, uint64_t line);

/* Set when the current call began and ended. Without this, it does not count as
 * in flight. */
void conversion_time(struct conversion *conversion, uint64_t begin_ns, uint64_t end_ns);

/* End the current call. */
void conversion_end(struct conversion *conversion);

/* Put the current call into a row. The reason is a text for people, such as
 * "mmap as one read of its range"; it is not used for ELSEWHERE and
 * CONVERTED. */
void conversion_set(struct conversion *conversion, enum conversion_row row, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Has the current call been dropped? */
bool conversion_is_dropped(const struct conversion *conversion);

/* Return the reason for the row of the current call. It is valid until the next
 * conversion_set(). */
const char *conversion_reason(const struct conversion *conversion);

/* Return the number of calls. */
uint64_t conversion_calls(const struct conversion *conversion);

/*
 * Find the reason of the first dropped call in the source. Set *line. Return
 * the reason, which is valid until the conversion changes, or NULL if no call
 * was dropped.
 */
const char *conversion_first_dropped(const struct conversion *conversion, uint64_t *line);

/* Print the rows from CONVERTED to DROPPED with their shares and reasons, each
 * line after `prefix`. Shares are those of the calls that are not ELSEWHERE. */
void conversion_print(const struct conversion *conversion, const char *prefix, FILE *stream);

struct recording_totals;

/* Print how many calls were in flight, if that is known, and how many streams the
 * load has, if several, as a line after `prefix`. */
void conversion_print_flight(struct conversion *conversion, const struct recording_totals *totals,
			     const char *prefix, FILE *stream);

void conversion_free(struct conversion *conversion);

#endif
