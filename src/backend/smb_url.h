/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion of paths to URLs, which libsmbclient takes.
 */
#ifndef BACKEND_SMB_URL_H
#define BACKEND_SMB_URL_H

#include "backend/smb_session.h"

/*
 * Make the URL of a target's own directory, without a trailing slash. The
 * caller frees it. Returns 0, -EINVAL (no host or share, or a bad %XX) or
 * -ENOMEM.
 */
int smb_url_of_target(const struct target *target, char **url);

/* The slot of backend.h. */
int smb_path_make(struct backend_session *session, struct backend_path *path);

/* The buffers of smb_url: two paths can be in use at a time. */
enum smb_path_number { SMB_FIRST_PATH, SMB_SECOND_PATH };

/*
 * Get the URL of a path: the one that path_make made, or one in the session's
 * buffer `number`. Returns 0, -EINVAL (SMB does not allow the name),
 * -ENAMETOOLONG, or the -errno that ended the connection.
 */
int smb_url(struct backend_session *session, const struct backend_path *path,
	    enum smb_path_number number, const char **url);

/*
 * Remember that a made path is a file; check if it still is, without a round
 * trip. This works in a user's own directory, until the session makes a
 * directory that may be at this path.
 */
void smb_know_file(struct backend_session *session,
		   const struct backend_path *path);
bool smb_is_known_file(const struct backend_session *session,
		       const struct backend_path *path);

/* Return the size in bytes that a session's buffer for a URL needs. */
size_t smb_url_bytes(size_t root_length);

#endif
