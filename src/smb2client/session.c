/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/client.h"

#include "base/bytes.h"
#include "smb2client/kerberos.h"
#include "smb2client/negotiate.h"
#include "smb2client/ntlm.h"
#include "words/nt_status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

enum {
	SHARE_MAX = 1024, /* bytes of \\HOST\SHARE in UTF-16 */
};

static const char wrong_steps[] = "the login has an unexpected number of steps";

/* 2.2.5: send a token of the login. On success, `reply_token` is the server's
 * token. Return 0 if the login is complete, 1 if it continues, or -errno. */
static int send_token(struct smb2_attempt *attempt, const uint8_t *token, size_t bytes,
		      uint16_t *session_flags, struct smb2_data *reply_token)
{
	struct smb2_connection *connection = attempt->connection;
	struct smb2_exchange *exchange = attempt->session->exchange;
	const struct smb2_reply *reply = &exchange->replies[0];
	bool more;
	uint8_t *body;
	int rc;

	smb2_connection_begin(exchange);
	body = smb2_request(exchange, SMB2_SESSION_SETUP, 1, 24);
	if (body != NULL) {
		put_le16(body, 25);
		body[3] = (uint8_t)attempt->security_mode;
		put_le16(body + 12, SMB2_HEADER_BYTES + 24);
		put_le16(body + 14, (uint16_t)bytes);
		smb2_message_add(&exchange->message, token, bytes);
		smb2_hash_request(attempt);
	}
	rc = smb2_connection_exchange(exchange, NULL, 0);
	if (rc < 0)
		return rc;
	more = reply->status == NT_STATUS_MORE_PROCESSING_REQUIRED;
	if (!more && reply->status != NT_STATUS_OK) {
		attempt->session->status = reply->status;
		rc = nt_status_errno(reply->status);
		return rc < 0 ? rc : -EIO;
	}
	if (smb2_parse_session_setup(reply, session_flags, reply_token) < 0)
		return smb2_invalid(connection, SMB2_SESSION_SETUP);
	connection->stream.session_id = reply->session_id;
	/* The final reply is not hashed. */
	if (more)
		smb2_hash_reply(attempt);
	return more;
}

/* Set the keys, and check the signature of the server's final reply. */
static int use_key(struct smb2_attempt *attempt, const uint8_t *session_key, size_t key_bytes)
{
	struct smb2_connection *connection = attempt->connection;
	const struct smb2_session *session = attempt->session;
	const struct smb2_reply *reply = &session->exchange->replies[0];
	uint16_t dialect = session->dialect;
	struct smb2_keys keys;
	int rc;

	smb2_derive_keys(dialect, session->cipher, session_key, key_bytes, attempt->preauth, &keys);
	rc = smb2_crypt_start(&connection->crypt, session->signing, session->cipher, &keys);
	explicit_bzero(&keys, sizeof(keys));
	if (rc < 0)
		return rc;
	if ((reply->flags & SMB2_SIGNED) == 0 && dialect < SMB3_11)
		return 0;
	if ((reply->flags & SMB2_SIGNED) == 0 ||
	    smb2_check_signature(&connection->crypt,
				 connection->in + (reply->bytes - connection->in), reply->size,
				 NULL, 0) < 0)
		return smb2_broken(connection, "the reply to the login has no valid signature");
	return 0;
}

/* Check that a session without keys may be used. */
static int check_unprotected(struct smb2_attempt *attempt)
{
	if (attempt->login->encrypt == SMB_REQUIRE)
		return smb2_refuse(attempt, -EACCES, SMB2_CANNOT_ENCRYPT);
	if (attempt->login->sign == SMB_REQUIRE)
		return smb2_refuse(attempt, -EACCES, SMB2_CANNOT_SIGN);
	return 0;
}

/* Decide how to protect the messages after the login. */
static int choose_protection(struct smb2_attempt *attempt, uint16_t session_flags)
{
	const struct smb2_login *login = attempt->login;
	const struct smb2_negotiated *server = &attempt->server;
	struct smb2_connection *connection = attempt->connection;
	bool can_seal = attempt->session->cipher != SMB2_NO_CIPHER;
	bool wants_seal = login->encrypt == SMB_REQUEST || login->encrypt == SMB_REQUIRE;

	if (attempt->is_guest)
		return check_unprotected(attempt);
	if (login->encrypt == SMB_REQUIRE && !can_seal)
		return -EPROTONOSUPPORT;
	connection->seal = (wants_seal && can_seal) || (session_flags & SMB2_SESSION_SEALED) != 0;
	if (connection->seal && !can_seal)
		return smb2_broken(connection,
				   "the server wants encryption, but did not choose a cipher");
	connection->sign = !connection->seal &&
			   (login->sign == SMB_REQUEST || login->sign == SMB_REQUIRE ||
			    (server->security_mode & SMB2_SIGNING_REQUIRED) != 0);
	return 0;
}

/* Answer the server's challenge. Return what send_token() returns. */
static int answer_challenge(struct smb2_attempt *attempt, const struct smb2_data *challenge,
			    uint8_t *key, uint16_t *session_flags)
{
	uint8_t answer[SMB2_NTLM_MAX_BYTES];
	struct smb2_ntlm_nonces nonces;
	struct smb2_data token;
	size_t bytes;
	int rc = smb2_ntlm_make_nonces(&nonces);

	if (rc == 0)
		rc = smb2_ntlm_authenticate(&attempt->identity, &nonces, challenge->bytes,
					    challenge->size, answer, &bytes, key);
	explicit_bzero(&nonces, sizeof(nonces));
	if (rc == -EPROTO)
		return smb2_broken(attempt->connection, "the server's NTLM challenge is invalid");
	return rc < 0 ? rc : send_token(attempt, answer, bytes, session_flags, &token);
}

/* Log in with a password. Return the size of the session's key or -errno. */
static int use_password(struct smb2_attempt *attempt, uint8_t *key, uint16_t *session_flags)
{
	uint8_t negotiation[SMB2_NTLM_NEGOTIATE_BYTES];
	struct smb2_data challenge;
	int rc;

	smb2_ntlm_negotiate(negotiation);
	rc = send_token(attempt, negotiation, sizeof(negotiation), session_flags, &challenge);
	if (rc == 1)
		rc = answer_challenge(attempt, &challenge, key, session_flags);
	else if (rc == 0)
		rc = 1;
	if (rc == 1)
		return smb2_broken(attempt->connection, wrong_steps);
	return rc < 0 ? rc : SMB2_NTLM_KEY_BYTES;
}

/* Exchange tokens until both sides are content. Return 0 or -errno. */
static int exchange_tokens(struct smb2_attempt *attempt, struct smb2_kerberos *kerberos,
			   uint16_t *session_flags)
{
	struct smb2_data answer = {.size = 0};
	const uint8_t *token;
	bool more = true; /* the server waits for a token */
	size_t bytes;
	int rc, sent;

	while ((rc = smb2_kerberos_step(kerberos, answer.bytes, answer.size, &token, &bytes)) >=
	       0) {
		if (rc == 0 && !more)
			return 0;
		if (!more || bytes == 0)
			return smb2_broken(attempt->connection, wrong_steps);
		sent = send_token(attempt, token, bytes, session_flags, &answer);
		if (sent < 0)
			return sent;
		more = sent == 1;
		if (rc == 0)
			return more ? smb2_broken(attempt->connection, wrong_steps) : 0;
	}
	return rc;
}

/* Log in with a ticket. Return the size of the session's key or -errno. */
static int use_ticket(struct smb2_attempt *attempt, uint8_t *key, uint16_t *session_flags)
{
	struct smb2_kerberos *kerberos;
	int rc = smb2_kerberos_start(attempt->login->host, &kerberos);

	if (rc == 0)
		rc = exchange_tokens(attempt, kerberos, session_flags);
	if (rc == 0)
		rc = smb2_kerberos_key(kerberos, key);
	smb2_kerberos_end(kerberos);
	return rc;
}

static int log_in(struct smb2_attempt *attempt)
{
	uint8_t key[SMB2_KERBEROS_KEY_MAX];
	uint16_t session_flags = 0;
	bool kerberos = attempt->login->kerberos;
	int rc;

	/* The libraries copy the session's keys, so keep the whole process out
	 * of core dumps, as with passwords. A ticket or an empty password gives
	 * keys, too. */
	prctl(PR_SET_DUMPABLE, 0);
	rc = kerberos ? use_ticket(attempt, key, &session_flags)
		      : use_password(attempt, key, &session_flags);
	if (rc < 0) {
		explicit_bzero(key, sizeof(key));
		return rc;
	}
	/* smbd does not flag anonymous sessions. */
	attempt->is_guest = (session_flags & (SMB2_SESSION_GUEST | SMB2_SESSION_NULL)) != 0 ||
			    (!kerberos && attempt->identity.anonymous);
	if (attempt->is_guest && !attempt->login->guest)
		rc = smb2_refuse(attempt, -EACCES, SMB2_IS_GUEST);
	else if (!attempt->is_guest)
		rc = use_key(attempt, key, (size_t)rc);
	explicit_bzero(key, sizeof(key));
	return rc < 0 ? rc : choose_protection(attempt, session_flags);
}

/* 2.2.9 */
static int connect_share(struct smb2_attempt *attempt)
{
	struct smb2_connection *connection = attempt->connection;
	struct smb2_exchange *exchange = attempt->session->exchange;
	bool sign = connection->sign;
	char name[SHARE_MAX / 2];
	uint8_t utf16[SHARE_MAX], *body;
	struct smb2_tree tree;
	int length, rc;

	if (snprintf(name, sizeof(name), "\\\\%s\\%s", attempt->login->host,
		     attempt->login->share) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	length = smb2_put_text(utf16, sizeof(utf16), name);
	if (length < 0)
		return length;
	smb2_connection_begin(exchange);
	body = smb2_request(exchange, SMB2_TREE_CONNECT, 1, 8);
	if (body != NULL) {
		put_le16(body, 9);
		put_le16(body + 4, SMB2_HEADER_BYTES + 8);
		put_le16(body + 6, (uint16_t)length);
		smb2_message_add(&exchange->message, utf16, (size_t)length);
	}
	/* 3.2.4.1.1: in 3.1.1, it is always signed or sealed. */
	if (attempt->session->dialect == SMB3_11 && connection->crypt.has_keys && !connection->seal)
		connection->sign = true;
	rc = smb2_attempt_call(attempt);
	connection->sign = sign;
	if (rc < 0)
		return rc;
	if (smb2_parse_tree_connect(&exchange->replies[0], &tree) < 0)
		return smb2_invalid(connection, SMB2_TREE_CONNECT);
	if (tree.type != SMB2_SHARE_DISK)
		return -ENOTDIR;
	connection->stream.tree_id = exchange->replies[0].tree_id;
	if ((tree.flags & SMB2_SHARE_SEALED) == 0)
		return 0;
	if (!connection->crypt.has_keys)
		return smb2_refuse(attempt, -EACCES, SMB2_SHARE_ENCRYPTS);
	if (attempt->session->cipher == SMB2_NO_CIPHER)
		return -EPROTONOSUPPORT;
	connection->seal = true;
	connection->sign = false;
	return 0;
}

/* Set the user to log in as, with the hash of the password. */
static int set_identity(struct smb2_attempt *attempt)
{
	const struct smb2_login *login = attempt->login;
	struct smb2_identity *identity = &attempt->identity;

	identity->anonymous = login->anonymous;
	identity->domain = login->domain;
	identity->user = login->user;
	if (login->hashed && !login->anonymous)
		return smb2_ntlm_read_hash(login->password, identity->hash);
	return smb2_ntlm_hash(login->password, identity->hash);
}

static int start(struct smb2_attempt *attempt)
{
	const struct smb2_login *login = attempt->login;
	struct smb2_session *session = attempt->session;
	int rc = set_identity(attempt);

	if (rc < 0)
		return rc;
	session->step = SMB_CONNECT;
	rc = smb2_connect(attempt->connection, login->host, login->port, login->timeout_ns);
	if (rc == 0)
		rc = smb2_negotiate(attempt);
	if (rc < 0)
		return rc;
	session->step = SMB_LOG_IN;
	rc = log_in(attempt);
	if (rc < 0)
		return rc;
	session->step = SMB_OPEN_SHARE;
	rc = connect_share(attempt);
	return rc < 0 ? rc : smb2_validate_negotiation(attempt);
}

static int open_exchange(struct smb2_session *session)
{
	session->exchange = malloc(sizeof(*session->exchange));
	return session->exchange != NULL
		       ? smb2_exchange_open(session->exchange, session->connection)
		       : -ENOMEM;
}

int smb2_session_start(struct smb2_session *session, const struct smb2_login *login)
{
	struct smb2_connection *connection = malloc(sizeof(*connection));
	struct smb2_attempt attempt = {
		.login = login,
		.session = session,
		.connection = connection,
	};
	int rc;

	*session = (struct smb2_session){.connection = connection};
	if (connection == NULL)
		return -ENOMEM;
	*connection = (struct smb2_connection){.fd = -1, .lost = -ENOTCONN};
	rc = open_exchange(session);
	if (rc == 0)
		rc = start(&attempt);
	explicit_bzero(&attempt.identity, sizeof(attempt.identity));
	if (rc < 0)
		return rc;
	session->is_signed = connection->sign;
	session->is_encrypted = connection->seal;
	connection->on_break = login->on_break;
	connection->context = login->context;
	return 0;
}

int smb2_session_share(struct smb2_session *session, struct fibers *fibers,
		       struct smb2_session *another)
{
	int rc = smb2_connection_share(session->exchange, fibers);

	*another = *session;
	another->is_shared = true;
	another->exchange = NULL;
	if (rc == 0)
		rc = open_exchange(another);
	if (rc == 0)
		rc = smb2_connection_share(another->exchange, fibers);
	return rc;
}

static void log_off(struct smb2_exchange *exchange)
{
	uint8_t *body;

	smb2_connection_begin(exchange);
	body = smb2_request(exchange, SMB2_LOGOFF, 1, 4);
	if (body != NULL)
		put_le16(body, 4);
	smb2_connection_exchange(exchange, NULL, 0);
}

void smb2_session_end(struct smb2_session *session)
{
	struct smb2_connection *connection = session->connection;

	if (connection == NULL)
		return;
	/* The fibers have ended, or will not wait any more. */
	connection->fibers = NULL;
	if (!session->is_shared && connection->lost == 0 && connection->stream.session_id != 0)
		log_off(session->exchange);
	if (session->exchange != NULL)
		smb2_exchange_close(session->exchange);
	free(session->exchange);
	if (!session->is_shared) {
		smb2_disconnect(connection);
		free(connection);
	}
	session->connection = NULL;
}
