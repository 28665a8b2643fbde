/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "play/bind.h"
#include "play/changes.h"

/* The operations of the loop have numbers, from 0. */
static const char load[] = "SETUP restore\n"
			   "mkdir \"/client1/d\"\n"
			   "open \"/client1/d/f${user}\" write,create 1\n"
			   "ENDSETUP\n"
			   "LET n $user\n"
			   "mkdir \"/client1/a\"\n"                               /* 0 */
			   "mkdir \"/client1/b\"\n"                               /* 1 */
			   "deltree \"/client1/a\"\n"                             /* 2 */
			   "rename \"/client1/a\" \"/client1/b\" replace\n"       /* 3 */
			   "rename \"/client1/b\" \"/client1/a\" replace\n"       /* 4 */
			   "rename \"/client1/c\" \"/client1/a\" replace\n"       /* 5 */
			   "unlink \"/client1/b/x\"\n"                            /* 6 */
			   "rename \"/client1/c\" \"/client1/d\" replace\n"       /* 7 */
			   "rename \"/client1/d\" \"/client1/c\" replace\n"       /* 8 */
			   "unlink \"/client1/d/f${n}\"\n"                        /* 9 */
			   "open \"/client1/d/f${n}\" write,truncate 2\n"         /* 10 */
			   "rename \"/client1/d/f${n}\" \"/client1/a\" replace\n" /* 11 */
			   "deltree \"/client1/d${n}/x/y\"\n"                     /* 12 */
			   "write 1 0 100\n"                                      /* 13 */
			   "unlink-matching \"/client1/d/*.x\"\n"                 /* 14 */
			   "stat \"/client1/a\"\n"                                /* 15 */
			   "link \"/client1/b/x\" \"/client1/d/f${n}\"\n";        /* 16 */

enum { FIRST = 5, OPS = 17 };

struct scene {
	struct program *program;
	struct names names;
	struct snapshot snapshot;
	struct changes changes;
};

/* The names that the set-up has left, sorted. */
static const char *const left[] = {"clients/client0", "clients/client0/a", "clients/client0/d",
				   "clients/client0/d/f0"};
enum { TOP, A, D, F0 };

static void set_variable(struct scene *scene, const char *name, uint64_t value)
{
	int variable = program_find_variable(scene->program, name, strlen(name));

	assert_true(variable >= 0);
	scene->names.variables[variable] = value;
	names_update(&scene->names, (unsigned)variable);
}

static int begin(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	size_t i;

	*state = scene;
	scene->program = load_text(load);
	assert_int_equal(scene->program->op_count, FIRST + OPS);
	assert_int_equal(names_open(&scene->names, scene->program, 0), 0);
	assert_int_equal(changes_open(&scene->changes, scene->program), 0);
	for (i = 0; i < FIRST; i++)
		if (!op_is_control(scene->program->ops[i].kind))
			assert_false(changes_note(&scene->changes, &scene->names,
						  &scene->program->ops[i], 0));
	scene->snapshot.entries = calloc(LENGTH(left), sizeof(*scene->snapshot.entries));
	scene->snapshot.count = LENGTH(left);
	for (i = 0; i < LENGTH(left); i++)
		scene->snapshot.entries[i].path = strdup(left[i]);
	changes_begin(&scene->changes, &scene->snapshot);
	return 0;
}

static int end(void **state)
{
	struct scene *scene = *state;

	changes_close(&scene->changes);
	snapshot_free(&scene->snapshot);
	names_free(&scene->names);
	program_free(scene->program);
	free(scene);
	return 0;
}

/* Note operation `number` of the loop. */
static bool play(struct scene *scene, size_t number)
{
	return changes_note(&scene->changes, &scene->names, &scene->program->ops[FIRST + number],
			    0);
}

/* Check the path with changes number `index`, and the changes. */
static void expect(const struct scene *scene, size_t index, unsigned bits, const char *path)
{
	const struct changes *changes = &scene->changes;

	assert_true(index < changes->path_count);
	assert_string_equal(scene->names.paths[changes->paths[index]].text, path);
	assert_int_equal(changes->bits[changes->paths[index]], bits);
}

static void expect_rename(const struct scene *scene, size_t index, const char *from, const char *to)
{
	const struct change_rename *rename = &scene->changes.renames[index];

	assert_true(index < scene->changes.rename_count);
	assert_string_equal(scene->names.paths[rename->from].text, from);
	assert_string_equal(scene->names.paths[rename->to].text, to);
}

/* Check the changes in the snapshot, and forget them. */
static void expect_marks(struct scene *scene, unsigned top, unsigned a, unsigned d, unsigned f0)
{
	const unsigned marks[] = {top, a, d, f0};
	size_t i;

	for (i = 0; i < LENGTH(marks); i++) {
		assert_int_equal(scene->snapshot.entries[i].changed, marks[i]);
		scene->snapshot.entries[i].changed = 0;
	}
}

#define HOME "clients/client0/"

static void each_name_is_listed_once(void **state)
{
	struct scene *scene = *state;
	unsigned round;

	for (round = 0; round < 2; round++) {
		assert_false(scene->changes.any);
		assert_true(play(scene, 0));
		assert_true(play(scene, 1));
		assert_true(play(scene, 2));
		assert_true(play(scene, 0));
		assert_true(play(scene, 2));
		assert_true(scene->changes.any);
		assert_int_equal(scene->changes.path_count, 2);
		expect(scene, 0, CHANGE_NAME | CHANGE_TREE, HOME "a");
		expect(scene, 1, CHANGE_NAME, HOME "b");
		/* After this, the names are new again. */
		changes_clear(&scene->changes);
		assert_int_equal(scene->changes.path_count, 0);
	}
	assert_false(play(scene, 15));
	assert_false(scene->changes.any);
	expect_marks(scene, 0, 0, 0, 0);
}

/* Only an operation on many names may have changed some of them when it fails. */
static void failures_change_nothing(void **state)
{
	struct scene *scene = *state;
	size_t i;

	for (i = 0; i < OPS; i++)
		assert_int_equal(changes_note(&scene->changes, &scene->names,
					      &scene->program->ops[FIRST + i], -1),
				 i == 2 || i == 12 || i == 14);
	assert_int_equal(scene->changes.path_count, 2);
	expect(scene, 0, CHANGE_TREE, HOME "a");
	expect(scene, 1, CHANGE_TREE, HOME "d");
}

static void a_rename_that_undoes_the_last_one_is_dropped(void **state)
{
	struct scene *scene = *state;
	unsigned i;

	for (i = 0; i <= CHANGES_RENAMES_MAX; i++) {
		play(scene, 3);
		assert_int_equal(scene->changes.rename_count, 1);
		play(scene, 4);
		assert_int_equal(scene->changes.rename_count, 0);
	}
	assert_int_equal(scene->changes.path_count, 2);
	expect(scene, 0, CHANGE_NAME, HOME "a");
	expect(scene, 1, CHANGE_NAME, HOME "b");

	/* Any other rename is listed, and so is a repeated one. */
	play(scene, 3);
	play(scene, 5);
	play(scene, 4);
	assert_int_equal(scene->changes.rename_count, 3);
	expect_rename(scene, 0, HOME "a", HOME "b");
	expect_rename(scene, 1, HOME "c", HOME "a");
	expect_rename(scene, 2, HOME "b", HOME "a");
	assert_int_equal(scene->changes.path_count, 3);
	expect(scene, 2, CHANGE_NAME, HOME "c");
}

/* A directory may have been changed under its other name, also by a change that
 * has been noted already, or that is noted in the snapshot. */
static void a_rename_with_a_change_after_it_is_kept(void **state)
{
	static const unsigned changes[] = {6, 9, 13};
	struct scene *scene = *state;
	size_t i;

	for (i = 0; i < LENGTH(changes); i++) {
		play(scene, changes[i]);
		play(scene, 3);
		play(scene, changes[i]);
		play(scene, 4);
		assert_int_equal(scene->changes.rename_count, 2);
		expect_rename(scene, 0, HOME "a", HOME "b");
		expect_rename(scene, 1, HOME "b", HOME "a");
		changes_clear(&scene->changes);
	}

	/* The same with a rename that is undone after the change. */
	play(scene, 6);
	play(scene, 3);
	play(scene, 6);
	play(scene, 7);
	assert_int_equal(scene->changes.rename_count, 2);
	play(scene, 8);
	assert_int_equal(scene->changes.rename_count, 1);
	play(scene, 4);
	assert_int_equal(scene->changes.rename_count, 2);
	expect_rename(scene, 0, HOME "a", HOME "b");
	expect_rename(scene, 1, HOME "b", HOME "a");
}

static void a_full_list_keeps_what_it_has(void **state)
{
	struct scene *scene = *state;
	unsigned i;

	for (i = 0; i < CHANGES_RENAMES_MAX; i++)
		play(scene, 3);
	assert_int_equal(scene->changes.path_count, 2);
	expect(scene, 0, CHANGE_NAME, HOME "a");
	expect(scene, 1, CHANGE_NAME, HOME "b");
	/* This one is not undone. */
	play(scene, 7);
	assert_int_equal(scene->changes.path_count, 4);
	expect(scene, 2, CHANGE_TREE, HOME "c");
	expect(scene, 3, CHANGE_TREE, HOME "d");
	assert_int_equal(changes_renames(&scene->changes), CHANGES_RENAMES_MAX);
	expect_rename(scene, CHANGES_RENAMES_MAX - 1, HOME "a", HOME "b");
	play(scene, 8);
	assert_int_equal(changes_renames(&scene->changes), CHANGES_RENAMES_MAX);
	changes_clear(&scene->changes);
	play(scene, 7);
	assert_int_equal(scene->changes.rename_count, 1);
	expect(scene, 0, CHANGE_NAME, HOME "c");
}

static void varying_names_are_marked_in_the_snapshot(void **state)
{
	struct scene *scene = *state;

	assert_true(play(scene, 9));
	expect_marks(scene, 0, 0, 0, CHANGE_NAME);
	play(scene, 10);
	expect_marks(scene, 0, 0, 0, CHANGE_NAME | CHANGE_CUT);
	play(scene, 12);
	expect_marks(scene, CHANGE_EXTRA, 0, 0, 0);
	set_variable(scene, "n", 7);
	play(scene, 9);
	play(scene, 10);
	expect_marks(scene, 0, 0, CHANGE_EXTRA, 0);
	assert_true(scene->changes.any);
	assert_int_equal(scene->changes.path_count, 0);

	/* This cannot be undone, as one of the names is not kept. */
	set_variable(scene, "n", 0);
	play(scene, 11);
	expect_marks(scene, 0, 0, 0, CHANGE_TREE);
	assert_int_equal(scene->changes.rename_count, 0);
	assert_int_equal(scene->changes.path_count, 1);
	expect(scene, 0, CHANGE_TREE, HOME "a");

	/* A hard link changes under both names. */
	changes_clear(&scene->changes);
	play(scene, 16);
	expect_marks(scene, 0, 0, 0, CHANGE_NAME);
	assert_int_equal(scene->changes.path_count, 1);
	expect(scene, 0, CHANGE_NAME, HOME "b/x");
}

/* The file is the one that the set-up has opened, although its path varies. */
static void writes_to_open_files_are_marked(void **state)
{
	struct scene *scene = *state;

	assert_true(scene->snapshot.entries[F0].opened);
	assert_false(scene->snapshot.entries[D].opened);
	assert_true(play(scene, 13));
	expect_marks(scene, 0, 0, 0, CHANGE_NAME);
	assert_int_equal(scene->changes.path_count, 0);
}

int unit_changes(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	static const struct CMUnitTest tests[] = {
		TEST(each_name_is_listed_once),
		TEST(failures_change_nothing),
		TEST(a_rename_that_undoes_the_last_one_is_dropped),
		TEST(a_rename_with_a_change_after_it_is_kept),
		TEST(a_full_list_keeps_what_it_has),
		TEST(varying_names_are_marked_in_the_snapshot),
		TEST(writes_to_open_files_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
