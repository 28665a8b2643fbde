/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare bytes that were read with those that the map knows to be there.
 */
#ifndef VERIFY_COMPARE_H
#define VERIFY_COMPARE_H

#include "verify/verify.h"

/* A read that has returned. */
struct compare_read {
	const struct verify *verify;
	unsigned user; /* index of the user's map */
	arena_ref file;
	uint64_t offset;
	const char *bytes;
	uint64_t returned; /* number of bytes */
	uint64_t wanted;   /* number of bytes asked for */
	bool failed;       /* the rest cannot be read, so the end proves nothing */
};

/* Return whether the file is known to have more of the bytes asked for than the
 * read has returned. */
bool compare_lacks_bytes(const struct compare_read *read);

/*
 * Compare all bytes that are known, and add their number to *compared. Return
 * false if there is a difference, and fill in `difference` for the first one,
 * except for its path. Also compare where the read ended with the end of the
 * file.
 */
bool compare_bytes(const struct compare_read *read, uint64_t *compared,
		   struct difference *difference);

#endif
