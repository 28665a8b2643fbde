/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The login with a Kerberos ticket: SPNEGO tokens from MIT Kerberos' GSS-API,
 * which is loaded when the first user logs in with a ticket. The ticket comes
 * from the user's credential cache, as kinit(1) leaves it.
 */
#ifndef SMB2CLIENT_KERBEROS_H
#define SMB2CLIENT_KERBEROS_H

#include <stddef.h>
#include <stdint.h>

struct smb2_kerberos;

enum { SMB2_KERBEROS_KEY_MAX = 32 };

/*
 * Begin a login to the service cifs/HOST. Return 0, -EOPNOTSUPP (throng was
 * built without Kerberos, or the library is not installed), -EACCES or -ENOMEM.
 * Call smb2_kerberos_end() in any case; *kerberos may be NULL then.
 */
int smb2_kerberos_start(const char *host, struct smb2_kerberos **kerberos);

/*
 * Take the server's token, which is empty at first, and set *token to the next
 * one to send, of *bytes bytes; 0: there is none. It is valid until the next
 * call. Return 0 if the login is complete, and server and client have proved
 * who they are; 1 if the server must answer; or -EACCES (no ticket for this
 * server ...).
 */
int smb2_kerberos_step(struct smb2_kerberos *kerberos, const uint8_t *in, size_t in_bytes,
		       const uint8_t **token, size_t *bytes);

/* After the login, get the session's key. Return its size or -EACCES. */
int smb2_kerberos_key(struct smb2_kerberos *kerberos, uint8_t key[SMB2_KERBEROS_KEY_MAX]);

void smb2_kerberos_end(struct smb2_kerberos *kerberos);

#endif
