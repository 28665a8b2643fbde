/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "capture/decode/feed.h"

/* A capture that is being made. */
static struct {
	unsigned char bytes[4096];
	size_t length;
	bool big_endian; /* pcap's numbers; those of packets always are */
} capture;

static void add(size_t count, uint64_t number, bool big_endian)
{
	size_t i;

	for (i = 0; i < count; i++)
		capture.bytes[capture.length + (big_endian ? count - 1 - i : i)] =
			i < sizeof(number) ? (unsigned char)(number >> 8 * i) : 0;
	capture.length += count;
}

static void add_own(size_t count, uint64_t number)
{
	add(count, number, capture.big_endian);
}

static void add_zeros(size_t count)
{
	add(count, 0, true);
}

static void begin(bool big_endian, uint16_t link)
{
	memset(&capture, 0, sizeof(capture));
	capture.big_endian = big_endian;
	add_own(4, 0xa1b2c3d4);
	add_zeros(16);
	add_own(4, link);
}

/* Begin a section of pcapng with two interfaces. */
static void begin_section(bool big_endian, uint16_t first, uint16_t second)
{
	capture.big_endian = big_endian;
	add_own(4, 0x0a0d0d0a);
	add_own(4, 28);
	add_own(4, 0x1a2b3c4d);
	add_zeros(12);
	add_own(4, 28);
	add_own(4, 1);
	add_own(4, 20);
	add_own(2, first);
	add_zeros(6);
	add_own(4, 20);
	add_own(4, 1);
	add_own(4, 20);
	add_own(2, second);
	add_zeros(6);
	add_own(4, 20);
}

enum { SEGMENT = 32 + 24, PACKET_4 = 24 + SEGMENT, PACKET_6 = 40 + SEGMENT };

/* Add a segment with options and a message. Return where the ports are. */
static size_t add_segment(uint16_t from, uint16_t to, const char *magic, bool reply)
{
	size_t at = capture.length;

	add(2, from, true);
	add(2, to, true);
	add_zeros(8);
	add(1, 0x80, true);
	add_zeros(19);
	add(4, 0x1234, true);
	memcpy(capture.bytes + capture.length, magic, 6);
	capture.length += 6;
	add_zeros(10);
	add(4, reply, false);
	return at;
}

/* The header of IPv4 has an option. */
static void add_ip_4(uint8_t protocol, uint16_t fragment)
{
	add(1, 0x46, true);
	add_zeros(5);
	add(2, fragment, true);
	add(2, protocol, true);
	add_zeros(14);
}

static void add_ip_6(uint8_t protocol)
{
	add(1, 0x60, true);
	add_zeros(5);
	add(1, protocol, true);
	add_zeros(33);
}

static void add_record(uint32_t length)
{
	add_zeros(8);
	add_own(4, length);
	add_own(4, length);
}

static const char smb2[] = "\376SMB\100";
static const char smb1[] = "\377SMBr";

/* Add a packet of a link without a header. */
static size_t add_packet(uint16_t from, uint16_t to, const char *magic, bool reply)
{
	add_record(PACKET_4);
	add_ip_4(6, 0);
	return add_segment(from, to, magic, reply);
}

/* Alter the capture in parts of this size. */
static void alter(size_t part, uint16_t port)
{
	struct capture_ports ports = {0};
	size_t done = 0, length = 0;

	if (port != 0)
		capture_ports_add(&ports, port);
	while (length < capture.length) {
		length = length + part < capture.length ? length + part : capture.length;
		done += capture_ports_alter(&ports, capture.bytes + done, length - done,
					    length == capture.length);
	}
	assert_int_equal(done, capture.length);
}

static uint16_t port_at(size_t at)
{
	return (uint16_t)(capture.bytes[at] << 8 | capture.bytes[at + 1]);
}

/* Expect that only the ports at these places have been changed to 445. */
static void expect_changed(size_t part, uint16_t port, const size_t *places, size_t count)
{
	unsigned char before[sizeof(capture.bytes)], after[sizeof(capture.bytes)];
	size_t i;

	memcpy(before, capture.bytes, sizeof(before));
	alter(part, port);
	memcpy(after, capture.bytes, sizeof(after));
	for (i = 0; i < count; i++) {
		assert_int_equal(port_at(places[i]), CAPTURE_PORT_SMB);
		memcpy(after + places[i], before + places[i], 2);
	}
	assert_memory_equal(before, after, sizeof(before));
	memcpy(capture.bytes, before, sizeof(before));
}

/* The same in parts of several sizes, and with parts of the capture cut off. */
static void expect_ports(uint16_t port, const size_t *places, size_t count)
{
	static const size_t parts[] = {1, 7, 255, 256, 257, 4096};
	unsigned char before[sizeof(capture.bytes)];
	size_t length = capture.length, i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		expect_changed(parts[i], port, places, count);
	memcpy(before, capture.bytes, sizeof(before));
	for (capture.length = 0; capture.length < length; capture.length++) {
		alter(4096, port);
		memcpy(capture.bytes, before, sizeof(before));
	}
}
#define EXPECT_PORTS(port, ...) \
	expect_ports(port, (const size_t[]){__VA_ARGS__}, \
		     sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* A server's port is found by SMB2, or named. */
static void ports_are_found_or_named(void **state)
{
	size_t at[4], big;

	for (big = 0; big < 2; big++) {
		begin(big != 0, 101);
		add_packet(50000, 4450, smb1, false); /* too early */
		at[0] = 2 + add_packet(50000, 4450, smb2, false);
		at[1] = add_packet(4450, 50000, smb1, false);
		at[2] = add_packet(4451, 50000, smb2, true);
		add_packet(50000, 445, smb2, false);
		add_packet(50000, 445, smb2, true); /* not by a server */
		add_packet(139, 50000, smb2, true);
		at[3] = 2 + add_packet(50000, 4452, smb1, false);
		EXPECT_PORTS(0, at[0], at[1], at[2]);
		EXPECT_PORTS(4452, at[0], at[1], at[2], at[3]);
	}
}

/* The headers of links, and packets that are not the first of TCP. */
static void all_links_have_tcp(void **state)
{
	static const uint16_t links[][2] = {{0, 4},    {1, 14},  {12, 0},  {108, 4},
					    {113, 16}, {228, 0}, {229, 0}, {276, 20}};
	size_t at[3], i;

	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		begin(false, links[i][0]);
		add_record(PACKET_4 + links[i][1]);
		add_zeros(links[i][1]);
		add_ip_4(6, 0);
		at[0] = 2 + add_segment(50000, 4450, smb2, false);
		add_record(PACKET_4 + links[i][1]);
		add_zeros(links[i][1]);
		add_ip_4(17, 0);
		add_segment(50000, 4450, smb2, false);
		add_record(PACKET_4 + links[i][1]);
		add_zeros(links[i][1]);
		add_ip_4(6, 100);
		add_segment(50000, 4450, smb2, false);
		add_record(PACKET_6 + links[i][1]);
		add_zeros(links[i][1]);
		add_ip_6(17);
		add_segment(50000, 4450, smb2, false);
		add_record(PACKET_6 + links[i][1]);
		add_zeros(links[i][1]);
		add_ip_6(6);
		at[1] = add_segment(4450, 50000, smb2, true);
		EXPECT_PORTS(0, at[0], at[1]);
	}
	begin(false, 1);
	add_record(PACKET_4 + 22);
	add_zeros(12);
	add(4, 0x88a80001, true);
	add(4, 0x81000002, true);
	add(2, 0x0800, true);
	add_ip_4(6, 0);
	at[0] = 2 + add_segment(50000, 4450, smb2, false);
	EXPECT_PORTS(0, at[0]);
	begin(false, 147); /* another link */
	add_packet(50000, 4450, smb2, false);
	expect_ports(0, NULL, 0);
}

/* Add a packet of an interface, or of the only one. Return where the port is. */
static size_t add_block(uint32_t interface, bool simple)
{
	uint32_t size = (simple ? 16 : 32) + PACKET_4;
	size_t at;

	add_own(4, simple ? 3 : 6);
	add_own(4, size);
	if (!simple) {
		add_own(4, interface);
		add_zeros(8);
		add_own(4, PACKET_4);
	}
	add_own(4, PACKET_4);
	add_ip_4(6, 0);
	at = 2 + add_segment(50000, 4450, smb2, false);
	add_own(4, size);
	return at;
}

/* Two sections of either byte order. Only one interface has a known link. */
static void pcapng_is_altered(void **state)
{
	size_t first, second, simple;

	memset(&capture, 0, sizeof(capture));
	begin_section(false, 147, 101);
	add_own(4, 4); /* names; longer than a part */
	add_own(4, 312);
	add_zeros(300);
	add_own(4, 312);
	add_block(0, false);
	first = add_block(1, false);
	add_block(0, true);
	EXPECT_PORTS(0, first);
	begin_section(true, 101, 147);
	second = add_block(0, false);
	add_block(1, false);
	simple = add_block(0, true);
	EXPECT_PORTS(0, first, second, simple);
}

/* Damage: the rest of the capture is not altered. */
static void a_damaged_capture_is_passed_on(void **state)
{
	size_t at;

	begin(false, 101);
	at = 2 + add_packet(50000, 4450, smb2, false);
	add_record(UINT32_MAX);
	add_packet(50000, 4450, smb2, false);
	EXPECT_PORTS(0, at);

	memset(&capture, 0, sizeof(capture));
	begin_section(false, 101, 101);
	add_own(4, 6);
	add_own(4, 11);
	add_zeros(20);
	add_ip_4(6, 0);
	add_segment(50000, 4450, smb2, false);
	expect_ports(0, NULL, 0);
}

/* More ports than are remembered. */
static void few_ports_are_remembered(void **state)
{
	struct capture_ports ports = {0};
	uint16_t i;

	for (i = 0; i < 100; i++)
		capture_ports_add(&ports, 1000);
	assert_int_equal(ports.server_count, 1);
	for (i = 0; i < 100; i++)
		capture_ports_add(&ports, 1000 + i);
	assert_int_equal(ports.server_count, 16);
}

int unit_capture_ports(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_are_found_or_named),
		cmocka_unit_test(all_links_have_tcp),
		cmocka_unit_test(pcapng_is_altered),
		cmocka_unit_test(a_damaged_capture_is_passed_on),
		cmocka_unit_test(few_ports_are_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
