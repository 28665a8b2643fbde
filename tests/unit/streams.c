/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "streams/name_tree.h"
#include "streams/streams.h"

/* Lines that stand for a set-up, with handles that stay open: 1 and 2 of /f, 3 of /g,
 * 4 of /e, 5 of /f for appending. */
#define FILES \
	"mkdir \"/client1/d\"\nmkdir \"/client1/d/e\"\n" \
	"open \"/client1/f\" read,write,create 1\nwrite 1 0 1Mi\n" \
	"open \"/client1/f\" read,write 2\nopen \"/client1/g\" read,write,create 3\n" \
	"open \"/client1/d/e/f\" read,write,create 4\n" \
	"open \"/client1/f\" write,append 5\n"

enum { FILES_LINES = 8 };

/* Return the line of the last operation that a wait is for. */
static uint32_t line_of(const struct streams *streams, const struct program *program,
			const struct streams_wait *wait)
{
	uint32_t spans = 0;
	size_t i;

	for (i = 0; i < streams->span_count; i++)
		if (streams->spans[i].stream == wait->stream && ++spans == wait->spans)
			return program->ops[streams->spans[i].end - 1].line;
	fail();
	return 0;
}

/* Derive the streams of a load with a set-up of `setup` lines, and expect these
 * waits: "6:3,4 7:5" if line 6 after the set-up waits for 3 and 4, and 7 for 5. */
static void expect_waits(const char *load, uint32_t setup, const char *wanted)
{
	struct program *program = load_text(load);
	struct streams streams;
	char text[1000] = "";
	size_t first = 0, i, k;

	while (program->ops[first].line <= setup)
		first++;
	assert_int_equal(streams_derive(&streams, program, first), 0);
	for (i = 0; i < streams.span_count; i++) {
		const struct streams_span *span = &streams.spans[i];

		for (k = 0; k < span->wait_count; k++) {
			uint32_t line = line_of(&streams, program,
						&streams.waits[span->first_wait + k]);

			if (k == 0)
				sprintf(text + strlen(text), "%s%u:", *text != '\0' ? " " : "",
					program->ops[span->first].line - setup);
			sprintf(text + strlen(text), k > 0 ? ",%u" : "%u", line - setup);
		}
	}
	if (strcmp(text, wanted) != 0)
		fail_msg("waits \"%s\" instead of \"%s\" in:\n%s", text, wanted, load);
	streams_free(&streams);
	program_free(program);
}

/* Play `first` in stream 0 and `second` in stream 1. The second must, or need
 * not, wait for the first. */
static void expect_pair(const char *first, const char *second, bool waits)
{
	char load[2000];

	snprintf(load, sizeof(load), FILES "%s\nSTREAM 1\n%s\n", first, second);
	expect_waits(load, FILES_LINES, waits ? "3:1" : "");
}

static void expect_order(const char *first, const char *second)
{
	expect_pair(first, second, true);
}

static void expect_both(const char *first, const char *second)
{
	expect_pair(first, second, false);
	expect_pair(second, first, false);
}

static void a_changed_name_excludes_its_uses(void **state)
{
	expect_order("unlink \"/client1/f\"", "stat \"/client1/f\" ENOENT");
	expect_order("stat \"/client1/f\"", "unlink \"/client1/f\"");
	expect_order("mkdir \"/client1/n\"", "stat \"/client1/n\"");
	expect_order("stat \"/client1/n\" ENOENT", "mkdir \"/client1/n\"");
	expect_order("mkdir \"/client1/n\"", "mkdir \"/client1/n\" EEXIST");
	expect_order("rename \"/client1/f\" \"/client1/n\" replace", "stat \"/client1/n\"");
	expect_order("stat \"/client1/f\"", "rename \"/client1/f\" \"/client1/n\" replace");
	expect_order("stat \"/client1/d/e/f\"", "rename \"/client1/d\" \"/client1/n\" replace");
	expect_order("rename \"/client1/d\" \"/client1/n\" replace", "stat \"/client1/n/e/f\"");
	expect_order("chmod \"/client1/f\" 0", "open \"/client1/f\" read - EACCES");
	expect_order("link \"/client1/n\" \"/client1/f\"", "stat \"/client1/n\"");
	expect_order("link \"/client1/n\" \"/client1/f\"", "unlink \"/client1/f\"");
	expect_both("stat \"/client1/f\"", "stat \"/client1/f\"");
	expect_both("unlink \"/client1/f\"", "stat \"/client1/g\"");
	expect_both("mkdir \"/client1/n\"", "mkdir \"/client1/m\"");
	expect_both("mkdir \"/client1/d/n\"", "stat \"/client1/d/m\" ENOENT");
	/* It exists, so it is not made. */
	expect_both("open \"/client1/f\" read,create 6", "stat \"/client1/f\"");
	expect_order("open \"/client1/n\" read,create 6", "stat \"/client1/n\"");
}

static void a_changed_name_excludes_the_files_below(void **state)
{
	expect_order("fstat 1", "unlink \"/client1/f\"");
	expect_order("close 4", "rename \"/client1/d\" \"/client1/n\" replace");
	expect_order("unlink \"/client1/f\"", "close 1");
	expect_order("rename \"/client1/d\" \"/client1/n\" replace", "fstat 4");
	/* The open file has the new name. */
	expect_waits(FILES "rename \"/client1/d\" \"/client1/n\" replace\nSTREAM 1\nfstat 4\n"
			   "STREAM 2\nunlink \"/client1/n/e/f\"\n",
		     FILES_LINES, "3:1 5:1,3");
}

static void a_listing_excludes_changes_in_its_directory(void **state)
{
	expect_order("list \"/client1/d/*\" 10 -", "unlink \"/client1/d/n\"");
	expect_order("mkdir \"/client1/d/n\"", "list \"/client1/d/*\" 10 -");
	expect_order("mkdir \"/client1/d/n\"", "rmdir \"/client1/d\" ENOTEMPTY");
	expect_order("rmdir \"/client1/d\" ENOTEMPTY", "unlink \"/client1/d/n\"");
	expect_order("mkdir \"/client1/d/n\"",
		     "rename \"/client1/n\" \"/client1/d\" replace ENOTEMPTY");
	expect_both("list \"/client1/d/*\" 10 -", "list \"/client1/d/*\" 10 -");
	expect_both("list \"/client1/d/*\" 10 -", "mkdir \"/client1/n\"");
	expect_both("list \"/client1/d/*\" 10 -", "mkdir \"/client1/d/e/n\"");
	expect_order("unlink-matching \"/client1/d/*\"", "stat \"/client1/d/n\" ENOENT");
	expect_order("deltree \"/client1/d\"", "stat \"/client1/d/e/f\" ENOENT");
}

static void a_handle_is_opened_used_and_closed_in_order(void **state)
{
	expect_order("open \"/client1/g\" read 6", "fstat 6");
	expect_order("fstat 3", "close 3");
	expect_order("read 3 next 0 0", "read 3 next 0 0");
	expect_both("fstat 3", "fstat 3");
	/* Streams don't wait for each other because of a slot. */
	expect_waits("open \"/client1/a\" read,create 1\nclose 1\nSTREAM 1\n"
		     "open \"/client1/b\" read,create 1\nclose 1\nSTREAM 0\n"
		     "open \"/client1/a\" read,create 1\nclose 1\n",
		     0, "");
}

static void data_are_ordered_by_file_and_block(void **state)
{
	expect_order("write 1 0 4Ki", "read 2 0 4Ki");
	expect_order("read 1 0 4Ki", "write 2 0 4Ki");
	expect_order("write 1 0 4Ki", "write 2 2Ki 4Ki");
	expect_order("write 1 0 128Ki", "read 2 64Ki 4Ki");
	expect_order("write 1 random(0,64Ki) 4Ki", "read 2 512Ki 4Ki");
	expect_order("truncate 1 0", "read 2 0 4Ki 0");
	expect_order("read 1 0 4Ki", "open \"/client1/f\" write,truncate 6");
	expect_order("copy 1 0 3 0 4Ki 4Ki", "read 3 0 4Ki 4Ki");
	expect_order("write 1 0 4Ki", "copy 2 0 3 0 4Ki 4Ki");
	expect_order("write 5 0 4Ki", "write 5 0 4Ki");
	expect_both("read 1 0 4Ki", "read 2 0 4Ki");
	expect_both("write 1 0 4Ki", "write 2 64Ki 4Ki");
	expect_both("write 1 0 64Ki", "read 2 64Ki 4Ki");
	expect_both("write 1 0 4Ki", "write 3 0 4Ki");
}

static void a_file_is_the_same_under_each_of_its_names(void **state)
{
	expect_waits(FILES "link \"/client1/n\" \"/client1/f\"\n"
			   "open \"/client1/n\" read,write 6\nwrite 6 0 4Ki\n"
			   "STREAM 1\nread 1 0 4Ki\n",
		     FILES_LINES, "5:3");
	expect_waits(FILES "rename \"/client1/f\" \"/client1/n\" replace\n"
			   "open \"/client1/n\" read,write 6\nwrite 6 0 4Ki\n"
			   "STREAM 1\nread 1 0 4Ki\n",
		     FILES_LINES, "5:3");
	/* It has the same attributes. */
	expect_waits(FILES "link \"/client1/n\" \"/client1/f\"\nSTREAM 1\nstat \"/client1/n\"\n"
			   "STREAM 0\nchmod \"/client1/f\" 0\n",
		     FILES_LINES, "3:1 5:3");
	/* This rename does nothing. */
	expect_waits(FILES "link \"/client1/n\" \"/client1/f\"\n"
			   "rename \"/client1/n\" \"/client1/f\" replace\n"
			   "open \"/client1/n\" write 6\nwrite 6 0 4Ki\nSTREAM 1\nread 1 0 4Ki\n",
		     FILES_LINES, "6:4");
	/* A new file has the old name. */
	expect_waits(FILES "unlink \"/client1/f\"\n"
			   "open \"/client1/f\" read,write,create 6\nwrite 6 0 4Ki\n"
			   "STREAM 1\nread 1 0 4Ki\n",
		     FILES_LINES, "5:2");
}

static void sizes_decide_how_much_is_read(void **state)
{
	/* The file has 1 MiB. */
	expect_order("write 1 1Mi 4Ki", "read 2 1088Ki 4Ki 0");
	expect_order("read 2 1088Ki 4Ki 0", "write 1 1Mi 4Ki");
	expect_order("write 1 1Mi 256Ki", "read 2 1024Ki 4Ki 4Ki");
	/* This write is in the hole that the other one leaves. */
	expect_order("write 1 2Mi 4Ki", "write 2 1536Ki 4Ki");
	expect_both("write 1 512Ki 4Ki", "read 2 1088Ki 4Ki 0");
	expect_pair("read 1 0 4Ki", "write 2 2Mi 4Ki", false);
	expect_order("write 2 2Mi 4Ki", "read 1 1088Ki 4Ki");
}

static void locks_are_kept_in_order(void **state)
{
	expect_order("lock 1 0 1", "lock 2 0 1 EAGAIN");
	expect_order("unlock 1 0 1", "lock 2 0 1");
	expect_waits(FILES "lock 1 0 1\nclose 1\nSTREAM 1\nlock 2 0 1\n", FILES_LINES, "4:2");
	expect_both("lock 1 0 1", "lock 3 0 1");
}

static void opens_that_deny_sharing_are_kept_in_order(void **state)
{
	expect_order("open \"/client1/f\" read 6 share=0x1", "open \"/client1/f\" read - EACCES");
	expect_both("open \"/client1/f\" read 6 share=0x7", "open \"/client1/f\" read 7 share=0x7");
}

static void unknown_names_may_be_any(void **state)
{
	expect_order("stat \"/client1/f\"", "stat \"/client1/f$user\"");
	expect_waits("open \"/client1/f$user\" write,create 1\nSTREAM 1\nmkdir \"/client1/d\"\n"
		     "STREAM 0\nwrite 1 0 4Ki\n",
		     0, "3:1 5:3");
	expect_waits("symlink \"/client1/s\" \"/x\"\nstat \"/client1/s\" ENOENT\nSTREAM 1\n"
		     "mkdir \"/client1/d\"\nSTREAM 0\nreadlink \"/client1/s\"\n",
		     0, "4:2");
}

/* Each file may be any other one after such an operation. */
/* On a share, names that differ in the case of letters are one. */
static void names_in_another_case_may_be_one(void **state)
{
	expect_order("open \"/client1/new\" write,create 8", "stat \"/client1/NEW\"");
	expect_order("stat \"/client1/D/e/f\"", "rename \"/client1/d\" \"/client1/n\" replace");
	expect_order("unlink \"/client1/F\"", "read 1 0 100");
	expect_order("rename \"/client1/d\" \"/client1/E\" replace", "unlink \"/client1/e/e/f\"");
}

static void unknown_names_may_be_of_any_file(void **state)
{
	static const char *const operations[] = {
		"rename \"/client1/f$user\" \"/client1/n\" replace",
		"rename \"/client1/f\" \"/client1/n$user\" replace",
		"link \"/client1/n\" \"/client1/f$user\"",
		"link \"/client1/n$user\" \"/client1/f\"",
		"LOOP $user\nrename \"/client1/f\" \"/client1/n\" replace\nENDLOOP",
		"LOOP $user\nlink \"/client1/n\" \"/client1/f\"\nENDLOOP",
	};
	char load[2000];
	size_t i;

	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		unsigned lines = i < 4 ? 1 : 3;

		snprintf(load, sizeof(load),
			 FILES "%s\nopen \"/client1/n\" write 6\nwrite 6 0 4Ki\n"
			       "STREAM 1\nread 1 0 4Ki\nSTREAM 0\nclose 6\n"
			       "open \"/client1/n\" write,truncate 6\n",
			 operations[i]);
		expect_waits(load, FILES_LINES + lines - 1, "5:3 8:5");
	}
}

static void blocks_count_as_one_operation(void **state)
{
	/* Which names are renamed is not known. */
	expect_waits("LOOP 2\nrename \"/client1/a\" \"/client1/b\" replace *\nENDLOOP\nSTREAM 1\n"
		     "stat \"/client1/c\" ENOENT\n",
		     0, "5:3");
	expect_waits("LOOP 2\nopen \"/client1/f\" write,create 1\nclose 1\nENDLOOP\nSTREAM 1\n"
		     "stat \"/client1/f\"\nSTREAM 0\nLOOP 2\nstat \"/client1/g\" ENOENT\nENDLOOP\n"
		     "STREAM 1\nmkdir \"/client1/g\"\n",
		     0, "6:4 12:10");
}

/* A block of the set-up may not be played, so the file may not exist. */
static void blocks_of_the_set_up_count_as_such(void **state)
{
	expect_waits("LOOP $user\nopen \"/client1/f\" write,create 1\nclose 1\nENDLOOP\n"
		     "open \"/client1/f\" write,create 1\nSTREAM 1\nstat \"/client1/f\"\n",
		     4, "3:1");
}

/* A deep tree gets many names, one after the other. Not all are kept. */
static void renames_are_bounded(void **state)
{
	enum { DEPTH = 1900, RENAMES = 100 };
	struct name_tree names;
	struct program *program;
	char *load = NULL;
	size_t bytes = 0, i;
	FILE *stream = open_memstream(&load, &bytes);

	assert_non_null(stream);
	fputs("stat \"/client1/d0", stream);
	for (i = 0; i < DEPTH; i++)
		fputs("/e", stream);
	fputs("\" ENOENT\n", stream);
	for (i = 0; i < RENAMES; i++)
		fprintf(stream, "rename \"/client1/d%zu\" \"/client1/d%zu\" replace\n", i, i + 1);
	fclose(stream);
	program = load_text(load);
	assert_int_equal(name_tree_open(&names, program), 0);
	for (i = 1; i < program->op_count; i++)
		assert_int_equal(
			name_tree_move(
				&names,
				name_tree_node(&names, program, program->ops[i].path, false),
				name_tree_node(&names, program, program->ops[i].path2, false)),
			0);
	assert_in_range(names.texts.count, 2 * DEPTH, 9 * (DEPTH + RENAMES));
	name_tree_close(&names);
	program_free(program);
	free(load);
}

static void streams_meet_at_a_phase_and_after(void **state)
{
	expect_waits("stat \"/client1\"\nSTREAM 1\nstat \"/client1\"\nSTREAM 2\nstat \"/client1\"\n"
		     "PHASE a\nstat \"/client1\"\nSTREAM 1\nstat \"/client1\"\n",
		     0, "6:1,3 9:6");
	expect_waits("stat \"/client1\"\nstat \"/client1\"\nSTREAM 1\nAFTER 0\nstat \"/client1\"\n"
		     "stat \"/client1\"\nSTREAM 0\nstat \"/client1\"\nAFTER 1\nstat \"/client1\"\n",
		     0, "5:2 10:6");
	/* Stream 1 waits for stream 0, but plays nothing before stream 2. */
	expect_waits("stat \"/client1\"\nSTREAM 1\nAFTER 0\nSTREAM 2\nAFTER 1\nstat \"/client1\"\n",
		     0, "6:1");
}

static void a_stream_waits_once(void **state)
{
	struct program *program = load_text("mkdir \"/client1/a\"\nmkdir \"/client1/b\"\nSTREAM 1\n"
					    "stat \"/client1/b\"\nstat \"/client1/a\"\n"
					    "STREAM 2\nstat \"/client1/a\"\n");
	struct streams streams;

	assert_int_equal(streams_derive(&streams, program, 0), 0);
	assert_int_equal(streams.count, 3);
	assert_int_equal(streams.ops, 5);
	assert_int_equal(streams.waiting, 2);
	assert_int_equal(streams.chain, 4);
	assert_int_equal(streams.span_count, 4);
	assert_int_equal(streams.wait_count, 2);
	streams_free(&streams);
	program_free(program);
}

int unit_streams(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_changed_name_excludes_its_uses),
		cmocka_unit_test(a_changed_name_excludes_the_files_below),
		cmocka_unit_test(a_listing_excludes_changes_in_its_directory),
		cmocka_unit_test(a_handle_is_opened_used_and_closed_in_order),
		cmocka_unit_test(data_are_ordered_by_file_and_block),
		cmocka_unit_test(a_file_is_the_same_under_each_of_its_names),
		cmocka_unit_test(sizes_decide_how_much_is_read),
		cmocka_unit_test(locks_are_kept_in_order),
		cmocka_unit_test(opens_that_deny_sharing_are_kept_in_order),
		cmocka_unit_test(unknown_names_may_be_any),
		cmocka_unit_test(names_in_another_case_may_be_one),
		cmocka_unit_test(unknown_names_may_be_of_any_file),
		cmocka_unit_test(blocks_count_as_one_operation),
		cmocka_unit_test(blocks_of_the_set_up_count_as_such),
		cmocka_unit_test(renames_are_bounded),
		cmocka_unit_test(streams_meet_at_a_phase_and_after),
		cmocka_unit_test(a_stream_waits_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
