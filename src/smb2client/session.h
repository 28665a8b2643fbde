/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session with an SMB2 share: negotiate the dialect, log in, connect to the
 * share. The numbers in comments are sections of MS-SMB2.
 */
#ifndef SMB2CLIENT_SESSION_H
#define SMB2CLIENT_SESSION_H

#include "smb2client/connection.h"
#include "smb2client/ntlm.h"
#include "words/smb_login.h"

/* Settings of a login. */
struct smb2_login {
	const char *host, *port; /* a port of "" means 445 */
	const char *share;
	struct smb2_identity identity;
	bool guest;    /* accept a login as guest */
	bool kerberos; /* with a ticket, instead of `identity` */
	/* The range of dialects (enum smb2_dialect) to offer. */
	uint16_t min_dialect, max_dialect;
	enum smb_strength sign, encrypt;
	/* The only algorithm to offer in 3.1.1, or -1 for all. */
	int signing, cipher;
	uint64_t timeout_ns;
};

/* Reasons of ours to refuse a login that the server would accept. */
enum smb2_refusal {
	SMB2_NOT_REFUSED,
	SMB2_IS_GUEST,       /* which is not allowed */
	SMB2_CANNOT_SIGN,    /* the session has no keys */
	SMB2_CANNOT_ENCRYPT, /* the session has no keys */
	SMB2_SHARE_ENCRYPTS, /* and the session has no keys */
	SMB2_OTHER_SIGNING,  /* than the only one to offer */
	SMB2_OTHER_CIPHER,   /* than the only one to offer */
};

/* The result of a login. */
struct smb2_session {
	struct smb2_connection connection;
	struct smb2_negotiated server;
	enum smb2_signing signing; /* that was negotiated */
	enum smb2_cipher cipher;   /* that was negotiated */
	bool is_guest;
	enum smb2_refusal refusal;
	/* Max payload of one request, in bytes. max_transact: of a listing. */
	uint32_t max_read, max_write, max_transact;
	enum smb_step step; /* the last one that was begun */
	uint32_t status;    /* the NT status that ended the login; 0: none */
};

/*
 * Log in. Return 0 or -errno: -EACCES, -ENOENT (no such share),
 * -EPROTONOSUPPORT (encryption is required, but the server does not offer it,
 * or the only algorithm to offer cannot be used) ... After a failure,
 * session->status is the server's NT status, if it sent one, session->refusal
 * our own reason, if there is one, and session->connection.cause a description,
 * or NULL. Call smb2_session_end() in any case.
 */
int smb2_session_start(struct smb2_session *session, const struct smb2_login *login);

/* Log off, if the connection is not lost, and close the connection. */
void smb2_session_end(struct smb2_session *session);

/*
 * Send the message, as smb2_exchange() does. Return 0 if all requests
 * succeeded, or the -errno of the first that failed.
 */
int smb2_call(struct smb2_session *session, const void *data, size_t bytes);

#endif
