/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes that verified writes write. They are a function of the run's nonce,
 * the user, the number of the write and the offset in the file, and are taken
 * from a pool of random bytes without copying: each write has a start in the
 * pool, and the file's bytes follow the pool's, round and round. So an offset
 * and a number say which bytes must be there.
 *
 * The pool's period is not a multiple of a block size: two blocks of one write
 * that are exchanged differ, up to a distance of 64 MiB.
 *
 * With fixed data, the same 8 bytes are repeated over all files instead: bytes of
 * another write look right, unless they have moved by less than 8 bytes.
 */
#ifndef VERIFY_CONTENT_H
#define VERIFY_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pool's period in bytes: 8 times a prime, a little less than 1 MiB, which
 * stays in the second-level cache. */
enum { CONTENT_PERIOD = 8 * 131071 };

struct content {
	uint64_t nonce;
	bool fixed;
	size_t run_max; /* max length of a run of bytes, in bytes */
	char pool[];    /* CONTENT_PERIOD + run_max bytes */
};

/* Allocate and fill the pool of a run, for writes and comparisons of up to
 * `run_max` bytes at a time: with random bytes or, unless it is NULL, with these 8
 * fixed ones. Return NULL if memory is short. */
struct content *content_new(uint64_t nonce, const uint64_t *fixed, size_t run_max);
void content_free(struct content *content);

/* Return the start of a user's write in the pool, below CONTENT_PERIOD: the
 * position of the byte for offset 0 of the file. */
uint32_t content_start(const struct content *content, unsigned user, uint32_t write);

/* Return the bytes that the write puts from `offset` on, run_max of them. */
static inline const char *content_bytes(const struct content *content, unsigned user,
					uint32_t write, uint64_t offset)
{
	return content->pool + (content_start(content, user, write) + offset) % CONTENT_PERIOD;
}

#endif
