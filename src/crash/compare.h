/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare bytes that were read from a file with what a state says about them.
 */
#ifndef CRASH_COMPARE_H
#define CRASH_COMPARE_H

#include "crash/check.h"

enum { STATE_READ_BYTES = 1 << 20 }; /* max size of a read */

/* The check of one file. */
struct state_checking {
	const struct state_check *check;
	const struct backend *backend;
	struct backend_session *session;
	const struct state_file *file;
	const char *path; /* the name by which it was opened */
	int64_t handle;
	bool end_reported; /* there is a finding about the file's end */
	bool denied;       /* a name or a range cannot be read: no permission */
	struct state_report *report;
	uint64_t *steps;
	char *buffer; /* STATE_READ_BYTES bytes */
};

/* Bytes of a range that were read. */
struct state_piece {
	const struct state_range *range;
	uint64_t at;
	const char *bytes;
	size_t size;
};

/* Count a finding. Return the place to describe it, or NULL if there is none
 * left. */
struct state_finding *state_add_finding(const struct state_checking *checking,
					enum state_finding_kind kind);

/* Check bytes that must be there, at most STATE_READ_BYTES. */
void state_compare_must(const struct state_checking *checking, const struct state_piece *piece);

/* Check bytes, at most STATE_READ_BYTES, of which one of several versions may be
 * there. */
void state_compare_may(const struct state_checking *checking, const struct state_piece *piece);

#endif
