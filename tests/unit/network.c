/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/network.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

static void addresses_have_hosts_and_ports(void **state)
{
	static const struct {
		const char *text, *host, *port;
	} rows[] = {
		{"localhost", "localhost", "7003"},
		{"server.example:1", "server.example", "1"},
		{"127.0.0.1:65535", "127.0.0.1", "65535"},
		{"::1", "::1", "7003"},
		{"[::1]", "::1", "7003"},
		{"[fe80::1%eth0]:7004", "fe80::1%eth0", "7004"},
		{"*:7004", "*", "7004"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct network_address address;
		struct error error = {0};

		assert_int_equal(network_parse(rows[i].text, "7003", &address, &error), 0);
		assert_string_equal(address.host, rows[i].host);
		assert_string_equal(address.port, rows[i].port);
	}
}

static void invalid_addresses_are_refused(void **state)
{
	static const char *const rows[] = {
		"",      ":7003",  "[]",         "[::1",      "[::1]x",
		"host:", "host:0", "host:65536", "host:http", "host:-1",
	};
	char longest[300];
	size_t i;
	struct network_address address;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};

		assert_true(network_parse(rows[i], "7003", &address, &error) < 0);
		assert_true(error.set);
	}
	for (i = 255; i <= 256; i++) {
		struct error error = {0};

		memset(longest, 'h', i);
		longest[i] = '\0';
		assert_int_equal(network_parse(longest, "7003", &address, &error) == 0, i == 255);
	}
}

static int set(const char *options, int level, int option)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), value = -1;
	struct error error = {0};
	socklen_t bytes = sizeof(value);

	assert_true(fd >= 0);
	if (network_set_options(fd, options, &error) == 0)
		getsockopt(fd, level, option, &value, &bytes);
	else
		assert_true(error.set);
	close(fd);
	return value;
}

static void options_are_set(void **state)
{
	assert_int_equal(set("", IPPROTO_TCP, TCP_NODELAY), 0);
	assert_int_equal(set("TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY), 1);
	assert_int_equal(set("tcp_nodelay", IPPROTO_TCP, TCP_NODELAY), 1);
	assert_int_equal(set("TCP_NODELAY=0", IPPROTO_TCP, TCP_NODELAY), 0);
	assert_int_equal(
		set(" SO_REUSEADDR, TCP_NODELAY\tSO_SNDBUF=16384", IPPROTO_TCP, TCP_NODELAY), 1);
	/* The kernel doubles the size. */
	assert_int_equal(set("TCP_NODELAY,SO_SNDBUF=16384", SOL_SOCKET, SO_SNDBUF), 32768);
	assert_true(set("IPTOS_LOWDELAY", IPPROTO_IP, IP_TOS) > 0);
}

static void invalid_options_are_refused(void **state)
{
	char longest[1000];

	memset(longest, ' ', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(set("FOO", SOL_SOCKET, SO_SNDBUF), -1);
	assert_int_equal(set("SO_SNDBUF=", SOL_SOCKET, SO_SNDBUF), -1);
	assert_int_equal(set("SO_SNDBUF=1k", SOL_SOCKET, SO_SNDBUF), -1);
	assert_int_equal(set("SO_SNDBUF=2147483648", SOL_SOCKET, SO_SNDBUF), -1);
	assert_int_equal(set("IPTOS_LOWDELAY=1", SOL_SOCKET, SO_SNDBUF), -1);
	assert_int_equal(set(longest, SOL_SOCKET, SO_SNDBUF), -1);
}

int unit_network(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_have_hosts_and_ports),
		cmocka_unit_test(invalid_addresses_are_refused),
		cmocka_unit_test(options_are_set),
		cmocka_unit_test(invalid_options_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
