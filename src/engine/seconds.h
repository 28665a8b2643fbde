/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a point did in each second of its measured window, seen by the parent
 * from outside while the users play. The memory for it is there before.
 */
#ifndef ENGINE_SECONDS_H
#define ENGINE_SECONDS_H

#include "engine/stats.h"

/* Some second: from the end of the one before it on. */
struct second {
	uint64_t end_ns; /* counted from the window's begin */
	uint64_t bytes;
	uint64_t p99_ns; /* of all operations; 0: not known */
};

struct seconds {
	struct second *list;
	size_t count, room; /* what is beyond the room is not kept */
	uint64_t bytes;     /* up to the last one's end */
	/* Whole seconds without any operation; those of a silence that has not
	 * been seen to end. */
	uint64_t silent, silent_now;
	uint32_t *cells;    /* all users' live histograms at that time */
	struct histogram_total *between;
};

/*
 * Makes room for a window of `window_ns`; CLOCK_NEVER: nobody knows how long.
 * Returns 0 or -ENOMEM.
 */
int seconds_open(struct seconds *seconds, uint64_t window_ns);

/* The users as they are found. */
struct seconds_seen {
	uint64_t bytes; /* measured so far */
	uint64_t still_ns; /* since any operation ended, though one was due */
};

/*
 * Note what a look at the users, `at_ns` after the window began, has found. A
 * look less than half a second after the last one is ignored.
 */
void seconds_look(struct seconds *seconds, const struct stats *stats,
		  uint64_t at_ns, const struct seconds_seen *seen);

void seconds_close(struct seconds *seconds);

#endif
