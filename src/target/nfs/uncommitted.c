/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/uncommitted.h"

#include <errno.h>
#include <string.h>

static bool is_same(const char *one, const char *other)
{
	return memcmp(one, other, NFS_VERIFIER_BYTES) == 0;
}

/* Search from the end: most writes go to a file that was added recently. */
static struct nfs_unstable *find(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file)
{
	unsigned i = uncommitted->count;

	while (i-- > 0) {
		struct nfs_unstable *found = &uncommitted->files[i];

		if (found->file.length == file->length &&
		    memcmp(found->file.bytes, file->bytes, file->length) == 0)
			return found;
	}
	return NULL;
}

/* Take an unused entry. Return NULL if there is none. */
static struct nfs_unstable *take(struct nfs_uncommitted *uncommitted)
{
	if (uncommitted->count < NFS_UNCOMMITTED_MAX)
		return &uncommitted->files[uncommitted->count++];
	if (uncommitted->has_others)
		return NULL;
	uncommitted->has_others = true;
	return &uncommitted->others;
}

void nfs_uncommitted_add(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file,
			 const char *verifier)
{
	struct nfs_unstable *found = find(uncommitted, file), *made;

	if (found == NULL) {
		made = take(uncommitted);
		if (made != NULL) {
			made->file = *file;
			memcpy(made->verifier, verifier, NFS_VERIFIER_BYTES);
			made->disagree = false;
			return;
		}
		found = &uncommitted->others;
	}
	if (!is_same(found->verifier, verifier))
		found->disagree = true;
}

static bool is_lost(const struct nfs_unstable *unstable, const char *verifier)
{
	return unstable->disagree || !is_same(unstable->verifier, verifier);
}

int nfs_uncommitted_end(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file,
			const char *verifier)
{
	struct nfs_unstable *found = find(uncommitted, file);
	bool lost = false;

	if (uncommitted->has_others)
		lost = is_lost(&uncommitted->others, verifier);
	if (found != NULL) {
		lost = lost || is_lost(found, verifier);
		*found = uncommitted->files[--uncommitted->count];
	}
	return lost ? -EIO : 0;
}
