/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw SMB engine's slots for operations on paths; see backend.h. Each is
 * one compound, and so one round trip, unless a comment says otherwise.
 */
#ifndef TARGET_SMB2_PATH_H
#define TARGET_SMB2_PATH_H

#include "target/smb2/user.h"

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
int smb2_list(struct backend_session *session, const struct backend_path *path,
	      backend_visit *visit, void *context);

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

/* Move a time back by the amount of words/operation.h, but not to 0, which would
 * change nothing. */
uint64_t smb2_earlier_access(uint64_t time);
uint64_t smb2_earlier_write(uint64_t time);

#endif
