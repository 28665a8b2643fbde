/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/libsmbclient/session.h"

#include "target/account.h"
#include "target/libsmbclient/url.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

/* All dialects but NT1 (SMB1), the newest first. */
static const char *const dialects[] = {"SMB3_11", "SMB3_02", "SMB3_00", "SMB2_10", "SMB2_02", NULL};

/* Check if a login with these options succeeds. */
static bool can_log_in(const struct target *target, const struct smb_options *options)
{
	struct backend_session *session;
	struct error ignored = {0};

	if (smb_session_open_as(target, 0, options, &session, &ignored) < 0)
		return false;
	smb_session_close(session);
	return true;
}

/*
 * Find out which dialect is negotiated, since the library does not report it.
 * Log in with each dialect as the minimum, from the newest to the oldest: the
 * first dialect with which the login succeeds is the negotiated one.
 */
static void find_dialect(const struct target *target, const struct smb_options *options,
			 struct backend_facts *facts)
{
	struct smb_options narrower = *options;
	const char *const *dialect = dialects;
	const char *asked = target_option(target, "dialect");

	while (asked == NULL && *dialect != NULL) {
		narrower.min_dialect = *dialect;
		if (can_log_in(target, &narrower))
			break;
		dialect++;
	}
	if (asked == NULL)
		asked = *dialect != NULL ? *dialect : "NT1";
	snprintf(facts->kind, sizeof(facts->kind), "%s", smb_dialect_text(asked));
}

/* Create and remove a file with a random name. */
static int check_writing(const struct target *target, struct backend_session *session,
			 struct error *error)
{
	char name[SMB_PROBE_NAME_BYTES], *url;
	SMBCFILE *file;
	int rc = smb_probe_name(name);

	if (rc < 0)
		return rc;
	if (asprintf(&url, "%s/%s", session->root_url, name) < 0)
		return -ENOMEM;
	smb_log.status = 0;
	file = session->open(session->context, url, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (file == NULL) {
		rc = smb_refuse_creation(target, smb_failed(session), error);
	} else if (session->close(session->context, file) < 0 ||
		   session->unlink(session->context, url) < 0) {
		rc = smb_failed(session);
		smb_refuse(target, "remove the created file from", rc, smb_log.status, error);
	}
	free(url);
	return rc;
}

/* Return the free space. The library counts f_bavail in blocks of f_frsize
 * sectors, each of f_bsize bytes. */
static uint64_t free_bytes(struct backend_session *session)
{
	struct statvfs space;

	if (session->fstatvfs(session->context, session->root, &space) < 0 || space.f_bsize == 0)
		return UINT64_MAX;
	return (uint64_t)space.f_bavail * space.f_bsize * (space.f_frsize > 0 ? space.f_frsize : 1);
}

/* Open the session of user number `user`, or report why it failed. */
static int log_in(const struct target *target, unsigned user, const struct smb_options *options,
		  struct backend_session **session, struct error *error)
{
	int rc;

	smb_debug_level = SMB_VERBOSE;
	smb_log.status = 0;
	rc = smb_session_open_as(target, user, options, session, error);
	smb_debug_level = 0;
	return rc < 0 ? smb_refuse_login(target, account_of(target, user), options,
					 smb_step_of(rc, smb_log.status), rc, smb_log.status, error)
		      : 0;
}

int smb_probe(const struct target *target, struct backend_facts *facts, struct error *error)
{
	struct backend_session *session;
	struct smb_options options;
	const char *protection;
	int rc;

	smb_options_of(target, &options);
	rc = smb_check_target(target, &options, error);
	if (rc < 0)
		return rc;
	rc = log_in(target, 0, &options, &session, error);
	if (rc < 0)
		return rc;
	/* Forget the signed messages so far: a login is always signed, even if
	 * later messages are not. */
	smb_log.signature = false;
	if (!target->read_only)
		rc = check_writing(target, session, error);
	if (rc == 0)
		facts->free_bytes = free_bytes(session);
	protection = smb_session_is_encrypted(session) ? "encrypted"
		     : smb_log.signature               ? "signed"
						       : "";
	snprintf(facts->protection, sizeof(facts->protection), "%s", protection);
	smb_session_close(session);
	if (rc == 0)
		rc = smb_check_accounts(target, &options, log_in, smb_session_close, error);
	if (rc < 0)
		return rc;
	find_dialect(target, &options, facts);
	facts->in_memory = false;
	facts->flushes_names = true;
	/* The library does not cache data, so it honours OPEN_DIRECT anyway. */
	facts->capabilities = CAP_LINK_CHECK | CAP_DEEP_PATHS | CAP_DIRECT;
	return 0;
}
