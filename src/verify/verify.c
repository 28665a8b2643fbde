/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>

/* Min length of a run of bytes that is compared at a time. */
enum { RUN_MIN = 64 << 10 };

int verify_open(struct verify *verify, const struct verify_size *size)
{
	uint64_t nonce;
	unsigned i;

	*verify = (struct verify){
		.maps = calloc(size->users, sizeof(*verify->maps)),
		.users = size->users,
		.first_user = size->first_user,
		.found = map_memory(sizeof(*verify->found)),
		.map_bytes = map_bytes(size->footprint_bytes),
	};
	/* Bytes of another run must never look right, not even with the same
	 * --seed. */
	if (getrandom(&nonce, sizeof(nonce), 0) != sizeof(nonce))
		return -EIO;
	verify->content = content_new(nonce, size->fixed,
				      size->io_bytes_max > RUN_MIN ? size->io_bytes_max : RUN_MIN);
	if (verify->maps == NULL || verify->found == NULL || verify->content == NULL)
		return -ENOMEM;
	/* One mapping for all: each fork copies the list of mappings. */
	verify->memory = map_memory(size->users * verify->map_bytes);
	if (verify->memory == NULL)
		return -ENOMEM;
	for (i = 0; i < size->users; i++)
		verify->maps[i] = map_open(verify->memory + i * verify->map_bytes,
					   verify->map_bytes);
	return 0;
}

void verify_close(struct verify *verify)
{
	if (verify->memory != NULL)
		munmap(verify->memory, verify->users * verify->map_bytes);
	free(verify->maps);
	content_free(verify->content);
	if (verify->found != NULL)
		munmap(verify->found, sizeof(*verify->found));
	*verify = (struct verify){0};
}

uint32_t verify_add(const struct verify *verify, const struct difference *difference)
{
	struct verify_found *found = verify->found;
	uint32_t index = __atomic_fetch_add(&found->count, 1, __ATOMIC_RELAXED);

	if (index < VERIFY_DIFFERENCES) {
		found->list[index].difference = *difference;
		__atomic_store_n(&found->list[index].complete, 1, __ATOMIC_RELEASE);
	}
	return index + 1;
}

void verify_search(const struct verify *verify)
{
	const struct difference_maps maps = {
		.content = verify->content,
		.list = verify->maps,
		.count = verify->users,
		.first_user = verify->first_user,
	};
	unsigned i;

	for (i = 0; i < VERIFY_DIFFERENCES; i++)
		if (__atomic_load_n(&verify->found->list[i].complete, __ATOMIC_ACQUIRE) != 0)
			difference_search(&maps, &verify->found->list[i].difference);
}
