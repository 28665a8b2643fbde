/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A difference: bytes that were read but are not those that were written. Find
 * out what they look like and where they come from, as a hint at the fault.
 */
#ifndef VERIFY_DIFFERENCE_H
#define VERIFY_DIFFERENCE_H

#include "verify/content.h"
#include "verify/map.h"

/* Kinds of wrong bytes, by what they look like. */
enum difference_kind {
	DIFFERENCE_BIT,          /* one bit is different */
	DIFFERENCE_ZEROS,        /* zeros */
	DIFFERENCE_EARLIER,      /* an earlier write to this place */
	DIFFERENCE_OTHER_OFFSET, /* from another offset of the file */
	DIFFERENCE_OTHER_FILE,   /* from another file of this user */
	DIFFERENCE_OTHER_USER,   /* from a file of another user */
	DIFFERENCE_FOREIGN,      /* not written by this run */
	DIFFERENCE_SHORT,        /* the read ended before the file does */
	DIFFERENCE_LONG,         /* the read went on after the file's end */
	DIFFERENCES
};

/* The names of the kinds, as in result files. */
extern const char *const difference_kinds[DIFFERENCES];

enum {
	DIFFERENCE_SAMPLE = 16, /* bytes shown of each side */
	DIFFERENCE_CLUE = 64,   /* bytes kept, to look them up later */
	DIFFERENCE_PATH = 256,
	DIFFERENCE_HOST = 64,
};

/* Clues for a search for the origin of wrong bytes. */
struct difference_clue {
	unsigned user; /* index of the map of the user who read them */
	arena_ref file;
	struct map_state state; /* what the map has there */
	unsigned bytes;         /* of `found` */
	char found[DIFFERENCE_CLUE];
};

struct difference {
	enum difference_kind kind;
	unsigned user; /* who read it; a number in the whole run */
	/* The host of that user, by its name in --hosts; "": this one. */
	char host[DIFFERENCE_HOST];
	bool read_back; /* found by the final read-back */
	/* The operation that has read the bytes, unless `read_back`: its index in
	 * the program, the lane that has played it, and both for a message:
	 * ", stream 1: FILE:9". */
	uint32_t op;
	unsigned lane;
	char place[DIFFERENCE_PATH];
	char path[DIFFERENCE_PATH];
	/* The file that the bytes are from, for DIFFERENCE_OTHER_FILE and
	 * DIFFERENCE_OTHER_USER; else "". */
	char source[DIFFERENCE_PATH];
	/* Where the bytes are from; for DIFFERENCE_OTHER_OFFSET and the two
	 * above. */
	uint64_t source_offset;
	uint64_t offset, length; /* of the bytes that differ */
	unsigned sample_bytes;   /* bytes of `expected` and `found` */
	unsigned char expected[DIFFERENCE_SAMPLE], found[DIFFERENCE_SAMPLE];
	struct difference_clue clue;
};

/* Wrong bytes. */
struct wrong_bytes {
	unsigned user; /* index of the map of the user who read them */
	arena_ref file;
	uint64_t offset; /* of the first byte that differs */
	const char *expected, *found;
	size_t length;          /* up to the last byte that differs */
	struct map_state state; /* what the map has there */
};

/* Note the bytes: fill in all members but `user`, `host`, `read_back` and `path`. The
 * kind is DIFFERENCE_FOREIGN if only difference_search can tell more. */
void difference_note(const struct wrong_bytes *wrong, struct difference *difference);

/* The maps of all users of this process: to look up where bytes are from. */
struct difference_maps {
	const struct content *content;
	struct map *const *list;
	unsigned count;
	unsigned first_user; /* number of the first one in the whole run */
};

/* Find out where the bytes are from. This reads all maps, so their users must
 * have ended. */
void difference_search(const struct difference_maps *maps, struct difference *difference);

/* Write what the bytes look like, for people: "zeros". Return `text`. */
enum { DIFFERENCE_TEXT = 400 };
char *difference_print_kind(const struct difference *difference, char text[DIFFERENCE_TEXT]);

#endif
