/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session with an NFS export, which the NFSv3 and the NFSv4 part of
 * the backend share: its state, its paths and the table of its open files.
 * nfs_connect.h opens and closes it.
 *
 * NFSv3 is spoken by raw calls (nfs_rpc.h), because libnfs' own functions
 * follow links on the way, tell neither a file's kind at its open nor why a
 * write failed, and need more calls for it. NFSv4 is spoken by those
 * functions: its raw calls are a protocol to be written first.
 */
#ifndef BACKEND_NFS_SESSION_H
#define BACKEND_NFS_SESSION_H

#include "backend/backend.h"
#include "backend/nfs_cache.h"
#include "backend/nfs_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NFS_DIRECTORY_MODE = 0777,
	NFS_FILE_MODE = 0666,
	NFS_SQUASHED_UID = 65534,
	NFS_ENTRIES_BYTES = 32 << 10, /* of one answer with a listing */
};

/* A path in the two forms that are needed. */
struct nfs_path {
	struct nfs_path *next; /* of those made */
	size_t room;           /* bytes behind `text` */
	unsigned components;
	const char *whole; /* "/a/b" */
	char text[];       /* the components, each with its NUL; then `whole` */
};

/* An open file or directory. */
struct nfs_file {
	struct nfsfh *file;       /* NFSv4, a file */
	struct nfs_path *path;    /* NFSv4, a directory; kept when closed */
	struct nfs_handle handle; /* NFSv3 */
	uint64_t flags;
	bool directory;
	bool dirty; /* holds what was written and not committed */
	int next_free;
};

struct backend_session {
	struct nfs_connection nfs;
	int version;
	uint32_t uid, gid, umask;
	unsigned user;
	size_t read_max, write_max;
	struct nfs_handle root; /* NFSv3 */

	struct nfs_file *files;
	int file_count, first_free;

	struct nfs_path *made;     /* by path_make */
	struct nfs_path *plain[2]; /* for paths that were not made */
	unsigned next_plain;

	struct nfs_cache cache;     /* of NFS procedures */
	char *server;
	/* To the server's lock manager; NFSv3. rpc NULL: not needed so far. */
	struct nfs_connection nlm;

	char *entries; /* of a listing: kind, name, NUL; of NFSv3 */
	size_t entries_used;
};

/* Return the owner of a file of user `uid`; a squashed one may be anybody. */
static inline enum backend_owner
nfs_session_owner(const struct backend_session *session, uint64_t uid)
{
	if (uid == NFS_SQUASHED_UID)
		return OWNER_UNKNOWN;
	return uid == (uint64_t)session->uid ? OWNER_SELF : OWNER_OTHER;
}

/* Play one of libnfs' own functions, name_async(nfs, arguments, callback). */
#define NFS_PLAY(session, taker, result, function, ...) \
	(nfs_call_begin(&(session)->nfs, taker, result) < 0 \
		 ? (session)->nfs.broken \
		 : nfs_call_finish(&(session)->nfs, \
			function((session)->nfs.context, __VA_ARGS__, \
				 nfs_answered, &(session)->nfs.call) == 0))

/* The slot path_make. Returns 0 or -ENOMEM. */
int nfs_path_make(struct backend_session *session, struct backend_path *path);

/*
 * Return the path in both forms, or NULL: no memory. The session owns it; of
 * those that path_make did not make, the last two stay valid.
 */
const struct nfs_path *nfs_path_of(struct backend_session *session,
				   const struct backend_path *path);

/* Take a free place in the table of open files. Returns its number or -ENOMEM;
 * a session->files read before may have moved. */
int64_t nfs_file_take(struct backend_session *session, uint64_t flags);
void nfs_file_give_back(struct backend_session *session, int64_t handle);

/*
 * Move up to `size` bytes of an open file in one call: read into `bytes`, or
 * write from there. A read sets *at_end where the answer says that nothing
 * follows. Returns the bytes moved, as many as the server chose, or -errno.
 */
typedef int nfs_part(struct backend_session *session,
		     const struct nfs_file *file, char *bytes, size_t size,
		     uint64_t offset, bool *at_end);

/*
 * Move `size` bytes in parts of at most `part_max`, until the end of the file
 * or a part that moves nothing. Returns the bytes moved, or -errno of a part.
 */
int64_t nfs_file_move(struct backend_session *session,
		      const struct nfs_file *file, nfs_part *part,
		      size_t part_max, void *bytes, size_t size,
		      uint64_t offset);

/* Keep a copy of the path in `*kept`, NULL at first; the caller frees it.
 * Returns 0 or -ENOMEM. */
int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path);

#endif
