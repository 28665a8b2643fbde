/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "study/walk.h"

#define FILE_1 "open \"/client1/f\" read,write,create 1 OK\n"

/* Append what the cursor says about the current op, which is not a control op. */
static void describe(const struct walk *walk, char *text, size_t room)
{
	size_t used = strlen(text);
	uint32_t path = walk_path(walk);

	snprintf(text + used, room - used, "%s%s*%g%s%s%s %s", used > 0 ? ", " : "",
		 op_verb(walk->op->kind), walk->times, walk->in_setup ? " set-up" : "",
		 walk->possible ? "" : " never", walk->ok ? "" : " fails",
		 path == OP_NONE ? "-" : strrchr(walk->program->paths[path].text, '/') + 1);
}

/* Walk through a load, and expect these descriptions of its operations. */
static void expect_walk(const char *load, const char *wanted)
{
	struct program *program = load_text(load);
	char text[1000] = "";
	struct walk walk;
	size_t count = 0;

	assert_int_equal(walk_begin(&walk, program), 0);
	while (walk_next(&walk)) {
		assert_ptr_equal(walk.op, &program->ops[walk.at]);
		assert_int_equal(walk.at, count++);
		if (op_is_control(walk.op->kind)) {
			assert_false(walk.ok);
			assert_null(walk.file);
		} else {
			describe(&walk, text, sizeof(text));
		}
	}
	assert_int_equal(count, program->op_count);
	assert_int_equal(walk.depth, 0);
	assert_false(walk_next(&walk));
	assert_string_equal(text, wanted);
	walk_end(&walk);
	program_free(program);
}

static void times_are_means_of_rounds_and_branches(void **state)
{
	expect_walk("stat \"/client1/a\"\nLOOP 10\nstat \"/client1/b\"\nLOOP exp(4)\n"
		    "stat \"/client1/c\"\nENDLOOP\nstat \"/client1/d\"\nENDLOOP\n"
		    "stat \"/client1/e\"\n",
		    "stat*1 a, stat*10 b, stat*40 c, stat*10 d, stat*1 e");
	expect_walk("LOOP 2\nMIX 100\n1 stat \"/client1/a\"\n3 BEGIN\nstat \"/client1/b\"\n"
		    "LOOP 2\nstat \"/client1/c\"\nENDLOOP\nEND\nENDMIX\nENDLOOP\n",
		    "stat*50 a, stat*150 b, stat*300 c");
	/* The first user is number 0, but others may play what this one does
	 * not. */
	expect_walk("LOOP $user\nstat \"/client1/a\"\nENDLOOP\n"
		    "LOOP 0\nstat \"/client1/b\"\nLOOP 5\nstat \"/client1/c\"\nENDLOOP\nENDLOOP\n"
		    "MIX 0\n1 stat \"/client1/d\"\nENDMIX\nstat \"/client1/e\"\n",
		    "stat*0 a, stat*0 never b, stat*0 never c, stat*0 never d, stat*1 e");
}

static void the_block_of_an_every_is_played_by_its_share(void **state)
{
	expect_walk("LOOP 32\nstat \"/client1/a\"\nEVERY 16\nstat \"/client1/b\"\n"
		    "EVERY 4\nstat \"/client1/c\"\nENDEVERY\nLOOP 3\nstat \"/client1/d\"\n"
		    "ENDLOOP\nENDEVERY\nstat \"/client1/e\"\nENDLOOP\n",
		    "stat*32 a, stat*2 b, stat*0.5 c, stat*6 d, stat*32 e");
	expect_walk("EVERY 0\nstat \"/client1/a\"\nENDEVERY\nstat \"/client1/b\"\n",
		    "stat*0 never a, stat*1 b");
}

static void the_set_up_ends_before_the_loops(void **state)
{
	expect_walk("SETUP shared\nmkdir \"/shared/s\"\nENDSETUP\n"
		    "SETUP\nLOOP 3\nmkdir \"/client1/d\" *\nENDLOOP\nENDSETUP\n"
		    "stat \"/client1/d\"\n",
		    "mkdir*1 set-up s, mkdir*3 set-up d, stat*1 d");
}

static void operations_have_the_files_of_their_handles(void **state)
{
	/* An open that fails leaves the handle to the earlier one. */
	expect_walk(FILE_1 "open \"/client1/g\" read 1 ENOENT\nwrite 1 0 1\nclose 1\n"
			   "open \"/client1/h\" read 1 *\nread 1 0 1 EIO\nclose 1\n",
		    "open*1 f, open*1 fails g, write*1 f, close*1 f, "
		    "open*1 h, read*1 fails h, close*1 h");
	/* Two handles, and none. */
	expect_walk(FILE_1 "open \"/client1/g\" read 2 OK\nread 1 0 1\nread 2 0 1\n"
			   "statvfs\nclose 2\nread 1 0 1\n",
		    "open*1 f, open*1 g, read*1 f, read*1 g, statvfs*1 -, close*1 g, read*1 f");
	/* An open that is never played counts as listed. */
	expect_walk("LOOP 0\n" FILE_1 "write 1 0 1\nENDLOOP\nclose 1\n",
		    "open*0 never f, write*0 never f, close*1 f");
}

static void a_copy_has_two_files(void **state)
{
	struct program *program = load_text(
		FILE_1
		"open \"/client1/g\" read,write,create 2 OK\n"
		"copy 1 0 2 0 100\nwrite 2 0 10\nrename \"/client1/f\" \"/client1/h\" replace\n");
	struct walk walk;

	assert_int_equal(walk_begin(&walk, program), 0);
	while (walk_next(&walk)) {
		if (walk.op->kind != OP_COPY) {
			assert_null(walk.file2);
			continue;
		}
		assert_ptr_equal(walk.file->open, &program->ops[0]);
		assert_ptr_equal(walk.file2->open, &program->ops[1]);
		/* Marks are the reader's. */
		assert_int_equal(walk.file->mark, 0);
		walk.file2->mark = 7;
	}
	assert_int_equal(walk.files[program->ops[0].handle].mark, 0);
	assert_int_equal(walk.files[program->ops[1].handle].mark, 7);
	walk_end(&walk);
	program_free(program);
}

static void a_block_can_be_left_out(void **state)
{
	struct program *program = load_text("LOOP 2\nLOOP 3\nstatvfs\nLOOP 4\nstatvfs\nENDLOOP\n"
					    "ENDLOOP\nstat \"/client1/f\"\nENDLOOP\n");
	struct walk walk;

	assert_int_equal(walk_begin(&walk, program), 0);
	assert_true(walk_next(&walk));
	assert_true(walk_next(&walk));
	assert_int_equal(walk.depth, 2);
	walk_leave(&walk);
	assert_true(walk_next(&walk));
	assert_int_equal(walk.op->kind, OP_STAT);
	assert_int_equal(walk.depth, 1);
	expect_near(walk.times, 2, 0);
	walk_end(&walk);
	program_free(program);
}

int unit_walk(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_means_of_rounds_and_branches),
		cmocka_unit_test(the_block_of_an_every_is_played_by_its_share),
		cmocka_unit_test(the_set_up_ends_before_the_loops),
		cmocka_unit_test(operations_have_the_files_of_their_handles),
		cmocka_unit_test(a_copy_has_two_files),
		cmocka_unit_test(a_block_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
