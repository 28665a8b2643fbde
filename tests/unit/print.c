/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "program/program.h"

#include <errno.h>

static const char title[] = "# throng loadfile, native dialect\n";

/* Check that the printed form of `load` is the title line and `text`. */
static void check_print(const char *load, const char *text)
{
	struct program *program = load_text(load), *again;
	char *print = printed(program), *second;

	assert_memory_equal(print, title, strlen(title));
	assert_string_equal(print + strlen(title), text);
	again = load_text(print);
	second = printed(again);
	assert_string_equal(second, print);
	free(print);
	free(second);
	program_free(program);
	program_free(again);
}

/* Compare everything in the programs that affects what users play, and the
 * labels. */
static void assert_same_program(const struct program *a, const struct program *b)
{
	size_t i;

	assert_int_equal(a->op_count, b->op_count);
	for (i = 0; i < a->op_count; i++) {
		struct op one = a->ops[i], other = b->ops[i];

		one.line = other.line = 0;
		assert_memory_equal(&one, &other, sizeof(one));
	}
	assert_int_equal(a->due_ns != NULL, b->due_ns != NULL);
	if (a->due_ns != NULL)
		assert_memory_equal(a->due_ns, b->due_ns, a->op_count * sizeof(*a->due_ns));
	assert_int_equal(a->path_count, b->path_count);
	for (i = 0; i < a->path_count; i++) {
		assert_string_equal(a->paths[i].text, b->paths[i].text);
		assert_int_equal(a->paths[i].place, b->paths[i].place);
		assert_int_equal(a->paths[i].varying, b->paths[i].varying);
	}
	assert_int_equal(a->label_count, b->label_count);
	for (i = 0; i < a->label_count; i++)
		assert_string_equal(a->labels[i], b->labels[i]);
	assert_int_equal(a->text_count, b->text_count);
	for (i = 0; i < a->text_count; i++)
		assert_string_equal(a->texts[i], b->texts[i]);
	assert_int_equal(a->formula_count, b->formula_count);
	if (a->formula_count > 0)
		assert_memory_equal(a->formulas, b->formulas,
				    a->formula_count * sizeof(*a->formulas));
	assert_int_equal(a->variable_count, b->variable_count);
	for (i = 0; i < a->variable_count; i++) {
		assert_string_equal(a->variables[i].name, b->variables[i].name);
		assert_memory_equal(&a->variables[i].range, &b->variables[i].range,
				    sizeof(a->variables[i].range));
	}
	assert_int_equal(a->zipf_count, b->zipf_count);
	for (i = 0; i < a->zipf_count; i++) {
		assert_int_equal(a->zipfs[i].count, b->zipfs[i].count);
		assert_true(a->zipfs[i].exponent == b->zipfs[i].exponent);
	}
	assert_int_equal(a->shuffle_count, b->shuffle_count);
	for (i = 0; i < a->shuffle_count; i++)
		assert_int_equal(a->shuffles[i].count, b->shuffles[i].count);
	assert_int_equal(a->phase_count, b->phase_count);
	for (i = 0; i < a->phase_count; i++) {
		assert_string_equal(a->phases[i].name, b->phases[i].name);
		assert_string_equal(a->phases[i].items, b->phases[i].items);
		assert_memory_equal(a->phases[i].counts, b->phases[i].counts,
				    sizeof(a->phases[i].counts));
	}
	assert_int_equal(a->leftover_count, b->leftover_count);
	assert_int_equal(a->prologue, b->prologue);
	assert_int_equal(a->handle_count, b->handle_count);
	assert_int_equal(a->io_bytes_max, b->io_bytes_max);
	assert_int_equal(a->user_awaited_max, b->user_awaited_max);
}

static void every_operation_is_printed_as_it_is_read(void **state)
{
	/* Every verb, flag and kind of argument, as program_print() prints
	 * them. */
	static const char native[] =
		"WRITEPATTERN some \"text\" of mine\n"
		"RANDOMSTRING 3 \"a[bc]\"\n"
		"SLEEP 250\n"
		"SETSP 1\n"
		"WAITSP 2 1\n"
		"LOOP 2\n"
		"mkdir \"/clients/client1/d\" lookup sync-parent OK|EEXIST\n"
		"open \"/clients/client1/d/$3\" read,write,create,exclusive,"
		"truncate,append,file,sync,write-through,delete-on-close,attributes 0 lookup OK\n"
		"open \"/clients/client1/d\" read,directory 1 *\n"
		"open \"/clients/client1/x\" read - ENOENT\n"
		"NTCreateX:open \"/clients/client1/x\" read - ERROR\n"
		"0.000000001 write 0 0 4096 4096 flush OK\n"
		"12.500000000 write 0 *%1048576/4096+512 4096 - OK\n"
		"read 0 +4096 4096 4096 OK\n"
		"read 0 *+child+num_children 4096 0 OK\n"
		"read 0 18446744073709551615 4096 - *\n"
		"a:b:fsync 0 OK\n"
		"lock 0 0 10 OK\n"
		"unlock 0 0 10 EAGAIN|EINVAL\n"
		"fstat 0 OK\n"
		"fstat 0 level=258 OK\n"
		"set-times 0 level=1004 OK\n"
		"close 0 OK\n"
		"stat \"/clients/client1/a b\" ENOENT\n"
		"statvfs OK\n"
		"list \"/clients/client1/d/*\" 1366 3 lookup OK\n"
		"list \"/clients/client1/d/<.a\" 1 - ENOENT\n"
		"unlink \"/clients/client1/a\" ENOENT\n"
		"unlink-matching \"/clients/client1/d/?\" lookup *\n"
		"rename \"/clients/client1/a\" \"/b\" replace ENOENT\n"
		"rename \"/clients/client1/a\" \"/b\" no-replace EEXIST\n"
		"rmdir \"/clients/client1/d\" ENOTEMPTY\n"
		"deltree \"/clients/client1\" OK|ENOENT\n"
		"ENDLOOP\n"
		"stat \"/\" OK\n";

	check_print(native, native);
}

static void netbench_words_become_labels(void **state)
{
	check_print("NTCreateX \"\\clients\\client1\\f\" 0x40 5 4711 NT_STATUS_OK\n"
		    "REPEAT 3\n"
		    "WriteX 4711 0 65536 65536 NT_STATUS_OK\n"
		    "Close 4711 NT_STATUS_OK\n",
		    "PROLOGUE\n"
		    "NTCreateX:open \"/clients/client1/f\" read,write,create,"
		    "truncate,file,attributes 0 options=0x40 disposition=overwrite-if lookup OK\n"
		    "LOOP 3\n"
		    "WriteX:write 0 0 65536 65536 OK\n"
		    "ENDLOOP\n"
		    "Close:close 0 OK\n");
}

static void printed_programs_load_as_the_same_program(void **state)
{
	static const char *const loads[] = {
		/* Handles that are reused in loops, and left open */
		"NTCreateX \\client1\\a 0 2 10 SUCCESS\n"
		"LOOP 5\n"
		"NTCreateX \\client1\\b 0 2 11 SUCCESS\n"
		"Close 11 SUCCESS\n"
		"NTCreateX \\client1\\c 0x1000 2 12 SUCCESS\n"
		"Rename \\client1\\c \\client1\\d SUCCESS\n"
		"Close 12 SUCCESS\n"
		"Close 10 SUCCESS\n"
		"NTCreateX \\client1\\a 1 1 10 SUCCESS\n"
		"ENDLOOP\n"
		"NTCreateX \\client1\\e 0x1000 2 13 SUCCESS\n"
		"NTCreateX \\client1\\f 0 2 14 SUCCESS\n",
		/* Time stamps with nanoseconds, also large ones */
		"0.1 Mkdir \\a SUCCESS\n"
		"0.123456789 Mkdir \\a SUCCESS\n"
		"Mkdir \\a SUCCESS\n"
		"123456789.123456789 Mkdir \\a SUCCESS\n"
		"999999999.999999999 Mkdir \\a SUCCESS\n",
		/* Shared paths, random strings, expressions */
		"RANDOMSTRING 1 \"[ab]\"\n"
		"NTCreateX /share/$1 0 1 5 SUCCESS\n"
		"WriteX 5 *%0x100000/010+1 4096 4096 SUCCESS\n"
		"ReadX 5 +1+2%3 1 1 SUCCESS\n"
		"ReadX 5 *+child 1 1 SUCCESS\n"
		"FIND_FIRST /share/* 1 10 2 SUCCESS\n",
		/* A handle that stays open, one that is opened again, and one
		 * whose slot is used again */
		"SETUP restore\n"
		"open \"/client1/a\" read,write,create 7 OK\n"
		"open \"/client1/b\" read,write,create 8 OK\n"
		"open \"/client1/c\" read,write,create 9 OK\n"
		"close 7 OK\n"
		"open \"/client1/a\" read,write,create 10 OK\n"
		"ENDSETUP\n"
		"close 8 OK\n"
		"open \"/client1/d\" read,write,create 11 OK\n"
		"open \"/client1/b\" read,write,create 8 OK\n"
		"read 10 0 1 0 OK\n",
		/* Variables, draws, mixes and phases */
		"PHASE one write stat\n"
		"open \"/client1/a\" read,write,create 1 OK\n"
		"LOOP 10 i\n"
		"LET k shuffle(10)*zipf(100,0.9)+random(0,$i+1)\n"
		"LET l shuffle(10)+zipf(100,1.25)\n"
		"stat \"/client1/f$k\" ENOENT\n"
		"write 1 $k*4Ki exp(1Ki)+$l OK\n"
		"ENDLOOP\n"
		"PHASE two fsync\n"
		"MIX random(1,$users+2)\n"
		"3 read 1 next zipf(4,0.9)*512 OK\n"
		"2 BEGIN\n"
		"LET k $user\n"
		"write 1 $k 1 OK\n"
		"END\n"
		"1 BEGIN\n"
		"0.5 fsync 1 OK\n"
		"END\n"
		"ENDMIX\n",
	};
	size_t i;

	for (i = 0; i < LENGTH(loads); i++) {
		struct program *program = load_text(loads[i]), *again;
		char *print = printed(program);

		again = load_text(print);
		assert_same_program(program, again);
		free(print);
		program_free(program);
		program_free(again);
	}
}

static void words_without_quotes_around_may_contain_one(void **state)
{
	check_print("RANDOMSTRING 1 a\"b\n"
		    "FIND_FIRST /client1/$1/<\"* 0 3 4 SUCCESS\n"
		    "Unlink /client1/a\"b 0 SUCCESS\n",
		    "PROLOGUE\n"
		    "RANDOMSTRING 1 a\"b\n"
		    "FIND_FIRST:list /clients/client1/$1/<\"* 3 4 level=0 lookup OK\n"
		    "Unlink:unlink-matching /clients/client1/a\"b "
		    "attributes=0x0 lookup OK\n");
}

static void a_pattern_keeps_its_inner_carriage_returns(void **state)
{
	check_print("WRITEPATTERN a\rb \r\r\r\nstatvfs OK\r\n", "WRITEPATTERN a\rb \nstatvfs OK\n");
}

static void open_flags_are_read_as_they_are_printed(void **state)
{
	char text[OPEN_FLAGS_TEXT];
	uint64_t flags, again;

	/* Try all combinations of the 12 flags. */
	for (flags = 1; flags < 1 << 12; flags++) {
		program_print_open_flags(flags, text);
		assert_int_equal(program_parse_open_flags(text, &again), 0);
		assert_int_equal(again, flags);
	}
}

static void invalid_open_flags_are_refused(void **state)
{
	static const char *const texts[] = {
		"",       ",",   "read,", ",read",      "read,,write",
		"reader", "rea", "READ",  "read write", "0x1",
	};
	uint64_t flags;
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		if (program_parse_open_flags(texts[i], &flags) != -EINVAL)
			fail_msg("\"%s\" was accepted", texts[i]);
}

int unit_print(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_is_printed_as_it_is_read),
		cmocka_unit_test(netbench_words_become_labels),
		cmocka_unit_test(printed_programs_load_as_the_same_program),
		cmocka_unit_test(words_without_quotes_around_may_contain_one),
		cmocka_unit_test(a_pattern_keeps_its_inner_carriage_returns),
		cmocka_unit_test(open_flags_are_read_as_they_are_printed),
		cmocka_unit_test(invalid_open_flags_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
