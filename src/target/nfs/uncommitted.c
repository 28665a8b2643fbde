/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/uncommitted.h"

#include <errno.h>
#include <string.h>

static bool is_same(const char *one, const char *other)
{
	return memcmp(one, other, NFS_VERIFIER_BYTES) == 0;
}

static bool is_of(const struct nfs_unstable *unstable, const struct nfs_handle *file)
{
	return unstable->file.length == file->length &&
	       memcmp(unstable->file.bytes, file->bytes, file->length) == 0;
}

/* Search from the end: most writes go to a file that was added recently. */
static struct nfs_unstable *find(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file)
{
	unsigned i = uncommitted->count;

	while (i-- > 0)
		if (is_of(&uncommitted->files[i], file))
			return &uncommitted->files[i];
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

/* Add further writes to those of an entry. */
static void join(struct nfs_unstable *unstable, const struct nfs_unstable *writes)
{
	if (writes->disagree || !is_same(unstable->verifier, writes->verifier))
		unstable->disagree = true;
}

static void add(struct nfs_uncommitted *uncommitted, const struct nfs_unstable *writes)
{
	struct nfs_unstable *found = find(uncommitted, &writes->file), *made;

	if (found == NULL) {
		made = take(uncommitted);
		if (made != NULL) {
			*made = *writes;
			return;
		}
		found = &uncommitted->others;
	}
	join(found, writes);
}

void nfs_uncommitted_add(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file,
			 const char *verifier)
{
	struct nfs_unstable write = {.file = *file};

	memcpy(write.verifier, verifier, NFS_VERIFIER_BYTES);
	add(uncommitted, &write);
}

void nfs_commit_begin(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit,
		      const struct nfs_handle *file)
{
	struct nfs_unstable *found = find(uncommitted, file);
	const struct nfs_commit *other;

	*commit = (struct nfs_commit){.next = uncommitted->commits};
	if (found != NULL) {
		commit->writes = *found;
		commit->any = true;
		*found = uncommitted->files[--uncommitted->count];
	}
	/* This COMMIT is for all earlier writes, also for those of COMMITs in flight. */
	for (other = commit->next; other != NULL; other = other->next) {
		if (!other->any || !is_of(&other->writes, file))
			continue;
		if (!commit->any)
			commit->writes = other->writes;
		join(&commit->writes, &other->writes);
		commit->any = true;
	}
	uncommitted->commits = commit;
}

static void unlink_commit(struct nfs_uncommitted *uncommitted, const struct nfs_commit *commit)
{
	struct nfs_commit **link = &uncommitted->commits;

	while (*link != commit)
		link = &(*link)->next;
	*link = commit->next;
}

static bool is_lost(const struct nfs_unstable *unstable, const char *verifier)
{
	return unstable->disagree || !is_same(unstable->verifier, verifier);
}

int nfs_commit_end(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit,
		   const char *verifier)
{
	unlink_commit(uncommitted, commit);
	if (uncommitted->has_others && is_lost(&uncommitted->others, verifier))
		return -EIO;
	return commit->any && is_lost(&commit->writes, verifier) ? -EIO : 0;
}

void nfs_commit_fail(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit)
{
	unlink_commit(uncommitted, commit);
	if (commit->any)
		add(uncommitted, &commit->writes);
}
