/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session with an SMB share: one context of libsmbclient, which has
 * one connection.
 */
#ifndef BACKEND_SMB_SESSION_H
#define BACKEND_SMB_SESSION_H

#include "backend/backend.h"
#include "backend/smb_common.h"

#include <libsmbclient.h>
#include <limits.h>

/* Something open: what the table of handles holds. */
struct smb_handle {
	SMBCFILE *file;    /* NULL: a directory, which SMB need not hold open */
	const char *url;   /* of a made path, or `own` */
	char *own;         /* kept for the next one that gets the place */
	size_t own_bytes;
	uint64_t position; /* where the library's next read or write goes */
	uint64_t end;      /* of a file opened to append */
	bool appends;
	bool write_only; /* its attributes cannot be asked for */
	int64_t next_free;
};

/* What path_make makes of a path. */
struct smb_made {
	struct smb_made *next;
	int rc; /* 0, or why SMB has no such name */
	bool own; /* in a user's own directory, where nobody else makes any */
	uint64_t file_since; /* was a file at this count of new directories */
	char url[];
};

struct backend_session {
	SMBCCTX *context;
	const struct account *account;
	/* 0, or the -errno with which the connection was lost: whatever is
	 * asked from then on fails with it at once. */
	int lost;
	uint64_t timeout_ns;
	SMBCFILE *root; /* the target's directory, for statvfs */
	char *root_url;
	size_t root_length;
	char *plain_urls[2]; /* of paths that are not made */
	struct smb_made *made;
	uint64_t new_directories; /* what may be one now, counted from 1 */
	struct smb_handle *handles;
	int64_t handle_count, free_handle; /* -1: none is free */
	/* The context's functions, asked for once. */
	smbc_open_fn open;
	smbc_close_fn close;
	smbc_read_fn read;
	smbc_write_fn write;
	smbc_lseek_fn lseek;
	smbc_fstat_fn fstat;
	smbc_stat_fn stat;
	smbc_opendir_fn opendir;
	smbc_closedir_fn closedir;
	smbc_readdirplus_fn readdirplus;
	smbc_unlink_fn unlink;
	smbc_rename_fn rename;
	smbc_mkdir_fn mkdir;
	smbc_rmdir_fn rmdir;
	smbc_utimes_fn utimes;
	smbc_fstatvfs_fn fstatvfs;
};

/* The slots of backend.h. */
int smb_session_open(const struct target *target, unsigned user,
		     struct backend_session **session);
void smb_session_close(struct backend_session *session);

/*
 * Opens a session as `wishes` say. It is refused with -EPROTONOSUPPORT when
 * encryption is required and is not to be had. `error` is set when the reason
 * lies on this machine.
 */
int smb_session_open_as(const struct target *target, unsigned user,
			const struct smb_wishes *wishes,
			struct backend_session **session, struct error *error);

/* Is what goes over the wire encrypted? */
bool smb_session_is_encrypted(const struct backend_session *session);

/*
 * -errno of the library's call that has just failed. What shows that the
 * connection is gone ends the session.
 */
int smb_failed(struct backend_session *session);

/*
 * -errno of a call that does not tell why it failed, and was begun at
 * `start_ns`: has it timed out, or what does another call say?
 */
int smb_failed_without_reason(struct backend_session *session,
			      uint64_t start_ns);

/*
 * What was heard from the library's log, which says so at a debug level of
 * SMB_TALKATIVE. Sessions are opened with smb_debug_level.
 */
struct smb_heard {
	unsigned long status; /* the latest NT status; 0: none was told */
	bool signature;       /* a message was signed */
};
enum { SMB_TALKATIVE = 10 };
extern int smb_debug_level;
extern struct smb_heard smb_heard;

#endif
