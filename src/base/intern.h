/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for keys: equal keys get the same number, new ones the next. The
 * keys are runs of bytes, copied and kept until intern_free.
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
 * Returns the key's number, or -ENOMEM; *is_new tells whether it was made. A
 * struct intern of all zeros is empty.
 */
int64_t intern(struct intern *table, const void *key, size_t length,
	       int *is_new);

/* Returns the key's number, or -ENOENT. */
int64_t intern_find(const struct intern *table, const void *key,
		    size_t length);

/* About how much memory the table takes. */
size_t intern_bytes(const struct intern *table);

void intern_free(struct intern *table);

#endif
