/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's sessions with an NFS export: their state, their paths and the table of
 * open files. The NFSv3 and the NFSv4 engine share this code. connect.h opens
 * and closes sessions.
 *
 * The NFSv3 engine uses raw calls, which call single procedures of the protocol
 * (rpc.h). It does not use libnfs' high-level functions, because these
 * follow links in paths, do not return the type of a file that they open or the
 * reason for a failed write, and need more calls. The NFSv4 engine uses the
 * high-level functions: with raw calls, we would have to implement the protocol
 * ourselves.
 */
#ifndef TARGET_NFS_SESSION_H
#define TARGET_NFS_SESSION_H

#include "target/backend.h"
#include "target/nfs/cache.h"
#include "target/nfs/call.h"
#include "target/nfs/uncommitted.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NFS_DIRECTORY_MODE = 0777,
	NFS_FILE_MODE = 0666,
	NFS_SQUASHED_UID = 65534,     /* nobody: servers squash users to it */
	NFS_ENTRIES_BYTES = 32 << 10, /* max size of one READDIRPLUS answer */
};

/* A path in two forms: split into components, and whole, below the directory
 * that the session has entered. */
struct nfs_path {
	struct nfs_path *next; /* the next one in the list session->made */
	size_t room;           /* size of `text` in bytes */
	unsigned components;   /* number of components */
	const char *whole;     /* the whole path on the mount, as "/a/b" */
	char text[];           /* the components, each with its NUL; then `whole` */
};

/* An open file or directory. */
struct nfs_file {
	struct nfsfh *file;       /* NFSv4 only; NULL for a directory */
	struct nfs_path *path;    /* NFSv4 only; the next open reuses it */
	struct nfs_handle handle; /* NFSv3 only */
	uint64_t flags;
	bool directory;
	bool dirty;    /* has unstable writes for which no COMMIT was sent */
	bool appended; /* a session is about to write at its end */
	int next_free; /* in an unused slot: the next unused one, or -1 */
};

/* The part of a session that all sessions of a user share. */
struct nfs_shared {
	unsigned sessions; /* number of sessions that share it */
	struct nfs_connection nfs;
	int version;
	uint32_t uid, gid, umask;
	unsigned user;
	size_t read_max, write_max;
	/* The directory where paths begin: that of the target, or the entered
	 * one. NFSv3: its handle. NFSv4: its path on the mount, "" or
	 * "/name". */
	struct nfs_handle root;
	char entered[1 + NAME_MAX + 1];

	/* Each file keeps its address while it is open. */
	struct nfs_file **files;
	int file_count, file_room, first_free;

	/* NFSv3 only: the unstable writes without a COMMIT. */
	struct nfs_uncommitted uncommitted;

	struct nfs_cache cache; /* handles, for loads that call procedures */
	char *server;
	/* NFSv3 only: the connection to the server's lock manager. nlm.rpc is
	 * NULL until the connection is needed. */
	struct nfs_connection nlm;
};

struct backend_session {
	struct nfs_shared *shared;
	struct nfs_call call;

	struct nfs_path *made;     /* all paths that path_make has made */
	struct nfs_path *plain[2]; /* buffers for all other paths */
	unsigned next_plain;       /* the buffer to use next */
	uint64_t changed_bytes;    /* see the slot */
	bool wrote_unstable;       /* NFSv3 only: the last write, at least in part */

	/* NFSv3 only: one part of a listing. Each entry is a byte for its kind
	 * (enum backend_entry), its name and a NUL. */
	char *entries;
	size_t entries_used; /* number of bytes in use */
};

/* Classify the owner `uid` of a file. A squashed uid may stand for any user. */
static inline enum backend_owner nfs_session_owner(const struct backend_session *session,
						   uint64_t uid)
{
	if (uid == NFS_SQUASHED_UID)
		return OWNER_UNKNOWN;
	return uid == (uint64_t)session->shared->uid ? OWNER_SELF : OWNER_OTHER;
}

/* Prepare a call to the NFS program. Return 0, or -errno if the connection is
 * dead. */
static inline int nfs_session_begin(struct backend_session *session,
				    void (*take)(struct nfs_call *, const void *), void *answer)
{
	return nfs_call_begin(&session->call, &session->shared->nfs, take, answer);
}

/* Call one of libnfs' high-level functions, name_async(nfs, arguments,
 * callback, data), and wait for its answer. `taker` and `result` become the
 * fields `take` and `answer` of the call (call.h). */
#define NFS_PLAY(session, taker, result, function, ...) \
	(nfs_session_begin(session, taker, result) < 0 \
		 ? (session)->shared->nfs.broken \
		 : nfs_call_finish(&(session)->call, \
				   function((session)->shared->nfs.context, __VA_ARGS__, \
					    nfs_answered, &(session)->call) == 0))

/* The slot changed_bytes. */
uint64_t nfs_changed_bytes(const struct backend_session *session);

/* The slot path_make. Return 0 or -ENOMEM. */
int nfs_path_make(struct backend_session *session, struct backend_path *path);

/*
 * Return the path in both forms, or NULL if there is no memory. The session
 * owns the result. If path_make did not make the path, the result is valid
 * until the second call after this one.
 */
const struct nfs_path *nfs_path_of(struct backend_session *session,
				   const struct backend_path *path);

/* Take a free slot in the table of open files. Return its number or -ENOMEM. */
int64_t nfs_file_take(struct backend_session *session, uint64_t flags);
void nfs_file_give_back(struct backend_session *session, int64_t handle);

/* Return the file of a handle, which is open. */
static inline struct nfs_file *nfs_file_of(const struct backend_session *session, int64_t handle)
{
	return session->shared->files[handle];
}

/*
 * A function that reads or writes up to `size` bytes of an open file in one
 * call, to or from the buffer `bytes`. A read sets *at_end if the answer says
 * that the file ends after these bytes. Return the number of bytes moved, or
 * -errno; the server may move fewer than `size`.
 */
typedef int nfs_part(struct backend_session *session, const struct nfs_file *file, char *bytes,
		     size_t size, uint64_t offset, bool *at_end);

/*
 * Read or write `size` bytes by calling `part` for at most `part_max` bytes at
 * a time. Stop early at the end of the file or when a part moves nothing.
 * Return the number of bytes moved, or the -errno of a part that failed, with
 * session->changed_bytes set to the number of bytes moved before it.
 */
int64_t nfs_file_move(struct backend_session *session, const struct nfs_file *file, nfs_part *part,
		      size_t part_max, void *bytes, size_t size, uint64_t offset);

/* The steps of a write that differ between the engines: get its size (return 0 or
 * -errno), and write a part. */
struct nfs_writer {
	int (*size_of)(struct backend_session *session, const struct nfs_file *file,
		       uint64_t *bytes);
	nfs_part *part;
};

/* The slot `write`. Appending takes two calls, for the end of the file and for the
 * write; no other session appends with the handle between them. */
int64_t nfs_file_write(struct backend_session *session, int64_t handle,
		       const struct nfs_writer *writer, const void *data, size_t size,
		       uint64_t offset);

/* Copy the path to *kept. Before the call, *kept is NULL or an earlier copy,
 * whose memory is reused. The caller frees *kept. Return 0 or -ENOMEM. */
int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path);

/* probe.c: the slots probe and library_version */
int nfs_probe_target(const struct target *target, struct backend_facts *facts, struct error *error);
const char *nfs_library_version(void);

/*
 * procedure.c: the slot `procedure`, for loadfiles in the nfs dialect.
 *
 * Call a procedure once (READDIRPLUS: repeatedly, until the end of the
 * directory). First call LOOKUP for each handle that is needed and is not in
 * the cache. A READ or WRITE is not repeated if the server moves fewer bytes
 * than requested. Return the number of bytes that a READ or WRITE moved, 0 for
 * any other procedure, or -errno.
 */
int64_t nfs_procedure(struct backend_session *session, const struct backend_call *call);

#endif
