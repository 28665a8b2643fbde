/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The smb backend: an SMB share, through libsmbclient, which the comments call
 * the library. Each slot uses the cheapest reliable call of the library. Where
 * the library could wrongly report success, the slot first checks the file,
 * which takes one round trip.
 */
#include "base/clock.h"
#include "target/libsmbclient/session.h"
#include "target/libsmbclient/url.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { DIRECTORY_MODE = 0777 };

static int smb_stat(struct backend_session *session, const struct backend_path *path,
		    struct backend_attributes *attributes)
{
	struct stat found;
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	if (session->stat(session->context, url, &found) < 0)
		return smb_failed(session);
	attributes->directory = S_ISDIR(found.st_mode);
	attributes->size_bytes = (uint64_t)found.st_size;
	return 0;
}

/*
 * Check that `url` is not a directory: the library's unlink would remove a
 * directory, too. To check, try to list `url`: for a file, the server refuses
 * this in one round trip.
 */
static int check_no_directory(struct backend_session *session, const char *url)
{
	SMBCFILE *directory = session->opendir(session->context, url);
	struct stat attributes;
	int rc;

	if (directory != NULL) {
		session->closedir(session->context, directory);
		return -EISDIR;
	}
	rc = smb_failed(session);
	if (rc == -ENOTDIR)
		return 0;
	if (session->lost != 0)
		return rc;
	/* With the dialect NT1 (SMB1), listing a file fails with other errors,
	 * so get the type. */
	if (session->stat(session->context, url, &attributes) < 0)
		return smb_failed(session);
	return S_ISDIR(attributes.st_mode) ? -EISDIR : 0;
}

/* Servers refuse to delete a read-only file, which smb_chmod() may have made, and
 * the library reports EINVAL then. POSIX deletes it, so do the same. */
static int smb_unlink(struct backend_session *session, const struct backend_path *path)
{
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc == 0 && !smb_is_known_file(session, path))
		rc = check_no_directory(session, url);
	if (rc < 0)
		return rc;
	if (session->unlink(session->context, url) == 0)
		return 0;
	rc = smb_failed(session);
	if (rc == -EINVAL && session->chmod(session->context, url, 0644) == 0)
		rc = session->unlink(session->context, url) < 0 ? smb_failed(session) : 0;
	return rc;
}

/*
 * Prepare the rename of `from` to an existing `to`, whose attributes are
 * `there`: if both are directories, remove `to`. Return 0 if the caller must
 * now rename, 1 if there is nothing to do (both are the same path), or -errno.
 */
static int make_way(struct backend_session *session, const char *from, const char *to,
		    const struct stat *there, bool replace)
{
	struct stat attributes;

	if (session->stat(session->context, from, &attributes) < 0)
		return smb_failed(session);
	if (strcmp(from, to) == 0)
		return replace ? 1 : -EEXIST;
	/* Both names mean the same file, as they differ only in case: rename
	 * it. */
	if (there->st_ino == attributes.st_ino)
		return 0;
	if (!replace)
		return -EEXIST;
	if (!S_ISDIR(there->st_mode))
		return S_ISDIR(attributes.st_mode) ? -ENOTDIR : 0;
	if (!S_ISDIR(attributes.st_mode))
		return -EISDIR;
	return session->rmdir(session->context, to) < 0 ? smb_failed(session) : 0;
}

/*
 * If a file `to` exists, the library always replaces it, by removing it first.
 * So check before the rename if `to` exists and may be replaced. If it does not
 * exist, the check takes one round trip.
 */
static int smb_rename(struct backend_session *session, const struct backend_path *from,
		      const struct backend_path *to, bool replace)
{
	const char *from_url, *to_url;
	struct stat there;
	bool exists;
	int rc = smb_url(session, from, SMB_FIRST_PATH, &from_url);

	session->changed_bytes = 0;
	if (rc == 0)
		rc = smb_url(session, to, SMB_SECOND_PATH, &to_url);
	if (rc < 0)
		return rc;
	exists = session->stat(session->context, to_url, &there) == 0;
	if (exists)
		rc = make_way(session, from_url, to_url, &there, replace);
	else if (errno != ENOENT)
		rc = smb_failed(session);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (session->rename(session->context, from_url, session->context, to_url) < 0) {
		/* The library may have removed `to`. */
		session->changed_bytes = exists;
		return smb_failed(session);
	}
	if (smb_is_known_file(session, from))
		smb_know_file(session, to);
	else
		session->new_directories++;
	return 0;
}

static int smb_mkdir(struct backend_session *session, const struct backend_path *path)
{
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	if (session->mkdir(session->context, url, DIRECTORY_MODE) < 0)
		return smb_failed(session);
	session->new_directories++;
	return 0;
}

static int smb_rmdir(struct backend_session *session, const struct backend_path *path)
{
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	return session->rmdir(session->context, url) < 0 ? smb_failed(session) : 0;
}

/*
 * The library sets the attribute READONLY if no one may write, and, depending
 * on smb.conf, ARCHIVE, SYSTEM and HIDDEN from the execute permissions. If it
 * fails, it reports EACCES whatever the reason was, so find the reason.
 */
static int smb_chmod(struct backend_session *session, const struct backend_path *path,
		     unsigned permissions)
{
	struct stat attributes;
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	if (session->chmod(session->context, url, permissions) == 0)
		return 0;
	rc = smb_failed(session);
	if (rc == -EACCES && session->stat(session->context, url, &attributes) < 0)
		rc = smb_failed(session);
	return rc;
}

static int smb_set_path_times(struct backend_session *session, const struct backend_path *path)
{
	struct stat attributes;
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	if (session->stat(session->context, url, &attributes) < 0)
		return smb_failed(session);
	return smb_set_back(session, url, &attributes);
}

/* The library's fstatvfs always reports success; f_bsize is 0 if it has really
 * failed. */
static int smb_statvfs(struct backend_session *session)
{
	struct statvfs space;
	uint64_t start_ns;

	if (session->lost != 0)
		return session->lost;
	start_ns = clock_now_ns();
	if (session->fstatvfs(session->context, session->root, &space) == 0 && space.f_bsize != 0)
		return 0;
	return smb_failed_without_reason(session, start_ns);
}

/* Visit all entries. This does not wait for the server: the library has read
 * the whole listing when it opened the directory. */
static void visit_entries(struct backend_session *session, SMBCFILE *directory,
			  struct smb_visits *visits)
{
	const struct libsmb_file_info *entry;

	while (!visits->ended &&
	       (entry = session->readdirplus(session->context, directory)) != NULL)
		smb_visit(visits, entry->name,
			  (entry->attrs & SMBC_DOS_MODE_DIRECTORY) != 0 ? ENTRY_DIRECTORY
									: ENTRY_FILE);
	smb_visit_dots(visits);
}

static int smb_list(struct backend_session *session, const struct backend_path *path,
		    backend_visit *visit, void *context)
{
	struct smb_visits visits = {.visit = visit, .context = context};
	SMBCFILE *directory;
	const char *url;
	int rc = smb_url(session, path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	directory = session->opendir(session->context, url);
	if (directory == NULL)
		return smb_failed(session);
	visit_entries(session, directory, &visits);
	session->closedir(session->context, directory);
	return 0;
}

/*
 * There are no slots `fsync` and `fdatasync`: the library has no call that sends
 * a FLUSH request. So the target lacks CAP_FSYNC (backends_capabilities), and
 * adapt/fit leaves out the flushes of a load before it is played. There are no
 * slots for extended attributes, either: the library refuses all names but its
 * own, which stand for DOS attributes and access control lists.
 */
BACKEND_EXPORTED const struct backend backend_smb = {
	.answers = true,
	.remote = true,
	.needs_account = true,
	.pins_open_names = true,
	.appends_blindly = true,
	.not_in_names = SMB_NOT_IN_NAMES,
	.library_version = smbc_version,
	.probe = smb_probe,
	.session_open = smb_session_open,
	.session_close = smb_session_close,
	.enter = smb_enter,
	.path_make = smb_path_make,
	.open = smb_open,
	.close = smb_close,
	.read = smb_read,
	.write = smb_write,
	.changed_bytes = smb_changed_bytes,
	.truncate = smb_truncate,
	.fstat = smb_fstat,
	.identify = smb_identify,
	.set_times = smb_set_times,
	.stat = smb_stat,
	.unlink = smb_unlink,
	.rename = smb_rename,
	.chmod = smb_chmod,
	.set_path_times = smb_set_path_times,
	.mkdir = smb_mkdir,
	.rmdir = smb_rmdir,
	.statvfs = smb_statvfs,
	.list = smb_list,
};
