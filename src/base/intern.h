/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table that numbers keys from 0. Equal keys have the same number; a new key
 * gets the next one. Keys are byte strings. The table keeps copies of them.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern {
	struct intern_key {
		char *bytes; /* followed by a NUL */
		size_t length;
		uint64_t hash;
	} *keys; /* keys[N] is the key with number N */
	size_t count;
	/* A hash table with open addressing. Each slot holds a key's number
	 * plus 1, or 0 if it is empty. */
	uint32_t *slots;
	size_t slot_count;
	size_t key_bytes; /* total size of all keys */
};

/*
 * Return the key's number, or -ENOMEM. Add the key if it is new. Set *is_new to
 * 1 for a new key, else to 0. An all-zero struct intern is an empty table.
 */
int64_t intern(struct intern *table, const void *key, size_t length, int *is_new);

/* Return the key's number, or -ENOENT. */
int64_t intern_find(const struct intern *table, const void *key, size_t length);

/* Estimate the table's memory use, in bytes. */
size_t intern_bytes(const struct intern *table);

void intern_free(struct intern *table);

#endif
