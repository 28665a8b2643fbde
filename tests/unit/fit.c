/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "adapt/fit.h"

static const char load[] = "open \"/clients/client1/f\" read,write,create,sync 0 OK\n"
			   "LOOP 3\n"
			   "write 0 0 512 512 flush OK\n"
			   "fsync 0 OK\n"
			   "ENDLOOP\n"
			   "lock 0 0 1 OK\n"
			   "unlock 0 0 1 OK\n"
			   "close 0 OK\n"
			   "mkdir \"/clients/client1/d\" sync-parent OK\n";

/* Return the entry for a label, or NULL. */
static const struct fit_entry *entry_of(const struct program *program,
					const struct fit_report *report, const char *label)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		if (strcmp(program->labels[report->entries[i].label], label) == 0)
			return &report->entries[i];
	return NULL;
}

static void expect_entry(const struct program *program, const struct fit_report *report,
			 const char *label, enum fit_how how, const char *cannot, double ops)
{
	const struct fit_entry *entry = entry_of(program, report, label);

	assert_non_null(entry);
	assert_int_equal(entry->how, how);
	assert_string_equal(entry->capability, cannot);
	expect_near(entry->ops, ops, 1e-9);
}

/* Return the number of operations per loop that are handled as `how`. */
static double fit_count(const struct fit_report *report, enum fit_how how)
{
	double ops = 0;
	size_t i;

	for (i = 0; i < report->count; i++)
		if (report->entries[i].how == how)
			ops += report->entries[i].ops;
	return ops;
}

static void a_target_with_all_capabilities_plays_all(void **state)
{
	struct program *program = load_text(load);
	struct fit_report report;
	char *before = printed(program), *after;

	assert_int_equal(fit_program(program, CAP_ALL, &report), 0);
	assert_int_equal(report.count, 0);
	assert_true(report.ops == 11);
	after = printed(program);
	assert_string_equal(after, before);
	free(before);
	free(after);
	fit_free(&report);
	program_free(program);
}

static void unsupported_operations_are_skipped(void **state)
{
	struct program *program = load_text(load);
	size_t count = program->op_count;
	struct fit_report report;

	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_LOCKS, &report), 0);
	assert_int_equal(report.count, 2);
	expect_entry(program, &report, "lock", FIT_SKIPPED, "byte-range locks", 1);
	expect_entry(program, &report, "unlock", FIT_SKIPPED, "byte-range locks", 1);
	assert_true(fit_count(&report, FIT_SKIPPED) == 2);
	/* Skipped operations stay in the list, as loops and the prologue refer
	 * to operations by index. */
	assert_int_equal(program->op_count, count);
	assert_int_equal(program->ops[5].kind, OP_SKIP);
	assert_string_equal(program->labels[program->ops[5].label], "lock");
	assert_int_equal(program->ops[7].kind, OP_CLOSE);
	fit_free(&report);
	program_free(program);
}

static void loops_are_multiplied_out(void **state)
{
	struct program *program = load_text(load);
	struct fit_report report;

	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_FSYNC, &report), 0);
	assert_int_equal(report.count, 2);
	expect_entry(program, &report, "fsync", FIT_SKIPPED, "fsync", 3);
	expect_entry(program, &report, "write", FIT_DEGRADED, "fsync", 3);
	assert_int_equal(program->ops[2].kind, OP_WRITE);
	assert_int_equal(program->ops[2].flags & OP_FLUSH, 0);
	fit_free(&report);
	program_free(program);
}

static void unsupported_modifiers_are_left_out(void **state)
{
	struct program *program = load_text(load);
	struct fit_report report;

	assert_int_equal(fit_program(program,
				     CAP_ALL & ~(unsigned)(CAP_SYNC_OPENS | CAP_SYNC_PARENTS),
				     &report),
			 0);
	assert_int_equal(report.count, 2);
	expect_entry(program, &report, "open", FIT_DEGRADED, "O_SYNC", 1);
	expect_entry(program, &report, "mkdir", FIT_DEGRADED, "fsync of directories", 1);
	assert_true(fit_count(&report, FIT_SKIPPED) == 0);
	assert_int_equal(program->ops[0].open_flags & OPEN_SYNC, 0);
	assert_int_equal(program->ops[8].kind, OP_MKDIR);
	assert_int_equal(program->ops[8].flags & OP_SYNC_PARENT, 0);
	fit_free(&report);
	program_free(program);
}

static void operations_on_attributes_and_ranges_need_capabilities(void **state)
{
	static const struct {
		const char *line, *label, *cannot;
		enum fit_how how;
		unsigned missing;
	} rows[] = {
		{"open /client1/f read,direct 1 OK\n", "open", "O_DIRECT", FIT_DEGRADED,
		 CAP_DIRECT},
		{"rename /client1/f /client1/g exchange OK\n", "rename", "exchanges of two names",
		 FIT_SKIPPED, CAP_SWAP},
		{"chmod /client1/f 0600 OK\n", "chmod", "changes of permissions", FIT_SKIPPED,
		 CAP_CHMOD},
		{"chown /client1/f - - OK\n", "chown", "changes of owners", FIT_SKIPPED, CAP_CHOWN},
		{"access /client1/f read OK\n", "access", "access checks", FIT_SKIPPED, CAP_ACCESS},
		{"set-path-times /client1/f OK\n", "set-path-times", "changes of times by path",
		 FIT_SKIPPED, CAP_PATH_TIMES},
		{"xattr-list /client1/f OK\n", "xattr-list", "extended attributes", FIT_SKIPPED,
		 CAP_XATTRS},
	};
	struct fit_report report;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].line);

		assert_int_equal(fit_program(program, CAP_ALL & ~rows[i].missing, &report), 0);
		assert_int_equal(report.count, 1);
		expect_entry(program, &report, rows[i].label, rows[i].how, rows[i].cannot, 1);
		if (rows[i].how == FIT_DEGRADED)
			assert_int_equal(program->ops[0].open_flags, OPEN_READ);
		fit_free(&report);
		program_free(program);
	}
	/* A rename that replaces its target does not need it. */
	{
		struct program *program = load_text("rename /client1/f /client1/g replace OK\n");

		assert_int_equal(fit_program(program, 0, &report), 0);
		assert_int_equal(report.count, 0);
		fit_free(&report);
		program_free(program);
	}
}

/* The means of branches are added up as they are, even if each is below half an
 * operation per loop. */
static void operations_that_are_seldom_played_count(void **state)
{
	static const struct {
		const char *text;
		double ops, skipped;
		bool played;
	} rows[] = {
		{"MIX 1\n1 lock 0 0 1 OK\n1 unlock 0 0 1 OK\n1 fstat 0 OK\n"
		 "ENDMIX\nLOOP 0\nstat /client1/f OK\nENDLOOP\n",
		 1, 2 / 3.0, true},
		{"MIX 1\n5 lock 0 0 1 OK\n1 stat /client1/f OK\n"
		 "1 fstat 0 OK\nENDMIX\n",
		 1, 5 / 7.0, true},
		{"LOOP $user\nstat /client1/f OK\nENDLOOP\n", 0, 0, true},
		{"MIX 1\n1 lock 0 0 1 OK\n1 unlock 0 0 1 OK\n"
		 "1 lock 0 1 1 OK\nENDMIX\nLOOP 0\nfstat 0 OK\nENDLOOP\n",
		 1, 1, false},
		{"LOOP 0\nlock 0 0 1 OK\nfstat 0 OK\nENDLOOP\n", 0, 0, false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct fit_report report;
		struct program *program;
		char text[512];

		snprintf(text, sizeof(text),
			 "SETUP\nopen /client1/f read,write,create 0 OK\nlock 0 0 1 OK\nENDSETUP\n"
			 "%s",
			 rows[i].text);
		program = load_text(text);
		assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_LOCKS, &report), 0);
		if (fabs(report.ops - rows[i].ops) > 1e-9 ||
		    fabs(fit_count(&report, FIT_SKIPPED) - rows[i].skipped) > 1e-9 ||
		    report.played != rows[i].played)
			fail_msg("%g operations, %g skipped, played %d: %s", report.ops,
				 fit_count(&report, FIT_SKIPPED), report.played, rows[i].text);
		fit_free(&report);
		program_free(program);
	}
}

static const char procedures[] = "CREATE3 \"/clients/client1/f\" 0x00000000\n"
				 "WRITE3 \"/clients/client1/f\" 0 512 2 0x0000000d\n"
				 "COMMIT3 \"/clients/client1/f\" 0x00000000\n"
				 "LINK3 \"/clients/client1/g\" \"/clients/client1/f\" 0x00000000\n"
				 "READLINK3 \"/clients/client1/g\" *\n"
				 "LOCK4 \"/clients/client1/f\" 0 1 0x00000000\n";

static void a_target_with_procedures_plays_them(void **state)
{
	struct program *program = load_text(procedures);
	struct fit_report report;

	/* NFS procedures need no other capability, but locks need NLM, which is
	 * a separate server. */
	assert_int_equal(fit_program(program, CAP_PROCEDURES, &report), 0);
	assert_int_equal(report.count, 1);
	expect_entry(program, &report, "LOCK4", FIT_SKIPPED, "NLM", 1);
	assert_int_equal(program->ops[1].stable, 2);
	assert_int_equal(program->ops[1].accepts, OUTCOME_BIT(DENIED));
	fit_free(&report);
	program_free(program);
}

static void other_targets_emulate_procedures(void **state)
{
	struct program *program = load_text(procedures);
	struct fit_report report;

	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_PROCEDURES, &report), 0);
	assert_int_equal(report.count, 6);
	assert_true(fit_count(&report, FIT_EMULATED) == 6);
	expect_entry(program, &report, "WRITE3", FIT_EMULATED, "NFSv3 procedures", 1);
	/* An emulated procedure for which EACCES is recorded accepts EPERM as
	 * well. */
	assert_int_equal(program->ops[1].accepts, OUTCOME_BIT(DENIED) | OUTCOME_BIT(NOT_PERMITTED));
	assert_int_equal(program->ops[1].stable, 2);
	fit_free(&report);
	program_free(program);
}

static void copies_are_emulated(void **state)
{
	static const char copies[] = "open \"/clients/client1/a\" read,write,create 0 OK\n"
				     "copy 0 0 0 10 10 OK\n"
				     "clone 0 0 0 4096 0 OK\n";
	struct program *program = load_text(copies);
	struct fit_report report;

	/* A target that copies, but does not clone. */
	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_CLONE, &report), 0);
	assert_int_equal(report.count, 1);
	expect_entry(program, &report, "clone", FIT_EMULATED, "clones of files", 1);
	assert_true(program->clones_by_copy);
	assert_false(program->copies_by_hand);
	fit_free(&report);
	/* One that can do neither. */
	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)(CAP_COPY | CAP_CLONE), &report),
			 0);
	assert_int_equal(report.count, 2);
	expect_entry(program, &report, "copy", FIT_EMULATED, "copies by the target", 1);
	assert_true(program->copies_by_hand);
	assert_int_equal(program->io_bytes_max, PROGRAM_COPY_BYTES);
	fit_free(&report);
	program_free(program);
}

static void emulation_needs_capabilities_too(void **state)
{
	struct program *program = load_text(procedures);
	struct fit_report report;

	assert_int_equal(fit_program(program, 0, &report), 0);
	expect_entry(program, &report, "CREATE3", FIT_EMULATED, "NFSv3 procedures", 1);
	expect_entry(program, &report, "WRITE3", FIT_DEGRADED, "fsync", 1);
	assert_int_equal(program->ops[1].stable, 0);
	expect_entry(program, &report, "COMMIT3", FIT_SKIPPED, "fsync", 1);
	expect_entry(program, &report, "LINK3", FIT_SKIPPED, "hard links", 1);
	expect_entry(program, &report, "READLINK3", FIT_SKIPPED, "symbolic links", 1);
	expect_entry(program, &report, "LOCK4", FIT_SKIPPED, "byte-range locks", 1);
	fit_free(&report);
	program_free(program);
}

/* Return how many of the load's lines are skipped on a target that lacks the
 * capabilities. The last line must be played. */
static double skipped_without(unsigned lacking, const char *text)
{
	struct program *program = load_text(text);
	struct fit_report report;
	double count;

	assert_int_equal(fit_program(program, CAP_ALL & ~lacking, &report), 0);
	count = fit_count(&report, FIT_SKIPPED);
	assert_int_not_equal(program->ops[program->op_count - 1].kind, OP_SKIP);
	fit_free(&report);
	program_free(program);
	return count;
}

static void operations_on_a_name_that_is_not_made_are_skipped(void **state)
{
	assert_true(skipped_without(CAP_SYMLINKS, "symlink \"/clients/client1/a\" \"/f\" OK\n"
						  "stat \"/clients/client1/a\" OK\n"
						  "mkdir \"/clients/client1/a\" EEXIST\n"
						  "rename \"/clients/client1/a\" "
						  "\"/clients/client1/b\" replace OK\n"
						  "open \"/clients/client1/b\" read 0 OK\n"
						  "read 0 0 10 10 OK\n"
						  "close 0 OK\n"
						  "stat \"/clients/client1/a\" ENOENT\n"
						  "unlink \"/clients/client1/b\" OK\n"
						  "mkdir \"/clients/client1/b\" OK\n"
						  "stat \"/clients/client1/b\" OK\n") == 8);
	assert_true(skipped_without(CAP_LINKS,
				    "open \"/clients/client1/f\" write,create 0 OK\n"
				    "close 0 OK\n"
				    "link \"/clients/client1/g\" \"/clients/client1/f\" OK\n"
				    "link \"/clients/client1/f\" "
				    "\"/clients/client1/g\" EEXIST\n"
				    "unlink \"/clients/client1/g\" OK\n"
				    "stat \"/clients/client1/f\" OK\n") == 3);
	/* Names move with their directory. */
	assert_true(
		skipped_without(CAP_SYMLINKS,
				"mkdir \"/clients/client1/d\" OK\n"
				"symlink \"/clients/client1/d/l\" \"/f\" OK\n"
				"rename \"/clients/client1/d\" \"/clients/client1/e\" replace OK\n"
				"stat \"/clients/client1/d/l\" ENOENT\n"
				"stat \"/clients/client1/e/l\" OK\n"
				"link \"/clients/client1/m\" "
				"\"/clients/client1/e/l\" OK\n"
				"stat \"/clients/client1/m\" OK\n"
				"stat \"/clients/client1/e\" OK\n") == 4);
	/* A link that fails makes no name. */
	assert_true(skipped_without(CAP_SYMLINKS, "mkdir \"/clients/client1/d\" OK\n"
						  "symlink \"/clients/client1/d\" \"/f\" EEXIST\n"
						  "stat \"/clients/client1/d\" OK\n") == 1);
}

/* After an exchange that is skipped, files have other names than the recording
 * says. */
static void operations_after_a_skipped_exchange_are_skipped(void **state)
{
#define EXCHANGE "rename \"/client1/a\" \"/client1/b\" exchange\n"
	/* Until then, and with other names, operations are played, and those on
	 * open files always. */
	assert_true(skipped_without(CAP_SWAP,
				    "open \"/client1/a\" read 1 OK\n"
				    "stat \"/client1/b\" OK\n" EXCHANGE "stat \"/client1/a\" OK\n"
				    "stat \"/client1/b\" OK\n"
				    "read 1 0 10 10 OK\n"
				    "stat \"/client1/ab\" OK\n") == 3);
	/* Handles */
	assert_true(skipped_without(CAP_SWAP, EXCHANGE "open \"/client1/a\" read 1 OK\n"
						       "read 1 0 10 10 OK\n"
						       "close 1 OK\n"
						       "open \"/client1/c\" read 1 OK\n"
						       "read 1 0 10 10 OK\n") == 4);
	/* Names stay strays, and so do those that they get. */
	assert_true(skipped_without(CAP_SWAP,
				    EXCHANGE "unlink \"/client1/a\" OK\n"
					     "open \"/client1/a\" write,create,exclusive 1 OK\n"
					     "close 1 OK\n"
					     "rename \"/client1/b\" \"/client1/c\" replace\n"
					     "stat \"/client1/c\" OK\n"
					     "link \"/client1/d\" \"/client1/c\" OK\n"
					     "stat \"/client1/d\" OK\n"
					     "rename \"/client1/e\" \"/client1/d\" replace\n"
					     "stat \"/client1/e\" ENOENT\n"
					     "stat \"/client1/f\" OK\n") == 10);
	/* Directories */
	assert_true(skipped_without(CAP_SWAP, EXCHANGE "stat \"/client1/a/x\" OK\n"
						       "stat \"/client1/b/x/y\" OK\n"
						       "list \"/client1/a/*\" 100 3 OK\n"
						       "unlink-matching \"/client1/x*\" OK\n"
						       "stat \"/client1/abc\" OK\n") == 5);
	/* A directory with strays gets another name. */
	assert_true(skipped_without(CAP_SWAP, "rename \"/client1/d/a\" \"/client1/d/b\" exchange\n"
					      "rename \"/client1/d\" \"/client1/e\" replace\n"
					      "stat \"/client1/e/a\" OK\n"
					      "unlink-matching \"/client1/e/*\" OK\n"
					      "rmdir \"/client1/e\" OK\n"
					      "stat \"/client1/f\" OK\n") == 4);
	/* An exchange that failed changed nothing. */
	assert_true(skipped_without(CAP_SWAP,
				    "rename \"/client1/a\" \"/client1/b\" exchange ENOENT\n"
				    "stat \"/client1/a\" OK\n") == 1);
}

static void listings_with_strays_have_any_length(void **state)
{
	struct program *program = load_text("list \"/client1/*\" 100 3 OK\n" EXCHANGE
					    "list \"/client1/*\" 100 3 OK\n"
					    "list \"/client1/d/*\" 100 3 OK\n");
	struct fit_report report;

	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_SWAP, &report), 0);
	assert_true(fit_count(&report, FIT_SKIPPED) == 1);
	assert_int_not_equal(program->ops[0].flags & OP_COUNTED, 0);
	assert_int_equal(program->ops[2].flags & OP_COUNTED, 0);
	assert_int_not_equal(program->ops[3].flags & OP_COUNTED, 0);
	fit_free(&report);
	program_free(program);
}

static void listings_do_not_expect_names_that_are_not_made(void **state)
{
	struct program *program = load_text("symlink \"/clients/client1/d/a\" \"/f\" OK\n"
					    "list \"/clients/client1/d/*\" 100 3 OK\n"
					    "list \"/clients/client1/d/x*\" 100 3 OK\n"
					    "list \"/clients/client1/*\" 100 3 OK\n"
					    "unlink \"/clients/client1/d/a\" OK\n"
					    "list \"/clients/client1/d/*\" 100 0 OK\n");
	struct fit_report report;

	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_SYMLINKS, &report), 0);
	assert_true(fit_count(&report, FIT_SKIPPED) == 2);
	assert_int_equal(program->ops[1].expect, 2);
	assert_int_equal(program->ops[2].flags & OP_COUNTED, 0);
	assert_int_equal(program->ops[3].expect, 3);
	assert_int_not_equal(program->ops[3].flags & OP_COUNTED, 0);
	assert_int_not_equal(program->ops[5].flags & OP_COUNTED, 0);
	fit_free(&report);
	program_free(program);
}

static void directories_are_flushed_only_where_that_is_possible(void **state)
{
	assert_true(skipped_without(CAP_SYNC_PARENTS,
				    "open \"/clients/client1/d\" read,directory 0 OK\n"
				    "fsync 0 OK\n"
				    "close 0 OK\n"
				    "open \"/clients/client1/f\" write,create 0 OK\n"
				    "fsync 0 OK\n") == 1);
}

int unit_fit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_with_all_capabilities_plays_all),
		cmocka_unit_test(unsupported_operations_are_skipped),
		cmocka_unit_test(loops_are_multiplied_out),
		cmocka_unit_test(unsupported_modifiers_are_left_out),
		cmocka_unit_test(operations_on_attributes_and_ranges_need_capabilities),
		cmocka_unit_test(operations_that_are_seldom_played_count),
		cmocka_unit_test(a_target_with_procedures_plays_them),
		cmocka_unit_test(other_targets_emulate_procedures),
		cmocka_unit_test(copies_are_emulated),
		cmocka_unit_test(emulation_needs_capabilities_too),
		cmocka_unit_test(operations_on_a_name_that_is_not_made_are_skipped),
		cmocka_unit_test(listings_do_not_expect_names_that_are_not_made),
		cmocka_unit_test(operations_after_a_skipped_exchange_are_skipped),
		cmocka_unit_test(listings_with_strays_have_any_length),
		cmocka_unit_test(directories_are_flushed_only_where_that_is_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
