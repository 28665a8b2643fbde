/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session with an SMB share: one context of libsmbclient, which has
 * one connection. Also the slots of backend.h that other files than
 * libsmbclient.c implement.
 */
#ifndef TARGET_LIBSMBCLIENT_SESSION_H
#define TARGET_LIBSMBCLIENT_SESSION_H

#include "target/backend.h"
#include "target/smb_common.h"
#include "target/smb_slots.h"

#include <libsmbclient.h>
#include <limits.h>
#include <sys/stat.h>

/* An open file or directory. */
struct smb_handle {
	SMBCFILE *file; /* NULL: a directory, which we do not hold open */
	/* The file's URL. It belongs to a path that path_make has made, or is
	 * the slot's copy. */
	const char *url;
	uint64_t position; /* where the library's next read or write starts */
	uint64_t end;      /* end of the file, if the handle `appends` */
	bool appends;
	bool write_only; /* attributes cannot be read through the handle */
	bool read_only;
};

/* The result of path_make. */
struct smb_made {
	struct smb_made *next;
	int rc;   /* 0, or -errno if SMB does not allow the path */
	bool own; /* in the user's own directory: no other user changes it */
	/* Value of session->new_directories when the path was last known to be
	 * a file; 0: never. */
	uint64_t file_since;
	char url[];
};

struct backend_session {
	SMBCCTX *context;
	const struct account *account;
	/* 0, or the -errno that ended the connection: all later operations
	 * fail with it at once. */
	int lost;
	uint64_t timeout_ns;
	uint64_t changed_bytes; /* see the slot */
	/* The directory where paths begin, the target's or the entered one: for
	 * statvfs, and its URL. */
	SMBCFILE *root;
	char *root_url;
	size_t root_length;
	struct smb_made *made; /* list of all paths that path_make has made */
	char *plain_urls[2];   /* buffers for the URLs of all other paths */
	/* Starts at 1, and grows whenever this session may have put a directory
	 * where a file was before (see smb_know_file in url.h). */
	uint64_t new_directories;
	/* The functions of `context`. */
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
	smbc_ftruncate_fn ftruncate;
	smbc_chmod_fn chmod;
	smbc_fstatvfs_fn fstatvfs;
	/* The rest is not set to zero, so that it takes no memory before it is
	 * used. */
	struct smb_slots slots; /* of `handles` */
	struct smb_handle handles[SMB_HANDLE_MAX];
};

/* The slots of backend.h. */
int smb_session_open(const struct target *target, unsigned user, struct backend_session **session);
void smb_session_close(struct backend_session *session);
int smb_enter(struct backend_session *session, const char *name);

/*
 * Open a session with `options` instead of the target's own. Return 0 or
 * -errno. -EPROTONOSUPPORT means that encryption is required, but the server
 * does not offer it. `error` is set only if the cause is on this machine, such
 * as a smb.conf that could not be created.
 */
int smb_session_open_as(const struct target *target, unsigned user,
			const struct smb_options *options, struct backend_session **session,
			struct error *error);

/* Check if the session is encrypted. */
bool smb_session_is_encrypted(const struct backend_session *session);

/*
 * Return the -errno of the library call that has just failed. If the connection
 * is lost, set session->lost, which ends the session.
 */
int smb_failed(struct backend_session *session);

/*
 * Return an -errno for a failed library call that does not set errno and that
 * began at `start_ns`. This is -ETIMEDOUT if the call took as long as the
 * timeout. Otherwise it is the error of a stat of the target, or -EIO if that
 * succeeds.
 */
int smb_failed_without_reason(struct backend_session *session, uint64_t start_ns);

/*
 * Facts that are found in the messages of the library's log. The log contains
 * them only for sessions opened while smb_debug_level, the library's debug
 * level, was SMB_VERBOSE.
 */
struct smb_log {
	unsigned long status; /* the latest NT status; 0: none */
	bool signature;       /* a signed message was sent */
};
enum { SMB_VERBOSE = 10 };
extern int smb_debug_level;
extern struct smb_log smb_log;

/* probe.c */
int smb_probe(const struct target *target, struct backend_facts *facts, struct error *error);

/* file.c: open files, and operations on open files */
int64_t smb_open(struct backend_session *session, const struct backend_path *path, uint64_t flags);
int smb_close(struct backend_session *session, int64_t handle);
int64_t smb_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		 uint64_t offset);
int64_t smb_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		  uint64_t offset);
int smb_truncate(struct backend_session *session, int64_t handle, uint64_t bytes);
uint64_t smb_changed_bytes(const struct backend_session *session);
int smb_fstat(struct backend_session *session, int64_t handle);
int smb_identify(struct backend_session *session, int64_t handle, struct backend_file *file);
int smb_set_times(struct backend_session *session, int64_t handle);

/* Set the times of a file back from the given attributes (words/operation.h).
 * Return 0 or -errno. */
int smb_set_back(struct backend_session *session, const char *url, const struct stat *attributes);

#endif
