/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2.h"

#include "base/bytes.h"
#include "base/random.h"
#include "smb2client/client.h"
#include "smb2client/wire.h"
#include "words/nt_status.h"

#include <errno.h>

/*
 * Replies of a Windows server, from Microsoft's Open Specifications blog: "SMB
 * 2 and SMB 3 security in Windows 10: the anatomy of signing and cryptographic
 * keys", appendix.
 */
static const char negotiate_reply[] =
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
	"00020004000000000001000200";
static const char session_setup_reply[] =
	"FE534D4240000100000000000100800009000000000000000300000000000000FFFE0000000000001900000000"
	"100000EBE146DA120BA25FC3376A49DFE31BC10900000048001D00A11B3019A0030A0100A3120410010000003B"
	"453CDC3524164200000000";

static struct smb2_stream stream_of(uint16_t dialect, uint32_t credits)
{
	return (struct smb2_stream){
		.dialect = dialect,
		.credits = credits,
		.next_id = 7,
		.session_id = 9,
		.tree_id = 5,
	};
}

/* Make a reply without a body, then append `body`. Return its size. */
static size_t make_reply(uint8_t *bytes, enum smb2_command command, const char *body)
{
	memset(bytes, 0, SMB2_HEADER_BYTES);
	memcpy(bytes, "\xfeSMB", 4);
	put_le16(bytes + 4, SMB2_HEADER_BYTES);
	put_le16(bytes + 12, (uint16_t)command);
	put_le16(bytes + 14, 3);
	put_le32(bytes + 16, SMB2_FROM_SERVER);
	put_le64(bytes + 24, 7);
	put_le32(bytes + 36, 5);
	put_le64(bytes + 40, 9);
	return SMB2_HEADER_BYTES + unhex(body, bytes + SMB2_HEADER_BYTES, 4096);
}

static struct smb2_reply read_one(const uint8_t *bytes, size_t size)
{
	struct smb2_reply reply;
	size_t at = 0;

	assert_int_equal(smb2_reply_next(bytes, size, &at, &reply), 1);
	assert_int_equal(smb2_reply_next(bytes, size, &at, &reply), 0);
	at = 0;
	smb2_reply_next(bytes, size, &at, &reply);
	return reply;
}

static void a_request_has_the_fields_of_the_stream(void **state)
{
	uint8_t buffer[1024];
	struct smb2_message message = {buffer, sizeof(buffer), 0, 0, 0, {0}, {0}, {0}};
	struct smb2_stream stream = stream_of(SMB3_11, 2);
	uint8_t *body;

	memset(buffer, 0xaa, sizeof(buffer));
	smb2_message_start(&message);
	body = smb2_message_part(&message, &stream, SMB2_ECHO, 1, 4);
	assert_ptr_equal(body, buffer + SMB2_FRONT + SMB2_HEADER_BYTES);
	put_le16(body, 4);
	expect_hex(buffer + SMB2_FRONT,
		   "FE534D4240000100000000000D00410000000000000000000700000000000000FFFE00000500000"
		   "009000000000000000000000000000000000000000000000004000000");
	assert_int_equal(message.end, SMB2_FRONT + SMB2_HEADER_BYTES + 4);
	assert_int_equal(message.ids[0], 7);
	assert_int_equal(stream.next_id, 8);
	assert_int_equal(stream.credits, 1);
}

static void a_compound_chains_aligned_requests(void **state)
{
	uint8_t buffer[1024];
	struct smb2_message message = {buffer, sizeof(buffer), 0, 0, 0, {0}, {0}, {0}};
	struct smb2_stream stream = stream_of(SMB2_10, 200);
	const uint8_t *first = buffer + SMB2_FRONT, *second;

	memset(buffer, 0xaa, sizeof(buffer));
	smb2_message_start(&message);
	assert_non_null(smb2_message_part(&message, &stream, SMB2_CREATE, 1, 56));
	smb2_message_add(&message, "abc", 3);
	assert_non_null(smb2_message_part(&message, &stream, SMB2_READ, 3, 48));
	assert_int_equal(get_le32(first + 20), 128);
	assert_memory_equal(first + 120, "abc\0\0\0\0\0", 8);
	second = first + 128;
	assert_int_equal(get_le32(second + 20), 0);
	assert_int_equal(get_le32(first + 16), 0);
	assert_int_equal(get_le32(second + 16), SMB2_RELATED);
	/* The charge, and with plenty of credits a request for no more. */
	assert_int_equal(get_le16(second + 6), 3);
	assert_int_equal(get_le16(second + 14), 3);
	assert_int_equal(get_le64(second + 24), 8);
	assert_int_equal(stream.next_id, 11);
	assert_int_equal(stream.credits, 196);
	assert_int_equal(smb2_message_part_bytes(&message, 0), 128);
	assert_int_equal(smb2_message_part_bytes(&message, 1), 64 + 48);
}

static void a_message_without_room_is_full(void **state)
{
	uint8_t buffer[SMB2_FRONT + 100];
	struct smb2_message message = {buffer, sizeof(buffer), 0, 0, 0, {0}, {0}, {0}};
	struct smb2_stream stream = stream_of(SMB3_11, 200);

	smb2_message_start(&message);
	assert_null(smb2_message_part(&message, &stream, SMB2_ECHO, 1, 37));
	assert_true(message.full);
	smb2_message_start(&message);
	assert_non_null(smb2_message_part(&message, &stream, SMB2_ECHO, 1, 36));
	assert_false(message.full);
	smb2_message_add(&message, "x", 1);
	assert_true(message.full);
	assert_null(smb2_message_part(&message, &stream, SMB2_ECHO, 1, 4));
	assert_int_equal(message.parts, 1);
}

static void a_request_needs_credits(void **state)
{
	uint8_t buffer[1024];
	struct smb2_message message = {buffer, sizeof(buffer), 0, 0, 0, {0}, {0}, {0}};
	struct smb2_stream stream = stream_of(SMB3_11, 2);

	smb2_message_start(&message);
	assert_null(smb2_message_part(&message, &stream, SMB2_READ, 3, 48));
	assert_true(message.full);
	assert_int_equal(stream.credits, 2);
	assert_int_equal(stream.next_id, 7);
	assert_int_equal(smb2_charge(&stream, 0), 1);
	assert_int_equal(smb2_charge(&stream, 65536), 1);
	assert_int_equal(smb2_charge(&stream, 65537), 2);
	assert_int_equal(smb2_charge(&stream, 1 << 20), 16);
	assert_int_equal(smb2_payload(&stream, 1 << 20), 131072);
	assert_int_equal(smb2_payload(&stream, 1000), 1000);
	stream.dialect = SMB2_02;
	assert_int_equal(smb2_charge(&stream, 65536), 1);
	assert_int_equal(smb2_payload(&stream, 65536), 65536);
	stream.credits = 0;
	assert_int_equal(smb2_payload(&stream, 65536), 0);
}

static void replies_of_windows_are_read(void **state)
{
	static const uint8_t session_key[16] = {
		0x01, 0, 0, 0, 0x3b, 0x45, 0x3c, 0xdc, 0x35, 0x24, 0x16, 0x42,
	};
	struct smb2_negotiated negotiated;
	struct smb2_reply reply;
	struct smb2_data token;
	uint16_t flags;
	uint8_t bytes[1024];
	size_t size;

	size = unhex(negotiate_reply, bytes, sizeof(bytes));
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(reply.command, SMB2_NEGOTIATE);
	assert_int_equal(reply.credits, 1);
	assert_int_equal(reply.message_id, 1);
	assert_int_equal(smb2_parse_negotiate(&reply, &negotiated), 0);
	assert_int_equal(negotiated.dialect, SMB3_11);
	assert_int_equal(negotiated.security_mode, SMB2_SIGNING_ENABLED);
	assert_int_equal(negotiated.capabilities, 0x2f);
	assert_int_equal(negotiated.max_read, 8 << 20);
	assert_int_equal(negotiated.max_write, 8 << 20);
	assert_int_equal(negotiated.hash, 1);
	assert_int_equal(negotiated.cipher, 2);
	assert_false(negotiated.has_signing);

	size = unhex(session_setup_reply, bytes, sizeof(bytes));
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(reply.command, SMB2_SESSION_SETUP);
	assert_int_equal(reply.flags, SMB2_FROM_SERVER | SMB2_SIGNED);
	assert_int_equal(reply.session_id, 0x100000000019);
	assert_int_equal(smb2_parse_session_setup(&reply, &flags, &token), 0);
	assert_int_equal(flags, 0);
	assert_int_equal(token.size, 29);
	assert_memory_equal(token.bytes + 13, session_key, 12);
}

/* A listing of "." and "ab", as FileBothDirectoryInformation. */
#define ZEROS_8 "0000000000000000"
#define TIMES ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8
#define SHORT_NAME "0000" ZEROS_8 ZEROS_8 ZEROS_8
static const char listing_reply[] = "09004800C20000006000000000000000" TIMES "1000000002000000"
				    "00000000" SHORT_NAME "2E000000000000000000" TIMES
				    "2000000004000000"
				    "00000000" SHORT_NAME "61006200";

/* The body of a reply to READ that has 4 bytes of data. */
static const char read_reply[] = "1100500004000000" ZEROS_8 "61626364";
static const char create_reply[] = "5900000001000000"
				   "0100000000000000"
				   "02000000000000000300000000000000"
				   "0400000000000000"
				   "00100000000000000500000000000000"
				   "2000000000000000000102030405060708090A0B0C0D0E0F" ZEROS_8;
static const char ioctl_reply[] = "3100000004021400000000000000000000000000000000000000000000000000"
				  "7000000004000000"
				  "0000000000000000"
				  "01020304";
/* The output is that of a copy, and longer, for a resume key. */
static const char copied_reply[] =
	"31000000F2481400000000000000000000000000000000000000000000000000"
	"700000001C000000"
	"0000000000000000000100000000100000000001"
	"6162636465666768696A6B6C"
	"00000000";
static const char query_reply[] = "0900480004000000"
				  "0A0B0C0D";
static const char tree_reply[] = "100001000080000000000000FF011F00";
static const char error_reply[] = "0900000000000000"
				  "00";

static void breaks_are_read_and_acknowledged(void **state)
{
	static const char oplock[] = "1800"
				     "01"
				     "00000000"
				     "00000102030405060708090A0B0C0D0E0F";
	static const char lease[] = "2C000300"
				    "01000000000102030405060708090A0B0C0D0E0F"
				    "07000000"
				    "03000000000000000000000000000000";
	struct smb2_stream stream = {.dialect = SMB3_11, .credits = 2};
	uint8_t bytes[256], sent[SMB2_FRONT + 256];
	struct smb2_message message = {
		.bytes = sent,
		.capacity = sizeof(sent),
	};
	const uint8_t *body = sent + SMB2_FRONT + SMB2_HEADER_BYTES;
	struct smb2_break broken;
	struct smb2_reply reply;
	size_t size;

	size = make_reply(bytes, SMB2_OPLOCK_BREAK, oplock);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_break(&reply, &broken), 0);
	assert_false(broken.is_lease);
	smb2_message_start(&message);
	smb2_put_break(&message, &stream, &broken);
	assert_int_equal(message.end - SMB2_FRONT - SMB2_HEADER_BYTES, 24);
	expect_hex(body, oplock);
	size = make_reply(bytes, SMB2_OPLOCK_BREAK, lease);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_break(&reply, &broken), 0);
	assert_true(broken.is_lease);
	assert_true(broken.wants_answer);
	smb2_message_start(&message);
	smb2_put_break(&message, &stream, &broken);
	assert_int_equal(message.end - SMB2_FRONT - SMB2_HEADER_BYTES, 36);
	expect_hex(body, "24000000"
			 "00000000000102030405060708090A0B0C0D0E0F"
			 "03000000");
	assert_int_equal(stream.credits, 0);
	/* Without credits there is no message. */
	smb2_message_start(&message);
	smb2_put_break(&message, &stream, &broken);
	assert_true(message.full);
	size = make_reply(bytes, SMB2_CLOSE, oplock);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_break(&reply, &broken), -EPROTO);
	size = make_reply(bytes, SMB2_OPLOCK_BREAK, "2C000300");
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_break(&reply, &broken), -EPROTO);
}

static void replies_are_read(void **state)
{
	uint8_t bytes[1024], key[SMB2_RESUME_KEY_BYTES];
	struct smb2_copied copied;
	struct smb2_created created;
	struct smb2_reply reply;
	struct smb2_tree tree;
	struct smb2_data data;
	size_t size;

	size = make_reply(bytes, SMB2_CREATE, create_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(reply.tree_id, 5);
	assert_int_equal(reply.session_id, 9);
	assert_int_equal(smb2_parse_create(&reply, &created), 0);
	assert_int_equal(created.access_time, 2);
	assert_int_equal(created.write_time, 3);
	assert_int_equal(created.size_bytes, 5);
	assert_int_equal(created.attributes, SMB2_ARCHIVE);
	assert_int_equal(created.file_id[15], 15);
	size = make_reply(bytes, SMB2_READ, read_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_read(&reply, &data), 0);
	assert_int_equal(data.size, 4);
	assert_memory_equal(data.bytes, "abcd", 4);
	size = make_reply(bytes, SMB2_IOCTL, ioctl_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_ioctl(&reply, &data), 0);
	assert_memory_equal(data.bytes, "\1\2\3\4", data.size);
	assert_int_equal(smb2_parse_resume_key(&reply, key), -EPROTO);
	assert_int_equal(smb2_parse_copied(&reply, &copied), -EPROTO);
	size = make_reply(bytes, SMB2_IOCTL, copied_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_copied(&reply, &copied), 0);
	assert_int_equal(copied.chunks, 256);
	assert_int_equal(copied.chunk_bytes, 1 << 20);
	assert_int_equal(copied.total_bytes, 16 << 20);
	assert_int_equal(smb2_parse_resume_key(&reply, key), 0);
	assert_memory_equal(key + 12, "abcdefghijkl", 12);
	size = make_reply(bytes, SMB2_QUERY_INFO, query_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_query(&reply, &data), 0);
	assert_memory_equal(data.bytes, "\n\v\f\r", data.size);
	size = make_reply(bytes, SMB2_TREE_CONNECT, tree_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_tree_connect(&reply, &tree), 0);
	assert_int_equal(tree.type, SMB2_SHARE_DISK);
	assert_int_equal(tree.flags, SMB2_SHARE_SEALED);
}

/* The class of the listings here: FileBothDirectoryInformation. */
enum { LISTED = 3 };

static void a_listing_has_entries(void **state)
{
	struct smb2_entry entry;
	struct smb2_reply reply;
	struct smb2_data data;
	uint8_t bytes[1024];
	size_t size, at = 0;

	size = make_reply(bytes, SMB2_QUERY_DIRECTORY, listing_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_query(&reply, &data), 0);
	assert_int_equal(smb2_entry_next(&data, LISTED, &at, &entry), 1);
	assert_int_equal(entry.attributes, SMB2_DIRECTORY);
	assert_int_equal(entry.name.size, 2);
	assert_memory_equal(entry.name.bytes, ".", 2);
	assert_int_equal(smb2_entry_next(&data, LISTED, &at, &entry), 1);
	assert_int_equal(entry.attributes, SMB2_ARCHIVE);
	assert_memory_equal(entry.name.bytes, "a\0b", 4);
	assert_int_equal(smb2_entry_next(&data, LISTED, &at, &entry), 0);
}

static void information_is_read(void **state)
{
	struct smb2_all_information information;
	struct smb2_data data;
	uint64_t free_bytes;
	uint8_t bytes[72] = {0};

	put_le64(bytes + 8, 7);
	put_le64(bytes + 16, 8);
	put_le32(bytes + 32, SMB2_DIRECTORY);
	put_le64(bytes + 48, 9);
	put_le64(bytes + 64, 10);
	data = (struct smb2_data){guarded(bytes, 72), 72};
	assert_int_equal(smb2_parse_all_information(&data, &information), 0);
	assert_int_equal(information.access_time, 7);
	assert_int_equal(information.write_time, 8);
	assert_int_equal(information.attributes, SMB2_DIRECTORY);
	assert_int_equal(information.size_bytes, 9);
	assert_int_equal(information.file_id, 10);
	/* The server has no number of 64 bits that only this file has. */
	memset(bytes + 64, 0xff, 8);
	data = (struct smb2_data){guarded(bytes, 72), 72};
	assert_int_equal(smb2_parse_all_information(&data, &information), 0);
	assert_int_equal(information.file_id, 0);
	data = (struct smb2_data){guarded(bytes, 71), 71};
	assert_int_equal(smb2_parse_all_information(&data, &information), -EPROTO);
	put_le32(bytes + 24, 2);
	put_le32(bytes + 28, 512);
	data = (struct smb2_data){guarded(bytes, 32), 32};
	assert_int_equal(smb2_parse_free_bytes(&data, &free_bytes), 0);
	assert_int_equal(free_bytes, 7168);
	memset(bytes, 0xff, 32);
	data = (struct smb2_data){guarded(bytes, 32), 32};
	assert_int_equal(smb2_parse_free_bytes(&data, &free_bytes), 0);
	assert_true(free_bytes == UINT64_MAX);
	data = (struct smb2_data){guarded(bytes, 31), 31};
	assert_int_equal(smb2_parse_free_bytes(&data, &free_bytes), -EPROTO);
}

static void an_error_is_no_other_reply(void **state)
{
	struct smb2_created created;
	struct smb2_reply reply;
	struct smb2_data data;
	uint8_t bytes[128];
	size_t size;

	size = make_reply(bytes, SMB2_CREATE, error_reply);
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_parse_create(&reply, &created), -EPROTO);
	assert_int_equal(smb2_parse_read(&reply, &data), -EPROTO);
	reply.command = SMB2_FLUSH;
	assert_int_equal(smb2_reply_check(&reply), -EPROTO);
	reply.command = SMB2_READ;
	assert_int_equal(smb2_reply_check(&reply), -EPROTO);
	reply.status = NT_STATUS_END_OF_FILE;
	assert_int_equal(smb2_reply_check(&reply), 0);
	size = make_reply(bytes, SMB2_FLUSH, "04000000");
	reply = read_one(guarded(bytes, size), size);
	assert_int_equal(smb2_reply_check(&reply), 0);
	reply.command = SMB2_SET_INFO;
	assert_int_equal(smb2_reply_check(&reply), -EPROTO);
}

/* The structure size of each reply, and the size of its fixed part. */
static const struct {
	enum smb2_command command;
	uint16_t structure, bytes;
} bodies[] = {
	{SMB2_NEGOTIATE, 65, 64},
	{SMB2_SESSION_SETUP, 9, 8},
	{SMB2_LOGOFF, 4, 4},
	{SMB2_TREE_CONNECT, 16, 16},
	{SMB2_TREE_DISCONNECT, 4, 4},
	{SMB2_CREATE, 89, 88},
	{SMB2_CLOSE, 60, 60},
	{SMB2_FLUSH, 4, 4},
	{SMB2_READ, 17, 16},
	{SMB2_WRITE, 17, 16},
	{SMB2_LOCK, 4, 4},
	{SMB2_IOCTL, 49, 48},
	{SMB2_ECHO, 4, 4},
	{SMB2_QUERY_DIRECTORY, 9, 8},
	{SMB2_QUERY_INFO, 9, 8},
	{SMB2_SET_INFO, 2, 2},
};

/* Return the result of the check of a reply with a body of these sizes. */
static int check_reply(enum smb2_command command, uint32_t status, unsigned structure,
		       size_t body_bytes)
{
	uint8_t bytes[256] = {0};
	size_t size = make_reply(bytes, command, "") + body_bytes;
	struct smb2_reply reply;

	put_le32(bytes + 8, status);
	put_le16(bytes + SMB2_HEADER_BYTES, (uint16_t)structure);
	reply = read_one(guarded(bytes, size), size);
	return smb2_reply_check(&reply);
}

static void a_success_has_the_body_of_its_command(void **state)
{
	size_t i;

	for (i = 0; i < LENGTH(bodies); i++) {
		enum smb2_command command = bodies[i].command;
		unsigned structure = bodies[i].structure;
		size_t bytes = bodies[i].bytes;

		assert_int_equal(check_reply(command, 0, structure, bytes), 0);
		assert_int_equal(check_reply(command, 0, structure, bytes - 1), -EPROTO);
		assert_int_equal(check_reply(command, 0, structure + 1, bytes), -EPROTO);
		/* A failure is one, whatever its body is. */
		assert_int_equal(check_reply(command, 0xc0000022, 9, 9), 0);
		assert_int_equal(check_reply(command, 0xc0000022, 0, 0), 0);
	}
	assert_int_equal(check_reply(SMB2_CANCEL, 0, 4, 4), -EPROTO);
	assert_int_equal(check_reply(SMB2_COMMANDS, 0, 4, 4), -EPROTO);
}

/* 3.3.4.4 lists the statuses that are neither 0 nor failures. */
static void no_other_status_is_a_success(void **state)
{
	static const uint32_t statuses[] = {
		1,          0x103,      0x104,
		0x108,      0x10c,      0x40000000,
		0x7fffffff, 0x80000001, NT_STATUS_BUFFER_OVERFLOW,
		0xbfffffff,
	};
	size_t i, j;

	for (i = 0; i < LENGTH(bodies); i++)
		for (j = 0; j < LENGTH(statuses); j++) {
			bool cut = bodies[i].command == SMB2_QUERY_INFO &&
				   statuses[j] == NT_STATUS_BUFFER_OVERFLOW;

			assert_int_equal(check_reply(bodies[i].command, statuses[j],
						     bodies[i].structure, bodies[i].bytes),
					 cut ? 0 : -EPROTO);
		}
	/* A cut off reply has a body. */
	assert_int_equal(check_reply(SMB2_QUERY_INFO, NT_STATUS_BUFFER_OVERFLOW, 9, 7), -EPROTO);
	/* Warnings that mean a failure. */
	assert_int_equal(check_reply(SMB2_QUERY_DIRECTORY, NT_STATUS_NO_MORE_FILES, 9, 8), 0);
	assert_int_equal(check_reply(SMB2_CREATE, 0x8000002d, 9, 8), 0);
}

/* Expect that the header, after `change` was written at `offset`, is refused. */
static void expect_refused(size_t offset, size_t bytes, uint64_t change, size_t size)
{
	uint8_t copy[256] = {0};
	struct smb2_reply reply;
	size_t at = 0;

	make_reply(copy, SMB2_ECHO, "04000000");
	while (bytes-- > 0) {
		copy[offset++] = (uint8_t)change;
		change >>= 8;
	}
	assert_int_equal(smb2_reply_next(guarded(copy, size), size, &at, &reply), -EPROTO);
	assert_int_equal(at, 0);
}

static void broken_headers_are_refused(void **state)
{
	expect_refused(0, 0, 0, 0);
	expect_refused(0, 0, 0, 1);
	expect_refused(0, 0, 0, 63);
	expect_refused(0, 1, 0xff, 68);
	expect_refused(0, 1, 0xfd, 68);
	expect_refused(4, 2, 63, 68);
	expect_refused(16, 4, 0, 68); /* a request */
	/* Offsets of the next reply: unaligned, in this header, or after the
	 * end. */
	expect_refused(20, 4, 4, 200);
	expect_refused(20, 4, 68, 200);
	expect_refused(20, 4, 56, 200);
	expect_refused(20, 4, 144, 200);
	expect_refused(20, 4, 200, 200);
	expect_refused(20, 4, 0xfffffff8, 200);
	expect_refused(20, 4, 64, 64);
	expect_refused(20, 4, 64, 127);
}

static void a_chain_is_read_to_its_end(void **state)
{
	uint8_t bytes[256] = {0};
	struct smb2_reply reply;
	const uint8_t *copy;
	size_t at = 0;

	make_reply(bytes, SMB2_ECHO, "0400000000000000");
	put_le32(bytes + 20, 72);
	make_reply(bytes + 72, SMB2_FLUSH, "04000000");
	copy = guarded(bytes, 140);
	assert_int_equal(smb2_reply_next(copy, 140, &at, &reply), 1);
	assert_int_equal(reply.command, SMB2_ECHO);
	assert_int_equal(reply.size, 72);
	assert_int_equal(smb2_reply_check(&reply), 0);
	assert_int_equal(smb2_reply_next(copy, 140, &at, &reply), 1);
	assert_int_equal(reply.command, SMB2_FLUSH);
	assert_int_equal(reply.size, 68);
	assert_int_equal(smb2_reply_next(copy, 140, &at, &reply), 0);
	/* The second reply is broken. */
	bytes[73] = 'T';
	copy = guarded(bytes, 140);
	at = 0;
	assert_int_equal(smb2_reply_next(copy, 140, &at, &reply), 1);
	assert_int_equal(smb2_reply_next(copy, 140, &at, &reply), -EPROTO);
}

static void an_interim_reply_is_recognised(void **state)
{
	struct smb2_reply reply;
	uint8_t bytes[128];
	size_t size;

	size = make_reply(bytes, SMB2_LOCK, error_reply);
	put_le32(bytes + 8, 0x103);
	reply = read_one(guarded(bytes, size), size);
	assert_false(smb2_reply_is_interim(&reply));
	put_le32(bytes + 16, SMB2_FROM_SERVER | SMB2_ASYNC);
	put_le64(bytes + 32, 0x1234567890);
	reply = read_one(guarded(bytes, size), size);
	assert_true(smb2_reply_is_interim(&reply));
	assert_int_equal(reply.tree_id, 0);
	put_le32(bytes + 8, 0);
	reply = read_one(guarded(bytes, size), size);
	assert_false(smb2_reply_is_interim(&reply));
}

/* Give the bytes to all parsers. The page after them would end the test if one
 * of them read too far. Return how many parsers accept the first reply. */
static unsigned parse_all(const uint8_t *message, size_t size)
{
	const uint8_t *copy = guarded(message, size);
	struct smb2_all_information information;
	struct smb2_negotiated negotiated;
	struct smb2_break broken;
	struct smb2_copied copied;
	struct smb2_created created;
	struct smb2_entry entry;
	struct smb2_reply reply;
	struct smb2_tree tree;
	struct smb2_data data;
	uint8_t key[SMB2_RESUME_KEY_BYTES];
	size_t at = 0, place = 0;
	uint64_t free_bytes;
	uint16_t flags;
	uint32_t count;
	unsigned good = 0;

	while (smb2_reply_next(copy, size, &at, &reply) == 1) {
		good += smb2_reply_check(&reply) == 0 && reply.command == SMB2_FLUSH;
		good += smb2_parse_negotiate(&reply, &negotiated) == 0;
		good += smb2_parse_session_setup(&reply, &flags, &data) == 0;
		good += smb2_parse_tree_connect(&reply, &tree) == 0;
		good += smb2_parse_create(&reply, &created) == 0;
		good += smb2_parse_write(&reply, &count) == 0;
		good += smb2_parse_ioctl(&reply, &data) == 0;
		smb2_parse_resume_key(&reply, key);
		smb2_parse_copied(&reply, &copied);
		smb2_parse_break(&reply, &broken);
		good += smb2_parse_read(&reply, &data) == 0;
		if (smb2_parse_query(&reply, &data) < 0)
			continue;
		good++;
		smb2_parse_all_information(&data, &information);
		smb2_parse_free_bytes(&data, &free_bytes);
		place = 0;
		while (smb2_entry_next(&data, LISTED, &place, &entry) == 1) {
			assert_true(place <= data.size);
			assert_true(entry.name.bytes + entry.name.size <= data.bytes + data.size);
		}
	}
	return good;
}

static const struct sample {
	enum smb2_command command;
	const char *body; /* NULL: `whole` has the header, too */
	const char *whole;
} samples[] = {
	{SMB2_NEGOTIATE, NULL, negotiate_reply}, {SMB2_SESSION_SETUP, NULL, session_setup_reply},
	{SMB2_TREE_CONNECT, tree_reply, NULL},   {SMB2_CREATE, create_reply, NULL},
	{SMB2_READ, read_reply, NULL},           {SMB2_QUERY_DIRECTORY, listing_reply, NULL},
	{SMB2_QUERY_INFO, query_reply, NULL},    {SMB2_IOCTL, ioctl_reply, NULL},
	{SMB2_FLUSH, "04000000", NULL},
};

static size_t make_sample(const struct sample *sample, uint8_t *bytes)
{
	return sample->body != NULL ? make_reply(bytes, sample->command, sample->body)
				    : unhex(sample->whole, bytes, 1024);
}

static void truncated_replies_are_refused(void **state)
{
	uint8_t bytes[1024 + SMB2_HEADER_BYTES];
	size_t i, size;

	for (i = 0; i < LENGTH(samples); i++) {
		size = make_sample(&samples[i], bytes);
		assert_true(parse_all(bytes, size) > 0);
		while (size-- > 0)
			parse_all(bytes, size);
	}
	/* A reply whose data would begin within its fixed part. */
	size = make_reply(bytes, SMB2_READ, read_reply);
	bytes[SMB2_HEADER_BYTES + 2] = SMB2_HEADER_BYTES + 15;
	assert_int_equal(parse_all(bytes, size), 1); /* as that of a WRITE */
	/* A context that is too short for its contents. */
	size = unhex(negotiate_reply, bytes, sizeof(bytes));
	put_le16(bytes + SMB2_HEADER_BYTES + 6, 1);
	put_le16(bytes + 448 + 2, 5);
	assert_int_equal(parse_all(bytes, 448 + 8 + 5), 0);
	/* A reply that lacks its last byte is refused by its own parser, too. */
	size = make_reply(bytes, SMB2_READ, read_reply) - 1;
	assert_int_equal(parse_all(bytes, size), 1); /* as that of a WRITE */
}

static void altered_replies_do_no_harm(void **state)
{
	enum { ROUNDS = 20000, CHANGES = 4 };
	uint8_t bytes[1024 + SMB2_HEADER_BYTES];
	struct random random;
	unsigned round, change;

	random_start(&random, 1, 0);
	for (round = 0; round < ROUNDS; round++) {
		size_t size = make_sample(&samples[round % LENGTH(samples)], bytes);

		for (change = 0; change < CHANGES; change++) {
			uint64_t number = random_next(&random);
			size_t at = number % size;

			bytes[at] = (number >> 32) % 3 == 0 ? 0xff : (uint8_t)(number >> 40);
		}
		parse_all(bytes, size);
	}
}

int unit_smb2_wire(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_has_the_fields_of_the_stream),
		cmocka_unit_test(a_compound_chains_aligned_requests),
		cmocka_unit_test(a_message_without_room_is_full),
		cmocka_unit_test(a_request_needs_credits),
		cmocka_unit_test(replies_of_windows_are_read),
		cmocka_unit_test(breaks_are_read_and_acknowledged),
		cmocka_unit_test(replies_are_read),
		cmocka_unit_test(a_listing_has_entries),
		cmocka_unit_test(information_is_read),
		cmocka_unit_test(an_error_is_no_other_reply),
		cmocka_unit_test(a_success_has_the_body_of_its_command),
		cmocka_unit_test(no_other_status_is_a_success),
		cmocka_unit_test(broken_headers_are_refused),
		cmocka_unit_test(a_chain_is_read_to_its_end),
		cmocka_unit_test(an_interim_reply_is_recognised),
		cmocka_unit_test(truncated_replies_are_refused),
		cmocka_unit_test(altered_replies_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
