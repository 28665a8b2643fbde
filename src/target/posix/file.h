/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots of the posix backend (backend.h) that work on open files. The
 * handle is the file descriptor.
 */
#ifndef TARGET_POSIX_FILE_H
#define TARGET_POSIX_FILE_H

#include "target/backend.h"

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
int posix_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length);
int posix_lock_test(struct backend_session *session, int64_t handle, uint64_t offset,
		    uint64_t length, unsigned mode);
int posix_fstat(struct backend_session *session, int64_t handle);
int posix_identify(struct backend_session *session, int64_t handle, struct backend_file *file);
int posix_set_times(struct backend_session *session, int64_t handle);

#endif
