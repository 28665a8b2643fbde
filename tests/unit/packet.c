/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "words/packet.h"

#include <errno.h>
#include <string.h>

/* Read the head of a request, 8 bytes. */
static int read_lengths(const char *bytes, struct packet_reader *reader)
{
	size_t taken;
	int rc;

	*reader = (struct packet_reader){0};
	rc = packet_read(reader, (const unsigned char *)bytes, PACKET_HEAD_BYTES, &taken);
	assert_int_equal(taken, PACKET_HEAD_BYTES);
	return rc;
}

static void the_first_exchange_is_eight_and_eight(void **state)
{
	unsigned char head[PACKET_HEAD_BYTES];

	packet_put_request(head, 8, 8);
	assert_memory_equal(head, "\0\0\0\4\0\0\0\4", 8);
	assert_int_equal(packet_check_reply(head, 8), 0);
}

static void a_request_has_two_lengths(void **state)
{
	unsigned char head[PACKET_HEAD_BYTES];

	packet_put_request(head, 65595, 55);
	assert_memory_equal(head, "\0\1\0\x37\0\0\0\x33", 8);
	packet_put_reply(head, 65595);
	assert_memory_equal(head, "\0\1\0\x37\0\1\0\x37", 8);
}

static void a_reply_must_have_the_requested_size(void **state)
{
	unsigned char head[PACKET_HEAD_BYTES];

	packet_put_reply(head, 1000);
	assert_int_equal(packet_check_reply(head, 1000), 0);
	assert_int_equal(packet_check_reply(head, 1001), -EPROTO);
	head[7]++;
	assert_int_equal(packet_check_reply(head, 1000), -EPROTO);
	assert_int_equal(packet_check_reply((const unsigned char *)"SSH-2.0-", 8), -EPROTO);
}

static void lengths_are_limited(void **state)
{
	struct packet_reader reader;

	assert_int_equal(read_lengths("\0\0\0\4\0\0\0\4", &reader), 1);
	assert_int_equal(read_lengths("\0\0\0\3\0\0\0\4", &reader), -EPROTO);
	assert_int_equal(read_lengths("\0\0\0\4\0\0\0\3", &reader), -EPROTO);
	assert_int_equal(read_lengths("\0\0\0\0\0\0\0\0", &reader), -EPROTO);
	assert_int_equal(read_lengths("\xff\xff\xff\xff\0\0\0\4", &reader), -EPROTO);
	assert_int_equal(read_lengths("\0\0\0\4\xff\xff\xff\xff", &reader), -EPROTO);
	/* The max size of a packet is 70,000 bytes. */
	assert_int_equal(read_lengths("\0\1\x11\x6c\0\1\x11\x6c", &reader), 0);
	assert_int_equal(reader.left_bytes, 69992);
	assert_int_equal(reader.reply_bytes, 70000);
	assert_int_equal(read_lengths("\0\1\x11\x6d\0\0\0\4", &reader), -EPROTO);
	assert_int_equal(read_lengths("\0\0\0\4\0\1\x11\x6d", &reader), -EPROTO);
}

static void a_request_may_come_byte_by_byte(void **state)
{
	unsigned char sent[20] = {0};
	struct packet_reader reader = {0};
	size_t i, taken;

	packet_put_request(sent, sizeof(sent), 99);
	for (i = 0; i < sizeof(sent); i++) {
		assert_int_equal(packet_read(&reader, sent + i, 1, &taken), i + 1 == sizeof(sent));
		assert_int_equal(taken, 1);
	}
	assert_int_equal(reader.reply_bytes, 99);
}

static void the_next_request_is_left_alone(void **state)
{
	unsigned char sent[40] = {0};
	struct packet_reader reader = {0};
	size_t taken;

	packet_put_request(sent, 30, 50);
	assert_int_equal(packet_read(&reader, sent, sizeof(sent), &taken), 1);
	assert_int_equal(taken, 30);
}

static void data_after_the_head_is_not_read(void **state)
{
	unsigned char head[PACKET_HEAD_BYTES];
	struct packet_reader reader = {0};
	size_t taken;

	packet_put_request(head, 5000, 8);
	assert_int_equal(packet_read(&reader, head, 8, &taken), 0);
	assert_int_equal(packet_read(&reader, NULL, 4991, &taken), 0);
	assert_int_equal(reader.left_bytes, 1);
	assert_int_equal(packet_read(&reader, NULL, 1, &taken), 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_first_exchange_is_eight_and_eight),
	cmocka_unit_test(a_request_has_two_lengths),
	cmocka_unit_test(a_reply_must_have_the_requested_size),
	cmocka_unit_test(lengths_are_limited),
	cmocka_unit_test(a_request_may_come_byte_by_byte),
	cmocka_unit_test(the_next_request_is_left_alone),
	cmocka_unit_test(data_after_the_head_is_not_read),
};

int unit_packet(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
