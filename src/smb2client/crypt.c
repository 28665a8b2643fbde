/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/crypt.h"

#include "base/bytes.h"
#include "smb2client/wire.h"

#include <errno.h>
#include <nettle/memops.h>
#include <nettle/memxor.h>
#include <nettle/sha2.h>

enum {
	TAG_BYTES = SMB2_TAG_BYTES,
	/* Offsets in the header (2.2.1.2) and the transform header (2.2.41). */
	MESSAGE_ID_AT = 24,
	SIGNATURE_AT = 48,
	TAG_AT = 4,
	NONCE_AT = 20,
	SIZE_AT = 36,
	FLAGS_AT = 42,
	SESSION_ID_AT = 44,
	SEALED = 1, /* the only flag */
};

static const uint8_t transform_id[4] = {0xfd, 'S', 'M', 'B'};

void smb2_preauth_add(uint8_t hash[SMB2_PREAUTH_BYTES], const void *message, size_t bytes)
{
	struct sha512_ctx context;

	sha512_init(&context);
	sha512_update(&context, SMB2_PREAUTH_BYTES, hash);
	sha512_update(&context, bytes, message);
	sha512_digest(&context, SMB2_PREAUTH_BYTES, hash);
}

/* A label or context of a key derivation; the size includes the NUL. */
struct text {
	const void *bytes;
	size_t size;
};
#define LITERAL(literal) ((struct text){literal, sizeof(literal)})

/* Derive a key as in SP800-108 (counter mode, HMAC-SHA256), with one block of
 * output. */
static void derive(const uint8_t *key, size_t key_bytes, struct text label, struct text context,
		   uint8_t *out, size_t out_bytes)
{
	static const uint8_t counter[4] = {0, 0, 0, 1}, zero;
	const uint8_t bits[4] = {0, 0, (uint8_t)(out_bytes * 8 >> 8), (uint8_t)(out_bytes * 8)};
	struct hmac_sha256_ctx hmac;

	hmac_sha256_set_key(&hmac, key_bytes, key);
	hmac_sha256_update(&hmac, sizeof(counter), counter);
	hmac_sha256_update(&hmac, label.size, label.bytes);
	hmac_sha256_update(&hmac, 1, &zero);
	hmac_sha256_update(&hmac, context.size, context.bytes);
	hmac_sha256_update(&hmac, sizeof(bits), bits);
	hmac_sha256_digest(&hmac, out_bytes, out);
	explicit_bzero(&hmac, sizeof(hmac));
}

static size_t cipher_key_bytes(enum smb2_cipher cipher)
{
	return cipher == SMB2_AES256_CCM || cipher == SMB2_AES256_GCM ? 32 : 16;
}

void smb2_derive_keys(uint16_t dialect, enum smb2_cipher cipher, const uint8_t *session_key,
		      size_t session_key_bytes, const uint8_t preauth[SMB2_PREAUTH_BYTES],
		      struct smb2_keys *keys)
{
	struct text hash = {preauth, SMB2_PREAUTH_BYTES};
	bool has_hash = dialect >= SMB3_11;
	size_t size = cipher_key_bytes(cipher), full_bytes = SMB2_KEY_BYTES;
	uint8_t key[SMB2_KEY_BYTES] = {0};
	const uint8_t *full = key;

	memcpy(key, session_key, session_key_bytes < sizeof(key) ? session_key_bytes : sizeof(key));
	memset(keys, 0, sizeof(*keys));
	if (dialect < SMB3_00) {
		memcpy(keys->signing, key, sizeof(key));
		explicit_bzero(key, sizeof(key));
		return;
	}
	/* 3.2.5.3.1: keys of 256 bits come from the whole session key. */
	if (size > sizeof(key)) {
		full = session_key;
		full_bytes = session_key_bytes;
	}
	derive(key, sizeof(key), has_hash ? LITERAL("SMBSigningKey") : LITERAL("SMB2AESCMAC"),
	       has_hash ? hash : LITERAL("SmbSign"), keys->signing, sizeof(keys->signing));
	derive(full, full_bytes, has_hash ? LITERAL("SMBC2SCipherKey") : LITERAL("SMB2AESCCM"),
	       has_hash ? hash : LITERAL("ServerIn "), keys->seal, size);
	derive(full, full_bytes, has_hash ? LITERAL("SMBS2CCipherKey") : LITERAL("SMB2AESCCM"),
	       has_hash ? hash : LITERAL("ServerOut"), keys->unseal, size);
	explicit_bzero(key, sizeof(key));
}

static int start_cipher(gnutls_aead_cipher_hd_t *handle, gnutls_cipher_algorithm_t algorithm,
			const uint8_t *key, size_t key_bytes)
{
	gnutls_datum_t datum = {(uint8_t *)(uintptr_t)key, (unsigned)key_bytes};

	if (gnutls_aead_cipher_init(handle, algorithm, &datum) == 0)
		return 0;
	*handle = NULL;
	return -ENOTSUP;
}

static int start_cmac(struct smb2_crypt *crypt, const uint8_t *key)
{
	uint8_t iv_bytes[AES_BLOCK_SIZE] = {0};
	const gnutls_datum_t iv = {iv_bytes, sizeof(iv_bytes)};
	const gnutls_datum_t datum = {(uint8_t *)(uintptr_t)key, SMB2_KEY_BYTES};
	struct cmac_aes128_ctx context;

	cmac_aes128_set_key(&context, key);
	crypt->cmac = context.key;
	explicit_bzero(&context, sizeof(context));
	if (gnutls_cipher_init(&crypt->cbc, GNUTLS_CIPHER_AES_128_CBC, &datum, &iv) == 0)
		return 0;
	crypt->cbc = NULL;
	return -ENOTSUP;
}

int smb2_crypt_start(struct smb2_crypt *crypt, enum smb2_signing signing, enum smb2_cipher cipher,
		     const struct smb2_keys *keys)
{
	static const gnutls_cipher_algorithm_t algorithms[] = {
		[SMB2_AES128_CCM] = GNUTLS_CIPHER_AES_128_CCM,
		[SMB2_AES128_GCM] = GNUTLS_CIPHER_AES_128_GCM,
		[SMB2_AES256_CCM] = GNUTLS_CIPHER_AES_256_CCM,
		[SMB2_AES256_GCM] = GNUTLS_CIPHER_AES_256_GCM,
	};
	size_t bytes = cipher_key_bytes(cipher);
	int rc = 0;

	*crypt = (struct smb2_crypt){
		.has_keys = true,
		.signing = signing,
		.cipher = cipher,
	};
	hmac_sha256_set_key(&crypt->hmac, SMB2_KEY_BYTES, keys->signing);
	if (signing == SMB2_AES_CMAC)
		rc = start_cmac(crypt, keys->signing);
	if (signing == SMB2_AES_GMAC)
		rc = start_cipher(&crypt->gmac, GNUTLS_CIPHER_AES_128_GCM, keys->signing,
				  SMB2_KEY_BYTES);
	if (rc == 0 && cipher != SMB2_NO_CIPHER)
		rc = start_cipher(&crypt->seal, algorithms[cipher], keys->seal, bytes);
	if (rc == 0 && cipher != SMB2_NO_CIPHER)
		rc = start_cipher(&crypt->unseal, algorithms[cipher], keys->unseal, bytes);
	return rc;
}

void smb2_crypt_end(struct smb2_crypt *crypt)
{
	const gnutls_aead_cipher_hd_t handles[] = {crypt->gmac, crypt->seal, crypt->unseal};
	size_t i;

	for (i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
		if (handles[i] != NULL)
			gnutls_aead_cipher_deinit(handles[i]);
	if (crypt->cbc != NULL)
		gnutls_cipher_deinit(crypt->cbc);
	explicit_bzero(crypt, sizeof(*crypt));
}

/* The part of a message that has not gone through the cipher yet. */
struct cmac_input {
	uint8_t bytes[1024];
	size_t used;
};

/* Add bytes. Encrypt when there is no more room, but keep the message's last
 * block, which needs one of the keys for it. */
static int add_to_cmac(struct smb2_crypt *crypt, struct cmac_input *input, const uint8_t *bytes,
		       size_t size)
{
	while (size > 0) {
		size_t room = sizeof(input->bytes) - input->used;

		if (room == 0) {
			if (gnutls_cipher_encrypt(crypt->cbc, input->bytes, input->used) != 0)
				return -EIO;
			input->used = 0;
			continue;
		}
		if (room > size)
			room = size;
		memcpy(input->bytes + input->used, bytes, room);
		input->used += room;
		bytes += room;
		size -= room;
	}
	return 0;
}

/*
 * RFC 4493: the signature is the last block of the message in CBC mode. The CMAC
 * of GnuTLS and nettle takes 1.5 times as long, because it calls the cipher for
 * each block.
 */
static int sign_cmac(struct smb2_crypt *crypt, const uint8_t *message, size_t bytes,
		     const void *more, size_t more_bytes, uint8_t *signature)
{
	uint8_t iv[AES_BLOCK_SIZE] = {0};
	struct cmac_input input;
	size_t last, rest;

	input.used = 0;
	gnutls_cipher_set_iv(crypt->cbc, iv, sizeof(iv));
	if (add_to_cmac(crypt, &input, message, bytes) < 0 ||
	    add_to_cmac(crypt, &input, more, more_bytes) < 0)
		return -EIO;
	last = (input.used - 1) / AES_BLOCK_SIZE * AES_BLOCK_SIZE;
	rest = input.used - last;
	if (rest < AES_BLOCK_SIZE) {
		input.bytes[input.used] = 0x80;
		memset(input.bytes + input.used + 1, 0, AES_BLOCK_SIZE - rest - 1);
	}
	memxor(input.bytes + last, rest < AES_BLOCK_SIZE ? crypt->cmac.K2.b : crypt->cmac.K1.b,
	       AES_BLOCK_SIZE);
	if (gnutls_cipher_encrypt(crypt->cbc, input.bytes, last + AES_BLOCK_SIZE) != 0)
		return -EIO;
	memcpy(signature, input.bytes + last, SMB2_SIGNATURE_BYTES);
	return 0;
}

/* 3.1.4.1: GMAC's nonce is the message id, and two bits that tell the server's
 * messages and CANCEL from others. */
static int sign_gmac(struct smb2_crypt *crypt, const uint8_t *message, size_t bytes,
		     const void *more, size_t more_bytes, uint8_t *signature)
{
	enum { NONCE_BYTES = 12, SERVER = 1, CANCEL = 2 };
	const giovec_t parts[] = {
		{(void *)(uintptr_t)message, bytes},
		{(void *)(uintptr_t)more, more_bytes},
	};
	giovec_t nothing = {NULL, 0};
	uint8_t nonce[NONCE_BYTES] = {0};
	size_t tag = SMB2_SIGNATURE_BYTES;

	memcpy(nonce, message + MESSAGE_ID_AT, 8);
	if ((get_le32(message + 16) & SMB2_FROM_SERVER) != 0)
		nonce[8] |= SERVER;
	if (get_le16(message + 12) == SMB2_CANCEL)
		nonce[8] |= CANCEL;
	return gnutls_aead_cipher_encryptv2(crypt->gmac, nonce, sizeof(nonce), parts,
					    more_bytes > 0 ? 2 : 1, &nothing, 0, signature,
					    &tag) == 0
		       ? 0
		       : -EIO;
}

int smb2_sign(struct smb2_crypt *crypt, const uint8_t *message, size_t bytes, const void *more,
	      size_t more_bytes, uint8_t signature[SMB2_SIGNATURE_BYTES])
{
	switch (crypt->signing) {
	case SMB2_HMAC_SHA256:
		hmac_sha256_update(&crypt->hmac, bytes, message);
		if (more_bytes > 0)
			hmac_sha256_update(&crypt->hmac, more_bytes, more);
		hmac_sha256_digest(&crypt->hmac, SMB2_SIGNATURE_BYTES, signature);
		return 0;
	case SMB2_AES_CMAC:
		return sign_cmac(crypt, message, bytes, more, more_bytes, signature);
	case SMB2_AES_GMAC:
		return sign_gmac(crypt, message, bytes, more, more_bytes, signature);
	}
	return -EIO;
}

int smb2_check_signature(struct smb2_crypt *crypt, uint8_t *message, size_t bytes, const void *more,
			 size_t more_bytes)
{
	uint8_t received[SMB2_SIGNATURE_BYTES], expected[SMB2_SIGNATURE_BYTES];
	int rc;

	if (bytes < SMB2_HEADER_BYTES)
		return -EBADMSG;
	memcpy(received, message + SIGNATURE_AT, sizeof(received));
	memset(message + SIGNATURE_AT, 0, sizeof(received));
	rc = smb2_sign(crypt, message, bytes, more, more_bytes, expected);
	if (rc < 0)
		return rc;
	return memeql_sec(received, expected, sizeof(received)) ? 0 : -EBADMSG;
}

static bool is_ccm(const struct smb2_crypt *crypt)
{
	return crypt->cipher == SMB2_AES128_CCM || crypt->cipher == SMB2_AES256_CCM;
}

/* 2.2.41: CCM uses 11 bytes of the nonce's field, GCM 12. */
static size_t nonce_bytes(const struct smb2_crypt *crypt)
{
	return is_ccm(crypt) ? 11 : 12;
}

/*
 * Encrypt the message after a transform header, and append the tag. GnuTLS
 * implements GCM for data in several parts, so `data` need not be copied first.
 * For CCM, it would copy all parts itself.
 */
static int encrypt(struct smb2_crypt *crypt, uint8_t *transform, size_t bytes, const void *data,
		   size_t data_bytes)
{
	uint8_t *message = transform + SMB2_TRANSFORM_BYTES;
	const giovec_t header = {transform + NONCE_AT, SMB2_TRANSFORM_BYTES - NONCE_AT};
	const giovec_t parts[] = {
		{message, bytes},
		{(void *)(uintptr_t)data, data_bytes},
	};
	size_t all = bytes + data_bytes, size = all + TAG_BYTES;

	if (!is_ccm(crypt))
		return gnutls_aead_cipher_encryptv(crypt->seal, header.iov_base, nonce_bytes(crypt),
						   &header, 1, TAG_BYTES, parts,
						   data_bytes > 0 ? 2 : 1, message, &size);
	if (data_bytes > 0)
		memcpy(message + bytes, data, data_bytes);
	return gnutls_aead_cipher_encrypt(crypt->seal, header.iov_base, nonce_bytes(crypt),
					  header.iov_base, header.iov_len, TAG_BYTES, message, all,
					  message, &size);
}

int smb2_seal(struct smb2_crypt *crypt, uint8_t *transform, size_t bytes, const void *data,
	      size_t data_bytes, uint64_t session_id)
{
	size_t all = bytes + data_bytes;

	memset(transform, 0, SMB2_TRANSFORM_BYTES);
	memcpy(transform, transform_id, sizeof(transform_id));
	put_le64(transform + NONCE_AT, ++crypt->nonce);
	put_le32(transform + SIZE_AT, (uint32_t)all);
	put_le16(transform + FLAGS_AT, SEALED);
	put_le64(transform + SESSION_ID_AT, session_id);
	if (encrypt(crypt, transform, bytes, data, data_bytes) != 0)
		return -EIO;
	memcpy(transform + TAG_AT, transform + SMB2_TRANSFORM_BYTES + all, TAG_BYTES);
	return 0;
}

int smb2_unseal(struct smb2_crypt *crypt, uint8_t *transform, size_t bytes, void *more,
		size_t more_bytes, uint64_t session_id)
{
	const giovec_t header = {transform + NONCE_AT, SMB2_TRANSFORM_BYTES - NONCE_AT};
	const giovec_t parts[] = {
		{transform + SMB2_TRANSFORM_BYTES, bytes - SMB2_TRANSFORM_BYTES},
		{more, more_bytes},
	};

	if (crypt->unseal == NULL || bytes < SMB2_TRANSFORM_BYTES + SMB2_HEADER_BYTES ||
	    memcmp(transform, transform_id, sizeof(transform_id)) != 0 ||
	    get_le32(transform + SIZE_AT) != bytes - SMB2_TRANSFORM_BYTES + more_bytes ||
	    get_le16(transform + FLAGS_AT) != SEALED ||
	    get_le64(transform + SESSION_ID_AT) != session_id)
		return -EPROTO;
	return gnutls_aead_cipher_decryptv2(crypt->unseal, transform + NONCE_AT, nonce_bytes(crypt),
					    &header, 1, parts, more_bytes > 0 ? 2 : 1,
					    transform + TAG_AT, TAG_BYTES) == 0
		       ? 0
		       : -EBADMSG;
}

const char *smb2_library_version(void)
{
	return gnutls_check_version(NULL);
}
