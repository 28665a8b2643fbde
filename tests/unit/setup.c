/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "adapt/setup_flush.h"

#define FILE_1 "open /client1/f read,write,create 1 OK\n"

/* A close in the set-up flushes its file if it may have been written. */
static void closes_of_written_files_flush(void **state)
{
	/* The set-up, and its closes in order: 'f' flushes, '-' does not. */
	static const struct {
		const char *setup, *closes;
	} rows[] = {
		{FILE_1 "write 1 0 10 OK\nclose 1 OK\n" FILE_1 "close 1 OK\n", "f-"},
		{FILE_1 "read 1 0 10 - OK\nclose 1 OK\n", "-"},
		{FILE_1 "truncate 1 10 OK\nclose 1 OK\n", "f"},
		/* The next round writes what a close there flushes: ... */
		{"LOOP 10\n" FILE_1 "write 1 0 10 OK\nclose 1 OK\nENDLOOP\n", "f"},
		/* ... even if no write is above the close. */
		{FILE_1 "LOOP 10\nclose 1 OK\n" FILE_1 "write 1 0 10 OK\n"
			"ENDLOOP\nclose 1 OK\n",
		 "ff"},
		{FILE_1 "MIX 10\n1 BEGIN\nclose 1 OK\n" FILE_1 "END\n"
			"1 write 1 0 10 OK\nENDMIX\n",
		 "f"},
		/* A file that stays open is flushed at the end. */
		{FILE_1 "close 1 OK\n" FILE_1 "write 1 0 10 OK\n", "-"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		const char *wanted = rows[i].closes;
		struct error error = {0};
		struct program *program;
		char text[500];
		size_t at;

		snprintf(text, sizeof(text),
			 "SETUP\n%sENDSETUP\n"
			 "open /client1/g write,create 2 OK\n"
			 "write 2 0 10 OK\nclose 2 OK\n",
			 rows[i].setup);
		program = load_text(text);
		assert_int_equal(setup_flush(program, &error), 0);
		for (at = 0; at < program->op_count; at++) {
			const struct op *op = &program->ops[at];

			if (op->kind != OP_CLOSE)
				continue;
			/* The last close is not in the set-up. */
			if (((op->flags & OP_FLUSH) != 0) != (*wanted == 'f'))
				fail_msg("op %zu: %s", at, text);
			wanted += *wanted != '\0';
		}
		assert_int_equal(*wanted, '\0');
		program_free(program);
	}
}

int unit_setup(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(closes_of_written_files_flush),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
