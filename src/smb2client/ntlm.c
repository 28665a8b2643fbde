/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/ntlm.h"

#include "base/bytes.h"
#include "smb2client/text.h"

#include <errno.h>
#include <nettle/arcfour.h>
#include <nettle/hmac.h>
#include <nettle/md4.h>
#include <sys/random.h>
#include <time.h>

enum {
	TEXT_MAX = 1024, /* bytes of a password, user or domain in UTF-16 */
	/* Max size of the server's target information, which its reply repeats,
	 * and of the structure that contains it. */
	TARGET_MAX = 1024,
	BLOB_MAX = TARGET_MAX + 128,
	CHALLENGE_FIXED = 56,
	AUTHENTICATE_FIXED = 88,
	FLAGS_AT = 60,
	VERSION_AT = 64,
	MIC_AT = 72,
	MIC_BYTES = 16,
	LM_BYTES = 24,
};

/* 2.2.2.5 */
enum ntlm_flag {
	UNICODE = 1 << 0,
	REQUEST_TARGET = 1 << 2,
	SIGN = 1 << 4,
	SEAL = 1 << 5,
	NTLM = 1 << 9,
	ANONYMOUS = 1 << 11,
	ALWAYS_SIGN = 1 << 15,
	EXTENDED_SECURITY = 1 << 19,
	TARGET_INFO = 1 << 23,
	HAS_VERSION = 1 << 25,
	KEY_128 = 1 << 29,
	KEY_EXCHANGE = 1 << 30,
};
#define KEY_56 (UINT32_C(1) << 31)
#define FLAGS \
	(UNICODE | REQUEST_TARGET | SIGN | SEAL | NTLM | ALWAYS_SIGN | EXTENDED_SECURITY | \
	 TARGET_INFO | HAS_VERSION | KEY_128 | KEY_EXCHANGE | KEY_56)

/* 2.2.2.1 */
enum av_id {
	AV_END = 0,
	AV_FLAGS = 6,
	AV_TIMESTAMP = 7,
	AV_CHANNEL_BINDINGS = 10,
};
enum { AV_HAS_MIC = 2 };

static const uint8_t signature[8] = "NTLMSSP";
/* 2.2.2.10: any version of the client, with the current revision. */
static const uint8_t version[8] = {6, 1, 0, 0, 0, 0, 0, 15};

/* Compute an HMAC-MD5 over up to three parts. */
static void hmac(const uint8_t *key, const void *one, size_t one_bytes, const void *two,
		 size_t two_bytes, const void *three, size_t three_bytes, uint8_t *out)
{
	struct hmac_md5_ctx context;

	hmac_md5_set_key(&context, SMB2_NTLM_KEY_BYTES, key);
	hmac_md5_update(&context, one_bytes, one);
	if (two_bytes > 0)
		hmac_md5_update(&context, two_bytes, two);
	if (three_bytes > 0)
		hmac_md5_update(&context, three_bytes, three);
	hmac_md5_digest(&context, SMB2_NTLM_KEY_BYTES, out);
	explicit_bzero(&context, sizeof(context));
}

int smb2_ntlm_hash(const char *password, uint8_t hash[SMB2_NTLM_KEY_BYTES])
{
	uint8_t text[TEXT_MAX];
	int length = smb2_put_text(text, sizeof(text), password);
	struct md4_ctx context;

	if (length >= 0) {
		md4_init(&context);
		md4_update(&context, (size_t)length, text);
		md4_digest(&context, SMB2_NTLM_KEY_BYTES, hash);
		explicit_bzero(&context, sizeof(context));
	}
	explicit_bzero(text, sizeof(text));
	return length < 0 ? length : 0;
}

/* Return the value of a hexadecimal digit, or -1. */
static int digit_of(char digit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = digit == '\0' ? NULL : strchr(digits, digit);

	return found != NULL ? (int)(found - digits) % 16 : -1;
}

int smb2_ntlm_read_hash(const char *digits, uint8_t hash[SMB2_NTLM_KEY_BYTES])
{
	size_t i;

	if (strlen(digits) != 2 * (size_t)SMB2_NTLM_KEY_BYTES)
		return -EINVAL;
	for (i = 0; i < SMB2_NTLM_KEY_BYTES; i++) {
		int high = digit_of(digits[2 * i]);
		int low = digit_of(digits[2 * i + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		hash[i] = (uint8_t)(high << 4 | low);
	}
	return 0;
}

int smb2_ntlm_user_key(const struct smb2_identity *identity, uint8_t key[SMB2_NTLM_KEY_BYTES])
{
	uint8_t user[TEXT_MAX], domain[TEXT_MAX];
	int user_bytes = smb2_put_upper(user, sizeof(user), identity->user);
	int domain_bytes = smb2_put_text(domain, sizeof(domain), identity->domain);

	if (user_bytes < 0)
		return user_bytes;
	if (domain_bytes < 0)
		return domain_bytes;
	hmac(identity->hash, user, (size_t)user_bytes, domain, (size_t)domain_bytes, NULL, 0, key);
	return 0;
}

void smb2_ntlm_prove(const uint8_t key[SMB2_NTLM_KEY_BYTES],
		     const uint8_t server_challenge[SMB2_NTLM_CHALLENGE_BYTES], const void *blob,
		     size_t bytes, uint8_t proof[SMB2_NTLM_KEY_BYTES],
		     uint8_t base_key[SMB2_NTLM_KEY_BYTES])
{
	hmac(key, server_challenge, SMB2_NTLM_CHALLENGE_BYTES, blob, bytes, NULL, 0, proof);
	hmac(key, proof, SMB2_NTLM_KEY_BYTES, NULL, 0, NULL, 0, base_key);
}

void smb2_ntlm_exchange_key(const uint8_t base_key[SMB2_NTLM_KEY_BYTES],
			    const uint8_t key[SMB2_NTLM_KEY_BYTES],
			    uint8_t out[SMB2_NTLM_KEY_BYTES])
{
	struct arcfour_ctx context;

	arcfour_set_key(&context, SMB2_NTLM_KEY_BYTES, base_key);
	arcfour_crypt(&context, SMB2_NTLM_KEY_BYTES, out, key);
	explicit_bzero(&context, sizeof(context));
}

void smb2_ntlm_negotiate(uint8_t message[SMB2_NTLM_NEGOTIATE_BYTES])
{
	memset(message, 0, SMB2_NTLM_NEGOTIATE_BYTES);
	memcpy(message, signature, sizeof(signature));
	put_le32(message + 8, 1);
	put_le32(message + 12, FLAGS);
	memcpy(message + 32, version, sizeof(version));
}

int smb2_ntlm_make_nonces(struct smb2_ntlm_nonces *nonces)
{
	const uint64_t seconds_since_1601 = UINT64_C(11644473600);
	struct timespec now;

	if (getrandom(nonces, sizeof(*nonces), 0) != sizeof(*nonces))
		return -EIO;
	clock_gettime(CLOCK_REALTIME, &now);
	nonces->time = ((uint64_t)now.tv_sec + seconds_since_1601) * 10000000 +
		       (uint64_t)now.tv_nsec / 100;
	return 0;
}

/* The parts of the server's CHALLENGE message (2.2.1.2). */
struct challenge {
	uint32_t flags;
	const uint8_t *number; /* the server's challenge */
	const uint8_t *target; /* the target information */
	size_t target_bytes;
};

static int read_challenge(const uint8_t *message, size_t bytes, struct challenge *challenge)
{
	size_t offset;

	if (bytes < CHALLENGE_FIXED || memcmp(message, signature, sizeof(signature)) != 0 ||
	    get_le32(message + 8) != 2)
		return -EPROTO;
	*challenge = (struct challenge){
		.flags = get_le32(message + 20) & FLAGS,
		.number = message + 24,
		.target_bytes = get_le16(message + 40),
	};
	offset = get_le32(message + 44);
	if (offset > bytes || challenge->target_bytes > bytes - offset ||
	    challenge->target_bytes > TARGET_MAX)
		return -EPROTO;
	challenge->target = message + offset;
	/* NTLMv2 with UTF-16 is all that we support. */
	return (challenge->flags & UNICODE) != 0 && (challenge->flags & EXTENDED_SECURITY) != 0
		       ? 0
		       : -EPROTO;
}

/* The structure NTLMv2_CLIENT_CHALLENGE (2.2.2.7). */
struct blob {
	uint8_t bytes[BLOB_MAX];
	size_t size;
	bool has_timestamp; /* from the server */
};

static void add_av(struct blob *blob, enum av_id id, const void *value, size_t bytes)
{
	uint8_t *at = blob->bytes + blob->size;

	put_le16(at, (uint16_t)id);
	put_le16(at + 2, (uint16_t)bytes);
	if (bytes > 0)
		memcpy(at + 4, value, bytes);
	blob->size += 4 + bytes;
}

/* Copy the server's AV pairs (2.2.2.1), except for its flags. */
static int copy_target(struct blob *blob, const struct challenge *challenge)
{
	const uint8_t *at = challenge->target;
	size_t left = challenge->target_bytes;

	while (left >= 4 && get_le16(at) != AV_END) {
		size_t size = get_le16(at + 2);

		if (size > left - 4)
			return -EPROTO;
		if (get_le16(at) == AV_TIMESTAMP && size == 8) {
			blob->has_timestamp = true;
			memcpy(blob->bytes + 8, at + 4, 8);
		}
		if (get_le16(at) != AV_FLAGS)
			add_av(blob, (enum av_id)get_le16(at), at + 4, size);
		at += 4 + size;
		left -= 4 + size;
	}
	return 0;
}

static int make_blob(struct blob *blob, const struct smb2_ntlm_nonces *nonces,
		     const struct challenge *challenge)
{
	static const uint8_t no_bindings[16], zeros[4];
	static const uint8_t flags[4] = {AV_HAS_MIC};
	int rc;

	*blob = (struct blob){.bytes = {1, 1}, .size = 28};
	put_le64(blob->bytes + 8, nonces->time);
	memcpy(blob->bytes + 16, nonces->client_challenge, sizeof(nonces->client_challenge));
	rc = copy_target(blob, challenge);
	if (rc < 0)
		return rc;
	if (blob->has_timestamp)
		add_av(blob, AV_FLAGS, flags, sizeof(flags));
	add_av(blob, AV_CHANNEL_BINDINGS, no_bindings, sizeof(no_bindings));
	add_av(blob, AV_END, NULL, 0);
	memcpy(blob->bytes + blob->size, zeros, sizeof(zeros));
	blob->size += sizeof(zeros);
	return 0;
}

/* Append a field's content to the message, and set its length and offset. */
static void put_field(uint8_t *message, size_t *end, size_t at, const void *content, size_t bytes)
{
	put_le16(message + at, (uint16_t)bytes);
	put_le16(message + at + 2, (uint16_t)bytes);
	put_le32(message + at + 4, (uint32_t)*end);
	if (bytes > 0)
		memcpy(message + *end, content, bytes);
	*end += bytes;
}

static int put_text_field(uint8_t *message, size_t *end, size_t at, const char *text)
{
	uint8_t utf16[TEXT_MAX];
	int length = smb2_put_text(utf16, sizeof(utf16), text);

	if (length < 0)
		return length;
	put_field(message, end, at, utf16, (size_t)length);
	return 0;
}

/* Put the responses of a user into the message, and compute the base key. */
static int put_responses(uint8_t *message, size_t *end, const struct smb2_identity *identity,
			 const struct challenge *challenge, const struct blob *blob,
			 uint8_t *base_key)
{
	uint8_t key[SMB2_NTLM_KEY_BYTES], lm[LM_BYTES] = {0};
	uint8_t response[SMB2_NTLM_KEY_BYTES + BLOB_MAX];
	int rc = smb2_ntlm_user_key(identity, key);

	if (rc < 0)
		return rc;
	smb2_ntlm_prove(key, challenge->number, blob->bytes, blob->size, response, base_key);
	memcpy(response + SMB2_NTLM_KEY_BYTES, blob->bytes, blob->size);
	/* 3.1.5.1.2: LMv2 is sent only to servers without a timestamp. */
	if (!blob->has_timestamp) {
		hmac(key, challenge->number, SMB2_NTLM_CHALLENGE_BYTES, blob->bytes + 16,
		     SMB2_NTLM_CHALLENGE_BYTES, NULL, 0, lm);
		memcpy(lm + 16, blob->bytes + 16, SMB2_NTLM_CHALLENGE_BYTES);
	}
	put_field(message, end, 12, lm, sizeof(lm));
	put_field(message, end, 20, response, SMB2_NTLM_KEY_BYTES + blob->size);
	explicit_bzero(key, sizeof(key));
	return 0;
}

/* Put the names, the key and the flags after the responses. */
static int put_rest(uint8_t *message, size_t *end, const struct smb2_identity *identity,
		    const struct smb2_ntlm_nonces *nonces, uint32_t flags, const uint8_t *base_key,
		    uint8_t *key)
{
	uint8_t sealed[SMB2_NTLM_KEY_BYTES];
	bool exchange = (flags & KEY_EXCHANGE) != 0;
	int rc = put_text_field(message, end, 28, identity->anonymous ? "" : identity->domain);

	if (rc == 0)
		rc = put_text_field(message, end, 36, identity->anonymous ? "" : identity->user);
	if (rc < 0)
		return rc;
	put_field(message, end, 44, NULL, 0);
	memcpy(key, exchange ? nonces->session_key : base_key, SMB2_NTLM_KEY_BYTES);
	smb2_ntlm_exchange_key(base_key, key, sealed);
	put_field(message, end, 52, sealed, exchange ? sizeof(sealed) : 0);
	put_le32(message + FLAGS_AT, flags | (identity->anonymous ? ANONYMOUS : 0));
	memcpy(message + VERSION_AT, version, sizeof(version));
	return 0;
}

int smb2_ntlm_authenticate(const struct smb2_identity *identity,
			   const struct smb2_ntlm_nonces *nonces, const uint8_t *challenge,
			   size_t challenge_bytes, uint8_t *message, size_t *bytes,
			   uint8_t key[SMB2_NTLM_KEY_BYTES])
{
	uint8_t base_key[SMB2_NTLM_KEY_BYTES] = {0};
	uint8_t negotiate[SMB2_NTLM_NEGOTIATE_BYTES], mic[MIC_BYTES];
	struct challenge read;
	struct blob blob;
	int rc = read_challenge(challenge, challenge_bytes, &read);

	if (rc == 0)
		rc = make_blob(&blob, nonces, &read);
	if (rc < 0)
		return rc;
	memset(message, 0, AUTHENTICATE_FIXED);
	memcpy(message, signature, sizeof(signature));
	put_le32(message + 8, 3);
	*bytes = AUTHENTICATE_FIXED;
	if (identity->anonymous) { /* 3.2.5.1.2 */
		put_field(message, bytes, 12, "", 1);
		put_field(message, bytes, 20, NULL, 0);
	} else {
		rc = put_responses(message, bytes, identity, &read, &blob, base_key);
	}
	if (rc == 0)
		rc = put_rest(message, bytes, identity, nonces, read.flags, base_key, key);
	explicit_bzero(base_key, sizeof(base_key));
	if (rc < 0)
		return rc;
	if (!identity->anonymous && blob.has_timestamp) {
		smb2_ntlm_negotiate(negotiate);
		hmac(key, negotiate, sizeof(negotiate), challenge, challenge_bytes, message, *bytes,
		     mic);
		memcpy(message + MIC_AT, mic, sizeof(mic));
	}
	return 0;
}
