/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of an NFSv3 session that have unstable writes without a COMMIT, and
 * the write verifiers of these writes.
 *
 * A server may lose unstable writes when it restarts, and then changes its
 * verifier, which is part of each answer to WRITE and COMMIT. So a COMMIT makes
 * earlier writes durable only if all of them have the verifier of its answer
 * (RFC 1813, 3.3.7 and 3.3.21). Files are told apart by their handle, because
 * several open files can belong to one file, and a COMMIT is for all of them.
 */
#ifndef TARGET_NFS_UNCOMMITTED_H
#define TARGET_NFS_UNCOMMITTED_H

#include "target/nfs/cache.h"

#include <stdbool.h>

enum {
	NFS_VERIFIER_BYTES = 8,
	NFS_UNCOMMITTED_MAX = 128, /* max number of files */
};

/* The unstable writes of a file. */
struct nfs_unstable {
	struct nfs_handle file;
	char verifier[NFS_VERIFIER_BYTES]; /* of the first write */
	bool disagree;                     /* a later write had another verifier */
};

/* A COMMIT in flight. */
struct nfs_commit {
	struct nfs_commit *next;
	struct nfs_unstable writes; /* that it is to make durable */
	bool any;                   /* there are some */
};

/*
 * Files beyond the first NFS_UNCOMMITTED_MAX share `others`, which stays until
 * the session ends. This can make a COMMIT fail that has lost nothing, but only
 * after the server has changed its verifier. All zeros: there are no files.
 */
struct nfs_uncommitted {
	struct nfs_unstable files[NFS_UNCOMMITTED_MAX];
	unsigned count;
	struct nfs_commit *commits; /* all in flight */
	bool has_others;
	struct nfs_unstable others;
};

/* Add an unstable write, whose answer had `verifier`. */
void nfs_uncommitted_add(struct nfs_uncommitted *uncommitted, const struct nfs_handle *file,
			 const char *verifier);

/* Take out a file, for whose writes a COMMIT is about to be sent. Writes that are
 * added later are not covered by it. */
void nfs_commit_begin(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit,
		      const struct nfs_handle *file);

/* End a COMMIT, whose answer had `verifier`. Return 0 if the data of the writes is
 * durable, or -EIO if the server may have lost it. */
int nfs_commit_end(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit,
		   const char *verifier);

/* Put back the writes of a COMMIT that has failed. */
void nfs_commit_fail(struct nfs_uncommitted *uncommitted, struct nfs_commit *commit);

#endif
