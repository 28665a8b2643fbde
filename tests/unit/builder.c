/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "compile/builder.h"

#include <errno.h>

/*
 * Check that a native load is refused. Each native line becomes one operation,
 * so native loads can trigger most refusals of the builder.
 */
static void check_refusal(const char *text, unsigned line, const char *refusal)
{
	struct errors errors;
	struct program *program = try_load(text, &errors);

	if (program != NULL)
		fail_msg("was accepted: %s", text);
	if (errors.count != 1 || errors.kept[0].line != line ||
	    strcmp(errors.kept[0].text, refusal) != 0)
		fail_msg("%zu errors, the first in line %u: %s\nin: %s", errors.count,
			 errors.kept[0].line, errors.kept[0].text, text);
}

static void forbidden_operations_are_refused(void **state)
{
#define OPEN_1 "open \"/client1/f\" read,write,create 1 OK\n"
#define TOO_LARGE \
	"67108865 bytes exceed the limit of 67108864 bytes per " \
	"operation"
#define NOT_RECURSIVELY(path) \
	"a load may not remove \"" path "\" recursively; expected the user's own " \
	"directory, /clients/client1, or a path below /clients/client1"
#define BECOMES \
	" could make this path begin with \"/clients\", where users have their own " \
	"directories; change the random strings"
#define NEEDED " may not change "
#define BY_RUN ", because the run needs this directory"
#define PATTERN(path) \
	"a load may not use a pattern to remove files in \"" path "\", because the pattern could " \
	"match what the run needs there"
	static const struct {
		const char *text;
		unsigned line;
		const char *refusal;
	} rows[] = {
		{"close 1 OK\n", 1, "handle 1 is not open at this line"},
		{OPEN_1 "close 1 OK\nread 1 0 10 10 OK\n", 3, "handle 1 is not open at this line"},
		{OPEN_1 "close 2 OK\n", 2, "handle 2 is not open at this line"},
		/* A failed open does not open its handle. */
		{"open \"/client1/f\" read 1 ENOENT\nclose 1 OK\n", 2,
		 "handle 1 is not open at this line"},
		{"open \"/client1/f\" read - OK\n", 1,
		 "expected a handle number, because this open may succeed"},
		{"open \"/client1/f\" read - *\n", 1,
		 "expected a handle number, because this open may succeed"},
		{OPEN_1 "read 1 0 67108865 - OK\n", 2, TOO_LARGE},
		{OPEN_1 "write 1 0 67108865 - OK\n", 2, TOO_LARGE},
		{OPEN_1 "read 1 *%0 1 - OK\n", 2, "an offset cannot be divided or aligned by 0"},
		{OPEN_1 "read 1 *%5/0 1 - OK\n", 2, "an offset cannot be divided or aligned by 0"},
		/* Flags of operations */
		{OPEN_1 "read 1 0 1 1 sync-parent OK\n", 2,
		 "read does not take the flag sync-parent"},
		{OPEN_1 "close 1 lookup OK\n", 2, "close does not take the flag lookup"},
		{"statvfs sync-parent OK\n", 1, "statvfs does not take the flag sync-parent"},
		{OPEN_1 "read 1 0 1 1 flush OK\n", 2, "read does not take the flag flush"},
		/* Nesting of loops */
		{"ENDLOOP\n", 1, "this ENDLOOP has no LOOP; expected LOOP on an earlier line"},
		{"LOOP 2\nstatvfs OK\n", 1,
		 "this LOOP has no ENDLOOP; expected ENDLOOP on a later line"},
		{"LOOP 2\nLOOP 2\nstatvfs OK\nENDLOOP\n", 1,
		 "this LOOP has no ENDLOOP; expected ENDLOOP on a later line"},
		{"LOOP 2\nENDLOOP\n", 2,
		 "the LOOP of line 1 has no operation; expected at least one before ENDLOOP"},
		{"", 0, "the loadfile has no operation"},
		{"SLEEP 1\n", 0, "the loadfile has no operation"},
		/* Handles of the set-up */
		{"SETUP\n" OPEN_1 "ENDSETUP\nread 1 0 1 1 OK\nclose 1 OK\n", 5,
		 "handle 1, which SETUP opens, is closed here and not opened again; the next loop "
		 "would find the handle closed"},
		{"SETUP\n" OPEN_1 "ENDSETUP\n", 0, "the loadfile has no operation after its SETUP"},
		{"SETUP\n" OPEN_1, 1,
		 "this SETUP has no ENDSETUP; expected ENDSETUP on a later line"},
		/* Directories that the run needs */
		{"deltree \"/\" OK\n", 1, NOT_RECURSIVELY("/")},
		{"deltree \"/clients\" OK\n", 1, NOT_RECURSIVELY("/clients")},
		{"deltree \"/clients/client2\" OK\n", 1, NOT_RECURSIVELY("/clients/client2")},
		{"deltree \"/shared\" OK\n", 1, NOT_RECURSIVELY("/shared")},
		{"rename \"/clients\" \"/x\" replace OK\n", 1,
		 "rename" NEEDED "\"/clients\"" BY_RUN},
		{"rename \"/x\" \"/clients\" replace OK\n", 1,
		 "rename" NEEDED "\"/clients\"" BY_RUN},
		{"rename \"/client1\" \"/x\" replace OK\n", 1,
		 "rename" NEEDED "\"/clients/client1\"" BY_RUN},
		{"rmdir \"/clients\" OK\n", 1, "rmdir" NEEDED "\"/clients\"" BY_RUN},
		{"rmdir \"/\" OK\n", 1, "rmdir" NEEDED "\"/\"" BY_RUN},
		{"unlink \"/clients\" OK\n", 1, "unlink" NEEDED "\"/clients\"" BY_RUN},
		{"unlink-matching \"/*\" OK\n", 1, PATTERN("/")},
		{"unlink-matching \"/clients/*\" OK\n", 1, PATTERN("/clients")},
		{"open \"/clients\" read,directory,delete-on-close 1 OK\n", 1,
		 "a load may not delete \"/clients\" on close" BY_RUN},
		{"nfs-remove \"/clients\" OK\n", 1, "nfs-remove" NEEDED "\"/clients\"" BY_RUN},
		{"link \"/client1/a\" \"/\" OK\n", 1, "link" NEEDED "\"/\"" BY_RUN},
		{"symlink \"/client1/a\" \"/\" OK\n", 1,
		 "\"/\" cannot be the content of a symbolic link, because throng removes the "
		 "leading slash and the link would be empty; expected a path with at least one "
		 "name"},
		{"nfs-write \"/client1/a\" 0 67108865 0 - OK\n", 1, TOO_LARGE},
		/* Random strings */
		{"RANDOMSTRING 1 \"[.]\"\nstatvfs OK\n", 1,
		 "\"[.]\" could become a string of periods only, such as \"..\"; add another "
		 "character"},
		{"RANDOMSTRING 1 \"/a\"\nunlink \"/b$1\" OK\n", 2,
		 "the template of this random string begins with a slash, so use the string only "
		 "directly after a slash"},
		{"RANDOMSTRING 1 \"[c][Lx]ients\"\nstatvfs OK\n"
		 "stat \"/$1/.throng\" OK\n",
		 3, "the random strings in \"/$1/.throng\"" BECOMES},
		/* Another template of the slot comes later. */
		{"RANDOMSTRING 1 \"x\"\nstat \"/client1/$1\" OK\nstat \"/$1\" OK\n"
		 "RANDOMSTRING 1 \"clients\"\n",
		 3, "the random strings in \"/$1\"" BECOMES},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		check_refusal(rows[i].text, rows[i].line, rows[i].refusal);
}

/* Slashes at the start of a random string's template are dropped, because a
 * path such as "/$1" already has a slash before the string. */
static void slashes_at_a_template_s_start_are_dropped(void **state)
{
	struct program *program = load_text("RANDOMSTRING 1 \"/\\/a[bc]\"\n"
					    "stat \"$1\" *\n"
					    "RANDOMSTRING 1 \"d\"\n"
					    "stat \"/x$1\" *\n");
	char *print = printed(program);

	assert_string_equal(print, "# throng loadfile, native dialect\n"
				   "RANDOMSTRING 1 \"a[bc]\"\n"
				   "stat \"/$1\" *\n"
				   "RANDOMSTRING 1 \"d\"\n"
				   "stat \"/x$1\" *\n");
	free(print);
	program_free(program);
}

/* There may be any number of them. */
static void first_components_may_be_computed(void **state)
{
	static const char *const texts[] = {
		("RANDOMSTRING 1 \"[0123456789][0123456789]\"\nRANDOMSTRING 2 \"[0123456789]\"\n"
		 "unlink \"/$1$2\" OK\n"),
		"RANDOMSTRING 1 \"clients\"\nmkdir \"/client1/$1\" OK\nmkdir \"/x/$1\" OK\n",
		"LOOP 100000 i\nmkdir \"/clients$i\" OK\nENDLOOP\n",
	};
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		program_free(load_text(texts[i]));
}

static void own_files_may_be_changed(void **state)
{
	static const char *const texts[] = {
		"deltree \"/client1\" OK\n",
		"deltree \"/client1/a\" OK\n",
		"rmdir \"/client1\" OK\n",
		"mkdir \"/clients\" OK\n",
		"nfs-mkdir \"/clients\" OK\n",
		"nfs-mkdir \"/clients/client1\" OK\n",
		"nfs-setattr \"/clients/client1\" OK\n",
		"nfs-readdirplus \"/\" OK\n",
		"nfs-getattr \"/clients\" OK\n",
		"mkdir \"/\" OK|EEXIST\n",
		"stat \"/\" OK\n",
		"list \"/*\" 10 - OK\n",
		"open \"/clients\" read,directory,create 1 OK\n",
		"rename \"/client1/a\" \"/client1/b\" replace OK\n",
		"unlink-matching \"/client1/*\" OK\n",
		"unlink-matching \"/shared/*\" OK\n",
	};
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		program_free(load_text(texts[i]));
}

static void loops_nest_at_most_sixteen_deep(void **state)
{
	char text[1000] = "";
	unsigned i;

	for (i = 0; i < PROGRAM_LOOP_DEPTH; i++)
		strcat(text, "LOOP 2\n");
	strcat(text, "statvfs OK\n");
	for (i = 0; i < PROGRAM_LOOP_DEPTH; i++)
		strcat(text, "ENDLOOP\n");
	program_free(load_text(text));

	text[0] = '\0';
	for (i = 0; i <= PROGRAM_LOOP_DEPTH; i++)
		strcat(text, "LOOP 2\n");
	check_refusal(text, PROGRAM_LOOP_DEPTH + 1, "blocks are nested more than 16 deep");
}

static void a_loop_ends_at_its_own_first_operation(void **state)
{
	struct program *program = load_text("LOOP 3\n"
					    "statvfs OK\n"
					    "LOOP 4\n"
					    "statvfs OK\n"
					    "ENDLOOP\n"
					    "ENDLOOP\n");

	assert_int_equal(program->op_count, 6);
	assert_int_equal(program->ops[0].count, 3);
	assert_int_equal(program->ops[0].jump, 6);
	assert_int_equal(program->ops[2].count, 4);
	assert_int_equal(program->ops[2].jump, 5);
	assert_int_equal(program->ops[4].jump, 3);
	assert_int_equal(program->ops[5].jump, 1);
	program_free(program);
}

static void handle_numbers_become_few_slots(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read 10001 OK\n"
					    "close 10001 OK\n"
					    "open \"/client1/b\" read 10002 OK\n"
					    "open \"/client1/c\" read 10003 OK\n"
					    "close 10002 OK\n"
					    "close 10003 OK\n");

	assert_int_equal(program->handle_count, 2);
	assert_int_equal(program->ops[0].handle, 0);
	assert_int_equal(program->ops[2].handle, 0);
	assert_int_equal(program->ops[3].handle, 1);
	assert_int_equal(program->leftover_count, 0);
	program_free(program);
}

static void a_failed_open_leaves_its_handle_unchanged(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read 5 OK\n"
					    "open \"/client1/b\" read 5 ENOENT\n"
					    "close 5 OK\n");

	assert_int_equal(program->ops[1].handle, OP_NONE);
	assert_int_equal(program->ops[2].handle, program->ops[0].handle);
	program_free(program);
}

static void open_handles_are_recorded(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read 1 OK\n"
					    "open \"/client1/b\" read,delete-on-close 2 OK\n"
					    "open \"/client1/d\" read,directory 3 OK\n"
					    "close 1 OK\n");
	const struct leftover *leftovers = program->leftovers;

	assert_int_equal(program->leftover_count, 2);
	assert_int_equal(leftovers[0].handle, program->ops[1].handle);
	assert_int_equal(leftovers[0].path, program->ops[1].path);
	assert_false(leftovers[0].directory);
	assert_int_equal(leftovers[1].handle, program->ops[2].handle);
	assert_int_equal(leftovers[1].path, OP_NONE);
	assert_true(leftovers[1].directory);
	program_free(program);
}

static void delete_on_close_follows_a_rename(void **state)
{
	struct program *program = load_text("open \"/client1/a\" write,delete-on-close 1 OK\n"
					    "rename \"/client1/a\" \"/client1/b\" replace OK\n"
					    "close 1 OK\n");

	assert_true((program->ops[2].flags & OP_DELETE) != 0);
	assert_string_equal(program->paths[program->ops[2].path].text, "clients/client1/b");
	program_free(program);
}

static void a_close_is_marked_with_what_it_closes(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read 1 OK\n"
					    "open \"/client1/d\" read,directory 2 OK\n"
					    "close 1 OK\nclose 2 OK\n");

	assert_int_equal(program->ops[2].flags & (OP_DELETE | OP_DIRECTORY), 0);
	assert_int_equal(program->ops[3].flags & (OP_DELETE | OP_DIRECTORY), OP_DIRECTORY);
	program_free(program);
}

static void equal_things_are_stored_once(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read 1 OK\n"
					    "read 1 *%10 1 - OK\n"
					    "read 1 *%10 1 - OK\n"
					    "read 1 *%11 1 - OK\n"
					    "stat \"\\client1\\.\\a\" OK\n"
					    "WRITEPATTERN x\nWRITEPATTERN y\nWRITEPATTERN x\n"
					    "a:statvfs OK\nb:statvfs OK\na:statvfs OK\n");

	assert_int_equal(program->path_count, 1);
	assert_int_equal(program->formula_count, 2);
	assert_int_equal(program->text_count, 2);
	/* open, read, stat, a, b */
	assert_int_equal(program->label_count, 5);
	program_free(program);
}

static void labels_are_limited_in_length_and_number(void **state)
{
	struct builder *builder = builder_new("source", "native");
	char name[PROGRAM_LABEL_MAX + 2];
	struct error error = {0};
	unsigned i;
	uint8_t label;

	memset(name, 'x', sizeof(name));
	name[PROGRAM_LABEL_MAX] = '\0';
	assert_int_equal(builder_label(builder, name, &label, &error), 0);
	name[PROGRAM_LABEL_MAX] = 'x';
	name[PROGRAM_LABEL_MAX + 1] = '\0';
	assert_int_equal(builder_label(builder, name, &label, &error), -EINVAL);
	assert_string_equal(
		error.text,
		"label \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is longer than 40 bytes");
	for (i = 1; i < PROGRAM_LABELS_MAX; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(builder_label(builder, name, &label, &error), 0);
		assert_int_equal(label, i);
	}
	error = (struct error){0};
	assert_int_equal(builder_label(builder, "more", &label, &error), -EINVAL);
	assert_string_equal(error.text, "a load may not have more than 250 labels");
	assert_int_equal(builder_label(builder, "17", &label, &error), 0);
	assert_int_equal(label, 17);
	builder_free(builder);
}

static void time_stamps_begin_anywhere(void **state)
{
	struct program *program = load_text("statvfs OK\n"
					    "0.5 statvfs OK\n"
					    "SLEEP 1\n"
					    "statvfs OK\n");

	assert_true(program->due_ns[0] == CLOCK_NEVER);
	assert_true(program->due_ns[1] == 500 * NS_PER_MS);
	assert_true(program->due_ns[2] == CLOCK_NEVER);
	assert_true(program->due_ns[3] == CLOCK_NEVER);
	program_free(program);

	program = load_text("statvfs OK\n");
	assert_null(program->due_ns);
	program_free(program);
}

static void many_operations_keep_their_order_and_stamps(void **state)
{
	enum { OPS = 3000 };
	char *text = malloc(OPS * 32);
	size_t length = 0, i;
	struct program *program;

	for (i = 0; i < OPS; i++)
		length += (size_t)sprintf(text + length, "%s%zu:statvfs OK\n",
					  i >= 1000 ? "5 l" : "l", i % 100);
	program = load_text(text);
	assert_int_equal(program->op_count, OPS);
	for (i = 0; i < OPS; i++) {
		assert_int_equal(program->ops[i].label, i % 100);
		assert_int_equal(program->ops[i].line, i + 1);
		assert_true(program->due_ns[i] == (i >= 1000 ? 5 * NS_PER_S : CLOCK_NEVER));
	}
	program_free(program);
	free(text);
}

static void limits_that_users_need_are_computed(void **state)
{
	struct program *program = load_text("open \"/client1/a\" read,write,create 1 OK\n"
					    "write 1 0 70000 70000 OK\n"
					    "read 1 0 100 100 OK\n"
					    "WAITSP 17 1\nWAITSP 3 1\n");

	assert_int_equal(program->io_bytes_max, 70000);
	assert_int_equal(program->user_awaited_max, 17);
	assert_string_equal(program->dialect, "native");
	program_free(program);

	program = load_text("nfs-read \"/client1/a\" 0 5000 - OK\n"
			    "nfs-write \"/client1/a\" 0 6000 0 - OK\n"
			    "nlm-lock \"/client1/a\" 0 7000 OK\n");
	assert_int_equal(program->io_bytes_max, 6000);
	program_free(program);
}

static void handles_are_reported_as_open(void **state)
{
	struct builder *builder = builder_new("source", "smb");
	struct op op = {.kind = OP_OPEN,
			.open_flags = OPEN_READ,
			.handle = 7,
			.path2 = OP_NONE,
			.accepts = OUTCOME_BIT(OK)};
	struct error error = {0};

	assert_int_equal(builder_path(builder, "/client1/a", false, 1, &op.path, &error), 0);
	assert_false(builder_is_open(builder, 7));
	assert_int_equal(builder_add(builder, &op, CLOCK_NEVER, &error), 0);
	assert_true(builder_is_open(builder, 7));
	assert_false(builder_is_open(builder, 0));
	op.kind = OP_CLOSE;
	op.path = OP_NONE;
	assert_int_equal(builder_add(builder, &op, CLOCK_NEVER, &error), 0);
	assert_false(builder_is_open(builder, 7));
	builder_free(builder);
}

static void unfinished_builders_can_be_freed(void **state)
{
	builder_free(NULL);
	builder_free(builder_new("source", "native"));
	program_free(NULL);
}

int unit_builder(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(forbidden_operations_are_refused),
		cmocka_unit_test(slashes_at_a_template_s_start_are_dropped),
		cmocka_unit_test(first_components_may_be_computed),
		cmocka_unit_test(own_files_may_be_changed),
		cmocka_unit_test(loops_nest_at_most_sixteen_deep),
		cmocka_unit_test(a_loop_ends_at_its_own_first_operation),
		cmocka_unit_test(handle_numbers_become_few_slots),
		cmocka_unit_test(a_failed_open_leaves_its_handle_unchanged),
		cmocka_unit_test(open_handles_are_recorded),
		cmocka_unit_test(delete_on_close_follows_a_rename),
		cmocka_unit_test(a_close_is_marked_with_what_it_closes),
		cmocka_unit_test(equal_things_are_stored_once),
		cmocka_unit_test(labels_are_limited_in_length_and_number),
		cmocka_unit_test(time_stamps_begin_anywhere),
		cmocka_unit_test(many_operations_keep_their_order_and_stamps),
		cmocka_unit_test(limits_that_users_need_are_computed),
		cmocka_unit_test(handles_are_reported_as_open),
		cmocka_unit_test(unfinished_builders_can_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
