/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user's session with a local directory, and its slots (backend.h) that other
 * files than posix.c implement.
 */
#ifndef TARGET_POSIX_SESSION_H
#define TARGET_POSIX_SESSION_H

#include "target/backend.h"
#include "target/posix/dircache.h"

#include <dirent.h>

enum { POSIX_ENTRIES_BYTES = 32 << 10 }; /* size of readdir(3)'s own buffer */

struct backend_session {
	struct dircache *directories;
	/* Store DOS attributes as Samba does (dos_attribute.h). */
	bool dos_attributes;
	bool shares;        /* handles with another session, see session_share */
	backend_wait *wait; /* see the slot `on_wait` */
	void *wait_context;
	uint64_t changed_bytes; /* see the slot */
	/* Buffer for getdents64. */
	_Alignas(struct dirent64) char entries[POSIX_ENTRIES_BYTES];
};

/* Does the target ask for DOS attributes? */
bool posix_wants_attributes(const struct target *target);

/* probe.c */
int posix_probe(const struct target *target, struct backend_facts *facts, struct error *error);

/* file.c: operations on open files. A handle is a file descriptor. */
int posix_close(struct backend_session *session, int64_t handle);
int64_t posix_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
		   uint64_t offset);
int64_t posix_write(struct backend_session *session, int64_t handle, const void *data, size_t size,
		    uint64_t offset);
int posix_fsync(struct backend_session *session, int64_t handle);
int posix_fdatasync(struct backend_session *session, int64_t handle);
int posix_truncate(struct backend_session *session, int64_t handle, uint64_t bytes);
int posix_allocate(struct backend_session *session, int64_t handle, uint64_t offset,
		   uint64_t length, unsigned mode);
int64_t posix_copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		   uint64_t to_offset, uint64_t bytes);
int posix_clone(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		uint64_t to_offset, uint64_t bytes);
int posix_sync_range(struct backend_session *session, int64_t handle, uint64_t offset,
		     uint64_t length, unsigned mode);
int posix_lock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
	       unsigned mode);
void posix_on_wait(struct backend_session *session, backend_wait *wait, void *context);
int posix_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length);
int posix_lock_test(struct backend_session *session, int64_t handle, uint64_t offset,
		    uint64_t length, unsigned mode);
int posix_fstat(struct backend_session *session, int64_t handle);
int posix_identify(struct backend_session *session, int64_t handle, struct backend_file *file);
int posix_set_times(struct backend_session *session, int64_t handle);

/* path.c: operations on paths that change or check attributes */
int posix_swap(struct backend_session *session, const struct backend_path *one,
	       const struct backend_path *other);
int posix_access(struct backend_session *session, const struct backend_path *path, unsigned rights);
int posix_chmod(struct backend_session *session, const struct backend_path *path,
		unsigned permissions);
int posix_chown(struct backend_session *session, const struct backend_path *path, uint32_t user_id,
		uint32_t group_id);
int posix_set_path_times(struct backend_session *session, const struct backend_path *path);
int64_t posix_xattr_get(struct backend_session *session, const struct backend_path *path,
			const char *name, void *value, size_t size);
int posix_xattr_set(struct backend_session *session, const struct backend_path *path,
		    const char *name, const void *value, size_t size);
int64_t posix_xattr_list(struct backend_session *session, const struct backend_path *path,
			 char *names, size_t size);
int posix_xattr_remove(struct backend_session *session, const struct backend_path *path,
		       const char *name);

#endif
