/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2.h"

#include "base/bytes.h"
#include "smb2client/crypt.h"
#include "smb2client/wire.h"

#include <errno.h>

/*
 * The messages of a login to a Windows server, and the keys and the signature
 * that follow from them: Microsoft's Open Specifications blog, "SMB 2 and SMB 3
 * security in Windows 10: the anatomy of signing and cryptographic keys",
 * appendix. The last reply has its signature.
 */
static const char *const login[] = {
	"FE534D4240000100000000000000800000000000000000000100000000000000FFFE0000000000000000000000"
	"0000000000000000000000000000000000000024000500000000003F000000ECD86F326276024F9F7752B89BB3"
	"3F3A70000000020000000202100200030203110300000100260000000000010020000100FA49E6578F1F3A9F4C"
	"D3E9CC14A67AA884B3D05844E0E5A118225C15887F32FF00000200060000000000020002000100",
	"FE534D4240000100000000000000010001000000000000000100000000000000FFFE0000000000000000000000"
	"00000000000000000000000000000000000000410001001103020039CBCAF329714942BDCE5D60F09AB3FB2F00"
	"0000000080000000800000008000D8DAE5ADCBAED00109094AB095AED00180004001C00100006082013C06062B"
	"0601050502A08201303082012CA01A3018060A2B06010401823702021E060A2B06010401823702020AA282010C"
	"048201084E45474F45585453010000000000000060000000700000007C7CC0FD06D6362D02DDE1CF343BFE2929"
	"00F49750B4AA97934D9C4296B26E51FD370471B235E15A50DAE15BD5489C870000000000000000600000000100"
	"000000000000000000005C33530DEAF90D4DB2EC4AE3786EC3084E45474F455854530300000001000000400000"
	"00980000007C7CC0FD06D6362D02DDE1CF343BFE295C33530DEAF90D4DB2EC4AE3786EC3084000000058000000"
	"3056A05430523027802530233121301F06035504031318546F6B656E205369676E696E67205075626C6963204B"
	"65793027802530233121301F06035504031318546F6B656E205369676E696E67205075626C6963204B65790100"
	"26000000000001002000010060A3C3B95C3C7CCD51EC536648D9B3AC74C483CA5B65385A251117BEB30712E500"
	"00020004000000000001000200",
	"FE534D4240000100000000000100800000000000000000000200000000000000FFFE0000000000000000000000"
	"0000000000000000000000000000000000000019000001010000000000000058004A0000000000000000006048"
	"06062B0601050502A03E303CA00E300C060A2B06010401823702020AA22A04284E544C4D535350000100000097"
	"8208E200000000000000000000000000000000060380250000000F",
	"FE534D4240000100160000C00100010001000000000000000200000000000000FFFE0000000000001900000000"
	"10000000000000000000000000000000000000090000004800B300A181B03081ADA0030A0101A10C060A2B0601"
	"0401823702020AA281970481944E544C4D53535000020000000C000C003800000015828AE20D1D8BA31179D008"
	"000000000000000050005000440000000A0092270000000F53005500540033003100310002000C005300550054"
	"0033003100310001000C0053005500540033003100310004000C0053005500540033003100310003000C005300"
	"5500540033003100310007000800A1A1F5ADCBAED00100000000",
	"FE534D4240000100000000000100800000000000000000000300000000000000FFFE0000000000001900000000"
	"100000000000000000000000000000000000001900000101000000000000005800CF010000000000000000A182"
	"01CB308201C7A0030A0101A28201AA048201A64E544C4D53535000030000001800180090000000EE00EE00A800"
	"00000C000C00580000001A001A0064000000120012007E0000001000100096010000158288E206038025000000"
	"0FECAC77A5F385A8BF9C38C706EEEDDCD3530055005400330031003100610064006D0069006E00690073007400"
	"7200610074006F0072004400520049005600450052003300310031000000000000000000000000000000000000"
	"0000000000000063078EB639FE03E20A231C3AE3BF23080101000000000000A1A1F5ADCBAED001BC4AD05F223C"
	"C90F0000000002000C0053005500540033003100310001000C0053005500540033003100310004000C00530055"
	"00540033003100310003000C0053005500540033003100310007000800A1A1F5ADCBAED0010600040002000000"
	"0800300030000000000000000000000000300000B61FEFCAA857EA57BF1EDCEBF8974B8E0EBA5A6DFD9D07A31D"
	"11B548F8C9D0CC0A001000000000000000000000000000000000000900160063006900660073002F0053005500"
	"54003300310031000000000000000000000000003B9BDFF38F5EE8F9663F11A0F4C03A78A31204100100000063"
	"775A9A5FD97F0600000000",
};
static const char login_end[] =
	"FE534D4240000100000000000100800009000000000000000300000000000000FFFE0000000000001900000000"
	"100000EBE146DA120BA25FC3376A49DFE31BC10900000048001D00A11B3019A0030A0100A3120410010000003B"
	"453CDC3524164200000000";
static const char login_hash[] = "0DD13628CC3ED218EF9DF9772D436D0887AB9814BFAE63A80AA845F36909DB792"
				 "8622DDDAD522D9751640A459762C5A9D6BB084CBB3CE6BDADEF5D5BCE3C6C01";
static const char login_key[] = "270E1BA896585EEB7AF3472D3B4C75A7";

/* Derive keys from hexadecimal texts. */
static void derive(uint16_t dialect, enum smb2_cipher cipher, const char *key, const char *hash,
		   struct smb2_keys *keys)
{
	uint8_t key_bytes[64], hash_bytes[SMB2_PREAUTH_BYTES] = {0};
	size_t size = unhex(key, key_bytes, sizeof(key_bytes));

	if (hash != NULL)
		unhex(hash, hash_bytes, sizeof(hash_bytes));
	smb2_derive_keys(dialect, cipher, key_bytes, size, hash_bytes, keys);
}

static void the_hash_is_that_of_the_blog(void **state)
{
	static const char *const hashes[] = {
		"DD94EFC5321BB618A2E208BA8920D2F422992526947A409B5037DE1E0FE8C7362B8C47122594CDE0CE"
		"26AA9DFC8BCDBDE0621957672623351A7540F1E54A0426",
		"324BFA92A4F3A190E466EBEA08D9C110DC88BFED758D9846ECC6F541CC1D02AE3C94A79F36011E997E"
		"13F841B91B50957AD07B19C8E2539C0B23FDAE09D2C513",
		"AC0B0F2B9986257700365E416D142A6EDC96DF03594A19E52A15F6BD0D041CD5D432F8ED42C55E3319"
		"7A50C9EC00F1462B50C592211B1471A04B56088FDFD5F9",
		"2729E3440DFDDD839E37193F6E8F20C20CEFB3469E453A70CD980EEC06B8835740A73760085633364C"
		"8989895ECE81BF102DEEB14D4B7D48AFA76901A7A38387",
		login_hash,
	};
	uint8_t hash[SMB2_PREAUTH_BYTES] = {0}, message[1024];
	size_t i;

	for (i = 0; i < LENGTH(hashes); i++) {
		size_t size = unhex(login[i], message, sizeof(message));

		smb2_preauth_add(hash, message, size);
		expect_hex(hash, hashes[i]);
	}
}

static void keys_are_those_of_the_blog(void **state)
{
	struct smb2_keys keys;

	derive(SMB3_00, SMB2_AES128_CCM, "7CD451825D0450D235424E44BA6E78CC", NULL, &keys);
	expect_hex(keys.signing, "0B7E9C5CAC36C0F6EA9AB275298CEDCE");
	expect_hex(keys.seal, "FAD27796665B313EBB578F388632B4F7");
	expect_hex(keys.unseal, "B0F0427F7CEB416D1D9DCC0CD4F99447");
	derive(SMB3_11, SMB2_AES128_GCM, login_key, login_hash, &keys);
	expect_hex(keys.signing, "73FE7A9A77BEF0BDE49C650D8CCB5F76");
	expect_hex(keys.seal, "629BCBC54422A0F572B97F45989B6073");
	expect_hex(keys.unseal, "E2AF0DCEFAC68DA71A0DFBD0D1350D74");
}

/* The keys of 256 bits were computed with Python's hmac and hashlib. */
static void keys_of_256_bits_come_from_the_whole_key(void **state)
{
	struct smb2_keys keys, longer;

	derive(SMB3_11, SMB2_AES256_GCM, login_key, login_hash, &keys);
	expect_hex(keys.signing, "73FE7A9A77BEF0BDE49C650D8CCB5F76");
	expect_hex(keys.seal, "049c27fd8a340262e32c643dea2ba507af7a4c085fd2505aeffcbdeae6d6d8ab");
	expect_hex(keys.unseal, "35952fed051bf2471af5f7acc63674b887a54b47af46959f7caff1ce537d7419");
	/* Kerberos gives longer keys. Only the first 16 bytes are used for the
	 * other keys. */
	derive(SMB3_11, SMB2_AES256_GCM, "270E1BA896585EEB7AF3472D3B4C75A7FF", login_hash, &longer);
	assert_memory_equal(longer.signing, keys.signing, SMB2_KEY_BYTES);
	expect_hex(longer.seal, "b68b25e3ddd02ba4b9d745b26f212bc3ea9b94b5f4df23955658b4dab341e1dd");
	derive(SMB3_11, SMB2_AES128_GCM, "270E1BA896585EEB7AF3472D3B4C75A7FF", login_hash, &longer);
	expect_hex(longer.seal, "629BCBC54422A0F572B97F45989B6073");
}

static void smb2_signs_with_the_session_key(void **state)
{
	struct smb2_keys keys;

	derive(SMB2_10, SMB2_NO_CIPHER, login_key, NULL, &keys);
	expect_hex(keys.signing, login_key);
	derive(SMB2_02, SMB2_NO_CIPHER, "0102030405", NULL, &keys);
	expect_hex(keys.signing, "01020304050000000000000000000000");
}

static void start(struct smb2_crypt *crypt, enum smb2_signing signing, enum smb2_cipher cipher,
		  const struct smb2_keys *keys)
{
	assert_int_equal(smb2_crypt_start(crypt, signing, cipher, keys), 0);
}

static void a_signature_of_windows_is_right(void **state)
{
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	uint8_t message[256];
	size_t size, i;

	derive(SMB3_11, SMB2_NO_CIPHER, login_key, login_hash, &keys);
	start(&crypt, SMB2_AES_CMAC, SMB2_NO_CIPHER, &keys);
	size = unhex(login_end, message, sizeof(message));
	assert_int_equal(smb2_check_signature(&crypt, message, size, NULL, 0), 0);
	/* The signature has been overwritten. */
	assert_int_equal(smb2_check_signature(&crypt, message, size, NULL, 0), -EBADMSG);
	for (i = 0; i < size; i++) {
		unhex(login_end, message, sizeof(message));
		message[i] ^= 0x10;
		assert_int_equal(smb2_check_signature(&crypt, message, size, NULL, 0), -EBADMSG);
	}
	assert_int_equal(smb2_check_signature(&crypt, guarded(message, 63), 63, NULL, 0), -EBADMSG);
	smb2_crypt_end(&crypt);
}

/* Make a message of 68 bytes without a signature. */
static void make_message(uint8_t *message, enum smb2_command command, uint32_t flags)
{
	memset(message, 0, SMB2_HEADER_BYTES + 4);
	memcpy(message, "\xfeSMB", 4);
	put_le16(message + 4, SMB2_HEADER_BYTES);
	put_le16(message + 12, (uint16_t)command);
	put_le32(message + 16, flags);
	put_le64(message + 24, 0x1122334455667788);
	message[SMB2_HEADER_BYTES] = 4;
}

/* The expected signatures were computed with Python's hmac and with the
 * package cryptography, whose AES-GCM is that of OpenSSL. */
static void signatures_are_right(void **state)
{
	static const struct row {
		enum smb2_signing signing;
		enum smb2_command command;
		uint32_t flags;
		const char *signature;
	} rows[] = {
		{SMB2_HMAC_SHA256, SMB2_ECHO, SMB2_SIGNED, "a0bd5d4efb81ac4ba681d64d7a6bb666"},
		{SMB2_AES_GMAC, SMB2_ECHO, SMB2_SIGNED, "34d7285061e2735cd0f36a7e3e865a33"},
		{SMB2_AES_GMAC, SMB2_ECHO, SMB2_SIGNED | SMB2_FROM_SERVER,
		 "2a02ff1f33520e9ce164b73fc11d369e"},
		{SMB2_AES_GMAC, SMB2_CANCEL, SMB2_SIGNED | SMB2_ASYNC,
		 "d3a3cf0e7e4d4b900c50f945abd35eec"},
	};
	uint8_t message[68], signature[SMB2_SIGNATURE_BYTES];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	size_t i;

	derive(SMB2_10, SMB2_NO_CIPHER, "000102030405060708090A0B0C0D0E0F", NULL, &keys);
	for (i = 0; i < LENGTH(rows); i++) {
		start(&crypt, rows[i].signing, SMB2_NO_CIPHER, &keys);
		make_message(message, rows[i].command, rows[i].flags);
		assert_int_equal(smb2_sign(&crypt, message, 68, NULL, 0, signature), 0);
		expect_hex(signature, rows[i].signature);
		memcpy(message + 48, signature, sizeof(signature));
		assert_int_equal(smb2_check_signature(&crypt, message, 68, NULL, 0), 0);
		/* In two parts, each of which counts. */
		memcpy(message + 48, signature, sizeof(signature));
		assert_int_equal(smb2_check_signature(&crypt, message, 65, message + 65, 3), 0);
		memcpy(message + 48, signature, sizeof(signature));
		message[67] ^= 1;
		assert_int_equal(smb2_check_signature(&crypt, message, 65, message + 65, 3),
				 -EBADMSG);
		smb2_crypt_end(&crypt);
	}
}

/* The examples 2 to 4 of RFC 4493. */
static void cmac_is_that_of_the_rfc(void **state)
{
	static const char message[] =
		"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5"
		"fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
	static const struct {
		size_t bytes;
		const char *signature;
	} rows[] = {
		{16, "070a16b46b4d4144f79bdd9dd04a287c"},
		{40, "dfa66747de9ae63030ca32611497c827"},
		{64, "51f0bebf7e3b9d92fc49741779363cfe"},
	};
	uint8_t bytes[64], signature[SMB2_SIGNATURE_BYTES];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	size_t i;

	unhex(message, bytes, sizeof(bytes));
	derive(SMB2_10, SMB2_NO_CIPHER, "2b7e151628aed2a6abf7158809cf4f3c", NULL, &keys);
	start(&crypt, SMB2_AES_CMAC, SMB2_NO_CIPHER, &keys);
	for (i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(smb2_sign(&crypt, bytes, rows[i].bytes, NULL, 0, signature), 0);
		expect_hex(signature, rows[i].signature);
	}
	smb2_crypt_end(&crypt);
}

/* Long messages go through the cipher in several pieces. */
static void cmac_is_that_of_nettle(void **state)
{
	uint8_t message[4200], signature[SMB2_SIGNATURE_BYTES];
	uint8_t expected[SMB2_SIGNATURE_BYTES];
	struct cmac_aes128_ctx context;
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	size_t i;

	for (i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)(i * 7);
	derive(SMB3_11, SMB2_NO_CIPHER, login_key, login_hash, &keys);
	cmac_aes128_set_key(&context, keys.signing);
	start(&crypt, SMB2_AES_CMAC, SMB2_NO_CIPHER, &keys);
	for (i = 112; i <= sizeof(message); i++) {
		cmac_aes128_update(&context, i, message);
		cmac_aes128_digest(&context, sizeof(expected), expected);
		assert_int_equal(smb2_sign(&crypt, message, 112, message + 112, i - 112, signature),
				 0);
		assert_memory_equal(signature, expected, sizeof(expected));
	}
	smb2_crypt_end(&crypt);
}

static void a_message_in_two_pieces_has_the_same_signature(void **state)
{
	uint8_t whole[SMB2_SIGNATURE_BYTES], pieces[SMB2_SIGNATURE_BYTES];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	uint8_t message[1000];
	size_t i, cut;

	for (i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)(i * 7);
	derive(SMB3_11, SMB2_NO_CIPHER, login_key, login_hash, &keys);
	for (i = SMB2_HMAC_SHA256; i <= SMB2_AES_GMAC; i++) {
		start(&crypt, (enum smb2_signing)i, SMB2_NO_CIPHER, &keys);
		assert_int_equal(smb2_sign(&crypt, message, sizeof(message), NULL, 0, whole), 0);
		for (cut = 112; cut <= 133; cut++) {
			assert_int_equal(smb2_sign(&crypt, message, cut, message + cut,
						   sizeof(message) - cut, pieces),
					 0);
			assert_memory_equal(pieces, whole, sizeof(whole));
		}
		smb2_crypt_end(&crypt);
	}
}

/*
 * Sealed messages of Windows, from the same blog: "Encryption in SMB 3.0: a
 * protocol perspective" (CCM) and "SMB 3.1.1 encryption in Windows 10" (GCM).
 * Requests are unsealed with the key that seals them.
 */
static const struct sealed {
	uint16_t dialect;
	enum smb2_cipher cipher;
	bool request;
	uint64_t session_id;
	const char *key, *hash;
	const char *sealed, *plain;
} sealed[] = {
	{SMB3_00, SMB2_AES128_CCM, true, 0x8e40014000011, "B4546771B515F766A86735532DD6C4F0", NULL,
	 "FD534D4281A286535415445DAE393921E44FA42E66E69A111892584FB5ED524A744DA3EE87000000000001001"
	 "100001400E4080025C8FEE16605A437832D1CD52DA9F4645333482A175FE5384563F45FCDAFAEF38BC62BA4D5"
	 "C62897996625A44C29BE5658DE2E6117585779E7B59FFD971278D08580D7FA899E410E910EABF5AA1DB43050B"
	 "33B49182637759AC15D84BFCDF5B6B238993C0F4CF4D6012023F6C627297075D84B7803912D0A963963445359"
	 "5EF3E33FFE4E7AC2AB",
	 "FE534D4240000100000000000900400008000000000000000400000000000000FFFE000001000000110000140"
	 "0E408000000000000000000000000000000000031007000170000000000000000000000150100003900000201"
	 "0000003902000000000000000000007000000000000000536D623320656E6372797074696F6E2074657374696"
	 "E67"},
	{SMB3_00, SMB2_AES128_CCM, false, 0x8e40014000011, "B4546771B515F766A86735532DD6C4F0", NULL,
	 "FD534D42A6015530A18F6D9AFFE22AFAE8E6648486000000000000001100001400E4080050000000000001001"
	 "100001400E40800DBF46435C5F14169293CE079E344479BF670227E49873F458672C3098DAC467DD5809F369D"
	 "674091665157871483E01F7BECD02064EAC3E235F913668BBC2F097980D4B378F1993EFF6E60D177309E5B",
	 "FE534D4240000100000000000900210009000000000000000400000000000000FFFE000001000000110000140"
	 "0E408000000000000000000000000000000000011000000170000000000000000000000"},
	{SMB3_11, SMB2_AES128_GCM, true, 0x100000000025, "419FDDF34C1E001909D362AE7FB6AF79",
	 "B23F3CBFD69487D9832B79B1594A367CDD950909B774C3A4C412B4FCEA9EDDDBA7DB256BA2EA30E977F11F9B1"
	 "13247578E0E915C6D2A513B8F2FCA5707DC8770",
	 "FD534D42BD73D97D2BC9001BCAFAC0FDFF5FEEBCC7D6822D269CAF48904C664C0000000087000000000001002"
	 "5000000001000006ECDD2A7AFC7B47763057A041B8FD4DAFFE990B70C9E09D36C084E02D14EF247F8BDE38ACF"
	 "6256F8B1D3B56F77FBDEB312FEA5E92CBCC1ED8FB2EBBFAA75E49A4A394BB44576545567C24D4C014D47C9FBD"
	 "FDAFD2C4F9B72F8D256452620A299F48E29E53D6B61D1C13A19E91AF013F00D17E3ABC2FC3D36C8C1B6B93973"
	 "253852DBD442E46EE8",
	 "FE534D4240000100000000000900010008000000000000000500000000000000FFFE000001000000250000000"
	 "01000000000000000000000000000000000000031007000170000000000000000000000060000000400000001"
	 "0000000400000000000000000000007000000000000000536D623320656E6372797074696F6E2074657374696"
	 "E67"},
	{SMB3_11, SMB2_AES128_GCM, false, 0x100000000025, "419FDDF34C1E001909D362AE7FB6AF79",
	 "B23F3CBFD69487D9832B79B1594A367CDD950909B774C3A4C412B4FCEA9EDDDBA7DB256BA2EA30E977F11F9B1"
	 "13247578E0E915C6D2A513B8F2FCA5707DC8770",
	 "FD534D42ACBE1CB7ED343ADF1725EF144D90D4B0E06831DD2E8EB7B4000000000000000050000000000001002"
	 "50000000010000026BBBF949983A6C1C796559D0F2C510CB651D1F7B6AC8DED32A2A0B8F2D793A815C6F6B848"
	 "D69767A215841A42D400AE6DDB5F0B44173A014973321FDD7950DA6179159B82E03C9E18A050FF0EA1C967",
	 "FE534D4240000100000000000900010001000000000000000500000000000000FFFE000001000000250000000"
	 "01000000000000000000000000000000000000011000000170000000000000000000000"},
};

static void sealed_messages_of_windows_are_unsealed(void **state)
{
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	uint8_t message[512];
	size_t i, size;

	for (i = 0; i < LENGTH(sealed); i++) {
		derive(sealed[i].dialect, sealed[i].cipher, sealed[i].key, sealed[i].hash, &keys);
		if (sealed[i].request)
			memcpy(keys.unseal, keys.seal, sizeof(keys.seal));
		start(&crypt, SMB2_AES_CMAC, sealed[i].cipher, &keys);
		size = unhex(sealed[i].sealed, message, sizeof(message));
		assert_int_equal(smb2_unseal(&crypt, message, size, NULL, 0, sealed[i].session_id),
				 0);
		expect_hex(message + SMB2_TRANSFORM_BYTES, sealed[i].plain);
		smb2_crypt_end(&crypt);
	}
}

static void altered_messages_are_not_unsealed(void **state)
{
	const struct sealed *sample = &sealed[3];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	uint8_t message[512];
	size_t i, size;

	derive(sample->dialect, sample->cipher, sample->key, sample->hash, &keys);
	start(&crypt, SMB2_AES_CMAC, sample->cipher, &keys);
	size = unhex(sample->sealed, message, sizeof(message));
	for (i = 0; i < size; i++) {
		int rc;

		unhex(sample->sealed, message, sizeof(message));
		message[i] ^= 1;
		rc = smb2_unseal(&crypt, message, size, NULL, 0, sample->session_id);
		assert_true(rc == -EBADMSG || rc == -EPROTO);
		/* The same in two parts. */
		unhex(sample->sealed, message, sizeof(message));
		message[i] ^= 1;
		rc = smb2_unseal(&crypt, message, size - 1, message + size - 1, 1,
				 sample->session_id);
		assert_true(rc == -EBADMSG || rc == -EPROTO);
	}
	for (i = 0; i < size; i++) {
		unhex(sample->sealed, message, sizeof(message));
		assert_int_equal(
			smb2_unseal(&crypt, guarded(message, i), i, NULL, 0, sample->session_id),
			-EPROTO);
	}
	unhex(sample->sealed, message, sizeof(message));
	assert_int_equal(smb2_unseal(&crypt, message, size, NULL, 0, 1), -EPROTO);
	smb2_crypt_end(&crypt);
	/* Without keys for it, a sealed message is refused. */
	start(&crypt, SMB2_AES_CMAC, SMB2_NO_CIPHER, &keys);
	assert_int_equal(smb2_unseal(&crypt, message, size, NULL, 0, sample->session_id), -EPROTO);
	smb2_crypt_end(&crypt);
}

/* The expected messages were computed with Python's package cryptography. They
 * have the first nonce. */
static void messages_are_sealed(void **state)
{
	static const char *const expected[] = {
		[SMB2_AES256_CCM] = "fd534d420d8f73d45347155c8ecaedea1d80062c0100000000000000000000"
				    "000000000044000000000001000900000000000000182aae3021fb1fd12a69"
				    "714491b995a1502c957c4a0a113424a1cc32f40774dc0f93bc21b1ddaa920b"
				    "070c81912e6a4c87370c97558f79112105d2b78da4d076f63f029e",
		[SMB2_AES256_GCM] = "fd534d42a6665ceb6418a95b7ee8ecebfa4f9b510100000000000000000000"
				    "000000000044000000000001000900000000000000e7c5ad7d0a5f84d0c7fe"
				    "bed0cad1a4d8a4b9391caa970452de222fc8a5ca87dd7e41f9ad6523e195ed"
				    "d8896c9a5e3cd3227aed79e19c623cc9a740fff28986e12dd27e76",
	};
	enum { SIZE = SMB2_TRANSFORM_BYTES + SMB2_HEADER_BYTES + 4 };
	uint8_t message[SIZE + SMB2_TAG_BYTES], first[SIZE];
	uint8_t plain[SIZE - SMB2_TRANSFORM_BYTES];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	size_t i;

	make_message(plain, SMB2_ECHO, SMB2_SIGNED);
	for (i = SMB2_AES128_CCM; i <= SMB2_AES256_GCM; i++) {
		derive(SMB3_11, (enum smb2_cipher)i, login_key, login_hash, &keys);
		memcpy(keys.unseal, keys.seal, sizeof(keys.seal));
		start(&crypt, SMB2_AES_CMAC, (enum smb2_cipher)i, &keys);
		memcpy(message + SMB2_TRANSFORM_BYTES, plain, sizeof(plain));
		assert_int_equal(smb2_seal(&crypt, message, sizeof(plain), NULL, 0, 9), 0);
		if (i < LENGTH(expected) && expected[i] != NULL)
			expect_hex(message, expected[i]);
		memcpy(first, message, SIZE);
		assert_int_equal(smb2_unseal(&crypt, message, SIZE, NULL, 0, 9), 0);
		assert_memory_equal(message + SMB2_TRANSFORM_BYTES, plain, sizeof(plain));
		/* The next message has another nonce. */
		assert_int_equal(smb2_seal(&crypt, message, sizeof(plain), NULL, 0, 9), 0);
		assert_memory_not_equal(message + 20, first + 20, 11);
		assert_memory_not_equal(message + SMB2_TRANSFORM_BYTES,
					first + SMB2_TRANSFORM_BYTES, 64);
		smb2_crypt_end(&crypt);
	}
}

/* Data that is not in the message's buffer is sealed as if it were, whatever
 * the sizes of both parts. */
static void data_is_sealed_from_its_place(void **state)
{
	enum { ALL = 300 };
	uint8_t plain[ALL], one[SMB2_TRANSFORM_BYTES + ALL + SMB2_TAG_BYTES];
	uint8_t two[sizeof(one)], more[ALL];
	struct smb2_crypt crypt;
	struct smb2_keys keys;
	size_t i, first;

	for (i = 0; i < ALL; i++)
		plain[i] = (uint8_t)(7 * i);
	for (i = SMB2_AES128_CCM; i <= SMB2_AES256_GCM; i++) {
		derive(SMB3_11, (enum smb2_cipher)i, login_key, login_hash, &keys);
		memcpy(keys.unseal, keys.seal, sizeof(keys.seal));
		start(&crypt, SMB2_AES_CMAC, (enum smb2_cipher)i, &keys);
		for (first = SMB2_HEADER_BYTES; first <= ALL; first += 11) {
			crypt.nonce = first;
			memcpy(one + SMB2_TRANSFORM_BYTES, plain, ALL);
			assert_int_equal(smb2_seal(&crypt, one, ALL, NULL, 0, 9), 0);
			crypt.nonce = first;
			memset(two, 0, sizeof(two));
			memcpy(two + SMB2_TRANSFORM_BYTES, plain, first);
			assert_int_equal(
				smb2_seal(&crypt, two, first, plain + first, ALL - first, 9), 0);
			assert_memory_equal(one, two, sizeof(one));
			assert_int_equal(
				smb2_unseal(&crypt, two, SMB2_TRANSFORM_BYTES + ALL, NULL, 0, 9),
				0);
			assert_memory_equal(two + SMB2_TRANSFORM_BYTES, plain, ALL);
			/* It is unsealed in two places, too. */
			memcpy(more, one + SMB2_TRANSFORM_BYTES + first, ALL - first);
			assert_int_equal(smb2_unseal(&crypt, one, SMB2_TRANSFORM_BYTES + first,
						     more, ALL - first, 9),
					 0);
			assert_memory_equal(one + SMB2_TRANSFORM_BYTES, plain, first);
			assert_memory_equal(more, plain + first, ALL - first);
		}
		smb2_crypt_end(&crypt);
	}
}

static void no_key_is_left(void **state)
{
	static const struct smb2_crypt nothing;
	struct smb2_crypt crypt;
	struct smb2_keys keys;

	derive(SMB3_11, SMB2_AES128_GCM, login_key, login_hash, &keys);
	start(&crypt, SMB2_AES_GMAC, SMB2_AES128_GCM, &keys);
	smb2_crypt_end(&crypt);
	assert_memory_equal(&crypt, &nothing, sizeof(crypt));
	smb2_crypt_end(&crypt);
}

int unit_smb2_crypt(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hash_is_that_of_the_blog),
		cmocka_unit_test(keys_are_those_of_the_blog),
		cmocka_unit_test(keys_of_256_bits_come_from_the_whole_key),
		cmocka_unit_test(smb2_signs_with_the_session_key),
		cmocka_unit_test(a_signature_of_windows_is_right),
		cmocka_unit_test(signatures_are_right),
		cmocka_unit_test(cmac_is_that_of_the_rfc),
		cmocka_unit_test(cmac_is_that_of_nettle),
		cmocka_unit_test(a_message_in_two_pieces_has_the_same_signature),
		cmocka_unit_test(sealed_messages_of_windows_are_unsealed),
		cmocka_unit_test(altered_messages_are_not_unsealed),
		cmocka_unit_test(messages_are_sealed),
		cmocka_unit_test(data_is_sealed_from_its_place),
		cmocka_unit_test(no_key_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
