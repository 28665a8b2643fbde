/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session with an NFS export, shared by the NFSv3 and the NFSv4
 * engine: its state, its paths and its table of open files. nfs_connect.h opens
 * and closes it.
 *
 * NFSv3 uses raw calls (nfs_rpc.h), because libnfs' own functions follow links
 * in paths, do not return the type of a file that they open or the reason for a
 * failed write, and need more calls. NFSv4 uses libnfs' functions: with raw
 * calls, we would have to implement the protocol ourselves.
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
	NFS_ENTRIES_BYTES = 32 << 10, /* max size of one READDIRPLUS answer */
};

/* A path, both split into components and whole. */
struct nfs_path {
	struct nfs_path *next; /* in session->made */
	size_t room;           /* size of `text` in bytes */
	unsigned components;
	const char *whole; /* "/a/b" */
	char text[];       /* the components, each with its NUL; then `whole` */
};

/* An open file or directory. */
struct nfs_file {
	struct nfsfh *file;       /* NFSv4, a file */
	struct nfs_path *path;    /* NFSv4; kept when the file is closed */
	struct nfs_handle handle; /* NFSv3 */
	uint64_t flags;
	bool directory;
	bool dirty; /* has unstable writes that were not committed */
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

	struct nfs_cache cache;     /* handles, for NFS procedures */
	char *server;
	/* NFSv3: to the server's lock manager. rpc is NULL until needed. */
	struct nfs_connection nlm;

	char *entries; /* NFSv3, of a listing: each is kind, name, NUL */
	size_t entries_used;
};

/* Return the owner of a file of user `uid`; a squashed uid may be any user. */
static inline enum backend_owner
nfs_session_owner(const struct backend_session *session, uint64_t uid)
{
	if (uid == NFS_SQUASHED_UID)
		return OWNER_UNKNOWN;
	return uid == (uint64_t)session->uid ? OWNER_SELF : OWNER_OTHER;
}

/* Call one of libnfs' own functions, name_async(nfs, arguments, callback). */
#define NFS_PLAY(session, taker, result, function, ...) \
	(nfs_call_begin(&(session)->nfs, taker, result) < 0 \
		 ? (session)->nfs.broken \
		 : nfs_call_finish(&(session)->nfs, \
			function((session)->nfs.context, __VA_ARGS__, \
				 nfs_answered, &(session)->nfs.call) == 0))

/* The slot path_make. Returns 0 or -ENOMEM. */
int nfs_path_make(struct backend_session *session, struct backend_path *path);

/*
 * Return the path in both forms, or NULL if there is no memory. The session
 * owns it. For a path that path_make did not make, the result is valid until
 * the second call after this one.
 */
const struct nfs_path *nfs_path_of(struct backend_session *session,
				   const struct backend_path *path);

/* Take a free slot in the table of open files. Returns its number or -ENOMEM.
 * May move session->files. */
int64_t nfs_file_take(struct backend_session *session, uint64_t flags);
void nfs_file_give_back(struct backend_session *session, int64_t handle);

/*
 * Read or write up to `size` bytes of an open file in one call, to or from
 * `bytes`. A read sets *at_end if the answer says that the file ends there.
 * Returns the bytes moved, or -errno; the server may move fewer than `size`.
 */
typedef int nfs_part(struct backend_session *session,
		     const struct nfs_file *file, char *bytes, size_t size,
		     uint64_t offset, bool *at_end);

/*
 * Move `size` bytes in parts of at most `part_max`, until the end of the file
 * or until a part moves nothing. Returns the bytes moved, or -errno of a part.
 */
int64_t nfs_file_move(struct backend_session *session,
		      const struct nfs_file *file, nfs_part *part,
		      size_t part_max, void *bytes, size_t size,
		      uint64_t offset);

/* Copy the path to `*kept`, which is NULL at first; the caller frees it.
 * Returns 0 or -ENOMEM. */
int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path);

#endif
