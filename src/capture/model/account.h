/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The account of a recording: the fate of each call of the source. Every call
 * is counted once, so the rows sum to the number of calls.
 *
 * A call begins with account_begin() and ends when the next one begins. In
 * between, account_set() may be called several times; the last row in the order
 * of enum account_row wins. A call without any is converted.
 */
#ifndef CAPTURE_MODEL_ACCOUNT_H
#define CAPTURE_MODEL_ACCOUNT_H

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum account_row {
	ACCOUNT_ELSEWHERE, /* not about the recorded directory */
	ACCOUNT_FOLDED,    /* part of another call's operation */
	ACCOUNT_CONVERTED, /* an operation of the same effect */
	ACCOUNT_NEAR,      /* an operation of a similar effect */
	ACCOUNT_DROPPED,   /* no operation */
	ACCOUNT_ROWS
};

struct call_account {
	uint64_t counts[ACCOUNT_ROWS];
	/* The reasons: one character for the row, then the text. */
	struct intern reasons;
	uint64_t *reason_counts; /* by the number of the reason */
	size_t reason_room;
	uint64_t *reason_lines; /* where the first of its calls is */
	size_t line_room;
	/* The current call. */
	bool began, decided;
	enum account_row row;
	uint64_t line;
	char reason[128];
	bool failed; /* out of memory */
};

/* Begin to count a call, which is in this line, frame or record of the source.
 * End the call before it. */
void account_begin(struct call_account *account, uint64_t line);

/* End the current call. */
void account_end(struct call_account *account);

/* Put the current call into a row. The reason is a text for people, such as
 * "mmap as one read of its range"; it is not used for ELSEWHERE and
 * CONVERTED. */
void account_set(struct call_account *account, enum account_row row, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Has the current call been dropped? */
bool account_is_dropped(const struct call_account *account);

/* Return the reason for the row of the current call. It is valid until the next
 * account_set(). */
const char *account_reason(const struct call_account *account);

/* Return the number of calls. */
uint64_t account_calls(const struct call_account *account);

/*
 * Find the reason of the first dropped call in the source. Set *line. Return
 * the reason, which is valid until the account changes, or NULL if no call was
 * dropped.
 */
const char *account_first_dropped(const struct call_account *account, uint64_t *line);

/* Print the rows from CONVERTED to DROPPED with their shares and reasons, each
 * line after `prefix`. Shares are those of the calls that are not ELSEWHERE. */
void account_print(const struct call_account *account, const char *prefix, FILE *stream);

void account_free(struct call_account *account);

#endif
