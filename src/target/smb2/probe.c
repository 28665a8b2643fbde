/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include "target/account.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Return the name of the algorithm that protects the session's messages, or ""
 * if they are not protected. */
static const char *algorithm_name(const struct smb2_session *session)
{
	if (session->is_encrypted)
		return smb2_word_of(smb2_ciphers, session->cipher);
	return session->is_signed ? smb2_word_of(smb2_signings, session->signing) : "";
}

/* Report that throng cannot `what` the target, because the connection was lost.
 * Return false if the reason is another one. */
static bool report_loss(const struct target *target, const char *what,
			const struct backend_session *session, int rc, struct error *error)
{
	const char *cause = smb2_cause(&session->smb);

	if (cause == NULL || rc != smb2_lost(&session->smb))
		return false;
	error_set(error, "cannot %s \"%s\": %s (%s)", what, target->url, cause, strerror(-rc));
	return true;
}

/* Report that the option `key` asks for an algorithm that is not used. */
static void report_algorithm(const struct target *target, const char *key,
			     const struct smb2_session *session, struct error *error)
{
	const char *dialect = smb_dialect_text(smb2_word_of(smb2_dialects, session->dialect));
	const char *hint = session->dialect == SMB3_11 ? "" : ", or use dialect=SMB3_11";
	const char *value = target_option(target, key);

	if (strcmp(key, "signing") == 0)
		error_set(error,
			  "cannot use signing=%s for \"%s\": over %s, the server signs with %s; "
			  "remove signing= from the URL%s",
			  value, target->url, dialect,
			  smb2_word_of(smb2_signings, session->signing), hint);
	else if (session->cipher != SMB2_NO_CIPHER)
		error_set(error,
			  "cannot use cipher=%s for \"%s\": over %s, the server encrypts with %s; "
			  "remove cipher= from the URL%s",
			  value, target->url, dialect, smb2_word_of(smb2_ciphers, session->cipher),
			  hint);
	else
		error_set(error,
			  "cannot use cipher=%s for \"%s\": over %s, the server cannot encrypt; "
			  "remove cipher= from the URL%s",
			  value, target->url, dialect, hint);
}

/* Report our own reason to refuse a login. Return false if there is none. */
static bool report_refusal(const struct target *target, unsigned user,
			   const struct smb2_session *session, struct error *error)
{
	static const char *const reasons[] = {
		[SMB2_IS_GUEST] = "the server accepts this user only as a guest; correct the user, "
				  "or add guest=yes to the URL",
		[SMB2_CANNOT_SIGN] = "the session of a guest or an anonymous user has no keys to "
				     "sign with; log in as a user, or remove sign=require",
		[SMB2_CANNOT_ENCRYPT] =
			"the session of a guest or an anonymous user has no keys to encrypt with; "
			"log in as a user, or remove encrypt=require",
		[SMB2_SHARE_ENCRYPTS] = "the share requires encryption, but the session of a guest "
					"or an anonymous user has no keys; log in as a user",
	};
	const char *name = account_of(target, user)->user;

	switch (session->refusal) {
	case SMB2_NOT_REFUSED:
		return false;
	case SMB2_OTHER_SIGNING:
		report_algorithm(target, "signing", session, error);
		break;
	case SMB2_OTHER_CIPHER:
		report_algorithm(target, "cipher", session, error);
		break;
	default:
		if (name[0] != '\0')
			error_set(error, "cannot log in as %s to \"%s\": %s: %s", name, target->url,
				  strerror(EACCES), reasons[session->refusal]);
		else
			error_set(error, "cannot log in to \"%s\": %s: %s", target->url,
				  strerror(EACCES), reasons[session->refusal]);
	}
	return true;
}

/* Report why a login failed: `session` is its session, or NULL. */
static void report_login(const struct target *target, unsigned user,
			 const struct smb_options *options, const struct backend_session *session,
			 int rc, struct error *error)
{
	const struct account *account = account_of(target, user);
	enum smb_step step = session != NULL ? session->smb.step : SMB_LOG_IN;
	char what[SMB_STEP_TEXT];

	if (session == NULL)
		error_set(error, "cannot log in to \"%s\": %s", target->url, strerror(-rc));
	else if (rc == -EINVAL && target_says_yes(target, "nt-hash") && session->smb.status == 0)
		error_set(error,
			  "cannot log in to \"%s\": %s: the password of \"%s\" is not an NT hash; "
			  "expected 32 hexadecimal digits, because the URL has nt-hash=yes",
			  target->url, strerror(-rc), account->user);
	else if (rc == -EOPNOTSUPP && options->kerberos && session->smb.status == 0)
		error_set(error,
			  "cannot log in with Kerberos to \"%s\": throng was built without MIT "
			  "Kerberos, or libgssapi_krb5 is not installed (%s); install this "
			  "library, or use client=libsmbclient",
			  target->url, strerror(-rc));
	else if (!report_refusal(target, user, &session->smb, error) &&
		 !report_loss(target, smb_print_step(target, account, step, what), session, rc,
			      error))
		smb_refuse_login(target, account, options, step, rc, session->smb.status, error);
}

/* Log in with the account of user number `user`, or report why it failed. */
static int log_in(const struct target *target, unsigned user, const struct smb_options *options,
		  struct backend_session **session, struct error *error)
{
	int rc = smb2_user_log_in(target, user, options, session);

	if (rc == 0)
		return 0;
	report_login(target, user, options, *session, rc, error);
	smb2_user_close(*session);
	*session = NULL;
	return rc;
}

/* Check if the server makes hard links. The file is closed. */
static bool can_link(struct backend_session *session, const struct backend_path *path)
{
	char name[SMB_PROBE_NAME_BYTES + 8];
	const struct backend_path link = {.text = name};

	snprintf(name, sizeof(name), "%s-link", path->text);
	return smb2_link(session, &link, path) == 0 && smb2_unlink(session, &link) == 0;
}

/* Create and remove a file with a random name. Add the capabilities that the
 * server proves in between. */
static int check_writing(const struct target *target, struct backend_session *session,
			 unsigned *capabilities, struct error *error)
{
	char name[SMB_PROBE_NAME_BYTES];
	const struct backend_path path = {.text = name};
	int64_t handle;
	int rc = smb_probe_name(name);

	if (rc < 0)
		return rc;
	handle = smb2_open(session, &path,
			   OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE | OPEN_FILE);
	if (handle < 0 && report_loss(target, "create a file in", session, (int)handle, error))
		return (int)handle;
	if (handle < 0)
		return smb_refuse_creation(target, (int)handle, error);
	if (smb2_can_allocate(session, handle))
		*capabilities |= CAP_ALLOCATE;
	rc = smb2_close(session, handle);
	if (rc == 0 && can_link(session, &path))
		*capabilities |= CAP_LINKS;
	if (rc == 0)
		rc = smb2_unlink(session, &path);
	if (rc == 0 || report_loss(target, "remove the created file from", session, rc, error))
		return rc;
	return smb_refuse(target, "remove the created file from", rc, 0, error);
}

int smb2_probe(const struct target *target, struct backend_facts *facts, struct error *error)
{
	struct backend_session *session;
	struct smb_options options;
	int rc;

	smb_options_of(target, &options);
	rc = smb_check_target(target, &options, error);
	if (rc == 0)
		rc = log_in(target, 0, &options, &session, error);
	if (rc < 0)
		return rc;
	/* We do not cache data, so we honour OPEN_DIRECT anyway. */
	facts->flushes_names = true;
	facts->capabilities = CAP_LINK_CHECK | CAP_DEEP_PATHS | CAP_DIRECT | CAP_LOCKS |
			      CAP_SYNC_OPENS;
	if (target->read_only)
		facts->capabilities |= CAP_ALLOCATE | CAP_LINKS;
	else
		rc = check_writing(target, session, &facts->capabilities, error);
	if (rc == 0 && smb2_get_free_bytes(session, &facts->free_bytes) < 0)
		facts->free_bytes = UINT64_MAX;
	snprintf(facts->kind, sizeof(facts->kind), "%s",
		 smb_dialect_text(smb2_word_of(smb2_dialects, session->smb.dialect)));
	snprintf(facts->protection, sizeof(facts->protection), "%s",
		 session->smb.is_encrypted ? "encrypted"
		 : session->smb.is_signed  ? "signed"
					   : "");
	snprintf(facts->algorithm, sizeof(facts->algorithm), "%s", algorithm_name(&session->smb));
	smb2_user_close(session);
	if (rc == 0)
		rc = smb_check_accounts(target, &options, log_in, smb2_user_close, error);
	return rc;
}
