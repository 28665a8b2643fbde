/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw SMB engine's slots for open files; see backend.h.
 */
#ifndef TARGET_SMB2_FILE_H
#define TARGET_SMB2_FILE_H

#include "target/smb2/user.h"

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

#endif
