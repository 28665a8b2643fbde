/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bit. */
static uint64_t hash_bytes(const unsigned char *bytes, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	while (length-- > 0)
		hash = (hash ^ *bytes++) * UINT64_C(1099511628211);
	return hash;
}

/* Return the key's slot, or the empty slot where it belongs. */
static size_t find_slot(const struct intern *table, const void *key, size_t length, uint64_t hash)
{
	size_t mask = table->slot_count - 1;
	size_t i;

	for (i = hash & mask; table->slots[i] != 0; i = (i + 1) & mask) {
		const struct intern_key *known = &table->keys[table->slots[i] - 1];

		if (known->hash == hash && known->length == length &&
		    memcmp(known->bytes, key, length) == 0)
			break;
	}
	return i;
}

/* Double the table, so that at most half of its slots are in use. */
static int grow(struct intern *table)
{
	size_t slot_count = table->slot_count > 0 ? table->slot_count * 2 : 64;
	uint32_t *slots = calloc(slot_count, sizeof(*slots));
	struct intern_key *keys = reallocarray(table->keys, slot_count / 2, sizeof(*keys));
	size_t i;

	if (keys != NULL)
		table->keys = keys;
	if (slots == NULL || keys == NULL) {
		free(slots);
		return -ENOMEM;
	}
	free(table->slots);
	table->slots = slots;
	table->slot_count = slot_count;
	for (i = 0; i < table->count; i++) {
		const struct intern_key *key = &table->keys[i];

		slots[find_slot(table, key->bytes, key->length, key->hash)] = (uint32_t)i + 1;
	}
	return 0;
}

int64_t intern(struct intern *table, const void *key, size_t length, int *is_new)
{
	uint64_t hash = hash_bytes(key, length);
	char *bytes;
	size_t slot;

	if (table->count * 2 >= table->slot_count && grow(table) < 0)
		return -ENOMEM;
	slot = find_slot(table, key, length, hash);
	*is_new = table->slots[slot] == 0;
	if (!*is_new)
		return table->slots[slot] - 1;
	bytes = malloc(length + 1);
	if (bytes == NULL)
		return -ENOMEM;
	memcpy(bytes, key, length);
	bytes[length] = '\0';
	table->keys[table->count] = (struct intern_key){
		.bytes = bytes, .length = length, .hash = hash};
	table->slots[slot] = (uint32_t)++table->count;
	table->key_bytes += length + 1;
	return (int64_t)table->count - 1;
}

int64_t intern_find(const struct intern *table, const void *key, size_t length)
{
	uint32_t slot;

	if (table->slot_count == 0)
		return -ENOENT;
	slot = table->slots[find_slot(table, key, length, hash_bytes(key, length))];
	return slot > 0 ? (int64_t)slot - 1 : -ENOENT;
}

size_t intern_bytes(const struct intern *table)
{
	/* malloc() adds about the size of two pointers to each key. */
	return table->key_bytes + table->count * 2 * sizeof(void *) +
	       table->slot_count * (sizeof(*table->slots) + sizeof(*table->keys) / 2);
}

void intern_free(struct intern *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		free(table->keys[i].bytes);
	free(table->keys);
	free(table->slots);
	*table = (struct intern){0};
}
