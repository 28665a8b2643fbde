/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare bytes that were read with those that the map knows to be there, and
 * read on where a target has returned fewer bytes than there are.
 */
#ifndef VERIFY_COMPARE_H
#define VERIFY_COMPARE_H

#include "target/backend.h"
#include "verify/flight.h"
#include "verify/verify.h"

/* A read that has returned, but is in flight until it has been compared. */
struct compare_read {
	const struct verify *verify;
	unsigned user; /* index of the user's map */
	struct flights *flights;
	const struct flight *flight;
	arena_ref file;
	uint64_t offset;
	const char *bytes;
	uint64_t returned; /* number of bytes */
	uint64_t wanted;   /* number of bytes asked for */
	bool failed;       /* the rest cannot be read, so the end proves nothing */
};

/* How to read on: by a procedure, or, if `call` is NULL, by handle. */
struct compare_reader {
	const struct backend *backend;
	struct backend_session *session;
	const struct backend_call *call;
	int64_t handle;
	char *buffer; /* for all bytes asked for */
	bool direct;  /* offsets must be aligned */
};

/* Alignment of the data of direct I/O. */
enum { COMPARE_ALIGNMENT = 4096 };

/*
 * Read the rest of what the file is known to have: a target may return fewer
 * bytes than there are. Return 0, or the -errno of a read that failed. The rest
 * of a direct read can be read only from the beginning of a block on.
 */
int compare_read_rest(const struct compare_reader *reader, struct compare_read *read);

/*
 * Compare all bytes that are known and not in doubt, and add their number to *compared. Return
 * false if there is a difference, and fill in `difference` for the first one,
 * except for its path. Also compare where the read ended with the end of the
 * file.
 */
bool compare_bytes(const struct compare_read *read, uint64_t *compared,
		   struct difference *difference);

#endif
