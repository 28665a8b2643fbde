/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's state in the raw SMB engine: the session, paths and open files.
 */
#ifndef TARGET_SMB2_USER_H
#define TARGET_SMB2_USER_H

#include "smb2client/client.h"
#include "target/backend.h"
#include "target/smb_common.h"
#include "target/smb_slots.h"

struct account;

/* An open file or directory. For smb2_set_times(), the slot of a handle that does
 * not write has a copy of the path: a path with variables changes. */
struct smb2_handle {
	uint8_t id[SMB2_FILE_ID_BYTES];
	bool directory, through; /* through: writes reach the disk */
	bool reads, writes;      /* what the handle may do */
	/* The server decides that, because an SMB client has asked for these
	 * rights. Otherwise, -EBADF comes before a request, as on a local path,
	 * where servers have EACCES. */
	bool asks;
	bool appends;
	uint8_t oplock; /* enum smb2_oplock; NONE in a free slot */
	uint64_t end;   /* end of the file, if the handle `appends` */
	/* The times when the file was opened, in units of 100 ns since 1601. */
	uint64_t access_time, write_time;
	/* The key that stands for the file as a source of copies. */
	uint8_t resume_key[SMB2_RESUME_KEY_BYTES];
	bool has_resume_key;
};

/* A lock that the session has, on a file that is open as `handle`. */
struct smb2_held {
	int64_t handle;
	struct smb2_range range;
};

/* An operation can use two paths. */
enum { SMB2_PATHS = 2, SMB2_NAME_MAX = 2 * 4096 };

/* Max number of locks of a session: all must be known to unlock several. */
enum { SMB2_HELD_MAX = 16384 };

/* Max size of a reply to a listing that is known to have been complete. */
struct smb2_complete {
	uint32_t bytes, entries;
};

struct backend_session {
	struct smb2_session smb;
	size_t root_bytes;  /* of `names`: the target's directory */
	size_t names_bytes; /* used bytes of `names` */
	/* The next operation; see the slot `recorded`. NULL: none. */
	const struct smb_request *recorded;
	const char *pattern;
	enum smb2_oplock oplock; /* to ask for when a file is opened */
	backend_wait *wait;      /* see the slot `on_wait` */
	void *waiter;            /* its context */
	uint64_t changed_bytes;  /* see the slot */
	uint64_t renames;        /* successful ones, which change the keys of leases */
	unsigned held_count;
	struct smb2_copied copy_max; /* limits of one request for a copy */
	struct smb2_complete complete_listing;
	bool lists_in_parts; /* replies end although another entry would fit */
	/* The rest is not set to zero, so that it takes no memory before it is
	 * used. */
	/* In UTF-16: the target's directory on the share, which is empty for the
	 * share's root, then the names of the current call. */
	uint8_t names[(1 + SMB2_PATHS) * SMB2_NAME_MAX];
	struct smb2_held held[SMB2_HELD_MAX]; /* in no order */
	struct smb_slots slots;               /* of `handles` */
	struct smb2_handle handles[SMB_HANDLE_MAX];
};

/* Names of dialects, signatures and ciphers in options and messages. The last
 * row has no name, and the number that stands for no option. */
struct smb2_word {
	const char *name;
	int number;
};
extern const struct smb2_word smb2_dialects[], smb2_signings[], smb2_ciphers[];

/* Return the name of a number, or "" if it has none. */
const char *smb2_word_of(const struct smb2_word *words, int number);

/* The slots of backend.h. */
int smb2_user_open(const struct target *target, unsigned user, struct backend_session **session);
void smb2_user_close(struct backend_session *session);
const char *smb2_loss_reason(const struct backend_session *session);
void smb2_recorded(struct backend_session *session, const struct smb_request *request,
		   const char *pattern);

/* Return how the current operation was recorded. A further call returns
 * smb2_unrecorded, a request without fields. */
extern const struct smb_request smb2_unrecorded;
const struct smb_request *smb2_take_recorded(struct backend_session *session);

/* Return the pattern of the current listing. A further call returns "*". */
const char *smb2_take_pattern(struct backend_session *session);

/*
 * Open a session as user number `user`, even if the login fails: its cause is
 * in the session. Return 0 or -errno, with *session NULL if there is no memory.
 * The caller closes the session.
 */
int smb2_user_log_in(const struct target *target, unsigned user, const struct smb_options *options,
		     struct backend_session **session);

/*
 * Get the name of a path on the share, in the session's buffer for names. Name
 * number 0 replaces those of the last call; number 1 is added after it. Return
 * 0, -EINVAL, -EILSEQ or -ENAMETOOLONG (SMB does not allow the name), or the
 * -errno that ended the connection.
 */
int smb2_name_of(struct backend_session *session, const struct backend_path *path, unsigned number,
		 struct smb2_name *name);

/* Return the name of the target's directory. */
struct smb2_name smb2_root_of(const struct backend_session *session);

#endif
