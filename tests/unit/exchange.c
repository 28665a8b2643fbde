/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the sizes of the packets for each operation. The sizes for the netbench
 * dialect are those that Debian's tbench 4.0 sends and requests, as logged by a
 * server to which it was connected.
 */
#include "unit.h"

#include "play/exchange.h"

/* Return the packet sizes of a load's last operation, for user 0. */
static struct exchange sizes_of(const char *text)
{
	struct program *program = load_text(text);
	struct data_pool *pool = data_pool_new(DATA_ZERO, 0, 1);
	struct binding binding;
	struct exchange exchange;

	assert_non_null(pool);
	assert_int_equal(bind_open(&binding, program, 0, 1, 1, pool), 0);
	exchange = exchange_of(&binding, &program->ops[program->op_count - 1]);
	bind_free(&binding);
	data_pool_free(pool);
	program_free(program);
	return exchange;
}

#define OPENED "NTCreateX \"\\clients\\client1\\ab\" 0x1 0x2 1 NT_STATUS_OK\n"

#define NATIVE "open \"/clients/client1/ab\" read,write,create 1 OK\n"

static void sizes_are_those_of_tbench(void **state)
{
	static const struct {
		const char *text;
		uint32_t request, reply;
	} rows[] = {
		{OPENED, 114, 87},
		{"NTCreateX \"\\clients\\client1\\ab\" 0x1 0x2 1 NT_STATUS_OBJECT_NAME_NOT_FOUND\n",
		 114, 87},
		{OPENED "Close 1 NT_STATUS_OK\n", 47, 39},
		{OPENED "WriteX 1 0 1000 900 NT_STATUS_OK\n", 1059, 55},
		{OPENED "WriteX 1 0 500 500 NT_STATUS_ACCESS_DENIED\n", 559, 55},
		{OPENED "ReadX 1 0 1000 900 NT_STATUS_OK\n", 59, 959},
		{OPENED "ReadX 1 0 1000 900 NT_STATUS_ACCESS_DENIED\n", 59, 959},
		{OPENED "Flush 1 NT_STATUS_OK\n", 41, 39},
		{OPENED "LockX 1 0 10 NT_STATUS_OK\n", 51, 39},
		{OPENED "UnlockX 1 0 10 NT_STATUS_OK\n", 51, 39},
		{OPENED "QUERY_FILE_INFORMATION 1 258 NT_STATUS_OK\n", 59, 71},
		{OPENED "SET_FILE_INFORMATION 1 258 NT_STATUS_OK\n", 71, 47},
		{"QUERY_PATH_INFORMATION \"\\clients\\client1\\ab\" 1004 NT_STATUS_OK\n", 95, 71},
		{"QUERY_FS_INFORMATION 1 NT_STATUS_OK\n", 59, 71},
		{"FIND_FIRST \"\\clients\\client1\\*\" 260 1366 2 NT_STATUS_OK\n", 97, 219},
		{"FIND_FIRST \"\\clients\\client1\\x*\" 260 1366 0 NT_STATUS_NO_SUCH_FILE\n", 99,
		 39},
		{"FIND_FIRST \"\\clients\\client1\\x*\" 260 1366 3 NT_STATUS_NO_SUCH_FILE\n", 99,
		 309},
		{"Rename \"\\clients\\client1\\ab\" \"\\clients\\client1\\abcd\" NT_STATUS_OK\n",
		 131, 39},
		{"Unlink \"\\clients\\client1\\abcd\" 6 NT_STATUS_OK\n", 87, 39},
		{"Mkdir \"\\clients\\client1\\abc\" NT_STATUS_OK\n", 85, 39},
		{"Rmdir \"\\clients\\client1\\abc\" NT_STATUS_OK\n", 85, 39},
		{"Deltree \"\\clients\\client1\" NT_STATUS_OK\n", 0, 0},
		/* NFS procedures have the sizes of the nearest netbench
		 * operation. */
		{"CREATE3 \"/clients/client1/ab\" 0x0\n", 114, 87},
		{"READ3 \"/clients/client1/ab\" 0 100 0x0\n", 59, 159},
		{"WRITE3 \"/clients/client1/ab\" 0 100 2 0x0\n", 159, 55},
		{"COMMIT3 \"/clients/client1/ab\" 0x0\n", 41, 39},
		/* So have the other operations of the native dialect. */
		{NATIVE "truncate 1 0 OK\n", 71, 47},
		{NATIVE "fdatasync 1 OK\n", 41, 39},
		{NATIVE "lock-test 1 0 1 OK\n", 51, 39},
		{NATIVE "sync-range 1 0 1 OK\n", 51, 39},
		{NATIVE "allocate 1 0 1 OK\n", 51, 39},
		{NATIVE "copy 1 0 1 10 5 5 OK\n", 79, 39},
		{NATIVE "clone 1 0 1 10 5 OK\n", 79, 39},
		{"access \"/clients/client1/ab\" read OK\n", 95, 71},
		{"chmod \"/clients/client1/ab\" 600 OK\n", 107, 47},
		{"chown \"/clients/client1/ab\" - - OK\n", 107, 47},
		{"set-path-times \"/clients/client1/ab\" OK\n", 107, 47},
		{"xattr-set \"/clients/client1/ab\" user.a 100 OK\n", 207, 47},
		{"xattr-get \"/clients/client1/ab\" user.a 200 100 OK\n", 95, 171},
		{"xattr-list \"/clients/client1/ab\" OK\n", 95, 71},
		{"xattr-remove \"/clients/client1/ab\" user.a OK\n", 107, 47},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct exchange exchange = sizes_of(rows[i].text);

		assert_int_equal(exchange.request_bytes + exchange.sent_bytes, rows[i].request);
		assert_int_equal(exchange.reply_bytes + exchange.received_bytes, rows[i].reply);
	}
}

static void payload_sizes_are_counted(void **state)
{
	struct exchange exchange;

	exchange = sizes_of(OPENED "WriteX 1 0 1000 900 NT_STATUS_OK\n");
	assert_int_equal(exchange.sent_bytes, 1000);
	assert_int_equal(exchange.received_bytes, 0);
	exchange = sizes_of(OPENED "ReadX 1 0 1000 900 NT_STATUS_OK\n");
	assert_int_equal(exchange.sent_bytes, 0);
	assert_int_equal(exchange.received_bytes, 900);
	exchange = sizes_of("transact 100 300 close OK\n");
	assert_int_equal(exchange.sent_bytes, 100);
	assert_int_equal(exchange.received_bytes, 300);
}

/* A log of the calls to the fake backend that is defined below. */
static char asked[1024];

static void note(const char *text)
{
	assert_true(strlen(asked) + strlen(text) < sizeof(asked));
	strcat(asked, text);
}

static int note_exchange(struct backend_session *session, uint32_t request, uint32_t reply)
{
	char text[64];

	snprintf(text, sizeof(text), "%u %u; ", request, reply);
	note(text);
	return 0;
}

static int note_connect(struct backend_session *session)
{
	note("connect; ");
	return 0;
}

static int note_disconnect(struct backend_session *session, bool reset)
{
	note(reset ? "reset; " : "close; ");
	return 0;
}

static const struct backend logging = {
	.exchange = note_exchange,
	.connect = note_connect,
	.disconnect = note_disconnect,
};

static int64_t play(const char *text)
{
	struct replay replay = {.backend = &logging};
	struct program *program = load_text(text);
	struct data_pool *pool = data_pool_new(DATA_ZERO, 0, 1);
	int64_t returned;

	asked[0] = '\0';
	assert_non_null(pool);
	assert_int_equal(bind_open(&replay.binding, program, 0, 1, 1, pool), 0);
	returned = exchange_play(&replay, &program->ops[program->op_count - 1]);
	bind_free(&replay.binding);
	data_pool_free(pool);
	program_free(program);
	return returned;
}

static void large_transfers_take_several_packets(void **state)
{
	assert_int_equal(play(OPENED "WriteX 1 0 65536 65536 NT_STATUS_OK\n"), 65536);
	assert_string_equal(asked, "65595 55; ");
	assert_int_equal(play(OPENED "WriteX 1 0 65537 65537 NT_STATUS_OK\n"), 65537);
	assert_string_equal(asked, "65595 55; 60 55; ");
	assert_int_equal(play(OPENED "ReadX 1 0 140000 140000 NT_STATUS_OK\n"), 140000);
	assert_string_equal(asked, "59 65595; 59 65595; 59 8987; ");
}

static void a_listing_moves_no_file_data(void **state)
{
	assert_int_equal(play("FIND_FIRST \"\\clients\\client1\\*\" 260 1366 2 NT_STATUS_OK\n"), 0);
	assert_string_equal(asked, "97 219; ");
	assert_int_equal(
		play("FIND_FIRST \"\\clients\\client1\\*\" 260 1366 1000000000 NT_STATUS_OK\n"), 0);
	assert_string_equal(asked, "97 65575; ");
}

static void an_empty_exchange_sends_nothing(void **state)
{
	assert_int_equal(play("Deltree \"\\clients\\client1\" NT_STATUS_OK\n"), 0);
	assert_string_equal(asked, "");
}

static void transactions_connect_as_recorded(void **state)
{
	assert_int_equal(play("transact 100 300 keep OK\n"), 400);
	assert_string_equal(asked, "108 308; ");
	assert_int_equal(play("transact 0 0 close OK\n"), 0);
	assert_string_equal(asked, "connect; 8 8; close; ");
	assert_int_equal(play("transact 1 2 reset OK\n"), 3);
	assert_string_equal(asked, "connect; 9 10; reset; ");
}

int unit_exchange(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_tbench),
		cmocka_unit_test(payload_sizes_are_counted),
		cmocka_unit_test(large_transfers_take_several_packets),
		cmocka_unit_test(a_listing_moves_no_file_data),
		cmocka_unit_test(an_empty_exchange_sends_nothing),
		cmocka_unit_test(transactions_connect_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
