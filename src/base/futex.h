/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sleep until another thread or process changes a word (futex(2)). The word may be
 * in memory that processes share.
 */
#ifndef BASE_FUTEX_H
#define BASE_FUTEX_H

#include <stdint.h>

/* Sleep while `word` is `value`, until it is woken, for `max_ns` at most. It may
 * also return early. */
void futex_wait(uint32_t *word, uint32_t value, uint64_t max_ns);

/* Wake all that sleep on `word`. */
void futex_wake(uint32_t *word);

#endif
