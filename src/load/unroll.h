/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of REPEAT: the lines up to ENDREPEAT are read several times, with
 * another number for the counter each time, as if the loadfile had copies of
 * them. The reader goes back for each copy.
 */
#ifndef LOAD_UNROLL_H
#define LOAD_UNROLL_H

#include "load/parameters.h"
#include "load/reader.h"

enum {
	REPEATS_MAX = 16, /* depth */
	/* Max number of lines and bytes that all REPEATs of a load add to its
	 * text. A limit is needed, as a short load could become gigabytes. */
	UNROLLED_LINES_MAX = 100000,
	UNROLLED_BYTES_MAX = 16 << 20,
	/* The number of lines after which no round begins in a load that is
	 * wrong: to find out what was meant takes long. */
	UNROLLED_WRONG_LINES_MAX = 1000,
};

/* An amount of text. */
struct unrolled {
	uint64_t lines, bytes;
};

/* A REPEAT that has not ended. */
struct repeat {
	struct reader_mark start; /* the place after its line */
	uint64_t rounds, round;   /* the current one, from 1 */
	unsigned blocks;          /* blocks of the program around it */
	uint32_t setup;           /* line of the SETUP around it; 0: none */
	bool counts;              /* it has a counter */
	struct unrolled before;   /* text that was read before this round */
};

struct unroll {
	struct reader *reader;
	struct builder *builder;
	struct parameters *parameters;
	struct repeat repeats[REPEATS_MAX];
	unsigned depth;
	/* Number of ENDREPEATs to ignore, as their REPEATs were refused. */
	unsigned ignored_ends;
	struct unrolled added; /* text that was read again */
	bool wrong;            /* an error has been found in the load */
};

/*
 * Begin a block whose REPEAT is the current line of the reader. `name` is that
 * of its counter, which is 1 in the first round. The block begins even after an
 * error, so that later lines cause no errors. Functions return 0, or -EINVAL
 * with `error` set without a line, or -ENOMEM.
 */
int unroll_begin(struct unroll *unroll, uint64_t rounds, const char *name, struct error *error);

/* End a round of the innermost block, at its ENDREPEAT, and go back to the first
 * line if there is another round. */
int unroll_end(struct unroll *unroll, struct error *error);

/* Has the current line been read before? */
bool unroll_is_copy(const struct unroll *unroll);

/* Append the values of the counters to an error about a line that was read
 * before. */
void unroll_describe(const struct unroll *unroll, struct error *error);

/* Check at the end of the load that each REPEAT has an ENDREPEAT. `error` gets
 * the line, in the file `source`. */
int unroll_finish(const struct unroll *unroll, const char *source, struct error *error);

#endif
