/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion of paths to URLs, as libsmbclient needs them.
 */
#ifndef TARGET_LIBSMBCLIENT_URL_H
#define TARGET_LIBSMBCLIENT_URL_H

#include "target/libsmbclient/session.h"

/*
 * Make the URL of a target's own directory, without a trailing slash. The
 * caller frees it. Return 0, -EINVAL (no host or share, or a bad %XX) or
 * -ENOMEM.
 */
int smb_url_of_target(const struct target *target, char **url);

/* The slot path_make of backend.h. */
int smb_path_make(struct backend_session *session, struct backend_path *path);

/* The session's two buffers for URLs: an operation can use two paths at a
 * time. */
enum smb_path_number { SMB_FIRST_PATH, SMB_SECOND_PATH };

/*
 * Get the URL of a path. If path_make has not made the URL, it is written to
 * the session's buffer `number`. Return 0, -EINVAL (SMB does not allow the
 * name), -ENAMETOOLONG, or the -errno that ended the connection.
 */
int smb_url(struct backend_session *session, const struct backend_path *path,
	    enum smb_path_number number, const char **url);

/*
 * smb_know_file() remembers that a path is a file, if path_make has made the
 * path and it is in the user's own directory. smb_is_known_file() checks,
 * without a round trip, if the path is certainly still a file: all such
 * knowledge is lost when the session makes a directory or renames something
 * that is not known to be a file.
 */
void smb_know_file(struct backend_session *session, const struct backend_path *path);
bool smb_is_known_file(const struct backend_session *session, const struct backend_path *path);

/* Return the size in bytes that a session's buffer for a URL needs. */
size_t smb_url_bytes(size_t root_length);

#endif
