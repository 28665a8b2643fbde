/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connect a user to an NFS export: parse the target's URL, mount, and get the
 * handle of the target's directory.
 */
#ifndef TARGET_NFS_CONNECT_H
#define TARGET_NFS_CONNECT_H

#include "target/nfs/session.h"

struct nfs_place {
	char *server;
	char *directory;   /* decoded; begins with a slash */
	char *options_url; /* a URL from which libnfs takes its options */
	uint32_t uid, gid; /* the user as whom calls are sent to the server */
};

/* Parse the target's URL. Return 0, -EINVAL (no directory, a bad %XX) or
 * -ENOMEM. Free with nfs_place_free, also after a failure. */
int nfs_place_make(const struct target *target, struct nfs_place *place);
void nfs_place_free(struct nfs_place *place);

/* Return the value of an option of the URL that is meant for libnfs, or NULL if
 * the URL does not have it. The value ends at '&' or NUL. */
const char *nfs_passed_option(const struct target *target, const char *key);

/* Return the version of NFS that the selected engine plays: 3 or 4. */
int nfs_target_version(const struct target *target);

/*
 * Connect and mount. Return 0 or -errno. After a failure, `why` (a buffer of
 * `size` bytes, at least 1) contains libnfs' own message, or "" if there is
 * none.
 */
int nfs_session_try(const struct target *target, unsigned user, struct backend_session **session,
		    char *why, size_t size);

/* The slot session_open: call nfs_session_try and drop libnfs' message. */
int nfs_session_open(const struct target *target, unsigned user, struct backend_session **session);

/* The slot session_share. */
int nfs_session_share(struct backend_session *session, struct fibers *fibers,
		      struct backend_session **another);

/* Free the session. If it is the last one, disconnect from all programs of the
 * server. */
void nfs_session_close(struct backend_session *session);

#endif
