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
#include "base/error.h"
#include "base/open_flags.h"

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
	char kind[64];          /* "ext4", "SMB 3.1.1" ... */
	uint64_t free_bytes;    /* UINT64_MAX: not known */
	bool in_memory;         /* nothing there ever reaches a disk */
};

/* A file's attributes, as far as throng itself needs them. */
struct backend_attributes {
	bool directory;
	bool foreign; /* belongs to another user than the one who asks */
	uint64_t size_bytes;
};

/* What kind of entry a listing shows. */
enum backend_entry { ENTRY_UNKNOWN, ENTRY_FILE, ENTRY_DIRECTORY };

/* Is called for each entry of a listing; false ends it. */
typedef bool backend_visit(void *context, const char *name,
			   enum backend_entry entry);

struct backend {
	const char *name;
	/* Which URL schemes it plays, ended by NULL; "" is a plain path. */
	const char *const *schemes;
	/* Can it say how an operation went? If not, replay takes the recorded
	 * outcome, and no files are made or removed. */
	bool answers;
	/* What it plays with, for --version and results. */
	const char *library;
	const char *(*library_version)(void);

	/*
	 * Can the target be reached and written, and what is it? Returns 0,
	 * or -errno with `error` set to operation, path and reason.
	 */
	int (*probe)(const struct target *target, struct backend_facts *facts,
		     struct error *error);

	/* Opens a session with the target. */
	int (*session_open)(const struct target *target,
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
	/* Sets the times a few seconds back from what they are. */
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
	/* Makes changes of the directory that holds `path` durable. */
	int (*sync_parent)(struct backend_session *session,
			   const struct backend_path *path);
	int (*statvfs)(struct backend_session *session);

	/* Calls `visit` for each entry, "." and ".." included. */
	int (*list)(struct backend_session *session,
		    const struct backend_path *path, backend_visit *visit,
		    void *context);
};

#endif
