/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table that numbers keys: equal keys get the same number, a new key the next
 * one. Keys are byte strings; they are copied and kept until intern_free().
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern {
	struct intern_key {
		char *bytes; /* NUL-terminated as well */
		size_t length;
		uint64_t hash;
	} *keys; /* by number */
	size_t count;
	uint32_t *slots; /* open addressing; number + 1, or 0 */
	size_t slot_count;
	size_t key_bytes; /* of all keys */
};

/*
 * Return the key's number, adding the key if it is new, or -ENOMEM. *is_new is
 * set to 1 for a new key, else to 0. An all-zero struct intern is empty.
 */
int64_t intern(struct intern *table, const void *key, size_t length,
	       int *is_new);

/* Return the key's number, or -ENOENT. */
int64_t intern_find(const struct intern *table, const void *key,
		    size_t length);

/* Estimate the table's memory use, in bytes. */
size_t intern_bytes(const struct intern *table);

void intern_free(struct intern *table);

#endif
