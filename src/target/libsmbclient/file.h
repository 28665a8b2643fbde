/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slots of the smb backend (backend.h) that open files and that work on
 * open files.
 */
#ifndef TARGET_LIBSMBCLIENT_FILE_H
#define TARGET_LIBSMBCLIENT_FILE_H

#include "target/libsmbclient/session.h"

#include <sys/stat.h>

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
