/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "capture/strace/line.h"

#include <string.h>

static char text[512];
static struct strace_line line;
static struct strace_call call;

static bool parse_line(const char *source)
{
	strcpy(text, source);
	return strace_line_parse(text, strlen(text), &line);
}

static bool parse(const char *source)
{
	return parse_line(source) && line.kind == STRACE_CALL &&
	       strace_call_parse(line.rest, false, &call);
}

static void assert_path(const char *argument, const char *expected, bool expected_deleted)
{
	char path[64];
	bool deleted;

	assert_true(strace_annotation(argument, path, sizeof(path), &deleted));
	assert_string_equal(path, expected);
	assert_int_equal(deleted, expected_deleted);
}

static void the_pid_and_the_time_may_be_missing(void **state)
{
	assert_true(parse("7  1790000000.000012 close(3) = 0 <0.000004>"));
	assert_int_equal(line.pid, 7);
	assert_int_equal(line.time_ns, 1790000000000012000);
	assert_int_equal(call.duration_ns, 4000);
	assert_true(parse("[pid   77] close(3) = 0"));
	assert_int_equal(line.pid, 77);
	assert_int_equal(line.time_ns, 0);
	assert_true(parse("1790000000.5 close(3) = 0"));
	assert_int_equal(line.pid, 0);
	assert_int_equal(line.time_ns, 1790000000500000000);
	assert_true(parse("7 close(3) = 0"));
	assert_int_equal(line.name_bytes, 5);
	assert_memory_equal(line.name, "close", 5);
}

static void the_head_can_have_more(void **state)
{
	assert_true(parse("29463<sh> 1790000000.5 close(3) = 0"));
	assert_int_equal(line.pid, 29463);
	assert_int_equal(line.time_ns, 1790000000500000000);
	assert_false(line.bracketed);
	assert_true(parse("[pid 77<a b>] close(3) = 0"));
	assert_int_equal(line.pid, 77);
	assert_true(line.bracketed);
	assert_false(parse_line("77<sh close(3) = 0"));
	assert_true(parse("7 1790000000.5 (+     0.000012) close(3) = 0"));
	assert_int_equal(line.time_ns, 1790000000500000000);
	assert_false(parse_line("7 1790000000.5 (+ 0.1 close(3"));
	assert_true(parse("7 1.0 [  58] [00007f5175dd13b8] close(3) = 0"));
	assert_memory_equal(line.name, "close", 5);
	assert_true(parse_line("7 1.0 [????????????????] +++ exited with 0 +++"));
	assert_int_equal(line.kind, STRACE_EXITED);
	/* Seconds without a fraction are no PID. */
	assert_false(parse_line("1790000000 close(3) = 0"));
}

/* Read the time of a line in milliseconds. */
static uint64_t read_ms(struct strace_clock *clock, const char *source)
{
	assert_true(parse(source));
	return strace_clock_read(clock, &line) / NS_PER_MS;
}

static void times_are_absolute_relative_or_of_a_day(void **state)
{
	struct strace_clock epoch = {0}, relative = {0}, day = {0};

	assert_int_equal(read_ms(&epoch, "1790000000.5 f() = 0"), 1790000000500);
	assert_int_equal(read_ms(&epoch, "1790000000.1 f() = 0"), 1790000000100);
	assert_int_equal(read_ms(&epoch, "f() = 0"), 0);
	/* A time is never 0, which means none. */
	assert_true(parse("     0.000000 f() = 0"));
	assert_int_equal(strace_clock_read(&relative, &line), 1);
	assert_int_equal(read_ms(&relative, "7      0.250000 f() = 0"), 250);
	assert_int_equal(read_ms(&relative, "7      3.000000 f() = 0"), 3250);
	assert_int_equal(read_ms(&day, "7 23:59:59.500 f() = 0"), 86399500);
	assert_int_equal(read_ms(&day, "23:59:59 f() = 0"), 86399000);
	assert_int_equal(read_ms(&day, "00:00:01.250 f() = 0"), 86401250);
	assert_int_equal(read_ms(&day, "00:00:02 f() = 0"), 86402000);
	assert_false(parse_line("7 24:00:00 f() = 0"));
	assert_false(parse_line("7 23:60:00 f() = 0"));
	assert_false(parse_line("7 23:5:00 f() = 0"));
	assert_false(parse_line("7 23:50 f() = 0"));
}

static void ends_of_processes_are_told_from_notes(void **state)
{
	assert_true(parse_line("7 1.0 +++ exited with 0 +++"));
	assert_int_equal(line.kind, STRACE_EXITED);
	assert_true(parse_line("7 1.0 +++ killed by SIGKILL +++"));
	assert_int_equal(line.kind, STRACE_EXITED);
	assert_true(parse_line("7 1.0 +++ superseded by execve in pid 9 +++"));
	assert_int_equal(line.kind, STRACE_SUPERSEDED);
	assert_int_equal(line.thread, 9);
	assert_true(parse_line("7 1.0 --- SIGCHLD {si_signo=SIGCHLD} ---"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line("strace: Process 9 attached"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line("[ Process PID=9 runs in 32 bit mode. ]"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line("7 1.0 [ Process PID=9 runs in 64 bit mode. ]"));
	assert_int_equal(line.kind, STRACE_NOTE);
}

static void summaries_and_stacks_are_notes(void **state)
{
	assert_true(parse_line("% time     seconds  usecs/call     calls    errors syscall"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line("------ ----------- ----------- ---------"));
	assert_true(parse_line(" 63.03    0.003751         125        30        15 wait4"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line("100.00    0.005951           3      1699       total"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_true(parse_line(" > /usr/lib/libc.so.6(__read+0x4d) [0xf9]"));
	assert_int_equal(line.kind, STRACE_NOTE);
	assert_false(parse_line("7 1.0 2 close"));
	assert_true(parse("7 1.0 close(3) = 0"));
}

static void a_call_can_take_two_lines(void **state)
{
	assert_true(parse_line("7 1.0 read(3</a>,  <unfinished ...>"));
	assert_int_equal(line.kind, STRACE_UNFINISHED);
	assert_int_equal(line.rest_bytes, strlen("3</a>,  "));
	assert_true(parse_line("7 1.0 execve(\"/b\", [...] <pid changed to 8 ...>"));
	assert_int_equal(line.kind, STRACE_UNFINISHED);
	assert_true(parse_line("7 1.0 <... read resumed>\"\"..., 9) = 9 <0.1>"));
	assert_int_equal(line.kind, STRACE_RESUMED);
	assert_string_equal(line.rest, "\"\"..., 9) = 9 <0.1>");
	assert_true(parse_line("7 1.0 <... read resumed> <unfinished ...>) = ?"));
	assert_int_equal(line.kind, STRACE_RESUMED);
	assert_true(strace_call_parse(line.rest, false, &call));
	assert_string_equal(call.error, "?");
	/* These words in a name are no note. */
	assert_true(parse("7 1.0 stat(\"a <unfinished ...>\", 0x1) = -1 EIO"));
}

static void arguments_are_split_at_commas_outside_of_names(void **state)
{
	assert_true(parse("7 1.0 f(3</a\\76, b>, \"x, (\\\"\"..., {a=1, b=[2, 3]}, 0x5 /* 2 "
			  "entries, ) */, A|B) = 5"));
	assert_string_equal(call.arguments[0], "3</a\\76, b>");
	assert_string_equal(call.arguments[1], "\"x, (\\\"\"...");
	assert_string_equal(call.arguments[2], "{a=1, b=[2, 3]}");
	assert_string_equal(call.arguments[3], "0x5 /* 2 entries, ) */");
	assert_string_equal(call.arguments[4], "A|B");
	assert_string_equal(call.arguments[5], "");
	assert_false(call.failed);
	assert_int_equal(call.result, 5);
	assert_true(parse("7 1.0 capset(1<<CAP_KILL, 2) = 0"));
	assert_string_equal(call.arguments[0], "1<<CAP_KILL");
	assert_true(parse("7 1.0 f(3</x /* y>, 1) = 0"));
	assert_string_equal(call.arguments[1], "1");
	assert_true(parse("7 1.0 f(3</end->, 5<TCP:[1:80->2:81]>)   = 0"));
	assert_string_equal(call.arguments[1], "5<TCP:[1:80->2:81]>");
}

static void results_have_errors_paths_and_durations(void **state)
{
	assert_true(parse("7 1.0 f() = -1 ENOENT (No such file) <0.1>"));
	assert_true(call.failed);
	assert_string_equal(call.error, "ENOENT");
	assert_true(parse("7 1.0 f() = ? ERESTARTSYS (To be restarted)"));
	assert_true(call.failed);
	assert_string_equal(call.error, "?");
	assert_true(parse("7 1.0 f() = 3</tmp/0.5> <0.25>"));
	assert_int_equal(call.result, 3);
	assert_path(call.path, "/tmp/0.5", false);
	assert_int_equal(call.duration_ns, 250000000);
	assert_true(parse("7 1.0 f() = 0x7f00 (flags O_RDONLY)"));
	assert_int_equal(call.result, 0x7f00);
	assert_true(parse("7 1.0 fork() = 5 /* 99 in strace's PID NS */"));
	assert_int_equal(call.result, 99);
}

static void malformed_lines_are_refused(void **state)
{
	assert_false(parse_line(""));
	assert_false(parse_line("hello world"));
	assert_false(parse_line("7 99999999999999999999.0 close(3) = 0"));
	assert_false(parse_line("7 1.0 <... read"));
	assert_false(parse("7 1.0 f(\"a) = 0"));
	assert_false(parse("7 1.0 f(\"a\\"));
	assert_false(parse("7 1.0 f(3</a) = 0"));
	assert_false(parse("7 1.0 f(]) = 0"));
	assert_false(parse("7 1.0 f(/* x) = 0"));
	assert_false(parse("7 1.0 f(1)"));
	assert_false(parse("7 1.0 f(1) = x"));
}

static void values_are_read_from_arguments(void **state)
{
	char string[8];
	bool deleted;

	assert_true(strace_string("\"a\\n\\\"\\x41\\101\\\\\"", string, 8));
	assert_string_equal(string, "a\n\"AA\\");
	assert_false(strace_string("\"12345678\"", string, 8));
	assert_true(strace_string("\"1234567\"", string, 8));
	assert_false(strace_string("\"a\"...", string, 8));
	assert_false(strace_string("NULL", string, 8));
	assert_path("3</a\\76b>(deleted)", "/a>b", true);
	assert_path("AT_FDCWD</a (deleted)>", "/a (deleted)", false);
	assert_path("3</>", "/", false);
	assert_path("3<\\x2f\\x61\\x3e>(deleted)", "/a>", true);
	assert_true(strace_is_other("3<pipe:[1]>"));
	assert_true(strace_is_other("3<\\x70\\x69>"));
	assert_false(strace_is_other("3<\\x2f\\x61>"));
	assert_false(strace_is_other("3</a>"));
	assert_false(strace_is_other("3"));
	assert_path("3</..a/.b>", "/..a/.b", false);
	assert_false(strace_annotation("3<pipe:[1]>", string, 8, &deleted));
	assert_false(strace_annotation("3</a/..>", string, 8, &deleted));
	assert_false(strace_annotation("3</a/./b>", string, 8, &deleted));
	assert_false(strace_annotation("3</a//b>", string, 8, &deleted));
	assert_false(strace_annotation("3</a/>", string, 8, &deleted));
	assert_int_equal(strace_number("0644"), 0644);
	assert_int_equal(strace_number("-1"), -1);
	assert_int_equal(strace_number("18446744073709551615"), INT64_MAX);
	assert_true(strace_has("O_RDWR|O_CREAT", "O_CREAT"));
	assert_false(strace_has("O_DIRECTORY", "O_DIRECT"));
	assert_false(strace_has("__O_TMPFILE", "O_TMPFILE"));
	assert_string_equal(strace_field("{xa=1, a=2}", "a="), "2}");
	assert_null(strace_field("\"{a=1}\"", "a="));
}

int unit_strace_line(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pid_and_the_time_may_be_missing),
		cmocka_unit_test(the_head_can_have_more),
		cmocka_unit_test(times_are_absolute_relative_or_of_a_day),
		cmocka_unit_test(ends_of_processes_are_told_from_notes),
		cmocka_unit_test(summaries_and_stacks_are_notes),
		cmocka_unit_test(a_call_can_take_two_lines),
		cmocka_unit_test(arguments_are_split_at_commas_outside_of_names),
		cmocka_unit_test(results_have_errors_paths_and_durations),
		cmocka_unit_test(malformed_lines_are_refused),
		cmocka_unit_test(values_are_read_from_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
