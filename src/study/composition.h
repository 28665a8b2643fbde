/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The composition of a program: how large and in which order its reads and writes
 * are, when it moves its bytes, and the tree of its names. It is computed
 * without playing the program, in one pass.
 */
#ifndef STUDY_COMPOSITION_H
#define STUDY_COMPOSITION_H

#include "base/error.h"
#include "study/profile.h"

/* How the offset of a read or write follows from the ones before it. */
enum composition_order {
	ORDER_SEQUENTIAL, /* the end of the last access; first: 0 */
	ORDER_RANDOM,     /* anywhere else */
	ORDER_COMPUTED,   /* an expression, whose value is not known */
	COMPOSITION_ORDERS
};

enum {
	COMPOSITION_WAYS = 2, /* 0: reads, 1: writes */
	/* [0] is for less than 2^7 bytes, [1] for those up to 2^8 - 1, [2] for
	 * those up to 2^9 - 1 and so on. */
	COMPOSITION_SIZE_POWER = 7,
	COMPOSITION_SIZES = 21,
	COMPOSITION_DEPTHS = 6, /* the last one is for all deeper names */
	COMPOSITION_PARTS = 10,
};

/*
 * Mean numbers per loop of the load. The set-up is left out, except for names.
 * Reads and writes are those that are recorded as successful. They count with
 * the bytes that they move or, if this is not recorded, with those that they ask
 * for. A TRANSACT is a write and a read. A loop inside the load is in all parts
 * that it extends over, and its operations are in the order in which they are
 * listed.
 */
struct composition {
	double sizes[COMPOSITION_SIZES][COMPOSITION_WAYS];
	double orders[COMPOSITION_ORDERS][COMPOSITION_WAYS];
	/* Bytes in each part of the operations or, if the load has time stamps,
	 * of the time up to the last one, end_ns. */
	double parts[COMPOSITION_PARTS][COMPOSITION_WAYS];
	uint64_t end_ns; /* 0: the parts are those of the operations */
	/*
	 * Names of directories [0] and of others [1], by depth: the first row is
	 * for names in the user's directory or in the target. Names that occur only in
	 * recorded failures are left out. A name with variables or random
	 * strings counts once.
	 */
	double names[COMPOSITION_DEPTHS][2];
};

/* Compute the composition. Return 0, or -ENOMEM with `error` set. */
int composition_make(const struct program *program, const struct profile *profile,
		     struct composition *composition, struct error *error);

#endif
