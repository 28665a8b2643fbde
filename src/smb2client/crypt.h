/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Protection of SMB2 and SMB3 messages: keys, signatures, encryption. The
 * numbers in comments are sections of MS-SMB2. Sealed means encrypted.
 */
#ifndef SMB2CLIENT_CRYPT_H
#define SMB2CLIENT_CRYPT_H

#include "smb2client/client.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <nettle/cmac.h>
#include <nettle/hmac.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SMB2_KEY_BYTES = 16,
	SMB2_CIPHER_KEY_MAX = 32,
	SMB2_PREAUTH_BYTES = 64,
	SMB2_SIGNATURE_BYTES = 16,
	SMB2_TAG_BYTES = 16,
};

/* 3.1.4.4.1: add a message to the hash of all messages of a 3.1.1 negotiation
 * and login. The hash is all zeros at first. */
void smb2_preauth_add(uint8_t hash[SMB2_PREAUTH_BYTES], const void *message, size_t bytes);

/* The keys of a session. */
struct smb2_keys {
	uint8_t signing[SMB2_KEY_BYTES];
	uint8_t seal[SMB2_CIPHER_KEY_MAX];   /* client to server */
	uint8_t unseal[SMB2_CIPHER_KEY_MAX]; /* server to client */
};

/* 3.1.4.2: derive the keys of a session. `session_key` comes from the login
 * and may have any length > 0. Only 3.1.1 uses the hash. The caller wipes the
 * keys. */
void smb2_derive_keys(uint16_t dialect, enum smb2_cipher cipher, const uint8_t *session_key,
		      size_t session_key_bytes, const uint8_t preauth[SMB2_PREAUTH_BYTES],
		      struct smb2_keys *keys);

/* The state for protecting one session's messages. All zeros: no keys yet. */
struct smb2_crypt {
	bool has_keys;
	enum smb2_signing signing;
	enum smb2_cipher cipher;
	uint64_t nonce; /* of the message that was sealed last */
	struct hmac_sha256_ctx hmac;
	struct cmac128_key cmac; /* for the last block of a message */
	gnutls_cipher_hd_t cbc;  /* for CMAC */
	gnutls_aead_cipher_hd_t gmac, seal, unseal;
};

/* Set the keys. Return 0, or -ENOTSUP if GnuTLS does not have an algorithm, as
 * in FIPS mode. Call smb2_crypt_end() in any case. */
int smb2_crypt_start(struct smb2_crypt *crypt, enum smb2_signing signing, enum smb2_cipher cipher,
		     const struct smb2_keys *keys);

/* Free the state and wipe the keys. */
void smb2_crypt_end(struct smb2_crypt *crypt);

/*
 * 3.1.4.1: sign a message that starts with `bytes` > 0 bytes at `message`, and ends
 * with `more_bytes` bytes at `more`. The signature in its header must be zero,
 * and the function does not set it. Return 0 or -EIO.
 */
int smb2_sign(struct smb2_crypt *crypt, const uint8_t *message, size_t bytes, const void *more,
	      size_t more_bytes, uint8_t signature[SMB2_SIGNATURE_BYTES]);

/* 3.2.5.1.3: check the signature of a reply in the same two parts, and overwrite
 * it with zeros. Return 0, -EBADMSG if it is wrong, or -EIO. */
int smb2_check_signature(struct smb2_crypt *crypt, uint8_t *message, size_t bytes, const void *more,
			 size_t more_bytes);

/*
 * 3.1.4.3: encrypt a message, and write the transform header that precedes it.
 * The message's first `bytes` bytes start at `transform` + SMB2_TRANSFORM_BYTES,
 * and are encrypted in place; the other ones are at `data`, and are encrypted to
 * the place after these. SMB2_TAG_BYTES more bytes are overwritten there. Each
 * call uses a new nonce. Return 0 or -EIO.
 */
int smb2_seal(struct smb2_crypt *crypt, uint8_t *transform, size_t bytes, const void *data,
	      size_t data_bytes, uint64_t session_id);

/* 3.2.5.1.1: decrypt a received message in place: `bytes` bytes, with the
 * transform header, and `more_bytes` bytes at `more`. Return 0, -EPROTO if this
 * is not a sealed message of the session, or -EBADMSG if it has been altered. */
int smb2_unseal(struct smb2_crypt *crypt, uint8_t *transform, size_t bytes, void *more,
		size_t more_bytes, uint64_t session_id);

#endif
