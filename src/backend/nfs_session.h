/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's connection to an NFS export, which the NFSv3 and the NFSv4 part of
 * the backend share: mounting, waiting for answers, paths, the table of open
 * files.
 *
 * NFSv3 is spoken by raw calls (nfs_rpc.h), because libnfs' own functions
 * follow links on the way, tell neither a file's kind at its open nor why a
 * write failed, and need more calls for it. NFSv4 is spoken by those
 * functions: its raw calls are a protocol to be written first.
 */
#ifndef BACKEND_NFS_SESSION_H
#define BACKEND_NFS_SESSION_H

#include "backend/backend.h"
#include "backend/nfs_api.h"
#include "backend/nfs_cache.h"

#include <errno.h>
#include <stdbool.h>

enum {
	NFS_DIRECTORY_MODE = 0777,
	NFS_FILE_MODE = 0666,
	/* How far SET_FILE_INFORMATION moves times back, as dbench does. */
	NFS_ACCESS_TIME_BACK_S = 10,
	NFS_MODIFY_TIME_BACK_S = 12,
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

/* What a call waits for. In the session, as an answer may come too late. */
struct nfs_call {
	bool answered;
	int rc;                    /* 0, bytes moved or -errno */
	void *buffer;              /* where an answer's bytes belong */
	size_t size;               /* how many may be moved */
	void *answer;              /* what take() fills, or what came */
	/* Takes what is needed of a result before it is freed. */
	void (*take)(struct nfs_call *call, const void *result);
};

struct backend_session {
	struct nfs_context *nfs;
	struct rpc_context *rpc; /* of `nfs` */
	int version;
	int broken; /* -errno that ended the connection */
	int timeout_ms;
	uint32_t uid, gid, umask;
	unsigned user;
	size_t read_max, write_max;
	struct nfs_call call;
	struct nfs_handle root; /* NFSv3 */

	struct nfs_file *files;
	int file_count, first_free;

	struct nfs_path *made;     /* by path_make */
	struct nfs_path *plain[2]; /* for paths that were not made */
	unsigned next_plain;

	struct nfs_cache cache;     /* of NFS procedures */
	char *server;
	struct rpc_context *locks;  /* NULL: not needed up to now */

	char *entries; /* of a listing: kind, name, NUL; of NFSv3 */
	size_t entries_used;
};

/* Whose a file of user `uid` is: as nobody a server shows anybody. */
static inline enum backend_owner
nfs_session_owner(const struct backend_session *session, uint64_t uid)
{
	if (uid == NFS_SQUASHED_UID)
		return OWNER_UNKNOWN;
	return uid == (uint64_t)session->uid ? OWNER_SELF : OWNER_OTHER;
}

/*
 * Connects and mounts. Returns 0 or -errno; `why` (of `size`) is then
 * the library's own words, or "".
 */
int nfs_session_try(const struct target *target, unsigned user,
		    struct backend_session **session, char *why, size_t size);

/* The slots of both versions. */
const char *nfs_library_version(void);
int nfs_session_open(const struct target *target, unsigned user,
		     struct backend_session **session);
void nfs_session_close(struct backend_session *session);

/*
 * Waits until call->answered, at most the target's time-out for each sign of
 * life. Returns call->rc, or why the connection is dead from now on.
 */
int nfs_session_wait(struct backend_session *session,
		     struct rpc_context *rpc);

/* Readies session->call. Returns 0, or -errno of a dead connection. */
static inline int
nfs_session_begin(struct backend_session *session,
		  void (*take)(struct nfs_call *, const void *), void *answer)
{
	session->call = (struct nfs_call){.take = take, .answer = answer};
	return session->broken;
}

/*
 * The call that was to be queued, waited for. What could not be queued was
 * refused for its path, or there is no memory.
 */
static inline int nfs_session_finish(struct backend_session *session,
				     bool queued)
{
	return queued ? nfs_session_wait(session, session->rpc) : -EIO;
}

/* What libnfs' own functions call back, and what takes their results. */
void nfs_answered(int status, struct nfs_context *nfs, void *result,
		  void *private_data);
void nfs_take_stat(struct nfs_call *call, const void *result);
void nfs_take_file(struct nfs_call *call, const void *result);

/* One of libnfs' own functions, name_async(nfs, arguments, callback). */
#define NFS_PLAY(session, taker, result, function, ...) \
	(nfs_session_begin(session, taker, result) < 0 \
		 ? (session)->broken \
		 : nfs_session_finish(session, \
			function((session)->nfs, __VA_ARGS__, nfs_answered, \
				 &(session)->call) == 0))

int nfs_path_make(struct backend_session *session, struct backend_path *path);

/*
 * The path in both forms; two that were not made by path_make are valid at a
 * time. NULL: no memory.
 */
const struct nfs_path *nfs_path_of(struct backend_session *session,
				   const struct backend_path *path);

/* A free place in the table of open files. Returns its number or -ENOMEM. */
int64_t nfs_file_take(struct backend_session *session, uint64_t flags);
void nfs_file_give_back(struct backend_session *session, int64_t handle);

/* Remembers a copy of the path in `*kept`. Returns 0 or -ENOMEM. */
int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path);

/* The answer of probe (nfs_probe.c). */
int nfs_probe_target(const struct target *target, struct backend_facts *facts,
		     struct error *error);

/* The version of the engine that was chosen. */
int nfs_target_version(const struct target *target);

#endif
