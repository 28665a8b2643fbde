/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/negotiate.h"

#include "base/bytes.h"

#include <errno.h>
#include <sys/random.h>

/* 2.2.3.1.1: the only hash that a server may choose, and its salt. */
enum { PREAUTH_SHA512 = 1, SALT_BYTES = 32 };

int smb2_attempt_call(struct smb2_attempt *attempt)
{
	int rc = smb2_call(attempt->session);

	if (rc < 0 && attempt->connection->lost == 0)
		attempt->session->status = attempt->session->exchange->replies[0].status;
	return rc;
}

void smb2_hash_request(struct smb2_attempt *attempt)
{
	const struct smb2_message *message = &attempt->session->exchange->message;

	smb2_preauth_add(attempt->preauth, message->bytes + SMB2_FRONT, message->end - SMB2_FRONT);
}

void smb2_hash_reply(struct smb2_attempt *attempt)
{
	const struct smb2_reply *reply = &attempt->session->exchange->replies[0];

	smb2_preauth_add(attempt->preauth, reply->bytes, reply->size);
}

int smb2_refuse(struct smb2_attempt *attempt, int rc, enum smb2_refusal refusal)
{
	attempt->session->refusal = refusal;
	return rc;
}

/* Choose the fields of the NEGOTIATE request. */
static int prepare(struct smb2_attempt *attempt)
{
	static const uint16_t known[] = {SMB2_02, SMB2_10, SMB3_00, SMB3_02, SMB3_11};
	const struct smb2_login *login = attempt->login;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i] >= login->min_dialect && known[i] <= login->max_dialect)
			attempt->dialects[attempt->dialect_count++] = known[i];
	attempt->security_mode = SMB2_SIGNING_ENABLED;
	if (login->sign == SMB_REQUIRE)
		attempt->security_mode |= SMB2_SIGNING_REQUIRED;
	if (login->max_dialect >= SMB2_10)
		attempt->capabilities |= SMB2_CAP_LEASING | SMB2_CAP_LARGE_MTU;
	if (login->max_dialect >= SMB3_00)
		attempt->capabilities |= SMB2_CAP_ENCRYPTION;
	/* 2.2.3: a client that only has 2.0.2 has no GUID. */
	if (login->max_dialect >= SMB2_10 &&
	    getrandom(attempt->guid, sizeof(attempt->guid), 0) != sizeof(attempt->guid))
		return -EIO;
	return attempt->dialect_count > 0 ? 0 : -EINVAL;
}

static bool offers(const struct smb2_attempt *attempt, uint16_t dialect)
{
	unsigned i;

	for (i = 0; i < attempt->dialect_count; i++)
		if (attempt->dialects[i] == dialect)
			return true;
	return false;
}

/* Check what the server has chosen. */
static int check_negotiated(struct smb2_attempt *attempt)
{
	struct smb2_connection *connection = attempt->connection;
	const struct smb2_negotiated *server = &attempt->server;
	const struct smb2_login *login = attempt->login;
	bool is_311 = server->dialect == SMB3_11;

	if (!offers(attempt, server->dialect))
		return smb2_broken(connection, "the server chose a dialect that was not offered");
	if (is_311 && server->hash != PREAUTH_SHA512)
		return smb2_broken(connection, "the server did not choose a hash");
	if (server->cipher > SMB2_AES256_GCM || server->signing > SMB2_AES_GMAC ||
	    (server->cipher != 0 && login->cipher >= 0 && server->cipher != login->cipher) ||
	    (server->has_signing && login->signing >= 0 && server->signing != login->signing))
		return smb2_broken(connection,
				   "the server chose an algorithm that was not offered");
	if (server->max_read < SMB2_PAYLOAD_PER_CREDIT ||
	    server->max_write < SMB2_PAYLOAD_PER_CREDIT ||
	    server->max_transact < SMB2_PAYLOAD_PER_CREDIT)
		return smb2_broken(connection, "the server's limits are invalid");
	return 0;
}

static uint32_t smaller(uint32_t one, uint32_t other)
{
	return one < other ? one : other;
}

/* Take over the results of the negotiation (3.2.5.2). */
static void use_negotiated(struct smb2_attempt *attempt)
{
	struct smb2_session *session = attempt->session;
	struct smb2_connection *connection = attempt->connection;
	const struct smb2_negotiated *server = &attempt->server;
	uint32_t limit = (server->capabilities & SMB2_CAP_LARGE_MTU) != 0 ? SMB2_PAYLOAD_MAX
									  : SMB2_PAYLOAD_PER_CREDIT;

	connection->stream.dialect = server->dialect;
	connection->max_read = smaller(server->max_read, limit);
	connection->max_write = smaller(server->max_write, limit);
	connection->max_transact = smaller(server->max_transact, limit);
	session->dialect = server->dialect;
	session->has_leases = (server->capabilities & SMB2_CAP_LEASING) != 0;
	session->signing = server->dialect < SMB3_00 ? SMB2_HMAC_SHA256 : SMB2_AES_CMAC;
	if (server->has_signing)
		session->signing = (enum smb2_signing)server->signing;
	session->cipher = SMB2_NO_CIPHER;
	if (server->dialect == SMB3_11)
		session->cipher = (enum smb2_cipher)server->cipher;
	else if (server->dialect >= SMB3_00 && (server->capabilities & SMB2_CAP_ENCRYPTION) != 0)
		session->cipher = SMB2_AES128_CCM;
}

/* Check that the only algorithms to offer are used. Before 3.1.1, there is
 * nothing to choose, and later, servers need not support the choice. */
static int check_algorithms(struct smb2_attempt *attempt)
{
	const struct smb2_session *session = attempt->session;
	const struct smb2_login *login = attempt->login;

	if (login->signing >= 0 && (int)session->signing != login->signing)
		return smb2_refuse(attempt, -EPROTONOSUPPORT, SMB2_OTHER_SIGNING);
	if (login->cipher >= 0 && (int)session->cipher != login->cipher)
		return smb2_refuse(attempt, -EPROTONOSUPPORT, SMB2_OTHER_CIPHER);
	return 0;
}

/* Append a negotiate context with a list of numbers, after a salt for the
 * hash. */
static void add_context(struct smb2_message *message, uint16_t type, const uint16_t *numbers,
			unsigned count, const uint8_t *salt)
{
	enum { HEADER = 8, NUMBERS_MAX = 4 };
	uint8_t bytes[HEADER + 4 + 2 * NUMBERS_MAX] = {0}, *at = bytes + HEADER;
	size_t salt_bytes = salt != NULL ? SALT_BYTES : 0;
	unsigned i;

	put_le16(at, (uint16_t)count);
	at += 2;
	if (salt != NULL) {
		put_le16(at, SALT_BYTES);
		at += 2;
	}
	for (i = 0; i < count; i++, at += 2)
		put_le16(at, numbers[i]);
	put_le16(bytes, type);
	put_le16(bytes + 2, (uint16_t)((size_t)(at - bytes) - HEADER + salt_bytes));
	smb2_message_align(message);
	smb2_message_add(message, bytes, (size_t)(at - bytes));
	smb2_message_add(message, salt, salt_bytes);
}

/* 2.2.3.1: append the contexts of a 3.1.1 client to a NEGOTIATE request with the
 * given body. They offer one cipher and one algorithm for signatures, or with -1
 * all of them in our order of preference. */
static void add_contexts(struct smb2_message *message, uint8_t *body, int cipher, int signing,
			 const uint8_t salt[SALT_BYTES])
{
	enum { PREAUTH = 1, ENCRYPTION = 2, SIGNING = 8 };
	static const uint16_t hashes[] = {PREAUTH_SHA512};
	static const uint16_t ciphers[] = {SMB2_AES128_GCM, SMB2_AES128_CCM, SMB2_AES256_GCM,
					   SMB2_AES256_CCM};
	static const uint16_t signings[] = {SMB2_AES_GMAC, SMB2_AES_CMAC, SMB2_HMAC_SHA256};
	uint16_t one_cipher = (uint16_t)cipher;
	uint16_t one_signing = (uint16_t)signing;

	smb2_message_align(message);
	put_le32(body + 28, (uint32_t)(message->end - SMB2_FRONT));
	put_le16(body + 32, 3);
	add_context(message, PREAUTH, hashes, 1, salt);
	add_context(message, ENCRYPTION, cipher < 0 ? ciphers : &one_cipher, cipher < 0 ? 4 : 1,
		    NULL);
	add_context(message, SIGNING, signing < 0 ? signings : &one_signing, signing < 0 ? 3 : 1,
		    NULL);
}

/* 2.2.3 */
int smb2_negotiate(struct smb2_attempt *attempt)
{
	struct smb2_exchange *exchange = attempt->session->exchange;
	uint8_t salt[SALT_BYTES], *body, number[2];
	unsigned i;
	int rc = prepare(attempt);

	if (rc < 0)
		return rc;
	if (getrandom(salt, sizeof(salt), 0) != sizeof(salt))
		return -EIO;
	smb2_connection_begin(exchange);
	body = smb2_request(exchange, SMB2_NEGOTIATE, 1, 36);
	if (body == NULL)
		return smb2_connection_exchange(exchange, NULL, 0);
	put_le16(body, 36);
	put_le16(body + 2, (uint16_t)attempt->dialect_count);
	put_le16(body + 4, attempt->security_mode);
	put_le32(body + 8, attempt->capabilities);
	memcpy(body + 12, attempt->guid, SMB2_GUID_BYTES);
	for (i = 0; i < attempt->dialect_count; i++) {
		put_le16(number, attempt->dialects[i]);
		smb2_message_add(&exchange->message, number, sizeof(number));
	}
	if (offers(attempt, SMB3_11))
		add_contexts(&exchange->message, body, attempt->login->cipher,
			     attempt->login->signing, salt);
	rc = smb2_attempt_call(attempt);
	if (rc < 0)
		return rc;
	if (smb2_parse_negotiate(&exchange->replies[0], &attempt->server) < 0)
		return smb2_invalid(attempt->connection, SMB2_NEGOTIATE);
	smb2_hash_request(attempt);
	smb2_hash_reply(attempt);
	rc = check_negotiated(attempt);
	if (rc < 0)
		return rc;
	use_negotiated(attempt);
	return check_algorithms(attempt);
}

/* Compare the reply to VALIDATE_NEGOTIATE_INFO (2.2.32.6) with that to
 * NEGOTIATE, which was not protected. */
static int compare_negotiated(struct smb2_attempt *attempt)
{
	struct smb2_connection *connection = attempt->connection;
	const struct smb2_negotiated *server = &attempt->server;
	struct smb2_data output;

	if (smb2_parse_ioctl(&attempt->session->exchange->replies[0], &output) == 0 &&
	    output.size == 24 && get_le32(output.bytes) == server->capabilities &&
	    memcmp(output.bytes + 4, server->server_guid, SMB2_GUID_BYTES) == 0 &&
	    get_le16(output.bytes + 20) == server->security_mode &&
	    get_le16(output.bytes + 22) == server->dialect)
		return 0;
	return smb2_broken(connection, "the negotiation has been altered");
}

int smb2_validate_negotiation(struct smb2_attempt *attempt)
{
	struct smb2_connection *connection = attempt->connection;
	bool sign = connection->sign;
	uint8_t input[24 + sizeof(attempt->dialects)] = {0};
	size_t bytes = 24 + 2 * (size_t)attempt->dialect_count;
	unsigned i;
	int rc;

	if (attempt->server.dialect == SMB3_11 || attempt->login->max_dialect < SMB3_00 ||
	    !connection->crypt.has_keys)
		return 0;
	put_le32(input, attempt->capabilities);
	memcpy(input + 4, attempt->guid, SMB2_GUID_BYTES);
	put_le16(input + 20, attempt->security_mode);
	put_le16(input + 22, (uint16_t)attempt->dialect_count);
	for (i = 0; i < attempt->dialect_count; i++)
		put_le16(input + 24 + 2 * i, attempt->dialects[i]);
	smb2_connection_begin(attempt->session->exchange);
	smb2_put_control(attempt->session, smb2_created_id, SMB2_VALIDATE_NEGOTIATE_INFO, input,
			 bytes, 24);
	connection->sign = !connection->seal;
	rc = smb2_call(attempt->session);
	connection->sign = sign;
	if (connection->lost != 0)
		return connection->lost;
	return rc == 0 ? compare_negotiated(attempt) : 0;
}
