/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract of a backend: the code that plays operations on one kind of
 * target.
 *
 * Who calls what, where: `probe` runs in a process of its own before the
 * users are forked, so that nothing of a client library is alive in the
 * parent. Everything from `session_open` on runs in a user's process (or in
 * the one that cleans up), which has one session.
 *
 * The slots are close to system calls: plain arguments, >= 0 or -errno. A
 * backend neither prints nor exits nor retries, and a slot that is called
 * while the clock runs does not allocate. A NULL slot: it cannot do that.
 */
#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

#include "backend/target.h"
#include "base/capability.h"
#include "base/error.h"
#include "base/open_flags.h"
#include "base/procedure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A backend's own state for one user. */
struct backend_session;

/*
 * A path relative to the target, components joined by '/', "" the target
 * itself. `made` is what path_make turned it into, or NULL: the slots take
 * both.
 */
struct backend_path {
	const char *text;
	void *made;
};

/* What probe found. No pointers inside: it comes from another process. */
struct backend_facts {
	char kind[64];          /* "ext4", "NFSv3", "SMB3_11" ... */
	char protection[32];    /* on the wire: "encrypted", "signed" or "" */
	uint64_t free_bytes;    /* UINT64_MAX: not known */
	bool in_memory;         /* nothing there ever reaches a disk */
	/* CAP_LOCKS and those after it, as far as the slots that are there
	 * can do them on this target. */
	unsigned capabilities;
};

/* Whose a file is, as seen by the one who asks. */
enum backend_owner { OWNER_SELF, OWNER_OTHER, OWNER_UNKNOWN };

/* A file's attributes, as far as throng itself needs them. */
struct backend_attributes {
	bool directory;
	uint64_t size_bytes;
};

/* One NFS procedure, called as it is (base/procedure.h). */
struct backend_call {
	enum procedure procedure;
	const struct backend_path *path; /* READDIRPLUS: the directory */
	const struct backend_path *path2; /* RENAME, LINK, SYMLINK; or NULL */
	void *buffer;     /* READ: where to */
	const void *data; /* WRITE: what */
	uint64_t offset, size;
	unsigned stable; /* WRITE: RFC 1813's stable_how */
};

/* What kind of entry a listing shows. */
enum backend_entry { ENTRY_UNKNOWN, ENTRY_FILE, ENTRY_DIRECTORY };

/* Is called for each entry of a listing; false ends it. */
typedef bool backend_visit(void *context, const char *name,
			   enum backend_entry entry);

struct backend {
	/* Can it say how an operation went? If not, replay takes the recorded
	 * outcome, and no files are made or removed. */
	bool answers;
	/* Its client runs in the user's process: system time is the client's
	 * as well, not the target's. */
	bool remote;
	/* Changes of directories are durable when the call that makes them
	 * returns: there is nothing for sync_parent to do. */
	bool durable_directories;
	/* Who plays there has a name and a password (backend/account.h). */
	bool needs_account;
	/* The name of an open file can be neither removed nor changed. */
	bool pins_open_names;
	/* The characters that its names cannot hold: a path with one of them
	 * is -EINVAL. NULL: none but '/'. */
	const char *not_in_names;
	/* The version of the library in its row (backend/backends.h). */
	const char *(*library_version)(void);

	/*
	 * Can the target be reached and written, and what is it? Returns 0,
	 * or -errno with `error` set to operation, path and reason.
	 */
	int (*probe)(const struct target *target, struct backend_facts *facts,
		     struct error *error);

	/* Opens user `user`'s session with the target. */
	int (*session_open)(const struct target *target, unsigned user,
			    struct backend_session **session);
	void (*session_close)(struct backend_session *session);

	/*
	 * Optional: turns path->text into what the backend wants, once a user
	 * and path, before the clock runs. Freed with the session.
	 */
	int (*path_make)(struct backend_session *session,
			 struct backend_path *path);

	/*
	 * Optional: the name look-up of a file server on a plain file system:
	 * stat, and when that fails a look through the parent directory
	 * without regard to case. Returns what stat returned.
	 */
	int (*resolve)(struct backend_session *session,
		       const struct backend_path *path);

	/*
	 * Opens a file or directory as `flags` (base/open_flags.h) say; never
	 * follows a link. OPEN_ATTRIBUTES costs an fstat more where the
	 * protocol's answer does not have them. Returns a handle >= 0.
	 */
	int64_t (*open)(struct backend_session *session,
			const struct backend_path *path, uint64_t flags);
	int (*close)(struct backend_session *session, int64_t handle);

	/* Return the bytes moved; less than `size` only at the end of a file. */
	int64_t (*read)(struct backend_session *session, int64_t handle,
			void *buffer, size_t size, uint64_t offset);
	int64_t (*write)(struct backend_session *session, int64_t handle,
			 const void *data, size_t size, uint64_t offset);

	int (*fsync)(struct backend_session *session, int64_t handle);
	int (*lock)(struct backend_session *session, int64_t handle,
		    uint64_t offset, uint64_t length);
	int (*unlock)(struct backend_session *session, int64_t handle,
		      uint64_t offset, uint64_t length);
	int (*fstat)(struct backend_session *session, int64_t handle);
	/* Optional: whose an open file is, an enum backend_owner or -errno.
	 * Where it is absent nobody can tell. */
	int (*owner_of)(struct backend_session *session, int64_t handle);
	/* Moves the times back from what they are (base/layout.h). */
	int (*set_times)(struct backend_session *session, int64_t handle);

	int (*stat)(struct backend_session *session,
		    const struct backend_path *path,
		    struct backend_attributes *attributes);
	int (*unlink)(struct backend_session *session,
		      const struct backend_path *path);
	int (*rename)(struct backend_session *session,
		      const struct backend_path *from,
		      const struct backend_path *to, bool replace);
	int (*mkdir)(struct backend_session *session,
		     const struct backend_path *path);
	int (*rmdir)(struct backend_session *session,
		     const struct backend_path *path);
	/*
	 * Optional: which mount a path is on, itself included, as a number;
	 * links are not followed. Where it is absent the client cannot see
	 * mounts.
	 */
	int (*mount_of)(struct backend_session *session,
			const struct backend_path *path, uint64_t *mount);
	/*
	 * Optional: locks a file until no process has the returned descriptor
	 * open any more; the caller closes it. -EAGAIN: another one holds the
	 * lock; -EOPNOTSUPP: other machines may not see a lock there.
	 */
	int (*hold)(struct backend_session *session,
		    const struct backend_path *path);
	/* Is the file locked so by somebody else? 1, 0 or -errno as above. */
	int (*is_held)(struct backend_session *session,
		       const struct backend_path *path);
	/* Makes changes of the directory that holds `path` durable. */
	int (*sync_parent)(struct backend_session *session,
			   const struct backend_path *path);
	int (*statvfs)(struct backend_session *session);
	/* A second name `path` for the file `existing`. */
	int (*link)(struct backend_session *session,
		    const struct backend_path *path,
		    const struct backend_path *existing);
	/* A symbolic link `path` that holds `text`. */
	int (*symlink)(struct backend_session *session,
		       const struct backend_path *path, const char *text);
	/* Reads a symbolic link; what it holds is of no interest. */
	int (*readlink)(struct backend_session *session,
			const struct backend_path *path);
	/* One call of an NFS procedure: the bytes moved, 0 or -errno. */
	int64_t (*procedure)(struct backend_session *session,
			     const struct backend_call *call);

	/*
	 * Plays any operation as a request and a reply of so many bytes, from
	 * 8 to 70,000 (base/packet.h). Who has this slot is asked for nothing
	 * else but the two below; a failure is the end of the connection.
	 */
	int (*exchange)(struct backend_session *session,
			uint32_t request_bytes, uint32_t reply_bytes);
	/* Opens another connection, which exchange uses in place of the
	 * session's own until disconnect closes it, orderly or by a reset. */
	int (*connect)(struct backend_session *session);
	int (*disconnect)(struct backend_session *session, bool reset);

	/* Calls `visit` for each entry, "." and ".." included. A link in place
	 * of the directory may be followed: whoever removes asks stat first. */
	int (*list)(struct backend_session *session,
		    const struct backend_path *path, backend_visit *visit,
		    void *context);
};

#endif
