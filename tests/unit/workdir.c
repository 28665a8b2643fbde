/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test --workdir: runs in a directory with a known name, which they may share,
 * or in the target itself. See rundir.c for what fails.
 */
#include "unit.h"

#include "players.h"

#include <errno.h>

static unsigned steps_left; /* calls before another run comes */

static void a_named_directory_is_made_and_removed(void **state)
{
	be(&us, "work");
	assert_int_equal(claim(&us), 0);
	assert_true(us.claim.file.made);
	assert_true(is_there(at("work/clients/client2")));
	put(at("work/clients/client2/file"));
	assert_int_equal(mkdir(at("work/clients/made"), 0777), 0);
	play("work");
	assert_int_equal(rmdir(at("work/clients/client7")) < 0, 1);
	assert_int_equal(rename(at("work/clients/client7"), at("work/clients/made/seven")), 0);
	assert_int_equal(leave(&us), 0);
	expect_nothing_left();
}

static void a_named_directory_that_exists_stays(void **state)
{
	assert_int_equal(mkdir(at("work"), 0777), 0);
	put(at("work/file"));
	be(&us, "work");
	assert_int_equal(claim(&us), 0);
	assert_false(us.claim.file.made);
	put(at("work/clients/client1/file"));
	put(at("work/clients/theirs"));
	assert_int_equal(leave(&us), 0);
	assert_false(is_there(at("work/clients/client0")));
	assert_false(is_there(at("work/clients/client1")));
	assert_true(is_there(at("work/clients/theirs")));
	assert_int_equal(unlink(at("work/clients/theirs")), 0);
	/* The second run leaves nothing in it but what was there. */
	be(&us, "work");
	assert_int_equal(claim(&us), 0);
	assert_int_equal(leave(&us), 0);
	assert_int_equal(rmdir(at("work/clients")), -1);
	assert_int_equal(unlink(at("work/file")), 0);
	assert_int_equal(rmdir(at("work")), 0);
	expect_nothing_left();
}

static void homes_that_exist_are_refused(void **state)
{
	assert_int_equal(mkdir(at("work"), 0777), 0);
	assert_int_equal(mkdir(at("work/clients"), 0777), 0);
	assert_int_equal(mkdir(at("work/clients/client1"), 0777), 0);
	be(&us, "work");
	assert_int_equal(claim(&us), -EEXIST);
	assert_non_null(strstr(error.text, "clients/client1"));
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 1);
	assert_false(is_there(at("work/clients/client0")));
	assert_true(is_there(at("work/clients/client1")));
	/* A file is no better. */
	assert_int_equal(rmdir(at("work/clients/client1")), 0);
	put(at("work/clients/client2"));
	be(&us, "work");
	assert_int_equal(claim(&us), -EEXIST);
	assert_int_equal(leave(&us), 0);
	assert_true(is_there(at("work/clients/client2")));
	assert_false(is_there(at("work/clients/client1")));
}

/* Somebody puts a file into the first home, before the second is refused. */
static int stat_littered(struct backend_session *session, const struct backend_path *path,
			 struct backend_attributes *attributes)
{
	if (strcmp(path->text, "clients/client1") == 0)
		put(at("work/clients/client0/theirs"));
	return place.posix->stat(session, path, attributes);
}

static void files_in_a_home_that_is_given_up_stay(void **state)
{
	assert_int_equal(mkdir(at("work"), 0777), 0);
	assert_int_equal(mkdir(at("work/clients"), 0777), 0);
	assert_int_equal(mkdir(at("work/clients/client1"), 0777), 0);
	be(&us, "work");
	place.backend.stat = stat_littered;
	assert_int_equal(claim(&us), -EEXIST);
	assert_int_equal(leave(&us), 0);
	assert_true(is_there(at("work/clients/client0/theirs")));
	assert_true(is_there(at("work/clients/client1")));
	assert_int_equal(names_left(), 1);
}

/* A file in the place of a directory was put there by others. */
static void only_directories_of_users_are_removed(void **state)
{
	assert_int_equal(mkdir(at("work"), 0777), 0);
	be(&us, "work");
	assert_int_equal(claim(&us), 0);
	assert_int_equal(rename(at("work/clients/client0"), at("work/away")), 0);
	assert_int_equal(symlink("../away", at("work/clients/client0")), 0);
	put(at("work/away/file"));
	assert_int_equal(rmdir(at("work/clients/client1")), 0);
	put(at("work/clients/client1"));
	assert_int_equal(rmdir(at("work/clients/client2")), 0);
	assert_int_equal(leave(&us), 0);
	assert_true(is_there(at("work/away/file")));
	assert_true(is_there(at("work/clients/client0")));
	assert_true(is_there(at("work/clients/client1")));
	assert_int_equal(names_left(), 1);
}

static void a_name_that_is_no_directory_is_refused(void **state)
{
	assert_int_equal(mkdir(at("other"), 0777), 0);
	assert_int_equal(symlink("other", at("link")), 0);
	put(at("file"));
	be(&us, "link");
	assert_true(claim(&us) < 0);
	assert_true(us.claim.begun);
	leave(&us);
	be(&us, "file");
	assert_true(claim(&us) < 0);
	leave(&us);
	/* Nothing was made behind the link, and no run file is left. */
	assert_int_equal(rmdir(at("other")), 0);
	assert_int_equal(names_left(), 2);
}

static void runs_of_other_users_share_a_named_directory(void **state)
{
	bool made;

	for (made = false;; made = true) {
		be(&us, "work");
		be(&them, "work");
		them.request.first_user = USERS;
		if (!made)
			assert_int_equal(mkdir(at("work"), 0777), 0);
		assert_int_equal(claim(&us), 0);
		assert_int_equal(claim(&them), 0);
		assert_int_equal(us.claim.file.made, made);
		assert_false(them.claim.file.made);
		put(at("work/clients/client0/file"));
		put(at("work/clients/client3/file"));
		put(at("work/data"));
		assert_int_equal(leave(&us), made);
		assert_false(is_there(at("work/clients/client0")));
		assert_true(is_there(at("work/clients/client3/file")));
		assert_true(is_there(at("work/clients/client5")));
		assert_true(is_there(at("work/data")));
		assert_int_equal(unlink(at("work/data")), 0);
		assert_int_equal(leave(&them), 0);
		assert_false(is_there(at("work/clients")));
		assert_int_equal(rmdir(at("work")), 0);
		expect_nothing_left();
		if (made)
			break;
	}
	/* The one that has made it ends last. */
	be(&us, "work");
	be(&them, "work");
	them.request.first_user = USERS;
	assert_int_equal(claim(&us), 0);
	assert_int_equal(claim(&them), 0);
	assert_int_equal(leave(&them), 0);
	assert_true(is_there(at("work/clients/client0")));
	assert_int_equal(leave(&us), 0);
	expect_nothing_left();
}

/* The directory of --workdir may be the target of another run. */
static void a_named_directory_may_be_a_target(void **state)
{
	char name[RUN_NAME_SIZE];

	be(&us, "work");
	assert_int_equal(claim(&us), 0);
	assert_int_equal(mkdir(at("work/%s", own_name(1, name)), 0777), 0);
	put(at("work/%s/file", name));
	put(at("work/%s.run", name));
	put(at("work/data"));
	assert_int_equal(leave(&us), 1);
	assert_int_equal(names_left(), 1);
	assert_true(is_there(at("work/%s/file", name)));
	assert_true(is_there(at("work/%s.run", name)));
	assert_false(is_there(at("work/clients")));
}

/* Another run begins to use the directory while ours removes it, before the n-th
 * step. */
static void arrive(void)
{
	struct tree *ours = place.tree;
	struct error why = {0};
	uint64_t steps = 0;

	if (steps_left == 0 || --steps_left > 0)
		return;
	assert_int_equal(tree_open(&place.tree, &place.target, &steps, &why), 0);
	if (rundir_claim(place.tree, &them.request, &them.claim, &why) == 0) {
		put(at("work/clients/client3/file"));
		put(at("work/data"));
	}
	tree_close(place.tree);
	place.tree = ours;
}

static int rmdir_arrive(struct backend_session *session, const struct backend_path *path)
{
	arrive();
	return place.posix->rmdir(session, path);
}

static int unlink_arrive(struct backend_session *session, const struct backend_path *path)
{
	arrive();
	return place.posix->unlink(session, path);
}

static int list_arrive(struct backend_session *session, const struct backend_path *path,
		       backend_visit *visit, void *context)
{
	arrive();
	return place.posix->list(session, path, visit, context);
}

static void a_run_may_arrive_during_the_removal(void **state)
{
	unsigned i;

	for (i = 1, steps_left = 0; steps_left == 0; i++) {
		be(&us, "work");
		be(&them, "work");
		them.request.first_user = USERS;
		assert_int_equal(claim(&us), 0);
		put(at("work/clients/client0/file"));
		assert_int_equal(mkdir(at("work/deep"), 0777), 0);
		put(at("work/deep/file"));
		assert_int_equal(mkdir(at("work/deeper"), 0777), 0);
		place.backend.list = list_arrive;
		place.backend.rmdir = rmdir_arrive;
		place.backend.unlink = unlink_arrive;
		steps_left = i;
		if (leave(&us) < 0)
			fail_msg("step %u: %s", i, error.text);
		place.backend = *place.posix;
		if (steps_left == 0 && them.claim.file.complete) {
			if (!is_there(at("work/clients/client3/file")) ||
			    !is_there(at("work/clients/client5")))
				fail_msg("step %u removed a user of the other run", i);
		}
		if (them.claim.begun)
			leave(&them);
		assert_false(is_there(at("work/clients")));
		unlink(at("work/data"));
		unlink(at("work/deep/file"));
		rmdir(at("work/deep"));
		rmdir(at("work/deeper"));
		rmdir(at("work"));
		expect_nothing_left();
	}
	assert_true(i > 10);
}

static void the_target_itself_keeps_its_data(void **state)
{
	put(at("data"));
	be(&us, ".");
	assert_int_equal(claim(&us), 0);
	assert_false(us.claim.file.made);
	assert_true(is_there(at("clients/client2")));
	put(at("clients/client2/file"));
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 1);
	assert_true(is_there(at("data")));
}

static void the_marker_of_an_old_version_is_refused(void **state)
{
	be(&us, ".");
	assert_int_equal(mkdir(at("clients"), 0777), 0);
	put(at("clients/.throng"));
	assert_int_equal(claim(&us), -EEXIST);
	assert_non_null(strstr(error.text, "older version"));
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 1);
	assert_true(is_there(at("clients/.throng")));
}

static void dbench_shares_what_exists(void **state)
{
	be(&us, ".");
	us.request.like_dbench = true;
	assert_int_equal(mkdir(at("clients"), 0777), 0);
	assert_int_equal(mkdir(at("clients/client0"), 0777), 0);
	assert_int_equal(mkdir(at("clients/client3"), 0777), 0);
	put(at("clients/client3/file"));
	put(at("made-by-load"));
	assert_int_equal(claim(&us), 0);
	assert_true(us.claim.begun);
	assert_int_equal(us.claim.lock_fd, -1);
	assert_int_equal(names_left(), 2);
	assert_int_equal(leave(&us), 0);
	assert_true(is_there(at("clients/client3/file")));
	assert_false(is_there(at("clients/client0")));
	assert_true(is_there(at("made-by-load")));
	assert_int_equal(names_left(), 2);
}

int unit_workdir(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_named_directory_is_made_and_removed),
		TEST(a_named_directory_that_exists_stays),
		TEST(homes_that_exist_are_refused),
		TEST(files_in_a_home_that_is_given_up_stay),
		TEST(only_directories_of_users_are_removed),
		TEST(a_name_that_is_no_directory_is_refused),
		TEST(runs_of_other_users_share_a_named_directory),
		TEST(a_named_directory_may_be_a_target),
		TEST(a_run_may_arrive_during_the_removal),
		TEST(the_target_itself_keeps_its_data),
		TEST(the_marker_of_an_old_version_is_refused),
		TEST(dbench_shares_what_exists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
