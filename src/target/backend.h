/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface of a backend, the code that plays operations on one kind of
 * target. A backend is a table of functions, which the comments call slots.
 *
 * `probe` runs in a process of its own before the users are forked, so that the
 * parent never holds any state of a client library. All slots from
 * `session_open` on run in a user's process, or in the helper process that
 * removes the users' files. Each process has one session, unless its user plays
 * several streams: then each has one (session_share). A session is used by one
 * thread or fiber at a time.
 *
 * The slots resemble system calls: they take plain arguments, and return a
 * value >= 0 or -errno. A backend neither prints nor exits nor retries, and a
 * slot that plays an operation does not allocate memory. A NULL slot means that
 * the backend does not support the operation: the target lacks its capability
 * (backends_capabilities), and adapt/fit leaves the operation out of the load.
 */
#ifndef TARGET_BACKEND_H
#define TARGET_BACKEND_H

#include "base/error.h"
#include "target/target.h"
#include "words/capability.h"
#include "words/operation.h"
#include "words/procedure.h"
#include "words/smb_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of one user's session, private to the backend. */
struct backend_session;

struct fibers;

/*
 * A path relative to the target, or to the directory below it that the session
 * has entered: components joined by '/', or "" for this directory itself.
 * `made` is the backend's own form of the path, which path_make sets, or NULL.
 * The slots accept a path with or without this form.
 */
struct backend_path {
	const char *text;
	void *made;
};

/* The results of `probe`. They come from another process, so they contain no
 * pointers. */
struct backend_facts {
	char kind[64]; /* "ext4", "NFSv3", "SMB 3.1.1" ... */
	/* Protection of the traffic: "signed", "krb5p" ..., or "" for none. */
	char protection[32];
	/* The algorithm of this protection, such as "AES-128-GMAC", or "" if it
	 * is unknown. */
	char algorithm[24];
	uint64_t free_bytes; /* UINT64_MAX: unknown */
	bool in_memory;      /* no data ever reaches a disk */
	bool droppable;      /* drop_cache works on this target */
	/* A successful fsync of a file also makes its names durable. fsync(2)
	 * does not promise that. */
	bool flushes_names;
	/* The capabilities of this target that only a probe can find, the last
	 * column of CAPABILITY_LIST (words/capability.h). */
	unsigned capabilities;
};

/* The owner of a file: the user as whom the session acts, or another user. */
enum backend_owner { OWNER_SELF, OWNER_OTHER, OWNER_UNKNOWN };

/* The few attributes of a file that throng itself uses. */
struct backend_attributes {
	bool directory;
	uint64_t size_bytes;
};

/* An open file or directory. */
struct backend_file {
	/* No two files that a file system has at one time have the same; 0:
	 * unknown. A directory that replaces another one under the same name
	 * has another, but may get that of a directory that was removed: see
	 * `generation`. */
	uint64_t id;
	uint64_t size_bytes; /* undefined for a directory */
	/* The number of the file system that contains it; 0: unknown. It may
	 * change when that is mounted again. */
	uint64_t device;
	/* Differs from that of a removed file that had the same id before; 0:
	 * unknown. */
	uint64_t generation;
};

/* A call of one NFS procedure (words/procedure.h). */
struct backend_call {
	enum procedure procedure;
	const struct backend_path *path; /* READDIRPLUS: the directory */
	/* RENAME: the new path. LINK: the existing file. SYMLINK: its `text`
	 * is the link's content. NULL for other procedures. */
	const struct backend_path *path2;
	void *buffer;          /* READ: where to put the data */
	const void *data;      /* WRITE: the data to write */
	uint64_t offset, size; /* READ, WRITE, NLM locks */
	unsigned stable;       /* WRITE: RFC 1813's stable_how */
};

/* The kind of an entry in a listing. */
enum backend_entry { ENTRY_UNKNOWN, ENTRY_FILE, ENTRY_DIRECTORY };

/* Handle one entry of a listing. Return false to end the listing. */
typedef bool backend_visit(void *context, const char *name, enum backend_entry entry);

/* Called while an operation waits for another user. Return false if the user
 * must leave. */
typedef bool backend_wait(void *context);

/* Export the table of a module, which hides everything else (Makefile.am). */
#define BACKEND_EXPORTED __attribute__((visibility("default")))

struct backend {
	/* Operations return their real outcome. If false, the target has no
	 * files: replay assumes that each operation has its recorded outcome,
	 * and throng neither creates nor removes files there. */
	bool answers;
	/* The target is a server, and its client runs in the user's process.
	 * So the process's system time is spent by the client, while with a
	 * local file system it is spent by the target. */
	bool remote;
	/* Changes of directories are durable when the call that makes them
	 * returns, so sync_parent is not needed. */
	bool durable_directories;
	/* A successful fsync does not prove that earlier writes are durable:
	 * the client library does not check if a server has restarted and lost
	 * them. */
	bool blind_commits;
	/* Users log in with a name and a password (target/account.h). */
	bool needs_account;
	/* The target refuses to remove or rename an open file. */
	bool pins_open_names;
	/* A handle for appending notes the end of the file when it is opened,
	 * and does not notice when the end is moved through another handle. */
	bool appends_blindly;
	/* The slot `open` obeys OPEN_DELETE_ON_CLOSE. */
	bool deletes_on_close;
	/* The sessions that session_share opens share one connection, and are used
	 * by fibers (base/fibers.h). A slot that waits for the server lets the
	 * other ones run. False: each session is used by a thread of its own. */
	bool takes_turns;
	/* Characters that names cannot hold; a path with one of them fails
	 * with -EINVAL. NULL: only '/'. */
	const char *not_in_names;
	/* Return the version of the library that the backend's row in the table
	 * of backends.h names. */
	const char *(*library_version)(void);

	/*
	 * Check that the target can be reached and written (or only read:
	 * target->read_only), and find out what it is. If it may not be
	 * written, take the capabilities that only writing could prove for
	 * granted: an operation that does not work then fails when it is
	 * played. Return 0, or -errno with an `error` that names the failed
	 * operation, the path and the reason.
	 */
	int (*probe)(const struct target *target, struct backend_facts *facts, struct error *error);

	/* Open the session of user number `user` with the target. */
	int (*session_open)(const struct target *target, unsigned user,
			    struct backend_session **session);
	void (*session_close)(struct backend_session *session);

	/*
	 * Optional: open a further session of the same user, in the same
	 * directory, for another thread or fiber. The handles of all these
	 * sessions are valid in each of them. Locks belong to handles from now
	 * on, not to the process. `fibers` is NULL unless the backend
	 * `takes_turns`; it is the same in each call, and lasts longer than the
	 * sessions. Close them before `session`. Return 0 or -errno. Without this
	 * slot, a user plays one operation at a time.
	 */
	int (*session_share)(struct backend_session *session, struct fibers *fibers,
			     struct backend_session **another);

	/*
	 * Enter the directory `name`, one component, directly below the target:
	 * later paths begin there, and the session is as one with this
	 * directory as its target. Don't follow a link, which the client cannot
	 * tell from a directory if an SMB server follows it. Called at most
	 * once, after session_open and before any path_make. Return 0, or
	 * -errno with nothing changed: -ENOENT, or -ENOTDIR or -ELOOP if it is
	 * a file or a link. Required if the backend `answers`.
	 */
	int (*enter)(struct backend_session *session, const char *name);

	/*
	 * Optional: return the reason why the session was lost, or, if
	 * `session` is NULL, why the last session_open of this process failed:
	 * a static text that adds something to the errno, or NULL.
	 */
	const char *(*loss_reason)(const struct backend_session *session);

	/*
	 * Optional: let a lock that another user has be waited for without a
	 * time limit, and call `wait` several times per second meanwhile. When
	 * it returns false, give up: the lock fails with -ECANCELED. Without
	 * this slot, or on a local target in a session that is not shared, such a
	 * lock blocks in a system call, or does not wait.
	 */
	void (*on_wait)(struct backend_session *session, backend_wait *wait, void *context);

	/*
	 * Optional: convert path->text to a form that is faster to use, and
	 * store it in path->made. Called once per user and path, before the
	 * first operation. session_close frees it.
	 */
	int (*path_make)(struct backend_session *session, struct backend_path *path);

	/*
	 * Optional: look up a name as a file server does on a plain file
	 * system: call stat, and if that fails, search the parent directory
	 * ignoring case. Return the result of stat.
	 */
	int (*resolve)(struct backend_session *session, const struct backend_path *path);

	/*
	 * Optional: tell how the operation that the next call of a slot plays
	 * was recorded: as this request, which has no fields if it was not
	 * recorded. `pattern`: the names that a listing is to return, for the
	 * caller would skip others; else NULL. The request and the pattern
	 * last longer than that call.
	 */
	void (*recorded)(struct backend_session *session, const struct smb_request *request,
			 const char *pattern);

	/*
	 * Open a file or directory as `flags` (words/operation.h) say. Never
	 * follow a symbolic link. With OPEN_ATTRIBUTES, also fetch the
	 * attributes, unless the protocol's answer to an open contains them.
	 * Return a handle >= 0.
	 */
	int64_t (*open)(struct backend_session *session, const struct backend_path *path,
			uint64_t flags);
	int (*close)(struct backend_session *session, int64_t handle);

	/* Return the number of bytes moved. A read that returns fewer than
	 * `size` has usually reached the end of the file, but some file systems
	 * and servers return fewer bytes than there are; the rest of its buffer
	 * is undefined then. A read that returns 0 has reached the end. */
	int64_t (*read)(struct backend_session *session, int64_t handle, void *buffer, size_t size,
			uint64_t offset);
	int64_t (*write)(struct backend_session *session, int64_t handle, const void *data,
			 size_t size, uint64_t offset);

	/* Optional: return true if all data of the session's last write, which
	 * was successful, was durable when it returned. Without this slot,
	 * only data of files opened with OPEN_SYNC is durable then. */
	bool (*wrote_stable)(const struct backend_session *session);

	/*
	 * Optional: return how many bytes, from the start of its range, the
	 * session's last open, write, copy, allocate or rename may have changed
	 * although it failed, because it takes several requests. For an open
	 * and a rename, any number but 0 means that it may have been carried
	 * out, or a part of it. Undefined after a success. Without this slot
	 * the number is 0.
	 */
	uint64_t (*changed_bytes)(const struct backend_session *session);

	int (*fsync)(struct backend_session *session, int64_t handle);
	/* Flush the data, and only the attributes needed to read it. The same
	 * as fsync where there is no difference. */
	int (*fdatasync)(struct backend_session *session, int64_t handle);
	/* Set the size of a file. */
	int (*truncate)(struct backend_session *session, int64_t handle, uint64_t bytes);
	/* Allocate or free the space of a range; `mode`: enum allocate_mode. */
	int (*allocate)(struct backend_session *session, int64_t handle, uint64_t offset,
			uint64_t length, unsigned mode);
	/* Copy bytes of one open file to another on the target. Return the
	 * number of bytes copied, fewer than `bytes` only at the end of the
	 * file. */
	int64_t (*copy)(struct backend_session *session, int64_t from, uint64_t from_offset,
			int64_t to, uint64_t to_offset, uint64_t bytes);
	/* Let two open files share the blocks of a range. `bytes` 0: up to the
	 * end of the file `from`. */
	int (*clone)(struct backend_session *session, int64_t from, uint64_t from_offset,
		     int64_t to, uint64_t to_offset, uint64_t bytes);
	/* Start to write the dirty pages of a range, and with SYNC_RANGE_WAIT
	 * wait until they are written. This does not make them durable. */
	int (*sync_range)(struct backend_session *session, int64_t handle, uint64_t offset,
			  uint64_t length, unsigned mode);
	/* `mode`: enum lock_mode. A target that cannot wait for a lock fails
	 * with -EAGAIN even without LOCK_TRY. See also `on_wait`. */
	int (*lock)(struct backend_session *session, int64_t handle, uint64_t offset,
		    uint64_t length, unsigned mode);
	int (*unlock)(struct backend_session *session, int64_t handle, uint64_t offset,
		      uint64_t length);
	/* Return 0 if the lock would be granted, or -EAGAIN if another process
	 * holds one that conflicts with it. */
	int (*lock_test)(struct backend_session *session, int64_t handle, uint64_t offset,
			 uint64_t length, unsigned mode);
	int (*fstat)(struct backend_session *session, int64_t handle);
	/* Find out which file or directory a handle is for, and the size of a
	 * file. Required if the backend `answers`. */
	int (*identify)(struct backend_session *session, int64_t handle, struct backend_file *file);
	/* Optional: return the owner of an open file, an enum backend_owner,
	 * or -errno. Without this slot the owner is unknown. */
	int (*owner_of)(struct backend_session *session, int64_t handle);
	/* Move the file's times back by a fixed amount (words/operation.h). */
	int (*set_times)(struct backend_session *session, int64_t handle);

	int (*stat)(struct backend_session *session, const struct backend_path *path,
		    struct backend_attributes *attributes);
	int (*unlink)(struct backend_session *session, const struct backend_path *path);
	int (*rename)(struct backend_session *session, const struct backend_path *from,
		      const struct backend_path *to, bool replace);
	/* Exchange two existing names. */
	int (*swap)(struct backend_session *session, const struct backend_path *one,
		    const struct backend_path *other);
	/* Check that the session has all the rights (enum access_mode). Return
	 * -EACCES if not. */
	int (*access)(struct backend_session *session, const struct backend_path *path,
		      unsigned rights);
	/* Change the permissions. A symbolic link fails with -EOPNOTSUPP. */
	int (*chmod)(struct backend_session *session, const struct backend_path *path,
		     unsigned permissions);
	/* Change the owner and the group. UINT32_MAX keeps one of them. */
	int (*chown)(struct backend_session *session, const struct backend_path *path,
		     uint32_t user_id, uint32_t group_id);
	/* The same as set_times, by path. */
	int (*set_path_times)(struct backend_session *session, const struct backend_path *path);
	/* Read the extended attribute `name` into `value`. Return its size, or
	 * -ENODATA if the file has none of that name, or -ERANGE if it is
	 * larger than `size`. */
	int64_t (*xattr_get)(struct backend_session *session, const struct backend_path *path,
			     const char *name, void *value, size_t size);
	int (*xattr_set)(struct backend_session *session, const struct backend_path *path,
			 const char *name, const void *value, size_t size);
	/* Read the names of all extended attributes. Return their size in
	 * bytes. */
	int64_t (*xattr_list)(struct backend_session *session, const struct backend_path *path,
			      char *names, size_t size);
	int (*xattr_remove)(struct backend_session *session, const struct backend_path *path,
			    const char *name);
	int (*mkdir)(struct backend_session *session, const struct backend_path *path);
	int (*rmdir)(struct backend_session *session, const struct backend_path *path);
	/*
	 * Optional: get a number that identifies the mount to which a path
	 * belongs (for a mount point, the file system mounted on it). Do not
	 * follow links. Without this slot the client cannot see mounts.
	 */
	int (*mount_of)(struct backend_session *session, const struct backend_path *path,
			uint64_t *mount);
	/*
	 * Optional: lock a file and return a descriptor. The lock lasts until
	 * the caller and all processes that have inherited the descriptor have
	 * closed it. Return -EAGAIN if another process holds the lock,
	 * -EOPNOTSUPP if other machines can mount the file system and might not
	 * see the lock, -EPERM if the file belongs to another account, or
	 * -ENOENT if it was removed before it was locked.
	 */
	int (*hold)(struct backend_session *session, const struct backend_path *path);
	/* Return 1 if another process holds the lock of `hold`, 0 if not (other
	 * locks, which any reader can take, do not count), or -errno, including
	 * the -EOPNOTSUPP of `hold`. Whoever owns the file, it is not
	 * changed. */
	int (*is_held)(struct backend_session *session, const struct backend_path *path);
	/* Make changes of the directory that contains `path` durable. */
	int (*sync_parent)(struct backend_session *session, const struct backend_path *path);
	int (*statvfs)(struct backend_session *session);
	/* Create a hard link: a second name `path` for the file `existing`. */
	int (*link)(struct backend_session *session, const struct backend_path *path,
		    const struct backend_path *existing);
	/* Create a symbolic link `path` whose content is `text`. */
	int (*symlink)(struct backend_session *session, const struct backend_path *path,
		       const char *text);
	/* Read a symbolic link and discard the result. */
	int (*readlink)(struct backend_session *session, const struct backend_path *path);
	/* Call an NFS procedure. Return the number of bytes that a READ or
	 * WRITE moved, 0 for any other procedure, or -errno. */
	int64_t (*procedure)(struct backend_session *session, const struct backend_call *call);

	/*
	 * Play any operation as a request and a reply of the given sizes, from
	 * 8 to 70,000 bytes (words/packet.h). In a backend with this slot, no
	 * other slots play operations, except for `connect` and `disconnect`. A
	 * failure ends the connection.
	 */
	int (*exchange)(struct backend_session *session, uint32_t request_bytes,
			uint32_t reply_bytes);
	/* Open a second connection. `exchange` uses it instead of the session's
	 * own connection until `disconnect` closes it, either normally or by a
	 * reset. */
	int (*connect)(struct backend_session *session);
	int (*disconnect)(struct backend_session *session, bool reset);

	/*
	 * Optional: write a file, or all files below a directory, to disk, and
	 * drop them from the page cache of this machine. Don't follow links or
	 * enter other file systems. *steps grows with the progress. Unlike an
	 * operation, it may allocate memory. Return 0, or -errno: -EBUSY if a
	 * file stays in the page cache.
	 */
	int (*drop_cache)(struct backend_session *session, const struct backend_path *path,
			  uint64_t *steps);

	/* Call `visit` for each entry of a directory, including "." and "..".
	 * If `path` is a symbolic link, the slot may follow it, so call `stat`
	 * before removing any of the entries. */
	int (*list)(struct backend_session *session, const struct backend_path *path,
		    backend_visit *visit, void *context);
};

#endif
