/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "study/shared.h"

/* Return the names of a load's shared files, each followed by a blank, and "!"
 * if the load may change it. */
static const char *names_of(const char *load, struct shared *shared)
{
	static char text[1000];
	struct program *program = load_text(load);
	size_t i;

	*shared = (struct shared){0};
	assert_int_equal(shared_add(shared, program), 0);
	program_free(program);
	text[0] = '\0';
	for (i = 0; i < shared->names.count; i++) {
		strcat(text, shared->names.keys[i].bytes);
		strcat(text, shared->changed[i] ? "! " : " ");
	}
	return text;
}

static void expect_names(const char *load, const char *wanted)
{
	struct shared shared;
	const char *names = names_of(load, &shared);

	if (strcmp(names, wanted) != 0)
		fail_msg("\"%s\" instead of \"%s\": %s", names, wanted, load);
	shared_free(&shared);
}

static void every_kind_of_change_is_found(void **state)
{
	/* How a load uses the name "s": 0: not at all, 1: reads, 2: changes. */
	static const char *const uses[] = {"", "s ", "s! "};
	static const struct {
		const char *text;
		int as;
	} rows[] = {
		{"stat \"/s/x\" OK\n", 1},
		{"stat \"/s\" OK\n", 1},
		{"list \"/s/*\" 1 - OK\n", 1},
		{"open \"/s/x\" read 1 OK\nread 1 0 1 1 OK\n", 1},
		{"open \"/s/x\" read,write 1 OK\nclose 1 OK\n", 1},
		{"open \"/s/x\" read,write 1 OK\nwrite 1 0 1 1 OK\n", 2},
		{"open \"/s/x\" read,write 1 OK\nset-times 1 OK\n", 2},
		{"open \"/s/x\" read,write 1 OK\nfdatasync 1 OK\n", 1},
		{"open \"/s/x\" read,write 1 OK\ntruncate 1 0 OK\n", 2},
		{"open \"/s/x\" read,write 1 OK\nallocate 1 0 1 OK\n", 2},
		{"open \"/s/x\" read 1 OK\nopen \"/client1/y\" write 2 OK\n"
		 "copy 1 0 2 0 1 1 OK\n",
		 1},
		{"open \"/s/x\" write 1 OK\nopen \"/client1/y\" read 2 OK\n"
		 "copy 2 0 1 0 1 1 OK\n",
		 2},
		{"open \"/s/x\" write 1 OK\nopen \"/client1/y\" read 2 OK\n"
		 "clone 2 0 1 0 1 OK\n",
		 2},
		{"access \"/s/x\" read OK\n", 1},
		{"chmod \"/s/x\" 600 OK\n", 2},
		{"chown \"/s/x\" - - OK\n", 2},
		{"set-path-times \"/s/x\" OK\n", 2},
		{"xattr-get \"/s/x\" user.a 1 - OK\n", 1},
		{"xattr-list \"/s/x\" OK\n", 1},
		{"xattr-set \"/s/x\" user.a 1 OK\n", 2},
		{"xattr-remove \"/s/x\" user.a OK\n", 2},
		{"rename \"/s/a\" \"/client1/b\" exchange OK\n", 2},
		{"rename \"/client1/a\" \"/s/b\" exchange OK\n", 2},
		{"open \"/s/x\" read,create 1 OK\n", 2},
		{"open \"/s/x\" read,truncate 1 OK\n", 2},
		{"open \"/s/x\" read,delete-on-close 1 OK\n", 2},
		/* It may succeed all the same. */
		{"open \"/s/x\" write,create 1 ENOENT\n", 2},
		{"mkdir \"/s\" OK\n", 2},
		{"rmdir \"/s/d\" OK\n", 2},
		{"unlink \"/s/d\" OK\n", 2},
		{"unlink-matching \"/s/*\" OK\n", 2},
		{"rename \"/s/a\" \"/client1/b\" replace OK\n", 2},
		{"rename \"/client1/a\" \"/s/b\" replace OK\n", 2},
		{"link \"/s/a\" \"/client1/b\" OK\n", 2},
		/* The file can be changed through its other name. */
		{"link \"/client1/a\" \"/s/b\" OK\n", 2},
		{"symlink \"/s/a\" \"/client1/b\" OK\n", 2},
		/* The content is not a path that is accessed. */
		{"symlink \"/client1/a\" \"/s/b\" OK\n", 0},
		{"readlink \"/s/a\" OK\n", 1},
		{"nfs-getattr \"/s/a\" OK\n", 1},
		{"nfs-setattr \"/s/a\" OK\n", 2},
		{"nfs-lookup \"/s/a\" OK\n", 1},
		{"nfs-access \"/s/a\" OK\n", 1},
		{"nfs-readlink \"/s/a\" OK\n", 1},
		{"nfs-read \"/s/a\" 0 1 - OK\n", 1},
		{"nfs-write \"/s/a\" 0 1 0 - OK\n", 2},
		{"nfs-create \"/s/a\" OK\n", 2},
		{"nfs-mkdir \"/s/a\" OK\n", 2},
		{"nfs-symlink \"/s/a\" \"/client1/b\" OK\n", 2},
		{"nfs-remove \"/s/a\" OK\n", 2},
		{"nfs-rmdir \"/s/a\" OK\n", 2},
		{"nfs-rename \"/s/a\" \"/client1/b\" OK\n", 2},
		{"nfs-rename \"/client1/a\" \"/s/b\" OK\n", 2},
		{"nfs-link \"/client1/a\" \"/s/b\" OK\n", 2},
		{"nfs-readdirplus \"/s\" OK\n", 1},
		{"nfs-pathconf \"/s\" OK\n", 1},
		{"nfs-commit \"/s/a\" OK\n", 1},
		{"nlm-lock \"/s/a\" 0 1 OK\n", 1},
		{"nlm-unlock \"/s/a\" 0 1 OK\n", 1},
		{"nlm-test \"/s/a\" 0 1 OK\n", 1},
		/* A handle number that another file had, and has again. */
		{"open \"/s/x\" read 1 OK\nclose 1 OK\nopen \"/client1/y\" write 1 OK\n"
		 "write 1 0 1 1 OK\n",
		 1},
		{"open \"/client1/y\" write 1 OK\nclose 1 OK\nopen \"/s/x\" write 1 OK\n"
		 "write 1 0 1 1 OK\n",
		 2},
		/* The second round writes to the file that the first one opens. */
		{"open \"/client1/y\" write 1 OK\nLOOP 2\nwrite 1 0 1 1 OK\nclose 1 OK\n"
		 "open \"/s/x\" write 1 OK\nENDLOOP\n",
		 2},
		{"open \"/client1/y\" write 1 OK\nLOOP 2\nwrite 1 0 1 1 OK\nclose 1 OK\n"
		 "open \"/s/x\" read 2 OK\nclose 2 OK\nopen \"/client1/y\" write 1 OK\n"
		 "ENDLOOP\n",
		 1},
		{"LOOP 2\nopen \"/s/x\" read 1 OK\nclose 1 OK\nopen \"/client1/y\" write 1 OK\n"
		 "write 1 0 1 1 OK\nclose 1 OK\nENDLOOP\n",
		 1},
		{"SETUP shared\nmkdir \"/s\" OK\nENDSETUP\nstat \"/s\" OK\n", 2},
		/* Not a name in the target, but a pattern. */
		{"list \"/s*\" 1 - OK\n", 0},
		{"stat \"/client1/s\" OK\n", 0},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		expect_names(rows[i].text, uses[rows[i].as]);
}

static void names_are_first_components(void **state)
{
	expect_names("stat \"/a/b\" OK\nstat \"/a\" OK\nmkdir \"/c/d/e\" OK\n", "a c! ");
	/* One that is read and then changed is changed. */
	expect_names("stat \"/a\" OK\nmkdir \"/a/b\" OK\nstat \"/a\" OK\n", "a! ");
	/* In `clients`, two components. The target, `clients` and the user's own
	 * directory are not listed. */
	expect_names("stat \"/clients/client2/x\" OK\nmkdir \"/clients/x/y\" OK\n"
		     "list \"/clients/client2/*\" 1 - OK\nlist \"/clients/*\" 1 - OK\n"
		     "list \"/*\" 1 - OK\nstat \"/\" OK\nmkdir \"/clients\" *\n"
		     "mkdir \"/client1\" *\nmkdir \"/client1/d\" OK\n",
		     "clients/client2 clients/x! ");
}

static void computed_names_are_as_in_the_load(void **state)
{
	static const struct {
		const char *text, *names;
		bool computed;
	} rows[] = {
		{"RANDOMSTRING 1 \"[ab]\"\nstat \"/f$1\" OK\n", "f$1 ", true},
		{"RANDOMSTRING 1 \"[ab]\"\nmkdir \"/f$1/d\" OK\n", "f$1! ", true},
		{"RANDOMSTRING 1 \"[ab]\"\nlist \"/f$1/*\" 1 - OK\n", "f$1 ", true},
		{"RANDOMSTRING 1 \"[ab]\"\nmkdir \"/s/f$1\" OK\n", "s! ", false},
		{"RANDOMSTRING 1 \"[ab]\"\nmkdir \"/client1/f$1\" OK\n", "", false},
		{"LOOP 3 i\nmkdir \"/d$i/f\" OK\nENDLOOP\n", "d${i}! ", true},
		{"LOOP 3 i\nmkdir \"/d/f$i\" OK\nENDLOOP\n", "d! ", false},
		/* A name with a dollar. */
		{"stat \"/f$$x\" OK\n", "f$x ", false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct shared shared;

		expect_names(rows[i].text, rows[i].names);
		names_of(rows[i].text, &shared);
		if (shared.computed != rows[i].computed)
			fail_msg("computed: %d: %s", shared.computed, rows[i].text);
		shared_free(&shared);
	}
}

static void a_load_that_only_reads_changes_nothing(void **state)
{
	static const struct {
		const char *text;
		bool changes;
	} rows[] = {
		{"open \"/s/x\" read 1 OK\nread 1 0 1 1 OK\nlock 1 0 1 OK\nfsync 1 OK\nclose 1 OK\n"
		 "nlm-lock \"/s/x\" 0 1 OK\nlist \"/client1/*\" 1 - *\nstatvfs OK\n",
		 false},
		{"stat \"/client1/x\" *\nSLEEP 1\n", false},
		{"mkdir \"/client1/x\" *\n", true},
		{"open \"/client1/x\" read,create 1 *\n", true},
		{"open \"/client1/x\" write 1 *\nwrite 1 0 1 1 OK\n", true},
		{"mkdir \"/clients\" *\n", true},
		{"SETUP\nmkdir \"/client1/x\" OK\nENDSETUP\nstat \"/client1/x\" OK\n", true},
	};
	struct shared shared;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		names_of(rows[i].text, &shared);
		if (shared.changes != rows[i].changes)
			fail_msg("changes: %d: %s", shared.changes, rows[i].text);
		shared_free(&shared);
	}
}

static void the_first_changed_name_is_returned(void **state)
{
	struct shared shared;

	names_of("stat \"/a\" OK\nmkdir \"/b/c\" OK\nmkdir \"/d\" OK\n", &shared);
	assert_string_equal(shared_first_changed(&shared), "b");
	shared_free(&shared);
	names_of("stat \"/a\" OK\nmkdir \"/client1/b\" OK\n", &shared);
	assert_null(shared_first_changed(&shared));
	shared_free(&shared);
}

static void loads_that_use_the_same_names_overlap(void **state)
{
#define COMPUTED "LOOP 3 i\nstat \"/f$i\" *\nENDLOOP\n"
#define OWN "stat \"/client1/a\" OK\n"
	static const struct {
		const char *one, *other;
		int overlap;
	} rows[] = {
		{"stat \"/a\" OK\n", "stat \"/b\" OK\n", 0},
		{"stat \"/a/x\" OK\n", "stat \"/b\" OK\nstat \"/a/y\" OK\n", 1},
		{"stat \"/clients/a\" OK\n", "stat \"/clients/b\" OK\n", 0},
		{"stat \"/clients/a\" OK\n", "stat \"/clients/a/b\" OK\n", 1},
		{"stat \"/a\" OK\n", "stat \"/clients/a\" OK\n", 0},
		{OWN, OWN, 0},
		{"stat \"/a\" OK\n", COMPUTED, 1},
		{OWN, COMPUTED, 0},
		{COMPUTED, OWN, 1},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *one = load_text(rows[i].one);
		struct program *other = load_text(rows[i].other);

		if (shared_overlaps(one, other) != rows[i].overlap)
			fail_msg("not %d: %s%s", rows[i].overlap, rows[i].one, rows[i].other);
		program_free(one);
		program_free(other);
	}
}

int unit_shared(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_change_is_found),
		cmocka_unit_test(names_are_first_components),
		cmocka_unit_test(computed_names_are_as_in_the_load),
		cmocka_unit_test(a_load_that_only_reads_changes_nothing),
		cmocka_unit_test(the_first_changed_name_is_returned),
		cmocka_unit_test(loads_that_use_the_same_names_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
