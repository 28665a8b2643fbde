/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session with an SMB2 share: negotiate the dialect, log in, connect to the
 * share. The numbers in comments are sections of MS-SMB2.
 */
#ifndef BACKEND_SMB2_SESSION_H
#define BACKEND_SMB2_SESSION_H

#include "backend/smb2_connection.h"
#include "backend/smb2_ntlm.h"
#include "backend/smb_common.h"

/* Settings of a login. */
struct smb2_login {
	const char *host, *port; /* a port of "" means 445 */
	const char *share;
	struct smb2_identity identity;
	bool guest; /* accept a login as guest */
	bool kerberos; /* with a ticket, instead of `identity` */
	/* The range of dialects (enum smb2_dialect) to offer. */
	uint16_t min_dialect, max_dialect;
	enum smb_strength sign, encrypt;
	/* The only algorithm to offer in 3.1.1, or -1 for all. */
	int signing, cipher;
	uint64_t timeout_ns;
};

/* The result of a login. */
struct smb2_session {
	struct smb2_connection connection;
	struct smb2_negotiated server;
	bool is_guest;
	/* Max payload of one request, in bytes. max_transact: of a listing. */
	uint32_t max_read, max_write, max_transact;
	uint32_t status; /* the NT status that ended the login; 0: none */
};

/*
 * Log in. Return 0 or -errno: -EACCES, -ENOENT (no such share),
 * -EPROTONOSUPPORT (encryption is required, but the server does not offer it)
 * ... After a failure, session->status is the server's NT status, if it sent
 * one, and session->connection.cause a description, or NULL. Call
 * smb2_session_end() in any case.
 */
int smb2_session_start(struct smb2_session *session,
		       const struct smb2_login *login);

/* Log off, if the connection is not lost, and close the connection. */
void smb2_session_end(struct smb2_session *session);

/*
 * Send the message, as smb2_exchange() does. Return 0 if all requests
 * succeeded, or the -errno of the first that failed.
 */
int smb2_call(struct smb2_session *session, const void *data, size_t bytes);

#endif
