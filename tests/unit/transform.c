/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "adapt/transform.h"

#include <errno.h>

/* Check that the load `before` is rewritten to `after`, both in the native
 * dialect. */
static void check(const struct transform *transform, const char *before, const char *after)
{
	static const char title[] = "# throng loadfile, native dialect\n";
	struct program *program = load_text(before);
	struct error error = {0};
	char *text;

	assert_int_equal(transform_program(program, transform, &error), 0);
	text = printed(program);
	assert_memory_equal(text, title, strlen(title));
	assert_string_equal(text + strlen(title), after);
	free(text);
	program_free(program);
}

#define FILE_1 "open \"/clients/client1/f\" read,write,create 0 OK\n"

static void without_options_a_load_stays_the_same(void **state)
{
	static const char load[] = FILE_1 "WRITEPATTERN abc\n"
					  "LOOP 3\n"
					  "write 0 0 65536 65536 flush OK\n"
					  "ENDLOOP\n"
					  "unlink \"/clients/client1/f\" lookup OK\n";

	check(&(struct transform){0}, load, load);
}

static void no_resolve_drops_the_lookups(void **state)
{
	check(&(struct transform){.drop_lookups = true},
	      "open \"/clients/client1/f\" read,create 0 lookup OK\n"
	      "unlink \"/clients/client1/f\" lookup ENOENT\n",
	      "open \"/clients/client1/f\" read,create 0 OK\n"
	      "unlink \"/clients/client1/f\" ENOENT\n");
}

static void sync_options_apply_to_files_only(void **state)
{
#define OPENS(plain, through) \
	"open \"/a\" write" plain " 0 OK\n" \
	"open \"/b\" write" through ",write-through 1 OK\n" \
	"open \"/c\" read,directory 2 OK\n" \
	"open \"/d\" read,directory,write-through 3 OK\n"
	static const struct {
		struct transform transform;
		const char *after;
	} rows[] = {
		{{.write_through = WRITE_THROUGH_HONOR}, OPENS("", ",sync")},
		{{.write_through = WRITE_THROUGH_IGNORE}, OPENS("", "")},
		{{.sync_opens = true}, OPENS(",sync", ",sync")},
		{{.sync_opens = true}, OPENS(",sync", ",sync")},
		{{.sync_opens = true, .write_through = WRITE_THROUGH_IGNORE},
		 OPENS(",sync", ",sync")},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		check(&rows[i].transform, OPENS("", ""), rows[i].after);
}

static void fsync_flushes_after_each_write_only(void **state)
{
	check(&(struct transform){.flush_writes = true},
	      FILE_1 "write 0 0 1 1 OK\nread 0 0 1 1 OK\n",
	      FILE_1 "write 0 0 1 1 flush OK\nread 0 0 1 1 OK\n");
	/* A WRITE3 is not changed, as its argument stable_how decides. */
#define PROCEDURE "nfs-write \"/clients/client1/f\" 0 1 0 1 OK\n"
	check(&(struct transform){.flush_writes = true, .sync_opens = true}, PROCEDURE, PROCEDURE);
}

static void sync_dirs_flushes_parents_of_changed_names(void **state)
{
	check(&(struct transform){.sync_parents = true},
	      "unlink \"/a/b\" OK\n"
	      "mkdir \"/a/b\" OK\n"
	      "rmdir \"/a/b\" OK\n"
	      "rename \"/a/b\" \"/a/c\" replace OK\n"
	      "link \"/a/b\" \"/a/c\" OK\n"
	      "symlink \"/a/b\" \"/a/c\" OK\n"
	      "stat \"/a/b\" OK\n",
	      "unlink \"/a/b\" sync-parent OK\n"
	      "mkdir \"/a/b\" sync-parent OK\n"
	      "rmdir \"/a/b\" sync-parent OK\n"
	      "rename \"/a/b\" \"/a/c\" replace sync-parent OK\n"
	      "link \"/a/b\" \"/a/c\" sync-parent OK\n"
	      "symlink \"/a/b\" \"/a/c\" sync-parent OK\n"
	      "stat \"/a/b\" OK\n");
}

static void a_cap_splits_what_is_larger(void **state)
{
	check(&(struct transform){.io_bytes_max = 4096},
	      FILE_1 "write 0 100 10000 10000 OK\n"
		     "read 0 0 4096 4096 OK\n"
		     "read 0 0 8192 5000 OK\n"
		     "read 0 0 8192 - OK\n"
		     "lock 0 0 100000 OK\n",
	      FILE_1 "write 0 100 4096 4096 OK\n"
		     "write 0 100 4096 4096 OK\n"
		     "write 0 100 1808 1808 OK\n"
		     "read 0 0 4096 4096 OK\n"
		     "read 0 0 4096 4096 OK\n"
		     "read 0 0 4096 904 OK\n"
		     "read 0 0 4096 - OK\n"
		     "read 0 0 4096 - OK\n"
		     "lock 0 0 100000 OK\n");
	check(&(struct transform){.io_bytes_max = 4096},
	      "nfs-write \"/a\" 100 5000 2 5000 OK\n"
	      "nfs-read \"/a\" 100 5000 - OK\n"
	      "nlm-lock \"/a\" 0 100000 OK\n",
	      "nfs-write \"/a\" 100 4096 2 4096 OK\n"
	      "nfs-write \"/a\" 100 904 2 904 OK\n"
	      "nfs-read \"/a\" 100 4096 - OK\n"
	      "nfs-read \"/a\" 100 904 - OK\n"
	      "nlm-lock \"/a\" 0 100000 OK\n");
}

static void parts_continue_where_the_one_before_ended(void **state)
{
	struct program *program = load_text(FILE_1 "write 0 *%1000 10000 10000 OK\n");
	struct error error = {0};
	unsigned i;

	transform_program(program, &(struct transform){.io_bytes_max = 4096}, &error);
	assert_int_equal(program->op_count, 4);
	assert_int_equal(program->io_bytes_max, 4096);
	for (i = 1; i < 4; i++)
		assert_int_equal(program->ops[i].flags & (OP_COMPUTED | OP_CONTINUED),
				 i == 1 ? OP_COMPUTED : OP_CONTINUED);
	program_free(program);
}

static void a_split_write_is_flushed_once_and_due_once(void **state)
{
	check(&(struct transform){.flush_writes = true, .io_bytes_max = 10},
	      FILE_1 "1.000000000 write 0 0 25 25 OK\n",
	      FILE_1 "1.000000000 write 0 0 10 10 OK\n"
		     "write 0 0 10 10 OK\n"
		     "write 0 0 5 5 flush OK\n");
}

static void loops_still_begin_at_their_first_operation(void **state)
{
	struct program *program = load_text(FILE_1 "write 0 0 25 25 OK\n"
						   "WRITEPATTERN x\n"
						   "LOOP 2\n"
						   "WRITEPATTERN y\n"
						   "write 0 0 25 25 OK\n"
						   "LOOP 3\n"
						   "read 0 0 5 5 OK\n"
						   "ENDLOOP\n"
						   "ENDLOOP\n");
	struct error error = {0};

	assert_int_equal(transform_program(program,
					   &(struct transform){
						   .io_bytes_max = 10,
						   .drop_patterns = true,
					   },
					   &error),
			 0);
	/* Now there are: open, 3 writes, LOOP at 4, 3 writes, LOOP at 8, read,
	 * and two times ENDLOOP. */
	assert_int_equal(program->op_count, 12);
	assert_int_equal(program->ops[4].kind, OP_LOOP);
	assert_int_equal(program->ops[8].kind, OP_LOOP);
	assert_int_equal(program->ops[10].kind, OP_ENDLOOP);
	assert_int_equal(program->ops[10].jump, 9);
	assert_int_equal(program->ops[11].jump, 5);
	program_free(program);
}

static void data_options_drop_the_patterns(void **state)
{
	struct program *program = load_text("WRITEPATTERN abc\n"
					    "LOOP 2\n"
					    "WRITEPATTERN abc\n"
					    "statvfs OK\n"
					    "ENDLOOP\n");
	struct error error = {0};

	transform_program(program, &(struct transform){.drop_patterns = true}, &error);
	assert_int_equal(program->op_count, 3);
	assert_int_equal(program->ops[2].jump, 1);
	program_free(program);
	check(&(struct transform){.drop_patterns = true},
	      "WRITEPATTERN abc\n" FILE_1 "WRITEPATTERN def\n"
	      "2.000000000 write 0 0 1 1 OK\n",
	      FILE_1 "2.000000000 write 0 0 1 1 OK\n");
}

static void a_cap_does_not_split_attributes(void **state)
{
	struct program *program = load_text("open \"/client1/f\" write,create 0 OK\n"
					    "write 0 0 65536 65536 OK\n"
					    "xattr-set \"/client1/f\" user.a 5000 OK\n");
	struct error error = {0};

	assert_int_equal(
		transform_program(program, &(struct transform){.io_bytes_max = 1000}, &error), 0);
	assert_int_equal(program->op_count, 68);
	assert_int_equal(program->ops[67].size, 5000);
	/* Buffers still have room for the whole value. */
	assert_int_equal(program->io_bytes_max, 5000);
	program_free(program);
}

static void a_cap_that_makes_too_many_parts_is_refused(void **state)
{
	enum { WRITES = 5 };
	char text[64 + WRITES * 40] = FILE_1;
	struct error error = {0};
	struct program *program;
	unsigned i;

	for (i = 0; i < WRITES; i++)
		strcat(text, "write 0 0 67108864 67108864 OK\n");
	program = load_text(text);
	assert_int_equal(transform_program(program, &(struct transform){.io_bytes_max = 1}, &error),
			 -EOVERFLOW);
	assert_string_equal(error.text, "--cap-io would split the load into more than 268435456 "
					"operations; give --cap-io a larger size");
	program_free(program);
}

static void forgiving_excepts_what_changes_files(void **state)
{
	const struct transform transform = {.forgive = true};
	struct program *program = load_text(FILE_1
					    "read 0 0 10 10 OK\n"
					    "write 0 0 10 10 OK\n"
					    "unlink \"/clients/client1/f\" ENOENT\n"
					    "rename \"/clients/client1/f\" \"/clients/client1/g\" "
					    "replace OK\n"
					    "rmdir \"/clients/client1/d\" ENOTEMPTY\n"
					    "stat \"/clients/client1/f\" EACCES\n");
	const struct op *ops = program->ops;
	struct error error = {0};
	size_t i;

	assert_int_equal(transform_program(program, &transform, &error), 0);
	for (i = 0; i < program->op_count; i++) {
		bool spared = i == 0 || i == 1 || i == 6;

		assert_int_equal((ops[i].flags & OP_FORGIVEN) != 0, spared);
	}
	/* For a recorded failure, any failure is accepted. */
	assert_int_equal(ops[3].accepts, OUTCOME_ANY_FAILURE);
	assert_int_equal(ops[5].accepts, OUTCOME_ANY_FAILURE);
	assert_int_equal(ops[6].accepts, OUTCOME_ANY_FAILURE);
	assert_int_equal(ops[4].accepts, OUTCOME_BIT(OK));
	program_free(program);
}

static void a_cut_shortens_data(void **state)
{
	check(&(struct transform){.io_bytes_cut = 100},
	      FILE_1 "write 0 7 65536 65536 OK\n"
		     "read 0 0 64 64 OK\n"
		     "read 0 0 4096 0 OK\n",
	      FILE_1 "write 0 7 100 100 OK\n"
		     "read 0 0 64 64 OK\n"
		     "read 0 0 100 0 OK\n");
}

static void compat_flags_are_set_where_they_apply(void **state)
{
	const struct transform transform = {
		.pretend_io = true, .stat_first = true, .read_first = true};
	struct program *program = load_text(FILE_1 "write 0 0 1 1 OK\n"
						   "write 0 0 2 2 OK\n"
						   "mkdir \"/clients/client1/d\" OK\n"
						   "open \"/clients/client1/f\" read 1 OK\n");
	const struct op *ops = program->ops;
	struct error error = {0};

	assert_int_equal(transform_program(program, &transform, &error), 0);
	assert_int_equal(ops[0].flags & OP_COMPAT, OP_STAT_FIRST);
	assert_int_equal(ops[1].flags & OP_COMPAT, OP_PRETENDED | OP_READ_FIRST);
	assert_int_equal(ops[2].flags & OP_COMPAT, OP_PRETENDED);
	assert_int_equal(ops[3].flags & OP_COMPAT, OP_STAT_FIRST);
	assert_int_equal(ops[4].flags & OP_COMPAT, 0);
	program_free(program);
}

static void a_slow_speed_ends_at_the_latest_time_stamp(void **state)
{
	check(&(struct transform){.speed = 0.001},
	      "0.5 mkdir \"/a\" OK\n1000000000 mkdir \"/b\" OK\n",
	      "500.000000000 mkdir \"/a\" OK\n"
	      "1000000000.000000000 mkdir \"/b\" OK\n");
}

int unit_transform(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_a_load_stays_the_same),
		cmocka_unit_test(no_resolve_drops_the_lookups),
		cmocka_unit_test(sync_options_apply_to_files_only),
		cmocka_unit_test(fsync_flushes_after_each_write_only),
		cmocka_unit_test(sync_dirs_flushes_parents_of_changed_names),
		cmocka_unit_test(a_cap_splits_what_is_larger),
		cmocka_unit_test(parts_continue_where_the_one_before_ended),
		cmocka_unit_test(a_split_write_is_flushed_once_and_due_once),
		cmocka_unit_test(loops_still_begin_at_their_first_operation),
		cmocka_unit_test(data_options_drop_the_patterns),
		cmocka_unit_test(a_cap_does_not_split_attributes),
		cmocka_unit_test(a_cap_that_makes_too_many_parts_is_refused),
		cmocka_unit_test(forgiving_excepts_what_changes_files),
		cmocka_unit_test(a_cut_shortens_data),
		cmocka_unit_test(compat_flags_are_set_where_they_apply),
		cmocka_unit_test(a_slow_speed_ends_at_the_latest_time_stamp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
