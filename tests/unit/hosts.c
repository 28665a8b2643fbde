/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a run on many hosts, their texts, launchers and lists of hosts. */
#include "unit.h"

#include "hosts/hosts.h"
#include "hosts/launcher.h"
#include "hosts/link.h"
#include "hosts/payload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A link whose messages come from the write end of a pipe. */
struct talk {
	struct link link;
	int fd;
};

static void begin(struct talk *talk)
{
	int in[2];

	assert_int_equal(pipe(in), 0);
	link_open(&talk->link, in[0], open("/dev/null", O_WRONLY));
	talk->fd = in[1];
}

static void end(struct talk *talk)
{
	close(talk->fd);
	link_close(&talk->link);
}

/* Receive a text, and take a message. */
static int receive(struct talk *talk, const char *text, struct message *message)
{
	assert_int_equal(write(talk->fd, text, strlen(text)), strlen(text));
	assert_int_equal(link_fill(&talk->link), 0);
	return link_next(&talk->link, message);
}

/* Return what link_next says of the first bytes after a greeting. */
static int after_greeting(const char *text)
{
	struct message message;
	struct talk talk;
	int rc;

	begin(&talk);
	assert_int_equal(receive(&talk, "HELLO 0 0 0 0 0\n\n", &message), 1);
	rc = receive(&talk, text, &message);
	end(&talk);
	return rc;
}

static void a_message_arrives_in_pieces(void **state)
{
	struct message message;
	struct talk talk;

	begin(&talk);
	assert_int_equal(receive(&talk, "HELLO 1 2 3 18446744073709551615 3", &message), 0);
	assert_int_equal(receive(&talk, "\na\nb", &message), 0);
	assert_int_equal(receive(&talk, "\nPING 9 0 0 0 0\n\n", &message), 1);
	assert_int_equal(message.type, MESSAGE_HELLO);
	assert_int_equal(message.numbers[3], UINT64_MAX);
	assert_int_equal(message.bytes, 3);
	assert_string_equal(message.payload, "a\nb");
	assert_int_equal(link_next(&talk.link, &message), 1);
	assert_int_equal(message.type, MESSAGE_PING);
	assert_int_equal(message.numbers[0], 9);
	assert_int_equal(link_next(&talk.link, &message), 0);
	end(&talk);
}

static void lines_before_the_greeting_are_skipped(void **state)
{
	struct message message;
	struct talk talk;

	begin(&talk);
	assert_int_equal(receive(&talk, "Welcome\r\nHELLO to all\nPING 1 0 0 0 0\n", &message), 0);
	assert_int_equal(receive(&talk, "HELLO 4 0 0 0 0\n\n", &message), 1);
	assert_int_equal(message.numbers[0], 4);
	end(&talk);
}

static void endless_noise_is_refused(void **state)
{
	struct message message;
	struct talk talk;
	char text[4097];
	unsigned i;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	begin(&talk);
	for (i = 0; i < 256; i++)
		assert_int_equal(receive(&talk, text, &message), 0);
	assert_int_equal(receive(&talk, text, &message), -EPROTO);
	end(&talk);
}

static void a_peer_that_does_not_read_is_given_up(void **state)
{
	struct message message = {.type = MESSAGE_LOAD, .bytes = MESSAGE_BYTES_MAX};
	struct link link;
	int fds[2], rc = 0;
	unsigned i;

	message.payload = calloc(message.bytes, 1);
	assert_non_null(message.payload);
	assert_int_equal(pipe(fds), 0);
	link_open(&link, open("/dev/null", O_RDONLY), fds[1]);
	assert_int_equal(link_send(&link, &message), 0);
	for (i = 0; i < 8 && rc == 0; i++)
		rc = link_send(&link, &message);
	assert_int_equal(rc, -ENOBUFS);
	link_close(&link);
	close(fds[0]);
	free((void *)message.payload);
}

static void other_bytes_are_no_message(void **state)
{
	assert_int_equal(after_greeting("PING 1 0 0 0 0\n\n"), 1);
	assert_int_equal(after_greeting("PING 1 0 0 0 0\nx"), -EPROTO);
	assert_int_equal(after_greeting("PINGS 1 0 0 0 0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("PING 1 0 0 0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("PING 1 0 0 0 0 0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("PING -1 0 0 0 0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("PING 1 0 0 0  0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("PING 18446744073709551616 0 0 0 0\n\n"), -EPROTO);
	assert_int_equal(after_greeting("TALLY 0 0 0 0 16777216\n"), 0);
	assert_int_equal(after_greeting("TALLY 0 0 0 0 16777217\n"), -EPROTO);
}

static void a_line_without_end_is_refused(void **state)
{
	char text[200];

	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "PING ", 5);
	assert_int_equal(after_greeting(text), -EPROTO);
}

static void a_message_is_read_as_it_was_sent(void **state)
{
	struct message message = {.type = MESSAGE_POINT, .payload = "users 4\n", .bytes = 8};
	struct link one, other;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	link_open(&one, open("/dev/null", O_RDONLY), fds[1]);
	link_open(&other, fds[0], open("/dev/null", O_WRONLY));
	other.greeted = true;
	message.numbers[2] = 17;
	assert_int_equal(link_send(&one, &message), 0);
	assert_int_equal(link_fill(&other), 0);
	assert_int_equal(link_next(&other, &message), 1);
	assert_int_equal(message.type, MESSAGE_POINT);
	assert_int_equal(message.numbers[2], 17);
	assert_string_equal(message.payload, "users 4\n");
	message.bytes = MESSAGE_BYTES_MAX + 1;
	assert_int_equal(link_send(&one, &message), -EMSGSIZE);
	link_close(&one);
	assert_int_equal(link_fill(&other), -EPIPE);
	link_close(&other);
}

static void texts_are_masked(void **state)
{
	char value[PAYLOAD_VALUE];

	assert_string_equal(payload_text("a x\nab \033[2Jy\233\n", "ab", value), "?[2Jy?");
	assert_string_equal(payload_text("a x\n", "x", value), "");
	assert_string_equal(payload_text("a x", "a", value), "x");
	assert_string_equal(payload_text(NULL, "a", value), "");
	assert_int_equal(payload_number("n 12\n", "n"), 12);
	assert_int_equal(payload_number("n -12\n", "n"), 0);
	assert_int_equal(payload_number("n 12x\n", "n"), 0);
	assert_int_equal(payload_number("n 18446744073709551616\n", "n"), 0);
}

/* Expect a list of hosts; NULL: the text is refused. */
static void expect_hosts(const char *text, const char *expected)
{
	struct error error = {0};
	char **list = hosts_parse(text, &error), joined[256] = "";
	size_t i;

	assert_int_equal(list != NULL, expected != NULL);
	assert_int_equal(error.set, expected == NULL);
	for (i = 0; list != NULL && list[i] != NULL; i++) {
		strcat(joined, list[i]);
		strcat(joined, " ");
	}
	if (expected != NULL)
		assert_string_equal(joined, expected);
	hosts_free_list(list);
}

static void hosts_are_a_list(void **state)
{
	expect_hosts("h1", "h1 ");
	expect_hosts("h1,root@h2,[::1]", "h1 root@h2 [::1] ");
	expect_hosts("", NULL);
	expect_hosts("h1,", NULL);
	expect_hosts("h1,h1", NULL);
	expect_hosts("-oProxyCommand=x", NULL);
	expect_hosts("h1,h 2", NULL);
	expect_hosts("h1,\033[2J", NULL);
	expect_hosts("@/nonexistent", NULL);
}

static void hosts_may_be_in_a_file(void **state)
{
	char path[] = "/tmp/throng-unit.XXXXXX", text[64];
	static const char lines[] = "# all of them\n h1 # the first\n\nh2\r\nh3 slots=4\n";
	int fd = mkstemp(path);

	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	close(fd);
	snprintf(text, sizeof(text), "@%s", path);
	expect_hosts(text, "h1 h2 h3 ");
	unlink(path);
}

static void a_launcher_is_words(void **state)
{
	struct launcher launcher;
	struct error error = {0};

	assert_int_equal(launcher_parse("kubectl exec  -i %h --", &launcher, &error), 0);
	assert_string_equal(launcher.words[3], "%h");
	assert_string_equal(launcher.words[4], "--");
	assert_null(launcher.words[5]);
	assert_true(launcher.has_host);
	launcher_free(&launcher);
	assert_int_equal(launcher_parse("rsh", &launcher, &error), 0);
	assert_false(launcher.has_host);
	launcher_free(&launcher);
	assert_int_equal(launcher_parse(" ", &launcher, &error), -EINVAL);
	launcher_free(&launcher);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_message_arrives_in_pieces),
	cmocka_unit_test(lines_before_the_greeting_are_skipped),
	cmocka_unit_test(endless_noise_is_refused),
	cmocka_unit_test(a_peer_that_does_not_read_is_given_up),
	cmocka_unit_test(other_bytes_are_no_message),
	cmocka_unit_test(a_line_without_end_is_refused),
	cmocka_unit_test(a_message_is_read_as_it_was_sent),
	cmocka_unit_test(texts_are_masked),
	cmocka_unit_test(hosts_are_a_list),
	cmocka_unit_test(hosts_may_be_in_a_file),
	cmocka_unit_test(a_launcher_is_words),
};

int unit_hosts(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
