/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/libsmbclient/session.h"

#include "base/clock.h"
#include "target/account.h"
#include "target/libsmbclient/conf.h"
#include "target/libsmbclient/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int smb_debug_level;
struct smb_log smb_log;

/* Find the facts of struct smb_log in a message of the library's log. With this
 * callback, the library does not print the log to stdout. */
static void parse_log(void *context, int level, const char *message)
{
	static const char *const before[] = {"codes: code=", "cli_status_to_errno: 0x"};
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		const char *found = strstr(message, before[i]);

		if (found != NULL)
			smb_log.status = strtoul(found + strlen(before[i]), NULL, 16);
	}
	if (strstr(message, "signed SMB2 message") != NULL ||
	    strstr(message, "sent SMB signature") != NULL)
		smb_log.signature = true;
}

/*
 * Silence the messages that the library prints outside its log. It prints all
 * of them to the stream that `stdout` was when it printed the first of them, so
 * make it print one while `stdout` is /dev/null.
 */
static void silence(void)
{
	static FILE *nothing;
	FILE *out = stdout;

	smbc_setLogCallback(NULL, NULL, parse_log);
	if (nothing != NULL)
		return;
	nothing = fopen("/dev/null", "we");
	if (nothing == NULL)
		return;
	stdout = nothing;
	/* This function does nothing but print that it is deprecated. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	smbc_set_credentials("", "", "", 0, "");
#pragma GCC diagnostic pop
	stdout = out;
}

int smb_failed(struct backend_session *session)
{
	/* The library sets errno to some codes that are greater than any real
	 * errno: return -EIO for them. */
	int rc = errno > 0 && errno < 4096 ? -errno : -EIO;

	if (smb_ends_connection(rc))
		session->lost = rc;
	return rc;
}

int smb_failed_without_reason(struct backend_session *session, uint64_t start_ns)
{
	struct stat attributes;

	if (clock_now_ns() - start_ns >= session->timeout_ns) {
		session->lost = -ETIMEDOUT;
		return session->lost;
	}
	return session->stat(session->context, session->root_url, &attributes) < 0
		       ? smb_failed(session)
		       : -EIO;
}

static void answer_login(SMBCCTX *context, const char *server, const char *share, char *workgroup,
			 int workgroup_bytes, char *user, int user_bytes, char *password,
			 int password_bytes)
{
	const struct backend_session *session = smbc_getOptionUserData(context);

	snprintf(user, (size_t)user_bytes, "%s", session->account->user);
	snprintf(password, (size_t)password_bytes, "%s", session->account->password);
}

/*
 * Replace the library's check of a connection by one that always succeeds. The
 * library's own check sends an echo request, and if the connection is lost, it
 * silently reconnects; but a lost connection must end the session.
 */
static int server_is_fine(SMBCCTX *context, SMBCSRV *server)
{
	return 0;
}

static int server_is_kept(SMBCCTX *context, SMBCSRV *server)
{
	return 1;
}

/* Convert the option for encryption. Without the option, the user's smb.conf
 * decides; if there is no such file either, don't encrypt. */
static smbc_smb_encrypt_level encryption_of(const struct smb_options *options)
{
	switch (options->encrypt) {
	case SMB_REQUIRE:
		return SMBC_ENCRYPTLEVEL_REQUIRE;
	case SMB_REQUEST:
		return SMBC_ENCRYPTLEVEL_REQUEST;
	case SMB_UNSET:
		if (options->conf != NULL)
			return SMBC_ENCRYPTLEVEL_DEFAULT;
		break;
	case SMB_OFF:
		break;
	}
	return SMBC_ENCRYPTLEVEL_NONE;
}

static int set_up(struct backend_session *session, const struct target *target,
		  const struct smb_options *options)
{
	SMBCCTX *context = session->context;

	smbc_setDebug(context, smb_debug_level);
	smbc_setOptionUserData(context, session);
	smbc_setFunctionAuthDataWithContext(context, answer_login);
	smbc_setTimeout(context, (int)target->timeout_s * 1000);
	smbc_setUser(context, session->account->user);
	if (session->account->domain[0] != '\0')
		smbc_setWorkgroup(context, session->account->domain);
	smbc_setOptionNoAutoAnonymousLogin(context, !options->guest);
	smbc_setOptionUseKerberos(context, options->kerberos);
	smbc_setOptionFallbackAfterKerberos(context, 0);
	/* Don't use credentials that winbind has cached, either. */
	smbc_setOptionUseCCache(context, 0);
	smbc_setOptionSmbEncryptionLevel(context, encryption_of(options));
	smbc_setFunctionCheckServer(context, server_is_fine);
	if (smbc_init_context(context) == NULL)
		return -errno;
	return smb_conf_is_ours(context) ? 0 : -EIO;
}

static void find_functions(struct backend_session *session)
{
	SMBCCTX *context = session->context;

	session->open = smbc_getFunctionOpen(context);
	session->close = smbc_getFunctionClose(context);
	session->read = smbc_getFunctionRead(context);
	session->write = smbc_getFunctionWrite(context);
	session->lseek = smbc_getFunctionLseek(context);
	session->fstat = smbc_getFunctionFstat(context);
	session->stat = smbc_getFunctionStat(context);
	session->opendir = smbc_getFunctionOpendir(context);
	session->closedir = smbc_getFunctionClosedir(context);
	session->readdirplus = smbc_getFunctionReaddirPlus(context);
	session->unlink = smbc_getFunctionUnlink(context);
	session->rename = smbc_getFunctionRename(context);
	session->mkdir = smbc_getFunctionMkdir(context);
	session->rmdir = smbc_getFunctionRmdir(context);
	session->utimes = smbc_getFunctionUtimes(context);
	session->ftruncate = smbc_getFunctionFtruncate(context);
	session->chmod = smbc_getFunctionChmod(context);
	session->fstatvfs = smbc_getFunctionFstatVFS(context);
}

bool smb_session_is_encrypted(const struct backend_session *session)
{
	char name[] = "smb_encrypt_on";

	return smbc_option_get(session->context, name) != NULL;
}

/* Connect, log in and check that the target is a directory. */
static int log_in(struct backend_session *session, const struct smb_options *options)
{
	errno = 0;
	session->root = session->opendir(session->context, session->root_url);
	if (session->root == NULL)
		return smb_failed(session);
	smbc_setFunctionRemoveUnusedServer(session->context, server_is_kept);
	/* Check this ourselves: if the server does not encrypt, the library
	 * only prints a message. */
	if (options->encrypt == SMB_REQUIRE && !smb_session_is_encrypted(session))
		return -EPROTONOSUPPORT;
	return 0;
}

/* Let paths begin at `url`, which the session then owns. Return 0 or -ENOMEM. */
static int set_root_url(struct backend_session *session, char *url)
{
	size_t bytes = smb_url_bytes(strlen(url)), i;

	for (i = SMB_FIRST_PATH; i <= SMB_SECOND_PATH; i++) {
		char *larger = realloc(session->plain_urls[i], bytes);

		if (larger == NULL) {
			free(url);
			return -ENOMEM;
		}
		session->plain_urls[i] = larger;
	}
	free(session->root_url);
	session->root_url = url;
	session->root_length = strlen(url);
	return 0;
}

int smb_session_open_as(const struct target *target, unsigned user,
			const struct smb_options *options, struct backend_session **session,
			struct error *error)
{
	struct backend_session *made = malloc(sizeof(*made));
	char *url;
	int rc;

	if (made == NULL)
		return -ENOMEM;
	memset(made, 0, offsetof(struct backend_session, slots));
	smb_slots_start(&made->slots);
	made->account = account_of(target, user);
	made->new_directories = 1;
	made->timeout_ns = target->timeout_s * NS_PER_S;
	rc = smb_url_of_target(target, &url);
	if (rc == 0)
		rc = set_root_url(made, url);
	if (rc == 0) {
		silence();
		rc = smb_conf_context(options, &made->context, error);
	}
	if (rc == 0)
		rc = set_up(made, target, options);
	if (rc == 0) {
		find_functions(made);
		rc = log_in(made, options);
	}
	if (rc < 0) {
		smb_session_close(made);
		return rc;
	}
	*session = made;
	return 0;
}

int smb_session_open(const struct target *target, unsigned user, struct backend_session **session)
{
	struct smb_options options;
	struct error ignored = {0};

	smb_options_of(target, &options);
	return smb_session_open_as(target, user, &options, session, &ignored);
}

/* Check first that the name is a directory: with the dialect NT1, its listing
 * does not tell. */
int smb_enter(struct backend_session *session, const char *name)
{
	const struct backend_path path = {.text = name};
	struct stat found;
	SMBCFILE *root;
	const char *url;
	char *copy;
	int rc = smb_url(session, &path, SMB_FIRST_PATH, &url);

	if (rc < 0)
		return rc;
	if (session->stat(session->context, url, &found) < 0)
		return smb_failed(session);
	if (!S_ISDIR(found.st_mode))
		return -ENOTDIR;
	root = session->opendir(session->context, url);
	if (root == NULL)
		return smb_failed(session);
	copy = strdup(url);
	rc = copy != NULL ? set_root_url(session, copy) : -ENOMEM;
	session->closedir(session->context, rc < 0 ? root : session->root);
	if (rc == 0)
		session->root = root;
	return rc;
}

void smb_session_close(struct backend_session *session)
{
	struct smb_made *made, *next;

	/* If the connection is lost, don't free the context: each request that
	 * the library then sends would wait for a timeout. The context lasts
	 * until the process ends. */
	if (session->context != NULL && session->lost == 0)
		smbc_free_context(session->context, 1);
	for (made = session->made; made != NULL; made = next) {
		next = made->next;
		free(made);
	}
	free(session->plain_urls[SMB_FIRST_PATH]);
	free(session->plain_urls[SMB_SECOND_PATH]);
	free(session->root_url);
	free(session);
}
