/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams/resource.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

#define BIT(mode) (1u << RESOURCE_##mode)

/* The modes of earlier uses that a use of each mode waits for. */
static const unsigned waits_for[] = {
	[RESOURCE_USE] = BIT(CHANGE) | BIT(PART_CHANGE) | BIT(EXTEND),
	[RESOURCE_CHANGE] = BIT(USE) | BIT(CHANGE) | BIT(PART_USE) | BIT(PART_CHANGE) | BIT(NEED) |
			    BIT(EXTEND),
	[RESOURCE_PART_USE] = BIT(CHANGE),
	[RESOURCE_PART_CHANGE] = BIT(USE) | BIT(CHANGE),
	[RESOURCE_NEED] = BIT(CHANGE) | BIT(EXTEND),
	[RESOURCE_EXTEND] = BIT(USE) | BIT(CHANGE),
};

/* Return a resource, or NULL if there is no memory. */
static struct resource *find(struct resources *resources, enum resource_type type, uint32_t number,
			     uint64_t block)
{
	uint64_t key[] = {(uint64_t)type << 32 | number, block};
	int is_new;
	int64_t index = intern(&resources->keys, key, sizeof(key), &is_new);

	if (index < 0 || array_grow(&resources->list, &resources->room, (size_t)index + 1,
				    sizeof(*resources->list)) < 0)
		return NULL;
	if (is_new)
		resources->list[index] = (struct resource){0};
	return &resources->list[index];
}

int resources_use(struct resources *resources, enum resource_type type, uint32_t number,
		  uint64_t block, enum resource_mode mode, unsigned stream, uint32_t end,
		  struct resource_waits *waits)
{
	struct resource *resource = find(resources, type, number, block);
	struct resource_use *own = NULL;
	size_t i;

	if (resource == NULL)
		return -ENOMEM;
	for (i = 0; i < resource->count; i++) {
		struct resource_use *use = &resource->uses[i];

		if (use->stream == stream) {
			if (use->mode == mode)
				own = use;
		} else if ((waits_for[mode] >> use->mode & 1) != 0 &&
			   waits->ends[use->stream] < use->end) {
			waits->ends[use->stream] = use->end;
		}
	}
	if (own == NULL) {
		if (array_grow(&resource->uses, &resource->room, resource->count + 1u,
			       sizeof(*resource->uses)) < 0)
			return -ENOMEM;
		own = &resource->uses[resource->count++];
		*own = (struct resource_use){.stream = (uint8_t)stream, .mode = (uint8_t)mode};
	}
	own->end = end;
	return 0;
}

void resources_free(struct resources *resources)
{
	size_t i;

	for (i = 0; i < resources->keys.count; i++)
		free(resources->list[i].uses);
	free(resources->list);
	intern_free(&resources->keys);
}
