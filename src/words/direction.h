/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The direction in which operations move a file's data.
 */
#ifndef WORDS_DIRECTION_H
#define WORDS_DIRECTION_H

/* A set of bits: both directions together are BOTH. */
enum direction {
	DIRECTION_NONE, /* no data, or unknown */
	DIRECTION_READ,
	DIRECTION_WRITE,
	DIRECTION_BOTH,
	DIRECTIONS
};

#endif
