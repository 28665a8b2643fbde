/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Negotiate the dialect and the algorithms of an SMB2 session, and detect later
 * that somebody altered the negotiation. The numbers in comments are sections of
 * MS-SMB2.
 */
#ifndef SMB2CLIENT_NEGOTIATE_H
#define SMB2CLIENT_NEGOTIATE_H

#include "smb2client/client.h"
#include "smb2client/exchange.h"
#include "smb2client/ntlm.h"

enum { SMB2_GUID_BYTES = 16 };

/* The state of a login. The caller sets the three pointers and the identity,
 * and zeros the rest, which smb2_negotiate() sets. */
struct smb2_attempt {
	const struct smb2_login *login;
	struct smb2_session *session;
	struct smb2_connection *connection; /* of the session */
	struct smb2_identity identity;
	bool is_guest;
	struct smb2_negotiated server; /* its reply to NEGOTIATE */
	/* The fields of the NEGOTIATE request. */
	uint8_t guid[SMB2_GUID_BYTES];
	uint16_t security_mode;
	uint16_t dialects[8];
	unsigned dialect_count;
	uint32_t capabilities;
	/* The hash of the messages so far, see smb2_preauth_add(). */
	uint8_t preauth[SMB2_PREAUTH_BYTES];
};

/* Negotiate, and set attempt->server and what follows from it. Return 0 or
 * -errno; see smb2_session_start(). */
int smb2_negotiate(struct smb2_attempt *attempt);

/*
 * 2.2.31.4: after the login, let the server repeat its part of the negotiation
 * in a signed message. Servers with 3.1.1 protect it by a hash instead. Servers
 * without 3.0 refuse this in a signed reply (3.2.5.5). Return 0, or -errno after
 * losing the connection.
 */
int smb2_validate_negotiation(struct smb2_attempt *attempt);

/* Call smb2_call(), and remember the status if the server refuses. */
int smb2_attempt_call(struct smb2_attempt *attempt);

/* Note our own reason to end the login. Return `rc`. */
int smb2_refuse(struct smb2_attempt *attempt, int rc, enum smb2_refusal refusal);

/* Add the message that is being sent, or its first reply, to the hash. */
void smb2_hash_request(struct smb2_attempt *attempt);
void smb2_hash_reply(struct smb2_attempt *attempt);

#endif
