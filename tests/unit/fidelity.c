/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "adapt/fit.h"
#include "study/fidelity.h"

#define BUILTIN SMB_CLIENT_BUILTIN
#define LIBRARY SMB_CLIENT_LIBRARY

/* The capabilities of libsmbclient. */
static const unsigned able = CAP_ALL & ~(unsigned)(CAP_FSYNC | CAP_LOCKS | CAP_SYNC_OPENS);

static struct fidelity sum_of(struct program *program, enum smb_client client)
{
	struct fidelity sum = {0};

	assert_int_equal(fidelity_add(program, client, 1, &sum), 0);
	return sum;
}

/* Expect that all operations of a load but the first `others` are sent in this
 * way. */
static void expect_all(const char *text, enum smb_client client, bool exact, double others,
		       double trips)
{
	struct program *program = load_text(text);
	struct fidelity sum = sum_of(program, client);

	if ((exact ? sum.as_recorded : sum.nearest) != sum.ops - others || sum.round_trips != trips)
		fail_msg("%s: client %d: %g of %g as recorded, %g round trips", text, client,
			 sum.as_recorded, sum.ops, sum.round_trips);
	program_free(program);
}

#define PATH "\"\\clients\\client1\\f\""
#define OK " NT_STATUS_OK\n"
#define FAILS " NT_STATUS_OBJECT_NAME_NOT_FOUND\n"

static void each_client_sends_requests_in_its_own_way(void **state)
{
	static const struct {
		const char *text;
		bool builtin_exact, library_exact;
		double builtin_trips, library_trips;
	} rows[] = {
		{"Unlink " PATH " 0x6" OK, true, false, 1, 2},
		{"Unlink \"\\clients\\client1\\*.tmp\" 0x6" OK, false, false, 2, 6},
		{"Rename " PATH " \"\\clients\\client1\\g\"" OK, true, false, 1, 4},
		{"Mkdir \"\\clients\\client1\\d\"" OK, true, false, 1, 2},
		{"Deltree \"\\clients\\client1\"" OK, false, false, 2, 6},
		/* FileBasicInformation, its old level, and SMB_INFO_STANDARD,
		 * which is no class of SMB2. */
		{"QUERY_PATH_INFORMATION " PATH " 1004" OK, true, false, 1, 3},
		{"QUERY_PATH_INFORMATION " PATH " 257" OK, true, false, 1, 3},
		{"QUERY_PATH_INFORMATION " PATH " 1" OK, false, false, 1, 3},
		{"QUERY_PATH_INFORMATION " PATH " 1035" FAILS, true, false, 1, 1},
		{"QUERY_FS_INFORMATION 259" OK, true, false, 1, 6},
		{"QUERY_FS_INFORMATION 7" OK, false, false, 1, 6},
		{"FIND_FIRST \"\\clients\\client1\\<.JNK\" 260 1 0 NT_STATUS_NO_SUCH_FILE\n", true,
		 false, 1, 4},
		{"FIND_FIRST \"\\clients\\client1\\*\" 9 1 0 NT_STATUS_NO_SUCH_FILE\n", false,
		 false, 1, 4},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		expect_all(rows[i].text, BUILTIN, rows[i].builtin_exact, 0, rows[i].builtin_trips);
		expect_all(rows[i].text, LIBRARY, rows[i].library_exact, 0, rows[i].library_trips);
	}
}

/* The arguments of NTCreateX are options and disposition. */
#define OPEN_AS(arguments, status) "NTCreateX " PATH " " arguments " 1" status
#define OPENED(arguments) OPEN_AS(arguments, OK) "Close 1" OK

static void opens_depend_on_options_and_disposition(void **state)
{
	static const struct {
		const char *text;
		bool builtin_exact, library_exact;
		double library_trips;
	} rows[] = {
		{OPENED("0x40 1"), true, true, 2},
		{OPENED("0x40 3"), true, true, 2},
		{OPENED("0x40 5"), true, true, 2},
		/* The library opens no directory, so it closes none. */
		{OPENED("0x1 1"), true, false, 1},
		{OPENED("0x0 1"), true, false, 1},
		{OPEN_AS("0x40 2", FAILS), true, true, 1},
		{OPEN_AS("0x40 2", OK), true, false, 1},
		{OPEN_AS("0x40 0", OK), true, false, 1},
		{OPEN_AS("0x44 1", OK), true, false, 1},
		/* A name that is a number. */
		{OPEN_AS("0x2040 1", OK), false, false, 1},
	};
#define OPEN_FOR(words) "open \"/client1/f\" " words "\n"
	static const struct {
		const char *text;
		bool library_exact;
	} rights[] = {
		{OPEN_FOR("read,file 1 access=0x120089 share=0x3"), true},
		{OPEN_FOR("write,file 1 access=0x120116"), true},
		{OPEN_FOR("read,write,file 1 access=0x12019f"), true},
		{OPEN_FOR("read,file 1 access=0x12019f"), false},
		{OPEN_FOR("read,file 1 share=0x7"), false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		expect_all(rows[i].text, BUILTIN, rows[i].builtin_exact, 0,
			   strstr(rows[i].text, "Close") != NULL ? 2 : 1);
		expect_all(rows[i].text, LIBRARY, rows[i].library_exact, 0, rows[i].library_trips);
	}
	for (i = 0; i < LENGTH(rights); i++) {
		expect_all(rights[i].text, BUILTIN, true, 0, 1);
		expect_all(rights[i].text, LIBRARY, rights[i].library_exact, 0, 1);
	}
	/* The open goes out as recorded, and the close is followed by a
	 * removal. */
	expect_all(OPENED("0x1040 3"), BUILTIN, true, 0, 2);
	expect_all(OPENED("0x1040 3"), LIBRARY, false, 0, 4);
}

static void a_handle_knows_what_to_set(void **state)
{
	static const char times[] = OPEN_AS("0x40 1", OK) "SET_FILE_INFORMATION 1 1004" OK
							  "QUERY_FILE_INFORMATION 1 258" OK
							  "Close 1" OK;
	static const char other[] = OPEN_AS("0x40 1", OK) "SET_FILE_INFORMATION 1 1019" OK
							  "Close 1" OK;

	expect_all(times, BUILTIN, true, 0, 4);
	expect_all(times, LIBRARY, true, 2, 7);
	expect_all(other, BUILTIN, true, 1, 3);
}

/* Write-through that was recorded must go out, too. */
static void some_operations_need_a_query_first(void **state)
{
	expect_all("open \"/clients/client1/f\" read,write,create 1 OK\n"
		   "allocate 1 0 4096 OK\n"
		   "set-path-times \"/clients/client1/f\" OK\n",
		   BUILTIN, false, 1, 5);
}

static void skipped_and_degraded_operations_are_not_as_recorded(void **state)
{
	static const char text[] = OPEN_AS("0x42 1", OK) "LOOP 3\nFlush 1" OK
							 "WriteX 1 0 512 512" OK
							 "ENDLOOP\nLockX 1 0 1" OK "Close 1" OK;
	struct program *program = load_text(text);
	struct fit_report report;
	struct fidelity sum;

	/* As --write-through ignore leaves it. */
	sum = sum_of(program, BUILTIN);
	assert_true(sum.ops == 9 && sum.as_recorded == 8 && sum.nearest == 1);
	program->ops[0].open_flags |= OPEN_SYNC;
	sum = sum_of(program, BUILTIN);
	assert_true(sum.as_recorded == 9 && sum.round_trips == 9);
	/* As --fsync leaves a write: two requests. */
	program->ops[3].flags |= OP_FLUSH;
	sum = sum_of(program, BUILTIN);
	assert_true(sum.as_recorded == 6 && sum.nearest == 3);
	assert_true(sum.round_trips == 12);
	program->ops[3].flags &= (uint16_t)~OP_FLUSH;
	/* As --sync leaves an open without write-through. */
	program->requests[program->ops[0].request].values[SMB_OPTIONS] = 0x40;
	sum = sum_of(program, BUILTIN);
	assert_true(sum.as_recorded == 8 && sum.nearest == 1);
	program->requests[program->ops[0].request].values[SMB_OPTIONS] = 0x42;

	assert_int_equal(fit_program(program, able, &report), 0);
	fit_free(&report);
	sum = sum_of(program, LIBRARY);
	assert_true(sum.ops == 9 && sum.skipped == 4 && sum.nearest == 1);
	assert_true(sum.as_recorded == 4 && sum.round_trips == 5);
	assert_int_equal(fidelity_add(program, LIBRARY, 2, &sum), 0);
	assert_true(sum.ops == 27 && sum.skipped == 12);
	program_free(program);
}

static void only_loads_of_smb_have_recorded_requests(void **state)
{
	static const struct {
		const char *text;
		bool applies;
	} rows[] = {
		{"Mkdir \"\\clients\\client1\\d\"" OK, true},
		{"mkdir \"/clients/client1/d\" OK\n", false},
		{"stat \"/clients/client1/d\" level=1004 OK\n", true},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].text);

		assert_int_equal(fidelity_applies(program), rows[i].applies);
		program_free(program);
	}
}

int unit_fidelity(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_client_sends_requests_in_its_own_way),
		cmocka_unit_test(opens_depend_on_options_and_disposition),
		cmocka_unit_test(a_handle_knows_what_to_set),
		cmocka_unit_test(some_operations_need_a_query_first),
		cmocka_unit_test(skipped_and_degraded_operations_are_not_as_recorded),
		cmocka_unit_test(only_loads_of_smb_have_recorded_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
