/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2.h"

#include "base/bytes.h"
#include "base/random.h"
#include "smb2client/ntlm.h"
#include "smb2client/text.h"

#include <errno.h>
#include <nettle/hmac.h>

/* The example of MS-NLMP 4.2: its user, and the numbers of 4.2.1. */
static struct smb2_identity the_user(void)
{
	struct smb2_identity user = {.domain = "Domain", .user = "User"};

	assert_int_equal(smb2_ntlm_hash("Password", user.hash), 0);
	return user;
}

static struct smb2_ntlm_nonces the_nonces(void)
{
	struct smb2_ntlm_nonces nonces = {.time = 0};

	memset(nonces.client_challenge, 0xaa, sizeof(nonces.client_challenge));
	memset(nonces.session_key, 0x55, sizeof(nonces.session_key));
	return nonces;
}

/* MS-NLMP 4.2.2.1.2 and 4.2.4.1.1. */
static void hashes_are_those_of_ms_nlmp(void **state)
{
	struct smb2_identity user = the_user();
	uint8_t key[SMB2_NTLM_KEY_BYTES];

	expect_hex(user.hash, "a4f49c406510bdcab6824ee7c30fd852");
	assert_int_equal(smb2_ntlm_user_key(&user, key), 0);
	expect_hex(key, "0c868a403bfd7a93a3001ef22ef02e3f");
}

/* MS-NLMP 4.2.4.1.2 to 4.2.4.2.3. */
static void proofs_are_those_of_ms_nlmp(void **state)
{
	static const char blob[] =
		"0101000000000000"
		"0000000000000000"
		"aaaaaaaaaaaaaaaa00000000"
		"02000c0044006f006d00610069006e0001000c00530065007200760065007200"
		"00000000"
		"00000000";
	struct smb2_identity user = the_user();
	struct smb2_ntlm_nonces nonces = the_nonces();
	uint8_t key[SMB2_NTLM_KEY_BYTES], proof[SMB2_NTLM_KEY_BYTES];
	uint8_t base[SMB2_NTLM_KEY_BYTES], sealed[SMB2_NTLM_KEY_BYTES];
	uint8_t server[8], bytes[128];
	size_t size;

	unhex("0123456789abcdef", server, sizeof(server));
	size = unhex(blob, bytes, sizeof(bytes));
	assert_int_equal(smb2_ntlm_user_key(&user, key), 0);
	smb2_ntlm_prove(key, server, bytes, size, proof, base);
	expect_hex(proof, "68cd0ab851e51c96aabc927bebef6a1c");
	expect_hex(base, "8de40ccadbc14a82f15cb0ad0de95ca3");
	smb2_ntlm_exchange_key(base, nonces.session_key, sealed);
	expect_hex(sealed, "c5dad2544fc9799094ce1ce90bc9d03e");
}

/* MS-NLMP 4.2.4.3: the server's CHALLENGE message, which has no timestamp. */
static const char challenge_of_ms_nlmp[] =
	"4e544c4d53535000020000000c000c003800000033828ae20123456789abcdef00000000000000002400240044"
	"000000060070170000000f53006500720076006500720002000c0044006f006d00610069006e0001000c005300"
	"6500720076006500720000000000";

/* The CHALLENGE message of a Windows server (see smb2client/crypt.c), which has a
 * timestamp. */
static const char challenge_of_windows[] =
	"4E544C4D53535000020000000C000C003800000015828AE20D1D8BA31179D00800000000000000005000500044"
	"0000000A0092270000000F53005500540033003100310002000C0053005500540033003100310001000C005300"
	"5500540033003100310004000C0053005500540033003100310003000C00530055005400330031003100070008"
	"00A1A1F5ADCBAED00100000000";

/* A field of an AUTHENTICATE message. */
static const uint8_t *field(const uint8_t *message, size_t size, size_t at, size_t *bytes)
{
	size_t offset = get_le32(message + at + 4);

	*bytes = get_le16(message + at);
	assert_int_equal(get_le16(message + at + 2), *bytes);
	assert_true(offset <= size && *bytes <= size - offset);
	return message + offset;
}

static size_t answer(const struct smb2_identity *user, const char *challenge, uint8_t *message,
		     uint8_t *key)
{
	struct smb2_ntlm_nonces nonces = the_nonces();
	uint8_t bytes[1024];
	size_t size = unhex(challenge, bytes, sizeof(bytes)), got = 0;

	assert_int_equal(smb2_ntlm_authenticate(user, &nonces, guarded(bytes, size), size, message,
						&got, key),
			 0);
	assert_true(got <= SMB2_NTLM_MAX_BYTES);
	return got;
}

/* The LMv2 response and the session key of MS-NLMP 4.2.4.2.1 and 4.2.1. */
static void an_old_server_gets_two_responses(void **state)
{
	struct smb2_identity user = the_user();
	uint8_t message[SMB2_NTLM_MAX_BYTES], key[SMB2_NTLM_KEY_BYTES];
	size_t size = answer(&user, challenge_of_ms_nlmp, message, key), bytes;
	const uint8_t *lm, *found;

	expect_hex(message, "4e544c4d53535000 03000000");
	lm = field(message, size, 12, &bytes);
	assert_int_equal(bytes, 24);
	expect_hex(lm, "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa");
	found = field(message, size, 28, &bytes);
	assert_int_equal(bytes, 12);
	expect_hex(found, "44006f006d00610069006e00");
	found = field(message, size, 36, &bytes);
	assert_int_equal(bytes, 8);
	expect_hex(found, "5500730065007200");
	expect_hex(key, "55555555555555555555555555555555");
	/* Without a timestamp, no integrity code. */
	expect_hex(message + 72, "00000000000000000000000000000000");
}

/* Check the response and the integrity code as a server does. */
static void a_new_server_gets_an_integrity_code(void **state)
{
	struct smb2_identity user = the_user();
	uint8_t message[SMB2_NTLM_MAX_BYTES], key[SMB2_NTLM_KEY_BYTES];
	uint8_t user_key[16], proof[16], base[16], sealed[16], mic[16], was[16];
	uint8_t challenge[512], negotiate[SMB2_NTLM_NEGOTIATE_BYTES];
	size_t size = answer(&user, challenge_of_windows, message, key);
	size_t bytes, challenge_bytes;
	struct hmac_md5_ctx hmac;
	const uint8_t *response, *found;

	challenge_bytes = unhex(challenge_of_windows, challenge, sizeof(challenge));
	found = field(message, size, 12, &bytes);
	assert_int_equal(bytes, 24);
	expect_hex(found, "000000000000000000000000000000000000000000000000");
	response = field(message, size, 20, &bytes);
	assert_int_equal(smb2_ntlm_user_key(&user, user_key), 0);
	smb2_ntlm_prove(user_key, challenge + 24, response + 16, bytes - 16, proof, base);
	assert_memory_equal(proof, response, 16);
	/* The server's time, and the flag for an integrity code. */
	expect_hex(response + 16 + 8, "A1A1F5ADCBAED001");
	assert_non_null(memmem(response, bytes, "\6\0\4\0\2\0\0\0", 8));
	found = field(message, size, 52, &bytes);
	assert_int_equal(bytes, 16);
	smb2_ntlm_exchange_key(base, found, sealed);
	assert_memory_equal(sealed, key, 16);
	smb2_ntlm_negotiate(negotiate);
	memcpy(was, message + 72, 16);
	memset(message + 72, 0, 16);
	hmac_md5_set_key(&hmac, 16, key);
	hmac_md5_update(&hmac, sizeof(negotiate), negotiate);
	hmac_md5_update(&hmac, challenge_bytes, challenge);
	hmac_md5_update(&hmac, size, message);
	hmac_md5_digest(&hmac, 16, mic);
	assert_memory_equal(mic, was, 16);
}

static void an_anonymous_login_has_no_response(void **state)
{
	struct smb2_identity nobody = {.anonymous = true, .domain = "X", .user = "Y"};
	uint8_t message[SMB2_NTLM_MAX_BYTES], key[SMB2_NTLM_KEY_BYTES];
	size_t size = answer(&nobody, challenge_of_windows, message, key);
	size_t bytes;

	assert_int_equal(*field(message, size, 12, &bytes), 0);
	assert_int_equal(bytes, 1);
	field(message, size, 20, &bytes);
	assert_int_equal(bytes, 0);
	field(message, size, 28, &bytes);
	assert_int_equal(bytes, 0);
	field(message, size, 36, &bytes);
	assert_int_equal(bytes, 0);
	assert_true((get_le32(message + 60) & 1 << 11) != 0);
}

/* Answer a challenge that may be invalid. */
static int try_answer(const uint8_t *challenge, size_t size)
{
	struct smb2_identity user = the_user();
	struct smb2_ntlm_nonces nonces = the_nonces();
	uint8_t message[SMB2_NTLM_MAX_BYTES], key[SMB2_NTLM_KEY_BYTES];
	size_t bytes;

	return smb2_ntlm_authenticate(&user, &nonces, guarded(challenge, size), size, message,
				      &bytes, key);
}

static void invalid_challenges_are_refused(void **state)
{
	uint8_t good[512], bytes[4096] = {0};
	size_t size = unhex(challenge_of_windows, good, sizeof(good)), i;
	struct random random;

	assert_int_equal(try_answer(good, size), 0);
	for (i = 0; i < size; i++)
		assert_int_equal(try_answer(good, i), -EPROTO);
	memcpy(bytes, good, size);
	bytes[8] = 1; /* no CHALLENGE message */
	assert_int_equal(try_answer(bytes, size), -EPROTO);
	memcpy(bytes, good, size);
	bytes[70] = 77; /* the first pair ends after the last one */
	assert_int_equal(try_answer(bytes, size), -EPROTO);
	/* The target information is too long, though it is there. */
	memcpy(bytes, good, size);
	put_le16(bytes + 40, 1025);
	assert_int_equal(try_answer(bytes, sizeof(bytes)), -EPROTO);
	put_le16(bytes + 40, 1024);
	assert_int_equal(try_answer(bytes, sizeof(bytes)), 0);
	random_start(&random, 1, 0);
	for (i = 0; i < 20000; i++) {
		uint64_t number = random_next(&random);

		memcpy(bytes, good, size);
		bytes[number % size] = (uint8_t)(number >> 32);
		bytes[(number >> 16) % size] = (uint8_t)(number >> 40);
		try_answer(bytes, size);
	}
}

static void long_names_are_refused(void **state)
{
	char name[2000];
	struct smb2_identity user = {.domain = "", .user = name};
	uint8_t key[SMB2_NTLM_KEY_BYTES];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(smb2_ntlm_hash(name, user.hash), -ENAMETOOLONG);
	assert_int_equal(smb2_ntlm_user_key(&user, key), -ENAMETOOLONG);
	name[512] = '\0';
	assert_int_equal(smb2_ntlm_hash(name, user.hash), 0);
	assert_int_equal(smb2_ntlm_user_key(&user, key), 0);
	assert_int_equal(smb2_ntlm_hash("\xff", user.hash), -EILSEQ);
}

static void text_is_converted(void **state)
{
	static const char text[] = "a/\u00e9\u20ac\U0001f600";
	static const char utf16[] = "61002F00E900AC203DD800DE";
	uint8_t bytes[32];
	char back[32];

	assert_int_equal(smb2_put_text(bytes, sizeof(bytes), text), 12);
	expect_hex(bytes, utf16);
	assert_int_equal(smb2_put_path(bytes, sizeof(bytes), text), 12);
	expect_hex(bytes, "61005C00E900");
	assert_int_equal(smb2_put_upper(bytes, sizeof(bytes), "a\u00e9\u0436"), 6);
	expect_hex(bytes, "4100C9001604");
	/* Texts with and without characters that need a locale. */
	assert_int_equal(smb2_put_upper(bytes, sizeof(bytes), "`az{Z"), 10);
	expect_hex(bytes, "600041005A007B005A00");
	assert_int_equal(smb2_put_upper(bytes, sizeof(bytes), "`az{\u00e9"), 10);
	expect_hex(bytes, "600041005A007B00C900");
	assert_int_equal(smb2_put_text(bytes, 12, text), 12);
	assert_int_equal(smb2_put_text(bytes, 11, text), -ENAMETOOLONG);
	assert_int_equal(smb2_put_text(bytes, 9, text), -ENAMETOOLONG);
	assert_int_equal(smb2_put_text(bytes, 0, ""), 0);
	assert_int_equal(smb2_put_text(bytes, sizeof(bytes), "a\xc3"), -EILSEQ);

	unhex(utf16, bytes, sizeof(bytes));
	assert_int_equal(smb2_get_text(back, sizeof(back), guarded(bytes, 12), 12), strlen(text));
	assert_string_equal(back, text);
	assert_int_equal(smb2_get_text(back, 12, bytes, 12), strlen(text));
	assert_int_equal(smb2_get_text(back, 11, bytes, 12), -ENAMETOOLONG);
	assert_int_equal(smb2_get_text(back, 0, bytes, 0), -ENAMETOOLONG);
	/* Half a unit, half a pair, and a NUL. */
	assert_int_equal(smb2_get_text(back, sizeof(back), guarded(bytes, 3), 3), -EILSEQ);
	assert_int_equal(smb2_get_text(back, sizeof(back), guarded(bytes, 10), 10), -EILSEQ);
	assert_int_equal(smb2_get_text(back, sizeof(back), bytes + 10, 2), -EILSEQ);
	unhex("3DD86100", bytes, sizeof(bytes));
	assert_int_equal(smb2_get_text(back, sizeof(back), bytes, 4), -EILSEQ);
	unhex("0000", bytes, sizeof(bytes));
	assert_int_equal(smb2_get_text(back, sizeof(back), bytes, 2), -EILSEQ);
}

static void a_hash_can_be_given_in_hexadecimal(void **state)
{
	uint8_t hash[SMB2_NTLM_KEY_BYTES], same[SMB2_NTLM_KEY_BYTES];

	assert_int_equal(smb2_ntlm_hash("Password", hash), 0);
	assert_int_equal(smb2_ntlm_read_hash("a4f49c406510BDCAB6824ee7c30fd852", same), 0);
	assert_memory_equal(hash, same, sizeof(hash));
	assert_int_equal(smb2_ntlm_read_hash("", same), -EINVAL);
	assert_int_equal(smb2_ntlm_read_hash("a4f49c406510bdcab6824ee7c30fd85", same), -EINVAL);
	assert_int_equal(smb2_ntlm_read_hash("a4f49c406510bdcab6824ee7c30fd8522", same), -EINVAL);
	assert_int_equal(smb2_ntlm_read_hash("a4f49c406510bdcab6824ee7c30fd85\x12", same), -EINVAL);
	assert_int_equal(smb2_ntlm_read_hash("-4f49c406510bdcab6824ee7c30fd852", same), -EINVAL);
}

int unit_smb2_ntlm(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hash_can_be_given_in_hexadecimal),
		cmocka_unit_test(hashes_are_those_of_ms_nlmp),
		cmocka_unit_test(proofs_are_those_of_ms_nlmp),
		cmocka_unit_test(an_old_server_gets_two_responses),
		cmocka_unit_test(a_new_server_gets_an_integrity_code),
		cmocka_unit_test(an_anonymous_login_has_no_response),
		cmocka_unit_test(invalid_challenges_are_refused),
		cmocka_unit_test(long_names_are_refused),
		cmocka_unit_test(text_is_converted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
