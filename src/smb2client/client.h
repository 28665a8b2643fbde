/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of SMB2 and SMB3. This header is the only door of the room: others
 * include no other one. It includes the headers with the requests and the
 * replies for files.
 *
 * A user logs in with smb2_session_start(). For each exchange, it begins a
 * message, appends requests (request.h), sends it with smb2_call() or
 * smb2_exchange(), and parses the replies (reply.h). A message can be a
 * compound. One is in flight at a time, unless fibers share a connection
 * (smb2_session_share). The numbers in comments are sections of MS-SMB2.
 */
#ifndef SMB2CLIENT_CLIENT_H
#define SMB2CLIENT_CLIENT_H

#include "smb2client/reply.h"
#include "smb2client/request.h"
#include "smb2client/text.h"
#include "words/smb_client.h"

struct fibers;
struct smb2_connection;
struct smb2_exchange;

enum smb2_dialect {
	SMB2_02 = 0x202,
	SMB2_10 = 0x210,
	SMB3_00 = 0x300,
	SMB3_02 = 0x302,
	SMB3_11 = 0x311,
};

/* 2.2.3.1.7: algorithms for signatures, with their numbers in the protocol. */
enum smb2_signing {
	SMB2_HMAC_SHA256, /* all dialects before 3.0 */
	SMB2_AES_CMAC,    /* 3.0, 3.0.2, and 3.1.1 without negotiation */
	SMB2_AES_GMAC,
};

/* 2.2.3.1.2: ciphers, with their numbers in the protocol. */
enum smb2_cipher {
	SMB2_NO_CIPHER,
	SMB2_AES128_CCM, /* 3.0, 3.0.2, and 3.1.1 */
	SMB2_AES128_GCM,
	SMB2_AES256_CCM,
	SMB2_AES256_GCM,
};

/* Settings of a login. */
struct smb2_login {
	const char *host, *port; /* a port of "" means 445 */
	const char *share;
	bool anonymous; /* without a user; the server may refuse this */
	const char *domain, *user, *password;
	bool hashed;   /* `password` is its NT hash, as 32 hexadecimal digits */
	bool guest;    /* accept a login as guest */
	bool kerberos; /* with a ticket, instead of a password */
	/* The range of dialects (enum smb2_dialect) to offer. */
	uint16_t min_dialect, max_dialect;
	enum smb_strength sign, encrypt;
	/* The only algorithm to offer in 3.1.1, or -1 for all. */
	int signing, cipher;
	uint64_t timeout_ns;
	/* Handle a break of an oplock, after the login: return true to
	 * acknowledge it. NULL: ignore it. */
	bool (*on_break)(void *context, const struct smb2_break *broken);
	void *context;
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

/* A session with a share. All zeros: it was not started. */
struct smb2_session {
	/* For this room only. */
	struct smb2_connection *connection;
	struct smb2_exchange *exchange;
	bool is_shared; /* the connection is that of another session */
	/* The result of the negotiation. */
	uint16_t dialect; /* enum smb2_dialect */
	enum smb2_signing signing;
	enum smb2_cipher cipher;
	bool has_leases;
	/* All messages are signed or encrypted, never both. */
	bool is_signed, is_encrypted;
	/* Why the login failed. */
	enum smb2_refusal refusal;
	enum smb_step step; /* the last one that was begun */
	uint32_t status;    /* the NT status that ended the login; 0: none */
};

/* Return the version of GnuTLS. */
const char *smb2_library_version(void);

/*
 * Log in. Return 0 or -errno: -EACCES, -ENOENT (no such share),
 * -EPROTONOSUPPORT (encryption is required, but the server does not offer it,
 * or the only algorithm to offer cannot be used), -EINVAL (an invalid hash, if
 * there is no status) ... After a failure, session->status is the server's NT
 * status, if it sent one, session->refusal our own reason, if there is one, and
 * smb2_cause() a description, or NULL. Call smb2_session_end() in any case.
 */
int smb2_session_start(struct smb2_session *session, const struct smb2_login *login);

/*
 * Make another session with the same connection. From now on, each of these sessions
 * is used by a fiber of its own: when one waits for the server, others run. Return 0 or
 * -ENOMEM. Call smb2_session_end() for `another` in any case, before `session` and
 * the fibers end.
 */
int smb2_session_share(struct smb2_session *session, struct fibers *fibers,
		       struct smb2_session *another);

/* Log off, if the connection is not lost, and close the connection. A shared session
 * only ends itself. No fiber may wait any more. */
void smb2_session_end(struct smb2_session *session);

/* Return 0, or the -errno that has ended the connection: all further exchanges
 * fail with it at once. */
int smb2_lost(const struct smb2_session *session);

/* Return a static text that says why the connection has ended, or NULL if the
 * errno says it all. */
const char *smb2_cause(const struct smb2_session *session);

/* End the connection with `rc`, an -errno, and its cause, a static text. Return
 * `rc`. */
int smb2_give_up(struct smb2_session *session, int rc, const char *cause);

/* Begin a message, when there are enough credits. Return `session`, for the first
 * request. */
struct smb2_session *smb2_begin(struct smb2_session *session);

/*
 * Send the message, and receive the replies. Return 0 after a final reply to
 * each request, even if the replies are failures (some of which end the
 * connection, too), or the -errno that has ended the connection: -ETIMEDOUT,
 * -ECONNABORTED (the reply breaks the protocol, lacks protection or has been
 * altered), -ECONNRESET ...
 */
int smb2_exchange(struct smb2_session *session);

/* Do the same. Return 0 if all requests succeeded, or the -errno of the first
 * that failed. */
int smb2_call(struct smb2_session *session);

/*
 * Call smb2_call() for one request that may wait for another client, such as
 * for a lock. While it waits, it has no deadline, and `wait` is called several
 * times per second: it returns false to cancel the request, which then fails
 * with -ECANCELED. If `wait` is NULL, the request may not wait.
 */
int smb2_call_waiting(struct smb2_session *session, bool (*wait)(void *context), void *context);

/* Return the reply to a request of the last message, the first being 0. It is
 * valid until the next exchange. */
const struct smb2_reply *smb2_reply(const struct smb2_session *session, unsigned number);

/* Return the NT status of such a reply. */
uint32_t smb2_status(const struct smb2_session *session, unsigned number);

/* End the connection because such a reply is invalid. Return -ECONNABORTED. */
int smb2_invalid_reply(struct smb2_session *session, unsigned number);

/* From now on, let all exchanges together have the time of one, until
 * smb2_deadline_end(). */
void smb2_deadline_begin(struct smb2_session *session);
void smb2_deadline_end(struct smb2_session *session);
bool smb2_is_overdue(struct smb2_session *session);

/*
 * Read a range of a file, in as many exchanges as the server's limits require.
 * Return the number of bytes, fewer than `size` at the end of the file, or
 * -errno. All of the buffer may be overwritten.
 */
int64_t smb2_read_range(struct smb2_session *session, const uint8_t *id, void *buffer, size_t size,
			uint64_t offset);

/* Write a range, to the disk if `through`. Set *written to the number of bytes
 * that the server has taken. Return 0, also if it has taken fewer than `size`, or
 * -errno. */
int smb2_write_range(struct smb2_session *session, const uint8_t *id, const void *data, size_t size,
		     uint64_t offset, bool through, size_t *written);

/* Begin a message, and return the max size of a listing for which the credits suffice,
 * beside `others` other requests that need one credit each. */
uint32_t smb2_begin_listing(struct smb2_session *session, unsigned others);

#endif
