/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a user of a tcp: target waits for a server that is not there yet.
 * Time is simulated. */
#include "unit.h"

#include "simulated.h"
#include "target/target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define BEGIN_NS (1000 * NS_PER_S)

/* Nobody listens on the port that is bound. */
static void an_absent_server_may_come_up_for_5_s(void **state)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct backend_session *session;
	struct target target;
	struct error error = {0};
	uint64_t waited_ns;
	char url[64];

	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	snprintf(url, sizeof(url), "tcp://127.0.0.1:%u", ntohs(address.sin_port));
	assert_int_equal(target_parse(url, &target, &error), 0);
	simulated_begin(BEGIN_NS);
	assert_int_equal(target.backend->session_open(&target, 0, &session), -ECONNREFUSED);
	waited_ns = clock_now_ns() - BEGIN_NS;
	simulated_end();
	assert_true(waited_ns >= 5 * NS_PER_S);
	assert_true(waited_ns < 6 * NS_PER_S);
	target_free(&target);
	close(fd);
}

int unit_tcp(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_absent_server_may_come_up_for_5_s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
