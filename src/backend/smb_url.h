/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths as URLs, which is how libsmbclient takes them.
 */
#ifndef BACKEND_SMB_URL_H
#define BACKEND_SMB_URL_H

#include "backend/smb_session.h"

/*
 * The URL of a target's own directory, without a slash behind it, allocated.
 * Returns 0, -EINVAL (no host or share, or what cannot be decoded) or
 * -ENOMEM.
 */
int smb_url_of_target(const struct target *target, char **url);

/* The slot of backend.h. */
int smb_path_make(struct backend_session *session, struct backend_path *path);

/* As many paths may be in use at a time; see smb_url. */
enum smb_path_number { SMB_FIRST_PATH, SMB_SECOND_PATH };

/*
 * The URL of a path: the one that was made, or written into the session's
 * buffer of that number. Returns 0, -EINVAL (no name in SMB), -ENAMETOOLONG, or
 * with what the connection was lost.
 */
int smb_url(struct backend_session *session, const struct backend_path *path,
	    enum smb_path_number number, const char **url);

/*
 * What is known of a made path without asking: that it is a file, once it has
 * been one, in a user's own directory, as long as this session has made no
 * directory that may lie there now.
 */
void smb_know_file(struct backend_session *session,
		   const struct backend_path *path);
bool smb_is_known_file(const struct backend_session *session,
		       const struct backend_path *path);

/* The bytes that a session's buffer for a URL needs. */
size_t smb_url_bytes(size_t root_length);

#endif
