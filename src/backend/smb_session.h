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

/* A slot in the table of open files and directories. */
struct smb_handle {
	SMBCFILE *file;    /* NULL: a directory, which need not be held open */
	const char *url;   /* of a made path, or `own` */
	char *own;         /* buffer, reused by the next handle in this slot */
	size_t own_bytes;
	uint64_t position; /* of the library's next read or write */
	uint64_t end;      /* of a file opened to append */
	bool appends;
	bool write_only;   /* the handle cannot read attributes */
	int64_t next_free;
};

/* The result of path_make. */
struct smb_made {
	struct smb_made *next;
	int rc;   /* 0, or -errno if SMB does not allow the name */
	bool own; /* in the user's own directory: no other user changes it */
	uint64_t file_since; /* new_directories when last seen as a file */
	char url[];
};

struct backend_session {
	SMBCCTX *context;
	const struct account *account;
	/* 0, or the -errno that ended the connection: all later operations
	 * fail with it at once. */
	int lost;
	uint64_t timeout_ns;
	SMBCFILE *root; /* the target's directory, for statvfs */
	char *root_url;
	size_t root_length;
	char *plain_urls[2]; /* of paths that were not made */
	struct smb_made *made;
	/* Starts at 1, and grows when a path may have become a directory. */
	uint64_t new_directories;
	struct smb_handle *handles;
	int64_t handle_count, free_handle; /* -1: none is free */
	/* The context's functions. */
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
 * Open a session with `options`. Returns 0 or -errno:
 * -EPROTONOSUPPORT if encryption is required and the server does not offer it.
 * `error` is set if the cause is on this machine.
 */
int smb_session_open_as(const struct target *target, unsigned user,
			const struct smb_options *options,
			struct backend_session **session, struct error *error);

/* Check if the session is encrypted. */
bool smb_session_is_encrypted(const struct backend_session *session);

/*
 * Return the -errno of the library call that has just failed. A lost connection
 * ends the session.
 */
int smb_failed(struct backend_session *session);

/*
 * Return an -errno for a failed call that sets none and that began at
 * `start_ns`: -ETIMEDOUT if it took as long as the timeout, otherwise the
 * result of a stat of the target.
 */
int smb_failed_without_reason(struct backend_session *session,
			      uint64_t start_ns);

/*
 * Facts found in the library's log, which contains them at debug level
 * SMB_VERBOSE. Sessions are opened with debug level smb_debug_level.
 */
struct smb_log {
	unsigned long status; /* the latest NT status; 0: none */
	bool signature;       /* a message was signed */
};
enum { SMB_VERBOSE = 10 };
extern int smb_debug_level;
extern struct smb_log smb_log;

#endif
