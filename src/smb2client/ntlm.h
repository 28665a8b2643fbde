/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The login with a password: NTLMv2 with a message integrity code, as raw
 * NTLMSSP messages without SPNEGO, which SMB2 servers accept. The numbers in
 * comments are sections of MS-NLMP.
 */
#ifndef SMB2CLIENT_NTLM_H
#define SMB2CLIENT_NTLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SMB2_NTLM_NEGOTIATE_BYTES = 40,
	SMB2_NTLM_MAX_BYTES = 4096, /* of an AUTHENTICATE message */
	SMB2_NTLM_KEY_BYTES = 16,
	SMB2_NTLM_CHALLENGE_BYTES = 8,
};

/* The user who logs in. */
struct smb2_identity {
	bool anonymous; /* without a user; the server may refuse this */
	const char *domain, *user;
	uint8_t hash[SMB2_NTLM_KEY_BYTES]; /* of the password */
};

/* 3.3.1, NTOWFv1: compute the hash of a password, which is as secret as the
 * password. Return 0, -EILSEQ or -ENAMETOOLONG. */
int smb2_ntlm_hash(const char *password, uint8_t hash[SMB2_NTLM_KEY_BYTES]);

/* Read such a hash: 32 hexadecimal digits. Return 0 or -EINVAL. */
int smb2_ntlm_read_hash(const char *digits, uint8_t hash[SMB2_NTLM_KEY_BYTES]);

/* 3.3.2, NTOWFv2: compute the key of a user. Return 0, -EILSEQ or
 * -ENAMETOOLONG. */
int smb2_ntlm_user_key(const struct smb2_identity *identity, uint8_t key[SMB2_NTLM_KEY_BYTES]);

/* 3.3.2: compute the proof that the client knows the key, and the session base
 * key. `blob` is the structure NTLMv2_CLIENT_CHALLENGE (2.2.2.7). */
void smb2_ntlm_prove(const uint8_t key[SMB2_NTLM_KEY_BYTES],
		     const uint8_t server_challenge[SMB2_NTLM_CHALLENGE_BYTES], const void *blob,
		     size_t bytes, uint8_t proof[SMB2_NTLM_KEY_BYTES],
		     uint8_t base_key[SMB2_NTLM_KEY_BYTES]);

/* Encrypt or decrypt the session key (3.4.5.1, KXKEY with RC4). */
void smb2_ntlm_exchange_key(const uint8_t base_key[SMB2_NTLM_KEY_BYTES],
			    const uint8_t key[SMB2_NTLM_KEY_BYTES],
			    uint8_t out[SMB2_NTLM_KEY_BYTES]);

/* 2.2.1.1: write the first message of a login. */
void smb2_ntlm_negotiate(uint8_t message[SMB2_NTLM_NEGOTIATE_BYTES]);

/* Numbers that make a login unique. */
struct smb2_ntlm_nonces {
	uint8_t client_challenge[SMB2_NTLM_CHALLENGE_BYTES];
	uint8_t session_key[SMB2_NTLM_KEY_BYTES];
	uint64_t time; /* in units of 100 ns since 1601 */
};

/* Fill the nonces with random bytes and the current time. Return 0 or
 * -errno. */
int smb2_ntlm_make_nonces(struct smb2_ntlm_nonces *nonces);

/*
 * 2.2.1.3: write the second message of a login, the answer to the server's
 * challenge, of at most SMB2_NTLM_MAX_BYTES. `challenge` is the message that
 * the server sent. On success, *bytes is the size of the answer, and `key` the
 * session's key. Return 0, -EPROTO for an invalid challenge, -EILSEQ or
 * -ENAMETOOLONG.
 */
int smb2_ntlm_authenticate(const struct smb2_identity *identity,
			   const struct smb2_ntlm_nonces *nonces, const uint8_t *challenge,
			   size_t challenge_bytes, uint8_t *message, size_t *bytes,
			   uint8_t key[SMB2_NTLM_KEY_BYTES]);

#endif
