/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/smb_probe.h"

#include "backend/account.h"
#include "backend/smb_url.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The NT statuses that a person may have to do with, and what to do. */
static const struct status {
	unsigned long number;
	const char *name, *advice;
} statuses[] = {
	{0xc0000022, "NT_STATUS_ACCESS_DENIED",
	 "may the user use the share? does the server demand encryption or "
	 "signing?"},
	{0xc000005e, "NT_STATUS_NO_LOGON_SERVERS",
	 "is there a Kerberos ticket? See klist"},
	{0xc0000064, "NT_STATUS_NO_SUCH_USER", "the user is not known there"},
	{0xc000006a, "NT_STATUS_WRONG_PASSWORD", "the password is wrong"},
	{0xc000006d, "NT_STATUS_LOGON_FAILURE", "wrong user or password"},
	{0xc000006e, "NT_STATUS_ACCOUNT_RESTRICTION", NULL},
	{0xc0000070, "NT_STATUS_INVALID_WORKSTATION", NULL},
	{0xc0000071, "NT_STATUS_PASSWORD_EXPIRED", NULL},
	{0xc0000072, "NT_STATUS_ACCOUNT_DISABLED", NULL},
	{0xc00000bb, "NT_STATUS_NOT_SUPPORTED",
	 "the server does not speak this dialect, or none that is allowed"},
	{0xc00000be, "NT_STATUS_BAD_NETWORK_PATH", NULL},
	{0xc00000c3, "NT_STATUS_INVALID_NETWORK_RESPONSE",
	 "the server does not speak this dialect"},
	{0xc00000cc, "NT_STATUS_BAD_NETWORK_NAME",
	 "there is no such share; `smbclient -L` lists them"},
	{0xc0000034, "NT_STATUS_OBJECT_NAME_NOT_FOUND",
	 "the directory is missing on the share"},
	{0xc000003a, "NT_STATUS_OBJECT_PATH_NOT_FOUND",
	 "the directory is missing on the share"},
	{0xc0000103, "NT_STATUS_NOT_A_DIRECTORY", NULL},
	{0xc000015b, "NT_STATUS_LOGON_TYPE_NOT_GRANTED", NULL},
	{0xc000018b, "NT_STATUS_NO_TRUST_SAM_ACCOUNT", NULL},
	{0xc000020c, "NT_STATUS_CONNECTION_DISCONNECTED",
	 "the server closed the connection; does it speak this dialect?"},
	{0xc000020d, "NT_STATUS_CONNECTION_RESET",
	 "the server closed the connection; does it speak this dialect?"},
	{0xc0000224, "NT_STATUS_PASSWORD_MUST_CHANGE", NULL},
	{0xc0000234, "NT_STATUS_ACCOUNT_LOCKED_OUT", NULL},
	{0xc0000236, "NT_STATUS_CONNECTION_REFUSED",
	 "nothing listens at this port"},
	{0xc00000b5, "NT_STATUS_IO_TIMEOUT", "the server does not answer"},
	{0, NULL, NULL},
};

/* The newest first. */
static const char *const dialects[] = {"SMB3_11", "SMB3_02", "SMB3_00",
				       "SMB2_10", "SMB2_02", NULL};

static const struct status *find_status(unsigned long number)
{
	const struct status *row;

	for (row = statuses; row->name != NULL; row++)
		if (row->number == number)
			return row;
	return NULL;
}

/* What to do where newer libraries do not tell the status. */
static const char *advice_on(int rc)
{
	switch (-rc) {
	case EACCES:
		return "wrong user or password, or the user may not use the "
		       "share, or not without encryption or signing";
	case ENOENT:
		return "there is no such share, or no such directory on it";
	case ECONNREFUSED:
		return "nothing listens at this port";
	case ETIMEDOUT:
		return "the server does not answer";
	case ECONNABORTED:
	case EINVAL:
	case ENETRESET:
	case ENOSYS:
		return "does the server speak this dialect?";
	default:
		return "smbclient -d 3 tells more";
	}
}

/* Tells that `what` failed with `rc`, and with the library's own status. */
static int refuse(const struct target *target, const char *what, int rc,
		  struct error *error)
{
	const struct status *status = find_status(smb_heard.status);

	if (status == NULL && smb_heard.status == 0)
		error_set(error, "%s \"%s\": %s: %s", what, target->url,
			  strerror(-rc), advice_on(rc));
	else if (status == NULL)
		error_set(error, "%s \"%s\": %s (NT status 0x%08lx)", what,
			  target->url, strerror(-rc), smb_heard.status);
	else
		error_set(error, "%s \"%s\": %s (%s)%s%s", what, target->url,
			  strerror(-rc), status->name,
			  status->advice != NULL ? ": " : "",
			  status->advice != NULL ? status->advice : "");
	return rc;
}

/* --- before anything is sent ------------------------------------------ */

static int check_host(const struct target *target, struct error *error)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
	char *host;
	int rc = smb_host_of_target(target, &host);

	if (rc < 0)
		return rc;
	rc = getaddrinfo(host, NULL, &hints, &found);
	if (rc == 0)
		freeaddrinfo(found);
	else
		error_set(error, "find the host \"%s\" of \"%s\": %s", host,
			  target->url, gai_strerror(rc));
	free(host);
	return rc == 0 ? 0 : -EHOSTUNREACH;
}

static int check_words(const struct target *target,
		       const struct smb_wishes *wishes, struct error *error)
{
	char *url;
	int rc = smb_url_of_target(target, &url);

	free(url);
	if (rc < 0) {
		error_set(error, "\"%s\": expected smb://USER@HOST[:PORT]/"
			  "SHARE[/PATH]", target->url);
		return rc;
	}
	if (wishes->conf != NULL && access(wishes->conf, R_OK) < 0) {
		rc = -errno;
		error_set(error, "\"%s\": read \"%s\": %s", target->url,
			  wishes->conf, strerror(-rc));
		return rc;
	}
	return check_host(target, error);
}

/* --- what it is ------------------------------------------------------- */

/* Can one log in like this as well? */
static bool can_log_in(const struct target *target,
		       const struct smb_wishes *wishes)
{
	struct backend_session *session;
	struct error ignored = {0};

	if (smb_session_open_as(target, 0, wishes, &session, &ignored) < 0)
		return false;
	smb_session_close(session);
	return true;
}

/*
 * The library does not tell what was agreed on: it is the newest dialect that
 * may be the oldest one allowed.
 */
static void tell_dialect(const struct target *target,
			 const struct smb_wishes *wishes,
			 struct backend_facts *facts)
{
	struct smb_wishes narrower = *wishes;
	const char *const *dialect = dialects;
	const char *asked = target_option(target, "dialect");

	while (asked == NULL && *dialect != NULL) {
		narrower.min_dialect = *dialect;
		if (can_log_in(target, &narrower))
			break;
		dialect++;
	}
	snprintf(facts->kind, sizeof(facts->kind), "%s",
		 asked != NULL	     ? asked
		 : *dialect != NULL ? *dialect
				    : "NT1");
}

/* --- whether it can be used ------------------------------------------- */

/* Makes and removes a file of a name that nobody else has. */
static int check_writing(const struct target *target,
			 struct backend_session *session, struct error *error)
{
	unsigned long long number = 0;
	char name[64], *url;
	SMBCFILE *file;
	int rc = 0;

	if (getrandom(&number, sizeof(number), 0) < 0)
		return -errno;
	snprintf(name, sizeof(name), ".throng-probe-%016llx", number);
	if (asprintf(&url, "%s/%s", session->root_url, name) < 0)
		return -ENOMEM;
	smb_heard.status = 0;
	file = session->open(session->context, url,
			     O_RDWR | O_CREAT | O_EXCL, 0600);
	if (file == NULL) {
		rc = smb_failed(session);
		error_set(error, "create a file in \"%s\": %s: is the share "
			  "read-only, or its directory not writable for "
			  "\"%s\"?", target->url, strerror(-rc),
			  session->account->user);
	} else if (session->close(session->context, file) < 0 ||
		   session->unlink(session->context, url) < 0) {
		rc = refuse(target, "remove the file just made in",
			    smb_failed(session), error);
	}
	free(url);
	return rc;
}

/* Its units are blocks of so many sectors of so many bytes. */
static uint64_t free_bytes(struct backend_session *session)
{
	struct statvfs space;

	if (session->fstatvfs(session->context, session->root, &space) < 0 ||
	    space.f_bsize == 0)
		return UINT64_MAX;
	return (uint64_t)space.f_bavail * space.f_bsize *
	       (space.f_frsize > 0 ? space.f_frsize : 1);
}

static int refuse_login(const struct target *target,
			const struct account *account,
			const struct smb_wishes *wishes, int rc,
			struct error *error)
{
	const char *dialect = target_option(target, "dialect");
	char what[512];

	if (rc == -EPROTONOSUPPORT) {
		error_set(error, "log in to \"%s\": %s: encryption is "
			  "required, and the server does not offer it",
			  target->url, strerror(-rc));
		return rc;
	}
	if (wishes->kerberos) {
		error_set(error, "log in with Kerberos to \"%s\": %s: is there "
			  "a ticket, as klist shows them, and does the host's "
			  "name stand in the URL?", target->url,
			  strerror(-rc));
		return rc;
	}
	snprintf(what, sizeof(what), "log in%s%s%s%s to",
		 account->user[0] != '\0' ? " as " : "", account->user,
		 dialect != NULL ? " over " : "",
		 dialect != NULL ? dialect : "");
	return refuse(target, what, rc, error);
}

/* Opens user `user`'s session, or tells why that cannot be. */
static int log_in(const struct target *target, unsigned user,
		  const struct smb_wishes *wishes,
		  struct backend_session **session, struct error *error)
{
	int rc;

	smb_debug_level = SMB_TALKATIVE;
	smb_heard.status = 0;
	rc = smb_session_open_as(target, user, wishes, session, error);
	smb_debug_level = 0;
	return rc < 0 ? refuse_login(target, account_of(target, user), wishes,
				     rc, error)
		      : 0;
}

/* The first account has logged in; can the others, too? */
static int check_accounts(const struct target *target,
			  const struct smb_wishes *wishes, struct error *error)
{
	struct backend_session *session;
	size_t i;
	int rc;

	for (i = 1; i < target->account_count; i++) {
		rc = log_in(target, (unsigned)i * target->stride, wishes,
			    &session, error);
		if (rc < 0)
			return rc;
		smb_session_close(session);
	}
	return 0;
}

int smb_probe(const struct target *target, struct backend_facts *facts,
	      struct error *error)
{
	struct backend_session *session;
	struct smb_wishes wishes;
	const char *protection;
	int rc;

	smb_wishes_of(target, &wishes);
	rc = check_words(target, &wishes, error);
	if (rc < 0)
		return rc;
	rc = log_in(target, 0, &wishes, &session, error);
	if (rc < 0)
		return rc;
	/* Logins are signed in any case. */
	smb_heard.signature = false;
	rc = check_writing(target, session, error);
	if (rc == 0)
		facts->free_bytes = free_bytes(session);
	protection = smb_session_is_encrypted(session) ? "encrypted"
		     : smb_heard.signature	       ? "signed"
						       : "";
	snprintf(facts->protection, sizeof(facts->protection), "%s",
		 protection);
	smb_session_close(session);
	if (rc == 0)
		rc = check_accounts(target, &wishes, error);
	if (rc < 0)
		return rc;
	tell_dialect(target, &wishes, facts);
	facts->in_memory = false;
	facts->capabilities = CAP_LINK_CHECK | CAP_DEEP_PATHS;
	return 0;
}
