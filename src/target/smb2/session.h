/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session in the built-in SMB client, which plays on SMB shares
 * through our own client (smb2client): its state, the names of its paths, and
 * the slots of backend.h, which the other files implement.
 */
#ifndef TARGET_SMB2_SESSION_H
#define TARGET_SMB2_SESSION_H

#include "smb2client/client.h"
#include "target/backend.h"
#include "target/smb_common.h"
#include "target/smb_slots.h"

struct account;

/* An open file or directory. For smb2_set_times(), the slot of a handle that
 * does not write has a copy of the path: a path with variables changes. */
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

/* Max number of locks of a user: all must be known to unlock several. */
enum { SMB2_HELD_MAX = 16384 };

/* Max size of a reply to a listing that is known to have been complete. */
struct smb2_complete {
	uint32_t bytes, entries;
};

/* The part of a user's sessions that all of the user's streams share. */
struct smb2_user {
	enum smb2_oplock oplock;     /* to ask for when a file is opened */
	unsigned opening;            /* number of files that are being opened */
	uint64_t renames;            /* successful ones, which change the keys of leases */
	struct smb2_copied copy_max; /* limits of one request for a copy */
	struct smb2_complete complete_listing;
	bool lists_in_parts; /* replies end although another entry would fit */
	/* The locks in `held`, and those that are being asked for. */
	unsigned held_count, asked_count;
	/* The rest is not set to zero, so that it takes no memory before it is
	 * used. */
	struct smb2_held held[SMB2_HELD_MAX]; /* in no order */
	struct smb_slots slots;               /* of `handles` */
	struct smb2_handle handles[SMB_HANDLE_MAX];
};

struct backend_session {
	struct smb2_session smb;
	struct smb2_user *user;
	bool is_shared;     /* `user` is that of another session */
	size_t root_bytes;  /* of `names`: the directory where paths begin */
	size_t names_bytes; /* used bytes of `names` */
	/* The next operation; see the slot `recorded`. NULL: none. */
	const struct smb_request *recorded;
	const char *pattern;
	backend_wait *wait;     /* see the slot `on_wait` */
	void *waiter;           /* its context */
	uint64_t changed_bytes; /* see the slot */
	/* In UTF-16: the directory on the share where paths begin, the target's
	 * or the entered one, which is empty for the share's root, then the
	 * names of the current call. Not set to zero. */
	uint8_t names[(1 + SMB2_PATHS) * SMB2_NAME_MAX];
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
int smb2_user_share(struct backend_session *session, struct fibers *fibers,
		    struct backend_session **another);
int smb2_enter(struct backend_session *session, const char *name);
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

/* Return the name of the directory where paths begin. */
struct smb2_name smb2_root_of(const struct backend_session *session);

/* probe.c */
int smb2_probe(const struct target *target, struct backend_facts *facts, struct error *error);

/* file.c: operations on open files */
int64_t smb2_open(struct backend_session *session, const struct backend_path *path, uint64_t flags);
int smb2_close(struct backend_session *session, int64_t handle);
int64_t smb2_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		  uint64_t offset);
int64_t smb2_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		   uint64_t offset);
uint64_t smb2_changed_bytes(const struct backend_session *session);
int smb2_fsync(struct backend_session *session, int64_t handle);
int smb2_truncate(struct backend_session *session, int64_t handle, uint64_t bytes);
int smb2_fstat(struct backend_session *session, int64_t handle);
int smb2_set_times(struct backend_session *session, int64_t handle);

/*
 * lock.c: SMB unlocks a range only as it was locked, while POSIX unlocks any
 * number of ranges in one call. So the session remembers its locks, and one
 * request unlocks all that lie in a range. There is no slot for lock_test: SMB
 * has no such request. To try a lock and release it takes two requests, finds
 * the session's own locks, too, and lets other users run into a lock that the
 * load does not have.
 */
void smb2_on_wait(struct backend_session *session, backend_wait *wait, void *context);
int smb2_lock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
	      unsigned mode);
/* If the session remembers no lock in the range, the server decides: it fails
 * with RANGE_NOT_LOCKED, or -EINVAL. */
int smb2_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length);

/* Forget the locks on a file that is being closed, which releases them. */
void smb2_forget_locks(struct smb2_user *user, int64_t handle);

/* space.c: sizes and space of open files, and copies by the server */

/*
 * Allocate or free space (MS-FSCC 2.4.4, 2.3.65). SMB sets the allocated size
 * of a file, which is no less than the file's size. So a range that ends before
 * the end of the file is left as it is.
 */
int smb2_allocate(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
		  unsigned mode);

int smb2_identify(struct backend_session *session, int64_t handle, struct backend_file *file);

/* Copy with FSCTL_SRV_COPYCHUNK_WRITE (3.3.5.15.6). The first copy from a
 * handle takes a round trip more, and so does one that reaches the end of the
 * file. */
int64_t smb2_copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		  uint64_t to_offset, uint64_t bytes);

/* Does the server allocate space when it is asked to? The file must be empty,
 * and may be changed. */
bool smb2_can_allocate(struct backend_session *session, int64_t handle);

/* path.c: operations on paths. Each is one compound, and so one round trip,
 * unless a comment says otherwise. */
int smb2_stat(struct backend_session *session, const struct backend_path *path,
	      struct backend_attributes *attributes);
int smb2_unlink(struct backend_session *session, const struct backend_path *path);
int smb2_rename(struct backend_session *session, const struct backend_path *from,
		const struct backend_path *to, bool replace);
int smb2_link(struct backend_session *session, const struct backend_path *path,
	      const struct backend_path *existing);
int smb2_chmod(struct backend_session *session, const struct backend_path *path,
	       unsigned permissions);
int smb2_set_path_times(struct backend_session *session, const struct backend_path *path);
int smb2_mkdir(struct backend_session *session, const struct backend_path *path);
int smb2_rmdir(struct backend_session *session, const struct backend_path *path);
int smb2_statvfs(struct backend_session *session);

/* Get the space that the user may still use. Return 0 or -errno. */
int smb2_get_free_bytes(struct backend_session *session, uint64_t *free_bytes);

/* Take the data of the reply to request `number` of the message, a QUERY_INFO.
 * If the reply is invalid, break the connection. Return 0 or -errno. */
int smb2_take_query(struct backend_session *session, unsigned number, struct smb2_data *data);

/* Take a file's attributes from such a reply. Return 0 or -errno. */
int smb2_take_stat(struct backend_session *session, unsigned number,
		   struct smb2_all_information *information);

/* Set times, in units of 100 ns since 1601, and attributes; 0 changes nothing.
 * Return 0 or -errno. */
int smb2_set_basic(struct backend_session *session, struct smb2_name name, uint64_t access_time,
		   uint64_t write_time, uint32_t attributes);

/* Move a time back by the amount of words/operation.h, but not to 0, which
 * would change nothing. */
uint64_t smb2_earlier_access(uint64_t time);
uint64_t smb2_earlier_write(uint64_t time);

/* list.c */
int smb2_list(struct backend_session *session, const struct backend_path *path,
	      backend_visit *visit, void *context);

#endif
